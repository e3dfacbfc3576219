from pathlib import Path, PurePosixPath

import pytest

from thresher.tracer.extraction.projects import MAX_BYTES, Project, read_project


def write(root: Path, *files: str) -> None:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(f"# {file}\n")


def test_a_package_at_the_root_is_read_without_its_tests_and_tools(tmp_path):
    write(
        tmp_path,
        "pkg/__init__.py",
        "pkg/part.py",
        "pkg/inner/more.py",
        "pkg/tests/test_part.py",
        "pkg/test_more.py",
        "pkg/more_test.py",
        "pkg/conftest.py",
        "pkg/tasks.py",
        "pkg/__pycache__/part.py",
        "pkg/not-a-module.py",
        "tests/__init__.py",
        "docs/conf.py",
        "setup.py",
        "noxfile.py",
        "single.py",
        "scripts/run.py",
    )
    assert read_project(tmp_path).files == [
        "pkg/__init__.py",
        "pkg/inner/more.py",
        "pkg/part.py",
        "pkg/tasks.py",
        "single.py",
    ]


@pytest.mark.parametrize("folder", ["src", "lib", "python/code"])
def test_paths_follow_from_the_import_name(tmp_path, folder):
    write(tmp_path, f"{folder}/pkg/__init__.py", f"{folder}/pkg/part.py", f"{folder}/single.py")
    project = read_project(tmp_path)
    assert project.files == ["pkg/__init__.py", "pkg/part.py", "single.py"]
    assert project.sources["pkg/part.py"] == PurePosixPath(folder, "pkg/part.py")


def test_the_shallowest_of_two_equal_paths_wins(tmp_path):
    write(tmp_path, "vendor/old/pkg/__init__.py", "pkg/__init__.py")
    assert read_project(tmp_path).sources == {"pkg/__init__.py": PurePosixPath("pkg/__init__.py")}


def test_links_and_huge_files_are_left_out(tmp_path):
    outside = tmp_path / "outside"
    write(outside, "pkg/__init__.py", "secret.py")
    root = tmp_path / "root"
    write(root, "pkg/__init__.py")
    (root / "pkg/secret.py").symlink_to(outside / "secret.py")
    (root / "pkg/linked").symlink_to(outside / "pkg")
    (root / "other").symlink_to(outside / "pkg")
    (root / "pkg/huge.py").write_bytes(b"#" * (MAX_BYTES + 1))
    assert read_project(root).files == ["pkg/__init__.py"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"x = '\xc3\xa9'\r\ny = 1\r", "x = 'é'\ny = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = 'é'\n"),
        (b"x = '\xe9'\n", None),
        (b"# coding: nothing-known\n", None),
        (b"# coding: unicode_escape\n", None),
        (b"# coding: punycode\n", None),
        (b"# coding: rot13\n", None),
    ],
)
def test_files_are_decoded_as_python_would(tmp_path, content, text):
    (tmp_path / "m.py").write_bytes(content)
    assert read_project(tmp_path).texts.get("m.py") == text


def test_a_module_is_parsed_once():
    project = Project({}, {"m.py": "x = 1\n"})
    assert project.module("m.py") is project.module("m.py")
