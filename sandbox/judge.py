"""Judge entry point: run programs by the thousand in cells of a warm server behind a wall.

The trusted side sends encoded arguments and receives encoded results; it never sends an expected
value and never lets the other side decide anything. Comparing is the caller's business.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import msgspec

from thresher.errors import InfrastructureError
from thresher.sandbox import frames, walls
from thresher.sandbox.cgroup import Cgroup
from thresher.sandbox.firewall import Policy
from thresher.sandbox.frames import CHANNEL
from thresher.sandbox.interpreter import interpreter, library_mounts
from thresher.sandbox.wall import NO_VARIABLES, Entry, Inside, Mount, Wall

START_SECONDS = 30.0
GRACE_SECONDS = 10.0
PATIENCE_SECONDS = 0.2
REST_SECONDS = 0.05
CLOCK_SECONDS = 0.02  # how often a running cell's CPU time is looked at
SERVER_MEMORY = 4 << 30
SERVER_PROCESSES = 64
Reason = Literal["stopped", "exited", "cpu", "wall", "output", "memory"]
REASONS: tuple[Reason, ...] = ("exited", "stopped", "cpu", "wall")  # by the number in a report


class CellLimits(NamedTuple):
    """What one program may use: seconds, bytes, processes."""

    cpu: float = 3.0
    wall: float = 60.0
    memory: int = 1 << 30
    processes: int = 32
    file: int = 16 << 20
    output: int = 8 << 20


DEFAULT_LIMITS = CellLimits()


class Call(NamedTuple):
    """One call in encoded form."""

    args: Sequence[Any]
    kwargs: dict[str, Any]


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a call gave, as the cell reports it: hostile data, checked for shape alone.

    Exactly one of `value` (an encoded tree), `raises` (an exception's type name) and `refused`
    (why the result is no plain data) is set.
    """

    value: Any = msgspec.UNSET
    raises: str | None = None
    message: str = ""
    refused: str | None = None


class Ended(NamedTuple):
    """How a cell ended; `signal` is 0 where none killed it, `cpu` and `wall` are seconds."""

    reason: Reason
    signal: int
    cpu: float
    wall: float


class Result(NamedTuple):
    """Answers in call order, as many as were given; `failure` where the program didn't load."""

    outcomes: tuple[Outcome, ...]
    failure: Outcome | None
    ended: Ended


class _Server(NamedTuple):
    """A running server.

    Attributes:
        process: its outermost process.
        ended: becomes readable when that has ended.
        control: the socket to it.
        cells: where it connects a socket for each cell.
        group: what bounds it and counts its processor time.
    """

    process: subprocess.Popen[bytes]
    ended: int
    control: socket.socket
    cells: socket.socket
    group: Cgroup


class Judge:
    """A warm server behind the wall, running one cell at a time; a context manager.

    Args:
        codec: the standalone module (`encode`, `decode`, `Unencodable`) used inside.
        env: the variables of every cell; PYTHONHASHSEED is 0 where it isn't among them.
        wall: what keeps it in; by default the strongest that works here.

    Raises:
        InfrastructureError: from any method, when the server ends or stops answering.
    """

    def __init__(
        self, codec: Path, env: Mapping[str, str] = NO_VARIABLES, wall: Wall | None = None
    ) -> None:
        self._stack = contextlib.ExitStack()
        self._codec = codec
        self._env = env
        self._wall = wall
        self._running: _Server | None = None
        self._memory_kills = 0

    def __enter__(self) -> Self:
        """Start the server and wait until it is warm."""
        try:
            self._running = self._start(self._wall or walls.in_force())
            kind = self._hear(time.monotonic() + START_SECONDS)
            if kind != b"R":
                raise InfrastructureError(f"the sandbox server began with {kind!r}, not ready")
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        """End the server and everything in it."""
        self._stack.close()

    def _start(self, wall: Wall) -> "_Server":
        enter = self._stack.enter_context
        processes = wall.host_processes(SERVER_PROCESSES)
        group = enter(Cgroup(SERVER_MEMORY, processes, Policy(())))
        folder = Path(enter(tempfile.TemporaryDirectory(prefix="thresher-channel-")))
        cells = enter(_listen(folder / "cells", socket.SOCK_STREAM))
        with _listen(folder / "control", socket.SOCK_SEQPACKET) as listener:
            entry = enter(wall.enter(self._inside(folder), group.procs))
            process = _popen(entry)
            self._stack.callback(_end, process)
            ended = os.pidfd_open(process.pid)
            self._stack.callback(os.close, ended)
            control = enter(_accept(listener, ended, START_SECONDS))
        return _Server(process, ended, control, cells, group)

    def _inside(self, channel: Path) -> Inside:
        return Inside(
            [str(interpreter()), "-s", "-S", "-B", "-P", "-m", "thresher.sandbox.server"],
            [
                *self._stack.enter_context(library_mounts()),
                Mount(Path(__file__).parent, "/server/thresher/sandbox"),
                Mount(self._codec, "/server/values.py"),
                Mount(channel, CHANNEL),
            ],
            {"LD_BIND_NOW": "1", "PYTHONHASHSEED": "0", **self._env, "PYTHONPATH": "/server"},
            server=True,
        )

    @property
    def _server(self) -> "_Server":
        if self._running is None:
            raise InfrastructureError("the sandbox server is not running: use the judge in `with`")
        return self._running

    @property
    def pid(self) -> int:
        """The process id of the wall's outermost process."""
        return self._server.process.pid

    def run(
        self,
        program: str,
        entry_point: str,
        calls: Sequence[Call],
        limits: CellLimits = DEFAULT_LIMITS,
    ) -> Result:
        """Load `program` in a fresh cell and make `calls` one after the other.

        Calls after one that ended the cell have no outcome.
        """
        setup = {"role": "calls", "program": program, "entry_point": entry_point}
        with self._cell(setup, limits) as cell:
            for call in calls:
                cell.send(call._asdict())
            cell.leave_alone()
            outcomes: list[Outcome] = []
            loaded = cell.receive()
            if loaded is None or loaded.get("loaded") is not True:
                return Result((), _outcome(loaded), cell.stop())
            while len(outcomes) < len(calls) and (reply := cell.receive()) is not None:
                outcomes.append(_outcome(reply))
            ended = cell.stop()
            if len(outcomes) == len(calls) and ended.reason == "exited" and not ended.signal:
                ended = ended._replace(reason="stopped")  # it ended because we hung up
            return Result(tuple(outcomes), None, ended)

    @contextlib.contextmanager
    def _cell(self, setup: dict[str, str], limits: CellLimits) -> Iterator["Cell"]:
        cell = Cell(self, limits)
        cell.send(setup)
        try:
            yield cell
        finally:
            cell.stop()

    def _start_cell(self, limits: CellLimits) -> socket.socket:
        """Have the server start a cell, and return the socket to it."""
        self._tell(b"S" + frames.LIMITS.pack(*limits))
        channel = _accept(self._server.cells, self._server.ended, GRACE_SECONDS)
        channel.setblocking(False)
        return channel

    def _tell(self, packet: bytes) -> None:
        """Send a control message to the server."""
        try:
            self._server.control.send(packet)
        except OSError:
            raise InfrastructureError("the sandbox server ended on its own") from None

    def _hear(self, deadline: float) -> bytes:
        """Wait for a control message from the server."""
        channel = self._server.control
        channel.settimeout(max(0.01, deadline - time.monotonic()))
        try:
            packet = channel.recv(frames.CONTROL_BYTES)
        except TimeoutError:
            raise InfrastructureError("the sandbox server stopped answering") from None
        except OSError:
            packet = b""
        if not packet:
            raise InfrastructureError("the sandbox server ended on its own")
        return packet

    def _lacks_memory(self) -> bool:
        """Say whether the kernel killed something for its memory since this was last asked."""
        before, self._memory_kills = self._memory_kills, self._server.group.memory_kills()
        return self._memory_kills > before

    def _has_news(self, seconds: float) -> bool:
        return bool(select.select([self._server.control], [], [], seconds)[0])


class Cell:
    """The trusted side of one running cell: messages out, messages in, and its end."""

    def __init__(self, judge: Judge, limits: CellLimits) -> None:
        self._judge = judge
        self._limits = limits
        self._inbox, self._outbox = bytearray(), bytearray()
        self._received = 0
        self._closed = False
        self._ended: Ended | None = None
        self._breach: Reason | None = None
        self._started = time.monotonic()
        self._deadline = self._started + limits.wall + GRACE_SECONDS
        self._clock = judge._server.group.cpu_seconds
        self._cpu_before = self._clock()
        # The group's clock counts all processes, and gVisor's own runs fast on a busy host.
        inside = limits if self._cpu_before is None else limits._replace(cpu=limits.wall)
        self._channel = judge._start_cell(inside)

    def send(self, message: object) -> None:
        """Queue one message for the cell; it goes out while answers come in."""
        try:
            data = msgspec.json.encode(message)
        except UnicodeEncodeError:  # text with half a surrogate pair
            data = json.dumps(message).encode()
        self._outbox += frames.LENGTH.pack(len(data)) + data

    def leave_alone(self) -> None:
        """Send all there is and hang up; most cells end before their answers need be looked at."""
        with contextlib.suppress(OSError):
            del self._outbox[: self._channel.send(self._outbox)]
            if not self._outbox:
                self._channel.shutdown(socket.SHUT_WR)
                self._judge._has_news(REST_SECONDS)

    def receive(self) -> dict[str, Any] | None:
        """Return the cell's next message, or None when it ended or broke the protocol."""
        while (message := frames.take(self._inbox)) is None:
            if self._closed or self._breach or not self._exchange():
                return None
        try:
            return _decode(message)
        except (ValueError, RecursionError):
            return None

    def stop(self) -> Ended:
        """Kill the cell if it still runs, and return how it ended."""
        if self._ended is None:
            try:
                self._ended = self._stop()
            except InfrastructureError:  # a wall with a kernel of its own dies as a whole
                if not self._judge._lacks_memory():
                    raise
                elapsed = time.monotonic() - self._started
                self._ended = Ended("memory", signal.SIGKILL, 0.0, elapsed)
        return self._ended

    def _stop(self) -> Ended:
        self._channel.close()
        # One that hung up is ending by itself; give it time to say by what.
        patience = PATIENCE_SECONDS if self._closed else 0.0
        if self._breach or not self._judge._has_news(patience):
            self._judge._tell(b"K")
        packet = self._judge._hear(self._deadline)
        number, status, cpu, wall = frames.REPORT.unpack(packet[1:])
        killed_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        cpu = self._used() or cpu
        reason: Reason = self._breach or REASONS[number]
        if self._closed and killed_by == signal.SIGKILL and self._judge._lacks_memory():
            reason = "memory"
        elif cpu > self._limits.cpu:
            reason = "cpu"
        return Ended(reason, killed_by, cpu, wall)

    def _used(self) -> float:
        """Return the CPU seconds since the start; 0 where the host doesn't count them."""
        before, now = self._cpu_before, self._clock()
        return 0.0 if before is None or now is None else now - before

    def _exchange(self) -> bool:
        """Send what the cell takes and read what it gives; return False when it has hung up."""
        left = self._deadline - time.monotonic()
        if left < 0:
            raise InfrastructureError("the sandbox server let a cell run on past its limits")
        writers = [self._channel] if self._outbox else []
        readable, writable, _ = select.select([self._channel], writers, [], CLOCK_SECONDS)
        if not readable and self._used() > self._limits.cpu:
            self._breach = "cpu"
            return False
        try:
            if writable:
                del self._outbox[: self._channel.send(self._outbox)]
            data = self._channel.recv(frames.CHUNK) if readable else None
        except OSError:
            data = b""
        if data is not None:
            self._inbox += data
            self._received += len(data)
            self._closed = not data
            if self._received > self._limits.output:
                self._breach = "output"
        return not self._closed and self._breach is None


def check(
    candidates: Judge,
    checkers: Judge,
    program: str,
    entry_point: str,
    test_program: str,
    limits: CellLimits = DEFAULT_LIMITS,
) -> Result:
    """Run opaque test code (`check(candidate)`) against a program, each in a cell of its own.

    The test code calls the candidate by messages that pass through here, so that the candidate's
    process holds neither the test nor its expected values.

    Returns:
        A result whose only outcome is the check's: the value True, or what it raised.
    """
    calls = {"role": "calls", "program": program, "entry_point": entry_point}
    tests = {"role": "check", "program": test_program, "entry_point": ""}
    with candidates._cell(calls, limits) as cell, checkers._cell(tests, limits) as checker:
        loaded = cell.receive()
        if loaded is None or loaded.get("loaded") is not True:
            return Result((), _outcome(loaded), cell.stop())
        while (message := checker.receive()) is not None and "call" in message:
            cell.send(message["call"])
            reply = cell.receive()
            if reply is None:
                return Result((), None, cell.stop())
            checker.send(reply)
        if message is None:
            return Result((), None, checker.stop())
        verdict = Outcome(value=True) if message == {"passed": True} else _outcome(message)
        return Result((verdict,), None, cell.stop())


def _decode(message: bytes) -> dict[str, Any] | None:
    try:
        decoded = msgspec.json.decode(message)
    except msgspec.DecodeError:  # or JSON that Python's own module alone takes
        decoded = json.loads(message)
    return decoded if isinstance(decoded, dict) else None


def _outcome(reply: dict[str, Any] | None) -> Outcome:
    """Read a reply strictly; anything malformed is refused, never trusted."""
    try:
        return msgspec.convert(reply, Outcome)
    except (ValueError, RecursionError):  # of the wrong shape, or text that is none
        return Outcome(refused="the program broke the protocol")


def _listen(path: Path, kind: socket.SocketKind) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, kind)
    listener.bind(str(path))
    listener.listen()
    return listener


def _accept(listener: socket.socket, ended: int, seconds: float) -> socket.socket:
    """Take the server's next connection, unless it ends; it makes one ahead of each cell."""
    readable, _, _ = select.select([listener.fileno(), ended], [], [], seconds)
    if listener.fileno() in readable:
        return listener.accept()[0]
    raise InfrastructureError(
        "the sandbox server ended on its own" if readable else "the sandbox server did not start"
    )


def _popen(entry: Entry) -> subprocess.Popen[bytes]:
    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        entry.argv, stdin=nothing, stdout=nothing, stderr=nothing, pass_fds=entry.descriptors
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the server."""
    process.kill()
    process.wait()
