import asyncio
import math
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import Response

from thresher.crawlers.engine import politeness
from thresher.crawlers.engine.hosts import Host, Hosts, Refused, origin
from thresher.crawlers.engine.messages import Polite
from thresher.crawlers.engine.politeness import Politeness, on_site, retry_after

NOON = "Mon, 02 Jun 2025 12:00:00 GMT"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 7 ", 7.0),
        ("Mon, 02 Jun 2025 12:01:30 GMT", 90.0),
        ("Monday, 02-Jun-25 12:00:05 GMT", 5.0),
        ("Mon, 02 Jun 2025 11:00:00 GMT", 0.0),
        ("", 0.0),
        ("soon", 0.0),
        ("-5", 0.0),
        ("9" * 12, 999999999999.0),  # not to be waited for, but nor to be passed over
        ("9" * 5000, math.inf),
        ("²", 0.0),
    ],
)
def test_retry_after(value, seconds):
    assert retry_after(value, NOON) == seconds


def test_without_a_date_our_own_clock_counts():
    assert retry_after(NOON, "") == 0.0
    assert retry_after("Mon, 02 Jun 2990 12:00:00 GMT", "") > 1e9


@given(st.text(), st.text())
def test_any_header_is_read(value, date):
    assert retry_after(value, date) >= 0


def test_hosts_are_told_apart_by_scheme_name_and_port():
    hosts = Hosts(Polite())
    assert hosts.of("https://Example.org/a") is hosts.of("https://example.org/b?c")
    assert hosts.of("https://example.org/a") is not hosts.of("http://example.org/a")
    assert hosts.of("https://example.org/a") is not hosts.of("https://example.org:8443/a")


@pytest.mark.parametrize(
    "url", ["ftp://example.org/", "file:///etc/passwd", "/a", "https://me:word@example.org/", ""]
)
def test_what_is_no_page(url):
    with pytest.raises(Refused) as refused:
        origin(url)
    assert refused.value.reason == "off-site"


def turns(host: Host, count: int) -> list[float]:
    """Return when so many requests that wait at the same time may go."""

    async def turn() -> float:
        await host.turn()
        return time.monotonic()

    async def all_turns() -> list[float]:
        return await asyncio.gather(*(turn() for _ in range(count)))

    return asyncio.run(all_turns())


def test_turns_lie_apart_however_many_wait():
    first, second, third = turns(Host("https://example.org", Polite(delay=0.05)), 3)
    assert second - first >= 0.05
    assert third - second >= 0.05


def test_a_slow_host_is_asked_less_often_but_never_more_than_it_allows():
    async def delay(*latencies: float) -> float:
        host = Host("https://example.org", Polite(delay=1, throttle=True))
        host.keep_apart(2.0)
        for latency in latencies:
            host.answered(latency, well=True)
        return host._delay

    assert asyncio.run(delay(0.1)) == 2.0
    assert asyncio.run(delay(4.0)) == 4.0
    assert asyncio.run(delay(4.0, 0.0)) == 2.0
    assert asyncio.run(delay(1e6)) == 60.0
    assert asyncio.run(delay(*[0.01] * 50)) == 2.0


def test_a_fast_fault_makes_nobody_faster():
    async def delays() -> tuple[float, float]:
        host = Host("https://example.org", Polite(delay=1, throttle=True))
        host.answered(8.0, well=True)
        host.answered(0.01, well=False)
        before = host._delay
        host.answered(20.0, well=False)
        return before, host._delay

    assert asyncio.run(delays()) == (8.0, 20.0)


def test_who_waits_for_a_turn_hears_that_the_host_is_left():
    async def wait() -> str:
        host = Host("https://example.org", Polite(longest_wait=100))
        host.pause(50)
        waiting = asyncio.create_task(host.turn())
        await asyncio.sleep(0)
        host.stop("is tired")
        with pytest.raises(Refused) as refused:
            await waiting
        return str(refused.value)

    assert asyncio.run(wait()) == "https://example.org is tired"


def test_a_pause_holds_those_who_wait_already():
    async def wait() -> float:
        host = Host("https://example.org", Polite(delay=0.05))
        await host.turn()
        waiting = asyncio.create_task(host.turn())
        await asyncio.sleep(0.01)
        began = time.monotonic()
        host.pause(0.2)
        await waiting
        return time.monotonic() - began

    assert asyncio.run(wait()) >= 0.2


def test_failures_in_a_row_are_counted_until_a_page_comes():
    async def count() -> None:
        host = Host("https://example.org", Polite(give_up=3))
        for _ in range(2):
            host.lost("status 403")
        host.had()
        for _ in range(2):
            host.lost("status 403")
        host.check()
        host.lost("status 500")
        with pytest.raises(Refused, match="3 pages in a row .last: status 500."):
            host.check()

    asyncio.run(count())


def asked_for(count: int, times: int) -> tuple[list[str], list[str]]:
    """Let so many pages through together, so many times: what was fetched, and what may be."""
    fetched, passed = list[str](), list[str]()

    async def download_async(request: Request) -> Response:
        fetched.append(request.url)
        await asyncio.sleep(0.01)
        return Response(request.url, body=b"User-agent: *\nDisallow: /3")

    channel = SimpleNamespace(send=lambda message: None)
    crawler = SimpleNamespace(
        engine=SimpleNamespace(download_async=download_async),
        spider=SimpleNamespace(channel=channel),
    )

    async def go(middleware: Politeness, number: int) -> None:
        url = f"https://example.org/{number}"
        request = Request(url, meta={"origin": "https://example.org", "asked": url})
        try:
            await middleware.process_request(request)
            passed.append(url.rpartition("/")[2])
        except Refused as refused:
            passed.append(refused.reason)

    async def run() -> None:
        middleware = Politeness(crawler, Polite(delay=0))
        for _ in range(times):
            await asyncio.gather(*(go(middleware, number) for number in range(count)))

    asyncio.run(run())
    return fetched, sorted(passed)


def test_all_who_wait_for_robots_txt_are_held_to_it():
    fetched, passed = asked_for(6, 2)
    assert fetched == ["https://example.org/robots.txt"]
    assert passed == sorted(["0", "1", "2", "4", "5", "robots-forbidden"] * 2)


def test_robots_txt_is_read_again_after_a_day(monkeypatch):
    monkeypatch.setattr(politeness, "ROBOTS_SECONDS", -1)
    assert asked_for(1, 3)[0] == ["https://example.org/robots.txt"] * 3


@pytest.mark.parametrize(
    ("begin", "url", "stays"),
    [
        ("https://example.org", "https://example.org/a", True),
        ("http://example.org", "https://example.org/a", True),
        ("https://example.org", "http://example.org/a", False),
        ("https://example.org", "https://www.example.org/a", False),
        ("https://example.org", "https://example.org.evil.test/a", False),
        ("http://127.0.0.1:80", "http://127.0.0.1:81/a", False),
    ],
)
def test_redirects_stay_on_the_site(begin, url, stays):
    request = Request(url, meta={"origin": begin, "asked": begin})
    if stays:
        assert on_site(request) == url
    else:
        with pytest.raises(Refused, match="leads to another site"):
            on_site(request)
