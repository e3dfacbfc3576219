"""Kattis: the open archive, page by page of its list."""

import re
from collections.abc import Sequence

from thresher.crawlers.parsers.kattis import HOME, TERMS, parse
from thresher.crawlers.site import Page, Seen, Site
from thresher.crawlers.text import markup

_LIST = re.compile(rf"{HOME}/problems\?page=(\d{{1,6}})$")
_PROBLEM = re.compile(rf"{HOME}/problems/[a-z0-9]+$")
_LINK = re.compile(r"/problems/([a-z0-9]+)$")
_PAGE = re.compile(r"[?&]page=(\d{1,6})(?:&|$)")


def _start(keys: Sequence[str]) -> list[Page]:
    return [_problem(key) for key in keys] or [_list(0)]


def _list(number: int) -> Page:
    return Page(f"{HOME}/problems?page={number}")


def _problem(key: str) -> Page:
    return Page(f"{HOME}/problems/{key}")


def _look(page: Page, body: bytes) -> Seen:
    found = _LIST.match(page.url)
    if not found:
        return Seen(is_statement=bool(_PROBLEM.match(page.url)))
    follow = [_problem(key) for key in markup.links(body, _LINK)]
    following = int(found[1]) + 1
    # Past the last page Kattis shows an empty one, with no link to the next.
    if str(following) in markup.links(body, _PAGE):
        follow.append(_list(following))
    return Seen(follow)


SITE = Site(
    name="kattis",
    home=HOME,
    terms=TERMS,
    start=_start,
    look=_look,
    parse=parse,
    on=True,
)
