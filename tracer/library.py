"""Recorded calls of built-in and library functions become problems of their own kind.

What each asks for is told in the words of the function's own documentation, which is Python's:
such a problem needs Python's licence beside the project's.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from thresher.judging import Judges
from thresher.store.funnel import TRACE, decided
from thresher.store.licence import UNKNOWN
from thresher.store.records import (
    Decision,
    Derivation,
    Problem,
    Record,
    Source,
    canonical_json,
    content_id,
)
from thresher.tracer.cases import case_of
from thresher.tracer.examples import LEAST_CASES, Examples, choose, echoes
from thresher.tracer.extraction.modules import NotStandalone
from thresher.tracer.extraction.standalone import Standalone
from thresher.tracer.library_program import program_of
from thresher.tracer.problems import VERSION, Traced, main_loss
from thresher.tracer.recording.spool import Function, RecordedCall

DOCUMENTATION = "PSF-2.0"
MOST_PLACES = 5  # that the evidence names


class Callee(NamedTuple):
    """A function of the standard library, and what a project called it with.

    Attributes:
        name: the function, as ``builtins:str.split``.
        calls: those with distinct arguments.
        places: where they were made, as ``file:line``.
        repeated: how many calls had arguments seen before.
        lost: how many others are no examples, by reason.
    """

    name: str
    calls: tuple[RecordedCall, ...]
    places: tuple[tuple[str, int], ...]
    repeated: int
    lost: Counter[str]


def make(traced: Traced, functions: Sequence[Function], judges: Judges) -> Iterator[Record]:
    """Yield the problems of library calls, the source they come from, and each one's decision.

    Args:
        traced: the project whose files make the calls.
        functions: what `thresher.tracer.recording.callsites` recorded: named by the function that
            was called, in the place where it was called.
        judges: replay the calls.

    Raises:
        InfrastructureError: the sandbox failed, so that nothing can be decided.
    """
    traced = traced._replace(source=_documented(traced.source))
    if functions:
        yield traced.source
    for callee in callees(functions, frozenset(traced.project.sources)):
        yield from _made(traced, callee, judges)


def callees(functions: Sequence[Function], files: frozenset[str]) -> list[Callee]:
    """Put together what was recorded of each function that was called, by name.

    Args:
        functions: as in `make`.
        files: the project's; what claims to be called elsewhere is left out.
    """
    groups: defaultdict[str, list[Function]] = defaultdict(list)
    for function in functions:
        if function.file in files:
            groups[function.name].append(function)
    return [_callee(name, groups[name]) for name in sorted(groups)]


def _callee(name: str, found: Sequence[Function]) -> Callee:
    distinct: dict[bytes, RecordedCall] = {}
    for function in found:
        for call in function.calls:
            distinct.setdefault(canonical_json(call.args), call)
    recorded = sum(len(function.calls) for function in found)
    repeated = sum(function.duplicates for function in found) + recorded - len(distinct)
    lost: Counter[str] = Counter()
    for function in found:
        lost.update(function.lost)
    places = sorted({(function.file, function.line) for function in found})
    return Callee(name, tuple(distinct.values()), tuple(places), repeated, lost)


def _documented(source: Source) -> Source:
    """Return the source of problems that quote Python's documentation."""
    known = source.licence != UNKNOWN
    return msgspec.structs.replace(
        source,
        id=content_id([source.id, DOCUMENTATION])[:16],
        licence=f"({source.licence}) AND {DOCUMENTATION}" if known else UNKNOWN,
        licence_evidence=f"{source.licence_evidence}; Python's documentation: {DOCUMENTATION}",
    )


def _made(traced: Traced, callee: Callee, judges: Judges) -> list[Record]:
    try:
        has_keywords = any(call.args.get("kwargs") for call in callee.calls)
        standalone = program_of(callee.name, has_keywords)
    except NotStandalone as error:
        return [_decision(traced, callee, error.reason, str(error))]
    calls = _telling(callee.calls)
    examples = choose(standalone, calls, judges)
    lost = examples.lost + callee.lost + Counter(echo=len(callee.calls) - len(calls))
    reason = _useless(examples) or (main_loss(lost) if len(examples.cases) < LEAST_CASES else None)
    evidence = _evidence(callee, examples, lost)
    if reason:
        return [_decision(traced, callee, reason, evidence)]
    problem = _problem(traced, callee, standalone, examples)
    return [problem, _decision(traced, callee, None, f"{problem.task_id}: {evidence}")]


def _telling(calls: Sequence[RecordedCall]) -> list[RecordedCall]:
    """Leave out calls that give an argument back, where there are more of them than of others."""
    echoing = [call for call in calls if echoes([case_of(call, {})])]
    others = [call for call in calls if call not in echoing]
    room = max(len(others), LEAST_CASES - 1) if others else len(echoing)
    return [*others, *echoing[:room]]


def _useless(examples: Examples) -> str | None:
    """Say why enough cases still don't make a task, or None."""
    cases = examples.cases
    if len(cases) < LEAST_CASES:
        return None
    if examples.contradiction:
        return "example-disagrees"
    if all(case.raises for case in cases):
        return "only-exceptions"
    if len({canonical_json([case.expected, case.raises, case.after]) for case in cases}) == 1:
        return "always-the-same"
    return "echo" if echoes(cases) == len(cases) else None


def _problem(traced: Traced, callee: Callee, standalone: Standalone, examples: Examples) -> Problem:
    digest = content_id([standalone.prompt, standalone.solution, examples.cases])[:8]
    file, line = callee.places[0]
    return Problem(
        task_id=f"{_name(traced, callee)}-{digest}",
        entry_point=standalone.entry_point,
        prompt=standalone.prompt,
        canonical_solution=standalone.solution,
        cases=examples.cases,
        comparator=examples.comparator,
        style="function",
        source=traced.source.id,
        derivation=Derivation(
            file=str(traced.project.sources[file]),
            line=line,
            function=callee.name,
            how=f"{len(callee.calls)} distinct calls recorded while its tests ran, "
            f"{_made_at(callee)}",
        ),
        tags=standalone.tags,
    )


def _name(traced: Traced, callee: Callee) -> str:
    return f"{traced.origin}/{callee.name.replace(':', '.')}"


def _decision(traced: Traced, callee: Callee, loss: str | None, evidence: str) -> Decision:
    return decided(TRACE, VERSION, _name(traced, callee), loss, evidence)


def _evidence(callee: Callee, examples: Examples, losses: Counter[str]) -> str:
    """Say what became of the calls: calls = cases + lost, and where they were made."""
    lost = losses + Counter(repeated=callee.repeated)
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(lost.items()))
    total = len(callee.calls) + callee.repeated + callee.lost.total()
    said = f"{len(examples.cases)} cases of {total} calls ({reasons or 'none lost'})"
    return f"{said}; {_made_at(callee)}"


def _made_at(callee: Callee) -> str:
    named = ", ".join(f"{file}:{line}" for file, line in callee.places[:MOST_PLACES])
    more = len(callee.places) - MOST_PLACES
    return f"made at {named}" + (f" and {more} more places" if more > 0 else "")
