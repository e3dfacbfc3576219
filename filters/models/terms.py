"""What asking an endpoint may take: how much at once and a minute, and how much in all."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple, Self

import msgspec

from thresher.errors import ModelDown, UsageError

MILLION = 1_000_000
MINUTE = 60.0
TOKEN_CHARACTERS = 3  # of a prompt, at least; only for what isn't known
Sleep = Callable[[float], Awaitable[None]]


class Usage(NamedTuple):
    """Tokens of prompts and of completions."""

    prompt: int = 0
    completion: int = 0

    def plus(self, other: "Usage", times: int = 1) -> "Usage":
        """Add the other's tokens so many times."""
        return Usage(self.prompt + times * other.prompt, self.completion + times * other.completion)

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.prompt + self.completion


def likely(prompt: str, most: int) -> Usage:
    """Return what a request uses at most, or did where it isn't told.

    Args:
        prompt: what is asked.
        most: how many tokens the answer may have.
    """
    return Usage(len(prompt) // TOKEN_CHARACTERS + 1, most)


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits and prices of an endpoint; without any, 8 requests are in flight at once.

    Attributes:
        parallel: requests in flight at once.
        requests_per_minute: evenly spaced, retries too.
        tokens_per_minute: of prompts and completions.
        budget_tokens: the most to use in all, earlier runs on the same workspace included.
        budget_money: likewise, in the unit of the prices.
        price_in: of a million prompt tokens.
        price_out: of a million tokens of completions.
    """

    parallel: int = 8
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    budget_tokens: int | None = None
    budget_money: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0

    def checked(self) -> Self:
        """Return the terms themselves.

        Raises:
            UsageError: there is a limit that isn't above 0, a negative price, or none for a budget.
        """
        limits = (self.parallel, self.requests_per_minute, self.tokens_per_minute)
        budgets = (self.budget_tokens, self.budget_money)
        if not all(each is None or 0 < each < float("inf") for each in (*limits, *budgets)):
            raise UsageError("limits and budgets of the model must be above 0")
        if not all(0 <= each < float("inf") for each in (self.price_in, self.price_out)):
            raise UsageError("prices of the model must be 0 or more, for a million tokens")
        if self.budget_money is not None and not self.price_in + self.price_out:
            raise UsageError("a budget of money needs prices: give those of a million tokens, too")
        return self

    def cost(self, usage: Usage) -> float:
        """Return the price of tokens."""
        total = usage.prompt * self.price_in + usage.completion * self.price_out
        return total / MILLION


class Bill:
    """What one request used; nothing until that is known."""

    used = Usage()


class Meter:
    """Counts tokens, spaces requests, and ends asking before a budget is overdrawn.

    Used in one event loop.

    Args:
        terms: the limits.
        clock: seconds that go on.
        sleep: waits that many seconds.

    Attributes:
        terms: the limits.
        earlier: what was used before this run.
        used: what this run has used.
        requests: how many were answered.
    """

    def __init__(
        self,
        terms: Terms,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.terms = terms.checked()
        self.earlier = self.used = self._reserved = Usage()
        self.requests = self._in_flight = 0
        self._settled = asyncio.Condition()
        self._requests = _Pace(terms.requests_per_minute, clock, sleep)
        self._tokens = _Pace(terms.tokens_per_minute, clock, sleep)

    @asynccontextmanager
    async def request(self, likely: Usage) -> AsyncIterator[Bill]:
        """Hold what a request may use; the block says in the bill what it did use.

        Raises:
            ModelDown: the budget doesn't suffice for it, and nothing in flight may leave more.
        """
        while (over := self._exceeded(likely)) is not None:
            if not self._in_flight:
                raise ModelDown(over)
            async with self._settled:
                await self._settled.wait()
        self._reserved = self._reserved.plus(likely)
        self._in_flight += 1
        bill = Bill()
        try:
            yield bill
            self.requests += 1
        finally:
            self._reserved = self._reserved.plus(likely, -1)
            self._in_flight -= 1
            self.used = self.used.plus(bill.used)
            self._tokens.take(bill.used.tokens - likely.tokens)
            async with self._settled:
                self._settled.notify_all()

    async def pace(self, likely: Usage) -> None:
        """Wait until a request may be sent."""
        await self._requests.wait(1)
        await self._tokens.wait(likely.tokens)

    def _exceeded(self, likely: Usage) -> str | None:
        """Say which budget a request may overdraw, None for none."""
        terms = self.terms
        spent = self.earlier.plus(self.used)
        held = spent.plus(self._reserved).plus(likely)
        if terms.budget_tokens is not None and held.tokens > terms.budget_tokens:
            budget = f"{terms.budget_tokens:,} tokens"
            rest = f"{spent.tokens:,} used, the next request may take {likely.tokens:,}"
        elif terms.budget_money is not None and terms.cost(held) > terms.budget_money:
            budget = f"{terms.budget_money:,g}"
            rest = f"{terms.cost(spent):.6g} spent, the next request may cost "
            rest += f"{terms.cost(likely):.2g}"
        else:
            return None
        return (
            f"The model's budget of {budget} is spent ({rest}): what was sampled is kept, run the"
            " same command with a larger budget to go on."
        )

    def __str__(self) -> str:
        """Say what this run used and, where prices are known, what it cost."""
        used, terms = self.used, self.terms
        said = (
            f"{self.requests:,} requests used {used.prompt:,} prompt tokens and"
            f" {used.completion:,} completion tokens"
        )
        if terms.price_in or terms.price_out:
            said += f", which cost {terms.cost(used):.6g}"
        if self.earlier.tokens:
            said += f"; {self.earlier.plus(used).tokens:,} tokens with earlier runs"
        return said


class _Pace:
    """Spaces what takes so much of so many a minute."""

    def __init__(self, per_minute: float | None, clock: Callable[[], float], sleep: Sleep) -> None:
        self._each = MINUTE / per_minute if per_minute else 0.0
        self._clock, self._sleep = clock, sleep
        self._free = clock()

    async def wait(self, amount: float) -> None:
        """Take an amount, and wait until its turn has come."""
        now = self._clock()
        start = self._free = max(now, self._free)
        self.take(amount)
        if start > now:
            await self._sleep(start - now)

    def take(self, amount: float) -> None:
        """Move the next turn by an amount, back where it is negative."""
        self._free += amount * self._each
