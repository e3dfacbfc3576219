"""The child's end of the socket."""

import asyncio
from typing import Any

from scrapy.crawler import Crawler

from thresher.crawlers.engine.messages import LENGTH, Message, decode, encode


class Channel:
    """The child's end of the socket, which never blocks."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def receive(self) -> Any:
        """Return the next message, None when the crawl has ended."""
        try:
            (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            return decode(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    def send(self, message: Message) -> None:
        """Send a message; what the crawl hasn't read waits in memory, as few pages are asked."""
        data = encode(message)
        self._writer.write(LENGTH.pack(len(data)) + data)


def channel_of(crawler: Crawler) -> Channel:
    """Return the channel that a crawler's spider was made with."""
    spider: Any = crawler.spider
    channel: Channel = spider.channel
    return channel
