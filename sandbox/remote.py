"""The trusted side of a warm server behind a wall: its start, its cells, and how they end."""

import contextlib
import functools
import importlib.util
import itertools
import json
import marshal
import math
import os
import select
import signal
import socket
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import msgspec

from thresher.errors import InfrastructureError
from thresher.sandbox import frames, sockets
from thresher.sandbox.cgroup import Cgroup
from thresher.sandbox.firewall import Policy
from thresher.sandbox.frames import CHANNEL
from thresher.sandbox.interpreter import interpreter, library_mounts
from thresher.sandbox.leftovers import scratch_folder
from thresher.sandbox.restart import CLOCK
from thresher.sandbox.wall import Entry, Inside, Mount, Wall

START_SECONDS = 30.0
GRACE_SECONDS = 10.0
PATIENCE_SECONDS = 0.4  # on a busy machine the end of a process takes its time
AGAIN_SECONDS = 0.05  # a cell that has hardly begun can't be killed yet
END_SECONDS = 5.0
REST_SECONDS = 0.05
CLOCK_SECONDS = 0.02  # how often a running cell's CPU time is looked at
SERVER_MEMORY = 4 << 30
SERVER_PROCESSES = 64
Reason = Literal["stopped", "exited", "cpu", "wall", "output", "memory"]
LIBRARY = "vendor/libfaketime/src/libfaketime.so.1"
_turn = itertools.count(os.getpid())


class CellLimits(NamedTuple):
    """What one program may use: seconds, bytes, processes."""

    cpu: float = 3.0
    wall: float = 60.0
    memory: int = 1 << 30
    processes: int = 32
    file: int = 16 << 20
    output: int = 8 << 20


class Ended(NamedTuple):
    """How a cell ended; `signal` is 0 where none killed it, `cpu` and `wall` are seconds.

    `status` is that of a program which exited by itself.
    """

    reason: Reason
    signal: int
    cpu: float
    wall: float
    status: int = 0


class Remote:
    """A running server, one cell at a time; a context manager.

    Args:
        wall: what keeps it in.
        codec: the standalone module that cells encode and decode values with.
        env: the variables of every cell.

    Raises:
        InfrastructureError: from any method, when the server ends or stops answering.
    """

    def __init__(self, wall: Wall, codec: Path, env: Mapping[str, str]) -> None:
        self._wall, self._codec, self._env = wall, codec, env
        self._stack = contextlib.ExitStack()
        self._memory_kills = 0
        self._number = 0

    def __enter__(self) -> Self:
        """Start the server and wait until it is warm."""
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        """End the server and everything in it."""
        self._stack.close()

    def _start(self) -> None:
        enter = self._stack.enter_context
        processes = self._wall.host_processes(SERVER_PROCESSES)
        self.group = enter(Cgroup(SERVER_MEMORY, processes, Policy(())))
        folder = enter(scratch_folder("channel"))
        self._cells = enter(sockets.listen(folder / "cells", socket.SOCK_STREAM))
        with (
            sockets.listen(folder / "control", socket.SOCK_SEQPACKET) as control,
            sockets.listen(folder / "guard", socket.SOCK_SEQPACKET) as guard,
        ):
            entry = enter(self._wall.enter(self._inside(folder), self.group.procs))
            self._process = _popen(entry)
            self._stack.callback(_end, self._process)
            self._ended = os.pidfd_open(self._process.pid)  # readable when it has
            self._stack.callback(os.close, self._ended)
            self._guard = enter(sockets.accept(guard, self._ended, START_SECONDS))
            self._control = enter(sockets.accept(control, self._ended, START_SECONDS))
        self._cells.setblocking(False)
        self._peer = sockets.peer(self._control)
        self._news = select.poll()
        self._news.register(self._control, select.POLLIN)
        ready = self.hear(time.monotonic() + START_SECONDS)
        if ready != frames.READY:
            raise InfrastructureError(f"the sandbox server began with {ready!r}, not ready")

    def _inside(self, channel: Path) -> Inside:
        return Inside(
            [str(interpreter()), "-s", "-S", "-B", "-P", "-m", "thresher.sandbox.warm"],
            [
                *self._stack.enter_context(library_mounts()),
                Mount(Path(__file__).parent, "/server/thresher/sandbox"),
                Mount(self._codec, "/server/values.py"),
                Mount(channel, CHANNEL),
                *_clock(),
            ],
            {"LD_BIND_NOW": "1", "PYTHONHASHSEED": "0", **self._env, "PYTHONPATH": "/server"},
            server=True,
        )

    @property
    def pid(self) -> int:
        """The process id of the wall's outermost process."""
        return self._process.pid

    @contextlib.contextmanager
    def cell(self, setup: dict[str, Any], limits: CellLimits) -> Iterator["Cell"]:
        """Start a cell with its first message; it is ended at the end."""
        cell = Cell(self, limits)
        try:
            cell.send(setup)
            yield cell
        except BaseException:
            # Ctrl-C ends the server too; that must not take the place of what ends us.
            with contextlib.suppress(InfrastructureError):
                cell.stop()
            raise
        cell.stop()

    def start_cell(self) -> socket.socket:
        """Have the server start a cell, and return the socket to it."""
        self._number += 1
        sockets.send(self._control, frames.START.pack(0, self._number))
        while True:
            try:
                channel = self._cells.accept()[0]  # it is made ahead of each cell
            except BlockingIOError:
                channel = sockets.accept(self._cells, self._ended, GRACE_SECONDS)
            if sockets.peer(channel) == self._peer:
                return channel
            channel.close()  # a program's, not the server's

    def kill_cell(self) -> None:
        """Have the present cell killed, unless it ended or has hardly begun."""
        sockets.send(self._guard, frames.KILL.pack(self._number))

    def hear(self, deadline: float) -> bytes:
        """Wait for a control message from the server."""
        if not self.has_news(max(0.01, deadline - time.monotonic())):
            raise InfrastructureError("the sandbox server stopped answering")
        try:
            packet = self._control.recv(frames.CONTROL_BYTES)
        except OSError:
            packet = b""
        if not packet:
            raise InfrastructureError("the sandbox server ended on its own")
        return packet

    def has_news(self, seconds: float) -> bool:
        """Wait so long for a control message, and say whether one is there."""
        return bool(self._news.poll(1000 * seconds))

    def lacks_memory(self) -> bool:
        """Say whether the kernel killed something for its memory since this was last asked."""
        before, self._memory_kills = self._memory_kills, self.group.memory_kills()
        return self._memory_kills > before


class Cell:
    """One running cell: messages out, messages in, and its end."""

    def __init__(self, remote: Remote, limits: CellLimits) -> None:
        self._remote = remote
        self._limits = limits
        self._inbox = bytearray()
        self._messages: deque[bytes] = deque()
        self._received = 0
        self._closed = False
        self._ended: Ended | None = None
        self._breach: Reason | None = None
        self._started = self._looked = time.monotonic()
        self._deadline = self._started + limits.wall + GRACE_SECONDS
        self._cpu_before = remote.group.cpu_seconds()
        remote.lacks_memory()  # what killed earlier programs is not this one's
        # Where the group's clock enforces the CPU limit, this one, of each process alone, must not
        # come first: gVisor's clock runs on for every thread that could run on a busy host.
        counted = self._cpu_before is not None
        seconds = math.ceil(limits.wall * limits.processes if counted else limits.cpu) + 1
        self._outbox = bytearray(_packed(seconds, limits))
        self._channel = remote.start_cell()

    def send(self, message: dict[str, Any]) -> None:
        """Queue one message of plain data for the cell; it goes out while answers come in.

        Raises:
            ValueError: it is nested too deeply.
        """
        data = marshal.dumps(message)
        self._outbox += frames.LENGTH.pack(len(data)) + data

    def leave_alone(self) -> None:
        """Send all there is and hang up; most cells end before their answers need be looked at."""
        self._push()
        with contextlib.suppress(OSError):
            if not self._outbox:
                self._channel.shutdown(socket.SHUT_WR)
                self._remote.has_news(REST_SECONDS)

    def _push(self) -> None:
        """Send what the cell takes; to one that takes no more there is nothing to send."""
        try:
            del self._outbox[: self._channel.send(self._outbox, socket.MSG_DONTWAIT)]
        except BlockingIOError:
            return
        except OSError:  # what it sent before may still be there to read
            self._outbox.clear()

    def receive(self) -> dict[str, Any] | None:
        """Return the cell's next message, or None when it ended or broke the protocol."""
        message = self.receive_bytes()
        return None if message is None else decode(message)

    def receive_bytes(self) -> bytes | None:
        """Return the cell's next message as it came, or None when it ended."""
        while not self._messages:
            if self._closed or self._breach or not self._exchange():
                return None
            self._messages.extend(frames.take(self._inbox))
        return self._messages.popleft()

    def drain(self) -> bytes:
        """Return all that the cell sends until it ends or breaks a limit."""
        while self._exchange():
            pass
        return bytes(self._inbox)

    def stop(self) -> Ended:
        """Kill the cell if it still runs, and return how it ended."""
        if self._ended is None:
            try:
                self._ended = self._stop()
            except InfrastructureError:  # a wall with a kernel of its own dies as a whole
                if not self._remote.lacks_memory():
                    raise
                elapsed = time.monotonic() - self._started
                self._ended = Ended("memory", signal.SIGKILL, 0.0, elapsed)
        return self._ended

    def _stop(self) -> Ended:
        self._channel.close()
        self._deadline = max(self._deadline, time.monotonic() + GRACE_SECONDS)
        # One that hung up is ending by itself; give it time to say by what.
        patience = PATIENCE_SECONDS if self._closed and not self._breach else 0.0
        killed = False
        while not self._remote.has_news(patience) and time.monotonic() < self._deadline:
            self._remote.kill_cell()
            killed, patience = True, AGAIN_SECONDS
        status, *times = frames.REPORT.unpack(self._remote.hear(self._deadline))
        cpu = times[0] + times[2] + (times[1] + times[3]) / 1e6
        killed_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        cpu = self._used() or cpu
        reason: Reason = self._breach or ("stopped" if killed else "exited")
        if self._closed and killed_by == signal.SIGKILL and self._remote.lacks_memory():
            reason = "memory"
        elif cpu > self._limits.cpu:
            reason = "cpu"
        exit_status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        return Ended(reason, killed_by, cpu, time.monotonic() - self._started, exit_status)

    def _overtime(self) -> Reason | None:
        if self._used() > self._limits.cpu:
            return "cpu"
        return "wall" if time.monotonic() - self._started > self._limits.wall else None

    def _used(self) -> float:
        """Return the CPU seconds since the start; 0 where the host doesn't count them."""
        before, now = self._cpu_before, self._remote.group.cpu_seconds()
        return 0.0 if before is None or now is None else now - before

    def _exchange(self) -> bool:
        """Send what the cell takes and read what it gives; return False when it has hung up."""
        data = self._read()
        if data is None:
            writers = [self._channel] if self._outbox else []
            if select.select([self._channel], writers, [], CLOCK_SECONDS)[1]:
                self._push()
        if time.monotonic() > self._looked + CLOCK_SECONDS:
            self._looked = time.monotonic()
            if breach := self._overtime():
                self._breach = breach
                return False
        if data is not None:
            self._inbox += data
            self._received += len(data)
            self._closed = not data
            if self._received > self._limits.output:
                self._breach = "output"
        return not self._closed and self._breach is None

    def _read(self) -> bytes | None:
        """Return what the cell has sent, nothing where it hung up, None where it sent nothing."""
        try:
            return self._channel.recv(frames.CHUNK, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError:
            return b""


def decode(message: bytes) -> dict[str, Any] | None:
    """Read a cell's message; None where it is none."""
    try:
        try:
            decoded = msgspec.json.decode(message)
        except msgspec.DecodeError:  # or JSON that Python's own module alone takes
            decoded = json.loads(message)
    except (ValueError, RecursionError):
        return None
    return decoded if isinstance(decoded, dict) else None


@functools.lru_cache(8)
def _packed(seconds: int, limits: CellLimits) -> bytes:
    """Return the limits as the cell sets them, each the soft and the hard one."""
    most = seconds, limits.memory, limits.file, limits.processes
    return frames.LIMITS.pack(*(number for number in most for _ in range(2)))


def _clock() -> Iterator[Mount]:
    """Give the library that shows programs another clock, where it is installed."""
    spec = importlib.util.find_spec("libfaketime")
    library = Path(spec.origin).parent / LIBRARY if spec and spec.origin else None
    if library and library.exists():
        yield Mount(library, CLOCK)


def _popen(entry: Entry) -> subprocess.Popen[bytes]:
    """Start the server on one processor: its cells are its copies, in that one's caches."""
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(
        entry.argv, stdin=nothing, stdout=nothing, stderr=nothing, pass_fds=entry.descriptors
    )
    processors = sorted(os.sched_getaffinity(0))
    with contextlib.suppress(ProcessLookupError):
        os.sched_setaffinity(process.pid, {processors[next(_turn) % len(processors)]})
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the server, which ends when nobody is connected; kill it when it doesn't."""
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
