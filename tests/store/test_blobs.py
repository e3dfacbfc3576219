import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.store import blobs

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"


def test_a_blob_is_named_by_its_bytes(tmp_path: Path) -> None:
    assert blobs.put(tmp_path, b"hello") == HELLO
    assert blobs.path(tmp_path, HELLO) == tmp_path / "2c" / HELLO[2:]
    assert blobs.path(tmp_path, HELLO).read_bytes() == b"hello"


def test_the_same_bytes_are_written_once(tmp_path: Path) -> None:
    blobs.put(tmp_path, b"hello")
    first = blobs.path(tmp_path, HELLO).stat()
    assert blobs.put(tmp_path, b"hello") == HELLO
    second = blobs.path(tmp_path, HELLO).stat()
    assert (second.st_ino, second.st_mtime_ns) == (first.st_ino, first.st_mtime_ns)


def test_a_missing_blob_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        blobs.get(tmp_path, HELLO)


@given(st.lists(st.binary(max_size=100), max_size=5))
def test_every_blob_comes_back(tmp_path_factory: pytest.TempPathFactory, data: list[bytes]) -> None:
    folder = tmp_path_factory.mktemp("blobs")
    digests = [blobs.put(folder, each) for each in data]
    assert digests == [hashlib.sha256(each).hexdigest() for each in data]
    assert [blobs.get(folder, digest) for digest in digests] == data
    assert len([p for p in folder.rglob("*") if p.is_file()]) == len(set(data))
