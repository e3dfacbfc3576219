"""What a build is told of its version control."""

import pytest

from thresher.tracer.replays.checkout import Facts, facts

SCM = '[build-system]\nrequires = ["setuptools_scm>=8"]\n[project]\nname = "a.Demo-x"\n'


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"setup.py": "setup()"}, Facts({}, False)),
        (
            {"pyproject.toml": SCM},
            Facts({"SETUPTOOLS_SCM_PRETEND_VERSION_FOR_A_DEMO_X": "0.1"}, True),
        ),
        (
            {"pyproject.toml": SCM, "PKG-INFO": "Name: a-demo-x\nVersion: 2.1\n\nVersion: 3\n"},
            Facts({"SETUPTOOLS_SCM_PRETEND_VERSION_FOR_A_DEMO_X": "2.1"}, False),
        ),
        ({"pyproject.toml": SCM, ".git": ""}, Facts({}, False)),
        (
            {
                "setup.cfg": "[metadata]\nname = demo\n",
                "setup.py": "setup(setup_requires=['pbr'], pbr=True)",
            },
            Facts({"PBR_VERSION": "0.1", "SETUPTOOLS_SCM_PRETEND_VERSION_FOR_DEMO": "0.1"}, True),
        ),
        (
            {"pyproject.toml": "hatch-vcs"},
            Facts({"SETUPTOOLS_SCM_PRETEND_VERSION_FOR_UNPACKED": "0.1"}, True),
        ),
    ],
)
def test_facts(tmp_path, files, told):
    project = tmp_path / "unpacked"
    project.mkdir()
    for name, text in files.items():
        (project / name).write_text(text)
    assert facts(project) == told
