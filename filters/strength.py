"""The cases must tell the reference from small slips in it; where they don't, cases are added.

Mutants of the reference are judged. Inputs like the recorded ones, within the problem's contract,
show which of the survivors differ from the reference at all: each one added kills some of them,
and the reference gives its answer. A survivor that agrees on all of many inputs is presumed
equivalent. Cases taken from prompt examples alone let 11 % of a model's passing samples pass
falsely.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from thresher.errors import InfrastructureError
from thresher.filters.filter import Filter, Finding, Options, Tools, execute, program
from thresher.filters.mutation.answering import (
    IN_A_CELL,
    Asked,
    answers,
    new_cases,
    unreliable,
)
from thresher.filters.mutation.mutants import Mutant, mutants
from thresher.judging import Judged, call_of, matches
from thresher.sandbox.remote import CellLimits
from thresher.store.records import Problem, TestCase

PURPOSE = "strength"
FACTOR = 4  # how many times the reference's time a mutant may use
SHORTEST = 0.2  # seconds of CPU time that any mutant may use: loops without end are frequent
SHOWN = 3  # mutants named in the evidence
TRIES = 5  # choices of cases before none is added


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

    mutants: int = 100
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
    asked = asking(problem, tools, limits)
    offered = list(new_cases(asked, options.inputs))
    found = {mutant.source: killers(asked, mutant, offered) for mutant in alive}
    chosen, kills = _relied_on(asked, offered, found, max(0, options.cases - len(problem.cases)))
    hopeless = [mutant for mutant in alive if not kills[mutant.source]]
    left = [m for m in alive if kills[m.source] and kills[m.source].isdisjoint(chosen)]
    added = [offered[number] for number in chosen]
    if len(offered) < options.enough:
        return added, left + hopeless, []
    return added, left, hopeless


def asking(problem: Problem, tools: Tools, limits: CellLimits) -> Asked:
    """Return what calls a problem's programs, many to a cell."""
    more = limits._replace(cpu=min(tools.limits.cpu, 2 * limits.cpu))
    return Asked(problem, tools.judges, more)


def _relied_on(
    asked: Asked, offered: Sequence[TestCase], kills: Mapping[str, set[int]], room: int
) -> tuple[list[int], Mapping[str, set[int]]]:
    """Choose cases; where one can't be relied on, choose again without it."""
    chosen = _cover(kills, offered, room)
    for _ in range(TRIES):
        bad = {chosen[n] for n in unreliable(asked, [offered[n] for n in chosen])} if chosen else {}
        if not bad:
            break
        kills = {source: found - set(bad) for source, found in kills.items()}
        chosen = _cover(kills, offered, room)
    else:
        return [], kills
    return chosen, kills


def killers(asked: Asked, mutant: Mutant, offered: Sequence[TestCase]) -> set[int]:
    """Return the numbers of the offered cases that tell a mutant from the reference.

    One that ends its cell does; what would come after it there isn't tried.
    """
    found = answers(asked, mutant.source, list(map(call_of, offered)))
    lost = set(range(len(offered))) - found.keys()
    firsts = {number for number in lost if number % IN_A_CELL == 0 or number - 1 in found}
    return firsts | {
        number
        for number, outcome in found.items()
        if not matches(offered[number], outcome, asked.problem.comparator)
    }


def _cover(kills: Mapping[str, set[int]], offered: Sequence[TestCase], most: int) -> list[int]:
    """Choose cases that together kill the most mutants: the smallest of those that kill as many."""
    left, chosen = {each: found for each, found in kills.items() if found}, list[int]()
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


FILTER = Filter("strength", 3, apply, Strength())
