"""Luogu: the list of problems and the problems, as pages or the JSON behind them."""

import re
from collections.abc import Sequence

import msgspec

from thresher.crawlers.parsers import answers
from thresher.crawlers.parsers.luogu import parse, payload
from thresher.crawlers.site import Page, Seen, Site
from thresher.errors import SourceError

_HOME = "https://www.luogu.com.cn"
_LIST = re.compile(rf"{_HOME}/problem/list\?page=(\d{{1,6}})&")
_PROBLEM = re.compile(rf"{_HOME}/problem/\w+\?_contentOnly=1$")


class _Row(msgspec.Struct):
    pid: str


class _Rows(msgspec.Struct):
    result: list[_Row]
    per_page: int = msgspec.field(name="perPage", default=50)


class _Data(msgspec.Struct):
    problems: _Rows


class _List(msgspec.Struct):
    data: _Data | None = None
    old: _Data | None = msgspec.field(name="currentData", default=None)


def _start(keys: Sequence[str]) -> list[Page]:
    return [_problem(key) for key in keys] or [_page(1)]


def _page(number: int) -> Page:
    return Page(f"{_HOME}/problem/list?page={number}&_contentOnly=1")


def _problem(key: str) -> Page:
    return Page(f"{_HOME}/problem/{key}?_contentOnly=1")


def _look(page: Page, body: bytes) -> Seen:
    number = _LIST.match(page.url)
    if number is None:
        return Seen(is_statement=_PROBLEM.match(page.url) is not None)
    try:
        listed = answers.read(payload(body), _List)
    except SourceError:
        return Seen()
    data = listed.data or listed.old
    if data is None:
        return Seen()
    rows = data.problems
    follow = [_problem(row.pid) for row in rows.result if re.fullmatch(r"\w+", row.pid)]
    if len(rows.result) >= rows.per_page > 0:
        follow.append(_page(int(number[1]) + 1))
    return Seen(follow)


SITE = Site(
    name="luogu",
    home=_HOME,
    terms="Luogu and the authors keep the rights in its problems; there is no licence to pass them"
    " on.",
    start=_start,
    look=_look,
    parse=parse,
)
