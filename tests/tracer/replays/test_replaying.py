"""Whole replays of small projects of our own, with real installs from the package index."""

import datetime
import textwrap
from pathlib import Path

import pytest

from thresher.errors import SandboxUnavailable, SourceError
from thresher.sandbox import walls
from thresher.sandbox.index import package_index
from thresher.tracer.replays.attempt import Replay
from thresher.tracer.replays.replay import Replayer
from thresher.tracer.replays.results import Results

pytestmark = pytest.mark.slow

SETUP = "from setuptools import setup\nsetup(name='demo', version='1', py_modules=['demo'])\n"
TEST = "import demo, pytest\n\ndef test_it():\n    {}\n"
PROJECT = {
    "setup.py": SETUP,
    "demo.py": "def double(n):\n    '''Double.'''\n    return 2 * n\n",
    "test_demo.py": TEST.format("assert [demo.double(n) for n in (1, 2, 3)] == [2, 4, 6]"),
}
TRAVIS = """
    language: python
    .with: &with {services: redis, before_install: [sudo apt-get update, curl example.org | bash]}
    jobs:
      include:
        - {<<: *with, python: pypy3, script: false}
        - {<<: *with, python: 2.7, install: pip install codecov tox, script: tox}
"""
TOX = """
    [tox]
    envlist = py27, py3
    [testenv]
    recreate = true
    deps = pytest
    commands = pytest {posargs}
"""


def replay(folder: Path, files: dict[str, str], **options: object) -> Replay:
    try:
        wall = walls.find("bubblewrap")
        walls.probe(wall)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    root = folder / "project"
    root.mkdir()
    for name, text in (PROJECT | files).items():
        (root / name).write_text(textwrap.dedent(text))
    replayer = Replayer(
        "demo",
        root,
        folder,
        package_index(),
        wall,
        lambda step: None,
        library_calls=False,
        **options,
    )
    return replayer.run(["demo.py"])


def test_a_travis_job_that_runs_tox(tmp_path):
    done = replay(tmp_path, {".travis.yml": TRAVIS, "tox.ini": TOX})
    assert done.environment.startswith("travis 2.7 on Python 3.")
    assert done.tried == ()
    assert done.results == (Results(1, 0, 0),) * 3
    assert [(f.name, len(f.calls)) for f in done.calls.functions] == [("double", 3)]
    assert "skipped apt-get update" in done.notes
    assert "skipped curl example.org" in done.notes
    assert "skipped installing codecov" in done.notes
    assert "not here: service redis" in done.notes


def test_what_tox_cannot_do_falls_back_to_pytest(tmp_path):
    done = replay(
        tmp_path, {"tox.ini": TOX.replace("deps = pytest", "deps = no.such-package-at-all")}
    )
    assert done.environment.startswith("pytest in a plain environment on Python ")
    assert done.results == (Results(1, 0, 0),) * 3
    assert "install-failed" not in done.environment
    assert len(done.tried) >= 2


def test_packages_are_as_of_a_day(tmp_path):
    files = {"test_demo.py": TEST.format("demo.double(int(pytest.__version__[0]))")}
    day = datetime.datetime(2021, 1, 1, tzinfo=datetime.UTC)
    done = replay(tmp_path, files, as_of=day)
    (function,) = done.calls.functions
    assert [call.args for call in function.calls] == [{"n": 6}]


def test_no_plan_finds_a_test(tmp_path):
    with pytest.raises(SourceError) as caught:
        replay(tmp_path, {"test_demo.py": ""})
    assert caught.value.reason == "no-tests"
    assert "unittest in a plain environment" in str(caught.value)
