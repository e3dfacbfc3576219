import hashlib
import json
from pathlib import Path

import msgspec
import pytest

from tests.store import builders
from thresher.errors import UsageError
from thresher.store import audit
from thresher.store.export import export
from thresher.store.records import canonical_json
from thresher.store.workspace import Workspace, open_reader, open_writer

TASK = "pypi/demo/1.0/demo.double-00000001"
OTHER = "pypi/demo/1.0/demo.doubled-00000002"
FUNCTION = "pypi/demo/1.0/demo.double:12"
LOST = "pypi/demo/1.0/demo.halve:20"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Store two problems, one of them kept, sampled and exported, and a lost function."""
    records = [
        builders.source(),
        builders.fetched("pypi:demo"),
        builders.problem(TASK),
        builders.traced(FUNCTION),
        builders.problem(OTHER),
        builders.traced("pypi/demo/1.0/demo.doubled:40"),
        builders.traced(LOST, "no-docstring"),
        builders.execution(TASK),
        builders.execution(TASK),
        builders.execution(TASK, "fail"),
        builders.sample(TASK, 0),
        builders.sample(TASK, 1),
        builders.decision(TASK, "reference", reason="passes"),
        builders.decision(TASK),
        builders.sample(OTHER),
    ]
    with open_writer(tmp_path / "workspace") as workspace:
        workspace.commit(None, records)
        export(workspace, tmp_path / "out.jsonl")
    return tmp_path / "workspace"


def show(folder: Path, name: str) -> dict[str, object]:
    with open_reader(folder) as workspace:
        return audit.show(workspace, name)


# names


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        (TASK, TASK),
        (FUNCTION, FUNCTION),
        (LOST, LOST),
        ("pypi:demo", "pypi:demo"),
        ("pypi/demo/1.0/demo.double-", TASK),
        ("pypi/demo/1.0/demo.doubled", OTHER),
        ("pypi/demo/1.0/demo.h", LOST),
        ("pypi:", "pypi:demo"),
    ],
)
def test_a_whole_name_or_its_unique_beginning_is_enough(
    folder: Path, name: str, subject: str
) -> None:
    assert show(folder, name)["name"] == subject


def test_an_ambiguous_beginning_lists_what_it_could_be(folder: Path) -> None:
    with pytest.raises(UsageError) as caught:
        show(folder, "pypi/demo/1.0/demo.d")
    assert str(caught.value) == (
        f"'pypi/demo/1.0/demo.d' could be 2 things, such as: {TASK}, {OTHER}"
    )


def test_of_many_things_it_lists_the_first(tmp_path: Path) -> None:
    builders.store(tmp_path, [builders.decision(f"task {n}") for n in range(9)])
    with pytest.raises(UsageError) as caught:
        show(tmp_path, "task")
    assert str(caught.value) == (
        "'task' could be 9 things, such as: task 0, task 1, task 2, task 3, task 4"
    )


@pytest.mark.parametrize("name", ["nothing", "demo.double", f"{TASK}x", "%", "pypi_demo"])
def test_an_unknown_name_is_wrong_use(folder: Path, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        show(folder, name)
    assert str(caught.value) == (
        f"nothing is known of {name!r} in this workspace: give a task id from the exported file, "
        "or its beginning"
    )


# what is shown


def test_a_problem_leads_back_to_its_source(folder: Path) -> None:
    found = show(folder, TASK)
    assert found["source"] == msgspec.to_builtins(builders.source())
    assert found["samples"] == {"model": 2}
    assert found["executions"] == {"reference pass": 2, "reference fail": 1}
    (exported,) = found["exports"]
    assert exported["path"] == "out.jsonl"
    assert [(d["filter"], d["subject"]) for d in found["decisions"]] == [
        ("trace", FUNCTION),
        ("reference", TASK),
        ("filters", TASK),
    ]
    assert [line.rpartition(" ")[0] for line in found["ledger"]] == [
        f"3 Problem {TASK}",
        f"8 Execution {TASK} reference",
        f"9 Execution {TASK} reference",
        f"10 Execution {TASK} reference",
        f"11 Sample {TASK} model 0",
        f"12 Sample {TASK} model 1",
        f"13 Decision {TASK} reference",
        f"14 Decision {TASK} filters",
    ]


def test_the_problem_is_the_exported_one(folder: Path) -> None:
    found = show(folder, TASK)
    (line,) = (folder.parent / "out.jsonl").read_text().splitlines()
    for field in ("task_id", "prompt", "canonical_solution", "entry_point"):
        assert found["problem"][field] == json.loads(line)[field]


def test_what_became_no_problem_has_its_decisions_alone(folder: Path) -> None:
    assert show(folder, LOST) == {
        "name": LOST,
        "decisions": [
            {
                "subject": LOST,
                "filter": "trace",
                "version": 1,
                "keep": False,
                "reason": "no-docstring",
                "evidence": "evidence of trace",
            }
        ],
    }


def test_what_is_shown_is_plain_data(folder: Path) -> None:
    for name in (TASK, OTHER, LOST):
        found = show(folder, name)
        assert canonical_json(json.loads(json.dumps(found))) == canonical_json(found)


def test_lines_for_a_person(folder: Path) -> None:
    found = show(folder, TASK)
    digest = found["exports"][0]["sha256"]
    raw = hashlib.sha256(builders.RAW).hexdigest()
    assert audit.lines(found) == [
        TASK,
        "",
        "source      https://example.org/demo-1.0.tar.gz",
        "            1.0",
        f"            fetched 2026-01-02T03:04:05+00:00, raw bytes in blob {raw}",
        "licence     MIT (PKG-INFO License: MIT)",
        "made from   demo.py line 12, double",
        "            3 distinct calls recorded",
        "cases       1, compared: exact",
        "executions  2 reference pass, 1 reference fail",
        "samples     2 model",
        f"exported in out.jsonl (sha256 {digest[:16]})",
        "",
        "trace: keep, kept",
        "    evidence of trace",
        "reference: keep, passes",
        "    evidence of reference",
        "filters (overall): keep, kept",
        "    evidence of filters",
    ]


def test_lines_where_there_is_less(folder: Path) -> None:
    assert audit.lines(show(folder, OTHER))[9:12] == [
        "executions  none",
        "samples     1 model",
        "exported in nothing yet",
    ]
    assert audit.lines(show(folder, LOST)) == [
        LOST,
        "",
        "trace: drop, no-docstring",
        "    evidence of trace",
    ]


def test_a_source_shows_how_it_ended(tmp_path: Path) -> None:
    builders.store(tmp_path, [builders.fetched("pypi:gone", "no-sdist")])
    assert audit.lines(show(tmp_path, "pypi:gone")) == [
        "pypi:gone",
        "",
        "source: drop, no-sdist",
        "    evidence of source",
    ]


def test_it_works_while_a_writer_lives(folder: Path) -> None:
    with open_writer(folder) as writer:
        assert isinstance(writer, Workspace)
        assert show(folder, TASK)["name"] == TASK
