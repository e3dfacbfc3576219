"""Travis CI: one job of ``.travis.yml`` becomes a plan, its phases run as Travis runs them."""

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from thresher.errors import SourceError
from thresher.tracer.ci import tox
from thresher.tracer.ci.plan import (
    ENVIRONMENT,
    MADE,
    PROJECT,
    PYTHONS,
    Plan,
    Site,
    Step,
    find_pythons,
    install,
    make_environment,
    text,
    twice,
)
from thresher.tracer.ci.travis_file import PHASES, Job, jobs
from thresher.tracer.replays.interpreters import Interpreter, Minor, minor_in

FILE = ".travis.yml"
STAND_INS = Path(__file__).with_name("travis.sh")
FOLDER, HOME = f"{MADE}/travis", f"{MADE}/home"
STATE = f"{FOLDER}/state"
JOBS_TRIED = 2
# What Travis's images had, and coverage, which came with the reporters that are left out;
# setuptools still knew `setup.py test` then, and brought pytest no plug-in of its own.
PREINSTALLED = ("pytest", "nose", "mock", "six", "wheel", "setuptools<71")
REQUIREMENTS = ("requirements.txt", "Requirements.txt", "test-requirements.txt")
CHORES = re.compile(rf"{tox.CHORES.pattern}|quality|static|analysis|pypi|codestyle|pep8|sonar")
LAY = f"""
mkdir -p {FOLDER} {HOME}/virtualenv && cat > {FOLDER}/travis.sh
bash {FOLDER}/travis.sh lay {FOLDER}
ln -sfn {ENVIRONMENT} "{HOME}/virtualenv/python$TRAVIS_PYTHON_VERSION"
"""
# Each command runs whatever became of the one before, as in Travis's `script`, and it is said.
RUN = """
run() {
  echo "$ $1"
  eval "$1"
  local code=$?
  [[ $code -eq 0 ]] || echo "thresher: ended with $code: ${1%%$'\\n'*}"
}
"""
# Later phases see what earlier ones exported and where they had gone.
SAVE = f"""
save() {{
  export -p | grep -viE '^declare -x (\\w*_proxy|(THRESHER|PIP|UV|PYTHONHASHSEED)\\w*)=' > {STATE}
  printf 'cd %q\\n' "$PWD" >> {STATE}
}}
trap save EXIT
printf '[easy_install]\\nindex_url = %s\\n' "$PIP_INDEX_URL" > "$HOME/.pydistutils.cfg"
"""
RESTORE = f'seed="$PYTHONHASHSEED"; . {STATE}; [[ -z $seed ]] || export PYTHONHASHSEED="$seed"\n'
OFFLINE = {"THRESHER_OFFLINE": "1", "PIP_NO_INDEX": "1", "UV_OFFLINE": "1"}


def is_configured(project: Path) -> bool:
    """Say whether a project has a Travis configuration."""
    return (project / FILE).is_file()


def plans(site: Site) -> Iterator[Plan]:
    """Yield a plan for each of the few likeliest jobs.

    Raises:
        SourceError: the file is broken, or has no job that can be run here.
    """
    for job, python in choices(jobs(text(site.project / FILE)), site):
        yield _plan(site, job, python)


def choices(found: Sequence[Job], site: Site) -> list[tuple[Job, Interpreter]]:
    """Choose the jobs to try, in order, each with its Python.

    Jobs for a CPython that is here come first, the newest before the others, then those for
    older ones, on the nearest newer Python; what only checks style or may fail comes last.

    Raises:
        SourceError: every job is for another system or another Python.
    """
    usable = [
        (job, python)
        for job in found
        if job.os in ("", "linux") and job.arch in ("", "amd64") and job.phases.get("script") != ()
        if (python := _interpreter(job, site)) is not None
    ]
    if not usable:
        raise SourceError("no-travis-job", ".travis.yml has no job that can be run here")
    usable.sort(key=lambda pair: _rank(*pair), reverse=True)
    kept: dict[Minor, tuple[Job, Interpreter]] = {}
    for job, python in usable:
        kept.setdefault(python.minor, (job, python))
    return list(kept.values())[:JOBS_TRIED]


def _interpreter(job: Job, site: Site) -> Interpreter | None:
    """Return the Python for a job: its own version, or the nearest newer one."""
    if site.asked or not job.python or job.python in ("3", "python3"):
        return site.preferred
    wanted = minor_in(job.python)
    if wanted is None:
        return None
    newer = [minor for minor in site.available if minor >= wanted]
    return site.available[min(newer)] if newer else None


def _rank(job: Job, python: Interpreter) -> tuple[bool, bool, bool, bool, Minor]:
    label = f"{job.label} {' '.join(job.phases.get('script', ()))}" if job.label else ""
    chore = CHORES.search(label.lower()) is not None
    wanted = minor_in(job.python)
    exact = wanted in (None, python.minor)
    declared = wanted or (0, 0)
    return (not chore, not job.may_fail, exact, not job.wants, min(declared, python.minor))


def _plan(site: Site, job: Job, python: Interpreter) -> Plan:
    variables = _variables(site, job, python)
    lay = ("bash", "-c", f'{{ {LAY}}} <<< "$0"', STAND_INS.read_text(encoding="utf-8"))
    before = [*(f"export {line}" for line in job.env), *_before(site.project, job)]
    script = RESTORE + RUN + _calls(job.phases.get("script", ("pytest",)))
    return Plan(
        " ".join(f"travis {job.python} {job.label}".split()),
        python,
        (
            make_environment(python),
            install("what Travis images had", *PREINSTALLED, needed=False),
            install("coverage", "coverage", needed=False),  # old ones can't be built any more
            Step("laying stand-ins", lay, False, variables),
            tox.PATCHING,
            Step("installing", ("bash", "-c", SAVE + RUN + _calls(before)), True, variables, False),
        ),
        find_pythons(ENVIRONMENT),
        Step("running the script", ("bash", "-c", script), True, variables),
        twice(("bash", "-c", script), {**variables, **OFFLINE}),
        tuple(_notes(job, python)),
    )


def _calls(commands: Sequence[str]) -> str:
    return "\n".join(f"run {shlex.quote(command)}" for command in commands) + "\n"


def _before(project: Path, job: Job) -> Iterator[str]:
    """Yield the commands of the phases before the script; without an `install`, Travis's own."""
    for phase in PHASES[:-1]:
        if phase == "install" and phase not in job.phases:
            found = next((name for name in REQUIREMENTS if (project / name).is_file()), None)
            yield from (f"pip install -r {name}" for name in [found] if name)
        yield from job.phases.get(phase, ())


def _variables(site: Site, job: Job, python: Interpreter) -> dict[str, str]:
    path = (FOLDER, f"{ENVIRONMENT}/bin", "/usr/local/bin", "/usr/bin", "/bin", PYTHONS)
    return {
        "HOME": HOME,
        "TRAVIS": "true",
        "TRAVIS_BRANCH": "master",
        "TRAVIS_BUILD_DIR": PROJECT,
        "TRAVIS_OS_NAME": "linux",
        "TRAVIS_PULL_REQUEST": "false",
        "TRAVIS_PYTHON_VERSION": job.python or python.text,
        "VIRTUAL_ENV": ENVIRONMENT,
        "THRESHER_ENVIRONMENT": ENVIRONMENT,
        "PATH": ":".join(path),
        "TOX_TESTENV_PASSENV": " ".join(tox.PASSED),  # as tox 3 has it
        **tox.overrides(),
        **_tox_choice(site.project, job, python),
    }


def _tox_choice(project: Path, job: Job, python: Interpreter) -> dict[str, str]:
    """Have tox run the environments of this Python alone, as tox-travis does."""
    if any(re.match(r"TOX_?ENV=", line) for line in job.env):
        return {}
    major, minor = python.minor
    listed = "\n".join(text(project / name) for name in ("tox.ini", "setup.cfg", "pyproject.toml"))
    if re.search(rf"py{major}\.?{minor}\b|py{major}?\{{[^}}]*\b{major}?{minor}\b", listed):
        return {"TOX_SKIP_ENV": rf"^(?!(?:.*-)?py{major}\.?{minor}(?:-|$)).*"}
    return {"TOXENV": f"py{major}{minor}"}


def _notes(job: Job, python: Interpreter) -> Iterator[str]:
    if job.python and minor_in(job.python) != python.minor:
        yield f"the job is for Python {job.python}, which isn't here or not asked for"
    if job.wants:
        yield f"not here: {', '.join(job.wants)}"
    if job.after:
        yield f"not run: {', '.join(job.after)}"
