"""pass@k and its kin over problems, with intervals (paper, section 2.1; APPS)."""

import random
from collections import Counter
from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple

from thresher.filters.estimates import CONFIDENCE, Drawn

RESAMPLES = 1000
SEED = 0
Z = 1.959963984540054  # the normal distribution's 97.5 % point


class Tally(NamedTuple):
    """What became of a problem's samples.

    Attributes:
        verdicts: how many have each; `infrastructure_error` counts no sample.
        shown: how many pass the cases that the prompt shows, None where it shows none.
    """

    task_id: str
    style: str
    verdicts: Counter[str]
    shown: int | None

    @property
    def n(self) -> int:
        """How many were judged."""
        return self.verdicts.total()

    @property
    def c(self) -> int:
        """How many passed."""
        return self.verdicts["pass"]


class Mean(NamedTuple):
    """A mean over problems with its interval, None for fewer than two problems."""

    value: float
    low: float | None
    high: float | None
    problems: int


def pass_at(n: int, c: int, k: int) -> float:
    """Return the unbiased estimate of pass@k from `n` samples of which `c` pass.

    Raises:
        UsageError: `k` is more than `n`, or less than 1.
    """
    return Drawn(drawn=n, passed=c, most=n, passes=0).pass_at(k)


def filtered(m: int, c: int, k: int) -> float:
    """Return filtered pass@k: `k` are taken of the `m` samples that pass the shown cases.

    Where there are fewer than `k` of those, all are taken; where there are none, it is 0.
    """
    return pass_at(m, c, min(k, m)) if m else 0.0


def mean(values: Sequence[float]) -> Mean | None:
    """Return the mean of what problems have, or None where there are none.

    The interval of 95 % is that of the bootstrap over problems (percentiles of `RESAMPLES`
    resamples, seed `SEED`): it holds for other problems of the kind, not for these alone.
    """
    if not values:
        return None
    value = fsum(values) / len(values)
    if len(values) == 1:
        return Mean(value, None, None, 1)
    chance = random.Random(SEED)  # noqa: S311 - statistics
    means = sorted(
        fsum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES)
    )
    cut = round((1 - CONFIDENCE) / 2 * RESAMPLES)
    return Mean(value, means[cut], means[-1 - cut], len(values))


def wilson(n: int, c: int) -> tuple[float, float]:
    """Return the interval of 95 % of one problem's pass rate (Wilson 1927)."""
    middle = (c + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * sqrt(c * (n - c) / n + Z * Z / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def too_few(tallies: Sequence[Tally], k: int) -> str | None:
    """Say which problem has too few samples for pass@k, or None where all have enough."""
    short = [tally for tally in tallies if tally.n < k]
    if not short:
        return None
    least = min(short, key=lambda tally: tally.n)
    others = f", and {len(short) - 1} more have fewer than {k}" if len(short) > 1 else ""
    return f"{least.task_id} has {least.n} samples{others}"
