"""The add-on that sets Scrapy up for us: our middleware and pipeline, nothing that isn't needed."""

from scrapy.settings import BaseSettings

from thresher.crawlers.engine.messages import Begin
from thresher.crawlers.engine.politeness import Politeness
from thresher.crawlers.engine.spider import HandBack

MIDDLEWARE = 560  # the answers it sees are unpacked (590), and redirects (600) come back to it
MOST_REDIRECTS = 5
HANDLERS = ("data", "file", "ftp", "s3")  # of addresses that no page has
OFF = (
    "COOKIES_ENABLED",
    "DOWNLOADER_STATS",
    "METAREFRESH_ENABLED",
    "REFERER_ENABLED",
    "REMOTE_CONTROL_ENABLED",
    "RETRY_ENABLED",
    "ROBOTSTXT_OBEY",
    "TELNETCONSOLE_ENABLED",
    "URLLENGTH_LIMIT",  # it would drop what is longer without a word
)


class Thresher:
    """See the module."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Change Scrapy's settings; ``THRESHER_BEGIN`` has what the crawl wants."""
        begin: Begin = settings["THRESHER_BEGIN"]
        settings["DOWNLOADER_MIDDLEWARES"][Politeness] = MIDDLEWARE
        settings["ITEM_PIPELINES"][HandBack] = 100
        settings.update(dict.fromkeys(OFF, 0), priority="addon")
        settings.update(
            {
                "DOWNLOAD_HANDLERS": dict.fromkeys(HANDLERS),
                "USER_AGENT": begin.agent,
                "CONCURRENT_REQUESTS": 0,  # the crawl asks for as many as may be open
                "CONCURRENT_REQUESTS_PER_DOMAIN": begin.polite.concurrency + 1,
                "DOWNLOAD_TIMEOUT": begin.polite.timeout,
                "DOWNLOAD_MAXSIZE": begin.polite.most_bytes,
                "DOWNLOAD_VERIFY_CERTIFICATES": True,
                "HTTPERROR_ALLOW_ALL": True,
                "REDIRECT_MAX_TIMES": MOST_REDIRECTS,
            },
            priority="addon",
        )
