"""Judge a program against a problem's cases: cells run it, and the comparison is made here."""

import contextlib
import json
import os
import queue
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import msgspec

from thresher.errors import InfrastructureError, SandboxUnavailable
from thresher.sandbox.conditions import Conditions
from thresher.sandbox.judge import (
    DEFAULT_LIMITS,
    Call,
    Judge,
    Outcome,
    Printed,
    Result,
    never,
)
from thresher.sandbox.remote import CellLimits, Ended
from thresher.sandbox.vary import Varied, vary
from thresher.sandbox.wall import NO_VARIABLES, Wall
from thresher.store import data, values
from thresher.store.comparison import agree
from thresher.store.records import Comparator, Mode, Problem, TestCase, Tree, Verdict

CODEC = Path(values.__file__)
TRIES = 3
LONGEST_DETAIL = 300  # characters
# What stops a host, not a program: no wall, no process, no descriptor left, a server that died.
HOST_FAULTS = (InfrastructureError, SandboxUnavailable, OSError)
SIGNALS: dict[int, tuple[Verdict, str]] = {
    signal.SIGXCPU: ("timeout", "over a limit of CPU time that it set itself"),
    signal.SIGXFSZ: ("denied", "wrote too large a file"),
    signal.SIGSYS: ("denied", "made a forbidden system call"),
}


Ran = TypeVar("Ran", Result, Varied)


class Judged(NamedTuple):
    """The verdict on one program: the first failing case, what it gave, and what it cost.

    That is for all cases together where they run in one cell, else for the costliest.
    """

    verdict: Verdict
    failing_case: int | None
    detail: str
    cpu_seconds: float
    wall_seconds: float


NOT_COMPARED: Mapping[int, bool] = {}
NO_CASES = Judged("infrastructure_error", None, "the problem has no cases", 0.0, 0.0)
NO_CHECKER = Judged("infrastructure_error", None, "the problem's checker can't be run", 0.0, 0.0)


class Judges:
    """A pool of judges of one environment; usable from several threads; a context manager.

    A judge whose server fails is replaced and the program is run again: after `TRIES` failures
    the verdict is ``infrastructure_error``, never a fail.
    """

    def __init__(
        self,
        size: int | None = None,
        env: Mapping[str, str] = NO_VARIABLES,
        wall: Wall | None = None,
    ) -> None:
        self.size = size or len(os.sched_getaffinity(0))
        self.env = env
        self.wall = wall
        self._idle: queue.SimpleQueue[Judge | None] = queue.SimpleQueue()
        self._started: set[Judge] = set()
        self._ended = False
        # A server ends with the thread that started it, and callers' threads come and go.
        self._starter = ThreadPoolExecutor(1)
        for _ in range(self.size):
            self._idle.put(None)  # started when first used

    def __enter__(self) -> Self:
        """Return the pool; its servers start when they are first needed."""
        return self

    def __exit__(self, *error: object) -> None:
        """End every server; none is started any more."""
        self._ended = True
        for judge in list(self._started):
            self._discard(judge)
        self._starter.shutdown()

    def run(
        self,
        program: str,
        entry_point: str,
        calls: Sequence[Call],
        limits: CellLimits = DEFAULT_LIMITS,
        mode: Mode = "returns",
        branches: bool = False,
        enough: Callable[[int, Outcome], bool] = never,
    ) -> Result:
        """Make `calls` in a fresh cell, see `Judge.run`.

        Raises:
            InfrastructureError: the sandbox failed `TRIES` times in a row.
        """
        return self._tried(
            lambda judge: judge.run(program, entry_point, calls, limits, mode, branches, enough)
        )

    def vary(
        self,
        program: str,
        entry_point: str,
        calls: Sequence[Call],
        conditions: Conditions,
        limits: CellLimits = DEFAULT_LIMITS,
        mode: Mode = "returns",
    ) -> Varied:
        """Make `calls` in a fresh cell under other conditions, see `vary`.

        Raises:
            InfrastructureError: the sandbox failed `TRIES` times in a row.
        """
        return self._tried(
            lambda judge: vary(judge, program, entry_point, calls, conditions, limits, mode)
        )

    def run_program(
        self,
        program: str,
        stdin: str,
        limits: CellLimits = DEFAULT_LIMITS,
        conditions: Conditions | None = None,
    ) -> Result:
        """Run a whole program in a fresh cell, see `Judge.run_program`.

        Raises:
            InfrastructureError: the sandbox failed `TRIES` times in a row.
        """
        return self._tried(lambda judge: judge.run_program(program, stdin, limits, conditions))

    def _tried(self, run: Callable[[Judge], Ran]) -> Ran:
        for attempt in range(1, TRIES + 1):
            try:
                with self._lent() as judge:
                    result = run(judge)
            except HOST_FAULTS as error:
                if attempt == TRIES:
                    raise InfrastructureError(f"{error} ({TRIES} times in a row)") from error
            else:
                if attempt == TRIES or not _killed_from_outside(result):
                    return result
        raise InfrastructureError("the sandbox could not be tried")  # TRIES is at least 1

    @contextlib.contextmanager
    def _lent(self) -> Iterator[Judge]:
        """Lend an idle judge, started where needed; after an error it is not lent again."""
        judge = self._idle.get()
        try:
            if judge is None:
                if self._ended:
                    raise InfrastructureError("the pool of judges has ended")
                judge = self._starter.submit(self._start).result()
            yield judge
        except BaseException:
            if judge is not None:
                self._discard(judge)
            judge = None
            raise
        finally:
            self._idle.put(judge)

    def _start(self) -> Judge:
        judge = Judge(CODEC, self.env, self.wall).__enter__()
        self._started.add(judge)
        return judge

    def _discard(self, judge: Judge) -> None:
        self._started.discard(judge)
        judge.__exit__(None, None, None)

    def verdict(
        self, problem: Problem, program: str, limits: CellLimits = DEFAULT_LIMITS
    ) -> Judged:
        """Judge a program against the cases of a problem, up to the first that fails.

        It takes at most `TRIES` times what a server takes to start, a cell's wall limit and the
        grace behind it; a sandbox that failed each time is an ``infrastructure_error``. A program
        that reads and prints has a cell, and the limits, for each of its cases.
        """
        if problem.comparator.kind == "checker":
            return NO_CHECKER
        try:
            if problem.style == "stdio":
                return self._case_by_case(problem, program, limits)
            calls = list(map(call_of, problem.cases))
            right: dict[int, bool] = {}  # after a second try, what that gave

            def fails(number: int, outcome: Outcome) -> bool:
                right[number] = matches(problem.cases[number], outcome, problem.comparator)
                return not right[number]

            result = self.run(
                program, problem.entry_point, calls, limits, problem.mode, enough=fails
            )
        except InfrastructureError as error:
            return Judged("infrastructure_error", None, str(error), 0.0, 0.0)
        return decide(problem.cases, problem.comparator, result, limits, right)

    def _case_by_case(self, problem: Problem, program: str, limits: CellLimits) -> Judged:
        """Judge a program's cases up to the first that fails; what the costliest cost counts."""
        cpu = wall = 0.0
        for number, case in enumerate(problem.cases):
            result = self.run_program(program, str(values.decode(case.args[0])), limits)
            one = decide((case,), problem.comparator, result, limits)
            cpu, wall = max(cpu, one.cpu_seconds), max(wall, one.wall_seconds)
            if one.verdict != "pass":
                return Judged(one.verdict, number, one.detail, cpu, wall)
        return NO_CASES if not problem.cases else Judged("pass", None, "", cpu, wall)


def decide(
    cases: Sequence[TestCase],
    comparator: Comparator,
    result: Result,
    limits: CellLimits = DEFAULT_LIMITS,
    right: Mapping[int, bool] = NOT_COMPARED,
) -> Judged:
    """Compare a cell's answers with the cases, in order, up to the first that fails.

    `right` says of answers that have been compared, by number, whether they match.
    """
    cost = result.ended.cpu, result.ended.wall
    if not cases:
        return NO_CASES
    if comparator.kind == "checker":
        return NO_CHECKER
    if result.failure is not None:
        verdict, why = _bad(result.failure, result.ended, limits)
        return Judged(verdict, None, why, *cost)
    for number, (case, outcome) in enumerate(zip(cases, result.outcomes, strict=False)):
        known = right.get(number)
        if not (matches(case, outcome, comparator) if known is None else known):
            verdict, why = _bad(outcome, result.ended, limits)
            return Judged(verdict, number, why, *cost)
    if len(result.outcomes) < len(cases) or result.ended.reason in ("cpu", "wall"):
        verdict, why = _end(result.ended, limits)
        return Judged(verdict, len(result.outcomes), why, *cost)
    return Judged("pass", None, "", *cost)


def decide_varied(
    cases: Sequence[TestCase],
    comparator: Comparator,
    varied: Varied,
    limits: CellLimits = DEFAULT_LIMITS,
) -> Judged:
    """Compare all answers that were given under other conditions, up to the first that differs."""
    cost = varied.ended.cpu, varied.ended.wall
    if varied.failure is not None:
        verdict, why = _bad(varied.failure, varied.ended, limits)
        return Judged(verdict, None, why, *cost)
    for number, _, outcome in varied.answers:
        if not matches(cases[number], outcome, comparator):
            verdict, why = _bad(outcome, varied.ended, limits)
            return Judged(verdict, number, why, *cost)
    if varied.seen is None:
        verdict, why = _end(varied.ended, limits)
        return Judged(verdict, None, why, *cost)
    return Judged("pass", None, "", *cost)


def call_of(case: TestCase) -> Call:
    """Return the call that a case makes: without anything that it expects."""
    return Call(case.args, case.kwargs, tuple(case.after))


def arguments_of(case: TestCase) -> list[Tree]:
    """Return all arguments of a case: the positional ones, then those by name."""
    return [*case.args, *case.kwargs.values()]


def call_with(case: TestCase, trees: Sequence[Tree]) -> Call:
    """Return the call that a case makes with other arguments, in the order of `arguments_of`."""
    named = dict(zip(case.kwargs, trees[len(case.args) :], strict=True))
    return Call(trees[: len(case.args)], named, tuple(case.after))


def matches(case: TestCase, outcome: Outcome, comparator: Comparator) -> bool:
    """Say whether an outcome is the one a case expects; both are encoded, neither is trusted."""
    for name, tree in case.after.items():
        if name not in outcome.after or not agree(comparator, tree, outcome.after[name]):
            return False
    if case.raises is not None:
        return outcome.value is msgspec.UNSET and outcome.raises == case.raises
    if outcome.value is msgspec.UNSET or outcome.ended is not case.ended:
        return False
    return agree(comparator, case.expected, outcome.value)


def describe(outcome: Outcome) -> str:
    """Say in a line what a call gave; hostile text is made harmless, hostile data not decoded."""
    if outcome.value is not msgspec.UNSET:
        verb = "printed" if isinstance(outcome, Printed) else "returned"
        return _plain(f"{verb} {_source(outcome.value)}")
    if outcome.raises is not None:
        return _plain(f"raised {outcome.raises}: {outcome.message}")
    return _plain(outcome.refused or "gave no answer")


def _source(tree: Tree) -> str:
    try:
        text = json.dumps(tree)
        # Decoding runs constructors, whose work grows with what they are given.
        return data.render(tree) if len(text) < LONGEST_DETAIL else f"the data {text}"
    except (ValueError, RecursionError):
        return "malformed data"


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:LONGEST_DETAIL])


def _bad(outcome: Outcome, ended: Ended, limits: CellLimits) -> tuple[Verdict, str]:
    """Name the verdict of an answer that isn't the expected one."""
    if outcome.raises == "MemoryError":
        return "out_of_memory", describe(outcome)
    if outcome.raises == "PermissionError":
        return "denied", describe(outcome)
    if outcome.refused is not None and ended.reason != "stopped":
        return _end(ended, limits)
    return "fail", describe(outcome)


def _end(ended: Ended, limits: CellLimits) -> tuple[Verdict, str]:
    """Name the verdict of a cell that ended before its last answer."""
    match ended.reason:
        case "cpu":
            return "timeout", f"over its limit of {limits.cpu:g} s of CPU time"
        case "wall":
            return "timeout", f"over its limit of {limits.wall:g} s"
        case "output":
            return "denied", "wrote too much"
        case "memory":
            return "out_of_memory", "killed for using too much memory"
        case "stopped":  # by us, because it hung up or broke the protocol
            return "fail", "ended without an answer"
        case _ if ended.signal:
            return SIGNALS.get(ended.signal, ("crash", f"killed by signal {ended.signal}"))
        case _:
            return "fail", "ended without an answer"


def _killed_from_outside(result: Result | Varied) -> bool:
    """Say whether a cell may have been killed by something on the host.

    It can hardly kill itself: the kernel protects a namespace's first process from its own.
    """
    return result.ended.reason == "exited" and result.ended.signal == signal.SIGKILL
