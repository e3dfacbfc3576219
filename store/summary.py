"""The one-page summary of a workspace: the funnel, example problems, where everything is."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from thresher.store import data, humaneval
from thresher.store.connection import DATABASE
from thresher.store.export import kept
from thresher.store.funnel import Stage, by_origin, funnel
from thresher.store.records import Problem, TestCase
from thresher.store.workspace import Workspace

EXAMPLES = 3
CASES_SHOWN = 3
COLUMNS = ("source", "found", "problems", "kept", "main losses")
LOSSES_SHOWN = 3


def page(workspace: Workspace, filters: Sequence[str], exported: Path | None) -> str:
    """Return the summary as Markdown."""
    stages = funnel(workspace, filters)
    parts = [
        "# Thresher summary\n",
        "## The funnel\n",
        "\n".join(funnel_lines(stages)) + "\n",
        "## By source\n",
        "\n".join(source_lines(workspace)) + "\n",
        "## Three example problems\n",
        *map(_example, _spread(kept(workspace))),
        "## Where everything is\n",
        "\n".join(_places(workspace, exported, stages[-1].pending)) + "\n",
    ]
    return "\n".join(parts)


def funnel_lines(stages: Sequence[Stage]) -> list[str]:
    """Return the funnel as lines: each stage, then each of its losses with its reason."""
    lines = []
    for stage in stages:
        pending = f" + {stage.pending} pending" if stage.pending else ""
        balance = "" if stage.adds_up() else "   DOES NOT ADD UP"
        lines.append(
            f"{stage.name:<20} {stage.collected:>5} = {stage.kept} kept + "
            f"{stage.lost.total()} dropped{pending}{balance}"
        )
        for reason, count in stage.lost.most_common():
            lines.append(f"{'':<20} {count:>5}   {reason}")
    return [f"    {line}" for line in lines]


def source_lines(workspace: Workspace) -> list[str]:
    """Return a table of what each source gave as lines of Markdown, a line per source."""
    rows = [COLUMNS]
    for name, row in by_origin(workspace).items():
        losses = ", ".join(f"{count} {why}" for why, count in list(row.lost.items())[:LOSSES_SHOWN])
        rows.append((name, str(row.found), str(row.problems), str(row.kept), losses))
    width = max(len(row[0]) for row in rows)
    rule = f"|{'-' * (width + 2)}|{'|'.join('-' * 10 + ':' for _ in range(3))}|-------------|"
    head, *lines = [
        f"| {name:<{width}} | {found:>9} | {problems:>9} | {kept:>9} | {losses} |"
        for name, found, problems, kept, losses in rows
    ]
    return [head, rule, *lines]


def _spread(problems: list[Problem]) -> list[Problem]:
    """Take `EXAMPLES` problems from the whole list, not from its first source alone."""
    count = min(EXAMPLES, len(problems))
    return [problems[number * len(problems) // count] for number in range(count)]


def _example(problem: Problem) -> str:
    program = problem.prompt + problem.canonical_solution
    shown = [_shown(problem, case) for case in problem.cases[:CASES_SHOWN]]
    return f"### {problem.task_id}\n\n```python\n{program}\n" + "\n".join(shown) + "\n```\n"


def _shown(problem: Problem, case: TestCase) -> str:
    answer = f"raises {case.raises}" if case.raises else data.render(case.expected)
    return f"# {humaneval.call_source(case, problem.entry_point)} -> {answer}"


def _places(workspace: Workspace, exported: Path | None, pending: int) -> Iterator[str]:
    where = workspace.folder
    if exported is not None:
        yield f"- the data set: `{exported}` (HumanEval JSON Lines)"
    yield f"- the workspace: `{where / DATABASE}`; raw sources: `{workspace.blobs}`"
    yield f"- why a problem is in or out: `thresher audit show TASK_ID --workspace {where}`"
    yield f"- nothing was edited since: `thresher audit verify --workspace {where}`"
    if pending:
        again = f"`thresher filter --workspace {where}`"
        yield f"- {pending} problems wait for the last filter: {again} tries them all"
    yield f"- more problems: `thresher trace pypi:NAME --workspace {where}`, then `thresher filter`"
