"""AtCoder: the archive of contests, their lists of tasks, and the tasks."""

import re
from collections.abc import Sequence

from thresher.crawlers.parsers.atcoder import parse
from thresher.crawlers.site import Page, Seen, Site
from thresher.crawlers.text import markup

_HOME = "https://atcoder.jp"
_PATH = re.compile(rf"{_HOME}(/contests/[^/?#]+(/tasks)?(?:/([^/?#]+))?)")
_CONTEST = re.compile(r"^/contests/(?!archive$)([A-Za-z0-9_-]+)$")
_ARCHIVE = re.compile(r"^/contests/archive\?(?:[a-z_]+=[a-z0-9]*&)*page=(\d{1,5})$")


def _start(keys: Sequence[str]) -> list[Page]:
    return [Page(_address(key)) for key in keys or ("archive",)]


def _address(key: str) -> str:
    """Return the address of ``abc300``, ``abc300_a`` or ``contest/task``."""
    contest, slash, task = key.partition("/")
    if key == "archive":
        return f"{_HOME}/contests/archive?page=1"
    if "_" in key and not slash:
        # A contest's name has hyphens where its tasks' names have underscores.
        contest, task = key.rpartition("_")[0].replace("_", "-"), key
    return f"{_HOME}/contests/{contest}/tasks" + (f"/{task}" if task else "")


def _look(page: Page, body: bytes) -> Seen:
    path = _PATH.match(page.url)
    if path is None:
        return Seen()
    if path[1] == "/contests/archive":
        return Seen(_of_archive(body))
    if path[2] and path[3]:
        return Seen(is_statement=True)
    link = re.compile("^(" + re.escape(path[1]) + r"/[A-Za-z0-9_-]+)$")
    return Seen([Page(_HOME + task) for task in markup.links(body, link)])


def _of_archive(body: bytes) -> list[Page]:
    contests = [Page(f"{_HOME}/contests/{name}/tasks") for name in markup.links(body, _CONTEST)]
    pages = markup.links(body, _ARCHIVE)
    return contests + [Page(f"{_HOME}/contests/archive?page={number}") for number in pages]


SITE = Site(
    name="atcoder",
    home=_HOME,
    terms="AtCoder keeps the rights in its statements and gives no licence to pass them on.",
    start=_start,
    look=_look,
    parse=parse,
)
