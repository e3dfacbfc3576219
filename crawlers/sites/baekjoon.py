"""Baekjoon Online Judge: the list of problems and their pages."""

import re
from collections.abc import Sequence

from thresher.crawlers.parsers.baekjoon import parse
from thresher.crawlers.site import Page, Seen, Site
from thresher.crawlers.text import markup

_HOME = "https://www.acmicpc.net"
_PROBLEM = re.compile(rf"{_HOME}/problem/\d+$")
_LINK = re.compile(r"^(/(?:problem/|problemset\?page=|problemset/)\d+)$")


def _start(keys: Sequence[str]) -> list[Page]:
    return [Page(f"{_HOME}/problem/{key}") for key in keys] or [Page(f"{_HOME}/problemset?page=1")]


def _look(page: Page, body: bytes) -> Seen:
    if _PROBLEM.match(page.url):
        return Seen(is_statement=True)
    if not page.url.startswith(f"{_HOME}/problemset"):
        return Seen()
    return Seen([Page(_HOME + link) for link in markup.links(body, _LINK)])


SITE = Site(
    name="baekjoon",
    home=_HOME,
    terms="Baekjoon Online Judge and the authors keep the rights in its problems; there is no"
    " licence to pass them on.",
    start=_start,
    look=_look,
    parse=parse,
)
