"""tox: its own command line reads the configuration; we choose the environment to replay."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from thresher.errors import SourceError
from thresher.tracer.ci.plan import Plan, Step

CONFIGURATIONS = ("tox.ini", "tox.toml")
TOX = (sys.executable, "-m", "tox", "--colored", "no")
# Checks and chores have environments too; they run no tests.
CHORES = re.compile(
    r"lint|flake|mypy|pyright|typ(e|ing)|docs?|format|black|ruff|isort|style|coverage|cov-|report"
    r"|clean|build|release|packag|bench|compile|manifest|pre-?commit|check"
)
# `pytest` installs outside what tox knows are as harmless here as inside: it all is sandboxed.
OVERRIDES = {"TOX_OVERRIDE": "testenv.allowlist_externals=*"}
LIST = Step("reading the tox configuration", (*TOX, "list", "--no-desc"), True)


def is_configured(project: Path) -> bool:
    """Say whether a project has a tox configuration, in one of the files tox looks at."""
    if any((project / name).is_file() for name in CONFIGURATIONS):
        return True
    return _mentions(project / "setup.cfg", "[tox:tox]") or _mentions(
        project / "pyproject.toml", "[tool.tox"
    )


def _mentions(file: Path, text: str) -> bool:
    return file.is_file() and text in file.read_text(errors="replace")


def plan(listing: str, name: str, version: tuple[int, int] = sys.version_info[:2]) -> Plan:
    """Make the replay plan from what `LIST` printed.

    Args:
        listing: its output, an environment name a line.
        name: the project, for the error.
        version: the Python to run it on.

    Raises:
        SourceError: no environment runs tests on that Python.
    """
    names = [line.strip() for line in listing.splitlines() if re.fullmatch(r"[\w.-]+", line.strip())]
    environment = choose(names, version)
    if environment is None:
        raise SourceError(
            "no-environment",
            f"{name}: no tox environment runs tests on Python {version[0]}.{version[1]} "
            f"(there are: {', '.join(names[:8]) or 'none'})",
        )
    run = (*TOX, "run", "-e", environment, "--skip-missing-interpreters", "false")
    return Plan(
        environment,
        Step("installing", (*run, "--notest"), True),
        (*TOX, "config", "-e", environment, "-k", "env_python"),
        Step("running the tests", (*run, "--skip-pkg-install"), False),
    )


def choose(names: Sequence[str], version: tuple[int, int]) -> str | None:
    """Choose the environment that runs tests on a Python version.

    A name with that version's factor (`py311`, `py3.11`, `3.11`) wins, then a generic one (`py`,
    `test`); a project that lists none still has tox's own `pyXY`.
    """
    major, minor = version
    exact = {f"py{major}{minor}", f"py{major}.{minor}", f"python{major}.{minor}"}
    exact |= {f"{major}.{minor}", f"cpython{major}{minor}"}
    usable = [name for name in names if not CHORES.search(name.lower())]
    for wanted in (exact, {"py", "py3", "python", "python3", "test", "tests", "unit", "unittest"}):
        for name in usable:
            if wanted & set(name.lower().split("-")):
                return name
    return None if names else f"py{major}{minor}"


def python_in(config: str) -> str | None:
    """Return the path of the environment's interpreter from `tox config -k env_python`."""
    found = re.search(r"^env_python\s*=\s*(\S+)$", config, re.MULTILINE)
    return found.group(1) if found else None
