"""DMOJ: the list of problems from its interface, statements from their pages."""

import re
from collections.abc import Sequence

import msgspec

from thresher.crawlers.parsers import answers
from thresher.crawlers.parsers.dmoj import parse
from thresher.crawlers.site import Page, Seen, Site

_HOME = "https://dmoj.ca"
_LIST = re.compile(rf"{_HOME}/api/v2/problems\?page=(\d{{1,6}})$")
_PROBLEM = re.compile(rf"{_HOME}/problem/[a-z0-9_]+$")


class _Row(msgspec.Struct):
    code: str


class _Rows(msgspec.Struct):
    objects: list[_Row]
    has_more: bool = False


class _List(msgspec.Struct):
    data: _Rows


def _start(keys: Sequence[str]) -> list[Page]:
    return [_problem(key) for key in keys] or [_page(1)]


def _page(number: int) -> Page:
    return Page(f"{_HOME}/api/v2/problems?page={number}")


def _problem(key: str) -> Page:
    return Page(f"{_HOME}/problem/{key}")


def _look(page: Page, body: bytes) -> Seen:
    if _PROBLEM.match(page.url):
        return Seen(is_statement=True)
    number = _LIST.match(page.url)
    listed = answers.read_list(body, _List)
    if number is None or listed is None:
        return Seen()
    rows = listed.data.objects
    follow = [_problem(row.code) for row in rows if re.fullmatch(r"[a-z0-9_]+", row.code)]
    if listed.data.has_more and rows:
        follow.append(_page(int(number[1]) + 1))
    return Seen(follow)


SITE = Site(
    name="dmoj",
    home=_HOME,
    terms="Rights stay with the authors and contests; a page may name a licence of its own.",
    start=_start,
    look=_look,
    parse=parse,
)
