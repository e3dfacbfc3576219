"""Baekjoon Online Judge: the page of a problem."""

import re

from parsel import Selector

from thresher.crawlers.parsers import stdio
from thresher.crawlers.parsers.sections import Parts
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import limits, markup
from thresher.errors import SourceError

_KEY = re.compile(r"/problem/(?:preview/)?(\d+)")
_TALKS = ("인터랙티브", "투 스텝", "Interactive", "Two Steps")
_JUDGED = ("스페셜 저지", "Special Judge")


def parse(page: bytes, url: str) -> Statement:
    """Read the page of a problem, in Korean or the language that it was saved in.

    Raises:
        SourceError: ``not-a-problem``, ``samples-unpaired``, or as `markup.document`.
    """
    tree = markup.document(page)
    title = next(iter(tree.css("#problem_title")), None)
    if title is None:
        raise SourceError("not-a-problem", f"The page {url} has no problem; give its address.")
    cells = [markup.line(cell) for cell in tree.css("#problem-info td")] + ["", ""]
    labels = " ".join(map(markup.line, tree.css(".problem-label")))
    key = _KEY.search(url) or _KEY.search(" ".join(tree.css("a::attr(href)").getall()))
    talks = any(label in labels for label in _TALKS)
    return stdio.statement(
        Parts(_text(tree), _shown(tree)),
        site="baekjoon",
        key=key[1] if key else "",
        url=url,
        title=markup.line(title),
        flags=("multiple_answers",) if any(label in labels for label in _JUDGED) else (),
        time_limit=limits.seconds(cells[0]),
        memory_limit=limits.mebibytes(cells[1]),
        tags=tuple(map(markup.line, tree.css("#problem_tags a"))),
        **({"kind": "interactive"} if talks else {}),
    )


def _text(tree: Selector) -> str:
    """Return the parts that have text, each below its heading."""
    found = []
    for part in tree.css("#problem-body .problem-section, #problem-body section"):
        text = "\n\n".join(filter(None, map(markup.text, part.css(".problem-text"))))
        if text:
            found += [stdio.first(part, "h2"), text]
    return "\n\n".join(filter(None, found))


def _shown(tree: Selector) -> tuple[tuple[str, str], ...]:
    blocks = tree.css("pre[id^='sample-input-'], pre[id^='sample-output-']")
    return tuple((block.attrib["id"], markup.pre(block)) for block in blocks)
