"""What the trusted side watches while a sandbox runs: its output, its time, its disk use."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from thresher.sandbox.wall import Limits

LINE_BYTES = 8192
WATCH_SECONDS = 1.0
KILL_SECONDS = 5.0
ENTRY_BYTES = 4096  # what a file costs at least, so that a million empty ones count


class Output:
    """Keeps the end of an endless stream in bounded memory, and passes lines on as they come.

    Args:
        size: how many bytes to keep.
        on_line: called with each line, decoded, without its end; long lines come in pieces.
    """

    def __init__(self, size: int, on_line: Callable[[str], None] | None = None) -> None:
        self._size = size
        self._on_line = on_line
        self._kept: deque[bytes] = deque()
        self._length = 0
        self._line = b""

    def feed(self, data: bytes) -> None:
        """Take the next piece of the stream; an empty one means its end."""
        self._kept.append(data)
        self._length += len(data)
        while self._length - len(self._kept[0]) >= self._size:
            self._length -= len(self._kept.popleft())
        if self._on_line is not None:
            self._pass_on(self._on_line, data)

    def text(self) -> str:
        """Return what was kept, decoded."""
        return b"".join(self._kept)[-self._size :].decode(errors="replace")

    def _pass_on(self, on_line: Callable[[str], None], data: bytes) -> None:
        *lines, self._line = (self._line + data).split(b"\n")
        if self._line and (not data or len(self._line) > LINE_BYTES):
            lines.append(self._line)
            self._line = b""
        for line in lines:
            on_line(line.removesuffix(b"\r").decode(errors="replace"))


class Watch:
    """Says when a sandbox has used too much time or disk.

    Args:
        limits: what it may use.
        folders: the host's folders that it can write; they may grow by `limits.disk_bytes`.
        cpu_seconds: gives the CPU time of all its processes, None where nobody counts it.
    """

    def __init__(
        self,
        limits: Limits,
        folders: Iterable[Path],
        cpu_seconds: Callable[[], float | None] = lambda: None,
    ) -> None:
        self._folders = tuple(folders)
        self._cpu_seconds, self._most_cpu = cpu_seconds, limits.cpu_seconds
        self._most = disk_use(self._folders) + limits.disk_bytes
        self.began = time.monotonic()
        self._end = self.began + limits.wall_seconds
        self._next_look = self.began + WATCH_SECONDS
        self._told: float | None = None

    def seconds(self) -> float:
        """Return how long to wait before asking again, unless there's output before."""
        left = self._end - time.monotonic()
        return WATCH_SECONDS if self._told else max(0.0, min(left, WATCH_SECONDS))

    def breach(self) -> Literal["timeout", "disk"] | None:
        """Return the limit that is exceeded now; disk use is measured every second or so."""
        now = time.monotonic()
        found: Literal["timeout", "disk"] | None = None
        if now > self._end or (self._cpu_seconds() or 0.0) > self._most_cpu:
            found = "timeout"
        elif now > self._next_look:
            found = "disk" if self.disk_full() else None
            self._next_look = now + max(WATCH_SECONDS, 10 * (time.monotonic() - now))
        self._told = now if found else None
        return found

    def overdue(self) -> bool:
        """Return whether a breach was told so long ago that its end should have come."""
        return self._told is not None and time.monotonic() > self._told + KILL_SECONDS

    def disk_full(self) -> bool:
        """Measure the writable folders now; return whether they have grown too much."""
        return disk_use(self._folders, self._most) > self._most


def disk_use(folders: Iterable[Path], enough: float = float("inf")) -> float:
    """Return the bytes that files take below `folders`, or some number above `enough`.

    Links are counted, never followed. A tree too deep to be named counts as infinite: it can't
    be measured, and nothing honest makes one.
    """
    total = 0.0
    waiting = [os.fspath(folder) for folder in folders]
    while waiting and total <= enough:
        try:
            total += _measure(waiting.pop(), waiting)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue  # gone since, or a folder that even its owner can't read
        except OSError:
            return float("inf")
    return total


def _measure(folder: str, found: list[str]) -> int:
    """Return the bytes of the files in `folder`; append the folders in it to `found`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    total = 0
    try:
        with os.scandir(descriptor) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    found.append(f"{folder}/{entry.name}")
                status = os.stat(entry.name, dir_fd=descriptor, follow_symlinks=False)
                total += max(ENTRY_BYTES, status.st_blocks * 512)
    finally:
        os.close(descriptor)
    return total
