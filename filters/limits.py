"""How long the programs of a problem may run, calibrated from its reference solution.

The limit is one of CPU time, which two busy loops beside a run don't change. It isn't quite
independent of the load either: a sibling hardware thread, colder caches and the kernel's
accounting by ticks make the same work cost up to about twice as much. So every limit is a
generous multiple of what the reference needs, and a reference near a limit is no reference.

The wall limit behind it is for programs that sleep: with `WALL_PER_CPU` a program that gets a
twentieth of a processor still has its full CPU time.
"""

import math
from collections.abc import Iterable

from thresher.sandbox.judge import DEFAULT_LIMITS
from thresher.sandbox.remote import CellLimits
from thresher.store.records import Execution

REFERENCE = "reference"  # the purpose of the executions that calibrate
FLOOR = 3.0  # CPU seconds that every program may use; the reference itself runs under it
FACTOR = 10  # how many times the reference's CPU time every other program may use
SLOWEST = FLOOR / 3  # a slower reference isn't kept; in between lies what the load may add
WALL_PER_CPU = 20


def limits_for(reference_cpu_seconds: float) -> CellLimits:
    """Return the limits of all programs of a problem whose reference used that CPU time.

    They are never tighter than those of the reference, ``limits_for(0)``, and in whole seconds,
    so that the noise in what was measured seldom changes them: 3 s up to a reference of 0.3 s,
    10 s at the slowest that is kept.
    """
    slowest = min(reference_cpu_seconds, SLOWEST)
    cpu = max(FLOOR, float(math.ceil(FACTOR * slowest)))
    return DEFAULT_LIMITS._replace(cpu=cpu, wall=WALL_PER_CPU * cpu)


def calibrated(executions: Iterable[Execution]) -> CellLimits:
    """Return a problem's limits from its executions: the cheapest of the reference's last runs."""
    passed = [e for e in executions if e.purpose == REFERENCE and e.verdict == "pass"]
    last = {e.run: e.cpu_seconds for e in passed}
    return limits_for(min(last.values(), default=0.0))


def shown(limits: CellLimits) -> str:
    """Say limits in words, for the evidence of a decision."""
    return f"{limits.cpu:g} s of CPU time within {limits.wall:g} s"
