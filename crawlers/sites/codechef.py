"""CodeChef: the list of problems and the problems, from the interface behind its pages."""

import re
from collections.abc import Sequence

import msgspec

from thresher.crawlers.parsers import answers
from thresher.crawlers.parsers.codechef import parse
from thresher.crawlers.site import Page, Seen, Site

_HOME = "https://www.codechef.com"
_SIZE = 100  # problems on a page of the list
_LIST = re.compile(rf"{_HOME}/api/list/problems\?page=(\d{{1,6}})&")
_PROBLEM = re.compile(rf"{_HOME}/api/contests/[^/?#]+/problems/[^/?#]+$")


class _Row(msgspec.Struct):
    code: str


class _List(msgspec.Struct):
    data: list[_Row]


def _start(keys: Sequence[str]) -> list[Page]:
    """Keys are problems such as ``FLOW001``, or with their contest ``START01/FLOW001``."""
    return [_problem(key) for key in keys] or [_page(0)]


def _page(number: int) -> Page:
    return Page(f"{_HOME}/api/list/problems?page={number}&limit={_SIZE}&sort_by=problem_code")


def _problem(key: str) -> Page:
    contest, _, code = key.rpartition("/")
    return Page(f"{_HOME}/api/contests/{contest or 'PRACTICE'}/problems/{code}")


def _look(page: Page, body: bytes) -> Seen:
    if _PROBLEM.match(page.url):
        return Seen(is_statement=True)
    number = _LIST.match(page.url)
    listed = answers.read_list(body, _List)
    if number is None or listed is None:
        return Seen()
    follow = [_problem(row.code) for row in listed.data if re.fullmatch(r"\w+", row.code)]
    if len(listed.data) >= _SIZE:
        follow.append(_page(int(number[1]) + 1))
    return Seen(follow)


SITE = Site(
    name="codechef",
    home=_HOME,
    terms="CodeChef and the authors keep the rights in its statements; there is no licence to pass"
    " them on.",
    start=_start,
    look=_look,
    parse=parse,
)
