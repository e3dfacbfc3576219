"""Repositories made here, good and hostile; fetched for real, from disk and over HTTP."""

import datetime
import os
import shutil
from pathlib import Path

import pytest

from tests.tracer.archives import reason
from tests.tracer.repositories import commit, git, gitlink, repository, serving
from thresher.errors import SourceError
from thresher.tracer.sources import archive
from thresher.tracer.sources import git as fetching
from thresher.tracer.sources import repository as repositories
from thresher.tracer.sources.fetched import Fetched
from thresher.tracer.sources.repository import submodule_url

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"


def fetch(tmp_path: Path, url: str | Path, revision: str = "") -> Fetched:
    scratch = tmp_path / "scratch"
    scratch.mkdir(exist_ok=True)
    try:
        address = url.as_uri() if isinstance(url, Path) else url
        return repositories.fetch(address, revision, scratch)
    finally:
        assert list(scratch.iterdir()) == []


def content(found: Fetched) -> dict[str, str]:
    return {str(m.path): m.content.decode() for m in archive.members(found.archive, "demo")}


def test_a_repository(tmp_path):
    demo = repository(tmp_path / "demo.git", {"a.py": "x = 1\n", "pkg/b": "é"})
    found = fetch(tmp_path, demo)
    head = git(demo, "rev-parse", "HEAD")
    assert content(found) == {"a.py": "x = 1\n", "pkg/b": "é"}
    assert found._replace(archive=b"") == Fetched(
        origin=f"git/local/demo/{head[:12]}",
        kind="repository",
        url=demo.as_uri(),
        revision=head,
        archive=b"",
        allowed="named by the user; fetched by git",
        date=datetime.datetime(2020, 2, 3, 4, 5, 6, tzinfo=datetime.UTC),
    )
    assert fetch(tmp_path, demo).archive == found.archive


def test_the_scratch_folder_may_be_relative(tmp_path, monkeypatch):
    demo = repository(tmp_path / "demo", {"a": "1"})
    monkeypatch.chdir(tmp_path)
    assert content(fetch(Path(), demo)) == {"a": "1"}


def test_revisions(tmp_path):
    demo = repository(tmp_path / "a folder" / "demo", {"a": "1"})
    first = git(demo, "rev-parse", "HEAD")
    git(demo, "tag", "-a", "v1", "-m", "annotated")
    git(demo, "branch", "feature/x")
    git(demo, "branch", "20200203")  # could be the start of a hash
    commit(demo, {"a": "2"})
    for revision in (first, first[:10], "v1", "feature/x", "20200203", "refs/tags/v1"):
        assert content(fetch(tmp_path, demo, revision)) == {"a": "1"}
    for revision in ("", "main", "HEAD"):
        assert content(fetch(tmp_path, demo, revision)) == {"a": "2"}
    for revision in ("v2", "0" * 40, "abcdef1", "f" * 12):
        assert reason(lambda r=revision: fetch(tmp_path, demo, r)) == "no-revision"


def test_only_the_commit_asked_for_is_fetched(tmp_path):
    demo = repository(tmp_path / "demo", {"a": "1"})
    for number in range(3):
        commit(demo, {"a": str(number)})
    with fetching.fetched(demo.as_uri(), "", tmp_path) as found:
        count = found.repo.git.execute(["git", "count-objects", "-v"])
    assert "in-pack: 3" in count  # a commit, a tree, a blob


@pytest.mark.parametrize("smart", [True, False])
def test_over_http(tmp_path, smart):
    demo = repository(tmp_path / "served" / "owner" / "demo", {"a": "1"})
    gitlink(demo, "part", "../part", git(demo, "rev-parse", "HEAD"))
    shutil.copytree(demo, demo.parent / "part")
    for each in (demo, demo.parent / "part"):
        git(each, "update-server-info")
    with serving(tmp_path / "served", smart) as url:
        address = f"{url}/owner/demo/.git"
        for revision in (
            "main",
            git(demo, "rev-parse", "HEAD"),
            git(demo, "rev-parse", "HEAD")[:9],
        ):
            found = fetch(tmp_path, address, revision)
            assert content(found)["a"] == "1"
        assert found.origin.startswith("git/127.0.0.1/owner/demo/")
        assert found.url == address
        assert reason(lambda: fetch(tmp_path, f"{url}/owner/none")) == "no-repository"


def test_a_server_that_is_down_or_says_it_will_be_back(tmp_path):
    with serving(tmp_path) as url:
        pass
    assert reason(lambda: fetch(tmp_path, f"{url}/owner/demo")) == "host-unreachable"


def test_what_is_no_repository(tmp_path):
    (tmp_path / "folder").mkdir()
    for name in ("folder", "none"):
        assert reason(lambda n=name: fetch(tmp_path, tmp_path / n)) == "no-repository"


def test_a_password_stays_out_of_records_and_messages(tmp_path):
    demo = repository(tmp_path / "served" / "demo", {"a": "1"})
    with serving(tmp_path / "served") as url:
        secret = url.replace("http://", "http://me:secret@")
        found = fetch(tmp_path, f"{secret}/demo/.git")
        assert "secret" not in str(found._replace(archive=b""))
        assert found.url.startswith("http://***@127.0.0.1")
        assert found.origin == f"git/127.0.0.1/demo/{git(demo, 'rev-parse', 'HEAD')[:12]}"
        with pytest.raises(SourceError) as caught:
            fetch(tmp_path, f"{secret}/none")
        assert "secret" not in str(caught.value)


def test_nothing_of_a_repository_or_of_the_users_configuration_runs(tmp_path, monkeypatch):
    marker = tmp_path / "marker"
    run = f"touch {marker}"
    demo = repository(
        tmp_path / "demo",
        {"a": "$Id$\n", ".gitattributes": "* filter=evil text eol=crlf ident\na export-ignore\n"},
    )
    for name in ("post-checkout", "reference-transaction", "pre-auto-gc", "post-index-change"):
        hook = demo / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{run}\n")
        hook.chmod(0o755)
    config = demo / ".git" / "config"
    config.write_text(
        f'{config.read_text()}[core]\n\tfsmonitor = "{run}"\n\tsshCommand = "{run}"\n[uploadpack]\n'
        f'\tpackObjectsHook = "{run}"\n[filter "evil"]\n\tsmudge = "{run}"\n\tclean = "{run}"\n'
    )
    home = tmp_path / "home"
    (home / "template" / "hooks").mkdir(parents=True)
    shutil.copy(demo / ".git" / "hooks" / "post-checkout", home / "template" / "hooks")
    (home / ".gitconfig").write_text(
        f'[init]\n\ttemplateDir = {home}/template\n[uploadpack]\n\tpackObjectsHook = "{run}"\n'
        f'[core]\n\thooksPath = {home}/template/hooks\n\tfsmonitor = "{run}"\n'
        f'[filter "evil"]\n\tsmudge = "{run}"\n[url "ext::{run} "]\n\tinsteadOf = file://\n'
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", run)
    found = fetch(tmp_path, demo)
    assert content(found)["a"] == "$Id$\n"  # as it was committed, whatever attributes say
    assert not marker.exists()


def test_a_repository_of_somebody_else_can_be_read(tmp_path):
    demo = repository(tmp_path / "demo", {"a": "1"})
    if os.geteuid() == 0:
        for path in (demo, *demo.rglob("*")):
            os.chown(path, 12345, 12345, follow_symlinks=False)
    assert content(fetch(tmp_path, demo)) == {"a": "1"}


def test_links_programs_and_pointers_come_as_what_they_are(tmp_path):
    demo = repository(tmp_path / "demo", {"a": "1", "big.bin": POINTER, "run": "#!/bin/sh\n"})
    (demo / "run").chmod(0o755)
    (demo / "inside").symlink_to("a")
    (demo / "outside").symlink_to("/etc/passwd")
    commit(demo, {})
    found = fetch(tmp_path, demo)
    kinds = {str(m.path): m.kind for m in archive.members(found.archive, "demo")}
    assert kinds == {
        "a": "file",
        "big.bin": "file",
        "run": "program",
        "inside": "link",
        "outside": "link",
    }
    assert content(found)["big.bin"] == POINTER
    assert found.notes == ("1 Git LFS pointers stand for their files",)
    assert archive.unpack(found.archive, "demo", tmp_path / "out") == 1
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["a", "big.bin", "inside", "run"]


def tree(demo: Path, mode: str, name: bytes) -> None:
    """Commit a tree that git itself would refuse to make."""
    blob = git(demo, "hash-object", "-w", "--stdin", data=b"evil\n")
    raw = mode.encode() + b" " + name + b"\0" + bytes.fromhex(blob)
    made = git(demo, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", data=raw)
    head = git(demo, "commit-tree", made, "-m", "evil")
    git(demo, "update-ref", "refs/heads/main", head)


@pytest.mark.parametrize("name", [b"..", b".git", b".GIT", b"a/../../b", b".", b"/etc"])
def test_paths_out_of_the_tree_are_refused(tmp_path, monkeypatch, name):
    demo = repository(tmp_path / "demo", {"a": "1"})
    tree(demo, "100644", name)
    assert reason(lambda: fetch(tmp_path, demo)) == "no-repository"
    without = fetching.CONFIGURATION.replace("fsckObjects = true", "fsckObjects = false")
    monkeypatch.setattr(fetching, "CONFIGURATION", without)
    assert reason(lambda: fetch(tmp_path, demo)) == "unsafe-repository"  # where git lets it pass
    assert not list(tmp_path.rglob("evil"))


def test_submodules(tmp_path):
    inner = repository(tmp_path / "inner", {"c": "3"})
    part = repository(tmp_path / "part", {"b": "2"})
    gitlink(part, "deep/inner", "../inner", git(inner, "rev-parse", "HEAD"))
    demo = repository(tmp_path / "demo", {"a": "1"})
    gitlink(demo, "lib/part", part.as_uri(), git(part, "rev-parse", "HEAD"), "a.name")
    gitlink(demo, "gone", "../gone", git(part, "rev-parse", "HEAD"), "gone")
    gitlink(demo, "old", "../part", "1" * 40, "old")
    found = fetch(tmp_path, demo)
    files = content(found)
    assert [name for name in files if ".gitmodules" not in name] == [
        "a",
        "lib/part/b",
        "lib/part/deep/inner/c",
    ]
    assert [note.partition(": ")[0] for note in found.notes] == [
        "the submodule 'gone' was left out",
        "the submodule 'old' was left out",
    ]
    assert "it has no such branch, tag or commit" in found.notes[1]


def test_submodules_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(repositories, "MAX_SUBMODULES", 3)
    demo = repository(tmp_path / "demo", {"a": "1"})
    for name in "bcde":  # each has all those before it
        gitlink(demo, name, "../demo", git(demo, "rev-parse", "HEAD"), name)
    found = fetch(tmp_path, demo)
    assert len([name for name in content(found) if name.endswith("a")]) == 4
    assert {note.partition(": ")[2] for note in found.notes} == {"there are over 3"}


@pytest.mark.parametrize(
    "url", ["--upload-pack=touch marker", "ext::touch marker", "-x", "", "file:///etc"]
)
def test_evil_submodules_are_refused_or_left_out(tmp_path, url):
    demo = repository(tmp_path / "demo", {"a": "1"})
    gitlink(demo, "part", url, git(demo, "rev-parse", "HEAD"))
    try:
        found = fetch(tmp_path, demo)
    except SourceError as error:
        assert error.reason == "no-repository"
        assert "gitmodules" in str(error)
    else:
        assert content(found).keys() == {"a", ".gitmodules"}
        assert len(found.notes) == 1


def test_a_path_in_gitmodules_leads_nowhere(tmp_path):
    demo = repository(tmp_path / "demo", {"a": "1"})
    (demo / ".gitmodules").write_text('[submodule "x"]\n\tpath = ../x\n\turl = ../demo\n')
    commit(demo, {})
    assert content(fetch(tmp_path, demo)).keys() == {"a", ".gitmodules"}
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("parent", "stated", "url"),
    [
        ("https://h/o/n", "../x", "https://h/o/x"),
        ("https://h/o/n.git", "./x", "https://h/o/n.git/x"),
        ("https://t@h/o/n", "../../p/x", "https://t@h/p/x"),
        ("https://h/o/n", "../../../../x", "https://h/x"),
        ("file:///a/n", "../x", "file:///a/x"),
        ("https://h/o/n", "https://other/x", "https://other/x"),
        ("http://h:1/o/n", "http://h:1/x", "http://h:1/x"),
        ("file:///a/n", "file:///b", "file:///b"),
        ("ssh://git@h/o/n", "ssh://git@h/x", "ssh://git@h/x"),
    ],
)
def test_where_a_submodule_is_fetched_from(parent, stated, url):
    assert submodule_url(parent, stated) == url


@pytest.mark.parametrize(
    ("parent", "stated"),
    [
        ("https://h/o/n", "file:///home/secret"),
        ("https://h/o/n", "/home/secret"),
        ("https://h/o/n", "http://h/x"),
        ("https://h/o/n", "http://169.254.169.254/x"),
        ("https://h/o/n", "ssh://git@h/x"),
        ("https://h/o/n", "git://h/x"),
        ("http://h/o/n", "http://h:22/x"),
        ("https://h/o/n", "ext::sh -c id"),
        ("https://h/o/n", "--upload-pack=x"),
        ("https://h/o/n", "https://-oProxyCommand=x/y"),
        ("https://h/o/n", "https://h/x@--upload-pack"),
        ("https://h/o/n", "git@h:o/x"),
        ("https://h/o/n", ""),
        ("https://h/o/n", ".."),
    ],
)
def test_where_a_submodule_is_never_fetched_from(parent, stated):
    assert reason(lambda: submodule_url(parent, stated)) == "unsafe-submodule"


def test_a_bomb_of_folders(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_MEMBERS", 500)
    demo = repository(tmp_path / "demo", {"a": "1"})
    made = git(demo, "rev-parse", "HEAD^{tree}")
    for _ in range(6):
        lines = "".join(f"040000 tree {made}\t{n}\n" for n in range(10))
        made = git(demo, "mktree", data=lines.encode())
    git(demo, "update-ref", "refs/heads/main", git(demo, "commit-tree", made, "-m", "bomb"))
    assert reason(lambda: fetch(tmp_path, demo)) == "too-large"


def test_a_large_file_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1000)
    demo = repository(tmp_path / "demo", {"a": "0" * 1001})
    assert reason(lambda: fetch(tmp_path, demo)) == "too-large"


def test_limits_of_time_and_disk(tmp_path, monkeypatch):
    demo = repository(tmp_path / "demo", {"a": os.urandom(500_000)})
    small = fetching.LIMITS._replace(disk_bytes=100_000)
    monkeypatch.setattr(fetching, "LIMITS", small)
    assert reason(lambda: fetch(tmp_path, demo)) == "too-large"
    monkeypatch.setattr(fetching, "LIMITS", small._replace(wall_seconds=0))
    assert reason(lambda: fetch(tmp_path, demo)) == "fetch-timeout"


def test_a_file_of_no_utf8_name_is_kept(tmp_path):
    demo = repository(tmp_path / "demo", {"a": "1"})
    (demo / os.fsdecode(b"\xff.txt")).write_text("2")
    commit(demo, {})
    (name,) = [
        m.path for m in archive.members(fetch(tmp_path, demo).archive, "demo") if m.content == b"2"
    ]
    assert os.fsencode(name) == b"\xff.txt"
