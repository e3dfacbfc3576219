"""Formulas in pages: as LaTeX in ``$``, whatever a site's script would draw of them."""

import re

from lxml import etree

# A formula holds no second beginning: a text of beginnings isn't searched to its end for each.
_DELIMITERS = (
    (re.compile(r"\\\(((?:(?!\\\().)+?)\\\)", re.S), r"$\1$"),
    (re.compile(r"\\\[((?:(?!\\\[).)+?)\\\]", re.S), r"$$\1$$"),
    # Codeforces.
    (re.compile(r"\${6}"), "$$"),
    (re.compile(r"\${3}"), "$"),
)


def delimited(string: str) -> str:
    """Return text with the delimiters of its formulas as ``$`` and ``$$``."""
    for pattern, delimiter in _DELIMITERS:
        string = pattern.sub(delimiter, string)
    return string


def of_image(image: etree._Element) -> str:
    """Return the formula that an ``<img>`` shows, if its description is one; else nothing."""
    alt = delimited(" ".join((image.get("alt") or "").split()))
    return alt if alt.startswith("$") and alt.endswith("$") and len(alt) > 2 else ""


def of_mathml(formula: etree._Element) -> str:
    """Return the LaTeX that a ``<math>`` element carries, or nothing."""
    note = formula.find(".//annotation[@encoding='application/x-tex']")
    source = formula.get("alttext") if note is None else note.text
    return " ".join((source or "").split())


def is_bare(node: etree._Element) -> bool:
    """Tell an element with LaTeX without delimiters, as Pandoc writes them."""
    classes = (node.get("class") or "").split()
    named = "math" in classes and ("inline" in classes or "display" in classes)
    return (
        named and not len(node) and not (node.text or "").lstrip().startswith(("$", "\\(", "\\["))
    )
