"""tox: its own command line reads the configuration; we choose the environments to replay."""

import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from thresher.errors import SourceError
from thresher.sandbox.wall import OWN_PYTHON
from thresher.tracer.ci.plan import (
    PYTHON,
    Plan,
    Site,
    Step,
    find_pythons,
    install,
    make_environment,
    text,
    twice,
)
from thresher.tracer.replays.interpreters import Interpreter, Minor

CONFIGURATIONS = ("tox.ini", "tox.toml")
TOX = (OWN_PYTHON, "-m", "tox", "--colored", "no")
# tox 3 and the last virtualenv that makes environments for every Python that can be recorded.
TOX3 = (PYTHON, "-m", "tox")
TOX3_REQUIREMENTS = ("tox<4", "virtualenv<20.22", "setuptools<71")
TOX3_PYTHONS: tuple[Minor, Minor] = ((3, 6), (3, 11))
OLDEST: Minor = (3, 7)  # for tox 4 with uv
ENVIRONMENTS_TRIED = 3
# Checks and chores have environments too; they run no tests.
CHORES = re.compile(
    r"lint|flake|mypy|pyright|typ(e|ing)|docs?(?![a-z])|format|black|ruff|isort|style|coverage|cov-|report"
    r"|clean|build|release|packag|bench|compile|manifest|pre-?commit|check|update|stress|deploy|codecov"
)
GENERIC = {"py", "py3", "python", "python3", "test", "tests", "unit", "unittest", "pytest"}
# A factor that stands for one Python (`py39`, `python3.9`, `py314t`), and one for other Pythons.
PYTHON_FACTOR = re.compile(r"(?:py|python|cpython)?(\d)\.(\d+)t?|(?:py|python|cpython)(\d)(\d+)t?")
FOREIGN = re.compile(rf"{PYTHON_FACTOR.pattern}|py2|python2|(?:pypy|jython|graalpy).*")
# Where the base of all environments is in tox.ini, tox.toml and pyproject.toml.
BASES = ("testenv", "env_run_base", "tool.tox.env_run_base")
PACKAGING_BASES = ("pkgenv", "env_pkg_base", "tool.tox.env_pkg_base")
# What the build of a project may be told.
PASSED = ("PIP_*", "UV_*", "SETUPTOOLS_SCM_*", "PBR_VERSION")
# An environment made anew would lose the recorder and need the index; a linter that fails must
# not keep the tests from running; what tox may call outside is as harmless here as inside.
OVERRIDES = (
    "allowlist_externals=*",
    "recreate=false",
    "ignore_errors=true",
    "uv_seed=true",
)
# tox 3 takes no overrides; what they say is written into its file.
PATCH = r"""
test ! -f tox.ini || sed -i -E '
  /^(recreate|ignore_errors) *=/d
  s/^\[testenv\].*/[testenv]\nignore_errors = true/' tox.ini
"""
PATCHING = Step("telling tox 3 to go on after errors", ("sh", "-c", PATCH), False)
# Commands that install need the index once; later the same commands find all there.
INSTALLING = re.compile(r"\b(?:pip3?|uv|poetry|pdm|easy_install)\b.*\b(?:install|sync)\b")
LIST = Step("reading the tox configuration", (*TOX, "list", "--no-desc"), True)

Run = Callable[[Step], str]


class Choice(NamedTuple):
    """An environment and the Python for it; `renamed` when the configuration has another name."""

    environment: str
    interpreter: Interpreter
    renamed: bool = False


class Facts(NamedTuple):
    """What a project brings: a lock file, and extras (None where nothing tells them)."""

    locked: bool
    extras: frozenset[str] | None


def is_configured(project: Path) -> bool:
    """Say whether a project has a tox configuration, in one of the files tox looks at."""
    if any((project / name).is_file() for name in CONFIGURATIONS):
        return True
    return _is_ini(project) or _has_table(text(project / "pyproject.toml"))


def _is_ini(project: Path) -> bool:
    """Say whether tox 3 would find a configuration; it knows none in TOML of its own."""
    setup, pyproject = text(project / "setup.cfg"), text(project / "pyproject.toml")
    return (
        (project / "tox.ini").is_file()
        or re.search(r"^\[tox:tox\]", setup, re.MULTILINE) is not None
        or "legacy_tox_ini" in pyproject
    )


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


def plans(site: Site, run: Run) -> Iterator[Plan]:
    """Return plans for the environments that run tests, the likeliest first.

    Args:
        site: the project and the Pythons.
        run: runs a step in the sandbox and returns its output; raises SourceError when it fails.

    While they are taken, a SourceError says that tox can't read the configuration, or that no
    environment runs tests.
    """
    # Read now: once the project's code has run, its files may be links to anywhere.
    return _plans(site, _facts(site.project), run)


def _plans(site: Site, facts: Facts, run: Run) -> Iterator[Plan]:
    for choice in choices(listed(run(LIST)), site):
        if choice.interpreter.minor < OLDEST:
            yield _plan_of_tox3(choice)
        else:
            yield _plan(choice, run(_config(choice, {})), facts)


def plans_of_tox3(site: Site) -> Iterator[Plan]:
    """Yield the plan that has tox 3 read the configuration: it takes what tox 4 refuses."""
    if not _is_ini(site.project):
        return
    oldest, newest = TOX3_PYTHONS
    fitting = [minor for minor in site.available if oldest <= minor <= newest]
    fitting = [minor for minor in fitting if minor <= site.preferred.minor] or fitting
    if fitting:
        minor = max(fitting)
        yield _plan_of_tox3(Choice(f"py{minor[0]}{minor[1]}", site.available[minor]))


def _plan_of_tox3(choice: Choice) -> Plan:
    run = (*TOX3, "-e", choice.environment)
    tests = (*run, "--skip-pkg-install")
    return Plan(
        f"{choice.environment} by tox 3",
        choice.interpreter,
        (
            make_environment(choice.interpreter),
            install("tox 3", *TOX3_REQUIREMENTS),
            PATCHING,
            Step("installing", (*run, "--notest"), True),
        ),
        find_pythons(),
        Step("running the tests", tests, False),
        twice(tests, {}),
    )


def overrides(*settings: str) -> dict[str, str]:
    """Return the variable that makes tox take settings, such as ``recreate=false``."""
    passed = [f"pass_env+={name}" for name in PASSED]
    words = [
        *(f"{base}.{setting}" for setting in (*OVERRIDES, *passed, *settings) for base in BASES),
        *(f"{base}.{setting}" for setting in passed for base in PACKAGING_BASES),
    ]
    return {"TOX_OVERRIDE": ";".join(words)}


def listed(output: str) -> list[str]:
    """Return the environment names of what `LIST` printed, a name a line."""
    return [line.strip() for line in output.splitlines() if re.fullmatch(r"[\w.-]+", line.strip())]


def choices(names: Sequence[str], site: Site) -> list[Choice]:
    """Choose the environments to try, in order, and the Python of each.

    A name with the preferred version's factor (`py311`, `py3.11`, `3.11`) comes first, then a
    generic one (`py`, `test`), then one made for another Python that is here, the newest first,
    then the name for the newest older Python with the preferred one in its place, which tox makes
    from `[testenv]` as well. A project that lists none still has tox's own `pyXY`.

    Raises:
        SourceError: no environment runs tests on a Python that is here.
    """
    own = site.preferred
    usable = [name.split("-") for name in names if not CHORES.search(name.lower())]
    newest_first = sorted(site.available, reverse=True)
    found = [
        *(Choice("-".join(f), own) for f in usable if own.minor in _pythons(f)),
        *(Choice("-".join(f), own) for f in usable if _is_generic(f)),
        *(
            Choice("-".join(factors), site.available[minor])
            for minor in newest_first
            for factors in usable
            if minor != own.minor and minor in _pythons(factors)
        ),
        *_renamed(usable, own),
    ]
    if not names:
        found = [Choice(f"py{own.minor[0]}{own.minor[1]}", own)]
    if not found:
        raise SourceError(
            "no-environment",
            f"no tox environment runs tests on a Python that is here "
            f"(there are: {', '.join(names[:8])})",
        )
    return _varied(found)


def _varied(found: Sequence[Choice]) -> list[Choice]:
    """Keep the first few, no Python more than twice: its siblings fail for the same reason."""
    kept: list[Choice] = []
    for choice in dict.fromkeys(found):
        if sum(choice.interpreter == other.interpreter for other in kept) < 2:
            kept.append(choice)
    return kept[:ENVIRONMENTS_TRIED]


def _is_generic(factors: Sequence[str]) -> bool:
    return bool(GENERIC & set(factors)) and not any(map(FOREIGN.fullmatch, factors))


def _renamed(usable: Sequence[Sequence[str]], own: Interpreter) -> list[Choice]:
    older = [factors for factors in usable if (0, 0) < max(_pythons(factors)) < own.minor]
    if not older:
        return []
    newest = max(older, key=lambda factors: max(_pythons(factors)))
    name = f"py{own.minor[0]}{own.minor[1]}"
    factors = [name if PYTHON_FACTOR.fullmatch(factor) else factor for factor in newest]
    return [Choice("-".join(factors), own, renamed=True)]


def _pythons(factors: Sequence[str]) -> set[Minor]:
    """Return the Pythons that factors of a name stand for, (0, 0) where there is none."""
    found = [PYTHON_FACTOR.fullmatch(factor) for factor in factors if not factor.endswith("t")]
    numbers = [[int(part) for part in match.groups() if part] for match in found if match]
    return {(major, minor) for major, minor in numbers} or {(0, 0)}


def _config(choice: Choice, env: Mapping[str, str]) -> Step:
    keys = ("env_python", "runner", "extras", "commands_pre", "commands")
    where = (*TOX, "config", "-e", choice.environment, "-k", *keys)
    return Step("finding its Python", where, True, {**overrides(), **env})


def _plan(choice: Choice, config: str, facts: Facts) -> Plan:
    """Make the plan of one environment from what tox says of it."""
    notes, settings = [], []
    if not facts.locked and re.search(r"^runner\s*=\s*uv-venv-lock-runner", config, re.M):
        notes.append("no uv.lock, so its dependencies are resolved anew")
        settings.append("runner=uv-venv-runner")
    wanted = _extras(config)
    if facts.extras is not None and not wanted <= facts.extras:
        notes.append(f"extras that the package doesn't have: {', '.join(wanted - facts.extras)}")
        settings.append(f"extras={','.join(sorted(wanted & facts.extras))}")
    own = choice.interpreter.minor == sys.version_info[:2]
    if not own and _is_generic(choice.environment.split("-")):
        settings.append(f"base_python={choice.interpreter.executable}")
    if choice.renamed:
        notes.append("an environment of its own, since none is listed for this Python")
    env = overrides(*settings)
    run = (*TOX, "run", "-e", choice.environment, "--skip-missing-interpreters", "false")
    steps = [Step("installing", (*run, "--notest"), True, env)]
    tests = (*run, "--skip-pkg-install", "--skip-uv-sync")
    if INSTALLING.search(config):
        steps.append(Step("running what installs more", tests, True, env, needed=False))
    return Plan(
        choice.environment,
        choice.interpreter,
        tuple(steps),
        _config(choice, env),
        Step("running the tests", tests, False, env),
        twice(tests, env),
        tuple(notes),
    )


def _extras(config: str) -> set[str]:
    """Return the extras of the project that an environment installs."""
    found = re.search(r"^extras\s*=(.*(?:\n +.*)*)", config, re.MULTILINE)
    return set(re.findall(r"[\w.-]+", found[1])) if found else set()


def _facts(project: Path) -> Facts:
    header = text(project / "PKG-INFO").partition("\n\n")[0]
    extras = frozenset(re.findall(r"^Provides-Extra: *(\S+)$", header, re.MULTILINE))
    return Facts((project / "uv.lock").is_file(), extras if header else None)


def pythons_in(output: str) -> list[str]:
    """Return the paths of interpreters from `tox config -k env_python`, or from lines of paths."""
    return re.findall(r"^(?:env_python\s*=\s*)?(\S*/bin/python[\d.]*)$", output, re.MULTILINE)
