"""Aizu Online Judge: lists of problems and descriptions, from its interface."""

import re
from collections.abc import Sequence

import msgspec

from thresher.crawlers.parsers import answers
from thresher.crawlers.parsers.aoj import parse
from thresher.crawlers.site import Page, Seen, Site

_HOME = "https://judgeapi.u-aizu.ac.jp"
_SIZE = 100  # problems on a page of the list
_LIST = re.compile(rf"{_HOME}/problems\?page=(\d{{1,6}})&size={_SIZE}$")


class _Row(msgspec.Struct):
    id: str


class _Volume(msgspec.Struct):
    problems: list[_Row]


def _start(keys: Sequence[str]) -> list[Page]:
    """Keys are problems such as ``0001``, or ``volumes/1`` and ``courses/ALDS1``."""
    return [
        Page(f"{_HOME}/problems/{key}") if "/" in key else _description(key) for key in keys
    ] or [_page(0)]


def _page(number: int) -> Page:
    return Page(f"{_HOME}/problems?page={number}&size={_SIZE}")


def _description(key: str) -> Page:
    return Page(f"{_HOME}/resources/descriptions/en/{key}")


def _look(page: Page, body: bytes) -> Seen:
    if "/resources/descriptions/" in page.url:
        return Seen(is_statement=True)
    listed = answers.read_list(body, list[_Row] | _Volume)  # type: ignore[arg-type]  # a union
    rows = listed.problems if isinstance(listed, _Volume) else listed or []
    follow = [_description(row.id) for row in rows if re.fullmatch(r"\w+", row.id)]
    if len(rows) >= _SIZE and (number := _LIST.match(page.url)):
        follow.append(_page(int(number[1]) + 1))
    return Seen(follow)


SITE = Site(
    name="aoj",
    home=_HOME,
    terms="Aizu Online Judge keeps the rights in its descriptions, or leaves them with the contests"
    " they come from, and gives no licence to pass them on.",
    start=_start,
    look=_look,
    parse=parse,
)
