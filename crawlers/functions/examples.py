"""Examples of calls as the HTML of a statement prints them: the text of inputs and of results.

They stand in ``pre`` or ``div.example-block`` elements, each part behind a label: ``Input:``,
``Output:``, ``Explanation:``, in newer pages of classes without a colon.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import lxml.html
from parsel import Selector

from thresher.crawlers.text import markup
from thresher.errors import SourceError

_DIV = "div[contains(@class, 'example-block')]"
_BLOCKS = f"//*[self::pre or self::{_DIV}][not(ancestor::pre or ancestor::{_DIV})]"
_AT_LINE = r"(?:[Ii]nputs?|输入|輸入|[Oo]utputs?|输出|輸出|[Ee]xpl\w+|解释|[Nn]otes?|注意|提示)"
_LABEL = re.compile(
    rf"^[ \t]*({_AT_LINE}|(?:Example|示例)[ \t]*\d*)[ \t]*(?:[:：]|$)"
    r"|(?<![A-Za-z])(Input|Output)[:：]|(Expl\w+)[ \t]*[:：]",
    re.M,
)
_KINDS = {
    "i": "input",
    "输入": "input",
    "輸入": "input",
    "o": "output",
    "输出": "output",
    "輸出": "output",
}
_HEADING = re.compile(r"(?:(?:Examples?|示例) ?\d* ?[:：]?)?", re.I)
_FIRST = re.compile(r"^[ \t]*(?:Example(?:[ \t]*1)?[ \t]*:|Input[ \t]*:)", re.M)
_REST = re.compile(r"^[ \t]*Constraints[ \t]*:", re.M)


class Example(NamedTuple):
    """The text of a call's arguments and that of its result."""

    given: str
    result: str


def read(document: Selector) -> list[Example]:
    """Return the examples of a statement in order, and take them out of the document.

    Raises:
        SourceError: ``samples-unpaired``, where inputs and outputs don't alternate.
    """
    found: list[Example] = []
    for block in document.xpath(_BLOCKS):
        for bold in block.root.iter("strong", "b"):
            if _LABEL.match((bold.text or "").strip()):
                bold.text = f"\n{bold.text}"  # it may be glued to the value before it
        if pairs := list(_paired(markup.pre(block))):
            found += pairs
            _remove(block.root)
    return found


def cut(text: str) -> tuple[str, list[Example]]:
    """Return a statement that is plain text without its examples, and these.

    Raises:
        SourceError: ``samples-unpaired``.
    """
    start, end = _FIRST.search(text), _REST.search(text)
    if start is None:
        return text.strip(), []
    after = end.start() if end and end.start() > start.start() else len(text)
    kept = (text[: start.start()].strip(), text[after:].strip())
    return "\n\n".join(filter(None, kept)), list(_paired(text[start.start() : after]))


def _paired(text: str) -> Iterator[Example]:
    """Yield the examples in the text of a block."""
    labels = list(_LABEL.finditer(text))
    ends = [*(label.start() for label in labels[1:]), len(text)]
    given: str | None = None
    for label, end in zip(labels, ends, strict=False):
        word = next(filter(None, label.groups()))
        kind = _KINDS.get(word[:1].lower()) or _KINDS.get(word)
        part = text[label.end() : end].strip()
        if kind == "input" and given is None:
            given = part
        elif kind == "output" and given is not None:
            yield Example(given, part)
            given = None
        elif kind:
            raise _unpaired(text)
    if given is not None:
        raise _unpaired(text)


def _unpaired(text: str) -> SourceError:
    shown = " ".join(text[:120].split())
    return SourceError("samples-unpaired", f"Inputs and outputs don't pair in {shown!r}; left out.")


def _remove(block: lxml.html.HtmlElement) -> None:
    """Remove an example, the pictures before it and its heading."""
    before = block.getprevious()
    while before is not None and not (block.getprevious().tail or "").strip():
        text = " ".join("".join(before.itertext()).split())
        is_heading = bool(text)
        if not _HEADING.fullmatch(text) or (not is_heading and before.tag in ("br", "hr")):
            break
        earlier = before.getprevious()
        before.drop_tree()
        if is_heading:
            break
        before = earlier
    block.drop_tree()
