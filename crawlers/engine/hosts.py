"""When each host may be asked next, and whether at all."""

import asyncio
import time
from urllib.parse import urlsplit

from scrapy.exceptions import IgnoreRequest

from thresher.crawlers.engine.messages import Polite
from thresher.crawlers.engine.robots import Robots

SLOWEST = 60.0  # seconds between requests that a slow host makes of itself
LATER = "run the same command again later"


class Refused(IgnoreRequest):
    """A page that isn't asked for; `reason` is a code."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason


class Host:
    """One host: the turn to ask it, and what is known of it.

    Scrapy's own delays are not used: they vary by half, AutoThrottle takes no notice of a
    Crawl-delay, and what waits in their queues is sent although the host asked for a pause.

    Attributes:
        origin: scheme, name and port, as an address begins.
        robots: its robots.txt, once that was read, at the moment `read_at` (monotonic seconds).
        reading: held while it is read.
    """

    def __init__(self, origin: str, polite: Polite) -> None:
        self.origin = origin
        self.robots: Robots | None = None
        self.read_at = 0.0
        self.reading = asyncio.Lock()
        self._polite = polite
        self._least = self._delay = polite.delay
        self._next = 0.0
        self._turn = asyncio.Lock()
        self._ended = asyncio.Event()
        self._why = ""
        self._lost = 0

    async def turn(self) -> None:
        """Wait until the host may be asked.

        Raises:
            Refused: it is not to be asked any more.
        """
        async with self._turn:
            while not self._why and (wait := self._next - time.monotonic()) > 0:
                await self._sleep(wait)  # a pause may have come meanwhile: look again
            self.check()
            self._next = time.monotonic() + self._delay

    async def _sleep(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._ended.wait(), seconds)
        except TimeoutError:
            return

    def check(self) -> None:
        """Raise Refused where the host is not to be asked any more."""
        if self._why:
            raise Refused("site-stopped", self._why)

    def stop(self, why: str) -> Refused:
        """Ask nothing more of the host, and return the error that says why."""
        self._why = self._why or f"{self.origin} {why}"
        self._ended.set()
        return Refused("site-stopped", self._why)

    def keep_apart(self, seconds: float) -> None:
        """Let at least so many seconds lie between requests, as robots.txt asks.

        Raises:
            Refused: that is longer than we wait.
        """
        if seconds > self._polite.longest_wait:
            raise self.stop(f"asks for {seconds:g} s between pages: that is left alone")
        self._least, before = max(self._polite.delay, seconds), self._delay
        self._delay = max(self._delay, self._least)
        self._next += self._delay - before  # robots.txt itself was the last request

    def pause(self, seconds: float) -> None:
        """Ask nothing for a while.

        Raises:
            Refused: that is longer than we wait.
        """
        if seconds > self._polite.longest_wait:
            raise self.stop(f"asks to be left alone for {seconds:.0f} s: {LATER}")
        self._next = max(self._next, time.monotonic() + seconds)

    def answered(self, latency: float, well: bool) -> None:
        """Learn from the seconds that an answer took: a slow host is asked less often."""
        if not self._polite.throttle:
            return
        wanted = min(max(latency, (self._delay + latency) / 2), SLOWEST)
        if well or wanted > self._delay:  # faults are often quick
            self._delay = max(wanted, self._least)

    def had(self) -> None:
        """Take note that a page came."""
        self._lost = 0

    def lost(self, why: str) -> None:
        """Take note that a page can't be had; stop where that goes on."""
        self._lost += 1
        if self._lost >= self._polite.give_up:
            self.stop(f"refused or failed {self._lost} pages in a row (last: {why}): {LATER}")


class Hosts:
    """All hosts of a crawl, by the beginning of an address."""

    def __init__(self, polite: Polite) -> None:
        self._polite = polite
        self._known: dict[str, Host] = {}

    def of(self, url: str) -> Host:
        """Return the host of an address."""
        begin = origin(url)
        if begin not in self._known:
            self._known[begin] = Host(begin, self._polite)
        return self._known[begin]


def origin(url: str) -> str:
    """Return scheme, name and port of an address, for example ``https://example.org``.

    Raises:
        Refused: it is no address of a page.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise Refused("off-site", f"{url} is no address of a page")
    return f"{parts.scheme}://{parts.netloc.lower()}"
