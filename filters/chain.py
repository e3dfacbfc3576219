"""Run the filters in order, cheap ones first, each over the problems the last one left."""

from collections.abc import Sequence
from typing import NamedTuple

from thresher.errors import InfrastructureError, ModelDown
from thresher.filters.filter import Filter, Finding, Tools, program
from thresher.filters.limits import REFERENCE, calibrated
from thresher.progress import Reporter
from thresher.sandbox.remote import CellLimits
from thresher.store.export import PIPELINE
from thresher.store.records import Decision, Execution, Problem, content_id
from thresher.store.workspace import Unit, Workspace, unit_key

KEEP = "keep"


class Outcome(NamedTuple):
    """How a filter run ended: collected = kept + dropped + failed + waiting (task id, why).

    Attributes:
        failed: the sandbox or the model failed; the next run tries them again.
        waiting: beyond the number of candidates that a costly filter was to try.
    """

    kept: list[Problem]
    dropped: dict[str, str]
    failed: dict[str, str]
    waiting: dict[str, str]


class Step(NamedTuple):
    """A filter, the part of the configuration that decides what it finds, and its budget.

    Attributes:
        most: for a costly filter: try only this many problems, the shortest programs
            first; the others stay pending.
    """

    filter: Filter
    configuration: object
    most: int | None = None


def run(
    workspace: Workspace,
    problems: Sequence[Problem],
    steps: Sequence[Step],
    tools: Tools,
    report: Reporter,
) -> Outcome:
    """Filter problems; what an earlier run decided under the same configuration stands.

    A problem for which the sandbox or the model failed is not decided.
    """
    outcome = Outcome(list(problems), {}, {}, {})
    for step in steps:
        outcome = _apply(workspace, outcome, step, tools, report)
    _conclude(workspace, outcome)
    return outcome


def _apply(
    workspace: Workspace, before: Outcome, step: Step, tools: Tools, report: Reporter
) -> Outcome:
    ranked = sorted(before.kept, key=_simplest_first)
    tried = ranked[: step.most]
    for problem in ranked[len(tried) :]:
        before.waiting[problem.task_id] = f"not among the first {step.most} candidates"
    after = before._replace(kept=[])
    report.stage(f"filter {step.filter.name}", len(tried))
    for number, problem in enumerate(tried):
        report.step(problem.task_id)
        try:
            reason = _decide(workspace, problem, step, tools)
        except InfrastructureError as error:
            report.say(f"not decided: {error}")
            stuck = tried[number:] if isinstance(error, ModelDown) else [problem]
            after.failed.update({each.task_id: str(error) for each in stuck})
            report.advance()
            if isinstance(error, ModelDown):
                break
            continue
        if reason == KEEP:
            after.kept.append(problem)
        else:
            after.dropped[problem.task_id] = f"{step.filter.name}: {reason}"
        report.advance(f"{problem.entry_point}: {reason}")
    return after


def _simplest_first(problem: Problem) -> tuple[int, str]:
    return len(problem.prompt) + len(problem.canonical_solution), problem.task_id


def _decide(workspace: Workspace, problem: Problem, step: Step, tools: Tools) -> str:
    """Return ``keep`` or the reason to drop, from the ledger of units or by applying the filter."""
    name, version = step.filter.name, step.filter.version
    key = unit_key(f"filter {name}", version, step.configuration, content_id(problem))
    known = workspace.outcome(key)
    if known is not None:
        return known
    limits = _limits(workspace, problem)
    finding: Finding = step.filter.apply(problem, tools._replace(limits=limits))
    reason = KEEP if finding.decision.keep else finding.decision.reason
    unit = Unit(key, f"filter {name}", problem.task_id, reason)
    workspace.commit(unit, [*finding.executions, finding.decision])
    return reason


def _limits(workspace: Workspace, problem: Problem) -> CellLimits:
    """Return the limits of a problem's programs from the reference's runs so far."""
    where = "task_id = $1 AND purpose = $2"
    ran = workspace.select(Execution, where, problem.task_id, REFERENCE)
    own = content_id(program(problem))  # a task id's hash is short
    return calibrated(execution for execution in ran if execution.program == own)


def _conclude(workspace: Workspace, outcome: Outcome) -> None:
    """Write each problem's overall decision, where it isn't the present one already."""
    present = {d.subject: d for d in workspace.current(Decision, "filter = $1", PIPELINE)}
    verdicts = {problem.task_id: "kept" for problem in outcome.kept} | outcome.dropped
    fresh = [
        Decision(
            subject=task_id,
            filter=PIPELINE,
            version=1,
            keep=reason == "kept",
            reason=reason,
            evidence="the last word of the filter chain",
        )
        for task_id, reason in verdicts.items()
    ]
    workspace.commit(None, [d for d in fresh if present.get(d.subject) != d])
