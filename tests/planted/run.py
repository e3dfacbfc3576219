"""Run the filter chain over the planted problems and print what it caught of each kind of fault.

Usage: ``python -m tests.planted.run [--kind PATTERN] [--filters NAME,…] [--json]``. All filters run
but the one that samples a model. Exit 1 where less than 98 % of the faults are caught, or more than
1 % of the clean problems are dropped.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from fnmatch import fnmatch
from pathlib import Path

import msgspec

from tests.planted import collection
from tests.planted.build import Planted
from tests.planted.outcome import Tally, lines, tally
from thresher import pipeline
from thresher.judging import Judges, call_of, describe
from thresher.progress import reporter
from thresher.sandbox import walls
from thresher.store import blobs
from thresher.store.records import Decision, Problem
from thresher.store.workspace import open_writer


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the set; return 0 when the chain does as it should."""
    options = _options(arguments)
    chosen = [one for one in collection.everything() if fnmatch(one.kind, options.kind)]
    names = tuple(options.filters.split(",")) if options.filters else _filters()
    counted = run(chosen, names, options.require)
    if options.json:
        rates = {"recall": counted.recall, "false_rate": counted.false_rate}
        sys.stdout.write(json.dumps(asdict(counted) | rates, indent=2) + "\n")
    else:
        sys.stdout.write("\n".join(lines(counted)) + "\n")
    return 0 if counted.good() else 1


def run(chosen: Sequence[Planted], filters: Sequence[str], require: str | None = None) -> Tally:
    """Run filters over planted problems in a workspace of their own."""
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        with Judges(wall=walls.in_force(require)) as judges:
            ready = [recorded(one, judges) for one in chosen]
        with open_writer(Path(folder)) as workspace, reporter() as report:
            for one in ready:
                text = one.problem.prompt + one.problem.canonical_solution
                source = msgspec.structs.replace(
                    one.source, sha256=blobs.put(workspace.blobs, text.encode("utf-8", "replace"))
                )
                workspace.commit(None, [source, one.problem])
            options = pipeline.FilterOptions(filters=tuple(filters), require=require)
            outcome = pipeline.filter_problems(workspace, options, report)
            certified = workspace.current(Decision, "filter = 'stable' AND keep")
    kept = {problem.task_id: problem for problem in outcome.kept}
    noted = {each.subject for each in certified if each.facts.get("mutated")}
    return tally(ready, kept, outcome.dropped, outcome.failed, noted)


def recorded(one: Planted, judges: Judges) -> Planted:
    """Return a problem with the answers that its reference gives here and now, where it asks so."""
    problem = one.problem
    if not one.unrecorded:
        return one
    program = problem.prompt + problem.canonical_solution
    calls = list(map(call_of, problem.cases))
    result = judges.run(program, problem.entry_point, calls, mode=problem.mode)
    if len(result.outcomes) != len(calls):
        raise ValueError(f"{one.name} can't be recorded: {result.failure or result.ended}")
    for outcome in result.outcomes:
        if outcome.refused is not None:
            raise ValueError(f"{one.name} can't be recorded: {describe(outcome)}")
    cases = tuple(
        msgspec.structs.replace(
            case,
            expected=None if outcome.raises else outcome.value,
            raises=outcome.raises,
        )
        for case, outcome in zip(problem.cases, result.outcomes, strict=True)
    )
    return one._replace(problem=_with_cases(problem, cases))


def _with_cases(problem: Problem, cases: tuple[object, ...]) -> Problem:
    return msgspec.structs.replace(problem, cases=cases)


def _filters() -> tuple[str, ...]:
    return tuple(name for name in pipeline.FILTERS if name != pipeline.SAMPLING)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="planted", description=__doc__)
    parser.add_argument("--kind", default="*", help="only kinds that match, for example 'flaky*'")
    parser.add_argument("--filters", help="these filters, in this order, instead of all")
    parser.add_argument("--require", help="the weakest sandbox wall to be content with")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
