"""What came of the hostile runs behind one wall, counted and printed."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from tests.hostile.bench import Tried

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
    orphans: list[str] = []
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
        counts = (self.escapes, self.forged, self.servers_lost, self.packets or 0)
        return not (
            any(counts) or self.orphans or self.files or self.callers or self.wrong or self.harmed
        )

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the lines of the table."""
        yield "bodies tried", f"{self.bodies:,}"
        yield "hostile runs", f"{self.runs:,}"
        yield "verdicts right", f"{self.runs - self.wrong.total():,}"
        yield "escapes", f"{self.escapes:,}"
        yield "forged passes", f"{self.forged:,}"
        yield "later samples still judged", f"{self.runs - self.harmed.total():,}"
        yield "servers lost", f"{self.servers_lost:,}"
        yield "orphans and zombies", f"{len(self.orphans):,}"
        yield "host files changed", f"{len(self.files):,}"
        packets = "not counted" if self.packets is None else f"{self.packets:,}"
        yield "packets out", packets
        yield "listeners reached", f"{len(self.callers):,}"
        yield "minutes", f"{self.seconds / 60:.1f}"

    def faults(self) -> Iterator[str]:
        """Yield a line for each kind of thing that went wrong, the most frequent first."""
        for kind, counted in (("wrong verdict", self.wrong), ("sample harmed", self.harmed)):
            for text, times in counted.most_common(SHOWN):
                yield f"{self.wall}: {kind}, {times} times: {text}"
        yield from (f"{self.wall}: changed: {path}" for path in self.files[:SHOWN])
        yield from (f"{self.wall}: left: {process}" for process in self.orphans[:SHOWN])


def print_table(tallies: Sequence[Tally]) -> None:
    """Print a column per wall on standard output."""
    columns = [dict(tally.rows()) for tally in tallies]
    sys.stdout.write(f"{'':28}" + "".join(f"{tally.wall:>20}" for tally in tallies) + "\n")
    for name in columns[0]:
        cells = "".join(f"{column[name]:>20}" for column in columns)
        sys.stdout.write(f"{name:28}{cells}\n")
