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
import os
import platform
import resource
import select
import signal
import socket
import time
from types import ModuleType

from thresher.sandbox import cell, seccomp
from thresher.sandbox.frames import (
    CHANNEL,
    CONTROL_BYTES,
    CPU,
    EXITED,
    LIMIT_NAMES,
    LIMITS,
    REPORT,
    STOPPED,
    WALL,
)
from thresher.sandbox.libc import call
from thresher.sandbox.warm import warm

CODEC = "values"  # the module's name inside the wall
POLL_SECONDS = 0.02
MNT_DETACH = 2
PR_SET_NO_NEW_PRIVS = 38


class Server:
    """Serves one cell after the other; what runs while a cell lives is kept short.

    A page that the server writes to while a cell shares it is copied.
    """

    def __init__(self, codec: ModuleType) -> None:
        self.codec = codec
        self.devices = {target: os.lstat(target).st_dev for target in cell.PRIVATE}
        self.child_ended = wake_on_child()
        self.control = connect("control", socket.SOCK_SEQPACKET)
        self.readers = [self.control.fileno(), self.child_ended]
        self.next = connect("cells", socket.SOCK_STREAM)
        self.control.send(b"R")

    def serve(self) -> None:
        """Start a cell whenever the trusted side asks, until that is gone."""
        while packet := self.control.recv(CONTROL_BYTES):
            if packet[:1] == b"S":  # a K came after the end of its cell
                limits = dict(zip(LIMIT_NAMES, LIMITS.unpack(packet[1:]), strict=True))
                self.control.send(b"X" + self.run(limits))

    def run(self, limits: dict[str, float]) -> bytes:
        """Run one cell to its end and say how it ended; its children's time counts as well."""
        started = time.monotonic()
        pid = start_cell(self.codec, limits, self.next)
        reason, status, usage = self.watch(pid, limits, started + limits["wall"])
        self.clean()
        self.next = connect("cells", socket.SOCK_STREAM)
        cpu = usage.ru_utime + usage.ru_stime
        if cpu > limits["cpu"] + POLL_SECONDS:
            reason = CPU
        return REPORT.pack(reason, status, cpu, time.monotonic() - started)

    def watch(
        self, pid: int, limits: dict[str, float], deadline: float
    ) -> tuple[int, int, resource.struct_rusage]:
        """Reap a cell when it ends, or bring that about; the first reason stands."""
        reason = EXITED
        while True:
            readable, _, _ = select.select(self.readers, [], [], POLL_SECONDS)
            if self.child_ended in readable:
                os.read(self.child_ended, CONTROL_BYTES)
                ended, status, usage = os.wait4(pid, os.WNOHANG)
                if ended:
                    return reason, status, usage
            elif not reason and (reason := self.stopped(readable) or over(pid, limits, deadline)):
                # The kernel ends all others of its PID namespace with it.
                os.kill(pid, signal.SIGKILL)

    def stopped(self, readable: list[int]) -> int:
        """Say whether the trusted side wants the cell to end, or is gone."""
        return STOPPED if readable and self.control.recv(CONTROL_BYTES)[:1] in b"K" else EXITED

    def clean(self) -> None:
        """Take off what the cell mounted, where its mount namespace was not its own (gVisor)."""
        for target, device in self.devices.items():
            while os.lstat(target).st_dev != device:
                call("umount2", target, MNT_DETACH)


def start_cell(codec: ModuleType, limits: dict[str, float], channel: socket.socket) -> int:
    """Clone a cell into fresh namespaces; `channel` is its socket, closed here."""
    # No PyOS_AfterFork_Child: it mends threads and locks, and there is one thread here.
    arguments = (seccomp.clone_number(), seccomp.CELL_FLAGS, 0, 0, 0, 0)
    pid = call("syscall", *map(ctypes.c_long, arguments))
    if pid == 0:
        try:
            cell.run(codec, limits, channel.fileno())
        finally:
            os._exit(0)
    channel.close()  # or the trusted side would not hear that the cell hung up
    return pid


def over(pid: int, limits: dict[str, float], deadline: float) -> int:
    """Return which time limit a cell is over, EXITED where none."""
    used = 0.0
    with contextlib.suppress(OSError):
        used = time.clock_gettime((~pid << 3) | 2)  # the clock of that process's CPU time
    if used > limits["cpu"]:
        return CPU
    return WALL if time.monotonic() > deadline else EXITED


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
    null = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):  # of the cells, too
        os.dup2(null, standard)
    call("malloc_trim", 0)
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    seccomp.install(seccomp.build(platform.machine()))
    Server(codec).serve()


if __name__ == "__main__":
    main()
