"""Recognise pages that want proof of a browser or a person instead of giving what was asked for."""

import re
from collections.abc import Mapping

REFUSALS = frozenset({401, 403, 405, 429, 503})
HEADERS = ("cf-mitigated", "x-amzn-waf-action")
START = 32768  # a challenge is told from this many bytes
# Where the page was refused: words that firewalls use.
MARKS = (
    b"just a moment",
    b"cf-chl",
    b"cf_chl",
    b"cdn-cgi/challenge-platform",
    b"attention required",
    b"checking your browser",
    b"enable javascript and cookies to continue",
    b"captcha",
    b"turnstile",
    b"ddos-guard",
    b"incapsula",
    b"perimeterx",
    b"px-captcha",
    b"datadome",
    b"sucuri website firewall",
    b"unusual traffic",
    b"are you a robot",
    b"verify you are human",
)
# Where it has status 200 it may be about such things: only what no other page has.
SURE_MARKS = (
    b"_cf_chl_opt",
    b'id="challenge-form"',
    b"request unsuccessful. incapsula incident id",
    b'document.cookie="rcpc=',
    b"/.well-known/ddos-guard/js-challenge",
    b"window._pxappid",
    b"gokuprops",
)
TITLES = re.compile(
    rb"<title>\s*(just a moment\.\.\.|attention required! \| cloudflare|ddos-guard"
    rb"|please wait\.\.\. \| cloudflare|human verification)\s*</title>"
)


def mark(status: int, headers: Mapping[str, str], body: bytes) -> str:
    """Return the mark by which an answer is a challenge, empty where it is none.

    Args:
        status: the HTTP status.
        headers: what it has of `HEADERS`, empty where it hasn't.
        body: its bytes, unpacked.
    """
    if named := next(filter(headers.get, HEADERS), ""):
        return named
    start = body[:START].lower()
    if title := TITLES.search(start):
        return title[1].decode()
    marks = SURE_MARKS + MARKS if status in REFUSALS else SURE_MARKS
    return next((found.decode() for found in marks if found in start), "")
