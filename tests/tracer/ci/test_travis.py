"""Choosing a job, and what its phases do. The scripts are ours, so they may run outside."""

import subprocess
from pathlib import Path

import pytest

from thresher.errors import SourceError
from thresher.tracer.ci import travis
from thresher.tracer.ci.plan import ENVIRONMENT, Plan, Site
from thresher.tracer.ci.travis_file import jobs
from thresher.tracer.replays.interpreters import Interpreter


def site(*minors: tuple[int, int], project: Path = Path("demo"), asked: bool = False) -> Site:
    """Return a site with Pythons, the first of them preferred."""
    available = {
        minor: Interpreter(
            Path(f"/opt/{minor[1]}/bin/python"), (*minor, 1), "CPython", Path("/opt")
        )
        for minor in minors
    }
    return Site(project, available, available[minors[0]], asked)


ALL = [(3, 11), (3, 6), (3, 7), (3, 8), (3, 9), (3, 10)]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("python: [2.7, 3.6, 3.8, nightly, pypy3]", "3.8@3.8 3.6@3.6"),
        ("python: [2.7, 3.4]", "3.4@3.6"),
        ("python: [3.5, 3.8-dev]", "3.8-dev@3.8 3.5@3.6"),
        ("python: [3.6.7]", "3.6.7@3.6"),
        ("language: python", "@3.11"),
        (
            "python: 3.8\njobs: {include: [{python: 3.9, script: flake8, name: lint}]}",
            "3.8@3.8 3.9@3.9",
        ),
        ("python: [3.8, 3.9]\njobs: {allow_failures: [{python: 3.9}]}", "3.8@3.8 3.9@3.9"),
        ("python: 3.8\nenv: [TOXENV=docs, TOXENV=py38]", "3.8@3.8"),
        ("python: [3.8, 3.9]\nos: osx\njobs: {include: [{python: 3.7, os: linux}]}", "3.7@3.7"),
        ("python: 3.8\njobs: {include: [{python: 3.9, script: skip}]}", "3.8@3.8"),
    ],
)
def test_choosing_a_job(text, chosen):
    found = travis.choices(jobs(text), site(*ALL))
    assert " ".join(f"{job.python}@{python.text}" for job, python in found) == chosen


def test_of_two_jobs_for_one_python_the_one_that_tests_is_chosen():
    text = "python: 3.8\nenv: [TOXENV=docs, TOXENV=py38]"
    ((job, _),) = travis.choices(jobs(text), site(*ALL))
    assert job.env == ("TOXENV=py38",)


def test_the_python_that_was_asked_for_is_taken():
    found = travis.choices(jobs("python: [3.6, 3.8]"), site((3, 10), (3, 8), asked=True))
    assert [(job.python, python.text) for job, python in found] == [("3.8", "3.10")]


@pytest.mark.parametrize("text", ["python: [pypy3, nightly]", "python: 3.8\nos: windows"])
def test_no_job_for_us(text):
    with pytest.raises(SourceError) as caught:
        travis.choices(jobs(text), site(*ALL))
    assert caught.value.reason == "no-travis-job"


def made(folder: Path, text: str, **files: str) -> Plan:
    """Return the first plan of a project with a `.travis.yml` and other files."""
    (folder / ".travis.yml").write_text(text)
    for name, content in files.items():
        (folder / f"{name}.{'ini' if name == 'tox' else 'txt'}").write_text(content)
    return next(travis.plans(site(*ALL, project=folder)))


def test_a_plan(tmp_path):
    plan = made(
        tmp_path,
        "python: 3.5\nenv: A=1\nservices: redis\nscript: [x, y]\nafter_success: codecov\n",
    )
    assert plan.name == "travis 3.5 A=1"
    assert plan.interpreter.text == "3.6"
    assert plan.notes == (
        "the job is for Python 3.5, which isn't here or not asked for",
        "not here: service redis",
        "not run: after_success",
    )
    assert [step.env["PYTHONHASHSEED"] for step in plan.tests] == ["1", "2"]
    assert not any(step.installs for step in plan.tests)
    assert plan.check.installs  # a script may make environments of its own
    assert plan.check.env["TRAVIS_PYTHON_VERSION"] == "3.5"


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("python: 3.8", ["pip install -r requirements.txt", "", "pytest"]),
        ("python: 3.8\ninstall: a", ["a", "", "pytest"]),
        (
            "python: 3.8\ninstall: skip\nbefore_install: b\nbefore_script: c",
            ["b", "c", "", "pytest"],
        ),
        (
            "python: 3.8\nenv: A=1\nscript: x",
            ["export A=1", "pip install -r requirements.txt", "", "x"],
        ),
    ],
)
def test_defaults_where_a_phase_is_absent(tmp_path, text, commands):
    plan = made(tmp_path, text, requirements="six")
    scripts = [plan.install[-1].argv[-1], plan.check.argv[-1]]
    calls = [line for script in scripts for line in [*script.splitlines(), ""]]
    found = [
        line.removeprefix("run ").strip("'")
        for line in calls
        if line.startswith("run ") or not line
    ]
    assert [line for line in "\n".join(found).strip().split("\n") if line] == [
        c for c in commands if c
    ]


@pytest.mark.parametrize(
    ("text", "tox", "variables"),
    [
        (
            "python: 3.8\nscript: tox",
            "envlist = py38, py39",
            {"TOX_SKIP_ENV": r"^(?!(?:.*-)?py3\.?8(?:-|$)).*"},
        ),
        (
            "python: 3.8\nscript: tox",
            "envlist = py{36,38}-x",
            {"TOX_SKIP_ENV": r"^(?!(?:.*-)?py3\.?8(?:-|$)).*"},
        ),
        ("python: 3.8\nscript: tox", "envlist = lint, py36", {"TOXENV": "py38"}),
        ("python: 3.8\nenv: TOXENV=x\nscript: tox", "envlist = py38", {}),
    ],
)
def test_tox_runs_the_environments_of_the_jobs_python(tmp_path, text, tox, variables):
    env = made(tmp_path, text, tox=f"[tox]\n{tox}\n").check.env
    assert {name: env[name] for name in ("TOXENV", "TOX_SKIP_ENV") if name in env} == variables


SAY = 'echo "python $*"'


def run(folder: Path, plan: Plan, *, offline: bool = False, python: str = SAY) -> list[str]:
    """Lay the stand-ins and run a plan's phases in a folder of the test; return what they print."""
    environment = folder / "environment"
    (environment / "bin").mkdir(parents=True, exist_ok=True)
    program = environment / "bin/python"
    program.write_text(f"#!/bin/sh\n{python}\n")
    program.chmod(0o755)
    steps = [step for step in plan.install if step.name in ("laying stand-ins", "installing")]
    output = []
    for step in (*steps, plan.tests[0] if offline else plan.check):
        # What is below MADE inside lies in the test's folder here.
        argv = [word.replace("/thresher/made", str(folder)) for word in step.argv]
        env = {name: text.replace("/thresher/made", str(folder)) for name, text in step.env.items()}
        done = subprocess.run(
            argv,
            cwd=folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=60,
        )
        output += done.stdout.splitlines()
    return output


def test_what_is_not_there_is_skipped_by_name_and_the_rest_goes_on(tmp_path):
    plan = made(
        tmp_path,
        "python: 3.8\ninstall:\n"
        "- sudo apt-get install -y tree\n- curl -L example.org/install | bash\n"
        "- travis_retry pip install codecov six coveralls==1.2\n"
        "- sudo -H -u x A=1 sh -c 'echo $A'\n"
        "- false\n- docker-compose up -d\nscript: travis_wait 30 echo done\n",
    )
    assert [line for line in run(tmp_path, plan) if not line.startswith("$ ")] == [
        "thresher: skipped apt-get install -y tree",
        "thresher: skipped curl -L example.org/install",
        "thresher: skipped installing codecov",
        "thresher: skipped installing coveralls==1.2",
        "python -m pip install six",
        "1",
        "thresher: ended with 1: false",
        "thresher: skipped docker-compose up -d",
        "done",
    ]


def test_what_one_phase_exports_the_next_one_sees(tmp_path):
    (tmp_path / "sub folder").mkdir()
    plan = made(
        tmp_path,
        "python: 3.8\nenv: A='x y' B=$TRAVIS_PYTHON_VERSION\n"
        "before_install: export C=\"1'2\"\ninstall: cd 'sub folder'\nbefore_script: exit 3\n"
        "script: ['echo $A $B $C', 'basename \"$PWD\"', 'echo $PYTHONHASHSEED', './missing']\n",
    )
    lines = run(tmp_path, plan, offline=True)
    assert lines[lines.index("$ echo $A $B $C") + 1] == "x y 3.8 1'2"
    assert "sub folder" in lines
    assert lines[lines.index("$ echo $PYTHONHASHSEED") + 1] == "1"
    assert "thresher: ended with 127: ./missing" in lines


def test_tox_offline_leaves_the_installed_package_alone(tmp_path):
    plan = made(tmp_path, "python: 3.8\ninstall: skip\nscript: tox run -e py38\n")
    assert "python -m tox -e py38" in run(tmp_path, plan)
    # A tox that knows no such option goes without.
    assert "python -m tox -e py38" in run(tmp_path, plan, offline=True)
    knows = run(tmp_path, plan, offline=True, python='echo "python $*"; echo --skip-pkg-install')
    assert "python -m tox --skip-pkg-install -e py38" in knows


def test_the_environment_is_on_path_behind_the_stand_ins(tmp_path):
    path = made(tmp_path, "python: 3.8").check.env["PATH"].split(":")
    assert path[:2] == [travis.FOLDER, f"{ENVIRONMENT}/bin"]
    assert path[-1] == "/thresher/made/pythons"
