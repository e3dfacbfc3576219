"""Recorded calls of a project become problems; every function called is kept or lost by reason."""

from collections import Counter
from pathlib import PurePosixPath
from typing import NamedTuple

from thresher.judging import Judges
from thresher.store.funnel import TRACE
from thresher.store.records import Decision, Derivation, Problem, Record, Source, content_id
from thresher.tracer.examples import LEAST_CASES, Examples, choose
from thresher.tracer.spool import Function
from thresher.tracer.standalone import NotStandalone, Project, Standalone, extract

VERSION = 2


class Traced(NamedTuple):
    """A traced project: its name as in ``pypi/NAME/VERSION``, source record and parsed files."""

    origin: str
    source: Source
    project: Project


def make(traced: Traced, function: Function, judges: Judges) -> list[Record]:
    """Make the problem of one recorded function, and the decision that keeps or loses it.

    Raises:
        InfrastructureError: the sandbox failed, so that nothing can be decided.
    """
    try:
        standalone = extract(traced.project, function.file, function.line, function.name)
    except NotStandalone as error:
        return [_decision(traced, function, error.reason, str(error))]
    examples = choose(standalone, function.calls, judges)
    evidence = _evidence(function, examples)
    if len(examples.cases) < LEAST_CASES:
        return [_decision(traced, function, _main_loss(function, examples), evidence)]
    if all(case.raises for case in examples.cases):
        return [_decision(traced, function, "only-exceptions", evidence)]
    problem = _problem(traced, function, standalone, examples)
    return [problem, _decision(traced, function, None, f"{problem.task_id}: {evidence}")]


def name_of(traced: Traced, function: Function) -> str:
    """Name a function readably: ``pypi/NAME/VERSION/module.function``."""
    path = PurePosixPath(function.file).with_suffix("")
    parts = path.parent.parts if path.name == "__init__" else path.parts
    return f"{traced.origin}/{'.'.join((*parts, function.qualname))}"


def _problem(
    traced: Traced, function: Function, standalone: Standalone, examples: Examples
) -> Problem:
    digest = content_id([standalone.prompt, standalone.solution, examples.cases])[:8]
    return Problem(
        task_id=f"{name_of(traced, function)}-{digest}",
        entry_point=standalone.entry_point,
        prompt=standalone.prompt,
        canonical_solution=standalone.solution,
        cases=examples.cases,
        comparator=examples.comparator,
        style="function",
        source=traced.source.id,
        derivation=Derivation(
            file=str(traced.project.sources[function.file]),
            line=standalone.start_line,
            function=function.qualname,
            how=f"{len(function.calls)} distinct calls recorded while its tests ran",
        ),
    )


def _decision(traced: Traced, function: Function, loss: str | None, evidence: str) -> Decision:
    return Decision(
        subject=f"{name_of(traced, function)}:{function.line}",
        filter=TRACE,
        version=VERSION,
        keep=loss is None,
        reason=loss or "kept",
        evidence=evidence,
    )


def _main_loss(function: Function, examples: Examples) -> str:
    """Name the reason that most of a function's calls were lost for."""
    lost: Counter[str] = Counter()
    for reason, count in (examples.lost + function.lost).items():
        lost[_summed_up(reason)] += count
    return max(sorted(lost), key=lambda reason: lost[reason]) if lost else "too-few-examples"


def _summed_up(reason: str) -> str:
    """Leave the name of the type out: the evidence has it, the funnel would drown in them."""
    if reason.startswith("result:"):
        return "result-is-no-data"
    return "argument-is-no-data" if reason.startswith("type:") else reason


def _evidence(function: Function, examples: Examples) -> str:
    """Say what became of the calls: seen = cases + lost, with the reasons."""
    reasons = sorted((examples.lost + function.lost).items())
    lost = ", ".join(f"{count} {reason}" for reason, count in reasons)
    calls = f"{len(examples.cases)} cases of {len(function.calls)} distinct calls"
    return f"{calls} ({lost or 'none lost'})"
