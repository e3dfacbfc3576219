"""Pythons are known by what they say when they run; the files here are ours."""

import datetime
import sys
from pathlib import Path

import pytest

from thresher.errors import SourceError
from thresher.tracer.replays import interpreters
from thresher.tracer.replays.interpreters import (
    Interpreter,
    ask,
    candidates,
    look,
    minor_in,
    preferred,
)


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def python(
    folder: Path, version: str, name: str = "python3", implementation: str = "CPython"
) -> Path:
    """Make something that answers as a Python of a version does, installed in `folder`."""
    said = "\\n".join([version, implementation, str(folder)])
    return program(folder / "bin" / name, f"printf '{said}\\n'")


def test_our_own_python_is_found_and_runs():
    found = [each for each in interpreters.survey().working if each.minor == sys.version_info[:2]]
    assert found
    assert isinstance(ask(found[0].executable), Interpreter)


def test_what_an_interpreter_says_counts_and_not_its_name(tmp_path):
    found = ask(python(tmp_path, "3.9.18", "python2.7"))
    assert found == Interpreter(tmp_path / "bin/python2.7", (3, 9, 18), "CPython", tmp_path)
    assert isinstance(found, Interpreter)
    assert (found.minor, found.text) == ((3, 9), "3.9")
    assert [(str(m.source), m.target) for m in found.mounts] == [(str(tmp_path), str(tmp_path))]
    assert found._replace(prefix=Path("/usr")).mounts == ()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "echo 'pyenv: python3.8: command not found' >&2; exit 127",
            "a pyenv shim without a version",
        ),
        ("echo broken >&2; exit 1", "broken"),
        ("exit 3", "it ended with 3"),
        ("echo hello", "it doesn't answer as a Python does"),
        ("", "it doesn't answer as a Python does"),
    ],
)
def test_what_does_not_run_is_told_with_the_reason(tmp_path, script, words):
    file = program(tmp_path / "python3.8", script)
    survey = look([file, tmp_path / "none"])
    assert survey.working == ()
    assert words in survey.broken[file]
    assert tmp_path / "none" in survey.broken


def test_each_installation_counts_once_and_the_newest_comes_first(tmp_path):
    old, new = python(tmp_path / "a", "3.8.1"), python(tmp_path / "b", "3.10.2")
    (tmp_path / "a/bin/python").symlink_to(old)
    shim = program(tmp_path / "shims/python3", f"exec {new}")
    survey = look([old, tmp_path / "a/bin/python", shim, new])
    assert [found.version for found in survey.working] == [(3, 10, 2), (3, 8, 1)]
    assert survey.working[0].executable == new


def test_where_pythons_are_looked_for(tmp_path):
    wanted = [
        python(tmp_path / "pyenv/versions/3.8.1", "3.8.1", "python3.8"),
        python(tmp_path / "uv/cpython-3.9", "3.9.1", "python3.9"),
        python(tmp_path / "path", "3.7.1", "pypy3"),
    ]
    for name in ("python3-config", "pythonw", "idle3", "python3.8m"):
        program(tmp_path / "path/bin" / name, "")
    found = list(
        candidates(
            {
                "HOME": str(tmp_path),
                "PYENV_ROOT": str(tmp_path / "pyenv"),
                "UV_PYTHON_INSTALL_DIR": str(tmp_path / "uv"),
                "PATH": f"{tmp_path}/path/bin:{tmp_path}/none",
            }
        )
    )
    assert [file for file in found if tmp_path in file.parents] == wanted


def several(*minors: tuple[int, int]) -> dict[tuple[int, int], Interpreter]:
    return {
        minor: Interpreter(Path(f"/p/{minor[1]}"), (*minor, 1), "CPython", Path("/p"))
        for minor in minors
    }


def test_one_cpython_of_each_version_that_can_be_recorded():
    found = [
        Interpreter(Path("/a"), (3, 8, 18), "CPython", Path("/")),
        Interpreter(Path("/b"), (3, 8, 2), "CPython", Path("/")),
        Interpreter(Path("/c"), (3, 9, 1), "PyPy", Path("/")),
        Interpreter(Path("/d"), (2, 7, 18), "CPython", Path("/")),
    ]
    assert interpreters.usable(found) == {(3, 8): found[0]}


@pytest.mark.parametrize(
    ("here", "asked", "day", "text"),
    [
        ([(3, 8), (3, 11)], None, None, "3.11"),
        ([(3, 8), (3, 12)], None, None, "3.8"),
        ([(3, 12), (3, 13)], None, None, "3.12"),
        ([(3, 8), (3, 11)], "3.8", None, "3.8"),
        ([(3, 7), (3, 8), (3, 11)], None, "2020-01-01", "3.8"),
        ([(3, 7), (3, 8), (3, 11)], None, "2019-10-13", "3.7"),
        ([(3, 7), (3, 8)], None, "2012-01-01", "3.7"),
    ],
)
def test_the_python_to_try_first(here, asked, day, text):
    on = datetime.date.fromisoformat(day) if day else None
    assert preferred(several(*here), asked, on, (3, 11)).text == text


@pytest.mark.parametrize(("here", "asked"), [([(3, 8)], "3.9"), ([(3, 8)], "two"), ([], None)])
def test_no_such_python(here, asked):
    with pytest.raises(SourceError) as caught:
        preferred(several(*here), asked, None, (3, 11))
    assert caught.value.reason == "no-interpreter"


@pytest.mark.parametrize(
    ("text", "minor"),
    [
        ("3.8", (3, 8)),
        ("3.10-dev", (3, 10)),
        ("3.6.7", (3, 6)),
        ("pypy3.9", None),
        ("3", None),
        ("", None),
    ],
)
def test_versions_as_configurations_write_them(text, minor):
    assert minor_in(text) == minor
