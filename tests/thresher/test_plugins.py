"""Plug-ins of other packages: the filter that the documentation shows, and broken ones."""

import re
from pathlib import Path

import pytest

from tests.store.builders import case, problem, source, store
from thresher import plugins
from thresher.errors import UsageError
from thresher.pipeline import FilterOptions, filter_problems
from thresher.progress import PlainReporter
from thresher.store.workspace import open_writer

DOCS = Path(__file__).parents[2] / "docs" / "filters.md"
POINTS = "[thresher.filters]\nlength = their_length:FILTER\nnone = their_length:NONE\n"


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with the filter of the documentation, as if it were installed."""
    found = re.search(r"Write `filters/NAME.py`:\n\n```python\n(.*?)```", DOCS.read_text(), re.S)
    assert found
    folder = tmp_path / "site"
    about = folder / "theirs-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "their_length.py").write_text(found[1])
    (folder / "their_broken.py").write_text("def (")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"{POINTS}broken = their_broken:FILTER\n")
    monkeypatch.syspath_prepend(folder)


def test_the_filter_of_the_documentation_works(tmp_path: Path, theirs: None):
    long = problem("a/b/c.d-00000009", "    x = x\n    return x * 2\n", (case(2, expected=4),))
    store(tmp_path / "w", [source(), problem(cases=long.cases), long])
    options = FilterOptions(filters=("length",), settings={"length": {"lines": 1}})
    with open_writer(tmp_path / "w") as workspace:
        found = filter_problems(workspace, options, PlainReporter())
    assert found.dropped == {long.task_id: "length: too-long"}
    assert len(found.kept) == 1


@pytest.mark.parametrize("name", ["none", "broken"])
def test_a_broken_plug_in_is_named(theirs: None, name: str):
    with pytest.raises(UsageError, match=f"plug-in '{name}' can't be imported"):
        plugins.load("thresher.filters", name)
