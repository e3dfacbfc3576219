from pathlib import Path

import pytest

from thresher.store.files import write_whole


def test_makes_the_file_and_its_folders(tmp_path: Path) -> None:
    target = tmp_path / "new" / "deep" / "file"
    write_whole(target, b"bytes\x00")
    assert target.read_bytes() == b"bytes\x00"
    assert target.stat().st_mode & 0o777 == 0o644


def test_replaces_a_file_whole(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"a much longer text")
    write_whole(target, b"short")
    assert target.read_bytes() == b"short"
    assert list(tmp_path.iterdir()) == [target]


def test_a_reader_keeps_the_old_bytes(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")
    with target.open("rb") as reader:
        write_whole(target, b"new")
        assert reader.read() == b"old"


@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace"])
def test_an_error_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(failing, fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interrupt_cleans_up_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "file", b"new")
    assert list(tmp_path.iterdir()) == []
