import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from thresher.sandbox import leftovers
from thresher.sandbox.leftovers import scratch_folder


@pytest.fixture
def temp(monkeypatch) -> Iterator[Path]:
    """Give a temp directory of our own, whose path is short."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)


def ended() -> int:
    done = subprocess.Popen(["true"])
    done.wait()
    return done.pid


def stale(parent: Path, kind: str = "egress", mode: int = 0o700) -> Path:
    """Make what a process that is gone would have left."""
    folder = parent / f"thresher-{kind}-{ended()}-1-{leftovers.namespace()}-abc_1234"
    folder.mkdir()
    (folder / "file").write_text("")
    folder.chmod(mode)
    return folder


def sweep() -> None:
    with scratch_folder("empty"):
        pass


def test_a_folder_is_private_and_named_after_its_owner_while_it_lasts(temp):
    with scratch_folder("model") as folder:
        assert list(temp.iterdir()) == [folder]
        assert folder.name.startswith(f"thresher-model-{os.getpid()}-")
        assert folder.stat().st_mode == 0o40700
        (folder / "sub").mkdir()
        (folder / "sub" / "file").write_text("")
    assert list(temp.iterdir()) == []


def test_a_folder_is_removed_when_its_block_fails(temp):
    with pytest.raises(ZeroDivisionError), scratch_folder("model"):
        1 / 0  # noqa: B018
    assert list(temp.iterdir()) == []


@pytest.mark.parametrize("parent", ["/tmp", "/" + "x" * 36, "/" + "x" * 37, "/" + "x" * 200])
def test_a_socket_in_it_always_has_a_path_that_fits(monkeypatch, parent):
    made = []
    monkeypatch.setattr(tempfile, "tempdir", parent)
    monkeypatch.setattr(leftovers, "owner", lambda: f"{1 << 22}-{10**10 - 1}-{(1 << 32) - 1}")
    monkeypatch.setattr(
        tempfile, "mkdtemp", lambda prefix, dir: made.append(f"{dir}/{prefix}12345678") or made[0]
    )
    with scratch_folder("channel") as folder:
        assert len(os.fsencode(folder / "socket.sock")) < 108
    assert folder.is_relative_to(parent) == (len(parent) <= 37)


def test_sockets_work_below_a_temp_directory_as_long_as_those_of_tests(monkeypatch, tmp_path):
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with scratch_folder("egress") as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "proxy"))
    assert not folder.exists()


def test_what_a_killed_process_left_is_gone_once_the_next_begins(temp):
    script = (
        "import os, tempfile; from thresher.sandbox.leftovers import scratch_folder\n"
        f"tempfile.tempdir = {str(temp)!r}\n"
        "folder = scratch_folder('egress'); (folder.__enter__() / 'proxy').touch()\n"
        "os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == -9
    assert [path.name for path in temp.glob("*/*")] == ["proxy"]
    sweep()
    assert list(temp.iterdir()) == []


def test_a_process_that_took_over_the_number_protects_nothing(temp):
    folder = temp / f"thresher-empty-{os.getpid()}-1-{leftovers.namespace()}-abcdefgh"
    folder.mkdir(0o700)
    sweep()
    assert not folder.exists()


@pytest.mark.parametrize("who", ["alive", "elsewhere", "stranger", "unnamed"])
def test_the_folders_of_others_are_left_alone(temp, who):
    process, namespace = os.getppid(), leftovers.namespace()
    name = {
        "alive": f"thresher-egress-{process}-{leftovers.started(process)}-{namespace}-abcdefgh",
        "elsewhere": f"thresher-egress-{ended()}-1-42-abcdefgh",  # another PID namespace
        "stranger": f"thresher-egress-{ended()}-1-x-abcdefgh",
        "unnamed": "thresher-workspace",
    }[who]
    (temp / name).mkdir(0o700)
    sweep()
    assert (temp / name).exists()


def test_what_is_not_private_or_no_folder_is_left_alone(temp):
    public = stale(temp, "public", 0o755)
    file = temp / public.name.replace("public", "file")
    file.touch(0o700)
    sweep()
    assert public.exists() and file.exists()


def test_another_users_folder_is_left_alone(temp, monkeypatch):
    folder = stale(temp)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    sweep()
    assert folder.exists()


def test_links_are_never_followed(temp):
    kept = temp / "kept"
    kept.mkdir(0o700)
    (kept / "file").touch()
    folder = stale(temp)
    (folder / "link").symlink_to(kept)
    link = temp / f"thresher-link-{ended()}-1-{leftovers.namespace()}-abcdefgh"
    link.symlink_to(kept)
    sweep()
    assert not folder.exists()
    assert link.is_symlink()
    assert (kept / "file").exists()


def test_a_folder_with_something_mounted_in_it_is_left_alone(temp, monkeypatch):
    folder = stale(temp)
    read = Path.read_text

    def mounted(path: Path) -> str:
        return f"1 2 0:3 / {folder}/rootfs/usr" if path.name == "mountinfo" else read(path)

    monkeypatch.setattr(Path, "read_text", mounted)
    sweep()
    assert folder.exists()


def test_a_sweep_is_bounded(temp, monkeypatch):
    monkeypatch.setattr(leftovers, "SWEPT", 2)
    for kind in "abc":
        stale(temp, kind)
    sweep()
    assert len(list(temp.iterdir())) == 1
    sweep()
    assert list(temp.iterdir()) == []


def test_a_temp_directory_that_cannot_be_listed_stops_nobody(temp, monkeypatch):
    def refuse(path):
        raise PermissionError(path)

    folder = stale(temp)
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        sweep()
    assert list(temp.iterdir()) == [folder]
