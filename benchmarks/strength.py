"""How many mutants survive a data set's own cases, and how many those that are added.

    thresher crawl humaneval:HumanEval.jsonl.gz -w W
    python benchmarks/strength.py W

Cases are chosen with the mutants that the filter takes; *held out* are the mutants that it didn't
see. A survivor that agrees with the reference on all inputs tried is presumed equivalent and not
counted.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from thresher.filters import strength
from thresher.filters.filter import Tools
from thresher.filters.mutation.likeness import likeness
from thresher.filters.mutation.mutants import Mutant, mutants
from thresher.judging import Judges
from thresher.sandbox import walls
from thresher.store import humaneval
from thresher.store.records import Problem
from thresher.store.workspace import open_reader

ALL = 100_000


class Counted(NamedTuple):
    """Mutants: all, those alive under the problem's own cases and under more, the equivalent."""

    mutants: int = 0
    before: int = 0
    after: int = 0
    equivalent: int = 0

    def plus(self, other: "Counted") -> "Counted":
        """Return both together."""
        return Counted(*(a + b for a, b in zip(self, other, strict=True)))

    def __str__(self) -> str:
        telling = self.mutants - self.equivalent
        before = self.before - self.equivalent
        after = self.after - self.equivalent
        return (
            f"{self.mutants:>6} mutants, {self.before / max(1, self.mutants):.1%} alive; "
            f"{self.equivalent} presumed equivalent; of the others "
            f"{before / max(1, telling):.1%} alive before, {after / max(1, telling):.1%} after"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--show", type=int, default=0, help="print so many added cases a problem")
    options = parser.parse_args()
    with open_reader(options.workspace) as workspace:
        problems = workspace.current(Problem)
    wall = walls.in_force("bubblewrap")
    seen, held, times, sizes = Counted(), Counted(), [], []
    with Judges(wall=wall) as judges:
        for problem in problems:
            tools = Tools(judges, None, None, 1, wall.name, strength.Strength())  # type: ignore[arg-type]
            started = time.monotonic()
            finding = strength.apply(problem, tools)
            times.append(time.monotonic() - started)
            stronger = finding.refined or problem
            sizes.append(len(stronger.cases))
            every = mutants(problem, ALL)
            taken = tools.options.mutants
            seen = seen.plus(counted(problem, stronger, every[:taken], tools))
            held = held.plus(counted(problem, stronger, every[taken:], tools))
            print(problem.entry_point, finding.decision.evidence, file=sys.stderr)
            for case in stronger.cases[len(problem.cases) :][: options.show]:
                print("   ", humaneval.call_source(case, problem.entry_point), file=sys.stderr)
    print(f"seen      {seen}")
    print(f"held out  {held}")
    print(f"cases     at most {max(sizes)}, {statistics.mean(sizes):.1f} on average")
    print(f"seconds   {statistics.mean(times):.2f} a problem, at most {max(times):.1f}")


def counted(problem: Problem, stronger: Problem, made: Sequence[Mutant], tools: Tools) -> Counted:
    limits = strength._limits(problem, tools)
    before = [m for m in made if strength._tried(problem, m, tools, limits).alive]
    after = [m for m in before if strength._tried(stronger, m, tools, limits).alive]
    offered = list(strength._answered(problem, likeness(problem), tools, limits)) if after else []
    same = [m for m in after if not strength._kills(problem, m, offered, tools, limits)]
    return Counted(len(made), len(before), len(after), len(same))


if __name__ == "__main__":
    main()
