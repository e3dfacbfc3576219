"""USACO: the page of a problem, as it is since 2015 and as one preformatted text before."""

import re

from thresher.crawlers.parsers import sections, stdio
from thresher.crawlers.parsers.sections import Section
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import markup
from thresher.errors import SourceError

_KEY = re.compile(r"cpid=(\d+)")
_SAMPLE = re.compile(
    r"^(SAMPLE (?:INPUT|OUTPUT))\b[^\n]*\n(.*?)(?=^[A-Z][A-Z ]{5,}(?:\([^)\n]*\))?:|\Z)",
    re.S | re.M,
)
# The programs of problems have read and written such files; ours read and print.
_FILE = re.compile(r"(?<=FORMAT )\(file \S+\.(in|out)\)")
_STREAM = {"in": "(standard input)", "out": "(standard output)"}


def parse(page: bytes, url: str) -> Statement:
    """Read the page of a problem; files that it names become standard input and output.

    Raises:
        SourceError: ``not-a-problem``, ``samples-unpaired``, or as `markup.document`.
    """
    tree = markup.document(page)
    body = next(iter(tree.css("#probtext-text, .problem-text")), None)
    titles = tree.css(".panel > h2") or tree.css("h2")
    if body is None:
        raise SourceError("not-a-problem", f"The page {url} has no problem; give its address.")
    blocks = body.css("pre")
    old = not body.css("pre.in") and any("SAMPLE INPUT" in markup.pre(block) for block in blocks)
    cut = _of_text(markup.pre(body)) if old else sections.of_html(body)
    parts = sections.parts(cut)
    key = _KEY.search(url)
    return stdio.statement(
        parts._replace(text=_FILE.sub(lambda found: _STREAM[found[1]], parts.text)),
        site="usaco",
        key=key[1] if key else "",
        url=url,
        title=markup.line(titles[:2][-1]) if titles else "",
    )


def _of_text(text: str) -> list[Section]:
    return sections.of_markdown(_SAMPLE.sub(r"### \1\n```\n\2\n```\n\n", text))
