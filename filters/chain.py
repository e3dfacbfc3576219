"""Run the filters in order, cheap ones first, each over the problems the last one left."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import NamedTuple

from thresher.errors import InfrastructureError, ModelDown, ThresherError
from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.filters.limits import REFERENCE, calibrated
from thresher.progress import Reporter
from thresher.sandbox.remote import CellLimits
from thresher.store.export import PENDING, PIPELINE
from thresher.store.records import Decision, Execution, Problem, Refinement, content_id
from thresher.store.workspace import Unit, Workspace, unit_key

KEEP = "keep"


class Outcome(NamedTuple):
    """How a filter run ended: collected = kept + dropped + failed + waiting (task id, why).

    Attributes:
        kept: as the filters left them.
        failed: the sandbox or the model failed; the next run tries them again.
        waiting: beyond the number of candidates that a costly filter was to try.
    """

    kept: list[Problem]
    dropped: dict[str, str]
    failed: dict[str, str]
    waiting: dict[str, str]


class Step(NamedTuple):
    """A filter, what decides what it finds, and its budget.

    Attributes:
        options: the filter's own.
        configuration: what else decides: where this changes, it is decided anew.
        most: for a costly filter: try only this many problems, the shortest programs
            first; the others stay pending.
    """

    filter: Filter
    options: Options
    configuration: object = None
    most: int | None = None


class _Known(NamedTuple):
    """What an earlier run, or this one, decided: ``keep`` or the reason, and the problem then."""

    reason: str
    problem: Problem


class _Begun(NamedTuple):
    """A problem that a filter is at; `known` where an earlier run has decided."""

    problem: Problem
    key: str
    known: _Known | None
    finding: Future[Finding] | None


def run(
    workspace: Workspace,
    problems: Sequence[Problem],
    steps: Sequence[Step],
    tools: Tools,
    report: Reporter,
) -> Outcome:
    """Filter problems; what an earlier run decided under the same configuration stands.

    As many are judged at once as there are judges. A problem for which the sandbox or the model
    failed is not decided.
    """
    outcome = Outcome(list(problems), {}, {}, {})
    threads = ThreadPoolExecutor(tools.judges.size)
    try:
        for step in steps:
            outcome = _apply(workspace, outcome, step, tools, report, threads)
    finally:  # an interrupt doesn't wait: what still runs ends with the judges
        threads.shutdown(wait=False, cancel_futures=True)
    _conclude(workspace, problems, outcome)
    return outcome


def _apply(
    workspace: Workspace,
    before: Outcome,
    step: Step,
    tools: Tools,
    report: Reporter,
    threads: Executor,
) -> Outcome:
    ranked = sorted(before.kept, key=_simplest_first)
    tried = ranked[: step.most]
    for problem in ranked[len(tried) :]:
        before.waiting[problem.task_id] = f"not among the first {step.most} candidates"
    after = before._replace(kept=[])
    report.stage(f"filter {step.filter.name}", len(tried))
    try:
        begun = _begin(workspace, tried, step, tools, threads)
    except InfrastructureError as error:  # while it surveyed them
        report.say(f"not decided: {error}")
        after.failed.update({each.task_id: str(error) for each in tried})
        return after
    for number, one in enumerate(begun):
        report.step(one.problem.task_id)
        try:
            reason, problem = one.known or _finish(workspace, one, step)
        except InfrastructureError as error:
            report.say(f"not decided: {error}")
            stuck = tried[number:] if isinstance(error, ModelDown) else [one.problem]
            after.failed.update({each.task_id: str(error) for each in stuck})
            report.advance()
            if isinstance(error, ModelDown):
                for other in begun[number:]:
                    if other.finding is not None:
                        other.finding.cancel()
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


def _begin(
    workspace: Workspace,
    problems: Sequence[Problem],
    step: Step,
    tools: Tools,
    threads: Executor,
) -> list[_Begun]:
    """Look up what is known and hand the rest to the threads; survey them all where asked."""
    name, version = step.filter.name, step.filter.version
    configuration = [step.options, step.configuration]
    if step.filter.survey is not None:
        configuration.append(sorted(map(content_id, problems)))
    found: list[_Begun] = []
    for problem in problems:
        key = unit_key(f"filter {name}", version, configuration, content_id(problem))
        found.append(_Begun(problem, key, _known(workspace, problem, key), None))
    tools = tools._replace(options=step.options)
    if step.filter.survey is not None and any(one.known is None for one in found):
        tools = tools._replace(surveyed=step.filter.survey(problems, tools))

    def start(one: _Begun) -> _Begun:
        if one.known is not None:
            return one
        ready = tools._replace(limits=_limits(workspace, one.problem))
        return one._replace(finding=threads.submit(step.filter.apply, one.problem, ready))

    return [start(one) for one in found]


def _known(workspace: Workspace, problem: Problem, key: str) -> _Known | None:
    """Return what an earlier run decided, and how it left the problem."""
    reason = workspace.outcome(key)
    if reason != KEEP:
        return None if reason is None else _Known(reason, problem)
    refined = workspace.select(Refinement, "unit = $1 AND task_id = $2", key, problem.task_id)
    return _Known(reason, refined[-1].problem if refined else problem)


def _finish(workspace: Workspace, one: _Begun, step: Step) -> _Known:
    """Wait for a finding and store it with the unit of work.

    Raises:
        InfrastructureError: the sandbox or the model failed.
    """
    if one.finding is None:
        raise InfrastructureError(f"{one.problem.task_id}: nothing was begun")
    try:
        finding = one.finding.result()
    except ThresherError:
        raise
    except Exception as error:  # a mistake of the filter's: the others go on
        raise InfrastructureError(
            f"{one.problem.task_id}: the filter {step.filter.name} failed with "
            f"{type(error).__name__}: {error}; please report it"
        ) from error
    reason = KEEP if finding.decision.keep else finding.decision.reason
    unit = Unit(one.key, f"filter {step.filter.name}", one.problem.task_id, reason)
    records = [*finding.executions, finding.decision]
    if finding.refined is None:
        workspace.commit(unit, records)
        return _Known(reason, one.problem)
    task_id = one.problem.task_id
    refinement = Refinement(unit=one.key, task_id=task_id, problem=finding.refined)
    workspace.commit(unit, [*records, refinement])
    return _Known(reason, finding.refined)


def _limits(workspace: Workspace, problem: Problem) -> CellLimits:
    """Return the limits of a problem's programs from the reference's runs so far."""
    where = "task_id = $1 AND purpose = $2"
    ran = workspace.select(Execution, where, problem.task_id, REFERENCE)
    own = content_id(program(problem))  # a task id's hash is short
    return calibrated(execution for execution in ran if execution.program == own)


def _conclude(workspace: Workspace, problems: Sequence[Problem], outcome: Outcome) -> None:
    """Write each problem's overall decision and last form, where they aren't the present ones.

    What an earlier run decided, perhaps by other filters, doesn't stand where this one couldn't
    decide: kept is what the last run kept.
    """
    present = {d.subject: d for d in workspace.current(Decision, "filter = $1", PIPELINE)}
    verdicts = {problem.task_id: "kept" for problem in outcome.kept} | outcome.dropped
    word = "the last word of the filter chain"
    fresh = [_overall(task_id, reason, word) for task_id, reason in verdicts.items()]
    undecided = {**outcome.failed, **outcome.waiting}
    fresh += [_overall(name, PENDING, why) for name, why in undecided.items() if name in present]
    changed = [d for d in fresh if present.get(d.subject) != d]
    workspace.commit(None, [*changed, *_last_forms(workspace, problems, outcome.kept)])


def _overall(task_id: str, reason: str, evidence: str) -> Decision:
    return Decision(
        subject=task_id,
        filter=PIPELINE,
        version=1,
        keep=reason == "kept",
        reason=reason,
        evidence=evidence,
    )


def _last_forms(
    workspace: Workspace, problems: Sequence[Problem], kept: Sequence[Problem]
) -> Iterator[Refinement]:
    """Yield the form of each kept problem that isn't the one it has now."""
    known = {problem.task_id: problem for problem in problems}
    last = workspace.current(Refinement, "unit = $1", PIPELINE)
    known |= {each.task_id: each.problem for each in last}
    for problem in kept:
        if known[problem.task_id] != problem:
            yield Refinement(unit=PIPELINE, task_id=problem.task_id, problem=problem)
