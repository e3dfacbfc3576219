"""The one-page summary of a workspace: the funnel, example problems, where everything is."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from thresher.store import humaneval, values
from thresher.store.export import kept
from thresher.store.funnel import Stage, by_origin, funnel
from thresher.store.records import Problem, TestCase
from thresher.store.workspace import DATABASE, Workspace

EXAMPLES = 3
CASES_SHOWN = 3
COLUMNS = ("functions called", "problems", "kept")


def page(workspace: Workspace, filters: Sequence[str], exported: Path | None) -> str:
    """Return the summary as Markdown."""
    stages = funnel(workspace, filters)
    parts = [
        "# Thresher summary\n",
        "## The funnel\n",
        "\n".join(funnel_lines(stages)) + "\n",
        "## By source\n",
        "\n".join(_table(workspace)) + "\n",
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
            f"{stage.name:<18} {stage.collected:>5} = {stage.kept} kept + "
            f"{stage.lost.total()} dropped{pending}{balance}"
        )
        for reason, count in stage.lost.most_common():
            lines.append(f"{'':<18} {count:>5}   {reason}")
    return [f"    {line}" for line in lines]


def _table(workspace: Workspace) -> Iterator[str]:
    yield "| source | " + " | ".join(COLUMNS) + " |"
    yield "|---|" + "---:|" * len(COLUMNS)
    for origin, counts in by_origin(workspace).items():
        yield f"| {origin} | " + " | ".join(str(counts.get(name, 0)) for name in COLUMNS) + " |"


def _spread(problems: list[Problem]) -> list[Problem]:
    """Take `EXAMPLES` problems from the whole list, not from its first source alone."""
    count = min(EXAMPLES, len(problems))
    return [problems[number * len(problems) // count] for number in range(count)]


def _example(problem: Problem) -> str:
    program = problem.prompt + problem.canonical_solution
    shown = [_shown(problem, case) for case in problem.cases[:CASES_SHOWN]]
    return f"### {problem.task_id}\n\n```python\n{program}\n" + "\n".join(shown) + "\n```\n"


def _shown(problem: Problem, case: TestCase) -> str:
    answer = f"raises {case.raises}" if case.raises else values.render(case.expected)
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
