import logging

from scrapy.exceptions import DownloadCancelledError, DownloadFailedError
from twisted.python.failure import Failure
from twisted.web.client import ResponseFailed

from thresher.crawlers.engine.addon import OFF, Thresher
from thresher.crawlers.engine.child import Notes
from thresher.crawlers.engine.messages import Ask, Begin, Got, Lost, Note, Polite, decode, encode
from thresher.crawlers.engine.politeness import said


class Channel:
    """Keeps what it is to send."""

    def __init__(self):
        self.sent = []

    def send(self, message):
        self.sent.append(message)


def notes(level, message, *values, error=None):
    channel = Channel()
    logger = logging.Logger("scrapy.core.scraper")
    logger.addHandler(Notes(channel))
    logger.log(level, message, *values, exc_info=error)
    return channel.sent


def test_what_goes_wrong_in_scrapy_is_one_line():
    error = ValueError("no such\nthing")
    sent = notes(logging.ERROR, "Spider error processing %s\nmore", "<GET /a>", error=error)
    assert sent == [Note("Spider error processing <GET /a>: no such thing")]
    assert notes(logging.CRITICAL, "Out of memory") == [Note("Out of memory")]


def test_the_rest_of_its_log_is_left_out():
    assert notes(logging.WARNING, "experimental") == []
    assert notes(logging.INFO, "Crawled (200)") == []


def test_messages_come_through_as_they_were():
    for message in (
        Begin("thresher/1 (+me@example.org)", Polite(delay=0.5, retries=7)),
        Ask(1, "https://example.org/", b'{"a": 1}'),
        Got(2, "https://example.org/", bytes(range(256)), "no robots.txt (404)"),
        Lost(3, "http-404", "ü"),
    ):
        assert decode(encode(message)) == message


def test_scrapy_is_set_up_by_its_own_settings():
    from scrapy.settings import Settings, default_settings

    settings = Settings({"THRESHER_BEGIN": Begin("me", Polite(timeout=7))})
    Thresher().update_settings(settings)
    assert [name for name in OFF if not hasattr(default_settings, name)] == []
    assert not any(settings.getbool(name) for name in OFF)
    handled = settings.getwithbase("DOWNLOAD_HANDLERS")
    assert {name for name in handled if handled[name]} == {"http", "https"}
    assert settings["USER_AGENT"] == "me"
    assert settings.getfloat("DOWNLOAD_TIMEOUT") == 7.0
    assert settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")


def test_what_went_wrong_is_said_in_words():
    closed = DownloadFailedError("[<twisted.python.failure.Failure object>]")
    closed.__cause__ = ResponseFailed([Failure(ValueError("closed\nearly"))])
    assert said(closed) == "closed early"
    assert said(DownloadCancelledError()) == "the answer is too large"
    assert said(KeyError()) == "KeyError"
