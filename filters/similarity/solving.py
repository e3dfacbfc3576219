"""Whether a problem's reference solves a benchmark's task: gives the answers of all its cases."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from thresher.filters.filter import program
from thresher.filters.similarity.benchmarks import Case, Task
from thresher.filters.texts.statements import Function, asking
from thresher.judging import Judges
from thresher.sandbox.judge import Call, Outcome
from thresher.sandbox.remote import CellLimits
from thresher.store import data
from thresher.store.records import Problem, TestCase, Tree

LIMITS = CellLimits(cpu=1.0, wall=10.0)
RESTARTS = 5  # of a reference that a task's inputs make end
OWN = 30  # inputs of the problem that a task's own program is tried with
UNTOLD = 10  # tasks without cases that are tried with them
CLOSE = 1e-6  # floats that a task's answer may be off by


class Enough(NamedTuple):
    """How much agreement is no chance, see `thresher.filters.contamination.Contamination`."""

    answers: int
    letters: int
    cases: int


def solved(
    problem: Problem, tasks: Sequence[Task], enough: Enough, judges: Judges
) -> Iterator[Task]:
    """Yield the tasks that the reference of a problem solves.

    One case of each task whose arguments are of the problem's kinds is tried in one cell, and all
    cases of those that agree. The task's own program must give half of the problem's answers, too,
    else the problem asks for more. Where the cases alone prove nothing, or can't be read, it must
    give all of them, as far as it takes the inputs.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    own = list(_own_cases(problem))
    shape = _shape([case.args for case in own])
    fitting = [task for task in tasks if task.cases and _fits(task, shape)]
    firsts = [max(task.cases, key=lambda case: len(repr(case.expected))) for task in fitting]
    source, name = program(problem), problem.entry_point
    for task, agrees in zip(fitting, _agreed(source, name, firsts, judges), strict=True):
        if not agrees or not solves(source, name, task.cases, judges):
            continue
        if _answers_too(task, own, enough, judges):
            yield task
    untold = [task for task in tasks if own and not task.cases and task.places == len(shape)]
    yield from (task for task in untold[:UNTOLD] if _answers_too(task, own, enough, judges))


def solves(source: str, entry_point: str, cases: Sequence[Case], judges: Judges) -> bool:
    """Say whether a program gives the answers of all cases, floats as near as `CLOSE`.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    return all(_agreed(source, entry_point, cases, judges))


def _own_cases(problem: Problem) -> Iterator[Case]:
    """Yield a problem's cases that return something, with all arguments by position."""
    function = asking(problem)
    if not isinstance(function, Function):
        return
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    for case in problem.cases:
        args = _by_position(case, names)
        if args is not None and case.raises is None:
            yield Case(args, case.expected)


def _by_position(case: TestCase, names: Sequence[str]) -> tuple[Tree, ...] | None:
    named = dict(case.kwargs)
    args = list(case.args)
    for name in names[len(args) :]:
        if name not in named:
            break
        args.append(named.pop(name))
    return None if named else tuple(args)


def _answers_too(task: Task, own: Sequence[Case], enough: Enough, judges: Judges) -> bool:
    """Say whether a task's program gives a problem's answers, as many as it takes."""
    cases = own[:OWN]
    outcomes = _outcomes(task.source, task.entry_point, cases, judges)
    given = [_gives(outcome, case) for case, outcome in zip(cases, outcomes, strict=True)]
    if _differ(task.cases, enough):
        return 2 * sum(given) >= len(given)
    answered = [outcome is not None and outcome.value is not msgspec.UNSET for outcome in outcomes]
    both = [*task.cases, *itertools.compress(cases, answered)]
    return given == answered and (_differ(both, enough) or _are_many(both, enough))


def _differ(cases: Sequence[Case], enough: Enough) -> bool:
    """Say whether there are enough different answers."""
    answers = {json.dumps(case.expected) for case in cases}
    letters = sum(map(len, answers))
    return len(answers) >= enough.answers or (len(answers) > 1 and letters >= enough.letters)


def _are_many(cases: Sequence[Case], enough: Enough) -> bool:
    """Say whether there are enough inputs, and two of them have not the most frequent answer."""
    answers = {json.dumps(case.args): json.dumps(case.expected) for case in cases}
    most = max(Counter(answers.values()).values(), default=0)
    return len(answers) >= enough.cases and len(answers) - most > 1


def _shape(calls: Sequence[Sequence[Tree]]) -> list[set[str]]:
    """Return the kinds of what stands at each place, as far as all calls have one."""
    return [{_kind(tree) for tree in place} for place in zip(*calls, strict=False)]


def _kind(tree: Tree) -> str:
    if isinstance(tree, dict):
        tag = str(next(iter(tree), ""))
        return "list" if tag == "tuple" else tag
    return "number" if type(tree) in (int, float, bool) else type(tree).__name__


def _fits(task: Task, shape: Sequence[set[str]]) -> bool:
    given = _shape([case.args for case in task.cases])
    return len(given) == len(shape) and all(map(set.intersection, given, shape))


def _agreed(source: str, name: str, cases: Sequence[Case], judges: Judges) -> list[bool]:
    """Say of each case whether a program gives its answer."""
    outcomes = _outcomes(source, name, cases, judges)
    return [_gives(outcome, case) for case, outcome in zip(cases, outcomes, strict=True)]


def _gives(outcome: Outcome | None, case: Case) -> bool:
    return (
        outcome is not None
        and outcome.value is not msgspec.UNSET
        and data.equal(case.expected, outcome.value, CLOSE, CLOSE)
    )


def _outcomes(
    source: str, name: str, cases: Sequence[Case], judges: Judges
) -> list[Outcome | None]:
    """Return what a program makes of each case, None where it made an end."""
    outcomes: list[Outcome | None] = []
    for _ in range(RESTARTS):
        calls = [Call(case.args, {}) for case in cases[len(outcomes) :]]
        if not calls:
            break
        outcomes += judges.run(source, name, calls, LIMITS).outcomes
        outcomes += [None] * (len(outcomes) < len(cases))  # the one that ended it
    return outcomes + [None] * (len(cases) - len(outcomes))
