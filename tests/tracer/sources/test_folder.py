import hashlib
import os

import pytest

from tests.tracer.archives import reason
from thresher.tracer.sources import archive, folder


def content(found):
    return {str(m.path): m.content.decode() for m in archive.members(found.archive, "demo")}


def write(root, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)


def test_a_folder(tmp_path):
    root = tmp_path / "my project"
    write(root, "b/c.py", "a.py", "b/d")
    (root / "b" / "d").chmod(0o755)
    found = folder.fetch(root)
    digest = hashlib.sha256(found.archive).hexdigest()
    assert list(content(found)) == ["a.py", "b/c.py", "b/d"]
    assert found.origin == f"folder/my-project/{digest[:12]}"
    assert (found.kind, found.url, found.revision) == ("file", root.as_uri(), f"sha256:{digest}")
    assert found.date is None


def test_the_revision_is_that_of_the_content_alone(tmp_path):
    for name in ("one", "two"):
        write(tmp_path / name / "demo", "a", "b")
    os.utime(tmp_path / "two" / "demo" / "a", (0, 0))
    first = folder.fetch(tmp_path / "one" / "demo")
    assert folder.fetch(tmp_path / "two" / "demo").revision == first.revision
    (tmp_path / "two" / "demo" / "a").chmod(0o755)
    assert folder.fetch(tmp_path / "two" / "demo").revision != first.revision


def test_version_control_caches_and_environments_are_left_out(tmp_path):
    write(tmp_path, ".git/config", ".tox/x", "pkg/__pycache__/x.pyc", ".mypy_cache/x", "env/x")
    write(tmp_path, "env/pyvenv.cfg", ".hypothesis/x", "node_modules/x", "sub/.git")
    write(tmp_path, "kept.py", ".travis.yml", ".github/workflows/ci.yml", "build/kept.py")
    assert list(content(folder.fetch(tmp_path))) == [
        ".travis.yml",
        "kept.py",
        ".github/workflows/ci.yml",
        "build/kept.py",
    ]


def test_links_are_not_followed(tmp_path):
    write(tmp_path, "outside/secret", "demo/a")
    (tmp_path / "demo" / "to_file").symlink_to("../outside/secret")
    (tmp_path / "demo" / "to_folder").symlink_to(tmp_path / "outside")
    (tmp_path / "demo" / "inside").symlink_to("a")
    os.mkfifo(tmp_path / "demo" / "pipe")
    found = folder.fetch(tmp_path / "demo")
    assert content(found) == {
        "a": "demo/a",
        "inside": "a",
        "to_file": "../outside/secret",
        "to_folder": str(tmp_path / "outside"),
    }
    assert archive.unpack(found.archive, "demo", tmp_path / "out") == 2
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a", "inside"]


def test_a_folder_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert reason(lambda: folder.fetch(tmp_path)) == "too-large"
    (tmp_path / "sparse").unlink()
    write(tmp_path, "a", "b", "c")
    monkeypatch.setattr(archive, "MAX_MEMBERS", 2)
    assert reason(lambda: folder.fetch(tmp_path)) == "too-large"


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_a_file_that_cannot_be_read(tmp_path):
    write(tmp_path, "a")
    (tmp_path / "a").chmod(0)
    assert reason(lambda: folder.fetch(tmp_path)) == "unreadable-folder"


def test_a_folder_that_is_gone(tmp_path):
    assert reason(lambda: folder.fetch(tmp_path / "gone")) == "unreadable-folder"
