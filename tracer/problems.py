"""Recorded calls of a project become problems; every function called is kept or lost by reason."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from thresher.judging import Judges
from thresher.store.funnel import TRACE, decided
from thresher.store.records import Decision, Derivation, Problem, Record, Source, content_id
from thresher.tracer.examples import LEAST_CASES, Examples, choose, echoes, unvaried
from thresher.tracer.extraction.standalone import NotStandalone, Project, Standalone
from thresher.tracer.fitting import Fitted, fit
from thresher.tracer.recording.spool import Function

VERSION = 3


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
        fitted = fit(traced.project, function)
    except NotStandalone as error:
        return [_decision(traced, function, error.reason, str(error))]
    examples = choose(fitted.standalone, fitted.calls, judges)
    lost = examples.lost + fitted.lost + function.lost
    evidence = _evidence(function, fitted, examples, lost)
    if len(examples.cases) < LEAST_CASES:
        return [_decision(traced, function, main_loss(lost), evidence)]
    if examples.contradiction:
        said = f"{examples.contradiction}; {evidence}"
        return [_decision(traced, function, "example-disagrees", said)]
    if all(case.raises for case in examples.cases):
        return [_decision(traced, function, "only-exceptions", evidence)]
    problem = _problem(traced, function, fitted.standalone, examples)
    return [problem, _decision(traced, function, None, f"{problem.task_id}: {evidence}")]


def name_of(traced: Traced, function: Function) -> str:
    """Name a function readably: ``pypi/NAME/VERSION/module.function``."""
    path = PurePosixPath(function.file).with_suffix("")
    parts = path.parent.parts if path.name == "__init__" else path.parts
    qualname = function.qualname.replace(".<locals>", "")
    return f"{traced.origin}/{'.'.join((*parts, qualname))}"


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
        mode=standalone.mode,
        tags=standalone.tags,
    )


def _decision(traced: Traced, function: Function, loss: str | None, evidence: str) -> Decision:
    return decided(TRACE, VERSION, f"{name_of(traced, function)}:{function.line}", loss, evidence)


def main_loss(losses: Counter[str]) -> str:
    """Return the reason that most of a function's calls were lost for."""
    lost: Counter[str] = Counter()
    for reason, count in losses.items():
        lost[_summed_up(reason)] += count
    return max(sorted(lost), key=lambda reason: lost[reason]) if lost else "too-few-examples"


def _summed_up(reason: str) -> str:
    """Leave the name of the type out: the evidence has it, the funnel would drown in them."""
    kind, colon, _ = reason.partition(":")
    names = {
        "result": "result-is-no-data",
        "output": "result-is-no-data",
        "after": "argument-is-no-data",
        "type": "argument-is-no-data",
        "class": "class-not-standalone",
    }
    return names.get(kind, reason) if colon else reason


def _evidence(function: Function, fitted: Fitted, examples: Examples, lost: Counter[str]) -> str:
    """Say what became of the calls: calls + examples = cases + lost, and what the cases show."""
    recorded = len(function.calls) + function.duplicates + function.lost.total()
    seen = max(function.seen, recorded)  # killed processes have not said how many
    lost = lost + Counter({"repeated": function.duplicates, "not-recorded": seen - recorded})
    shown = f" and {examples.shown} examples of the docstring" if examples.shown else ""
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(lost.items()))
    said = [f"{len(examples.cases)} cases of {seen} calls{shown} ({reasons or 'none lost'})"]
    if examples.branches:
        said.append(f"{examples.covered} of {examples.branches} branches taken")
    same = unvaried(examples.cases) if len(examples.cases) > 1 else []
    if same:
        said.append(f"never varied: {', '.join(_named(fitted.standalone, same))}")
    echoing = echoes(examples.cases)
    if echoing and 2 * echoing >= len(examples.cases):
        said.append(f"echo: {echoing} cases return an argument")
    state = Counter(kind for call in function.calls for kind in call.state)
    said += [f"{count} calls saw {kind}" for kind, count in sorted(state.items())]
    return "; ".join(said)


def _named(standalone: Standalone, places: Sequence[str]) -> list[str]:
    """Return the names of parameters for the places of arguments."""
    names = [p.name for p in standalone.parameters if p.kind.startswith("POSITIONAL")]
    return [
        names[int(place)] if place.isdigit() and int(place) < len(names) else place
        for place in places
    ]
