"""tox: its own command line reads the configuration; we choose the environment to replay."""

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from thresher.errors import SourceError
from thresher.tracer.ci.plan import Plan, Step

CONFIGURATIONS = ("tox.ini", "tox.toml")
TOX = (sys.executable, "-m", "tox", "--colored", "no")
# Checks and chores have environments too; they run no tests.
CHORES = re.compile(
    r"lint|flake|mypy|pyright|typ(e|ing)|docs?(?![a-z])|format|black|ruff|isort|style|coverage|cov-|report"
    r"|clean|build|release|packag|bench|compile|manifest|pre-?commit|check"
)
GENERIC = {"py", "py3", "python", "python3", "test", "tests", "unit", "unittest", "pytest"}
# A factor that stands for one Python (`py39`, `python3.9`, `py314t`), and one for other Pythons.
PYTHON = re.compile(r"(?:py|python|cpython)(\d)\.?(\d+)t?")
FOREIGN = re.compile(rf"{PYTHON.pattern}|py2|python2|(?:pypy|jython|graalpy).*")
# `pytest` installs outside what tox knows are as harmless here as inside: it all is sandboxed.
OVERRIDES = {"TOX_OVERRIDE": "testenv.allowlist_externals=*"}
LIST = Step("reading the tox configuration", (*TOX, "list", "--no-desc"), True)


def is_configured(project: Path) -> bool:
    """Say whether a project has a tox configuration, in one of the files tox looks at."""
    if any((project / name).is_file() for name in CONFIGURATIONS):
        return True
    setup, pyproject = _text(project / "setup.cfg"), _text(project / "pyproject.toml")
    return re.search(r"^\[tox:tox\]", setup, re.MULTILINE) is not None or _has_table(pyproject)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8-sig", errors="replace") if file.is_file() else ""


def _has_table(pyproject: str) -> bool:
    """Say whether `[tool.tox]` holds anything; tox passes over an empty one."""
    if "tox" not in pyproject:
        return False
    try:
        tool = tomllib.loads(pyproject).get("tool")
    except (ValueError, RecursionError):
        return True  # tox itself says best what is wrong with it
    table = tool.get("tox") if isinstance(tool, dict) else None
    return isinstance(table, dict) and bool(table)


def plan(listing: str, name: str, version: tuple[int, int] = sys.version_info[:2]) -> Plan:
    """Make the replay plan from what `LIST` printed.

    Args:
        listing: its output, an environment name a line.
        name: the project, for the error.
        version: the Python to run it on.

    Raises:
        SourceError: no environment runs tests on that Python.
    """
    names = [
        line.strip() for line in listing.splitlines() if re.fullmatch(r"[\w.-]+", line.strip())
    ]
    environment = choose(names, version)
    if environment is None:
        raise SourceError(
            "no-environment",
            f"{name}: no tox environment runs tests on Python {version[0]}.{version[1]} "
            f"(there are: {', '.join(names[:8]) or 'none'})",
        )
    run = (*TOX, "run", "-e", environment, "--skip-missing-interpreters", "false")
    where = (*TOX, "config", "-e", environment, "-k", "env_python")
    return Plan(
        environment,
        Step("installing", (*run, "--notest"), True),
        Step("finding its Python", where, True),
        tuple(
            Step(
                f"running the tests, {nth} time",
                (*run, "--skip-pkg-install", "--hashseed", seed),
                False,
            )
            for seed, nth in (("1", "first"), ("2", "second"))
        ),
    )


def choose(names: Sequence[str], version: tuple[int, int]) -> str | None:
    """Choose the environment that runs tests on a Python version.

    A name with that version's factor (`py311`, `py3.11`, `3.11`) wins, then a generic one (`py`,
    `test`), then the name for the newest older Python with ours in its place, which tox makes
    from `[testenv]` as well; a project that lists none still has tox's own `pyXY`.
    """
    major, minor = version
    exact = {f"py{major}{minor}", f"py{major}.{minor}", f"python{major}.{minor}"}
    exact |= {f"{major}.{minor}", f"cpython{major}{minor}"}
    usable = [name.split("-") for name in names if not CHORES.search(name.lower())]
    for factors in usable:
        if exact & set(factors):
            return "-".join(factors)
    for factors in usable:
        if GENERIC & set(factors) and not any(map(FOREIGN.fullmatch, factors)):
            return "-".join(factors)
    own = f"py{major}{minor}"
    older = [factors for factors in usable if (0, 0) < _python(factors) < version]
    if older:
        newest = max(older, key=_python)
        return "-".join(own if PYTHON.fullmatch(factor) else factor for factor in newest)
    return None if names else own


def _python(factors: Sequence[str]) -> tuple[int, int]:
    """Return the newest Python that factors of a name stand for, (0, 0) where there is none."""
    found = [PYTHON.fullmatch(factor) for factor in factors]
    return max(((int(match[1]), int(match[2])) for match in found if match), default=(0, 0))


def python_in(config: str) -> str | None:
    """Return the path of the environment's interpreter from `tox config -k env_python`."""
    found = re.search(r"^env_python\s*=\s*(\S+)$", config, re.MULTILINE)
    return found.group(1) if found else None
