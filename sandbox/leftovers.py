"""Folders that tell who will remove them, so that the next process can when that one was killed."""

import contextlib
import itertools
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

NAME = re.compile(r"thresher-(?:[a-z]+-)?(\d+)-(\d+)-(\d+)-\w+")
SEARCHED, SWEPT = 10_000, 100
# A Unix socket's path has 107 bytes; our longest name and that of a socket in it need 70.
LONGEST_PARENT = 37
FALLBACK = Path("/tmp")  # noqa: S108 - what is made there is private


@contextlib.contextmanager
def scratch_folder(kind: str) -> Iterator[Path]:
    """Give a new empty folder that only we can enter, and remove it at the end.

    It lies in the temp directory, or in /tmp where no socket's path would fit into that one.

    Args:
        kind: what it is for, in a few lower-case letters; part of its name.

    Raises:
        OSError: the folder can't be made.
    """
    parent = _parent()
    _sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=f"thresher-{kind}-{owner()}-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def owner() -> str:
    """Return what tells this process from all others: its id, start and PID namespace."""
    process = os.getpid()
    return f"{process}-{started(process)}-{namespace()}"


def abandoned(name: str) -> bool:
    """Tell whether `name` is one of ours and the process that it names has ended."""
    found = NAME.fullmatch(name)
    if found is None or found[3] != namespace():
        return False
    return found[2] != started(int(found[1]))


def started(process: int) -> str:
    """Return when a process began, which no later one of the same number shares; "" if gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def namespace() -> str:
    """Return the PID namespace: what is gone there may live in another."""
    return str(Path("/proc/self/ns/pid").stat().st_ino)


def _parent() -> Path:
    found = Path(tempfile.gettempdir())
    return found if len(os.fsencode(found)) <= LONGEST_PARENT else FALLBACK


def _sweep(parent: Path) -> None:
    """Remove abandoned folders, as many as can be done soon; another may do so meanwhile."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        found = filter(_is_abandoned, itertools.islice(entries, SEARCHED))
        for entry in itertools.islice(found, SWEPT):
            shutil.rmtree(entry.path, ignore_errors=True)  # follows no links


def _is_abandoned(entry: os.DirEntry[str]) -> bool:
    """Tell an abandoned folder from what another user put in its place."""
    if not abandoned(entry.name):
        return False
    try:
        status = entry.stat(follow_symlinks=False)
        # A wall may have died with its mounts in place, and these can be the host's own folders.
        mounted = entry.name in Path("/proc/self/mountinfo").read_text()
    except OSError:
        return False
    private = status.st_mode == stat.S_IFDIR | 0o700 and status.st_uid == os.geteuid()
    return private and not mounted
