"""The comparator must take every right answer, and no wrong one.

Where the text says that a list may be in any order, it is made so; where any of several answers
will do, only a checker could tell, and the problem goes. Floats get a tolerance where the reference
works them out, and nothing else does. An answer that one unit in the last place flips says nothing.
"""

import ast
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from thresher.filters import noise
from thresher.filters.contracts.annotations import BAD_SOURCE, items, kind
from thresher.filters.contracts.contract import function, text_of
from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.filters.raw_runs import described
from thresher.judging import arguments_of, call_of, call_with
from thresher.sandbox.judge import Call, Outcome
from thresher.store import data, printed, values, wording
from thresher.store.comparison import tags
from thresher.store.humaneval import call_source
from thresher.store.records import Comparator, Execution, Problem, TestCase, Tree
from thresher.store.wording_of_results import is_any_answer, is_any_order, list_order, sentences

PURPOSE = "float noise"
LONGEST = 300  # characters of a sentence in evidence
MOST_CALLS = 400
MOST_CASES = 20
# What has an order to differ in.
ORDERED = {"list", "tuple", "str", "bytes", "ordereddict", "deque"}


class Comparing(Options, frozen=True):
    """The tolerance that computed floats get: as a fraction, and as a difference."""

    relative: float = 1e-9
    absolute: float = 1e-12


class Change(NamedTuple):
    """A comparator to go on with, or none where the problem must go, and why."""

    comparator: Comparator | None
    reason: str
    why: str


def apply(problem: Problem, tools: Tools) -> Finding:
    """Look at what the text says, at the floats in the answers, and at what a unit changes.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    given = problem.comparator
    changes: list[str] = []
    for look in (_several, _order, _tolerance):
        change = look(problem, tools.options)
        if change is None:
            continue
        why = change.why[:LONGEST]
        if change.comparator is None:
            return FILTER.drop(problem, change.reason, why, ())
        problem = msgspec.structs.replace(problem, comparator=change.comparator)
        changes.append(f"{change.reason}: {why}")
    ran: list[Execution] = []
    if noisy := _noise(problem, tools, ran):
        return FILTER.drop(problem, "float-noise", noisy, ran)
    if problem.comparator == given:
        return FILTER.keep(problem, f"{given.kind} suits the answers", ran)
    evidence = f"{given.kind} became {problem.comparator.kind}: {'; '.join(changes)}"
    return FILTER.keep(problem, evidence, ran, problem)


def _several(problem: Problem, options: Comparing) -> Change | None:
    """Find that any of several answers will do."""
    if problem.comparator.kind == "checker":
        return None
    text = _text(problem)
    if sentence := next(filter(is_any_answer, sentences(text)), None):
        return Change(None, "several-answers", sentence)
    if problem.style != "stdio" or "multiple_answers" not in wording.read(text).flags:
        return None
    several = [case for case in problem.cases if len(str(case.expected).split()) > 1]
    said = next(filter(is_any_order, sentences(text)), None)  # of one word no order matters
    return (
        None
        if said and not several
        else Change(None, "several-answers", said or _several_said(text))
    )


def _several_said(text: str) -> str:
    parts = (part for part in text.split("\n") if "multiple_answers" in wording.read(part).flags)
    return next(parts, "the statement lets several answers be right")


def _order(problem: Problem, options: Comparing) -> Change | None:
    """Find that the order in answers doesn't matter, and how that can be compared."""
    text = list(sentences(_text(problem))) if problem.style == "function" else []
    sentence = next(filter(is_any_order, text), None)
    if sentence is None or problem.comparator.kind.startswith(("unordered", "checker")):
        return None
    answers = [case.expected for case in problem.cases if case.raises is None]
    kinds = {kind(tree) for tree in answers} & ORDERED
    if not kinds:
        return None
    is_nested = any(isinstance(item, list) for tree in answers for item in items(tree) or [])
    order = list_order(sentence, text, is_nested)
    if order is not None and kinds == {"list"} and not _has_computed(problem, answers):
        return Change(Comparator(kind=order), "any-order", sentence)
    return Change(None, "several-answers", sentence)


def _tolerance(problem: Problem, options: Comparing) -> Change | None:
    """Find a tolerance that is missing, or one that nothing needs."""
    if problem.style == "stdio":
        return _printed_tolerance(problem)
    answers = [tree for case in problem.cases for tree in (case.expected, *case.after.values())]
    comparator = problem.comparator
    if comparator.kind == "float" and not any(map(_has_float, answers)):
        return Change(Comparator(), "tolerance-without-floats", "no answer has a float in it")
    if comparator.kind == "exact" and _has_computed(problem, answers):
        near = Comparator(kind="float", relative=options.relative, absolute=options.absolute)
        why = f"floats are worked out; within {near.relative:g} of them or {near.absolute:g}"
        return Change(near, "computed-floats", why)
    return None


def _printed_tolerance(problem: Problem) -> Change | None:
    """Hold the tolerance for printed numbers against what the statement says."""
    comparator = problem.comparator
    if comparator.kind not in printed.KINDS:
        return None
    reading = wording.read(_text(problem))
    stated = reading.comparator
    has_stated, has = (bool(one.relative or one.absolute) for one in (stated, comparator))
    if has_stated and not has:
        return Change(stated, "stated-tolerance", reading.evidence)
    if has and not has_stated and not any(_has_fraction(case) for case in problem.cases):
        plain = msgspec.structs.replace(comparator, relative=0.0, absolute=0.0)
        return Change(plain, "tolerance-without-floats", "every number that is printed is whole")
    return None


def _noise(problem: Problem, tools: Tools, ran: list[Execution]) -> str | None:
    """Return the first answer that one unit in the last place of a float changes, in a line."""
    if problem.style == "stdio" or problem.mode not in ("returns", "awaits"):
        return None
    cases = [case for case in problem.cases if case.raises is None][:MOST_CASES]
    written = noise.constants(program(problem))
    given = [(case, arguments_of(case)) for case in cases]
    moved = [(case, one) for case, trees in given for one in noise.moved_trees(trees, written)]
    if found := _noise_of_inputs(problem, moved[:MOST_CALLS], tools, ran):
        return found
    return _noise_of_constants(problem, cases, tools, ran)


def _noise_of_inputs(
    problem: Problem,
    moved: Sequence[tuple[TestCase, noise.Moved]],
    tools: Tools,
    ran: list[Execution],
) -> str | None:
    source = program(problem)
    calls = [call_with(case, one.thing) for case, one in moved]
    outcomes = _answers(problem, source, calls, tools, ran, "float inputs") if calls else ()
    for (case, one), outcome in zip(moved, outcomes, strict=False):
        if _flips(case, outcome):
            steps = [(source, call_with(case, thing)) for thing in (one.thing, one.further)]
            if _is_confirmed(problem, case, steps, tools, ran):
                return _shown(problem, case, one, outcome)
    return None


def _noise_of_constants(
    problem: Problem, cases: Sequence[TestCase], tools: Tools, ran: list[Execution]
) -> str | None:
    given = {number for case in cases for number in noise.numbers(arguments_of(case))}
    calls = list(map(call_of, cases))
    for one in noise.moved_source(program(problem), given):
        outcomes = _answers(problem, one.thing, calls, tools, ran, one.how)
        for case, outcome in zip(cases, outcomes, strict=False):
            if _flips(case, outcome):
                steps = [(source, call_of(case)) for source in (one.thing, one.further)]
                if _is_confirmed(problem, case, steps, tools, ran):
                    return _shown(problem, case, one, outcome)
    return None


def _is_confirmed(
    problem: Problem,
    case: TestCase,
    steps: Sequence[tuple[str, Call]],
    tools: Tools,
    ran: list[Execution],
) -> bool:
    """Say whether a step makes the difference: not the calls before it, nor how far it goes."""
    told = [(program(problem), call_of(case)), *steps]
    tried: list[Execution] = []  # of interest where it makes the difference
    ways = ("nothing", "a step", "a longer step")
    outcomes = [
        _answers(problem, source, [call], tools, tried, way)
        for way, (source, call) in zip(ways, told, strict=True)
    ]
    if not all(outcomes):
        return False
    plain, near, far = (each[0] for each in outcomes)
    if _flips(case, plain) or not _flips(case, near):
        return False
    if near.raises is not None or far.raises is not None:
        is_stable = near.raises == far.raises
    else:
        is_stable = not _differ(near.value, far.value, noise.LOOSE)
    ran.extend(tried if is_stable else ())
    return is_stable


def _answers(
    problem: Problem,
    source: str,
    calls: Sequence[Call],
    tools: Tools,
    ran: list[Execution],
    moved: str,
) -> Sequence[Outcome]:
    result = tools.judges.run(source, problem.entry_point, calls, tools.limits, problem.mode)
    said = f"moved: {moved}"
    ran.append(described(tools, problem, source, PURPOSE, result, len(calls), said))
    return result.outcomes if result.failure is None else ()


def _flips(case: TestCase, outcome: Outcome) -> bool:
    """Say whether an outcome differs from the case's by more than noise."""
    if outcome.refused is not None:
        return False
    if outcome.raises is not None:
        return outcome.raises not in ("MemoryError", "TimeoutError")
    return _differ(case.expected, outcome.value)


def _differ(one: Tree, other: Tree, close: noise.Close = noise.NOISE) -> bool:
    try:
        return noise.flips(one, other, close)
    except values.MALFORMED:
        return False  # no value at all: it has nothing to do with noise


def _shown(problem: Problem, case: TestCase, one: noise.Moved, outcome: Outcome) -> str:
    gives = outcome.raises or _rendered(outcome.value)
    call = call_source(case, problem.entry_point)[:LONGEST]
    return f"{call} gives {_rendered(case.expected)}, but with {one.how} {gives}"


def _rendered(tree: Tree) -> str:
    try:
        return data.render(tree)[:LONGEST]
    except (ValueError, RecursionError):
        return "what is no data"


def _text(problem: Problem) -> str:
    """Return what the prompt says in words."""
    try:
        tree = ast.parse(program(problem))
    except BAD_SOURCE:
        return problem.prompt
    node = tree if problem.style == "stdio" else function(tree, problem.entry_point)
    return text_of(node) if node is not None else ""


def _has_float(tree: Tree) -> bool:
    if isinstance(tree, dict):
        return "float" in tree or any(map(_has_float, tree.values()))
    return any(map(_has_float, tree)) if isinstance(tree, list) else isinstance(tree, float)


def _has_computed(problem: Problem, answers: Sequence[Tree]) -> bool:
    """Say whether an answer has a float that rounding made, and that isn't given or written."""
    found = {value for tree in answers for _, value in noise.floats(tree) if noise.is_noisy(value)}
    if not found and "complex" not in set().union(*map(tags, answers)):
        return False
    known = set(noise.numbers(list(map(arguments_of, problem.cases))))
    known |= noise.constants(program(problem))
    return bool(found - known - {-number for number in known})


def _has_fraction(case: TestCase) -> bool:
    words = str(case.expected).split()
    return any(not word.lstrip("+-").isdigit() and _is_number(word) for word in words)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


FILTER = Filter("comparator", 3, apply, Comparing())
