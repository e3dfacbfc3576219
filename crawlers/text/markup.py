"""HTML to the plain text that a model reads, and to the exact text of a sample.

inscriptis was measured first: it loses subscripts and formulas, puts blanks before commas, pads
tables and recurses with the depth of the page. The walk here is flat.
"""

import itertools
import re

import lxml.html
from lxml import etree
from parsel import Selector
from w3lib.encoding import html_to_unicode

from thresher.crawlers.text import formulas
from thresher.crawlers.text.writer import Writer
from thresher.errors import SourceError

# Real pages stay under one MiB and 10,000 elements with all that is around the statement.
MAX_PAGE = 4 * 2**20  # bytes
MAX_ELEMENTS = 50_000
MAX_WORDS = 5_000  # in one tag: parsing takes the square of the number of its attributes

# How many line ends there are around an element.
_BREAKS = {
    **dict.fromkeys(("p", "h1", "h2", "h3", "h4", "h5", "h6", "center", "hr"), 2),
    **dict.fromkeys(("ul", "ol", "dl", "table", "blockquote", "section", "article", "header"), 2),
    **dict.fromkeys(("div", "li", "tr", "dt", "dd", "caption", "figure", "figcaption", "form"), 1),
}
_DROPPED = {"script", "style", "noscript", "template", "button", "select", "textarea", "svg"}
_DROPPED |= {"head", "title"}
# What MathJax and KaTeX draw beside the formula's source.
_DRAWN = {"MathJax", "MathJax_Preview", "MathJax_Display", "MathJax_CHTML", "MathJax_SVG"}
_DRAWN |= {"mjx-chtml", "katex-html"}
_MARKS = {
    **dict.fromkeys(("code", "tt", "kbd", "samp", "tex-font-style-tt"), ("`", "`")),
    **dict.fromkeys(("s", "strike", "del", "tex-font-style-striked"), ("~~", "~~")),
    "var": ("$", "$"),
    "sub": ("_{", "}"),
    "sup": ("^{", "}"),
}
# What stands before the second part of a formula in MathML.
_SECOND = {"msub": ("_{", "}"), "msup": ("^{", "}"), "mfrac": ("/", "")}
_TAG = re.compile("<[A-Za-z][^<>]*")
_LAID_OUT = ("pre", "table", "ul", "ol", "h1", "h2", "h3", "h4")
# What no text of an element may hold.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
# The name of a file is no description of an image.
_NO_DESCRIPTION = re.compile(r"https?:|/|\\|.*\.(?:png|jpe?g|gif|svg|webp|pdf)$", re.I)
_UNSEEN = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u2060\ufeff\u00ad"), None)
_BLANKS = {ord(blank): " " for blank in "\u00a0\u2007\u202f"}


def document(page: bytes) -> Selector:
    """Return the page as a tree, without its comments.

    The encoding is that of a byte order mark, else UTF-8 where the bytes are valid UTF-8 (saved
    pages are often encoded anew under an old declaration), else the declared one.

    Raises:
        SourceError: ``empty-page``, ``pdf-statement``, or ``page-too-large`` for more than
            `MAX_PAGE` bytes, `MAX_ELEMENTS` elements or `MAX_WORDS` words in a tag.
    """
    if len(page) > MAX_PAGE:
        raise _too_large(f"{len(page)} bytes", MAX_PAGE)
    if page.lstrip()[:5] == b"%PDF-":
        raise SourceError("pdf-statement", "The page is a PDF document, which isn't read.")
    source = _FORBIDDEN.sub(" ", _decode(page))
    if any(len(tag[0].split()) > MAX_WORDS for tag in _TAG.finditer(source)):
        raise _too_large("a tag with too many words", MAX_WORDS)
    parser = lxml.html.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(source.encode("utf-8", "replace"), parser) if source.strip() else None
    if root is None:
        raise SourceError("empty-page", "The page has no text; fetch it again.")
    if next(itertools.islice(root.iter(), MAX_ELEMENTS, None), None) is not None:
        raise _too_large("too many elements", MAX_ELEMENTS)
    return Selector(root=root, type="html")


def _too_large(found: str, most: int) -> SourceError:
    return SourceError("page-too-large", f"The page has {found}; pages over {most} are left out.")


def _decode(page: bytes) -> str:
    try:
        if not page.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\x1b$" not in page:
            return page.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    return html_to_unicode(None, page, default_encoding="utf-8")[1]


def text(element: Selector) -> str:
    """Return the text of an element: paragraphs apart by one empty line, no blanks at line ends.

    Lists have markers and tables a line for each row. Formulas are LaTeX in ``$``, as the page has
    them, or Unicode with ``_`` and ``^``. Code is in backticks, or indented by four blanks where it
    has several lines; an image is ``[image: its description]``. There is no newline at the end.
    """
    writer = Writer()
    walk = etree.iterwalk(element.root, events=("start", "end"))
    whole = None
    for event, node in walk:
        if event == "start":
            if _write_whole(writer, node):
                walk.skip_subtree()
                whole = node
            else:
                _enter(writer, node)
                writer.write(_inline(node.text))
            continue
        if node is not whole:
            _leave(writer, node)
        if node is not element.root:
            writer.write(_inline(node.tail))
    # One character needs no braces.
    return re.sub(r"([_^])\{(.)\}", r"\1\2", "".join(writer.parts))


def line(element: Selector) -> str:
    """Return the text of an element on one line, for titles and labels."""
    return " ".join(text(element).split())


def title(tree: Selector) -> str:
    """Return the title of a page, on one line."""
    return " ".join(plain(tree.css("title::text").get("")).split())


def pre(element: Selector) -> str:
    """Return the text of a sample's element as it is; ``<br>`` and the end of a block are newlines.

    Blanks of every kind become blanks and characters of no width are dropped.
    """
    parts: list[str] = []
    starts: list[int] = []
    for event, node in etree.iterwalk(element.root, events=("start", "end")):
        block = node is not element.root and node.tag in ("div", "p", "li")
        if event == "start":
            if block:
                parts += ["\n"] if parts and not parts[-1].endswith("\n") else []
                starts.append(len(parts))
            parts += filter(None, ["\n" if node.tag == "br" else node.text])
        elif node is not element.root:
            # An empty block is an empty line.
            if block and (starts.pop() == len(parts) or not parts[-1].endswith("\n")):
                parts.append("\n")
            # Outside <pre> a newline of the source is no more than a blank.
            dropped = node.tag == "br" and element.root.tag != "pre"
            tail = node.tail or ""
            parts += filter(None, [tail.lstrip() if dropped else tail])
    return plain("".join(parts))


def plain(string: str) -> str:
    """Return a string with every kind of blank as a blank and without characters of no width."""
    return string.translate(_UNSEEN | _BLANKS)


def has_image(element: Selector) -> bool:
    """Tell whether an element shows a picture that its text can't give."""
    return any(not formulas.of_image(image) for image in element.root.iter("img"))


def links(page: bytes, pattern: re.Pattern[str]) -> list[str]:
    """Return what the first group of `pattern` matches in a page's links, each once, in order.

    A page that can't be read has none.
    """
    try:
        addresses = document(page).css("a::attr(href)").getall()
    except SourceError:
        return []
    found = filter(None, map(pattern.search, addresses))
    return list(dict.fromkeys(match[1] for match in found))


def _inline(string: str | None) -> str:
    return formulas.delimited(plain(string or ""))


def _write_whole(writer: Writer, node: etree._Element) -> bool:
    """Write an element that is written as a whole or not at all; tell whether it is one."""
    kind = node.get("type") or ""
    if node.tag == "script" and kind.startswith("math/tex"):
        mark = "$$" if "display" in kind else "$"
        writer.raw(f"{mark}{(node.text or '').strip()}{mark}")
    elif node.tag in _DROPPED or not _DRAWN.isdisjoint((node.get("class") or "").split()):
        pass
    elif node.tag == "img":
        writer.raw(formulas.of_image(node) or f"[image: {_described(node)}]".replace(": ]", "]"))
    elif node.tag == "math" and (source := formulas.of_mathml(node)):
        writer.raw(f"${source}$")
    elif node.tag == "pre" or (node.tag == "code" and node.find(".//br") is not None):
        writer.end(2)
        lines = pre(Selector(root=node, type="html")).strip("\n").split("\n")
        if any(map(str.strip, lines)):
            writer.raw("\n".join(f"    {line}".rstrip() for line in lines))
        writer.end(2)
    elif node.tag == "br":
        writer.end(min(writer.breaks + 1, 2))
    else:
        return False
    return True


def _enter(writer: Writer, node: etree._Element) -> None:
    _end(writer, node)
    if mark := _marks(node)[0]:
        # A subscript belongs to what is before it.
        writer.blank = writer.blank and mark not in ("_{", "^{")
        writer.raw(mark)
    elif node.tag in ("ul", "ol"):
        writer.lists.append(1 if node.tag == "ol" else None)
    elif node.tag == "li" and writer.lists:
        number = writer.lists[-1]
        writer.marker = "- " if number is None else f"{number}. "
        writer.lists[-1] = number and number + 1
    elif node.tag == "table":
        writer.tables.append(next(node.iterdescendants(*_LAID_OUT), None) is None)
    elif node.tag in ("td", "th"):
        _enter_cell(writer, node)


def _enter_cell(writer: Writer, node: etree._Element) -> None:
    if not (writer.tables and writer.tables[-1]):
        writer.end(1)
        return
    if node.getprevious() is not None:
        writer.blank = False
        writer.raw(" | ")
    writer.cells += 1


def _leave(writer: Writer, node: etree._Element) -> None:
    if mark := _marks(node)[1]:
        writer.blank = False
        writer.raw(mark)
    elif node.tag in ("ul", "ol"):
        writer.lists.pop()
        writer.marker = ""
    elif node.tag == "table":
        writer.tables.pop()
    elif node.tag in ("td", "th") and writer.cells:
        writer.cells -= 1
        writer.blank = False
    _end(writer, node)


def _end(writer: Writer, node: etree._Element) -> None:
    if breaks := _BREAKS.get(node.tag):
        writer.end(breaks)


def _marks(node: etree._Element) -> tuple[str, str]:
    """Return what is written around an element."""
    parent = node.getparent()
    if parent is not None and parent.tag in _SECOND and node.getprevious() is not None:
        return _SECOND[parent.tag]
    if not node.text and not len(node):
        return "", ""
    classes = (node.get("class") or "").split() if node.tag == "span" else [node.tag]
    if formulas.is_bare(node):
        return ("$$", "$$") if "display" in classes else ("$", "$")
    return next((_MARKS[name] for name in classes if name in _MARKS), ("", ""))


def _described(image: etree._Element) -> str:
    words = " ".join((image.get("alt") or "").split())
    return "" if _NO_DESCRIPTION.match(words) else words
