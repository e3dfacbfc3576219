"""How many mutants survive a data set's own cases, and how many those that are added.

    thresher crawl humaneval:HumanEval.jsonl.gz -w W
    pip install cosmic-ray     (or `pip install --target DIR`, with DIR in PYTHONPATH)
    python benchmarks/strength.py W

Cases are chosen with the mutants that the filter takes. *Held out* are those of its operators that
it didn't take, *cosmic-ray* at most 25 a problem of that library's, evenly spread. A survivor that
agrees with the reference on all inputs tried, here three times as many as the filter tries, is
presumed equivalent and not counted.
"""

import argparse
import ast
import itertools
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from thresher.filters import strength
from thresher.filters.filter import Tools
from thresher.filters.mutation.answering import new_cases
from thresher.filters.mutation.mutants import Mutant, mutants
from thresher.judging import Judges
from thresher.sandbox import walls
from thresher.store import humaneval
from thresher.store.records import Problem, TestCase
from thresher.store.workspace import open_reader

ALL = 100_000
MORE_INPUTS = 3
OTHERS = 25  # mutants of the other library per problem


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
    parser.add_argument("--only", help="the entry point of one problem")
    options = parser.parse_args()
    with open_reader(options.workspace) as workspace:
        problems = workspace.current(Problem)
    wall = walls.in_force("bubblewrap")
    sets: dict[str, Counted] = {}
    times, sizes, scores = [], [], []
    with Judges(wall=wall) as judges:
        for problem in problems:
            if options.only not in (None, problem.entry_point):
                continue
            tools = Tools(judges, None, None, 1, wall.name, strength.Strength())  # type: ignore[arg-type]
            started = time.monotonic()
            finding = strength.apply(problem, tools)
            times.append(time.monotonic() - started)
            stronger = finding.refined or problem
            sizes.append((len(problem.cases), len(stronger.cases)))
            scores.append(finding.decision.facts.get("score", 1.0))
            said = f"{problem.entry_point} {times[-1]:.1f} s: {finding.decision.evidence}"
            print(said, file=sys.stderr)
            for case in stronger.cases[len(problem.cases) :][: options.show]:
                print("   ", humaneval.call_source(case, problem.entry_point), file=sys.stderr)
            for name, made in mutant_sets(problem, tools.options.mutants):
                sets[name] = sets.get(name, Counted()).plus(counted(problem, stronger, made, tools))
    for name, each in sets.items():
        print(f"{name:<10} {each}")
    print(f"score      at least {min(scores):.2f}, {statistics.mean(scores):.3f} on average")
    added = [len_after - len_before for len_before, len_after in sizes]
    grown = [after for before, after in sizes if after > before]
    print(f"cases      at most {max(grown, default=0)} where some are added; {sum(added)} added")
    print(f"seconds    {statistics.mean(times):.2f} a problem, at most {max(times):.1f}")


def mutant_sets(problem: Problem, taken: int) -> Iterator[tuple[str, Sequence[Mutant]]]:
    every = mutants(problem, ALL)
    yield "seen", every[:taken]
    yield "held out", every[taken:]
    others = list(cosmic_ray(problem))
    yield "cosmic-ray", others[:: max(1, -(-len(others) // OTHERS))]


def cosmic_ray(problem: Problem) -> Iterator[Mutant]:
    """Yield the mutants of the other library, none without it."""
    try:
        from cosmic_ray import mutating, plugins
    except ImportError:
        return
    source = problem.prompt + problem.canonical_solution
    seen = {ast.dump(ast.parse(source))}
    for name in sorted(plugins.operator_names()):
        operator = plugins.get_operator(name)
        if operator.arguments():
            continue
        for occurrence in itertools.count():
            changed = mutating.mutate_code(source, operator(), occurrence)
            if changed is None:
                break
            try:
                tree = ast.dump(ast.parse(changed))
            except SyntaxError:
                continue
            if changed.startswith(problem.prompt) and tree not in seen:
                seen.add(tree)
                yield Mutant(changed, name, 0, name)


def counted(problem: Problem, stronger: Problem, made: Sequence[Mutant], tools: Tools) -> Counted:
    limits = strength._limits(problem, tools)
    before = [m for m in made if strength._tried(problem, m, tools, limits).alive]
    after = [m for m in before if strength._tried(stronger, m, tools, limits).alive]
    if not after:
        return Counted(len(made), len(before))
    asked = strength.asking(problem, tools, limits)
    offered: list[TestCase] = list(new_cases(asked, MORE_INPUTS * tools.options.inputs))
    same = [m for m in after if not strength.killers(asked, m, offered)]
    return Counted(len(made), len(before), len(after), len(same))


if __name__ == "__main__":
    main()
