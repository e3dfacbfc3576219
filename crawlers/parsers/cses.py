"""CSES: tasks of the problem set and of contests, in the markup before and since 2023."""

import re
from collections.abc import Iterator

from lxml import etree
from parsel import Selector

from thresher.crawlers.parsers import stdio
from thresher.crawlers.parsers.sections import Parts
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import limits, markup
from thresher.errors import SourceError

HOME = "https://cses.fi"
TERMS = "The pages of CSES name no licence."
_LABEL = re.compile(
    r"\s*(input|output|syöte|tuloste|esimerkkisyöte|esimerkkituloste)\s*:?\s*$", re.I
)
_EXAMPLE = re.compile(r"\s*(?:example|esimerkki)\s*\d*\s*:?\s*$", re.I)
_HEADINGS = ("b", "h1", "h2", "h3", "h4")


def parse(page: bytes, url: str) -> Statement:
    """Read the page of a task, or recognise a list of tasks.

    Raises:
        SourceError: ``not-a-problem``, ``samples-unpaired``, or as `markup.document`.
    """
    tree = markup.document(page)
    limit = next(iter(tree.css(".task-constraints")), None)
    if limit is None:
        return _listing(tree, url)
    body = Selector(root=limit.root.getparent(), type="html")
    time, _, memory = markup.text(limit).partition("\n")
    limit.drop()
    shown = tuple(_take_samples(body))
    path = next(iter(tree.css(".nav a.current::attr(href)").getall()), "")
    address = url or HOME + path.removeprefix(HOME)
    number = tree.css("input[name=task]::attr(value)").get("")
    return stdio.statement(
        Parts(markup.text(body), shown),
        site="cses",
        key=number or address.removeprefix(HOME).rstrip("/").rpartition("/")[2],
        url=address,
        title=_title(tree),
        time_limit=limits.seconds(time),
        memory_limit=limits.mebibytes(memory),
        licence_evidence=TERMS,
    )


def _take_samples(body: Selector) -> Iterator[tuple[str, str]]:
    """Give the samples with their labels and take both out of the page; explanations stay."""
    taken, label, shown = [], "", False
    for event, node in etree.iterwalk(body.root, events=("start", "end")):
        if event == "end":
            if shown and node is not body.root and (found := _LABEL.match(node.tail or "")):
                label, node.tail = found[1], ""
        elif node.tag in _HEADINGS and _EXAMPLE.match(node.text or ""):
            taken.append(node)
            shown = True
        elif label and node.tag in ("pre", "code"):
            yield label, markup.pre(Selector(root=node, type="html"))
            taken.append(node)
            label = ""
        elif shown and (found := _LABEL.match(node.text or "")):
            label, node.text = found[1], ""
    for node in taken:
        node.drop_tree()


def _title(tree: Selector) -> str:
    headings = tree.css(".title-block h1") or tree.css("h1")
    return markup.line(headings[0]) if headings else markup.title(tree)


def _listing(tree: Selector, url: str) -> Statement:
    if not tree.css(".task-list"):
        raise SourceError("not-a-problem", f"The page {url} of CSES is no task.")
    title = _title(tree)
    return Statement(site="cses", key=url or title, url=url, title=title, kind="listing", text="")
