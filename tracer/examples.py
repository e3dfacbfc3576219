"""Recorded calls become test cases: rebuilt, replayed in the sandbox, and a varied few chosen."""

import builtins
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from thresher.judging import Judges, matches
from thresher.sandbox.judge import Call
from thresher.store import values
from thresher.store.humaneval import call_source
from thresher.store.records import Comparator, TestCase, Tree, canonical_json
from thresher.tracer.spool import RecordedCall
from thresher.tracer.standalone import Standalone

MOST_CASES = 10
LEAST_CASES = 2
MAX_CASE_SOURCE = 1_000  # characters of a call and its answer
MAX_REPLAYED = 50
FLOATS = Comparator(kind="float", relative=1e-9, absolute=1e-12)


class Examples(NamedTuple):
    """The chosen cases, how they are compared, and why the other recorded calls are none."""

    cases: tuple[TestCase, ...]
    comparator: Comparator
    lost: Counter[str]


def choose(standalone: Standalone, calls: Sequence[RecordedCall], judges: Judges) -> Examples:
    """Choose the cases of a function from its recorded calls.

    A call is a case when it changed no argument, is small enough, and the standalone program
    gives the recorded outcome for it in a fresh sandbox.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    lost: Counter[str] = Counter()
    usable = []
    for call in calls:
        reason = _unusable(call)
        if reason:
            lost[reason] += 1
        else:
            usable.append(_case(call))
    comparator = comparator_for(usable)
    replayed = _replayed(standalone, _by_size(usable)[:MAX_REPLAYED], comparator, judges)
    lost["differs-standalone"] += min(len(usable), MAX_REPLAYED) - len(replayed)
    chosen = varied(replayed)
    lost["enough"] += len(usable) - lost["differs-standalone"] - len(chosen)
    return Examples(chosen, comparator, +lost)


def comparator_for(cases: Sequence[TestCase]) -> Comparator:
    """Allow a float tolerance only where the reference gives floats; ints stay exact."""
    has_floats = any(_has_float(case.expected) for case in cases if case.raises is None)
    return FLOATS if has_floats else Comparator()


def varied(cases: Sequence[TestCase]) -> tuple[TestCase, ...]:
    """Take the smallest case of each distinct outcome, then the next smallest of each, and so on.

    `cases` come smallest first; at most `MOST_CASES` are taken, and given smallest first again.
    """
    rounds: dict[bytes, int] = {}
    ranked = []
    for position, case in enumerate(cases):
        outcome = canonical_json([case.expected, case.raises])
        rounds[outcome] = rounds.get(outcome, 0) + 1
        ranked.append((rounds[outcome], position))
    taken = sorted(position for _, position in sorted(ranked)[:MOST_CASES])
    return tuple(cases[position] for position in taken)


def _unusable(call: RecordedCall) -> str | None:
    """Say why a recorded call can't be a case, or None."""
    if call.mutated:
        return "changes-its-arguments"
    if call.raises is not None and not _is_builtin_exception(call.raises):
        return "raises-own-exception"
    if len(call_source(_case(call))) + len(values.render(call.result)) > MAX_CASE_SOURCE:
        return "too-large"
    return None


def _is_builtin_exception(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, Exception)


def _case(call: RecordedCall) -> TestCase:
    """Rebuild a call from its arguments by name: keyword-only ones stay keywords."""
    args: list[Tree] = []
    kwargs: dict[str, Tree] = {}
    for parameter in call.parameters:
        value = call.args[parameter.name]
        if parameter.kind == "VAR_POSITIONAL":
            args += value
        elif parameter.kind == "VAR_KEYWORD":
            kwargs |= value
        elif parameter.kind == "KEYWORD_ONLY":
            kwargs[parameter.name] = value
        else:
            args.append(value)
    return TestCase(
        args=tuple(args),
        kwargs=kwargs,
        expected=call.result,
        raises=call.raises,
        origin="traced",
    )


def _has_float(tree: Tree) -> bool:
    if isinstance(tree, dict):
        return "float" in tree or any(map(_has_float, tree.values()))
    return any(map(_has_float, tree)) if isinstance(tree, list) else isinstance(tree, float)


def _by_size(cases: Sequence[TestCase]) -> list[TestCase]:
    """Sort distinct cases smallest first, whatever order they were recorded in."""
    distinct = {canonical_json([case.args, case.kwargs]): case for case in cases}
    return [case for _, case in sorted(distinct.items(), key=lambda item: (len(item[0]), item[0]))]


def _replayed(
    standalone: Standalone, cases: Sequence[TestCase], comparator: Comparator, judges: Judges
) -> list[TestCase]:
    """Return the cases for which the standalone program gives the recorded outcome."""
    program = standalone.prompt + standalone.solution
    result = judges.run(
        program, standalone.entry_point, [Call(case.args, case.kwargs) for case in cases]
    )
    pairs = zip(cases, result.outcomes, strict=False)
    return [case for case, outcome in pairs if matches(case, outcome, comparator)]
