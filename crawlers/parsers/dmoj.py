"""DMOJ: the page of a problem. Its interface gives limits and names, but no statements."""

import re

from parsel import Selector

from thresher.crawlers.parsers import answers, sections, stdio
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import limits, markup
from thresher.errors import SourceError

_KEY = re.compile(r"/problem/([a-z0-9_]+)")
_LICENCES = {
    "CC BY 4.0": "CC-BY-4.0",
    "CC BY-SA 4.0": "CC-BY-SA-4.0",
    "CC BY-ND 4.0": "CC-BY-ND-4.0",
    "CC BY-NC 4.0": "CC-BY-NC-4.0",
    "CC BY-NC-SA 4.0": "CC-BY-NC-SA-4.0",
    "CC BY-NC-ND 4.0": "CC-BY-NC-ND-4.0",
    "CC0": "CC0-1.0",
}


def parse(page: bytes, url: str) -> Statement:
    """Read the page of a problem, with the licence that it may name.

    Raises:
        SourceError: ``not-a-problem``, ``samples-unpaired``, or as `markup.document`.
    """
    tree = None if answers.is_json(page) else markup.document(page)
    body = tree and next(iter(tree.css(".content-description")), None)
    if not tree or body is None:
        raise SourceError("not-a-problem", f"{url} has no statement; give the page of a problem.")
    title = stdio.first(tree, ".problem-title h2, #content h2")
    licence = stdio.first(body, ".license")
    body.css(".license, .copy-clipboard").drop()
    key = _KEY.search(url) or _KEY.search(" ".join(tree.css("a::attr(href)").getall()))
    return stdio.statement(
        sections.parts(sections.of_html(body)),
        site="dmoj",
        key=key[1] if key else "",
        url=url,
        title=title,
        time_limit=limits.seconds(_entry(tree, "time limit")),
        # The page has "64M".
        memory_limit=limits.mebibytes(_entry(tree, "memory limit") + "B"),
        tags=tuple(filter(None, stdio.first(tree, "#problem-types .toggled").split(", "))),
        licence=_LICENCES.get(licence, "unknown"),
        licence_evidence=f"The page says: {licence}" if licence else "",
    )


def _entry(tree: Selector, name: str) -> str:
    for entry in tree.css(".problem-info-entry"):
        words, _, value = markup.line(entry).partition(":")
        if words.lower().endswith(name):
            return value
    return ""
