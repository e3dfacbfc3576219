"""The add-on that sets Scrapy up for us: our middleware and pipeline, nothing that isn't needed."""

from scrapy.settings import BaseSettings

from thresher.crawlers.engine.messages import Begin
from thresher.crawlers.engine.politeness import Politeness
from thresher.crawlers.engine.spider import HandBack

MIDDLEWARE = 560  # the answers it sees are unpacked (590), and redirects (600) come back to it
MOST_REDIRECTS = 5
OFF = {
    "DOWNLOADER_MIDDLEWARES": (
        "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware",
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware",
        "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware",
        "scrapy.downloadermiddlewares.retry.RetryMiddleware",
        "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware",
        "scrapy.downloadermiddlewares.cookies.CookiesMiddleware",
        "scrapy.downloadermiddlewares.stats.DownloaderStats",
    ),
    "SPIDER_MIDDLEWARES": (
        "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware",
        "scrapy.spidermiddlewares.referer.RefererMiddleware",
        "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware",
        "scrapy.spidermiddlewares.depth.DepthMiddleware",
    ),
    "EXTENSIONS": (
        "scrapy.extensions.telnet.TelnetConsole",
        "scrapy.extensions.remote_control.RemoteControl",
        "scrapy.extensions.logstats.LogStats",
        "scrapy.extensions.logcount.LogCount",
        "scrapy.extensions.feedexport.FeedExporter",
    ),
}


class Thresher:
    """See the module."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Change Scrapy's settings; ``THRESHER_BEGIN`` has what the crawl wants."""
        begin: Begin = settings["THRESHER_BEGIN"]
        for kind, names in OFF.items():
            settings[kind].update(dict.fromkeys(names))
        settings["DOWNLOADER_MIDDLEWARES"][Politeness] = MIDDLEWARE
        settings["ITEM_PIPELINES"][HandBack] = 100
        settings.update(
            {
                "USER_AGENT": begin.agent,
                "CONCURRENT_REQUESTS": 0,  # the crawl asks for as many as may be open
                "CONCURRENT_REQUESTS_PER_DOMAIN": begin.polite.concurrency + 1,
                "DOWNLOAD_DELAY_JITTER": 0,
                "DOWNLOAD_TIMEOUT": begin.polite.timeout,
                "DOWNLOAD_MAXSIZE": begin.polite.most_bytes,
                "DOWNLOAD_WARNSIZE": 0,
                "DOWNLOAD_VERIFY_CERTIFICATES": True,
                "REDIRECT_MAX_TIMES": MOST_REDIRECTS,
                "STATS_DUMP": False,
            },
            priority="addon",
        )
