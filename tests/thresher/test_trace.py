"""`thresher trace` on a small sdist made here: real tox, real sandbox, real recorder."""

import io
import json
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher.cli import cli
from thresher.pipeline import moment
from thresher.store.records import Decision, Problem
from thresher.store.workspace import open_reader

PKG_INFO = "Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nLicense: MIT\n"
TOX = "[testenv]\npackage = skip\ncommands = python -m unittest -v\n"
CODE = '''\
"""A module."""
import os
import random

HOME = os.environ.get("THRESHER_TEST_SECRET", "not seen")
open("/tmp/thresher-was-here", "w").close()

FACTOR = 2


def double(x, *, plus=0):
    """Return twice `x`, and `plus`."""
    return FACTOR * x + plus


def noise(x):
    """Return something else each time."""
    return x + random.random()


def undocumented(x):
    return x


def grow(items):
    """Append to a list."""
    items.append(1)
    return len(items)
'''
TESTS = """\
import unittest
import demo


class Tests(unittest.TestCase):
    def test_double(self):
        self.assertEqual([demo.double(n) for n in (1, 2, 2.5)], [2, 4, 5.0])
        self.assertEqual(demo.double(1, plus=3), 5)
        for bad in (None, "a"):
            with self.assertRaises(TypeError):
                demo.double(bad)

    def test_secret(self):
        self.assertEqual(demo.HOME, "not seen")

    def test_others(self):
        demo.noise(1)
        demo.undocumented(1)
        demo.grow([])
"""
FILES = {"tox.ini": TOX, "demo.py": CODE, "test_demo.py": TESTS}
DEMO, MISSING = "pypi:thresher-test-demo<2", "pypi:thresher-test-missing"


@pytest.fixture
def index(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("index")
    name = "thresher-test-demo"
    (folder / f"{name}-1.0.tar.gz").write_bytes(sdist(name, FILES))
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


def sdist(name, files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for path, text in {"PKG-INFO": PKG_INFO.format(name=name), **files}.items():
            info = tarfile.TarInfo(f"{name}-1.0/{path}")
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


def trace(workspace, *targets):
    result = CliRunner().invoke(cli, ["trace", *targets, "-w", str(workspace), "--json"])
    return result, json.loads(result.stdout) if result.stdout.startswith("{") else None


def test_a_list_with_a_good_sdist_and_a_missing_one(index, tmp_path, monkeypatch):
    marker = Path("/tmp/thresher-was-here")
    assert not marker.exists()
    monkeypatch.setenv("THRESHER_TEST_SECRET", "seen")  # its tests ask that nothing is seen
    listed = tmp_path / "list.txt"
    listed.write_text(f"{DEMO}  # a range\n{MISSING}\n")
    result, summary = trace(tmp_path / "w", f"@{listed}")
    assert (result.exit_code, summary["done"]) == (1, [DEMO])
    assert "no such package" in summary["failed"][MISSING]
    assert not marker.exists()
    assert "Traceback" not in result.output
    with open_reader(tmp_path / "w") as workspace:
        sources = workspace.current(Decision, "filter = 'source'")
        (problem,) = workspace.current(Problem)
        functions = workspace.current(Decision, "filter = 'trace'")
        assert workspace.verify() is None
    assert {d.subject: d.reason for d in sources} == {DEMO: "traced", MISSING: "no-sdist"}
    assert "pypi/thresher-test-demo/1.0/builtins.list.append" in {d.subject for d in functions}
    row = summary["by_source"]["pypi/thresher-test-demo/1.0"]
    assert (row["found"], row["problems"]) == (len(functions), 1)
    assert summary["by_source"][MISSING]["lost"] == {"no-sdist": 1}
    check_problem(problem)

    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    result, summary = trace(tmp_path / "w", DEMO, MISSING)
    assert summary["done"] == [DEMO]
    assert summary["failed"][MISSING] == "failed before (no-sdist); --retry tries it again"


def check_problem(problem):
    assert problem.task_id.startswith("pypi/thresher-test-demo/1.0/demo.double-")
    assert problem.prompt == (
        'FACTOR = 2\n\n\ndef double(x, *, plus=0):\n    """Return twice `x`, and `plus`."""\n'
    )
    assert problem.canonical_solution == "    return FACTOR * x + plus\n"
    assert {(*c.args, c.kwargs["plus"]): c.raises or c.expected for c in problem.cases} == {
        (1, 0): 2,
        (2, 0): 4,
        (2.5, 0): 5.0,
        (1, 3): 5,
        ("a", 0): "TypeError",
        (None, 0): "TypeError",
    }


@pytest.mark.parametrize("target", ["demo", "pypi:", "https://example.org/x"])
def test_a_target_that_cannot_be_traced_is_wrong_use(tmp_path, target):
    result = CliRunner().invoke(cli, ["trace", target, "-w", str(tmp_path / "w")])
    assert "write pypi:NAME" in str(result.exception)
    assert result.exception.exit_code == 2
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize("option", [["--as-of", "yesterday"], ["--python", "new"], ["--jobs", "0"]])
def test_options_that_mean_nothing_are_wrong_use(tmp_path, option):
    result = CliRunner().invoke(cli, ["trace", "pypi:six", *option, "-w", str(tmp_path / "w")])
    assert result.exit_code != 0
    assert "write for example" in str(result.exception) or "not in the range" in result.output
    assert not (tmp_path / "w").exists()


def test_a_day_is_meant_to_its_end():
    assert str(moment("2019-05-31")) == "2019-05-31 23:59:59+00:00"
    assert (moment("commit"), moment(None)) == ("commit", None)
