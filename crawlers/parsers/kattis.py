"""Kattis: pages of problems since 2016, in the problem archive, contests and courses."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from parsel import Selector

from thresher.crawlers.parsers import stdio
from thresher.crawlers.parsers.sections import Parts
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import limits, markup
from thresher.errors import SourceError

HOME = "https://open.kattis.com"
TERMS = (
    "Each page of Kattis names the licence of its problem: Creative Commons, or a restricted one."
)
_KEY = re.compile(r"/problems/([a-z0-9]+)(?:/|$|\?)")
_DEED = re.compile(
    r"creativecommons\.org/(?:licenses/(by(?:-n[cd]|-sa)*)/(\d\.\d)|(publicdomain/zero))"
)
_PUBLIC_DOMAIN = re.compile(r"creativecommons\.org/(?:about/pdm|publicdomain/mark)")
_TALK = re.compile(r"interaction$", re.I)
_IN_CONTEST = re.compile(r"(?:Problem|Verkefni|Uppgift) [A-Z]\d* ")


class _Licence(NamedTuple):
    spdx: str
    evidence: str


def parse(page: bytes, url: str) -> Statement:
    """Read a page with a ``problembody`` element, or recognise a list of problems.

    Raises:
        SourceError: ``not-a-problem``, ``samples-unpaired``, or as `markup.document`.
    """
    tree = markup.document(page)
    body = next(iter(tree.css(".problembody")), None)
    if body is None:
        return _listing(tree, url)
    licence = _licence(tree)
    difficulty = tree.css(".difficulty_number::text").get() or _stated(tree, "Difficulty")
    interactive = bool(body.css(".sampleinteractionread, .sampleinteractionwrite")) or any(
        map(_TALK.match, map(markup.line, body.css("h2")))
    )
    shown = tuple(_shown(body))
    for element in body.css("table.sample, .sampleinteractionread, .sampleinteractionwrite"):
        element.drop()
    key = _key(tree, url)
    return stdio.statement(
        Parts(markup.text(body), shown),
        site="kattis",
        key=key,
        url=url or f"{HOME}/problems/{key}",
        title=_IN_CONTEST.sub("", _title(tree)),
        time_limit=limits.seconds(_stated(tree, "CPU Time limit")),
        memory_limit=limits.mebibytes(_stated(tree, "Memory limit")),
        tags=(f"difficulty {difficulty.strip()}",) if difficulty else (),
        licence=licence.spdx,
        licence_evidence=licence.evidence,
        **({"kind": "interactive"} if interactive else {}),
    )


def _shown(body: Selector) -> Iterator[tuple[str, str]]:
    """Give the blocks of the samples: a table has labels, then texts below them."""
    for table in body.css("table.sample"):
        labels = map(markup.line, table.css("th"))
        texts = (markup.pre((cell.css("pre") or [cell])[0]) for cell in table.css("td"))
        yield from zip(labels, texts, strict=False)


def _title(tree: Selector) -> str:
    headings = tree.css(".headline-wrapper h1, h1.book-page-heading") or tree.css("h1")
    return markup.line(headings[0]) if headings else markup.title(tree)


def _key(tree: Selector, url: str) -> str:
    if named := tree.css("[data-problem-name]::attr(data-problem-name)").get():
        return named
    paths = [url, *tree.css("a::attr(href), .problembody img::attr(src)").getall()]
    found = next(filter(None, map(_KEY.search, paths)), None)
    return found[1] if found else _title(tree)


def _stated(tree: Selector, label: str) -> str:
    """Return what stands beside a label: before it or behind it, by the age of the page."""
    for element in tree.xpath(
        "//*[self::strong or self::span][contains(normalize-space(), $label)]", label=label
    ):
        own = markup.line(element)
        around = markup.line(Selector(root=element.root.getparent(), type="html"))
        if around != own:
            return around.replace(own, "", 1).strip()
    return ""


def _licence(tree: Selector) -> _Licence:
    """Return the licence that the page states, and its words."""
    said = _stated(tree, "License")
    links = tree.css("a[rel~=license]::attr(href)").getall()
    names = tree.css("a[rel~=license] img::attr(alt), a[rel~=license]::text").getall()
    words = " ".join(" ".join([*names, *links]).split()) or said
    if not words:
        return _Licence("unknown", "The page names no licence.")
    return _Licence(_spdx(" ".join(links)), f"The page says: License: {words}")


def _spdx(links: str) -> str:
    if found := _DEED.search(links):
        return "CC0-1.0" if found[3] else f"CC-{found[1].upper()}-{found[2]}"
    return "CC-PDM-1.0" if _PUBLIC_DOMAIN.search(links) else "unknown"


def _listing(tree: Selector, url: str) -> Statement:
    if not tree.css("td a[href*='/problems/']"):
        raise SourceError("not-a-problem", f"The page {url} of Kattis has no problem statement.")
    title = _title(tree)
    return Statement(site="kattis", key=url or title, url=url, title=title, kind="listing", text="")
