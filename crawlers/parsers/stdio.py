"""A statement about a program that reads and prints, from its parts: what all sites have alike."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from parsel import Selector

from thresher.crawlers.parsers.sections import Parts
from thresher.crawlers.statement import Statement
from thresher.crawlers.text import limits, markup
from thresher.store import wording

_TIME = re.compile(r"(?:time\s+limit|実行時間制限)(.{0,40})", re.I | re.S)
_MEMORY = re.compile(r"(?:memory\s+limit|メモリ制限)(.{0,40})", re.I | re.S)
_PICTURE = re.compile(r"\[image[:\]]|!\[[^\]]{0,300}\]\(")
# Letters that only one language has, most telling first.
_LANGUAGES = {
    "ja": re.compile("[\u3041-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7a3]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
}


class Limits(NamedTuple):
    """Seconds and MiB, where a page states them."""

    time: float | None = None
    memory: int | None = None


def statement(parts: Parts, *, flags: Iterable[str] = (), **known: Any) -> Statement:
    """Return the statement with what its wording says of answers.

    Args:
        parts: the text and the blocks of samples.
        flags: further flags.
        known: any other fields of the statement.

    Raises:
        SourceError: ``samples-unpaired``.
    """
    reading = wording.read(parts.text)
    found = {*reading.flags, *flags}
    if _PICTURE.search(parts.text):
        found.add("image")
    fields: dict[str, Any] = {
        "kind": "interactive" if reading.interactive else "stdio",
        "comparator": reading.comparator,
        "comparator_evidence": reading.evidence,
        "language": language(parts.text),
        **known,
    }
    return Statement(
        text=parts.text,
        samples=parts.samples() if fields["kind"] == "stdio" else (),
        flags=tuple(sorted(found)),
        **fields,
    )


def first(tree: Selector, css: str) -> str:
    """Return the text of the first element that `css` finds, on one line; nothing without one."""
    found = tree.css(css)
    return markup.line(found[0]) if found else ""


def limits_in(text: str) -> Limits:
    """Read the limits that stand after their names in the text of a page."""
    time, memory = _TIME.search(text), _MEMORY.search(text)
    return Limits(
        time and limits.seconds(time[1]),
        memory and limits.mebibytes(memory[1]),
    )


def language(text: str) -> str:
    """Tell the language of a statement from its letters: English unless one in twenty isn't."""
    letters = max(1, sum(map(str.isalpha, text)))
    for code, own in _LANGUAGES.items():
        if len(own.findall(text)) * 20 > letters:
            return code
    return "en"
