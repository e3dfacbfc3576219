"""Judge entry point: run programs by the thousand in cells of a warm server behind a wall.

The trusted side sends encoded arguments and receives encoded results; it never sends an expected
value and never lets the other side decide anything. Comparing is the caller's business.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from thresher.errors import InfrastructureError
from thresher.sandbox import walls
from thresher.sandbox.conditions import Conditions, plain
from thresher.sandbox.remote import CellLimits, Ended, Remote, decode
from thresher.sandbox.wall import NO_VARIABLES, Wall

DEFAULT_LIMITS = CellLimits()
CROWDED = 0.5  # of the processes that a server may have; gVisor never gives threads back


class Call(NamedTuple):
    """One call in encoded form; `after` names the arguments that are wanted back when it ended."""

    args: Sequence[Any]
    kwargs: dict[str, Any]
    after: Sequence[str] = ()


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a call gave, as the cell reports it: hostile data, checked for shape alone.

    Exactly one of `value` (an encoded tree), `raises` (an exception's type name) and `refused`
    (why the result is no plain data) is set. `ended` is false for a generator with more outputs;
    `after` has the arguments that were wanted, `taken` the numbers of the branches.
    """

    value: Any = msgspec.UNSET
    raises: str | None = None
    message: str = ""
    refused: str | None = None
    ended: bool = True
    after: dict[str, Any] = {}
    taken: frozenset[int] = frozenset()


class Printed(Outcome, frozen=True):
    """What a program printed is its `value`, as text; bytes that are none are lone surrogates."""


class Result(NamedTuple):
    """Answers in call order, as many as were given; `failure` where the program didn't load.

    `branches` is how many the entry point has, where they were asked for; theirs are the numbers
    below it, those of other functions the numbers from it on.
    """

    outcomes: tuple[Outcome, ...]
    failure: Outcome | None
    ended: Ended
    branches: int = 0


_decode_outcome = msgspec.json.Decoder(Outcome).decode


def never(number: int, outcome: Outcome) -> bool:
    """Want all outcomes: the default of `Judge.run`."""
    return False


class Judge:
    """A warm server behind the wall, running one program at a time; a context manager.

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
        self._codec = codec
        self._env = env
        self._wall = wall
        self._remote: Remote | None = None

    def __enter__(self) -> Self:
        """Start the server and wait until it is warm."""
        wall = self._wall or walls.in_force()
        self._remote = Remote(wall, self._codec, self._env).__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        """End the server and everything in it."""
        if self._remote is not None:
            self._remote.__exit__(None, None, None)

    @property
    def pid(self) -> int:
        """The process id of the wall's outermost process."""
        return self._running.pid

    @property
    def _running(self) -> Remote:
        if self._remote is None:
            raise InfrastructureError("the sandbox server is not running: use the judge in `with`")
        return self._remote

    def server(self) -> Remote:
        """Return the server, a new one where earlier programs left it no room for a next one."""
        if self._running.group.crowding() > CROWDED:
            self.__exit__()
            self.__enter__()
        return self._running

    def run(
        self,
        program: str,
        entry_point: str,
        calls: Sequence[Call],
        limits: CellLimits = DEFAULT_LIMITS,
        mode: str = "returns",
        branches: bool = False,
        enough: Callable[[int, Outcome], bool] = never,
    ) -> Result:
        """Load `program` in a fresh cell and make `calls` one after the other.

        Calls after one that ended the cell have no outcome.

        Args:
            program: its source.
            entry_point: the name of the function to call.
            calls: what to call it with.
            limits: what all of it may use.
            mode: what a call gives, as in `thresher.store.records.Mode`.
            branches: also watch which branches are taken, which takes many times as long.
            enough: is given each outcome with its number as it comes; where it says so, the cell
                is ended and later calls have no outcome.
        """
        setup: dict[str, Any] = {
            "role": "calls",
            "program": program,
            "entry_point": entry_point,
            "mode": mode,
            "branches": branches,
            "calls": [call._asdict() for call in calls],
        }
        with self.server().cell(setup, limits) as cell:
            cell.leave_alone()
            outcomes: list[Outcome] = []
            done = not calls
            loaded = cell.receive()
            if loaded is None or not _is_loaded(loaded):
                return Result((), read_outcome(loaded), cell.stop())
            while not done and (message := cell.receive_bytes()) is not None:
                if (outcome := _read_answer(message)) is None:
                    break
                outcomes.append(outcome)
                done = enough(len(outcomes) - 1, outcomes[-1]) or len(outcomes) == len(calls)
            ended = cell.stop()
            if done and ended.reason == "exited" and not ended.signal:
                ended = ended._replace(reason="stopped")  # it ended because we hung up
            return Result(tuple(outcomes), None, ended, _count(loaded.get("branches")))

    def run_program(
        self,
        program: str,
        stdin: str,
        limits: CellLimits = DEFAULT_LIMITS,
        conditions: Conditions | None = None,
    ) -> Result:
        """Run `program` as a program in a fresh cell, and give what it printed as the one outcome.

        Args:
            program: its source, run as ``__main__`` with real descriptors 0, 1 and 2.
            stdin: what it can read, as UTF-8.
            limits: what it may use.
            conditions: what is changed, in an interpreter of its own.
        """
        given = stdin.encode("utf-8", "surrogatepass")
        setup: dict[str, Any] = {"role": "program", "program": program, "stdin": given}
        if conditions is not None:
            setup["conditions"] = plain(conditions, limits)
        with self.server().cell(setup, limits) as cell:
            cell.leave_alone()
            printed = cell.drain()
            ended = cell.stop()
        if ended.reason != "exited" or ended.signal:
            return Result((), None, ended)
        return Result((_printed(printed, ended.status),), None, ended._replace(reason="stopped"))


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
    with (
        candidates.server().cell(calls, limits) as cell,
        checkers.server().cell(tests, limits) as checker,
    ):
        loaded = cell.receive()
        if not _is_loaded(loaded):
            return Result((), read_outcome(loaded), cell.stop())
        while (message := checker.receive()) is not None and "call" in message:
            cell.send(message["call"])
            reply = cell.receive()
            if reply is None:
                return Result((), None, cell.stop())
            try:
                checker.send(reply)
            except ValueError:  # nested too deeply to be sent on
                return Result((), None, cell.stop())
        if message is None:
            return Result((), None, checker.stop())
        verdict = Outcome(value=True) if message == {"passed": True} else read_outcome(message)
        return Result((verdict,), None, cell.stop())


def _read_answer(message: bytes) -> Outcome | None:
    """Read an answer; None for what is no message at all."""
    try:
        return _decode_outcome(message)
    except (ValueError, RecursionError):  # malformed, or JSON that Python's own module alone takes
        reply = decode(message)
        return None if reply is None else read_outcome(reply)


def _is_loaded(reply: dict[str, Any] | None) -> bool:
    return reply is not None and reply.get("loaded") is True


def _count(number: object) -> int:
    return number if isinstance(number, int) and number > 0 else 0


def _printed(data: bytes, status: int) -> Outcome:
    """Read what a program left: its output, or what a failed one says behind it."""
    if status == 0:
        return Printed(value=data.decode("utf-8", "surrogateescape"))
    try:
        said = msgspec.json.decode(data.rpartition(b"\0")[2], type=Outcome)
        return Outcome(raises=said.raises or "an exception", message=said.message)
    except (ValueError, RecursionError):
        return Outcome(refused=f"ended with exit status {status}")


def read_outcome(reply: dict[str, Any] | None) -> Outcome:
    """Read a reply strictly; anything malformed is refused, never trusted."""
    try:
        return msgspec.convert(reply, Outcome)
    except (ValueError, RecursionError):  # of the wrong shape, or text that is none
        return Outcome(refused="the program broke the protocol")
