"""Programs that give the same answers on each other's inputs."""

import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from thresher.filters.contracts.contract import contract_of
from thresher.filters.filter import program
from thresher.filters.mutation.inputs import inputs
from thresher.filters.mutation.likeness import likeness, split
from thresher.judging import Judges, call_of
from thresher.sandbox.judge import Call, Outcome
from thresher.sandbox.remote import CellLimits
from thresher.store import values
from thresher.store.records import Problem, TestCase, Tree

PROBES = 24  # inputs that all programs of a block are compared on first
OF_EACH = 2  # of them, how many a problem gives
OF_PROGRAMS = 6  # likewise of programs, which take a cell for each
MADE = 150  # inputs like its own that each of two problems adds
TRIES = 20  # others that a problem is compared with on all inputs
SHARED = 3  # inputs that two must both answer to be told apart by what they give
RARE = 3  # inputs whose answer isn't the most frequent one, where answers are few
LIMITS = CellLimits(cpu=0.5, wall=20.0)


class Enough(NamedTuple):
    """How much agreement it takes: so many different answers, or of fewer so many inputs."""

    answers: int
    inputs: int


class _Asked(NamedTuple):
    """A problem, and its answers to the probes that it allows, by the probe."""

    problem: Problem
    answers: dict[str, str]


def pairs(problems: Sequence[Problem], judges: Judges, enough: Enough) -> Iterator[tuple[str, str]]:
    """Yield the task ids of each two problems that behave the same.

    They take inputs of the same shape, agree on the first inputs of all such problems, as far as
    both allow them and answer, then on all of each other's, and on more that are like those.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    with ThreadPoolExecutor(judges.size) as threads:
        for block in _blocks(problems):
            probes = _probes(block)
            asked = threads.map(lambda one, probes=probes: _asked(one, probes, judges), block)
            yield from _confirmed(list(asked), judges, enough)


def agreement(one: Problem, other: Problem, judges: Judges) -> float | None:
    """Return the share of two problems' inputs on which both give the same, of those both answer.

    None where there are fewer than `SHARED` such inputs.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    most = OF_PROGRAMS // 2 if one.style == "stdio" else None
    own = [*one.cases[:most], *other.cases[:most]]
    pairs = zip(_answers(one, own, judges), _answers(other, own, judges), strict=True)
    told = [left == right for left, right in pairs if _is_value(left) and _is_value(right)]
    return sum(told) / len(told) if len(told) >= SHARED else None


def _asked(problem: Problem, probes: Sequence[TestCase], judges: Judges) -> _Asked:
    contract = contract_of(problem)
    allowed = [each for each in probes if contract.breach(each.args, each.kwargs) is None]
    answers = zip(map(_key, allowed), _answers(problem, allowed, judges), strict=True)
    return _Asked(problem, {key: answer for key, answer in answers if _is_value(answer)})


def _confirmed(
    block: Sequence[_Asked], judges: Judges, enough: Enough
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a block, each with the first that it agrees with on all inputs."""
    different: list[_Asked] = []
    for one in block:
        alike = (other for other in different if _agree(one.answers, other.answers))
        for other in itertools.islice(alike, TRIES):
            if _same(one, other, judges, enough):
                yield other.problem.task_id, one.problem.task_id
                break
        else:
            different.append(one)


def _agree(left: Mapping[str, str], right: Mapping[str, str]) -> bool:
    """Say whether two agree on what both answer, and there is such an input."""
    both = left.keys() & right.keys()
    return bool(both) and all(left[key] == right[key] for key in both)


def _same(left: _Asked, right: _Asked, judges: Judges, enough: Enough) -> bool:
    one, other = left.problem, right.problem
    most = OF_PROGRAMS // 2 if one.style == "stdio" else None
    own = [*one.cases[:most], *other.cases[:most]]
    found = _answers(one, own, judges)
    if found != _answers(other, own, judges):
        return False
    agreed = dict(zip(map(_key, own), found, strict=True))
    agreed |= {key: left.answers[key] for key in left.answers.keys() & right.answers.keys()}
    more = [*_made(one, other), *_made(other, one)]
    for case, a, b in zip(
        more, _answers(one, more, judges), _answers(other, more, judges), strict=True
    ):
        if _is_value(a) and _is_value(b):
            if a != b:
                return False
            agreed[_key(case)] = a
    return _suffices(agreed.values(), enough)


def _made(problem: Problem, other: Problem) -> Iterator[TestCase]:
    """Yield inputs like a problem's that both allow."""
    if problem.style == "stdio":
        return
    contract = contract_of(other)
    for given in inputs(problem, likeness(problem), (), MADE):
        args, kwargs = split(given)
        if contract.breach(args, kwargs) is None:
            yield msgspec.structs.replace(problem.cases[0], args=args, kwargs=kwargs)


def _suffices(answers: Iterable[str], enough: Enough) -> bool:
    found = Counter(filter(_is_value, answers))
    if len(found) >= enough.answers:
        return True
    rest = found.total() - max(found.values(), default=0)
    return rest >= RARE and found.total() >= enough.inputs


def _key(case: TestCase) -> str:
    return json.dumps([case.args, sorted(case.kwargs.items())])


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
        texts = [str(values.decode(case.args[0])) for case in cases]
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
