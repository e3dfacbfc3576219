"""The warm server: runs inside the wall, clones one cell per program and passes bytes on.

Standard library only. It never looks into what a cell writes and never runs a program itself.
When a cell's first process ends, the kernel ends all others of its PID namespace.

Usage: ``python -m thresher.sandbox.server``, frames on standard input and output (see
`thresher.sandbox.frames`).
"""

import contextlib
import ctypes
import importlib
import json
import os
import platform
import select
import signal
import time
from types import ModuleType

from thresher.sandbox import cell, seccomp
from thresher.sandbox.frames import CHUNK, HEADER, take_frame
from thresher.sandbox.libc import call

CODEC = "values"  # the module's name inside the wall
POLL_SECONDS = 0.02
PATIENCE_SECONDS = 0.2
CLONE_FLAGS = 0x00020000 | 0x08000000 | 0x20000000  # new mount, IPC and PID namespaces
# Imported once so that no program pays for them again.
WARM = (
    "abc bisect calendar cmath collections contextlib copy dataclasses datetime decimal enum "
    "fractions functools hashlib heapq io itertools math numbers operator os pprint random re "
    "statistics string struct textwrap time traceback types typing unicodedata uuid warnings"
)


class RunningCell:
    """The server's side of a cell: its pipes, its limits and how it ends."""

    def __init__(self, pid: int, limits: dict[str, float], source: int, sink: int) -> None:
        self.pid, self.limits, self.source, self.sink = pid, limits, source, sink
        self.started = time.monotonic()
        self.pending = bytearray()
        self.written = 0
        self.reason = "exited"
        self.clock = (~pid << 3) | 2  # the kernel's clock id of that process's CPU time

    def overrun(self) -> str | None:
        """Say which time limit is passed, or None."""
        used = 0.0
        with contextlib.suppress(OSError):
            used = time.clock_gettime(self.clock)
        if used > self.limits["cpu"]:
            return "cpu"
        return "wall" if time.monotonic() - self.started > self.limits["wall"] else None

    def feed(self) -> None:
        """Give the cell what it can take of its pending input."""
        try:
            del self.pending[: os.write(self.sink, self.pending)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.pending.clear()

    def kill(self, reason: str) -> None:
        """End the cell's first process, and so all of its namespace."""
        self.reason = reason
        os.kill(self.pid, signal.SIGKILL)

    def reap(self) -> dict[str, object]:
        """Wait for the end, killing what closed its output but lives on; return the report."""
        patience = time.monotonic() + PATIENCE_SECONDS
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        while not pid:
            if time.monotonic() > patience:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.0005)
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        os.close(self.source)
        os.close(self.sink)
        return {
            "reason": self.reason,
            "status": status,
            "cpu": usage.ru_utime + usage.ru_stime,
            "wall": time.monotonic() - self.started,
        }


def start_cell(codec: ModuleType, limits: dict[str, float], filter_program: bytes) -> RunningCell:
    """Clone a cell into fresh namespaces and return the server's side of it."""
    cell_in, feed = os.pipe()
    drain, cell_out = os.pipe()
    arguments = (seccomp.clone_number(), CLONE_FLAGS | signal.SIGCHLD, 0, 0, 0, 0)
    pid = call("syscall", *map(ctypes.c_long, arguments))
    if pid == 0:
        try:
            ctypes.pythonapi.PyOS_AfterFork_Child()  # also gives `random` a fresh seed
            cell.run(codec, limits, filter_program, cell_in, cell_out)
        finally:
            os._exit(0)
    os.close(cell_in)
    os.close(cell_out)
    os.set_blocking(feed, False)
    return RunningCell(pid, limits, drain, feed)


class Server:
    """One loop over standard input, standard output and the pipes of one cell."""

    def __init__(self, codec: ModuleType) -> None:
        self.codec = codec
        self.filter = seccomp.build(platform.machine())
        self.inbox = bytearray()
        self.outbox = bytearray()
        self.cell: RunningCell | None = None
        self.send(b"R", b"")

    def send(self, kind: bytes, payload: bytes) -> None:
        """Queue a frame for the trusted side."""
        self.outbox += HEADER.pack(kind, len(payload)) + payload

    def handle(self, kind: bytes, payload: bytes) -> None:
        """Do what one frame asks; a frame for a cell that has ended is dropped."""
        if kind == b"S":
            self.cell = start_cell(self.codec, json.loads(payload), self.filter)
        elif self.cell and kind == b"D":
            self.cell.pending += payload
        elif self.cell and kind == b"K":
            self.cell.kill("stopped")

    def relay(self, running: RunningCell) -> None:
        """Pass on the cell's output, and its end when the output is closed."""
        data = os.read(running.source, CHUNK)
        if not data:
            self.cell = None
            self.send(b"X", json.dumps(running.reap()).encode())
            return
        running.written += len(data)
        self.send(b"D", data)
        if running.written > running.limits["output"]:
            running.kill("output")

    def listen(self) -> bool:
        """Take what the trusted side sent; return False when it is gone."""
        data = os.read(0, CHUNK)
        self.inbox += data
        while (frame := take_frame(self.inbox)) is not None:
            self.handle(*frame)
        return bool(data)

    def turn(self) -> bool:
        """Wait for something to do and do it; return False when the trusted side is gone."""
        running = self.cell
        readers, writers = [0], [1] if self.outbox else []
        if running:
            readers.append(running.source)
            writers += [running.sink] if running.pending else []
        timeout = POLL_SECONDS if running else None
        readable, writable, _ = select.select(readers, writers, [], timeout)
        if 1 in writable:
            del self.outbox[: os.write(1, self.outbox)]
        if running:
            if running.sink in writable:
                running.feed()
            if running.source in readable:
                self.relay(running)
            elif running.reason == "exited" and (limit := running.overrun()):
                running.kill(limit)
        return self.listen() if 0 in readable else True


def main() -> None:
    """Warm the interpreter, then serve until standard input closes."""
    codec = importlib.import_module(CODEC)
    for name in WARM.split():
        importlib.import_module(name)
    codec.decode(codec.encode([1, 2.5, "a", {"b": (None, True)}]))
    os.set_blocking(1, False)
    server = Server(codec)
    while server.turn():
        pass


if __name__ == "__main__":
    main()
