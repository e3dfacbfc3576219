"""What samples are judged against: a problem's cases as data, or the test that came with it."""

from typing import NamedTuple

import msgspec

from thresher.errors import InfrastructureError
from thresher.filters.limits import limits_for
from thresher.judging import Judged, Judges, decide
from thresher.sandbox.judge import check
from thresher.sandbox.remote import CellLimits
from thresher.sandbox.wall import Wall
from thresher.store.programs import asked
from thresher.store.records import Comparator, Problem, TestCase, Verdict, content_id

VERSION = 1  # raised whenever a verdict would be another
PASSED = TestCase(args=(), kwargs={}, expected=True, raises=None, origin="generated", shown=False)


class Task(NamedTuple):
    """A problem to judge samples of.

    Attributes:
        problem: without cases where its test alone can tell.
        test: source that defines ``check(candidate)``, or nothing. It has the last word on what
            the cases refuse, since ``==`` takes more than they do: ``1.0`` for ``1``.
        limits: of each program, and of each cell.
        every_case: judge also the cases after one that fails, see `Graded.cases`.
    """

    problem: Problem
    test: str = ""
    limits: CellLimits = limits_for(0)
    every_case: bool = False

    @property
    def name(self) -> str:
        """The task's id."""
        return self.problem.task_id

    def shown(self) -> int:
        """Return how many cases the prompt shows."""
        return sum(case.shown for case in self.problem.cases)

    def identity(self) -> str:
        """Name all that decides a verdict but the sample."""
        one = self.problem
        parts = [one.entry_point, one.prompt, one.canonical_solution, one.style, one.mode]
        decides = [VERSION, parts, one.cases, one.comparator, self.test, self.limits]
        return content_id([*decides, "every case"] if self.every_case else decides)


class Graded(msgspec.Struct, frozen=True):
    """The verdict on a sample.

    `shown` says whether it passes the cases that the prompt shows, None where there are none;
    `cases` which of all cases it passes, None where that wasn't asked for or a test alone can tell.
    """

    verdict: Verdict
    failing_case: int | None = None
    detail: str = ""
    shown: bool | None = None
    cpu_seconds: float = 0.0
    cases: tuple[bool, ...] | None = None


class Bench(Judges):
    """A pool of judges that also runs tests, each in a cell of its own of a second pool."""

    def __init__(self, size: int | None = None, wall: Wall | None = None) -> None:
        super().__init__(size, wall=wall)
        self._tests: Judges = Judges(size, wall=wall)

    def __exit__(self, *error: object) -> None:
        """End every server of both pools."""
        self._tests.__exit__(*error)
        super().__exit__(*error)

    def check(self, task: Task, program: str) -> Judged:
        """Judge a program by the task's test, which may use the reference program's names.

        Raises:
            InfrastructureError: the sandbox failed.
        """
        one = task.problem
        test = f"{one.prompt}{one.canonical_solution}\n{task.test}"
        result = self._tried(
            lambda judge: self._tests._tried(
                lambda other: check(judge, other, program, one.entry_point, test, task.limits)
            )
        )
        return decide((PASSED,), Comparator(), result, task.limits)


def grade(bench: Bench, task: Task, text: str) -> Graded:
    """Judge one sample, the shown cases first, up to the first that fails or all of them.

    A text that begins with blanks answers a problem of style `stdio` as the body of
    ``solve(stdin)``, as filters ask for it; any other is the whole program.
    """
    problem = task.problem
    if problem.style == "stdio" and _is_body(text):
        problem = asked(problem)
    program = problem.prompt + text
    try:
        if not problem.cases:
            return _graded(bench.check(task, program), None)
        judged, shown = _shown_first(bench, problem, program, task.limits)
        if judged.verdict == "fail" and judged.failing_case is not None and task.test:
            last = bench.check(task, program)
            judged = last if last.verdict == "pass" else judged
        if not task.every_case:
            return _graded(judged, shown)
        if judged.verdict == "pass":
            return _graded(judged, shown, (True,) * len(problem.cases))
        return _graded(judged, shown, _passed(bench, problem, program, task.limits))
    except InfrastructureError as error:
        return Graded("infrastructure_error", detail=str(error))


def _shown_first(
    bench: Bench, problem: Problem, program: str, limits: CellLimits
) -> tuple[Judged, bool | None]:
    """Judge a program, the shown cases first, and say whether it passes those."""
    order = sorted(range(len(problem.cases)), key=lambda n: not problem.cases[n].shown)
    cases = tuple(problem.cases[number] for number in order)
    judged = bench.verdict(msgspec.structs.replace(problem, cases=cases), program, limits)
    failing = judged.failing_case
    shown = _passes(judged, sum(case.shown for case in cases))
    if failing is None or failing == len(order):  # it never ended after its last answer
        return judged, shown
    return judged._replace(failing_case=order[failing]), shown


def _passed(bench: Bench, problem: Problem, program: str, limits: CellLimits) -> tuple[bool, ...]:
    """Say of each case whether a program passes it: behind one that fails in another cell.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    passed: list[bool] = []
    while left := problem.cases[len(passed) :]:
        judged = bench.verdict(msgspec.structs.replace(problem, cases=left), program, limits)
        if judged.verdict == "infrastructure_error":
            raise InfrastructureError(judged.detail)
        if judged.verdict == "pass":
            passed += [True] * len(left)
        elif judged.failing_case is None:  # the program itself fails
            passed += [False] * len(left)
        else:
            passed += ([True] * judged.failing_case + [False])[: len(left)]
    return tuple(passed)


def _is_body(text: str) -> bool:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first[:1].isspace()


def _passes(judged: Judged, shown: int) -> bool | None:
    """Say whether a program passes the first so many cases."""
    if not shown:
        return None
    return judged.verdict == "pass" or (judged.failing_case or 0) >= shown


def _graded(judged: Judged, shown: bool | None, passed: tuple[bool, ...] | None = None) -> Graded:
    return Graded(
        judged.verdict,
        judged.failing_case,
        judged.detail,
        None if shown is None else shown or judged.verdict == "pass",
        round(judged.cpu_seconds, 6),
        passed,
    )
