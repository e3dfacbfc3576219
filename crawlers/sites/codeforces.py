"""Codeforces: the problem set from its interface, contests and the gym from their pages."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from thresher.crawlers.parsers import answers
from thresher.crawlers.parsers.codeforces import HOME, TERMS, parse
from thresher.crawlers.site import Page, Seen, Site
from thresher.crawlers.text import markup

_LIST = f"{HOME}/api/problemset.problems"
_KEY = re.compile(r"(?:gym/)?(\d+)/?([A-Z]\d*|\d*)", re.I)
_CONTEST = re.compile(rf"{HOME}/(contest|gym)/\d+$")
_PROBLEM = re.compile(rf"{HOME}(/(?:problemset/problem/\d+|(?:contest|gym)/\d+/problem)/\w+)$")
_LINK = re.compile(r"(/(?:contest|gym)/\d+/problem/\w+)$")
_FIRST_OF_GYM = 100_000  # contests of the gym have numbers from here


class _Row(msgspec.Struct, rename="camel"):
    index: str
    contest_id: int = 0


class _Problems(msgspec.Struct):
    problems: list[_Row]


class _List(msgspec.Struct):
    result: _Problems


def _start(keys: Sequence[str]) -> list[Page]:
    return [page for key in keys for page in _named(key)] or [Page(_LIST)]


def _named(key: str) -> Iterator[Page]:
    """Give the page of ``1234A`` or ``103505A``, or that of all problems of contest ``1234``."""
    if found := _KEY.fullmatch(key):
        number, index = int(found[1]), found[2].upper()
        if number >= _FIRST_OF_GYM:
            yield Page(f"{HOME}/gym/{number}" + (f"/problem/{index}" if index else ""))
        elif index:
            yield Page(f"{HOME}/problemset/problem/{number}/{index}")
        else:
            yield Page(f"{HOME}/contest/{number}")


def _look(page: Page, body: bytes) -> Seen:
    if _PROBLEM.match(page.url):
        return Seen(is_statement=True)
    if page.url == _LIST:
        listed = answers.read_list(body, _List)
        rows = listed.result.problems if listed else []
        keys = (f"{row.contest_id}/{row.index}" for row in rows if row.contest_id)
        return Seen([page for key in keys for page in _named(key)])
    if _CONTEST.match(page.url):
        return Seen([Page(HOME + path) for path in markup.links(body, _LINK)])
    return Seen()


SITE = Site(
    name="codeforces",
    home=HOME,
    terms=TERMS,
    start=_start,
    look=_look,
    parse=parse,
)
