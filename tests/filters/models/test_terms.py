"""Terms that can't be, and the meter's arithmetic."""

import asyncio

import pytest

from thresher.errors import UsageError
from thresher.filters.models.terms import Meter, Terms, Usage


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        (Terms(parallel=0), "above 0"),
        (Terms(requests_per_minute=0), "above 0"),
        (Terms(tokens_per_minute=-1), "above 0"),
        (Terms(budget_tokens=0), "above 0"),
        (Terms(budget_money=float("nan"), price_in=1), "above 0"),
        (Terms(price_in=-1), "0 or more"),
        (Terms(price_out=float("inf")), "0 or more"),
        (Terms(budget_money=1), "a budget of money needs prices"),
    ],
)
def test_terms_that_cannot_be(terms: Terms, said: str):
    with pytest.raises(UsageError, match=said):
        terms.checked()


def test_cost_is_by_the_million():
    terms = Terms(price_in=2.5, price_out=10.0)
    assert terms.cost(Usage(1_000_000, 200_000)) == 4.5


def test_earlier_usage_counts_and_is_said():
    meter = Meter(Terms(budget_tokens=100))
    meter.earlier = Usage(60, 30)

    async def ask() -> None:
        async with meter.request(Usage(4, 4)) as bill:
            bill.used = Usage(4, 3)
        async with meter.request(Usage(4, 4)):
            pass

    with pytest.raises(Exception, match="97 used, the next request may take 8"):
        asyncio.run(ask())
    assert str(meter) == (
        "1 requests used 4 prompt tokens and 3 completion tokens; 97 tokens with earlier runs"
    )


def test_pace_follows_the_clock():
    now = [100.0]
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    async def ask() -> None:
        meter = Meter(Terms(tokens_per_minute=600), clock=lambda: now[0], sleep=sleep)
        for used in (50, 10, 100):
            likely = Usage(0, 50)
            async with meter.request(likely) as bill:
                await meter.pace(likely)
                bill.used = Usage(used, 0)
        now[0] += 60
        await meter.pace(Usage(1, 1))

    asyncio.run(ask())
    assert waited == [5.0, 1.0]
