"""Run the hostile suite against every wall and print what came of it.

Usage: ``python -m tests.hostile.run [--wall NAME] [--runs N] [--json]``. Every body runs once, then
all of them again and again, slow ones less often; after every run an honest sample must pass.
"""

import argparse
import itertools
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from tests.hostile import quiet, suite, traces
from tests.hostile.bench import Bench, Tried
from tests.hostile.plant import Planted, plant
from tests.hostile.suite import Body
from thresher.errors import SandboxUnavailable
from thresher.sandbox import walls
from thresher.sandbox.wall import Wall

RUNS = 10_000
SLOW = 5.0  # times the median
SLOW_EVERY = 10  # rounds
SAY_SECONDS = 10.0
SHOWN = 20


class Tally(msgspec.Struct):
    """What came of a wall's runs; all but the first four should be 0, None or empty.

    `packets` is None where they can't be counted. `wrong` counts the wrong verdicts by body,
    `harmed` what became of honest samples that didn't pass.
    """

    wall: str
    bodies: int = 0
    runs: int = 0
    seconds: float = 0.0
    escapes: int = 0
    forged: int = 0
    servers_lost: int = 0
    orphans: int = 0
    packets: int | None = 0
    files: list[str] = []
    callers: list[str] = []
    wrong: Counter[str] = msgspec.field(default_factory=Counter)
    harmed: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, tried: Tried) -> None:
        """Count one run."""
        self.runs += 1
        self.escapes += tried.wrong_pass == "escape"
        self.forged += tried.wrong_pass == "forged pass"
        if not tried.right:
            self.wrong[f"{tried.body.id}: {tried.judged.verdict} ({tried.judged.detail})"] += 1
        if not tried.later_sample_judged:
            said = f"{tried.honest.verdict} ({tried.honest.detail})"
            self.harmed[f"after {tried.body.id}: {said}"] += 1

    def clean(self) -> bool:
        """Say whether nothing at all went wrong."""
        counts = (self.escapes, self.forged, self.servers_lost, self.orphans, self.packets or 0)
        return not (any(counts) or self.files or self.callers or self.wrong or self.harmed)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the lines of the table."""
        yield "bodies tried", f"{self.bodies:,}"
        yield "hostile runs", f"{self.runs:,}"
        yield "verdicts right", f"{self.runs - self.wrong.total():,}"
        yield "escapes", f"{self.escapes:,}"
        yield "forged passes", f"{self.forged:,}"
        yield "later samples still judged", f"{self.runs - self.harmed.total():,}"
        yield "servers lost", f"{self.servers_lost:,}"
        yield "orphans and zombies", f"{self.orphans:,}"
        yield "host files changed", f"{len(self.files):,}"
        packets = "not counted" if self.packets is None else f"{self.packets:,}"
        yield "packets out", packets
        yield "listeners reached", f"{len(self.callers):,}"
        yield "minutes", f"{self.seconds / 60:.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return 0 when nothing went wrong behind any wall, else 1."""
    options = _options(arguments)
    traces.adopt_orphans()
    loud = quiet.move()
    if loud:
        _say(f"packets can't be counted, and files of others may show up as changed: {loud}")
    found = [wall for wall in walls.known() if wall.name in (options.wall or [wall.name])]
    tallies = [_run_wall(wall, options.runs, loud is None) for wall in found if _works(wall)]
    if not tallies:
        return 1
    for tally in tallies:
        for kind, found in (("wrong verdict", tally.wrong), ("sample harmed", tally.harmed)):
            for text, times in found.most_common(SHOWN):
                _say(f"{tally.wall}: {kind}, {times} times: {text}")
        for path in tally.files[:SHOWN]:
            _say(f"{tally.wall}: changed: {path}")
    if options.json:
        sys.stdout.write(msgspec.json.encode(tallies).decode() + "\n")
    else:
        _print_table(tallies)
    return 0 if all(tally.clean() for tally in tallies) else 1


def _works(wall: Wall) -> bool:
    try:
        walls.probe(wall)
    except SandboxUnavailable as error:
        _say(str(error))
        return False
    return True


def _run_wall(wall: Wall, runs: int, counted: bool) -> Tally:
    tally = Tally(walls.probe(wall))
    with plant() as planted, Bench(wall) as bench:  # imports and starts all that there is
        bench.try_body(suite.load(planted.names)[0])
    files, packets, processes = traces.fingerprint(), traces.packets(), len(traces.descendants())
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
        for body in itertools.chain(bodies, _again(bodies, seconds, runs - len(bodies))):
            before = time.monotonic()
            tally.add(bench.try_body(body))
            seconds.setdefault(body.id, time.monotonic() - before)
            if tally.runs == 1:
                processes = len(traces.descendants())
            if time.monotonic() > said + SAY_SECONDS:
                said = time.monotonic()
                _say_progress(tally, runs)
        tally.orphans += traces.remaining(processes)
        tally.servers_lost = bench.lost


def _again(bodies: Sequence[Body], seconds: dict[str, float], runs: int) -> Iterator[Body]:
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


def _print_table(tallies: Sequence[Tally]) -> None:
    columns = [dict(tally.rows()) for tally in tallies]
    sys.stdout.write(f"{'':28}" + "".join(f"{tally.wall:>20}" for tally in tallies) + "\n")
    for name in columns[0]:
        cells = "".join(f"{column[name]:>20}" for column in columns)
        sys.stdout.write(f"{name:28}{cells}\n")


if __name__ == "__main__":
    sys.exit(main())
