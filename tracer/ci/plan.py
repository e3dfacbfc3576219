"""What a CI configuration asks for: the commands that install a project and run its tests."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from thresher.sandbox.wall import OWN_PYTHON
from thresher.tracer.replays.interpreters import Interpreter, Minor

# Where a project and the environment made for it lie in the sandbox.
PROJECT, MADE = "/thresher/project", "/thresher/made"
PYTHONS = f"{MADE}/pythons"  # links to the interpreters, and nothing else of theirs
ENVIRONMENT = f"{MADE}/environment"
PYTHON = f"{ENVIRONMENT}/bin/python"
# What tox calls its environments is not to be foretold; behind gVisor only a test follows links.
LOOK = 'for folder in "$@"; do test -x "$folder/bin/python" && echo "$folder/bin/python"; done; :'
UV = (OWN_PYTHON, "-m", "uv", "--no-progress")
NO_VARIABLES: Mapping[str, str] = {}


class Step(NamedTuple):
    """One command of a replay.

    Attributes:
        name: what it is for, as shown to the user.
        argv: the command, run in the project's folder inside the sandbox.
        installs: whether it may reach the package index.
        env: variables for it.
        needed: whether the plan ends when it fails.
    """

    name: str
    argv: tuple[str, ...]
    installs: bool
    env: Mapping[str, str] = NO_VARIABLES
    needed: bool = True


class Plan(NamedTuple):
    """A replay of one environment.

    Attributes:
        name: the environment, as the evidence tells it.
        interpreter: the Python that it is for.
        install: the steps that make it; a plan with the same ones as the plan before it goes on
            in that one's environment.
        pythons: prints where the Pythons of its environments are, one a line; the recorder goes
            in there.
        check: runs the tests as they are, before there is a recorder.
        tests: run the tests, each time under another hash seed.
        notes: what of the configuration is left out, or done otherwise.
    """

    name: str
    interpreter: Interpreter
    install: tuple[Step, ...]
    pythons: Step
    check: Step
    tests: tuple[Step, ...]
    notes: tuple[str, ...] = ()


class Site(NamedTuple):
    """What plans are made for.

    Attributes:
        project: the project's folder on the host, as fetched: nothing of it has run yet.
        available: the Pythons that can be used.
        preferred: the one to take where the configuration leaves the choice.
        asked: whether it was asked for, so that it comes before the configuration's own.
    """

    project: Path
    available: Mapping[Minor, Interpreter]
    preferred: Interpreter
    asked: bool = False


def text(file: Path) -> str:
    """Return what a small file of the project holds, empty where there is none."""
    if not file.is_file() or file.stat().st_size > 1 << 20:
        return ""
    return file.read_text(encoding="utf-8-sig", errors="replace")


def find_pythons(*folders: str) -> Step:
    """Return the step that finds the Pythons of tox's environments and of further folders."""
    look = f'set -- "$@" "$PWD"/.tox/*; {LOOK}'
    return Step("finding its Pythons", ("sh", "-c", look, "sh", *folders), False)


def make_environment(interpreter: Interpreter) -> Step:
    """Return the step that makes an empty environment at `ENVIRONMENT`."""
    argv = (*UV, "venv", "--quiet", "--clear", "--seed", "--python", str(interpreter.executable))
    return Step("making an environment", (*argv, ENVIRONMENT), True)


def install(name: str, *arguments: str, needed: bool = True) -> Step:
    """Return the step that installs something into the environment, from the package index."""
    argv = (*UV, "pip", "install", "--python", PYTHON, *arguments)
    return Step(f"installing {name}", argv, True, needed=needed)


def twice(argv: tuple[str, ...], env: Mapping[str, str]) -> tuple[Step, ...]:
    """Return the steps that run the tests, offline, under two hash seeds."""
    return tuple(
        Step(f"running the tests, {nth} time", argv, False, {**env, "PYTHONHASHSEED": seed})
        for seed, nth in (("1", "first"), ("2", "second"))
    )
