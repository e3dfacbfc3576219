"""The downloader middleware: nothing leaves without robots.txt, a turn, and a site's consent."""

import email.utils
import re
import time
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from thresher.crawlers.engine import challenge, robots
from thresher.crawlers.engine.channel import channel_of
from thresher.crawlers.engine.hosts import LATER, Host, Hosts, Refused, origin
from thresher.crawlers.engine.messages import Polite, Rules
from thresher.crawlers.plain import plain

PASSING_FAULTS = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
REFUSALS = frozenset({401, 403})
UNSAID: dict[type[BaseException], str] = {
    DownloadCancelledError: "the answer is too large",
    ResponseDataLossError: "the answer ends before its end",
}
ROBOTS = "is_robots_txt"
ROBOTS_SECONDS = 86400.0  # it is read again after a day (RFC 9309, section 2.4)


class Politeness:
    """See the module. Scrapy's own middlewares for robots.txt, retries and hosts are off."""

    def __init__(self, crawler: Crawler, polite: Polite) -> None:
        self._crawler, self._polite = crawler, polite
        self._hosts = Hosts(polite)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware; Scrapy calls this."""
        return cls(crawler, crawler.settings["THRESHER_BEGIN"].polite)

    async def process_request(self, request: Request) -> None:
        """Let a request go when its host may be asked for it.

        Raises:
            Refused: it may not.
        """
        if request.meta.get(ROBOTS):
            host = self._hosts.of(request.url)
        else:
            host = self._hosts.of(on_site(request))
            rules = await self._robots(host)
            if not rules.allows(request.url):
                raise Refused("robots-forbidden", f"{request.url} is forbidden by robots.txt")
            request.meta["robots"] = rules.said
        request.meta["download_slot"] = host.origin
        await host.turn()

    async def _robots(self, host: Host) -> robots.Robots:
        """Return a host's rules; all who need them wait here until they are read."""
        async with host.reading:
            host.check()
            if host.robots is None or time.monotonic() - host.read_at > ROBOTS_SECONDS:
                host.robots = await self._read_robots(host)
                host.read_at = time.monotonic()
            return host.robots

    async def _read_robots(self, host: Host) -> robots.Robots:
        url = f"{host.origin}/robots.txt"
        request = Request(url, callback=NO_CALLBACK, meta={ROBOTS: True}, dont_filter=True)
        try:
            response = await self._crawler.engine.download_async(request)
        except Exception as error:
            raise host.stop(f"gives no robots.txt ({said(error)}): {LATER}") from None
        if not 200 <= response.status < 500 or response.status in PASSING_STATUSES:
            raise host.stop(f"gives no robots.txt (status {response.status}): {LATER}")
        found = robots.read(response.status, response.body)
        host.keep_apart(found.delay)
        if found.body:
            channel_of(self._crawler).send(Rules(url, found.body))
        return found

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Stop at challenges, wait where the host asks for it, and try passing faults again.

        Raises:
            Refused: the site is to be left alone.
        """
        host = self._hosts.of(request.url)
        host.answered(request.meta.get("download_latency", 0.0), response.status == 200)
        headers = {name: header(response, name) for name in challenge.HEADERS}
        if mark := challenge.mark(response.status, headers, response.body):
            raise host.stop(
                f"wants proof of a browser or a person ({mark}) at {request.url}: that is left "
                "alone; save pages in a browser and read them with --from-files"
            )
        if response.status in PASSING_STATUSES:
            asked = retry_after(header(response, "retry-after"), header(response, "date"))
            return self._again(request, host, f"status {response.status}", asked) or response
        if response.status in REFUSALS:
            host.lost(f"status {response.status}")
        else:
            host.had()
        return response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Try passing faults of the network again."""
        if not isinstance(exception, PASSING_FAULTS):
            return None
        return self._again(request, self._hosts.of(request.url), said(exception))

    def _again(self, request: Request, host: Host, why: str, wait: float = 0.0) -> Request | None:
        tried = request.meta.get("retry_times", 0)
        host.pause(wait or min(self._polite.back_off * 2**tried, self._polite.longest_wait))
        spider: Any = self._crawler.spider
        again = get_retry_request(
            request,
            spider=spider,
            reason=why,
            max_retry_times=self._polite.retries,
            give_up_log_level="DEBUG",
        )
        if again is None:
            host.lost(why)
        return again


def on_site(request: Request) -> str:
    """Return the address of a request that stays where it began, perhaps by way of redirects.

    Raises:
        Refused: it leaves the site.
    """
    begin, now = request.meta["origin"], origin(request.url)
    if now not in (begin, begin.replace("http://", "https://")):
        raise Refused("off-site", f"{request.meta['asked']} leads to another site: {request.url}")
    return request.url


def header(response: Response, name: str) -> str:
    """Return a header of an answer, empty where it has none."""
    return (response.headers.get(name) or b"").decode("latin-1")


def retry_after(value: str, date: str) -> float:
    """Return the seconds that a Retry-After header asks for, 0 where it can't be read.

    Args:
        value: seconds or a date (RFC 9110, section 10.2.3).
        date: the answer's own date, so that a clock that is wrong doesn't matter.
    """
    if re.fullmatch(r"\s*[0-9]+\s*", value):
        return float(value)  # infinite where there are hundreds of digits
    try:
        until = email.utils.parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError, OverflowError):
        return 0.0
    try:
        now = email.utils.parsedate_to_datetime(date).timestamp()
    except (TypeError, ValueError, OverflowError):
        now = time.time()
    return max(until - now, 0.0)


def said(error: BaseException) -> str:
    """Return an error as part of a sentence."""
    inner = getattr(error, "reasons", None) or getattr(error.__cause__, "reasons", None)
    if isinstance(inner, list):  # of Twisted, which shows them as objects
        error = inner[-1].value
    words = plain(" ".join(str(error).split())[:500])
    return words or UNSAID.get(type(error), type(error).__name__)
