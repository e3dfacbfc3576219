"""Programs that give the same answers on each other's inputs."""

import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from thresher.filters.filter import program
from thresher.judging import Judges, call_of
from thresher.sandbox.judge import Call, Outcome
from thresher.sandbox.remote import CellLimits
from thresher.store import values
from thresher.store.records import Problem, TestCase, Tree

PROBES = 24  # inputs that all programs of a block are compared on first
OF_EACH = 2  # of them, how many a problem gives
OF_PROGRAMS = 6  # likewise of programs, which take a cell for each
LIMITS = CellLimits(cpu=0.5, wall=20.0)
Ask = Callable[[Problem, Sequence[TestCase]], tuple[str, ...]]


class Enough(NamedTuple):
    """How much agreement it takes: different answers, or inputs where answers are yes or no."""

    answers: int
    inputs: int


def pairs(problems: Sequence[Problem], judges: Judges, enough: Enough) -> Iterator[tuple[str, str]]:
    """Yield the task ids of each two problems that behave the same.

    They take inputs of the same shape, agree on the first inputs of all such problems, and then on
    all of each other's.

    Raises:
        InfrastructureError: the sandbox failed.
    """

    def ask(problem: Problem, cases: Sequence[TestCase]) -> tuple[str, ...]:
        return _answers(problem, cases, judges)

    with ThreadPoolExecutor(judges.size) as threads:
        for block in _blocks(problems):
            probes = _probes(block)
            asked = threads.map(lambda one, probes=probes: ask(one, probes), block)
            alike: dict[tuple[str, ...], list[Problem]] = defaultdict(list)
            for one, answers in zip(block, asked, strict=True):
                alike[answers].append(one)
            for answers, group in alike.items():
                if len(group) > 1 and any(map(_is_value, answers)):
                    yield from _confirmed(group, ask, enough)


def _confirmed(group: Sequence[Problem], ask: Ask, enough: Enough) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a group, each with the first that it agrees with on all inputs."""
    different: list[Problem] = []
    for one in group:
        for other in different:
            cases = [*one.cases, *other.cases]
            answers = ask(one, cases)
            if _suffices(answers, enough) and answers == ask(other, cases):
                yield other.task_id, one.task_id
                break
        else:
            different.append(one)


def _suffices(answers: Sequence[str], enough: Enough) -> bool:
    found = {answer for answer in answers if _is_value(answer)}
    if found <= {"=true", "=false", "=null"}:
        return len(found) > 1 and len(answers) >= enough.inputs
    return len(found) >= enough.answers


def _is_value(answer: str) -> bool:
    return answer.startswith("=")


def _blocks(problems: Sequence[Problem]) -> Iterator[list[Problem]]:
    """Yield the problems whose inputs are of one shape, where there are several."""
    found: dict[object, list[Problem]] = defaultdict(list)
    for problem in sorted(problems, key=lambda one: one.task_id):
        if problem.cases and problem.canonical_solution.strip():
            found[_shape(problem)].append(problem)
    yield from (block for _, block in sorted(found.items(), key=str) if len(block) > 1)


def _shape(problem: Problem) -> tuple[object, ...]:
    kinds = [list(map(_kind, case.args)) for case in problem.cases]
    at_places = itertools.zip_longest(*kinds, fillvalue="-")
    return (
        problem.style,
        problem.mode,
        tuple("/".join(sorted(set(place))) for place in at_places),
        tuple(sorted({name for case in problem.cases for name in case.kwargs})),
        any(case.after for case in problem.cases),
    )


def _kind(tree: Tree) -> str:
    if isinstance(tree, dict):
        return str(next(iter(tree), "dict"))
    return "number" if type(tree) in (int, float) else type(tree).__name__


def _probes(block: Sequence[Problem]) -> list[TestCase]:
    """Take the first inputs of the problems of a block, from all over it."""
    most, step = PROBES // OF_EACH, max(1, len(block) * OF_EACH // PROBES)
    taken = [case for one in block[::step][:most] for case in one.cases[:OF_EACH]]
    return taken[:OF_PROGRAMS] if block[0].style == "stdio" else taken


def _answers(problem: Problem, cases: Sequence[TestCase], judges: Judges) -> tuple[str, ...]:
    """Return the answer to each input as text, "" where there is none."""
    source = program(problem)
    if problem.style == "stdio":
        texts = [str(values.decode(case.args[0])) for case in cases[:OF_PROGRAMS]]
        ran = [judges.run_program(source, text, LIMITS).outcomes for text in texts]
        return tuple(_text(outcomes[0]) if outcomes else "" for outcomes in ran)
    after = tuple(sorted({name for case in cases for name in case.after}))
    calls: list[Call] = [call_of(case)._replace(after=after) for case in cases]
    outcomes = judges.run(source, problem.entry_point, calls, LIMITS, problem.mode).outcomes
    found = [_text(outcome) for outcome in outcomes]
    return tuple(found + [""] * (len(cases) - len(found)))


def _text(outcome: Outcome) -> str:
    if outcome.value is msgspec.UNSET:
        return outcome.raises or ""
    return "=" + json.dumps(outcome.value) + (json.dumps(outcome.after) if outcome.after else "")
