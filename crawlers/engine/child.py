"""The child process: Scrapy, fed through a socket. Started by `thresher.crawlers.engine.fetcher`.

It is a process of its own because Twisted's reactor runs once in a process and Scrapy changes how a
process logs and ends; because it gets no Ctrl-C, which Twisted would catch in its callbacks; and so
that what a host sends is taken apart where no workspace is open.
"""

import asyncio
import contextlib
import logging
import resource
import socket
import sys

from scrapy.crawler import AsyncCrawlerProcess

from thresher.crawlers.engine.addon import Thresher
from thresher.crawlers.engine.channel import Channel
from thresher.crawlers.engine.messages import Begin, Note
from thresher.crawlers.engine.politeness import said
from thresher.crawlers.engine.spider import Pages

MOST_MEMORY = 2 << 30  # bytes of address space: Twisted takes headers without end


class Notes(logging.Handler):
    """Hands what goes wrong in Scrapy back to the crawl, a line each."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(logging.ERROR)
        self._channel = channel

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record."""
        error = record.exc_info[1] if record.exc_info else None
        line = record.getMessage().partition("\n")[0]
        self._channel.send(Note(f"{line}: {said(error)}" if error else line))


async def _connect(number: int) -> tuple[Channel, Begin]:
    streams = await asyncio.open_connection(sock=socket.socket(fileno=number))
    channel = Channel(*streams)
    return channel, await channel.receive()


def main(number: int) -> None:
    """Ask for pages until the socket is closed; `number` is its descriptor."""
    with contextlib.suppress(ValueError):  # there is a lower limit already
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    process = AsyncCrawlerProcess(install_root_handler=False)
    channel, begin = asyncio.get_event_loop().run_until_complete(_connect(number))
    process.settings.update({"ADDONS": {Thresher: 0}, "THRESHER_BEGIN": begin})
    logging.basicConfig(level=logging.ERROR, handlers=[Notes(channel)], force=True)
    process.crawl(Pages, channel=channel)
    process.start(install_signal_handlers=False)


if __name__ == "__main__":
    main(int(sys.argv[1]))
