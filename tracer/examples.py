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
LEAST_CASES = 3
MAX_CASE_SOURCE = 1_000  # characters of a call and its answer
MAX_REPLAYED = 50
SANDBOX_PATH = "/thresher/"
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
    """Take at most `MOST_CASES`, each the one that shows most of what those before it don't.

    What a case shows is its outcome, the value of each argument and each argument's type. Among
    equals the first wins, so `cases` come smallest first; they are given in that order again.
    """
    seen: set[tuple[str, bytes]] = set()
    waiting = {position: _shown(case) for position, case in enumerate(cases)}
    taken: list[int] = []
    while waiting and len(taken) < MOST_CASES:
        best = max(waiting, key=lambda position: (len(waiting[position] - seen), -position))
        seen |= waiting.pop(best)
        taken.append(best)
    return tuple(cases[position] for position in sorted(taken))


def _shown(case: TestCase) -> set[tuple[str, bytes]]:
    arguments = {**{str(place): tree for place, tree in enumerate(case.args)}, **case.kwargs}
    shown = {(name, canonical_json(tree)) for name, tree in arguments.items()}
    shown |= {(f"type of {name}", _kind(tree)) for name, tree in arguments.items()}
    return shown | {("outcome", canonical_json([case.expected, case.raises]))}


def _kind(tree: Tree) -> bytes:
    kind = next(iter(tree)) if isinstance(tree, dict) else type(tree).__name__
    return str(kind).encode()


def _unusable(call: RecordedCall) -> str | None:
    """Say why a recorded call can't be a case, or None."""
    if call.mutated:
        return "changes-its-arguments"
    if call.raises is not None and not _is_builtin_exception(call.raises):
        return "raises-own-exception"
    source = call_source(_case(call)) + values.render(call.result)
    if SANDBOX_PATH in source:
        return "holds-sandbox-path"
    return "too-large" if len(source) > MAX_CASE_SOURCE else None


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
        shown=False,
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
