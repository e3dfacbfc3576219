"""`thresher trace` on small sdists from a loopback index: real tox, real sandbox, real recorder."""

import io
import json
import tarfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher.cli import cli
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
SDISTS = {
    "demo": {"tox.ini": TOX, "demo.py": CODE, "test_demo.py": TESTS},
    "untested": {"tox.ini": TOX, "untested.py": CODE},
    "broken": {"tox.ini": "[tox\nnothing", "broken.py": CODE},
    "plain": {"plain.py": CODE},
    "failing": {"tox.ini": TOX + "deps = no-such-package-anywhere\n", "failing.py": CODE},
}


@pytest.fixture
def index(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("index")
    for name, files in SDISTS.items():
        page = folder / "simple" / name / "index.html"
        page.parent.mkdir(parents=True)
        page.write_text(f'<a href="../../{name}-1.0.tar.gz">{name}-1.0.tar.gz</a>')
        (folder / f"{name}-1.0.tar.gz").write_bytes(sdist(name, files))
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
        monkeypatch.setenv("PIP_TRUSTED_HOST", "127.0.0.1")
        yield
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


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


def test_one_good_sdist_among_bad_ones(index, tmp_path):
    names = ("demo", "untested", "broken", "plain", "failing", "missing")
    result, summary = trace(tmp_path, *(f"pypi:{name}" for name in names))
    assert result.exit_code == 1
    assert summary["done"] == ["pypi:demo"]
    reasons = {"untested": "no-tests", "broken": "broken-tox", "plain": "no-tox"}
    reasons |= {"failing": "install-failed", "missing": "no-sdist"}
    with open_reader(tmp_path) as workspace:
        sources = workspace.current(Decision, "filter = 'source'")
        (problem,) = workspace.current(Problem)
        functions = workspace.current(Decision, "filter = 'trace'")
        assert workspace.verify() is None
    lost = {d.subject.removeprefix("pypi:"): d.reason for d in sources if not d.keep}
    assert lost == reasons
    assert all(name in summary["failed"][f"pypi:{name}"] for name in reasons)
    assert "Traceback" not in result.output
    assert {d.subject.rpartition(".")[2].partition(":")[0]: d.reason for d in functions} == {
        "double": "kept",
        "noise": "not-reproduced",
        "undocumented": "no-docstring",
        "grow": "changes-its-arguments",
    }
    check_problem(problem)


def test_what_a_package_does_stays_inside(index, tmp_path, monkeypatch):
    marker = Path("/tmp/thresher-was-here")
    assert not marker.exists()
    monkeypatch.setenv("THRESHER_TEST_SECRET", "seen")
    assert trace(tmp_path, "pypi:demo")[0].exit_code == 0  # its tests ask that nothing is seen
    assert not marker.exists()


def check_problem(problem):
    assert problem.task_id.startswith("pypi/demo/1.0/demo.double-")
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


def test_what_was_traced_is_not_traced_again(index, tmp_path, monkeypatch):
    assert trace(tmp_path, "pypi:demo", "pypi:plain")[0].exit_code == 1
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    result, summary = trace(tmp_path, "pypi:demo", "pypi:plain")
    assert summary["done"] == ["pypi:demo"]
    assert summary["failed"]["pypi:plain"] == "failed before (no-tox); --retry tries it again"


@pytest.mark.parametrize("target", ["demo", "pypi:", "https://example.org/x"])
def test_a_target_that_cannot_be_traced_is_wrong_use(tmp_path, target):
    result = CliRunner().invoke(cli, ["trace", target, "-w", str(tmp_path)])
    assert "write pypi:NAME" in str(result.exception)
