"""Codeforces: pages of problems in the problem set, contests, the gym, groups and mirrors."""

import re
from typing import NamedTuple

from parsel import Selector

from thresher.crawlers.parsers import stdio
from thresher.crawlers.parsers.sections import Parts
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import limits, markup
from thresher.errors import SourceError

HOME = "https://codeforces.com"
TERMS = (
    "Codeforces' usage licence lets anybody publish a statement with a link to it and forbids "
    "using problems in other judges; that is no SPDX licence."
)
_PROBLEM = re.compile(
    r"/(?:problemset/problem|(?:contest|gym)/(?=\d+/problem/))/?(\d+)/(?:problem/)?([A-Z]\d*|\d+)\b",
    re.I,
)
_CONTEST = re.compile(r"^(?:https?://[^/]+)?((?:/group/\w+)?/(?:contest|gym)/(\d+))$")
_CUT_OUT = "//*[*[contains(concat(' ', @class, ' '), ' input-specification ')]]"
_LETTER = re.compile(r"([A-Z]\d*|\d+)\. ")
_TALK = re.compile(r"interaction|взаимодейств", re.I)
_CONSOLE = re.compile(r"standard|стандартн|std(?:in|out)|консол", re.I)


class _Place(NamedTuple):
    key: str
    url: str


def parse(page: bytes, url: str) -> Statement:
    """Read a page with one ``problem-statement`` element, or what is in it; recognise a list.

    Raises:
        SourceError: ``not-a-problem``, ``samples-unpaired``, or as `markup.document`.
    """
    tree = markup.document(page)
    bodies = tree.css(".problem-statement") or tree.xpath(_CUT_OUT)
    if len(bodies) != 1:
        return _listing(tree, url)
    body = bodies[0]
    title = _line(body, ".header > .title") or _line(body, ".title")
    place = _place(tree, url, title)
    time, memory = _line(body, ".time-limit"), _line(body, ".memory-limit")
    note, talks = _files(body), any(map(_TALK.search, map(markup.line, body.css(".section-title"))))
    shown = tuple(_shown(body))
    for element in body.css(".header, .sample-tests, .sample-test, .input-output-copier"):
        element.drop()
    return stdio.statement(
        Parts("\n\n".join(filter(None, (note, markup.text(body)))), shown),
        site="codeforces",
        key=place.key,
        url=url or place.url,
        title=title,
        time_limit=limits.seconds(time),
        memory_limit=limits.mebibytes(memory),
        tags=tuple(filter(None, map(markup.line, tree.css(".tag-box")))),
        licence_evidence=TERMS,
        **({"kind": "interactive"} if talks else {}),
    )


def _line(element: Selector, query: str) -> str:
    found = element.css(query)
    return markup.line(found[0]) if found else ""


def _shown(body: Selector) -> list[tuple[str, str]]:
    """Return the blocks of the samples; what they are is told by the class, in any language."""
    return [
        (block.root.get("class").split()[0], markup.pre(text))
        for block in body.css(".sample-test .input, .sample-test .output")
        for text in block.css("pre")[:1]
    ]


def _files(body: Selector) -> str:
    """Return a note where the site's programs use files instead of the console."""
    names = []
    for name in ("input", "output"):
        title = _line(body, f".{name}-file .property-title")
        file = _line(body, f".{name}-file").removeprefix(title).strip()
        if file and not _CONSOLE.search(file):
            names.append(file)
    if not names:
        return ""
    return (
        f"Where the statement names {' or '.join(names)}, read standard input and print to "
        "standard output instead."
    )


def _place(tree: Selector, url: str, title: str) -> _Place:
    """Return the problem's key, such as ``1234A``, and where it can be read."""
    if found := _PROBLEM.search(url):
        return _Place(found[1] + found[2].upper(), url)
    letter = _LETTER.match(title)
    for link in tree.css(".rtable a::attr(href), .second-level-menu a::attr(href)").getall():
        if letter and (contest := _CONTEST.match(link)):
            return _Place(contest[2] + letter[1], f"{HOME}{contest[1]}/problem/{letter[1]}")
    # A statement that was cut out of its page may have a link to it.
    found = next(filter(None, map(_PROBLEM.search, tree.css("a::attr(href)").getall())), None)
    if found and letter and found[2].upper() == letter[1]:
        return _Place(found[1] + letter[1], f"{HOME}{found[0]}")
    return _Place(title, url)


def _listing(tree: Selector, url: str) -> Statement:
    if not tree.css("table.problems, .problem-statement"):
        raise SourceError(
            "not-a-problem", f"The page {url} of Codeforces has no problem statement."
        )
    title = markup.title(tree)
    return Statement(
        site="codeforces", key=url or title, url=url, title=title, kind="listing", text=""
    )
