"""Apply the alignment and comparator filters to the problems of a workspace, and print each report.

    thresher crawl humaneval:HumanEval.jsonl.gz -w /tmp/humaneval
    python benchmarks/alignment.py /tmp/humaneval

Every report is meant to be read: what the filters can't show a person to be wrong is a false one.
"""

import argparse
import time
from collections import Counter
from pathlib import Path

from thresher.filters import alignment, comparator
from thresher.filters.filter import Filter, Finding, Tools
from thresher.judging import Judges
from thresher.store.records import Problem, Sample, Source
from thresher.store.workspace import open_reader


def main() -> None:
    """Read the arguments and print what both filters find."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--most", type=int, default=None, help="how many problems are looked at")
    arguments = parser.parse_args()
    with open_reader(arguments.workspace) as workspace:
        problems = workspace.select(Problem)[: arguments.most]
    with Judges(1) as judges:
        for one in (alignment.FILTER, comparator.FILTER):
            measure(one, problems, judges)


def measure(one: Filter, problems: list[Problem], judges: Judges) -> None:
    """Print what a filter drops and changes, how many there are of each, and what it costs."""
    tools = Tools(judges, no_source, no_samples, 1, "", one.options)
    reasons: Counter[str] = Counter()
    begun = time.monotonic()
    for problem in problems:
        finding = one.apply(problem, tools)
        reason = reason_of(finding)
        reasons[reason] += 1
        if reason != "kept":
            print(f"{problem.task_id}: {reason}: {finding.decision.evidence}")
    seconds = time.monotonic() - begun
    each = 1000 * seconds / max(1, len(problems))
    print(
        f"{one.name}: {dict(reasons)} of {len(problems)} in {seconds:.0f} s, {each:.0f} ms each\n"
    )


def reason_of(finding: Finding) -> str:
    """Return the reason code, ``refined`` where the problem goes on changed."""
    return "refined" if finding.refined is not None else finding.decision.reason


def no_source(problem: Problem) -> Source:
    """Give no source: these filters ask for none."""
    raise NotImplementedError


def no_samples(problem: Problem, indices: range) -> list[Sample]:
    """Give no samples: these filters ask for none."""
    raise NotImplementedError


if __name__ == "__main__":
    main()
