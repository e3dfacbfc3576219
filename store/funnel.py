"""The funnel: every stage with what came in, what stayed, and every loss with its reason."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from thresher.store.export import PENDING, PIPELINE
from thresher.store.records import Decision, Problem
from thresher.store.workspace import Workspace

TRACE = "trace"
SOURCE = "source"
CRAWL = "crawl"
KEPT = {TRACE: "kept", SOURCE: "traced", CRAWL: "made"}  # the reason of what goes on


class Stage(NamedTuple):
    """One stage: collected = kept + lost + pending, always."""

    name: str
    collected: int
    kept: int
    lost: Counter[str]
    pending: int = 0

    def adds_up(self) -> bool:
        """Say whether kept, lost and pending make up what was collected."""
        return self.collected == self.kept + self.lost.total() + self.pending


def decided(stage: str, version: int, subject: str, loss: str | None, evidence: str) -> Decision:
    """Return what a stage before the filters decided; `loss` is None where the subject goes on."""
    return Decision(
        subject=subject,
        filter=stage,
        version=version,
        keep=loss is None,
        reason=loss or KEPT[stage],
        evidence=evidence,
    )


def funnel(workspace: Workspace, filters: Sequence[str]) -> list[Stage]:
    """Count what happened to everything in a workspace, stage by stage.

    Args:
        workspace: open for reading or writing.
        filters: the names of the filters, in the order they ran.
    """
    traced = [_stage(workspace, SOURCE, "sources"), _stage(workspace, TRACE, "functions called")]
    crawled = _stage(workspace, CRAWL, "statements")
    if crawled.collected:
        traced = [stage for stage in (*traced, crawled) if stage.collected]
    return traced + _filtered(workspace, filters)


class Row(NamedTuple):
    """What one source gave: functions called or statements, problems, and losses by reason."""

    found: int = 0
    problems: int = 0
    kept: int = 0
    lost: dict[str, int] = {}


def origin(name: str) -> str:
    """Return the source part of a task or function name, such as ``pypi/NAME/VERSION``."""
    return name.rpartition("/")[0]


def by_origin(workspace: Workspace) -> dict[str, Row]:
    """Count for each source what became of it; one that was left out goes by its target.

    A crawled site or collection is one source.
    """
    found, made, kept = Counter[str](), Counter[str](), Counter[str]()
    lost: dict[str, Counter[str]] = {}
    crawled = {one.subject for one in workspace.current(Decision, "filter = $1", CRAWL)}

    def named(subject: str) -> str:
        known = subject in crawled or subject.rpartition("-")[0] in crawled
        return subject.partition("/")[0] if known else origin(subject)

    for decision in workspace.current(Decision, "filter IN ($1, $2)", TRACE, CRAWL):
        name = named(decision.subject)
        found[name] += 1
        made[name] += decision.keep
        if not decision.keep:
            lost.setdefault(name, Counter())[decision.reason] += 1
    for decision in workspace.current(Decision, "filter = $1 AND keep", PIPELINE):
        kept[named(decision.subject)] += 1
    for decision in workspace.current(Decision, "filter = $1 AND NOT keep", SOURCE):
        lost[decision.subject] = Counter([decision.reason])
    return {
        name: Row(
            found[name], made[name], kept[name], dict(lost.get(name, Counter()).most_common())
        )
        for name in sorted({*found, *kept, *lost})
    }


def _stage(workspace: Workspace, filter_name: str, title: str) -> Stage:
    decisions = workspace.current(Decision, "filter = $1", filter_name)
    lost = Counter(d.reason for d in decisions if not d.keep)
    return Stage(title, len(decisions), sum(d.keep for d in decisions), lost)


def _filtered(workspace: Workspace, filters: Sequence[str]) -> list[Stage]:
    """Split the overall decisions into one stage per filter; the undecided wait at the last."""
    problems = {problem.task_id for problem in workspace.current(Problem)}
    words = workspace.current(Decision, "filter = $1", PIPELINE)
    decisions = [word for word in words if word.subject in problems and word.reason != PENDING]
    if not decisions:  # no filter has run
        return [Stage("filters", len(problems), 0, Counter(), len(problems))] if filters else []
    undecided = len(problems - {decision.subject for decision in decisions})
    collected, stages = len(problems), []
    for name in filters:
        prefix = f"{name}: "
        reasons = [d.reason for d in decisions if not d.keep and d.reason.startswith(prefix)]
        lost = Counter(reason.removeprefix(prefix) for reason in reasons)
        stages.append(Stage(f"filter {name}", collected, collected - lost.total(), lost))
        collected -= lost.total()
    if stages:  # counted, not inferred, so that a loss by any other name doesn't add up
        kept = sum(decision.keep for decision in decisions)
        stages[-1] = stages[-1]._replace(kept=kept, pending=undecided)
    return stages
