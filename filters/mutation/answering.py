"""New cases: inputs with the answers that the reference gives, where these can be relied on."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from thresher.filters import noise
from thresher.filters.filter import program
from thresher.filters.mutation.inputs import inputs
from thresher.filters.mutation.likeness import Likeness, likeness, split
from thresher.filters.mutation.slots import kind
from thresher.filters.mutation.stated import constants
from thresher.judging import Judges, arguments_of, call_of, call_with, matches
from thresher.sandbox.conditions import Conditions
from thresher.sandbox.judge import Call, Outcome
from thresher.sandbox.remote import CellLimits
from thresher.store.comparison import tags
from thresher.store.humaneval import can_be_exported
from thresher.store.records import Problem, TestCase

LARGEST = 2_000  # characters of an answer as JSON
IN_A_CELL = 100  # calls
PLAIN = {"tuple", "dict", "set", "frozenset", "int", "str", "bytes"}  # not NaN, infinity, -0.0
OTHERWISE = Conditions(env={"PYTHONHASHSEED": "1"}, reverse=True, rounds=2)
ROUGH = 4  # how many times the limits: an interpreter of its own, and two rounds


class Asked(NamedTuple):
    """A problem whose programs are called: where, and with which limits for many calls."""

    problem: Problem
    judges: Judges
    limits: CellLimits


def answers(asked: Asked, source: str, calls: Sequence[Call]) -> dict[int, Outcome]:
    """Make calls, many to a cell; what ended its cell, and what came after it there, is missing.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    found: dict[int, Outcome] = {}
    problem = asked.problem
    for start in range(0, len(calls), IN_A_CELL):
        part = calls[start : start + IN_A_CELL]
        result = asked.judges.run(source, problem.entry_point, part, asked.limits, problem.mode)
        if result.failure is not None:
            return dict.fromkeys(range(len(calls)), result.failure)
        found |= {start + number: outcome for number, outcome in enumerate(result.outcomes)}
    return found


def new_cases(asked: Asked, most: int) -> Iterator[TestCase]:
    """Yield cases of at most so many new inputs, with what the reference gives for them twice."""
    problem, like = asked.problem, likeness(asked.problem)
    given = list(inputs(problem, like, constants(problem), most))
    after = {name for case in problem.cases for name in case.after}
    calls = [Call(*split(each), sorted(after & each.keys())) for each in given]
    first = answers(asked, program(problem), calls)
    again = answers(asked, program(problem), calls[::-1])
    known = tags([[case.expected, list(case.after.values())] for case in problem.cases])
    for number, call in enumerate(calls):
        outcome = first.get(number)
        if outcome is not None and outcome == again.get(len(calls) - 1 - number):
            case = _case(call, outcome, like)
            if case is not None and tags([case.expected, case.after]) <= known | PLAIN:
                yield case


def _case(call: Call, outcome: Outcome, like: Likeness) -> TestCase | None:
    """Return the case of an answer, where it is of a kind that was recorded."""
    raised = outcome.raises
    if outcome.refused is not None or (raised is not None and raised not in like.raises):
        return None
    if raised is None and kind(outcome.value) not in like.returns:
        return None
    if len(json.dumps([outcome.value if raised is None else None, outcome.after])) > LARGEST:
        return None
    case = TestCase(
        args=tuple(call.args),
        kwargs=dict(call.kwargs),
        expected=outcome.value if raised is None else None,
        raises=raised,
        origin="generated",
        shown=False,
        after=outcome.after,
        ended=outcome.ended,
    )
    return case if can_be_exported(case) else None


def unreliable(asked: Asked, cases: Sequence[TestCase]) -> set[int]:
    """Return the numbers of the cases whose answers may differ without anybody's mistake.

    They do under another hash seed and in another order, or where a float moves by one unit in
    the last place.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    problem, limits = asked.problem, asked.limits
    rough = limits._replace(cpu=ROUGH * limits.cpu, wall=ROUGH * limits.wall)
    calls = list(map(call_of, cases))
    varied = asked.judges.vary(
        program(problem), problem.entry_point, calls, OTHERWISE, rough, problem.mode
    )
    agreeing, differing = set[int](), set[int]()
    for number, _, outcome in varied.answers:
        same = matches(cases[number], outcome, problem.comparator)
        (agreeing if same else differing).add(number)
    return (set(range(len(cases))) - agreeing) | differing | _noisy(asked, cases)


def _noisy(asked: Asked, cases: Sequence[TestCase]) -> set[int]:
    source = program(asked.problem)
    exact = noise.constants(source)
    moved = [
        (number, call_with(case, one.thing))
        for number, case in enumerate(cases)
        if case.raises is None
        for one in noise.moved_trees(arguments_of(case), exact)
    ]
    found = answers(asked, source, [call for _, call in moved])
    return {
        number
        for at, (number, _) in enumerate(moved)
        if at not in found
        or found[at].value is msgspec.UNSET
        or noise.flips(cases[number].expected, found[at].value)
    }
