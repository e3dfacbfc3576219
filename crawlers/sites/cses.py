"""CSES: the tasks of the problem set, or of a contest."""

import re
from collections.abc import Sequence

from thresher.crawlers.parsers.cses import HOME, TERMS, parse
from thresher.crawlers.site import Page, Seen, Site
from thresher.crawlers.text import markup

_SET = "problemset"
_TASK = re.compile(rf"{HOME}/(?:{_SET}|\d+)/task/\w+/?$")
_LIST = re.compile(rf"{HOME}/({_SET}|\d+)/list/$")
_LINK = re.compile(rf"/((?:{_SET}|\d+)/task/\w+)/?$")


def _start(keys: Sequence[str]) -> list[Page]:
    """Turn ``1068``, or ``251/L`` for a task of a contest, or ``251/`` for a contest into pages."""
    return [_named(key) for key in keys] or [Page(f"{HOME}/{_SET}/list/")]


def _named(key: str) -> Page:
    contest, slash, task = key.rpartition("/")
    if slash and not task:
        return Page(f"{HOME}/{contest}/list/")
    return _page(f"{contest or _SET}/task/{task}")


def _page(path: str) -> Page:
    return Page(f"{HOME}/{path}/")


def _look(page: Page, body: bytes) -> Seen:
    found = _LIST.match(page.url)
    if not found:
        return Seen(is_statement=bool(_TASK.match(page.url)))
    paths = markup.links(body, _LINK)
    return Seen([_page(path) for path in paths if path.startswith(f"{found[1]}/")])


SITE = Site(
    name="cses",
    home=HOME,
    terms=TERMS,
    start=_start,
    look=_look,
    parse=parse,
)
