"""Run the hostile suite against every wall and print what came of it.

Usage: ``python -m tests.hostile.run [--wall NAME] [--runs N] [--json]``. Every body runs once, then
all of them again and again, slow ones less often; after every run an honest sample must pass.
"""

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Iterator, Sequence

import msgspec

from tests.hostile import quiet, suite, traces
from tests.hostile.bench import Bench
from tests.hostile.plant import Planted, plant
from tests.hostile.suite import Body
from tests.hostile.tally import Tally, print_table
from thresher.errors import SandboxUnavailable
from thresher.sandbox import walls
from thresher.sandbox.wall import Wall

RUNS = 10_000
SLOW = 5.0  # times the median
SLOW_EVERY = 10  # rounds
SAY_SECONDS = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return 0 when a wall works and nothing went wrong behind any, else 1."""
    options = _options(arguments)
    traces.adopt_orphans()
    loud = quiet.move()
    if loud:
        _say(f"packets can't be counted, and files of others may show up as changed: {loud}")
    chosen = [walls.find(name) for name in options.wall or ()] or walls.known()
    tallies = [_run_wall(wall, options.runs, loud is None) for wall in chosen if _works(wall)]
    for line in itertools.chain.from_iterable(tally.faults() for tally in tallies):
        _say(line)
    if options.json:
        sys.stdout.write(msgspec.json.encode(tallies).decode() + "\n")
    elif tallies:
        print_table(tallies)
    return 0 if tallies and all(tally.clean() for tally in tallies) else 1


def _works(wall: Wall) -> bool:
    try:
        walls.probe(wall)
    except SandboxUnavailable as error:
        _say(str(error))
        return False
    return True


def _run_wall(wall: Wall, runs: int, counted: bool) -> Tally:
    tally = Tally(walls.probe(wall))
    with plant(), Bench(wall) as bench:  # imports and writes all that there is to be once
        bench.warm()
    files, packets, processes = traces.fingerprint(), traces.packets(), traces.descendants()
    began = time.monotonic()
    with plant() as planted:
        _run_bodies(tally, wall, planted, runs)
        tally.callers = planted.callers
        if planted.canary.exists():
            tally.files.append(str(planted.canary))
    tally.seconds = time.monotonic() - began
    tally.orphans += traces.remaining(processes)
    tally.files += [*traces.changes(files, traces.fingerprint()), *traces.groups_left()]
    tally.packets = traces.packets() - packets if counted else None
    return tally


def _run_bodies(tally: Tally, wall: Wall, planted: Planted, runs: int) -> None:
    bodies = suite.load(planted.names)
    tally.bodies = len(bodies)
    seconds: dict[str, float] = {}
    said = time.monotonic()
    with Bench(wall) as bench:
        bench.warm()
        processes = traces.descendants()
        for body in itertools.chain(bodies, again(bodies, seconds, runs - len(bodies))):
            before = time.monotonic()
            tried = bench.try_body(body)
            tally.add(tried)
            if tried.judged.verdict not in body.verdicts:
                _say(f"wrong: {body.id}: {tried.judged.verdict}: {tried.judged.detail}")
            seconds.setdefault(body.id, time.monotonic() - before)
            if time.monotonic() > said + SAY_SECONDS:
                said = time.monotonic()
                _say_progress(tally, runs)
        tally.orphans += traces.remaining(processes)
        tally.servers_lost = bench.lost


def again(bodies: Sequence[Body], seconds: dict[str, float], runs: int) -> Iterator[Body]:
    """Yield bodies round by round, the slow ones in every tenth round; measured when it begins."""
    if runs <= 0:
        return
    limit = SLOW * statistics.median(seconds.values())
    quick = [body for body in bodies if seconds[body.id] <= limit]
    rounds = (bodies if n % SLOW_EVERY == 0 else quick for n in itertools.count(1))
    yield from itertools.islice(itertools.chain.from_iterable(rounds), runs)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="hostile", description=__doc__)
    parser.add_argument("--wall", action="append", help="only this wall")
    parser.add_argument("--runs", type=int, default=RUNS, help="hostile runs behind each wall")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser.parse_args(arguments)


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _say_progress(tally: Tally, runs: int) -> None:
    wrong, harmed = tally.wrong.total(), tally.harmed.total()
    total = max(runs, tally.bodies)
    _say(f"{tally.wall}: {tally.runs:,} of {total:,} runs; wrong {wrong}, samples harmed {harmed}")


if __name__ == "__main__":
    sys.exit(main())
