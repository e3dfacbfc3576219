"""Projects whose configuration doesn't work here: installed and tested in the default way."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from thresher.tracer.ci.plan import (
    PYTHON,
    Plan,
    Site,
    Step,
    install,
    make_environment,
    text,
    twice,
)
from thresher.tracer.replays.interpreters import Interpreter

EXTRAS = "test,tests,testing"
GROUPS = ("test", "tests", "testing", "dev")
REQUIREMENTS = (
    "requirements*.txt",
    "*requirements.txt",
    "requirements/*test*.txt",
    "requirements/dev*.txt",
    "tests/requirements*.txt",
    "test/requirements*.txt",
)
# Documentation, releases and the like need much and bring nothing.
UNRELATED = re.compile(
    r"doc|lint|flake|release|bench|build|mypy|typing|format|deploy|publish|example"
)
RUNNERS = ("pytest", "mock", "six")
# Tests use these without saying so, since their authors had them.
HELPERS = {
    "freezegun": "freezegun",
    "hypothesis": "hypothesis",
    "mock": "mock",
    "nose": "pynose",
    "parameterized": "parameterized",
    "pytest_asyncio": "pytest-asyncio",
    "pytest_benchmark": "pytest-benchmark",
    "pytest_mock": "pytest-mock",
    "pytest_subtests": "pytest-subtests",
    "pytz": "pytz",
    "yaml": "pyyaml",
}
IMPORTED = re.compile(rf"^\s*(?:import|from)\s+({'|'.join(HELPERS)})\b", re.MULTILINE)
FILES_READ = 500
WHERE = Step("finding its Python", ("echo", PYTHON), False)
# Options and warnings that a project chose for other releases than those that are here, and files
# that another runner looks for.
ANEW = (
    "addopts=",
    "filterwarnings=",
    "xfail_strict=0",
    "python_files=test*.py *_test.py *tests.py",
)
COMMANDS = (
    ("pytest", (PYTHON, "-m", "pytest")),
    (
        "pytest without the project's options",
        (PYTHON, "-m", "pytest", *(word for option in ANEW for word in ("-o", option))),
    ),
    ("unittest", (PYTHON, "-m", "unittest", "discover")),
    ("unittest in tests", (PYTHON, "-m", "unittest", "discover", "-s", "tests", "-t", ".")),
)


def plans(site: Site) -> Iterator[Plan]:
    """Yield plans that need no CI configuration: one environment, then each way to run tests."""
    steps = tuple(_steps(site.project, site.preferred))
    for name, argv in COMMANDS:
        yield Plan(
            f"{name} in a plain environment",
            site.preferred,
            steps,
            WHERE,
            Step("running the tests", argv, False),
            twice(argv, {}),
        )


def _steps(project: Path, interpreter: Interpreter) -> Iterator[Step]:
    yield make_environment(interpreter)
    yield install("the project", ".", needed=False)
    yield install("its test extras", f".[{EXTRAS}]", needed=False)
    for name in requirement_files(project):
        yield install(name, "--requirement", name, needed=False)
    for group in groups(text(project / "pyproject.toml")):
        yield install(f"group {group}", "--group", group, needed=False)
    yield install("the test runner", *RUNNERS, *helpers(project))


def requirement_files(project: Path) -> list[str]:
    """Return the requirement files, relative to the project, that may be for its tests."""
    found = {file for pattern in REQUIREMENTS for file in project.glob(pattern) if file.is_file()}
    names = sorted(str(file.relative_to(project)) for file in found)
    return [name for name in names if not UNRELATED.search(name) and not name.startswith("-")]


def groups(pyproject: str) -> list[str]:
    """Return the dependency groups of a pyproject.toml that may be for tests."""
    try:
        table = tomllib.loads(pyproject).get("dependency-groups")
    except (ValueError, RecursionError):
        return []
    return [name for name in GROUPS if isinstance(table, dict) and name in table]


def helpers(project: Path) -> list[str]:
    """Return the well-known packages that the project's test files import."""
    files = (file for file in project.rglob("*.py") if "test" in str(file.relative_to(project)))
    found: set[str] = set()
    for _, file in zip(range(FILES_READ), files, strict=False):
        found |= set(IMPORTED.findall(text(file)))
    return sorted({HELPERS[name] for name in found})
