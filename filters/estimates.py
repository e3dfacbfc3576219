"""What samples that were drawn until enough passed say of how often a model solves a problem.

The share of passes is biased where drawing stops at a pass: a true rate of 0.1 reads 0.26 at the
first. The estimates here count the ways in which the draws could have come to the same stop
(Girshick, Mosteller and Savage 1946, "Unbiased estimates for certain binomial sampling problems"),
and are unbiased however it stopped.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple, Self

from thresher.errors import UsageError

CONFIDENCE = 0.95
BISECTIONS = 60  # more than a double has bits


class Drawn(NamedTuple):
    """The samples of a problem up to where drawing stopped.

    Attributes:
        drawn: how many there are; the last one passes where `stopped`.
        passed: how many of them pass.
        most: how many could have been drawn.
        passes: at how many passes drawing stops, 0 for never.
    """

    drawn: int
    passed: int
    most: int
    passes: int

    @classmethod
    def of(cls, passed: Sequence[bool], most: int, passes: int) -> Self:
        """Count what was drawn, in index order and without what lies beyond the stop."""
        found = 0
        for number, each in enumerate(passed, 1):
            found += each
            if passes and found == passes:
                return cls(number, found, most, passes)
        return cls(len(passed), found, most, passes)

    @property
    def stopped(self) -> bool:
        """Say whether enough passed, be it at the very last that could be drawn."""
        return 0 < self.passes == self.passed

    @property
    def rule(self) -> str:
        """Say where drawing was to stop."""
        return f"at pass {self.passes}" if self.passes else "never"

    def pass_at(self, k: int) -> float:
        """Return the unbiased estimate of the probability that one of `k` samples passes.

        Where drawing stops at the r-th of N samples, pass@1 is (r - 1) / (N - 1); where it didn't
        stop, it is the paper's estimate (section 2.1).

        Raises:
            UsageError: fewer than `k` could have been drawn, so that it can't be known.
        """
        if not 1 <= k <= self.most:
            raise UsageError(
                f"pass@{k} can't be had of at most {self.most} samples a problem: draw more"
            )
        free, fails = self.drawn - self.stopped, self.drawn - self.passed
        return 1 - comb(free - k, fails - k) / comb(free, fails) if fails >= k else 1.0

    def interval(self) -> tuple[float, float]:
        """Return the limits of pass@1 at 95 % (Clopper and Pearson), one-sided without a pass."""
        if not self.passed:
            return 0.0, 1 - (1 - CONFIDENCE) ** (1 / self.drawn)
        tail = (1 - CONFIDENCE) / 2
        low = _rate(lambda p: 1 - _at_most(self.passed - 1, self.drawn, p) < tail)
        if self.passed == self.drawn and not self.stopped:
            return low, 1.0
        # A stop at the r-th pass in N draws says as much against high rates as r - 1 in N - 1 do.
        most, of = self.passed - self.stopped, self.drawn - self.stopped
        return low, _rate(lambda p: _at_most(most, of, p) > tail)

    def facts(self) -> dict[str, Any]:
        """Return it as plain data, with the estimate."""
        low, high = self.interval()
        return {
            **self._asdict(),
            "pass@1": round(self.pass_at(1), 6),
            "interval": [round(low, 6), round(high, 6)],
        }


def in_words(drawn: Drawn) -> str:
    """Say what was drawn, where drawing stopped and what that means for pass@1."""
    low, high = drawn.interval()
    count = f"{drawn.passed} of {drawn.drawn} samples pass"
    if not drawn.passed:
        return f"{count}: the pass rate is below {high:.2%} at {CONFIDENCE:.0%}"
    stop = f" (stopped {drawn.rule})" if drawn.stopped else ""
    # One pass gives no estimate worth reading of this one problem: it is 0 or 1.
    rate = "" if drawn.stopped and drawn.passes == 1 else f" {drawn.pass_at(1):.3f},"
    return f"{count}{stop}: pass@1{rate} {low:.3f} to {high:.3f}"


def _at_most(passed: int, drawn: int, rate: float) -> float:
    """Return the probability of at most so many passes."""
    return sum(
        comb(drawn, each) * rate**each * (1 - rate) ** (drawn - each) for each in range(passed + 1)
    )


def _rate(is_low: Callable[[float], bool]) -> float:
    """Return the rate up to which `is_low` holds."""
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return low
