import subprocess
import sys
from pathlib import Path

import pytest

from thresher.errors import SourceError
from thresher.tracer.ci import tox
from thresher.tracer.ci.plan import Plan, Site
from thresher.tracer.replays.interpreters import Interpreter

OWN = sys.version_info[:2]


def interpreter(minor: tuple[int, int]) -> Interpreter:
    prefix = Path(f"/opt/python/{minor[0]}.{minor[1]}")
    return Interpreter(prefix / "bin/python", (*minor, 1), "CPython", prefix)


def site(preferred: tuple[int, int] = (3, 11), *others: tuple[int, int]) -> Site:
    available = {minor: interpreter(minor) for minor in (preferred, *others)}
    return Site(Path("demo"), available, available[preferred])


def choose(names: str, preferred: tuple[int, int] = (3, 11), *others: tuple[int, int]) -> str:
    """Return the choices as text, with the Python where it isn't the preferred one."""
    here = site(preferred, *others)
    return " ".join(
        choice.environment
        + ("" if choice.interpreter == here.preferred else f"@{choice.interpreter.text}")
        + ("!" if choice.renamed else "")
        for choice in tox.choices(names.split(), here)
    )


# Environment lists as `tox list` prints them for the sdists of real projects.
@pytest.mark.parametrize(
    ("project", "names", "chosen"),
    [
        ("unidecode", "py37 py38 py39 py310 py311 pypy3", "py311"),
        ("bleach", "py310 py311 pypy3 py311-tinycss2 py311-build-no-lang py310-docs", "py311"),
        ("attrs", "pre-commit py310-tests py311-tests py311-mypy docs-doctests", "py311-tests"),
        ("executing", "mypy-py311 py38 py311 py315-dev generate_small_sample-py311", "py311"),
        ("cssselect", "pre-commit pylint py docs typing twinecheck", "py"),
        ("humanize", "docs lint mypy pypy3 py314 py313 py312 py311 py310", "py311"),
        ("jinja2", "py313 py312 py311 py310 pypy310 style typing docs py3.7", "py311"),
        ("pathspec", "py310 py311 py311-hyperscan py311-re2 pypy311 docs ci-base", "py311"),
        ("pyparsing", "py310-unit py311-unit py311-doctest mypy-check", "py311-unit"),
        ("python_slugify", "coverage-erase py3.10-a py3.11-a py3.11-b pypy3.11-a", "py3.11-a"),
        ("click", "py3.14 py3.11 py3.14t pypy3.11 stress-py3.14 style docs stress", "py3.11"),
        ("roman", "release-check lint py310 py311 py312 pypy3 coverage", "py311"),
        ("validators", "lint type format sast py311 py312", "py311"),
        ("zipp", "py diffcov docs finalize release", "py"),
        ("ordered_set", "pypy3 py37 py38 py39 py310", "py311"),
        ("tabulate", "lint py37 py38 py39 py310 py37-extra py310-extra", "py311"),
        ("semantic_version", "py27-django111 py310-django32 py310-django40 lint", "py311-django32"),
        ("hyperlink", "flake8 test-py26 test-py38 test-pypy3 coverage_report docs", "test-py311"),
    ],
)
def test_environments_of_real_projects(project, names, chosen):
    assert choose(names).split()[0].rstrip("!") == chosen


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ("", "py311"),
        ("3.10 3.11 lint", "3.11 py311!"),
        ("python3.10 python3.11", "python3.11 py311!"),
        ("tests-py311 py311", "tests-py311 py311"),
        ("test py311", "py311 test"),
        ("lint tests docs", "tests"),
        ("unit-py2 unit-py3", "unit-py3"),
        ("py-docutils20", "py-docutils20"),
        ("py-docs py", "py"),
        ("py3.9 py3.10 lint", "py311!"),
        ("python3.10-x", "py311-x!"),
        ("py38 pypy3 py312", "py311!"),
    ],
)
def test_choosing(names, chosen):
    assert choose(names) == chosen


@pytest.mark.parametrize(
    "names",
    ["py312 py313", "py311t py313", "pypy3 jython", "lint docs mypy py311-lint", "py3110 mypy311"],
)
def test_no_environment_to_choose(names):
    with pytest.raises(SourceError, match="no tox environment runs tests on a Python that is here"):
        choose(names)


@pytest.mark.parametrize(
    ("names", "pythons", "chosen"),
    [
        ("py39 py310 py312-a", [(3, 9)], "py39"),
        ("py39 py310 py312-a", [(3, 12)], "py312-a py312!"),
        ("py39 py310 py312-a", [(3, 14)], "py314-a!"),
        ("py39 py310 py312-a", [(3, 11), (3, 10), (3, 9)], "py310@3.10 py39@3.9 py311!"),
        (
            "lint test-py37 test-py38",
            [(3, 11), (3, 7), (3, 8)],
            "test-py38@3.8 test-py37@3.7 test-py311!",
        ),
        ("py310-x py310-y py310-z py39-x", [(3, 10), (3, 9)], "py310-x py310-y py39-x@3.9"),
        ("py313 lint", [(3, 11), (3, 13)], "py313@3.13"),
    ],
)
def test_choosing_among_several_pythons(names, pythons, chosen):
    assert choose(names, *pythons) == chosen


@pytest.mark.parametrize(
    ("file", "text", "configured"),
    [
        ("tox.ini", "", True),
        ("tox.ini", "[tox]\nenvlist = py", True),
        ("tox.toml", 'env_list = ["py"]', True),
        ("setup.cfg", "[metadata]\nname = x\n[tox:tox]\nenvlist = py\n", True),
        ("setup.cfg", "[metadata]\ndescription = see [tox:tox]\n# [tox:tox]\n[tox]\n", False),
        ("pyproject.toml", '[tool.tox]\nenv_list = ["py"]\n', True),
        ("pyproject.toml", '[tool.tox]\nlegacy_tox_ini = """\n[tox]\n"""\n', True),
        ("pyproject.toml", "[tool.tox.env_run_base]\ncommands = []\n", True),
        ("pyproject.toml", '[tool]\ntox = {env_list = ["py"]}\n', True),
        ("pyproject.toml", '\ufeff[ tool . "tox" ]\nrequires = []\n', True),
        ("pyproject.toml", "[tool.tox]\n", False),
        ("pyproject.toml", "# [tool.tox]\n[project]\nname = 'x'\n", False),
        ("pyproject.toml", "[project]\ndescription = '''\n[tool.tox]\nenv = 1\n'''\n", False),
        ("pyproject.toml", "[tool.tox-gh-actions]\npython = 1\n[tool.toxic]\nx = 1\n", False),
        ("pyproject.toml", "tool = 1\n# tox\n", False),
        ("pyproject.toml", "[tool]\ntox = 1\n", False),
        ("pyproject.toml", "[project]\nname = 'demo'\n", False),
        ("pyproject.toml", "[tool.tox\n", True),  # tox tells what is wrong
        ("pyproject.toml", f"# tox\nx = {'[' * 10_000}\n", True),
        ("tox.txt", "[tox]", False),
    ],
)
def test_where_a_configuration_may_stand(tmp_path, file, text, configured):
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert tox.is_configured(tmp_path) is configured


def test_a_folder_is_no_configuration_and_bytes_do_not_matter(tmp_path):
    (tmp_path / "tox.ini").mkdir()
    (tmp_path / "setup.cfg").write_bytes(b"[metadata]\nauthor = Andr\xe9\n")
    assert not tox.is_configured(tmp_path)
    (tmp_path / "pyproject.toml").write_bytes(b"[tool.tox]\nx = '\xe9'\n")
    assert tox.is_configured(tmp_path)


CONFIG = """\
[testenv:py311]
env_python = /p/.tox/py311/bin/python
runner = {runner}
commands_pre =
commands = pytest
"""


def made(config: str, project: Path = Path("demo")) -> list[Plan]:
    def run(step: object) -> str:
        return "py310\npy311\nlint\n" if step is tox.LIST else config

    return list(tox.plans(site()._replace(project=project), run))


def test_the_plan():
    (plan, *_) = made(CONFIG.format(runner="uv-venv-runner"))
    start = (sys.executable, "-m", "tox", "--colored", "no")
    run = (*start, "run", "-e", "py311", "--skip-missing-interpreters", "false")
    assert plan.name == "py311"
    assert [step.argv for step in plan.install] == [(*run, "--notest")]
    assert plan.pythons.argv[:7] == (*start, "config", "-e")
    assert {step.argv for step in (plan.check, *plan.tests)} == {
        (*run, "--skip-pkg-install", "--skip-uv-sync")
    }
    assert [step.env["PYTHONHASHSEED"] for step in plan.tests] == ["1", "2"]
    assert (tox.LIST.installs, plan.install[0].installs) == (True, True)
    assert not any(step.installs for step in (plan.check, *plan.tests))
    assert "testenv.recreate=false" in plan.check.env["TOX_OVERRIDE"].split(";")
    assert plan.notes == ()


def test_a_runner_that_wants_a_lock_file_gets_another_where_there_is_none(tmp_path):
    config = CONFIG.format(runner="uv-venv-lock-runner")
    (plan, *_) = made(config)
    assert "env_run_base.runner=uv-venv-runner" in plan.check.env["TOX_OVERRIDE"].split(";")
    assert plan.notes == ("no uv.lock, so its dependencies are resolved anew",)
    (tmp_path / "uv.lock").write_text("")
    (plan, *_) = made(config, tmp_path)
    assert "runner=" not in plan.check.env["TOX_OVERRIDE"]
    assert plan.notes == ()


def test_extras_that_an_sdist_does_not_have_are_left_out(tmp_path):
    config = CONFIG.format(runner="virtualenv").replace(
        "commands_pre", "extras =\n  a\n  b\ncommands_pre"
    )
    (plan, *_) = made(config, tmp_path)
    assert "extras=" not in plan.check.env["TOX_OVERRIDE"]
    (tmp_path / "PKG-INFO").write_text("Name: x\nProvides-Extra: a\n\nProvides-Extra: b\n")
    (plan, *_) = made(config, tmp_path)
    assert "testenv.extras=a" in plan.check.env["TOX_OVERRIDE"].split(";")
    assert plan.notes == ("extras that the package doesn't have: b",)


def test_commands_that_install_run_once_with_the_index():
    config = CONFIG.format(runner="virtualenv").replace("= pytest", "= pip install x\n  pytest")
    (plan, *_) = made(config)
    assert [step.needed for step in plan.install] == [True, False]
    assert plan.install[1].argv == plan.check.argv
    assert plan.install[1].installs


def test_what_tox_prints_around_the_list_is_passed_over():
    listing = (
        "ROOT: will run in automatically provisioned tox, host python is missing: tox-uv\n"
        "ROOT: provision> .tox/.tox/bin/python -P -m tox list --no-desc\n"
        "py3.10: environment py3.10 marked as unavailable, runner 'x' is not available\r\n"
        "\r\n  py310  \r\npy311-x_y\r\n"
    )
    assert tox.listed(listing) == ["py310", "py311-x_y"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (
            ["lint", "docs"],
            "no tox environment runs tests on a Python that is here (there are: lint, docs)",
        ),
        ([f"lint{n}" for n in range(99)], "(there are: lint0, lint1, lint2, lint3"),
    ],
)
def test_a_project_without_an_environment_for_us(names, words):
    with pytest.raises(SourceError) as caught:
        tox.choices(names, site())
    assert caught.value.reason == "no-environment"
    assert words in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("output", "pythons"),
    [
        ("[testenv:py311]\nenv_python = /p/.tox/py311/bin/python\n", ["/p/.tox/py311/bin/python"]),
        ("ROOT: provision> x\n[testenv:py]\nenv_python=/p/bin/python\n\n", ["/p/bin/python"]),
        (
            "/a/bin/python\n/p/.tox/py38/bin/python3.8\n",
            ["/a/bin/python", "/p/.tox/py38/bin/python3.8"],
        ),
        ("[testenv:py311]\n# Exception: env_python = /p/bin/python x\n", []),
        ("", []),
    ],
)
def test_reading_the_pythons(output, pythons):
    assert tox.pythons_in(output) == pythons


def test_tox_3_takes_an_old_enough_python(tmp_path):
    (tmp_path / "tox.ini").write_text("[tox]")

    def made(*minors: tuple[int, int]) -> list[Plan]:
        return list(tox.plans_of_tox3(site(*minors)._replace(project=tmp_path)))

    assert made((3, 13)) == []
    (plan,) = made((3, 13), (3, 8), (3, 10))
    assert (plan.name, plan.interpreter.text) == ("py310 by tox 3", "3.10")
    assert plan.install[-1].argv[-3:] == ("-e", "py310", "--notest")
    (plan,) = made((3, 9), (3, 11))
    assert plan.interpreter.text == "3.9"


@pytest.mark.parametrize(
    ("file", "content", "plans"),
    [
        ("tox.ini", "[tox]", 1),
        ("setup.cfg", "[tox:tox]\n", 1),
        ("pyproject.toml", "[tool.tox]\nlegacy_tox_ini = ''", 1),
        ("pyproject.toml", "[tool.tox]\nenv_list = ['py']", 0),
        ("tox.toml", "env_list = ['py']", 0),
    ],
)
def test_tox_3_reads_no_toml(tmp_path, file, content, plans):
    (tmp_path / file).write_text(content)
    assert len(list(tox.plans_of_tox3(site()._replace(project=tmp_path)))) == plans


# The configuration is ours, so tox may read it without a sandbox.
@pytest.mark.parametrize(
    ("file", "text"),
    [
        (
            "tox.ini",
            "[tox]\nno_package = true\nenv_list = py38-a, lint\n[testenv]\nrecreate = true\n",
        ),
        ("setup.cfg", "[tox:tox]\nno_package = true\nenv_list = py38-a, lint\n"),
        ("tox.toml", "no_package = true\nenv_list = ['py38-a', 'lint']\n"),
        ("pyproject.toml", "[tool.tox]\nno_package = true\nenv_list = ['py38-a', 'lint']\n"),
        (
            "pyproject.toml",
            "[tool.tox]\nlegacy_tox_ini = '''\n[tox]\nno_package = true\nenv_list = py38-a'''\n",
        ),
    ],
)
def test_what_the_real_tox_says_is_understood(tmp_path, file, text):
    (tmp_path / file).write_text(text)

    def run(step: tox.Step) -> str:
        env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), **step.env}
        argv = (*step.argv, "allowlist_externals", "recreate") if "-k" in step.argv else step.argv
        done = subprocess.run(
            argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert tox.is_configured(tmp_path)
    (plan,) = tox.plans(site(OWN), run)
    own = f"py{OWN[0]}{OWN[1]}-a"
    assert plan.name == own
    config = run(plan.pythons)
    assert tox.pythons_in(config) == [f"{tmp_path}/.tox/{own}/bin/python"]
    assert "allowlist_externals = *\n" in config
    assert "recreate = False\n" in config
