"""AtCoder: the page of a task, whole or cut out as in public data sets."""

import re
from collections.abc import Iterator, Sequence

from parsel import Selector

from thresher.crawlers.parsers import sections, stdio
from thresher.crawlers.parsers.sections import Section
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import markup
from thresher.errors import SourceError

_TASK = re.compile(r"/tasks/([A-Za-z0-9_-]+)")
_SCORE = re.compile(r"^(?:(?:max )?score|配点|満点)\s*[:：].{0,60}$\n*", re.I | re.M)
_CUT_OUT = re.compile(r"問題文|入力例|Problem Statement|Sample Input")
_OUTPUT = re.compile(r"output|出力|interact|インタラク", re.I)
_SCORING = re.compile(r"scoring|得点", re.I)
_INTERACTIVE = re.compile(r"interact|インタラク|reactive|リアクティブ", re.I)


def parse(page: bytes, url: str) -> Statement:
    """Read a task's page; the English text where there are two.

    A list of tasks gives the kind ``listing``. Where the statement ends before it says what to
    print, the flag is ``truncated_statement`` and there are no samples.

    Raises:
        SourceError: ``not-a-problem``, ``samples-unpaired``, or as `markup.document`.
    """
    tree = markup.document(page)
    readings = [sections.of_html(body) for body in _bodies(tree)]
    if not any(readings):
        return _listing(tree, url)
    # A translation may stop before its samples.
    cut = next((one for one in readings if sections.parts(one).shown), readings[0])
    parts = sections.parts(cut)
    limits = stdio.limits_in(tree.xpath("string()").get(""))
    return stdio.statement(
        parts._replace(text=_SCORE.sub("", parts.text).strip()),
        site="atcoder",
        key=_key(tree, url),
        url=url,
        title=_title(tree),
        flags=_flags(cut),
        time_limit=limits.time,
        memory_limit=limits.memory,
        **({"kind": "interactive"} if _interactive(cut) else {}),
    )


def _bodies(tree: Selector) -> list[Selector]:
    """Return the statement in each language, English first, without notices."""
    tree.css("#task-statement .alert, .btn-copy, .div-btn-copy").drop()
    whole = tree.css("#task-statement")
    if not whole and any(map(_CUT_OUT.match, map(markup.line, tree.css("h3")))):
        whole = tree.xpath("/*")
    return [*tree.css("span.lang-en"), *(tree.css("span.lang-ja") or whole)]


def _flags(cut: Sequence[Section]) -> Iterator[str]:
    if not any(_OUTPUT.search(section.title) for section in cut):
        yield "truncated_statement"
    if any(_SCORING.fullmatch(section.title) for section in cut):
        yield from ("multiple_answers", "score")


def _interactive(cut: Sequence[Section]) -> bool:
    return any(_INTERACTIVE.search(section.title) for section in cut)


def _title(tree: Selector) -> str:
    """Return the title without the links that stand beside it."""
    heading = " ".join(tree.css(".h2").xpath("./text()").getall())
    named = (
        tree.css("meta[property='og:title']::attr(content)").get() or tree.css("title::text").get()
    )
    return " ".join((heading.strip() or named or "").split())


def _key(tree: Selector, url: str) -> str:
    named = tree.css("meta[property='og:url']::attr(content)").get() or ""
    found = _TASK.search(url) or _TASK.search(named)
    return found[1] if found else ""


def _listing(tree: Selector, url: str) -> Statement:
    if not tree.css("table a[href*='/tasks/']"):
        raise SourceError(
            "not-a-problem", f"The page {url} has no task; give the address of a task."
        )
    return Statement(site="atcoder", key="", url=url, title=_title(tree), kind="listing", text="")
