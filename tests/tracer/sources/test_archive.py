"""Unpacking whatever calls itself a source archive."""

import gzip
import io
import itertools
import os
import random
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tracer.archives import DEMO, METADATA, reason, special, tar_gz, zipped
from thresher.errors import SourceError
from thresher.tracer.sources import archive as archives
from thresher.tracer.sources.archive import Member, members, pack, unpack


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("make", [tar_gz, zipped])
def test_unpacking(tmp_path, make):
    stale = tmp_path / "out" / "stale"
    stale.parent.mkdir()
    stale.write_text("from an earlier run")
    unpack(make(DEMO), "demo", tmp_path / "out")
    assert tree(tmp_path / "out") == {"PKG-INFO": METADATA, "demo/__init__.py": "x = 1\n"}


def test_unpacking_bz2(tmp_path):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:bz2") as tar:
        tar.addfile(tarfile.TarInfo("demo-1.0/a"))
    unpack(target.getvalue(), "demo", tmp_path / "out")
    assert tree(tmp_path / "out") == {"a": ""}


def test_files_beside_the_top_folder_and_dots_in_names(tmp_path):
    archive = tar_gz({"pax_global": "", "./demo-1.0/a": "1", "demo-1.0//b/./c": "2"})
    unpack(archive, "demo", tmp_path / "out")
    assert tree(tmp_path / "out") == {"a": "1", "b/c": "2"}


@pytest.mark.parametrize("make", [tar_gz, zipped])
@pytest.mark.parametrize("path", ["../evil", "demo-1.0/../../evil", "/evil/evil", "//evil/evil"])
def test_paths_outside_the_folder_are_refused(tmp_path, make, path):
    archive = make({**DEMO, path: "evil"})
    assert reason(lambda: unpack(archive, "demo", tmp_path / "out")) == "bad-archive"
    assert "evil" not in tree(tmp_path).values()


@pytest.mark.parametrize(
    "entry",
    [
        special("demo-1.0/link", tarfile.SYMTYPE, "/etc"),
        special("demo-1.0/link", tarfile.LNKTYPE, "demo-1.0/PKG-INFO"),
        special("demo-1.0/null", tarfile.CHRTYPE),
        special("demo-1.0/disk", tarfile.BLKTYPE),
        special("demo-1.0/pipe", tarfile.FIFOTYPE),
        special("demo-1.0/folder", tarfile.DIRTYPE),
    ],
    ids=lambda entry: f"{entry.name}-{entry.type!r}",
)
def test_links_and_devices_are_passed_over(tmp_path, entry):
    unpack(tar_gz(DEMO, entry), "demo", tmp_path / "out")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "PKG-INFO",
        "__init__.py",
        "demo",
        "out",
    ]


def test_a_link_that_is_itself_outside_is_refused(tmp_path):
    archive = tar_gz(DEMO, special("../link", tarfile.SYMTYPE, ".."))
    assert reason(lambda: unpack(archive, "demo", tmp_path / "out")) == "bad-archive"


LINKED = {
    "file": Member(PurePosixPath("a/file"), b"1", "program"),
    "other": Member(PurePosixPath("a/deep/other"), b"2"),
}


def link(path, leads):
    return Member(PurePosixPath(path), leads.encode(), "link")


@pytest.mark.parametrize(
    ("links", "copies", "left_out"),
    [
        ([("b", "a/file")], {"b": "1"}, 0),
        ([("a/b", "file"), ("a/deep/c", "../file")], {"a/b": "1", "a/deep/c": "1"}, 0),
        ([("b", "a")], {"b/file": "1", "b/deep/other": "2"}, 0),
        ([("b", "./a/deep/")], {"b/other": "2"}, 0),
        ([("b", "c"), ("c", "d"), ("d", "a/file")], {"b": "1", "c": "1", "d": "1"}, 0),
        ([("b", "a"), ("c", "b/deep/other")], {"b/file": "1", "b/deep/other": "2", "c": "2"}, 0),
        ([("b", "/etc/passwd"), ("c", "../x"), ("a/d", "../../x"), ("e", "none")], {}, 4),
        ([("a/b", "."), ("a/deep/c", "../.."), ("d", "."), ("e", "..")], {}, 4),
        ([("b", "c"), ("c", "b"), ("d", "d"), ("e", "e/f")], {}, 4),
        # Followed through the first, the second would leave the tree; its name alone decides.
        ([("a/deep/up", "../.."), ("x", "a/deep/up/../../file")], {"x": "1"}, 1),
        ([("b", "")], {}, 1),
    ],
)
def test_links_that_stay_inside_become_copies(tmp_path, links, copies, left_out):
    archive = pack([*LINKED.values(), *itertools.starmap(link, links)], "demo")
    assert unpack(archive, "demo", tmp_path / "out") == left_out
    found = tree(tmp_path / "out")
    assert found == {"a/file": "1", "a/deep/other": "2", **copies}
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


def test_links_count_for_the_size_of_what_they_lead_to(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_UNPACKED", 60_000)
    big = Member(PurePosixPath("big/file"), bytes(10_000))
    archive = pack([big, *(link(f"copy{n}", "big") for n in range(9))], "demo")
    assert reason(lambda: unpack(archive, "demo", tmp_path / "out")) == "too-large"


def test_programs_stay_programs(tmp_path):
    script = zipfile.ZipInfo("demo/run")
    script.external_attr = 0o100755 << 16
    target = io.BytesIO(zipped(DEMO))
    with zipfile.ZipFile(target, "a") as bundle:
        bundle.writestr(script, "#!/bin/sh\n")
    for archive in (pack([LINKED["file"], link("run", "a/file")], "demo"), target.getvalue()):
        unpack(archive, "demo", tmp_path / "out")
        assert os.access(tmp_path / "out" / "run", os.X_OK)
    assert not os.access(tmp_path / "out" / "PKG-INFO", os.X_OK)


def test_packing_gives_the_same_bytes_and_all_of_them_back():
    files = [*LINKED.values(), link("b", "a"), Member(PurePosixPath("é/" + "x" * 200), b"\xff")]
    archive = pack(files, "demo")
    assert pack(files, "demo") == archive
    assert list(members(archive, "demo")) == files


def test_too_much_is_not_packed(monkeypatch):
    monkeypatch.setattr(archives, "MAX_UNPACKED", 100)
    assert reason(lambda: pack([Member(PurePosixPath("a"), bytes(101))], "demo")) == "too-large"
    monkeypatch.setattr(archives, "MAX_MEMBERS", 1)
    assert reason(lambda: pack(LINKED.values(), "demo")) == "too-large"


def test_nothing_is_written_through_a_link(tmp_path):
    link = special("demo-1.0/out", tarfile.SYMTYPE, str(tmp_path))
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        tar.addfile(link)
        tar.addfile(tarfile.TarInfo("demo-1.0/out/evil"))
    unpack(target.getvalue(), "demo", tmp_path / "out")
    assert tree(tmp_path) == {"out/out/evil": ""}


def test_links_in_a_zip_are_passed_over(tmp_path):
    link = zipfile.ZipInfo("demo-1.0/link")
    link.external_attr = 0o120777 << 16
    target = io.BytesIO(zipped(DEMO))
    with zipfile.ZipFile(target, "a") as bundle:
        bundle.writestr(link, "/etc/passwd")
    unpack(target.getvalue(), "demo", tmp_path / "out")
    assert tree(tmp_path / "out").keys() == {"PKG-INFO", "demo/__init__.py"}


@pytest.mark.parametrize(
    "files",
    [
        {"demo/a": "", "demo/a/b": ""},
        {"demo/a/b": "", "demo/a": ""},
        {"demo/" + "x" * 300: ""},
    ],
)
def test_members_that_clash(tmp_path, files):
    archive = tar_gz(files)
    assert reason(lambda: unpack(archive, "demo", tmp_path / "out")) == "bad-archive"


def test_a_disk_that_cannot_be_written_is_not_the_archives_fault(tmp_path):
    if os.geteuid() == 0:
        target = Path("/proc/thresher")
    else:
        tmp_path.chmod(0o500)
        target = tmp_path / "out"
    with pytest.raises(OSError):
        unpack(tar_gz(DEMO), "demo", target)


@pytest.mark.parametrize("make", [tar_gz, zipped])
def test_bombs(tmp_path, monkeypatch, make):
    monkeypatch.setattr(archives, "MAX_UNPACKED", 30_000)
    archive = make({"demo/a": "0" * 20_000, "demo/b": "0" * 20_000})
    assert len(archive) < 1000
    assert reason(lambda: unpack(archive, "demo", tmp_path / "out")) == "too-large"


def test_a_bomb_in_a_header(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_UNPACKED", 100_000)
    header = special("name", tarfile.GNUTYPE_LONGNAME)
    header.size = 1 << 30
    plain = header.tobuf(tarfile.GNU_FORMAT) + bytes(200_000)
    archive = gzip.compress(plain)
    assert reason(lambda: unpack(archive, "demo", tmp_path / "out")) == "too-large"


def forged(name: str, kind: bytes, field: slice, value: bytes) -> bytes:
    """Make a tar header with a field that tarfile wouldn't write."""
    block = bytearray(special(name, kind).tobuf(tarfile.GNU_FORMAT))
    block[field] = value
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


SIZE, REAL_SIZE = slice(124, 136), slice(483, 495)
SPARSE = forged("demo/a", tarfile.GNUTYPE_SPARSE, REAL_SIZE, b"77777777777\0")


def negative(size: int) -> bytes:
    return size.to_bytes(12, "big", signed=True)


@pytest.mark.parametrize(
    "headers",
    [
        SPARSE,
        forged("demo/b", tarfile.DIRTYPE, SIZE, negative(-(1 << 60))) + SPARSE,
        forged("demo/b", b"~", SIZE, negative(-512)),  # would be read for ever
    ],
    ids=["sparse", "sparse after a negative size", "endless"],
)
def test_forged_sizes(headers):
    archive = gzip.compress(special("demo/0", tarfile.REGTYPE).tobuf() + headers + bytes(1024))
    assert reason(lambda: list(members(archive, "demo"))) == "too-large"


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE])
def test_too_many_entries(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 10)
    archive = tar_gz({}, *(special(f"demo/{n}", kind) for n in range(11)))
    assert reason(lambda: unpack(archive, "demo", tmp_path / "out")) == "too-large"


def test_a_truncated_archive(tmp_path):
    archive = tar_gz({"demo/a": random.Random(1).randbytes(50_000).hex()})
    for end in (0, 1, 5, 20, 1000, len(archive) // 2, len(archive) - 1):
        broken = archive[:end]
        assert reason(lambda b=broken: unpack(b, "demo", tmp_path / "out")) == "bad-archive"


def test_damage_inside_a_member(tmp_path):
    archive = bytearray(zipped({"demo/a": random.Random(1).randbytes(5_000).hex()}))
    archive[2_000] ^= 0xFF
    assert reason(lambda: unpack(bytes(archive), "demo", tmp_path / "out")) == "bad-archive"


def test_an_encrypted_zip(tmp_path):
    archive = bytearray(zipped(DEMO))
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        archive[archive.index(sign) + offset] |= 1
    assert reason(lambda: unpack(bytes(archive), "demo", tmp_path / "out")) == "bad-archive"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_anywhere_is_a_source_error_or_nothing(data):
    archive = bytearray(data.draw(st.sampled_from([PLAIN_ZIP, PLAIN_TAR])))
    for _ in range(data.draw(st.integers(1, 4))):
        archive[data.draw(st.integers(0, len(archive) - 1))] = data.draw(st.integers(0, 255))
    packed = bytes(archive) if archive[:1] == b"P" else gzip.compress(bytes(archive), 1)
    try:
        found = list(members(packed, "demo"))
    except SourceError as error:
        assert error.reason in {"bad-archive", "too-large"}
    else:
        assert all(".." not in m.path.parts and not m.path.is_absolute() for m in found)


PLAIN_ZIP, PLAIN_TAR = zipped(DEMO), gzip.decompress(tar_gz(DEMO))
PARTS = st.sampled_from(["..", ".", "", "/", "a", "b", "~", "C:", "\\", "..\\x", "é", "\x01", " "])
NAMES = st.lists(PARTS, min_size=1, max_size=5).map("/".join)


@settings(max_examples=150, deadline=None)
@given(names=st.lists(NAMES, max_size=4), make=st.sampled_from([tar_gz, zipped]))
def test_nothing_is_ever_written_outside(tmp_path_factory, names, make):
    root = tmp_path_factory.mktemp("root")
    archive = make(dict.fromkeys(filter(None, names), "x"))
    try:
        unpack(archive, "demo", root / "deep" / "out")
    except SourceError as error:
        assert error.reason == "bad-archive"
    outside = [path for path in root.rglob("*") if root / "deep" / "out" not in path.parents]
    assert sorted(outside) == [root / "deep", root / "deep" / "out"]


def test_members_are_relative_to_the_top_folder():
    assert [m.path for m in members(tar_gz(DEMO), "demo")] == [
        PurePosixPath("PKG-INFO"),
        PurePosixPath("demo/__init__.py"),
    ]
