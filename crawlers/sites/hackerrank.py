"""HackerRank: the challenges of a track, from the interface behind its pages."""

import re
from collections.abc import Sequence

import msgspec

from thresher.crawlers.parsers import answers
from thresher.crawlers.parsers.hackerrank import parse
from thresher.crawlers.site import Page, Seen, Site

_HOME = "https://www.hackerrank.com"
_MASTER = f"{_HOME}/rest/contests/master"
_SIZE = 50  # challenges on a page of the list
_LIST = re.compile(rf"{_MASTER}/tracks/([a-z0-9-]+)/challenges\?offset=(\d{{1,6}})&")
_PROBLEM = re.compile(rf"{_HOME}/rest/contests/[^/?#]+/challenges/[^/?#]+$")


class _Row(msgspec.Struct):
    slug: str


class _List(msgspec.Struct):
    models: list[_Row]
    total: int = 0


def _start(keys: Sequence[str]) -> list[Page]:
    """Keys are challenges such as ``plus-minus``, or tracks such as ``tracks/data-structures``."""
    return [
        _page(key.removeprefix("tracks/"), 0) if key.startswith("tracks/") else _problem(key)
        for key in keys or ("tracks/algorithms",)
    ]


def _page(track: str, offset: int) -> Page:
    return Page(f"{_MASTER}/tracks/{track}/challenges?offset={offset}&limit={_SIZE}")


def _problem(key: str) -> Page:
    return Page(f"{_MASTER}/challenges/{key}")


def _look(page: Page, body: bytes) -> Seen:
    if _PROBLEM.match(page.url):
        return Seen(is_statement=True)
    asked = _LIST.match(page.url)
    listed = answers.read_list(body, _List)
    if asked is None or listed is None:
        return Seen()
    follow = [_problem(row.slug) for row in listed.models if re.fullmatch(r"[\w-]+", row.slug)]
    offset = int(asked[2]) + len(listed.models)
    if listed.models and offset < listed.total:
        follow.append(_page(asked[1], offset))
    return Seen(follow)


SITE = Site(
    name="hackerrank",
    home=_HOME,
    terms="HackerRank keeps the rights in its challenges and gives no licence to pass them on.",
    start=_start,
    look=_look,
    parse=parse,
)
