import subprocess
import sys

import pytest

from thresher.errors import SourceError
from thresher.tracer.ci import tox

PY311 = (3, 11)


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
    assert tox.choose(names.split(), PY311) == chosen


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ("", "py311"),
        ("3.10 3.11 lint", "3.11"),
        ("python3.10 python3.11", "python3.11"),
        ("tests-py311 py311", "tests-py311"),
        ("test py311", "py311"),
        ("lint tests docs", "tests"),
        ("unit-py2 unit-py3", "unit-py3"),
        ("py-docutils20", "py-docutils20"),
        ("py-docs py", "py"),
        ("py3.9 py3.10 lint", "py311"),
        ("python3.10-x", "py311-x"),
        ("py38 pypy3 py312", "py311"),
        ("py312 py313", None),
        ("py311t py313", None),
        ("pypy3 jython", None),
        ("lint docs mypy py311-lint", None),
        ("py3110 mypy311", None),
    ],
)
def test_choosing(names, chosen):
    assert tox.choose(names.split(), PY311) == chosen


@pytest.mark.parametrize(
    ("version", "chosen"),
    [((3, 9), "py39"), ((3, 12), "py312-a"), ((3, 14), "py314-a"), ((3, 8), None)],
)
def test_choosing_for_another_python(version, chosen):
    assert tox.choose(["py39", "py310", "py312-a"], version) == chosen


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


def test_the_plan():
    plan = tox.plan("py310\npy311\nlint\n", "demo", PY311)
    start = (sys.executable, "-m", "tox", "--colored", "no")
    assert plan.environment == "py311"
    assert plan.install.argv == (
        *start,
        *("run", "-e", "py311", "--skip-missing-interpreters", "false", "--notest"),
    )
    assert plan.python.argv == (*start, "config", "-e", "py311", "-k", "env_python")
    run = (*start, "run", "-e", "py311", "--skip-missing-interpreters", "false")
    assert [test.argv for test in plan.tests] == [
        (*run, "--skip-pkg-install", "--hashseed", "1"),
        (*run, "--skip-pkg-install", "--hashseed", "2"),
    ]
    assert (tox.LIST.installs, plan.install.installs) == (True, True)
    assert not any(test.installs for test in plan.tests)


def test_what_tox_prints_around_the_list_is_passed_over():
    listing = (
        "ROOT: will run in automatically provisioned tox, host python is missing: tox-uv\n"
        "ROOT: provision> .tox/.tox/bin/python -P -m tox list --no-desc\n"
        "py3.10: environment py3.10 marked as unavailable, runner 'x' is not available\r\n"
        "\r\n  py310  \r\npy311-x_y\r\n"
    )
    assert tox.plan(listing, "demo", PY311).environment == "py311-x_y"


@pytest.mark.parametrize(
    ("listing", "words"),
    [
        (
            "lint\ndocs\n",
            "demo: no tox environment runs tests on Python 3.11 (there are: lint, docs)",
        ),
        ("\n".join(f"lint{n}" for n in range(99)), "(there are: lint0, lint1, lint2, lint3"),
    ],
)
def test_a_project_without_an_environment_for_us(listing, words):
    with pytest.raises(SourceError) as caught:
        tox.plan(listing, "demo", PY311)
    assert caught.value.reason == "no-environment"
    assert words in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("config", "python"),
    [
        ("[testenv:py311]\nenv_python = /p/.tox/py311/bin/python\n", "/p/.tox/py311/bin/python"),
        ("ROOT: provision> x\n[testenv:py]\nenv_python=/p/python\n\n[tox]\n", "/p/python"),
        ("[testenv:py311]\n# Exception: env_python = /p/python x\n", None),
        ("", None),
    ],
)
def test_reading_the_python(config, python):
    assert tox.python_in(config) == python


# The configuration is ours, so tox may read it without a sandbox.
def test_what_the_real_tox_says_is_understood(tmp_path):
    (tmp_path / "tox.ini").write_text("[tox]\nno_package = true\nenv_list = py38-a, lint\n")

    def run(argv: tuple[str, ...]) -> str:
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    plan = tox.plan(run(tox.LIST.argv), "demo")
    own = f"py{sys.version_info[0]}{sys.version_info[1]}-a"
    assert plan.environment == own
    assert tox.python_in(run(plan.python.argv)) == f"{tmp_path}/.tox/{own}/bin/python"
