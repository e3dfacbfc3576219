"""Calls become test cases: replayed in the sandbox, and a few chosen that show the most."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from thresher.judging import Judges, call_of, describe, matches
from thresher.sandbox.judge import Outcome, Result
from thresher.store import data, values
from thresher.store.records import Comparator, TestCase, Tree, canonical_json
from thresher.tracer.cases import arguments, case_of, unusable
from thresher.tracer.doctests import Example, Shown, is_literal
from thresher.tracer.extraction.standalone import Standalone
from thresher.tracer.recording.spool import RecordedCall

MOST_CASES = 10
LEAST_CASES = 3
MAX_REPLAYED = 50
FLOATS = Comparator(kind="float", relative=1e-9, absolute=1e-12)


class Replayed(NamedTuple):
    """A case for which the program gives the right answer, and the branches that it takes."""

    case: TestCase
    taken: frozenset[int] = frozenset()


class Examples(NamedTuple):
    """The chosen cases, how they are compared, and why the other calls are none.

    Attributes:
        shown: how many calls were taken from the docstring alone; calls + shown = cases + lost.
        contradiction: an example of the docstring that the program contradicts, or None.
        covered: how many of the entry point's `branches` the cases take.
    """

    cases: tuple[TestCase, ...]
    comparator: Comparator
    lost: Counter[str]
    shown: int = 0
    contradiction: str | None = None
    covered: int = 0
    branches: int = 0


def choose(standalone: Standalone, calls: Sequence[RecordedCall], judges: Judges) -> Examples:
    """Choose the cases of a function from its recorded calls and its docstring.

    A call is a case when it is small enough, and the program gives the recorded outcome for it in
    a fresh sandbox. A call that the docstring shows is one as well, if the program agrees.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    lost: Counter[str] = Counter()
    usable = []
    for case in (case_of(call, standalone.names) for call in calls):
        reason = unusable(case)
        if reason:
            lost[reason] += 1
        else:
            usable.append(case)
    shown = Shown(standalone)
    tried, said = _by_size(usable)[:MAX_REPLAYED], shown.examples()
    comparator = comparator_for([*tried, *(example.case for example in said)])
    result = _replay(standalone, [*tried, *(example.case for example in said)], judges)
    agreeing = _agreeing(tried, result.outcomes, comparator)
    lost["differs-standalone"] = len(tried) - len(agreeing)
    added, contradiction = _checked(said, result.outcomes[len(tried) :], comparator)
    pool = _merged(shown, agreeing, said, added)
    chosen = varied(pool)
    lost["enough"] = len(calls) - lost.total() + len(pool) - len(agreeing) - len(chosen)
    covered = frozenset().union(*(one.taken for one in chosen))
    return Examples(
        cases=tuple(one.case for one in chosen),
        comparator=comparator,
        lost=+lost,
        shown=len(pool) - len(agreeing),
        contradiction=contradiction,
        covered=sum(number < result.branches for number in covered),
        branches=result.branches,
    )


def comparator_for(cases: Sequence[TestCase]) -> Comparator:
    """Allow a float tolerance only where the reference gives floats; ints stay exact."""
    answers = [tree for case in cases for tree in (*case.after.values(), case.expected)]
    return FLOATS if _has_float(answers) else Comparator()


def varied(pool: Sequence[Replayed]) -> tuple[Replayed, ...]:
    """Take at most `MOST_CASES`, each the one that shows most of what those before it don't.

    Branches of the program count first, then other outcomes, then other values and types of each
    argument. Among equals the first wins, so they come smallest first; they are given in that
    order again.
    """
    branches: set[int] = set()
    shown: set[tuple[str, bytes]] = set()
    waiting = {position: (one.taken, _outcome(one.case), _given(one.case))
               for position, one in enumerate(pool)}  # fmt: skip
    taken: list[int] = []

    def news(position: int) -> tuple[int, bool, int, int]:
        ways, outcome, given = waiting[position]
        return len(ways - branches), outcome not in shown, len(given - shown), -position

    while waiting and len(taken) < MOST_CASES:
        best = max(waiting, key=news)
        ways, outcome, given = waiting.pop(best)
        branches |= ways
        shown |= {outcome, *given}
        taken.append(best)
    return tuple(pool[position] for position in sorted(taken))


def echoes(cases: Sequence[TestCase]) -> int:
    """Count the cases that return an argument unchanged."""
    return sum(case.raises is None and case.expected in arguments(case).values() for case in cases)


def unvaried(cases: Sequence[TestCase]) -> list[str]:
    """Return the places and keywords of the arguments that are the same in every case."""
    given = [arguments(case) for case in cases]
    return [
        name
        for name, tree in given[0].items()
        if all(name in other and _same(tree, other[name]) for other in given)
    ]


def _same(one: Tree, other: Tree) -> bool:
    return canonical_json(one) == canonical_json(other)


def _outcome(case: TestCase) -> tuple[str, bytes]:
    answer = [case.expected, case.raises, case.after, case.ended]
    return "outcome", canonical_json(answer)


def _given(case: TestCase) -> set[tuple[str, bytes]]:
    given = arguments(case).items()
    return {(name, canonical_json(tree)) for name, tree in given} | {
        (f"type of {name}", _kind(tree)) for name, tree in given
    }


def _kind(tree: Tree) -> bytes:
    kind = next(iter(tree)) if isinstance(tree, dict) else type(tree).__name__
    return str(kind).encode()


def _has_float(tree: Tree) -> bool:
    if isinstance(tree, dict):
        return "float" in tree or any(map(_has_float, tree.values()))
    return any(map(_has_float, tree)) if isinstance(tree, list) else isinstance(tree, float)


def _by_size(cases: Sequence[TestCase]) -> list[TestCase]:
    """Sort distinct cases smallest first, whatever order they were recorded in."""
    distinct = {canonical_json([case.args, case.kwargs]): case for case in cases}
    return [case for _, case in sorted(distinct.items(), key=lambda item: (len(item[0]), item[0]))]


def _replay(standalone: Standalone, cases: Sequence[TestCase], judges: Judges) -> Result:
    """Make the calls in a cell; without watching the branches where that takes too long."""

    def run(branches: bool) -> Result:
        program = standalone.prompt + standalone.solution
        calls = list(map(call_of, cases))
        return judges.run(
            program, standalone.entry_point, calls, mode=standalone.mode, branches=branches
        )

    result = run(branches=True)
    is_whole = result.failure or len(result.outcomes) == len(cases)
    return result if is_whole else run(branches=False)


def _agreeing(
    cases: Sequence[TestCase], outcomes: Sequence[Outcome], comparator: Comparator
) -> list[Replayed]:
    """Return the cases for which the program gives the recorded outcome."""
    pairs = [(_finished(c, out), out) for c, out in zip(cases, outcomes, strict=False)]
    return [Replayed(case, out.taken) for case, out in pairs if matches(case, out, comparator)]


def _finished(case: TestCase, outcome: Outcome) -> TestCase:
    """Let the program go on where a generator was left before its end, if it began the same."""
    if case.ended or case.raises or len(case.expected) >= values.MAX_OUTPUTS:
        return case
    told = outcome.value if isinstance(outcome.value, list) else []
    if not data.equal(case.expected, told[: len(case.expected)]) or not _is_value(told):
        return case
    return msgspec.structs.replace(case, expected=told, ended=outcome.ended)


def _is_value(tree: Tree) -> bool:
    try:
        values.decode(tree)
    except ValueError:
        return False
    return True


def _checked(
    examples: Sequence[Example], outcomes: Sequence[Outcome], comparator: Comparator
) -> tuple[list[Replayed], str | None]:
    """Return the docstring's examples that are right, and the first that is wrong in a line."""
    right, wrong = [], []
    for example, outcome in zip(examples, outcomes, strict=False):
        is_data = outcome.refused is None and is_literal(outcome.value)
        if not (example.is_checked and is_data):
            continue
        if matches(example.case, outcome, comparator):
            right.append(Replayed(example.case, outcome.taken))
        else:
            wrong.append(f"{example.line}, but {describe(outcome)}")
    return right, wrong[0] if wrong else None


def _merged(
    shown: Shown,
    recorded: Sequence[Replayed],
    said: Sequence[Example],
    right: Sequence[Replayed],
) -> list[Replayed]:
    """Mark the recorded calls that the docstring shows, and add the calls that it alone has."""
    keys = {shown.key(example.case) for example in said}
    pool = [
        one._replace(case=msgspec.structs.replace(one.case, shown=shown.key(one.case) in keys))
        for one in recorded
    ]
    known = {shown.key(one.case) for one in pool}
    alone = {shown.key(one.case): one for one in reversed(right)}
    return pool + [one for key, one in reversed(alone.items()) if key not in known]
