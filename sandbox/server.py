"""The warm server: runs inside the wall and clones one cell per program.

Standard library only. It hands each cell its socket and keeps nothing of it, so that what one
program is given or answers is never in the memory of the next. When a cell's first process ends,
the kernel ends all others of its PID namespace.

Usage: ``python -m thresher.sandbox.server``, with the control socket as standard input (see
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
import socket
import time
from types import ModuleType

from thresher.sandbox import cell, seccomp
from thresher.sandbox.frames import CONTROL_BYTES, control
from thresher.sandbox.libc import call

CODEC = "values"  # the module's name inside the wall
POLL_SECONDS = 0.02
CLONE_FLAGS = 0x00020000 | 0x08000000 | 0x20000000  # new mount, IPC and PID namespaces
# Imported once so that no program pays for them again.
WARM = (
    "abc bisect calendar cmath collections contextlib copy dataclasses datetime decimal enum "
    "fractions functools hashlib heapq io itertools math numbers operator os pprint random re "
    "statistics string struct textwrap time traceback types typing unicodedata uuid warnings"
)


class RunningCell:
    """The server's side of a cell: its process, its limits and how it ends."""

    def __init__(self, pid: int, limits: dict[str, float]) -> None:
        self.pid, self.limits = pid, limits
        self.ended = os.pidfd_open(pid)  # readable when the process has ended
        self.started = time.monotonic()
        self.reason = "exited"
        self.clock = (~pid << 3) | 2  # the kernel's clock id of that process's CPU time

    def check_limits(self) -> None:
        """Kill the cell when it is over a time limit."""
        used = 0.0
        with contextlib.suppress(OSError):
            used = time.clock_gettime(self.clock)
        if used > self.limits["cpu"]:
            self.kill("cpu")
        elif time.monotonic() - self.started > self.limits["wall"]:
            self.kill("wall")

    def kill(self, reason: str) -> None:
        """End the cell's first process, and so all of its namespace; the first reason stands."""
        if self.reason == "exited":
            self.reason = reason
            os.kill(self.pid, signal.SIGKILL)

    def report(self) -> dict[str, object]:
        """Reap the ended process and say how it ended; its children's time counts as well."""
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self.ended)
        cpu = usage.ru_utime + usage.ru_stime
        return {
            "reason": "cpu" if cpu > self.limits["cpu"] + POLL_SECONDS else self.reason,
            "status": status,
            "cpu": cpu,
            "wall": time.monotonic() - self.started,
        }


def start_cell(
    codec: ModuleType, limits: dict[str, float], filter_program: bytes, channel: int
) -> RunningCell:
    """Clone a cell into fresh namespaces; `channel` is its socket, closed here."""
    arguments = (seccomp.clone_number(), CLONE_FLAGS | signal.SIGCHLD, 0, 0, 0, 0)
    pid = call("syscall", *map(ctypes.c_long, arguments))
    if pid == 0:
        try:
            ctypes.pythonapi.PyOS_AfterFork_Child()  # also gives `random` a fresh seed
            cell.run(codec, limits, filter_program, channel)
        finally:
            os._exit(0)
    os.close(channel)
    return RunningCell(pid, limits)


class Server:
    """One loop over the control socket and the end of one cell."""

    def __init__(self, codec: ModuleType, channel: socket.socket) -> None:
        self.codec = codec
        self.control = channel
        self.filter = seccomp.build(platform.machine())
        self.cell: RunningCell | None = None
        channel.send(control(b"R", None))

    def listen(self) -> bool:
        """Do what the trusted side asks; return False when it is gone."""
        packet, channels, _, _ = socket.recv_fds(self.control, CONTROL_BYTES, 1)
        if packet[:1] == b"S":
            limits = json.loads(packet[1:])
            self.cell = start_cell(self.codec, limits, self.filter, channels[0])
        elif packet[:1] == b"K" and self.cell:
            self.cell.kill("stopped")
        return bool(packet)

    def turn(self) -> bool:
        """Wait for something to do and do it; return False when the trusted side is gone."""
        readers = [self.control.fileno()] + ([self.cell.ended] if self.cell else [])
        readable, _, _ = select.select(readers, [], [], POLL_SECONDS if self.cell else None)
        if self.cell and self.cell.ended in readable:
            ended, self.cell = self.cell, None
            self.control.send(control(b"X", ended.report()))
        elif self.cell:
            self.cell.check_limits()
        return self.listen() if self.control.fileno() in readable else True


def main() -> None:
    """Warm the interpreter, then serve until the control socket closes."""
    codec = importlib.import_module(CODEC)
    for name in WARM.split():
        importlib.import_module(name)
    codec.decode(codec.encode([1, 2.5, "a", {"b": (None, True)}]))
    server = Server(codec, socket.socket(fileno=0))
    while server.turn():
        pass


if __name__ == "__main__":
    main()
