"""The one spider: it asks for the pages that the crawl names, and hands back what came."""

import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Response

from thresher.crawlers.engine.channel import Channel, channel_of
from thresher.crawlers.engine.hosts import Refused, origin
from thresher.crawlers.engine.messages import Ask, Got, Lost
from thresher.crawlers.engine.politeness import said

REASONS: dict[type[Exception], str] = {
    DownloadTimeoutError: "timeout",
    CannotResolveHostError: "unreachable",
    DownloadConnectionRefusedError: "unreachable",
    DownloadFailedError: "unreachable",
    ResponseDataLossError: "cut-short",
    DownloadCancelledError: "too-large",
}
WORDS = {"DOWNLOAD_MAXSIZE": "too-large", "redirections": "redirects"}  # of IgnoreRequest


class Pages(Spider):
    """Asks for what comes over the channel until the crawl closes it."""

    name = "pages"

    def __init__(self, channel: Channel) -> None:
        super().__init__()
        self.channel = channel
        self._open = 0

    async def start(self) -> AsyncIterator[Request]:
        """Yield a request for each page that is asked for, as long as the crawl lives."""
        while ask := await self.channel.receive():
            try:
                request = self._request(ask)
            except (Refused, ValueError) as error:
                self.channel.send(Lost(ask.number, "off-site", said(error)))
                continue
            self._open += 1
            yield request
        if self._open:
            os._exit(1)  # the crawl was killed: nobody waits for these pages

    def _request(self, ask: Ask) -> Request:
        json = ask.body.lstrip()[:1] in (b"{", b"[")
        kind = "application/json" if json else "application/x-www-form-urlencoded"
        return Request(
            ask.url,
            callback=self.parse,
            errback=self.failed,
            method="POST" if ask.body else "GET",
            body=ask.body,
            headers={"Content-Type": kind} if ask.body else None,
            meta={"number": ask.number, "asked": ask.url, "origin": origin(ask.url)},
            dont_filter=True,
        )

    def parse(self, response: Response) -> Iterator[Got | Lost]:
        """Give a page, or say with what status it was refused."""
        self._open -= 1
        number = response.meta["number"]
        if response.status == 200:
            yield Got(number, response.url, response.body, response.meta["robots"])
        else:
            why = f"{response.url} answers with status {response.status}"
            yield Lost(number, f"http-{response.status}", why)

    def failed(self, failure: Any) -> Iterator[Lost]:
        """Say why a page didn't come."""
        self._open -= 1
        request, error = failure.request, failure.value
        asked = "" if isinstance(error, Refused) else f"{request.url}: "
        yield Lost(request.meta["number"], _reason(error), f"{asked}{said(error)}")


def _reason(error: BaseException) -> str:
    if isinstance(error, Refused):
        return error.reason
    known = next((REASONS[kind] for kind in REASONS if isinstance(error, kind)), "")
    return known or next((WORDS[word] for word in WORDS if word in str(error)), "failed")


class HandBack:
    """The item pipeline: what the spider gives goes back to the crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "HandBack":
        """Make the pipeline; Scrapy calls this."""
        return cls(crawler)

    def process_item(self, item: Got | Lost) -> Got | Lost:
        """Send an item."""
        channel_of(self._crawler).send(item)
        return item
