from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import UsageError
from thresher.tracer.sources.targets import SCHEMES, Target, parse, redacted, target


@pytest.mark.parametrize("text", ["a", "a==1.0", "a >= 1, < 2", "a~=1.4", "A.b_c[x]!=2", "a==1.*"])
def test_packages(text):
    assert target(f"pypi:{text}") == Target("pypi", f"pypi:{text}", text)


@pytest.mark.parametrize(
    ("text", "name", "place", "revision"),
    [
        ("git:https://h/o/n", "git:https://h/o/n", "https://h/o/n", ""),
        ("git:https://h/o/n@v1.0+l", "git:https://h/o/n@v1.0+l", "https://h/o/n", "v1.0+l"),
        ("git+https://h/o/n.git@f/x", "git:https://h/o/n.git@f/x", "https://h/o/n.git", "f/x"),
        ("https://h/o/n.git", "git:https://h/o/n.git", "https://h/o/n.git", ""),
        ("https://h/o/n.git@0a1b", "git:https://h/o/n.git@0a1b", "https://h/o/n.git", "0a1b"),
        ("git://h/n", "git:git://h/n", "git://h/n", ""),
        ("git:http://[::1]:80/n", "git:http://[::1]:80/n", "http://[::1]:80/n", ""),
        ("ssh://git@h:22/o/n@v1", "git:ssh://git@h:22/o/n@v1", "ssh://git@h:22/o/n", "v1"),
        ("file:///a%20b/n@v1", "git:file:///a%20b/n@v1", "file:///a%20b/n", "v1"),
        ("git:https://u:pw@h/n@v1", "git:https://***@h/n@v1", "https://u:pw@h/n", "v1"),
        ("git:https://token@h/n", "git:https://***@h/n", "https://token@h/n", ""),
        ("git:ssh://u:pw@h/n", "git:ssh://***@h/n", "ssh://u:pw@h/n", ""),
    ],
)
def test_repositories(text, name, place, revision):
    assert target(text) == Target("git", name, place, revision)


def test_a_repository_on_this_host_is_named_by_its_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b@c").mkdir()
    place = (tmp_path / "a b@c").as_uri()
    assert target("git:./a b@c") == Target("git", f"git:{place}", place, "")
    assert target("git:./a b@c@v1") == Target("git", f"git:{place}@v1", place, "v1")
    assert target(f"git:{tmp_path}").place == tmp_path.as_uri()


def test_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").mkdir()
    (tmp_path / "link").symlink_to("demo")
    place = str(tmp_path / "demo")
    for text in ("./demo", "./demo/", place, "./link", "./demo/../demo"):
        assert target(text) == Target("folder", place, place)
    assert target(".").place == str(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("demo", "write pypi:NAME, pypi:NAME==VERSION"),
        ("demo==1.0", "write pypi:NAME, pypi:NAME==VERSION"),
        ("", "write pypi:NAME"),
        ("pypi:", "'pypi:humanize>=4,<5'"),
        ("pypi:a b", "'pypi:humanize>=4,<5'"),
        ("pypi:a @ file:///x", "'pypi:humanize>=4,<5'"),
        ("pypi:a; python_version > '3'", "'pypi:humanize>=4,<5'"),
        ("https://example.org/x", "did you mean git:https://example.org/x?"),
        ("git:ext::sh -c id", "no address of a git repository"),
        ("git:ext::sh", "no address of a git repository"),
        ("git:fd::7", "no address of a git repository"),
        ("git:--upload-pack=x", "no address of a git repository"),
        ("git:git@h:o/n", "no address of a git repository"),
        ("git:https://-oProxyCommand=x/n", "no address of a git repository"),
        ("git:ssh://-oProxyCommand=x/n", "no address of a git repository"),
        ("git:ssh://u@-h/n", "no address of a git repository"),
        ("git:https:///n", "no address of a git repository"),
        ("git:https://h", "no address of a git repository"),
        ("git:https://h/", "no address of a git repository"),
        ("git:https://h:x/n", "no address of a git repository"),
        ("git:https://[h/n", "no address of a git repository"),
        ("git:https://h/a\nb", "no address of a git repository"),
        ("git:file://host/n", "no address of a git repository"),
        ("git:ftp://h/n", "no address of a git repository"),
        ("git:https://h/n@", "a branch, tag or commit"),
        ("git:https://h/n@--depth", "a branch, tag or commit"),
        ("git:https://h/n@a:b", "a branch, tag or commit"),
        ("git:https://h/n@+a", "a branch, tag or commit"),
        ("git:https://h/n@a..b", "a branch, tag or commit"),
        ("git:https://h/n@a~1", "a branch, tag or commit"),
        ("git:https://h/n@a^{tree}", "a branch, tag or commit"),
        ("git:https://h/n@v1#egg=x", "a branch, tag or commit"),
        ("git:https://h/n?x=1", "a branch, tag or commit"),
        ("git:https://u:secret@h/n@a b", "https://***@h/n@a b"),
        ("./nowhere", "'./nowhere' is no folder"),
        ("/etc/passwd", "'/etc/passwd' is no folder"),
    ],
)
def test_what_cannot_be_traced(text, said):
    with pytest.raises(UsageError) as caught:
        parse([text])
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list(tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes(
        "\ufeff# packages\n\npypi:a==1  # pinned\n\tpypi:b \r\ngit:https://h/n@v#1\n#pypi:c".encode()
    )
    names = ["pypi:first", "pypi:a==1", "pypi:b", "git:https://h/n@v#1"]
    with pytest.raises(UsageError, match="list.txt:5: 'https://h/n@v#1': after the address"):
        parse(["pypi:first", f"@{path}"])
    path.write_text(path.read_text().replace("@v#1", ""))
    found = parse(["pypi:first", f"@{path}", "pypi:b"])
    assert [each.name for each in found] == [*names[:3], "git:https://h/n"]


def test_every_bad_line_is_named_before_anything_is_done(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("pypi:good\nbad\n\n# bad\nworse\n@other.txt\n")
    with pytest.raises(UsageError) as caught:
        parse(["pypi:good", f"@{path}", "worst"])
    first, *lines = str(caught.value).splitlines()
    assert first == "4 targets can't be traced:"
    assert [line.partition(" can't")[0] for line in lines] == [
        f"  {path}:2: 'bad'",
        f"  {path}:5: 'worse'",
        f"  {path}:6: '@other.txt'",
        "  'worst'",
    ]


def test_of_many_bad_lines_the_first_are_named(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("bad\n" * 300)
    with pytest.raises(UsageError) as caught:
        parse([f"@{path}"])
    lines = str(caught.value).splitlines()
    assert (lines[0], len(lines), lines[-1]) == (
        "300 targets can't be traced:",
        22,
        "  and 280 more",
    )


def test_lists_that_cannot_be_read(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "large").write_bytes(b"#" * ((1 << 20) + 1))
    for name, why in [("none", "No such file"), ("binary", "UTF-8"), ("", "Is a directory")]:
        with pytest.raises(UsageError, match=f"can't be read .*{why}.*for example @packages.txt"):
            parse([f"@{tmp_path / name}"])
    with pytest.raises(UsageError, match="over 1 MiB is no list"):
        parse([f"@{tmp_path / 'large'}"])


@given(st.one_of(st.text(max_size=60), st.text(":/@.-+%[]?#\\ agit", max_size=40)))
def test_whatever_is_written_is_a_safe_target_or_wrong_use(text):
    prefixes = ("", "git:", "git:https://", "git:https://h/n@", "pypi:", "git+ssh://")
    for prefix in prefixes:
        try:
            found = target(prefix + text)
        except UsageError:
            continue
        if found.kind == "git":
            assert found.place.split(":", 1)[0] in SCHEMES
            assert not found.revision.startswith("-")
            assert not set(found.revision) & set(":^~*?[ \\")
        elif found.kind == "folder":
            assert Path(found.place).is_dir()


def test_passwords_are_not_shown():
    assert redacted("https://u:p@h/n") == "https://***@h/n"
    assert redacted("https://h/n") == "https://h/n"
    assert redacted("ssh://git@h/n") == "ssh://git@h/n"
    assert redacted("https://u:p@[h/n") == "https://***@[h/n"
