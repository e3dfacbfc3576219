"""USACO: the list of contests, the pages of their problems, and the problems."""

import re
from collections.abc import Sequence

from thresher.crawlers.parsers.usaco import parse
from thresher.crawlers.site import Page, Seen, Site
from thresher.crawlers.text import markup

_HOME = "https://usaco.org"
_INDEX = f"{_HOME}/index.php?page="
_LINK = re.compile(r"index\.php\?page=(viewproblem2&cpid=\d+|\w+(?:results|problems))$")


def _start(keys: Sequence[str]) -> list[Page]:
    """Keys are the numbers of problems (``cpid``), or pages such as ``dec23results``."""
    return [
        Page(_INDEX + (f"viewproblem2&cpid={key}" if key.isdigit() else key))
        for key in keys or ("contests",)
    ]


def _look(page: Page, body: bytes) -> Seen:
    if not page.url.startswith(_INDEX):
        return Seen()
    if "viewproblem2" in page.url:
        return Seen(is_statement=True)
    return Seen([Page(_INDEX + link) for link in markup.links(body, _LINK)])


SITE = Site(
    name="usaco",
    home=_HOME,
    terms="USACO and the authors keep the rights in its problems; there is no licence to pass them"
    " on.",
    start=_start,
    look=_look,
    parse=parse,
)
