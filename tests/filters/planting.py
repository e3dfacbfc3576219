"""Problems made of planted functions: what a function answers first is what is expected."""

import msgspec

from tests.filters.unstable import Planted
from tests.store.builders import problem
from thresher.judging import Judges
from thresher.sandbox.judge import Call, Outcome
from thresher.store import values
from thresher.store.records import Problem, TestCase


def as_problem(planted: Planted, judges: Judges) -> Problem:
    """Return a problem whose cases are the answers of one process, as a recording has them.

    Raises:
        ValueError: the function doesn't load or answer.
    """
    after = ("0",) if planted.after else ()
    calls = [Call([values.encode(each)], {}, after) for each in planted.arguments]
    result = judges.run(planted.source, "f", calls)
    if len(result.outcomes) != len(calls):
        raise ValueError(f"{planted.kind}: {result} of\n{planted.source}")
    cases = map(_case, calls, result.outcomes)
    return problem(f"planted/{planted.kind}", planted.source, tuple(cases), "", "f")


def _case(call: Call, outcome: Outcome) -> TestCase:
    if outcome.refused:
        raise ValueError(f"no data: {outcome.refused}")
    raised = outcome.value is msgspec.UNSET
    return TestCase(
        args=tuple(call.args),
        kwargs={},
        expected=None if raised else outcome.value,
        raises=outcome.raises,
        origin="traced",
        shown=False,
        after=outcome.after,
    )
