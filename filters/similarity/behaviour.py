"""Programs that give the same answers on each other's inputs."""

import itertools
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from thresher.filters.contract import contract_of
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


class Enough(NamedTuple):
    """How much agreement it takes: so many different answers, or of fewer so many inputs."""

    answers: int
    inputs: int


def pairs(problems: Sequence[Problem], judges: Judges, enough: Enough) -> Iterator[tuple[str, str]]:
    """Yield the task ids of each two problems that behave the same.

    They take inputs of the same shape, agree on the first inputs of all such problems, as far as
    both allow them and answer, and then on all of each other's.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    with ThreadPoolExecutor(judges.size) as threads:
        for block in _blocks(problems):
            probes = _probes(block)
            allowed = [_allowed(one, probes) for one in block]
            answers = list(threads.map(lambda one, p=probes: _answers(one, p, judges), block))
            asked = [
                tuple(answer if may else "" for may, answer in zip(*each, strict=True))
                for each in zip(allowed, answers, strict=True)
            ]
            yield from _confirmed(block, asked, judges, enough)


def _confirmed(
    block: Sequence[Problem], asked: Sequence[tuple[str, ...]], judges: Judges, enough: Enough
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a block, each with the first that it agrees with on all inputs."""
    different: list[tuple[Problem, tuple[str, ...]]] = []
    for one, answers in zip(block, asked, strict=True):
        for other, others in different:
            if _agree(answers, others) and _same(one, other, answers, judges, enough):
                yield other.task_id, one.task_id
                break
        else:
            different.append((one, answers))


def _agree(left: Sequence[str], right: Sequence[str]) -> bool:
    """Say whether two agree where both may be asked and answer, and there is such an input."""
    both = [(a, b) for a, b in zip(left, right, strict=True) if _is_value(a) and _is_value(b)]
    return bool(both) and all(a == b for a, b in both)


def _same(
    one: Problem, other: Problem, answers: Sequence[str], judges: Judges, enough: Enough
) -> bool:
    cases = [*one.cases, *other.cases]
    found = _answers(one, cases, judges)
    return _suffices([*answers, *found], enough) and found == _answers(other, cases, judges)


def _allowed(problem: Problem, cases: Sequence[TestCase]) -> list[bool]:
    contract = contract_of(problem)
    return [contract.breach(case.args, case.kwargs) is None for case in cases]


def _suffices(answers: Sequence[str], enough: Enough) -> bool:
    values = [answer for answer in answers if _is_value(answer)]
    if len(set(values)) >= enough.answers:
        return True
    return len(set(values)) > 1 and len(values) >= enough.inputs


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
        tuple("/".join(_kinds(place)) for place in at_places),
        tuple(sorted({name for case in problem.cases for name in case.kwargs})),
        any(case.after for case in problem.cases),
    )


def _kinds(found: Iterable[str]) -> list[str]:
    """Return the kinds of a place; an empty list says nothing beside one that isn't."""
    kinds = set(found)
    return sorted(each for each in kinds if not any(k.startswith(f"{each}[") for k in kinds))


def _kind(tree: Tree, depth: int = 2) -> str:
    """Return the kind of a value, and of what is in it."""
    tag, inner = type(tree).__name__, tree
    if isinstance(tree, dict) and tree:
        ((tag, inner),) = tree.items()
    if tag in ("int", "float"):
        return "number"
    if not isinstance(inner, list) or not inner or not depth:
        return tag
    return f"{tag}[{'/'.join(sorted({_kind(each, depth - 1) for each in inner}))}]"


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
