"""Everything a workspace knows of one task: from the exported line back to the source's bytes."""

from collections import Counter
from typing import Any

import msgspec

from thresher.errors import UsageError
from thresher.store.export import PENDING, PIPELINE
from thresher.store.funnel import CRAWL, TRACE
from thresher.store.records import Decision, Execution, Export, Problem, Sample, Source
from thresher.store.workspace import Workspace

SUGGESTIONS = 5


def show(workspace: Workspace, name: str) -> dict[str, Any]:
    """Gather what is known of a problem, a function that became none, or a source.

    Args:
        workspace: open for reading.
        name: a task id, or the subject of a decision, whole or its beginning when that is unique.

    Returns:
        Plain data with the keys ``name``, ``decisions`` and, for a problem, ``problem``,
        ``source``, ``samples``, ``executions``, ``exports`` and ``ledger``.

    Raises:
        UsageError: nothing or more than one thing is known by that name.
    """
    subject = _resolve(workspace, name)
    found: dict[str, Any] = {"name": subject}
    problem = next(iter(workspace.current(Problem, "task_id = $1", subject)), None)
    if problem is not None:
        found |= _problem(workspace, problem)
        function = subject.rpartition("-")[0]
        made = workspace.select(
            Decision, "starts_with(subject, $1) OR subject = $2", f"{function}:", function
        )
        decisions = [*made, *workspace.select(Decision, "subject = $1", subject)]
    else:
        decisions = workspace.select(Decision, "subject = $1", subject)
    found["decisions"] = msgspec.to_builtins(decisions)
    return found


def _resolve(workspace: Workspace, name: str) -> str:
    # a function that became a problem is shown with it, and is not a second thing of that name
    rows = workspace.query(
        "SELECT DISTINCT subject FROM decisions WHERE starts_with(subject, $1) "
        "AND (subject = $1 OR NOT (filter IN ($2, $3) AND keep)) "
        "UNION SELECT DISTINCT task_id FROM problems WHERE starts_with(task_id, $1) ORDER BY 1",
        name,
        TRACE,
        CRAWL,
    )
    subjects = [str(subject) for (subject,) in rows]
    if name in subjects:
        return name
    if len(subjects) == 1:
        return subjects[0]
    if subjects:
        more = ", ".join(subjects[:SUGGESTIONS])
        raise UsageError(f"{name!r} could be {len(subjects)} things, such as: {more}")
    raise UsageError(
        f"nothing is known of {name!r} in this workspace: give a task id from the exported file, "
        "or its beginning"
    )


def _problem(workspace: Workspace, problem: Problem) -> dict[str, Any]:
    samples = workspace.select(Sample, "task_id = $1", problem.task_id)
    executions = workspace.select(Execution, "task_id = $1", problem.task_id)
    exports = [e for e in workspace.select(Export) if problem.task_id in e.task_ids]
    entries = workspace.query(
        "SELECT seq, kind, subject, hash FROM ledger WHERE starts_with(subject, $1) ORDER BY seq",
        problem.task_id,
    )
    return {
        "problem": msgspec.to_builtins(problem),
        "source": msgspec.to_builtins(workspace.select(Source, "id = $1", problem.source)[-1]),
        "samples": dict(Counter(sample.model for sample in samples)),
        "executions": dict(Counter(f"{e.purpose.split()[0]} {e.verdict}" for e in executions)),
        "exports": [{"path": e.path, "sha256": e.sha256} for e in exports],
        "ledger": [
            f"{seq} {kind} {subject} {digest[:16]}" for seq, kind, subject, digest in entries
        ],
    }


def lines(found: dict[str, Any]) -> list[str]:
    """Return what `show` gathered as lines for a person."""
    shown = [found["name"], ""]
    if "problem" in found:
        problem, source = found["problem"], found["source"]
        where = problem["derivation"]
        shown += [
            f"source      {source['url']}",
            f"            {source['revision']}",
            f"            fetched {source['fetched_at']}, raw bytes in blob {source['sha256']}",
            f"licence     {source['licence']} ({source['licence_evidence']})",
            f"made from   {where['file']} line {where['line']}, {where['function']}",
            f"            {where['how']}",
            f"cases       {len(problem['cases'])}, compared: {problem['comparator']['kind']}",
            f"executions  {_counts(found['executions'])}",
            f"samples     {_counts(found['samples'])}",
            f"exported in {_exports(found['exports'])}",
            "",
        ]
    for decision in found["decisions"]:
        kept = "keep" if decision["keep"] else "drop"
        final = " (overall)" if decision["filter"] == PIPELINE else ""
        word = PENDING if decision["reason"] == PENDING else f"{kept}, {decision['reason']}"
        shown.append(f"{decision['filter']}{final}: {word}")
        shown.append(f"    {decision['evidence']}")
    return shown


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def _exports(exports: list[dict[str, str]]) -> str:
    return ", ".join(f"{e['path']} (sha256 {e['sha256'][:16]})" for e in exports) or "nothing yet"
