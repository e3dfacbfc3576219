"""The warm server: runs inside the wall and clones one cell per program.

Standard library only. It connects a socket for each cell and never reads from it, so that what one
program is given or answers is never in the memory of the next. When a cell's first process ends,
the kernel ends all others of its PID namespace.

Usage: ``python -m thresher.sandbox.server``, where `thresher.sandbox.frames.CHANNEL` holds the
sockets of the trusted side.
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
from thresher.sandbox.frames import CHANNEL, CONTROL_BYTES, control
from thresher.sandbox.libc import call
from thresher.sandbox.warm import warm

CODEC = "values"  # the module's name inside the wall
POLL_SECONDS = 0.02
MNT_DETACH = 2
CLONE_FLAGS = 0x00020000 | 0x08000000 | 0x20000000  # new mount, IPC and PID namespaces


class RunningCell:
    """The server's side of a cell: its process, its limits and how it ends."""

    def __init__(self, pid: int, limits: dict[str, float]) -> None:
        self.pid, self.limits = pid, limits
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

    def report(self) -> dict[str, object] | None:
        """Reap the process if it has ended and say how; its children's time counts as well."""
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        cpu = usage.ru_utime + usage.ru_stime
        return {
            "reason": "cpu" if cpu > self.limits["cpu"] + POLL_SECONDS else self.reason,
            "status": status,
            "cpu": cpu,
            "wall": time.monotonic() - self.started,
        }


def start_cell(
    codec: ModuleType, limits: dict[str, float], filter_program: bytes, channel: socket.socket
) -> RunningCell:
    """Clone a cell into fresh namespaces; `channel` is its socket, closed here."""
    arguments = (seccomp.clone_number(), CLONE_FLAGS | signal.SIGCHLD, 0, 0, 0, 0)
    pid = call("syscall", *map(ctypes.c_long, arguments))
    if pid == 0:
        try:
            ctypes.pythonapi.PyOS_AfterFork_Child()  # also gives `random` a fresh seed
            cell.run(codec, limits, filter_program, channel.fileno())
        finally:
            os._exit(0)
    channel.close()
    return RunningCell(pid, limits)


class Server:
    """One loop over the control socket and the end of one cell."""

    def __init__(self, codec: ModuleType) -> None:
        self.codec = codec
        self.filter = seccomp.build(platform.machine())
        self.cell: RunningCell | None = None
        self.devices = {target: os.lstat(target).st_dev for target in cell.PRIVATE}
        self.child_ended = wake_on_child()
        self.control = connect("control", socket.SOCK_SEQPACKET)
        self.next = connect("cells", socket.SOCK_STREAM)
        self.control.send(control(b"R", None))

    def listen(self) -> bool:
        """Do what the trusted side asks; return False when it is gone."""
        packet = self.control.recv(CONTROL_BYTES)
        if packet[:1] == b"S":
            self.cell = start_cell(self.codec, json.loads(packet[1:]), self.filter, self.next)
            self.next = connect("cells", socket.SOCK_STREAM)
        elif packet[:1] == b"K" and self.cell:
            self.cell.kill("stopped")
        return bool(packet)

    def turn(self) -> bool:
        """Wait for something to do and do it; return False when the trusted side is gone."""
        readers = [self.control.fileno(), self.child_ended]
        readable, _, _ = select.select(readers, [], [], POLL_SECONDS if self.cell else None)
        if self.child_ended in readable:
            os.read(self.child_ended, CONTROL_BYTES)
        if self.cell and (report := self.cell.report()):
            self.cell = None
            self.clean()
            self.control.send(control(b"X", report))
        elif self.cell:
            self.cell.check_limits()
        return self.listen() if self.control.fileno() in readable else True

    def clean(self) -> None:
        """Take off what the cell mounted, where its mount namespace was not its own (gVisor)."""
        for target, device in self.devices.items():
            while os.lstat(target).st_dev != device:
                call("umount2", target.encode(), MNT_DETACH)


def connect(name: str, kind: socket.SocketKind) -> socket.socket:
    """Connect to one of the sockets of the trusted side."""
    channel = socket.socket(socket.AF_UNIX, kind)
    channel.connect(f"{CHANNEL}/{name}")
    return channel


def wake_on_child() -> int:
    """Return a descriptor that becomes readable when a child ends (gVisor has no pidfd)."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    return read


def main() -> None:
    """Warm the interpreter, then serve until the control socket closes."""
    codec = importlib.import_module(CODEC)
    warm(codec)
    server = Server(codec)
    while server.turn():
        pass


if __name__ == "__main__":
    main()
