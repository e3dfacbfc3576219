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

from lxml import etree
from parsel import Selector

from thresher.crawlers.statement import Sample
from thresher.crawlers.text import markup, samples

# Marks in the text of a page; Unicode keeps these two for private use.
_HEADING, _BLOCK = "\ue000", "\ue001"
_EXAMPLE = re.compile(r"sample|example|例|サンプル|예제|пример")
_SHOWN = re.compile(r"in-?put|ou?t?-?put|stdin|stdout|入力|出力|输入|输出|입력|출력")
_FORMAT = re.compile(r"format|description|specification|形式|说明|格式")
_EXPLAINED = re.compile(r"explanation|details|解説|説明|解释|설명")
# A line that is a heading in all but its element.
_LABEL = re.compile(
    r"(?:(?:sample|example|test)s?\s*)?(?:(?:test\s*)?cases?\s*)?#?\d*\s*(?:in-?put|ou?t?-?put)s?"
    r"(?:\s*(?:sample|example|format|for\s+(?:the\s+)?(?:sample|example)s?(?:\s+input)?))?\s*#?\d*"
    r"|(?:sample|example)s?(?:\s+(?:input\s*(?:and|&|/)\s*output|test\s*cases?|cases?))?\s*#?\d*"
    r"|(?:sample\s*|example\s*)?explanations?(?:\s*(?:of|for)\s.{1,30})?\s*#?\d*|constraints?"
    r"|(?:入力|出力)例?\s*\d*|scor(?:e|ing)|subtasks?|notes?|function description"
)
_PROSE = re.compile(r"(?:\b[A-Za-z]{2,}\b\W+){7}")
_MARKDOWN_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]*(.*)$", re.M)
_FENCE = re.compile(
    r"^[ \t]{0,3}(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<text>.*?)(?:^[ \t]{0,3}(?P=fence)[ \t]*$|\Z)"
    r"|(?P<tag><pre\b[^<>]*>)(?P<html>.*?)(?:</pre>|\Z)",
    re.S | re.M | re.I,
)
_TAG = re.compile(
    r"</?(?:a|aside|b|big|blockquote|br|center|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|span"
    r"|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul|var)"
    r"(?:\s+[\w-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))*\s*/?>",
    re.I,
)
_ASIDE = re.compile(r"<aside\b.*?(?:</aside>|\Z)", re.S | re.I)


class Section(NamedTuple):
    """A part of a statement: its heading, its text with a mark for each block, and the blocks."""

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
    """Cut the text of an element at its headings; its tree is of no use afterwards."""
    outermost = []
    walk = etree.iterwalk(element.root, events=("start",), tag="pre")
    for _, node in walk:
        outermost.append(node)
        walk.skip_subtree()
    blocks = [markup.pre(Selector(root=node, type="html")) for node in outermost]
    for node in outermost:
        node.clear(keep_tail=True)
        node.text = _BLOCK
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
        return f"\n\n    {_BLOCK}\n\n"

    source = _FENCE.sub(block, _ASIDE.sub("", source.replace("\r\n", "\n")))
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
        elif title and not (label or _EXPLAINED.search(title)):
            showing = False
        if not showing:
            whole = [one for one in section.blocks if _is_whole(one) and not _PROSE.search(one)]
            shown += (cut for block in whole for cut in samples.split_glued(block))
            kept += filter(None, (section.title, _render(section, set(whole))))
        elif not _EXPLAINED.search(title):
            shown += _shown(section, label)
    return Parts("\n\n".join(kept), tuple(shown))


def _is_whole(block: str) -> bool:
    """Tell a block that has an input and an output, each behind its label."""
    labels = [label.lower() for label, _ in samples.split_glued(block)]
    return len(labels) > 1 and all(
        any(re.search(kind, label) for label in labels) for kind in ("input", "output")
    )


def _render(section: Section, left_out: set[str]) -> str:
    """Return the text with its blocks, indented by four blanks."""
    shown = (
        "" if block in left_out else textwrap.indent(block.strip("\n"), " " * 4)
        for block in section.blocks
    )
    # A page may have the mark itself.
    whole = re.sub(f" *{_BLOCK}", lambda _: next(shown, ""), section.text)
    return re.sub(r"\n{3,}", "\n\n", whole).strip("\n")


def _shown(section: Section, label: bool) -> Iterator[tuple[str, str]]:
    """Give the blocks of a section of samples with their labels."""
    if section.blocks and (not label or any(map(_is_whole, section.blocks))):
        yield from _labelled(section.blocks)
    elif label and section.blocks:
        yield section.title, section.blocks[0]
    elif label and section.text:
        # Text that isn't preformatted: only its lines are sure.
        lines = (line.strip() for line in section.text.split("\n"))
        yield section.title, "\n".join(line for line in lines if line)


def _labelled(blocks: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Cut blocks at the labels in them; a label alone in a block is that of the next one."""
    waiting = ""
    for block in blocks:
        cut = samples.split_glued(block)
        if not cut and waiting:
            yield waiting, block
        alone = len(cut) == 1 and not cut[0][1].strip()
        waiting = cut[0][0] if alone else ""
        if not alone:
            yield from cut


def _cut(marked: str, blocks: Sequence[str]) -> Iterator[Section]:
    title, lines, seen = "", list[str](), 0
    for line in [*marked.split("\n"), _HEADING]:
        before, heading, head = line.partition(_HEADING)
        label = head if heading else _label(line)
        lines.append(before if heading or label is None else "")
        if label is None:
            continue
        text = "\n".join(lines).strip("\n")
        count = text.count(_BLOCK)
        if title or text:
            yield Section(title, text, tuple(blocks[seen : seen + count]))
        title, lines, seen = _bare(label), [], seen + count


def _label(line: str) -> str | None:
    """Return a line that is a heading in all but its element."""
    bare = _bare(line)
    if len(line) > 60 or line.startswith("    ") or not _LABEL.fullmatch(_folded(bare)):
        return None
    return bare


def _bare(line: str) -> str:
    return line.replace(_BLOCK, "").strip(" \t*_:：#")


def _folded(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", title).lower().split())
