"""Extra cases of a problem: wrong programs are submitted, and each report may show a new case."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from thresher.crawlers.judges import wrong
from thresher.crawlers.judges.judge import LANGUAGE, Judge, case_of
from thresher.errors import SourceError
from thresher.store.records import Problem, TestCase, canonical_json


class Budget(NamedTuple):
    """How often a judge may be asked, and for how long."""

    submissions: int = 20
    seconds: float = 1800.0


DEFAULT_BUDGET = Budget()


def collect(
    problem: Problem,
    judge: Judge,
    budget: Budget = DEFAULT_BUDGET,
    say: Callable[[str], None] = lambda line: None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[TestCase]:
    """Yield cases that the problem doesn't have yet, as they are found, each once.

    A program is submitted again and again as long as it shows new cases; it answers those found so
    far rightly, so that it fails a next one. One that passes is done with. The end is reached when
    the budget is used up, when no program shows anything new, or when two constant ones pass: the
    judge has no other cases then.

    Args:
        problem: with a reference solution its mutants are submitted too.
        judge: is asked for verdicts.
        budget: no submission is made once it is used up.
        say: is told what came of each submission, in a line.
        clock: gives seconds.

    Raises:
        SourceError: ``no-plain-calls``, no wrong programs can be made for such a problem.
        InfrastructureError: the judge can't be asked any more; what was found has been yielded.
        UsageError: likewise, until the user does something.
    """
    wrong.check(problem)
    known = list(problem.cases)
    inputs = {_input(case) for case in known}
    waiting = deque(wrong.programs(problem))
    end = clock() + budget.seconds
    constants = 0  # that passed
    for _ in range(budget.submissions):
        if not waiting or clock() >= end:
            return
        program = waiting.popleft()
        report = judge.submit(wrong.knowing(problem, program.program, known), LANGUAGE)
        say(f"{program.kind}, {program.how}: {report.verdict} {report.said}".rstrip())
        constants += report.verdict == "accepted" and program.kind == "constant"
        if constants == 2:
            return
        if report.verdict != "wrong":
            continue
        try:
            case = case_of(problem, report)
        except SourceError as error:
            say(str(error))
            continue
        if _input(case) not in inputs:
            inputs.add(_input(case))
            known.append(case)
            waiting.append(program)
            yield case


def _input(case: TestCase) -> bytes:
    return canonical_json(case.args)
