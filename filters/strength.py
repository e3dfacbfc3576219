"""The cases must tell the reference from small slips in it; where they don't, cases are added.

Mutants of the reference are judged. Inputs like the recorded ones, within the problem's contract,
show which of the survivors differ from the reference at all: each one added kills some of them,
and the reference gives its answer. A survivor that agrees on all of many inputs is presumed
equivalent. Cases taken from prompt examples alone let 11 % of a model's passing samples pass
falsely.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from thresher.errors import InfrastructureError
from thresher.filters.filter import Filter, Finding, Options, Tools, execute, program
from thresher.filters.mutation.inputs import inputs
from thresher.filters.mutation.likeness import Likeness, likeness, split
from thresher.filters.mutation.mutants import Mutant, mutants
from thresher.filters.mutation.slots import kind
from thresher.filters.mutation.stated import constants
from thresher.judging import Judged, call_of, matches
from thresher.sandbox.judge import Call, Outcome, Result
from thresher.sandbox.remote import CellLimits
from thresher.store.records import Problem, TestCase

PURPOSE = "strength"
LARGEST = 2_000  # characters of an answer as JSON
FACTOR = 4  # how many times the reference's time a mutant may use
SHORTEST = 0.2  # seconds of CPU time that any mutant may use: loops without end are frequent
IN_A_CELL = 100  # calls
SHOWN = 3  # mutants named in the evidence


class Strength(Options, frozen=True):
    """How hard it tries.

    Attributes:
        mutants: the most per problem.
        seconds: of CPU time that all mutants of a slow reference may use: then there are fewer.
        inputs: the most that survivors are tried with.
        enough: a survivor of so many inputs is presumed equivalent.
        cases: the most that a problem has with those added.
        least: the least share of the other mutants that the cases must kill.
    """

    mutants: int = 60
    seconds: float = 15.0
    inputs: int = 300
    enough: int = 100
    cases: int = 20
    least: float = 0.5


class _Trial(NamedTuple):
    """What the given cases make of a mutant: the case that kills it, None where it survives."""

    mutant: Mutant
    killer: int | None
    alive: bool


def apply(problem: Problem, tools: Tools) -> Finding:
    """Judge mutants of the reference; add cases that kill what survives; drop what stays weak."""
    options: Strength = tools.options
    limits = _limits(problem, tools)
    made = mutants(problem, min(options.mutants, int(options.seconds / limits.cpu)))
    if not made:
        return FILTER.keep(problem, "nothing in the reference can be changed", ())
    trials = [_tried(problem, mutant, tools, limits) for mutant in made]
    alive = [trial.mutant for trial in trials if trial.alive]
    added: list[TestCase] = []
    equivalent: list[Mutant] = []
    if alive and problem.style == "function":
        added, alive, equivalent = _strengthened(problem, alive, tools, limits)
    stronger = msgspec.structs.replace(problem, cases=(*problem.cases, *added))
    telling = len(made) - len(equivalent)
    killed = len(made) - sum(trial.alive for trial in trials)
    before, after = _share(killed, telling), _share(telling - len(alive), telling)
    said = _said(before, after, added, equivalent, alive)
    facts = {
        "mutants": len(made),
        "killed": killed,
        "equivalent": len(equivalent),
        "alive": [str(mutant) for mutant in alive],
        "killers": {str(t.mutant): t.killer for t in trials if t.killer is not None},
        "score": round(after, 4),
    }
    if after < options.least:
        return FILTER.drop(problem, "too-weak", said, (), facts)
    if not added:
        return FILTER.keep(problem, said, (), facts=facts)
    ran = execute(tools, stronger, program(stronger), PURPOSE)
    if ran.verdict != "pass":
        evidence = f"case {ran.failing_case} of the reference's own answers: {ran.detail}"
        return FILTER.drop(problem, "answers-differ", evidence, [ran], facts)
    return FILTER.keep(problem, said, [ran], stronger, facts)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _said(
    before: float,
    after: float,
    added: Sequence[TestCase],
    equivalent: Sequence[Mutant],
    alive: Sequence[Mutant],
) -> str:
    said = f"kills {before:.0%} of the mutants"
    if added:
        said += f", {after:.0%} with {len(added)} cases added"
    if equivalent:
        said += f"; {len(equivalent)} presumed equivalent"
    if alive:
        said += f"; {len(alive)} survive: {'; '.join(map(str, alive[:SHOWN]))}"
    return said


def _limits(problem: Problem, tools: Tools) -> CellLimits:
    """Return limits for mutants: tight ones, since many of them never end."""
    judged = tools.judges.verdict(problem, program(problem), tools.limits)
    _refuse_failure(problem, judged)
    # In few steps, so that the noise in what was measured seldom changes the number of mutants.
    steps = max(0, math.ceil(math.log2(max(judged.cpu_seconds * FACTOR / SHORTEST, 1e-9))))
    return tools.limits._replace(cpu=min(tools.limits.cpu, SHORTEST * 2**steps))


def _refuse_failure(problem: Problem, judged: Judged) -> None:
    if judged.verdict == "infrastructure_error":
        raise InfrastructureError(f"{problem.task_id}: {judged.detail}")


def _tried(problem: Problem, mutant: Mutant, tools: Tools, limits: CellLimits) -> _Trial:
    judged = tools.judges.verdict(problem, mutant.source, limits)
    _refuse_failure(problem, judged)
    return _Trial(mutant, judged.failing_case, judged.verdict == "pass")


def _strengthened(
    problem: Problem, alive: Sequence[Mutant], tools: Tools, limits: CellLimits
) -> tuple[list[TestCase], list[Mutant], list[Mutant]]:
    """Return cases to add, the mutants that then survive, and those presumed equivalent."""
    options: Strength = tools.options
    like = likeness(problem)
    offered = list(_answered(problem, like, tools, limits))
    kills = {mutant.source: _kills(problem, mutant, offered, tools, limits) for mutant in alive}
    hopeless = [mutant for mutant in alive if not kills[mutant.source]]
    wanted = {source: found for source, found in kills.items() if found}
    chosen = _cover(wanted, offered, max(0, options.cases - len(problem.cases)))
    left = [m for m in alive if kills[m.source] and kills[m.source].isdisjoint(chosen)]
    added = [offered[number] for number in chosen]
    if len(offered) < options.enough:
        return added, left + hopeless, []
    return added, left, hopeless


def _answered(
    problem: Problem, like: Likeness, tools: Tools, limits: CellLimits
) -> Iterator[TestCase]:
    """Yield cases of new inputs, with the answers that the reference gives twice, if it does."""
    given = list(inputs(problem, like, constants(problem), tools.options.inputs))
    after = tuple(sorted({name for case in problem.cases for name in case.after}))
    calls = [Call(*split(each), after) for each in given]
    first = _answers(problem, program(problem), calls, tools, limits)
    again = _answers(problem, program(problem), calls[::-1], tools, limits)
    for number, call in enumerate(calls):
        outcome = first.get(number)
        if outcome is not None and outcome == again.get(len(calls) - 1 - number):
            case = _case(call, outcome, like)
            if case is not None:
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
    return TestCase(
        args=tuple(call.args),
        kwargs=dict(call.kwargs),
        expected=outcome.value if raised is None else None,
        raises=raised,
        origin="generated",
        shown=False,
        after=outcome.after,
        ended=outcome.ended,
    )


def _answers(
    problem: Problem, source: str, calls: Sequence[Call], tools: Tools, limits: CellLimits
) -> dict[int, Outcome]:
    """Make calls, many to a cell; what ended its cell, and what came after it there, is missing."""
    found: dict[int, Outcome] = {}
    for start in range(0, len(calls), IN_A_CELL):
        result = _ran(problem, source, calls[start : start + IN_A_CELL], tools, limits)
        found |= {start + number: outcome for number, outcome in enumerate(result.outcomes)}
    return found


def _ran(
    problem: Problem, source: str, calls: Sequence[Call], tools: Tools, limits: CellLimits
) -> Result:
    more = limits._replace(cpu=min(tools.limits.cpu, 2 * limits.cpu))  # many calls to a cell
    return tools.judges.run(source, problem.entry_point, calls, more, problem.mode)


def _kills(
    problem: Problem,
    mutant: Mutant,
    offered: Sequence[TestCase],
    tools: Tools,
    limits: CellLimits,
) -> set[int]:
    """Return the numbers of the offered cases that tell a mutant from the reference."""
    killing: set[int] = set()
    for start in range(0, len(offered), IN_A_CELL):
        cases = offered[start : start + IN_A_CELL]
        result = _ran(problem, mutant.source, list(map(call_of, cases)), tools, limits)
        for number, (case, outcome) in enumerate(zip(cases, result.outcomes, strict=False)):
            if not matches(case, outcome, problem.comparator):
                killing.add(start + number)
        if len(result.outcomes) < len(cases):
            killing.add(start + len(result.outcomes))  # this one it never answered
    return killing


def _cover(kills: Mapping[str, set[int]], offered: Sequence[TestCase], most: int) -> list[int]:
    """Choose cases that together kill the most mutants: the smallest of those that kill as many."""
    left, chosen = dict(kills), list[int]()
    while left and len(chosen) < most:
        counts: dict[int, int] = {}
        for found in left.values():
            for number in found:
                counts[number] = counts.get(number, 0) + 1
        best = min(counts, key=lambda number: (-counts[number], _size(offered[number]), number))
        chosen.append(best)
        left = {source: found for source, found in left.items() if best not in found}
    return chosen


def _size(case: TestCase) -> int:
    return len(json.dumps([case.args, case.kwargs, case.expected]))


FILTER = Filter("strength", 1, apply, Strength())
