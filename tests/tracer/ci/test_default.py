"""The default way to install and test a project."""

from pathlib import Path

import pytest

from thresher.tracer.ci import default
from thresher.tracer.ci.plan import PYTHON, Site
from thresher.tracer.replays.interpreters import Interpreter

OWN = Interpreter(Path("/opt/bin/python"), (3, 11, 1), "CPython", Path("/opt"))


def laid(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def test_requirement_files_for_tests_are_found(tmp_path):
    wanted = [
        "dev-requirements.txt",
        "requirements-test.txt",
        "requirements.txt",
        "requirements/test.txt",
    ]
    others = [
        "docs-requirements.txt",
        "requirements-docs.txt",
        "requirements/lint.txt",
        "a/requirements.txt",
    ]
    assert default.requirement_files(laid(tmp_path, *wanted, *others)) == wanted


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("[dependency-groups]\ntest = []\ndev = []\ndocs = []\n", ["test", "dev"]),
        ("[project]\nname = 'x'\n", []),
        ("dependency-groups = 1", []),
        ("[broken", []),
        ("", []),
    ],
)
def test_dependency_groups(text, groups):
    assert default.groups(text) == groups


def test_helpers_are_what_tests_import(tmp_path):
    laid(tmp_path, "tests/test_a.py", "demo/b.py")
    (tmp_path / "tests/test_a.py").write_text(
        "import mock\n    from hypothesis import given\nimport os\n"
    )
    (tmp_path / "demo/b.py").write_text("import yaml\n")
    assert default.helpers(tmp_path) == ["hypothesis", "mock"]


def test_the_ways_to_run_tests_share_one_environment(tmp_path):
    plans = list(default.plans(Site(laid(tmp_path, "requirements.txt"), {OWN.minor: OWN}, OWN)))
    assert all(plan.install == plans[0].install for plan in plans)
    assert [plan.check.argv[:3] for plan in plans] == [
        (PYTHON, "-m", "pytest"),
        (PYTHON, "-m", "pytest"),
        (PYTHON, "-m", "unittest"),
        (PYTHON, "-m", "unittest"),
    ]
    assert [step.name for step in plans[0].install] == [
        "making an environment",
        "installing the project",
        "installing its test extras",
        "installing requirements.txt",
        "installing the test runner",
    ]
    assert [step.needed for step in plans[0].install] == [True, False, False, False, True]
