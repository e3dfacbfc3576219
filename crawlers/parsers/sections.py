"""Statements that are one run of headings, text and preformatted blocks, in HTML or Markdown.

What a site means by its headings is much the same everywhere: parts called ``Sample Input 1``,
``入力例 1`` or ``Example`` with ``Input:`` and ``Output:`` in them are the samples, all others are
the statement.
"""

import html
import re
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parsel import Selector

from thresher.crawlers import markup, samples
from thresher.crawlers.statement import Sample

# Marks in the text of a page; Unicode keeps these two for private use.
_HEADING, _BLOCK = "\ue000", "\ue001"
_EXAMPLE = re.compile(r"sample|example|例|サンプル|예제|пример")
_SHOWN = re.compile(r"in-?put|out-?put|stdin|stdout|入力|出力|输入|输出|입력|출력")
_FORMAT = re.compile(r"format|description|specification|形式|说明|格式")
_EXPLAINED = re.compile(r"explanation|解説|説明|解释|설명")
# A line that is a heading in all but its element.
_LABEL = re.compile(
    r"(?:(?:sample|example|test)s?\s*)?(?:(?:test\s*)?cases?\s*)?#?\d*\s*(?:in-?put|out-?put)s?"
    r"(?:\s*(?:sample|example|format|for\s+(?:the\s+)?(?:sample|example)s?(?:\s+input)?))?\s*#?\d*"
    r"|(?:sample|example)s?(?:\s+(?:input\s*(?:and|&|/)\s*output|test\s*cases?|cases?))?\s*#?\d*"
    r"|(?:sample\s*|example\s*)?explanations?(?:\s*(?:of|for)\s.{1,30})?\s*#?\d*|constraints?"
    r"|(?:入力|出力)例?\s*\d*|scor(?:e|ing)|subtasks?|notes?"
)
_MARKDOWN_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]*(.*?)[ \t#]*$", re.M)
_FENCE = re.compile(
    r"^[ \t]{0,3}(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<text>.*?)(?:^[ \t]{0,3}(?P=fence)[ \t]*$|\Z)"
    r"|(?P<tag><pre\b[^<>]*>)(?P<html>.*?)</pre>",
    re.S | re.M | re.I,
)
_TAG = re.compile(
    r"</?(?:a|aside|b|big|blockquote|br|center|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|span"
    r"|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul|var)"
    r"(?:\s+[\w-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))*\s*/?>",
    re.I,
)
_ASIDE = re.compile(r"<aside\b.*?</aside>", re.S | re.I)


class Section(NamedTuple):
    """A part of a statement: its heading, its text, and its blocks as they are.

    Blocks are in the text too, as `thresher.crawlers.markup` gives them.
    """

    title: str
    text: str
    blocks: tuple[str, ...]


class Parts(NamedTuple):
    """A statement's text without its samples, and the samples as blocks with their labels."""

    text: str
    shown: tuple[tuple[str, str], ...]

    def samples(self) -> tuple[Sample, ...]:
        """Return the samples in order.

        Raises:
            SourceError: ``samples-unpaired``.
        """
        return samples.pair(self.shown)


def of_html(element: Selector) -> list[Section]:
    """Cut the text of an element at its headings; marks the headings and blocks in its tree."""
    blocks = []
    for node in element.xpath(".//pre[not(ancestor::pre)]"):
        blocks.append(markup.pre(node))
        node.root.text = _BLOCK + (node.root.text or "")
    for node in element.xpath(".//h1 | .//h2 | .//h3 | .//h4 | .//h5 | .//h6"):
        node.root.text = _HEADING + (node.root.text or "")
    return list(_cut(markup.text(element), blocks))


def of_markdown(source: str) -> list[Section]:
    """Cut Markdown at its headings; HTML in it is dropped, or a block where it is one."""
    blocks: list[str] = []

    def block(found: re.Match[str]) -> str:
        raw = found["text"]
        if raw is None:
            raw = html.unescape(_TAG.sub("", found["html"]))
        blocks.append(markup.plain(raw))
        shown = textwrap.indent(blocks[-1].strip("\n"), "    ", lambda _: True)
        return f"\n\n    {_BLOCK}{shown[4:]}\n\n"

    source = _ASIDE.sub("", source.replace("\r\n", "\n"))
    source = _FENCE.sub(block, source)
    source = _MARKDOWN_HEADING.sub(f"\n{_HEADING}\\1\n", html.unescape(_TAG.sub("", source)))
    return list(_cut(source, blocks))


def parts(sections: Sequence[Section]) -> Parts:
    """Tell the samples from the statement."""
    kept: list[str] = []
    shown: list[tuple[str, str]] = []
    showing = False
    for section in sections:
        title = unicodedata.normalize("NFKC", section.title).lower()
        label = bool(_SHOWN.search(title)) and not _FORMAT.search(title)
        if _EXAMPLE.search(title):
            showing = True
        elif not (label or _EXPLAINED.search(title)):
            showing = False
        if not showing:
            kept += filter(None, (section.title, section.text))
        elif not _EXPLAINED.search(title):
            shown += _shown(section, label)
    return Parts("\n\n".join(kept), tuple(shown))


def _shown(section: Section, label: bool) -> Iterator[tuple[str, str]]:
    """Give the blocks of a section of samples with their labels."""
    glued = [cut for block in section.blocks if len(cut := samples.split_glued(block)) > 1]
    if glued:
        for cut in glued:
            yield from cut
    elif label and section.blocks:
        yield section.title, section.blocks[0]
    elif label and section.text:
        # Text that isn't preformatted: only its lines are sure.
        lines = (line.strip() for line in section.text.split("\n"))
        yield section.title, "\n".join(line for line in lines if line)


def _cut(marked: str, blocks: Sequence[str]) -> Iterator[Section]:
    title, lines, seen = "", list[str](), 0
    for line in [*marked.split("\n"), _HEADING]:
        head = line.partition(_HEADING)[2] if _HEADING in line else _label(line)
        if head is None:
            lines.append(line)
            continue
        text = "\n".join([*lines, line.partition(_HEADING)[0] if _HEADING in line else ""])
        count = text.count(_BLOCK)
        plain = re.sub(r"\n{3,}", "\n\n", text.replace(_BLOCK, "")).strip("\n")
        if title or plain:
            yield Section(title, plain, tuple(blocks[seen : seen + count]))
        title, lines, seen = _bare(head), [], seen + count


def _label(line: str) -> str | None:
    """Return a line that is a heading in all but its element."""
    bare = _bare(line)
    if len(line) > 60 or line.startswith("    ") or not _LABEL.fullmatch(_folded(bare)):
        return None
    return bare


def _bare(line: str) -> str:
    return line.replace(_HEADING, "").strip(" \t*_:：#")


def _folded(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", title).lower().split())
