"""What a program could leave on this host: processes, control groups, changed files, packets."""

import ctypes
import os
import stat
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from thresher import sandbox
from thresher.judging import CODEC

PR_SET_CHILD_SUBREAPER = 36
SETTLE_SECONDS = 10.0
SCRATCH = ("/tmp", "/var/tmp", "/dev/shm")
# Below a home folder, only what is read at the start of something: the rest changes all the time.
STARTED_FROM = (".ssh", ".local/lib", ".local/bin", ".config/autostart", ".config/systemd", "bin")
CGROUPS = Path("/sys/fs/cgroup")
Fingerprint = Mapping[str, tuple[int, ...]]


def adopt_orphans() -> None:
    """Make this process the parent of every descendant whose own parent dies: none gets lost."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> set[int]:
    """Return the ids of all processes below this one, zombies included."""
    children: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            children.setdefault(_parent(entry.name), []).append(int(entry.name))
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        new = children.get(waiting.pop(), [])
        found.update(new)
        waiting += new
    return found


def remaining(before: set[int]) -> list[str]:
    """Name the processes below this one that are more than there were, once things settle.

    A wall may replace its own processes, so only their number tells.
    """
    end = time.monotonic() + SETTLE_SECONDS
    while len(now := descendants()) > len(before) and time.monotonic() < end:
        time.sleep(0.05)
    more = max(0, len(now) - len(before))
    return [_name(process) for process in sorted(now - before, reverse=True)[:more]]


def groups_left() -> list[str]:
    """Return the control groups of this process's sandboxes that are still there."""
    return [str(path) for path in CGROUPS.rglob(f"thresher-{os.getpid()}-*") if path.is_dir()]


def fingerprint() -> Fingerprint:
    """Describe every file that a hostile program might want to change.

    Those are the scratch folders, devices, libraries and packages of this Python, what the
    sandbox itself runs, settings of the system, and what a home folder starts programs from.
    """
    found: dict[str, tuple[int, ...]] = {}
    for path in places():
        _describe(path, found)
    return found


def places() -> Iterator[Path]:
    """Yield the files and folders that `fingerprint` describes, folders with all below them."""
    yield from map(Path, (*SCRATCH, "/dev", "/etc", "/usr/bin", "/usr/local/bin"))
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    bases: tuple[dict[str, str], ...] = ({}, {"base": sys.base_prefix, "platbase": sys.base_prefix})
    yield from {Path(sysconfig.get_path(kind, vars=base)) for kind in kinds for base in bases}
    yield from (Path(sandbox.__file__).parent.resolve(), CODEC.resolve())
    yield from (Path.home() / name for name in STARTED_FROM)
    yield from (path for path in Path.home().iterdir() if path.is_file())


def changes(before: Fingerprint, after: Fingerprint) -> list[str]:
    """Return the paths that were added, removed or changed, in order."""
    return sorted(path for path in {*before, *after} if before.get(path) != after.get(path))


def packets() -> int:
    """Return how many packets this network namespace's interfaces have sent so far."""
    lines = Path("/proc/self/net/dev").read_text().splitlines()[2:]
    return sum(int(line.partition(":")[2].split()[9]) for line in lines)


def _describe(path: Path, found: dict[str, tuple[int, ...]]) -> None:
    """Describe a file, or a folder and all that is in it; a folder not by its time or size."""
    waiting = [os.fspath(path)]
    while waiting:
        name = waiting.pop()
        try:
            status = os.lstat(name)
            if stat.S_ISDIR(status.st_mode):
                waiting += _listing(name)
        except OSError:
            continue  # gone meanwhile, or nothing that we may read
        found[name] = (status.st_mode, status.st_uid, status.st_gid, status.st_rdev)
        if stat.S_ISREG(status.st_mode):
            found[name] += (status.st_ino, status.st_size, status.st_mtime_ns)


def _listing(folder: str) -> Iterable[str]:
    # Terminals come and go with whoever logs in.
    return () if folder == "/dev/pts" else (entry.path for entry in os.scandir(folder))


def _parent(process: str) -> int:
    try:
        text = Path("/proc", process, "stat").read_text()
    except OSError:
        return 0
    return int(text.rpartition(")")[2].split()[1])


def _name(process: int) -> str:
    """Say what a process is: its id, name, state (Z for zombies) and parent."""
    try:
        text = Path("/proc", str(process), "stat").read_text()
    except OSError:
        return f"{process} (ended late)"
    return " ".join(text.split()[:4])
