"""One of k samples chosen without tests, as an expected value (paper, section 3.3)."""

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import comb


def best(scores: Sequence[float], passed: Sequence[bool], k: int) -> float:
    """Return how likely the best-scored of `k` samples passes.

    The `k` are drawn at random from all samples, and one at random of those that score alike; the
    probability is worked out exactly.

    Args:
        scores: of each sample; higher is better.
        passed: whether each passes.
        k: how many are drawn, from 1 to as many as there are.
    """
    ranked = sorted(zip(scores, passed, strict=True), key=lambda pair: -pair[0])
    left, found = len(ranked), Fraction(0)
    for _, group in itertools.groupby(ranked, key=lambda pair: pair[0]):
        alike = [good for _, good in group]
        ways = comb(left, k) - comb(left - len(alike), k)  # the best is of this group
        found += Fraction(ways * sum(alike), len(alike))
        left -= len(alike)
    return float(found / comb(len(ranked), k))
