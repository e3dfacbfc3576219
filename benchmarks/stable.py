"""Measure the filter `stable`: planted functions caught by kind and run, innocents, HumanEval.

    PYTHONPATH=. python benchmarks/stable.py [--wall bubblewrap] [--workspace FOLDER]

The workspace is one into which HumanEval was crawled:
``thresher crawl humaneval:HumanEval.jsonl.gz -w FOLDER``.
"""

import argparse
import collections
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.filters.planting import as_problem
from tests.filters.unstable import BEYOND, INNOCENT, UNSTABLE, Planted
from thresher.filters import stable
from thresher.filters.filter import Finding, Tools
from thresher.judging import Judges
from thresher.sandbox import walls
from thresher.store.records import Problem
from thresher.store.workspace import open_reader


def main() -> None:
    """Print what is caught, in how many runs, and what is dropped for nothing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--wall", default="bubblewrap")
    parser.add_argument("--workspace", type=Path)
    arguments = parser.parse_args()
    wall = walls.find(arguments.wall)
    with Judges(wall=wall) as judges:
        tools: Any = Tools(
            judges=judges,
            source=_nothing,
            samples=_nothing,
            batch=1,
            wall=walls.probe(wall),
            options=stable.FILTER.options,
        )
        planted(tools, UNSTABLE + BEYOND, "unstable", caught=True)
        planted(tools, INNOCENT, "innocent", caught=False)
        if arguments.workspace:
            with open_reader(arguments.workspace) as workspace:
                references(tools, workspace.current(Problem))


def planted(tools: Tools, functions: Iterable[Planted], title: str, caught: bool) -> None:
    """Print by kind how many were dropped or mended, in how many runs, and which were not right."""
    table: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    runs: collections.Counter[int] = collections.Counter()
    start = time.monotonic()

    def judge(one: Planted) -> tuple[Planted, Finding]:
        return one, stable.apply(as_problem(one, tools.judges), tools)

    with ThreadPoolExecutor(tools.judges.size) as threads:
        for one, finding in threads.map(judge, functions):
            found = is_caught(finding)
            label = finding.decision.reason.removeprefix("unstable-") if found else "kept"
            table[one.kind][label if finding.refined is None else "mended"] += 1
            if found:
                verdicts = [execution.verdict != "pass" for execution in finding.executions]
                runs[verdicts.index(True) + 1] += 1
            if found and label not in (one.kind, "kept"):
                print(f"  called {label}: {one.kind}: {one.source!r}")
            if found != caught:
                print(f"WRONG {one.kind}: {finding.decision}\n{one.source}")
    seconds = time.monotonic() - start
    for kind, labels in table.items():
        print(f"{title} {kind:17} {sum(labels.values()):4}  {dict(labels)}")
    total = sum(labels.total() for labels in table.values())
    print(f"{title}: {runs.total()} of {total} caught, by runs {dict(sorted(runs.items()))}")
    print(f"{seconds / total:.2f} s each\n")


def is_caught(finding: Finding) -> bool:
    """Say whether a problem was dropped or mended."""
    return not finding.decision.keep or finding.refined is not None


def references(tools: Tools, problems: Sequence[Problem]) -> None:
    """Print which references are dropped or mended, and the time that each takes."""
    start = time.monotonic()
    with ThreadPoolExecutor(tools.judges.size) as threads:
        found = list(threads.map(lambda one: stable.apply(one, tools), problems))
    seconds = time.monotonic() - start
    for one in filter(is_caught, found):
        print(f"WRONG {one.decision}")
    lost = sum(map(is_caught, found))
    print(
        f"references: {lost} of {len(found)} dropped or mended, {seconds / len(found):.2f} s each"
    )
    print(found[0].decision.evidence)


def _nothing(*_arguments: object) -> Any:
    raise NotImplementedError("the filter needs none of it")


if __name__ == "__main__":
    main()
