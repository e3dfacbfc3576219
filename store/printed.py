"""Printed text compared: by lines, or by words of which some are numbers.

The source of these functions also goes into exported tests, so each stands alone but for `math`,
`re` and the others here.
"""

import inspect
import math
import re
import textwrap
from collections.abc import Callable

from thresher.store.records import Comparator

KINDS = ("lines", "tokens", "tokens-ignoring-case")


def same_lines(printed: str, expected: str) -> bool:
    """Compare texts but for blanks at the ends of their lines and of the whole."""

    def lines(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.split("\n")).rstrip()

    return lines(printed) == lines(expected)


def same_words(printed: str, expected: str, relative: float = 0.0, absolute: float = 0.0) -> bool:
    """Compare texts word by word, and with a tolerance the words that are numbers as such."""
    found, wanted = printed.split(), expected.split()
    if found == wanted or len(found) != len(wanted) or not (relative or absolute):
        return found == wanted
    return all(map(lambda a, b: same_word(a, b, relative, absolute), found, wanted))


def same_word(printed: str, expected: str, relative: float, absolute: float) -> bool:
    """Compare two words: as numbers where both are and not both integers, as text otherwise."""
    number = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
    words = printed, expected
    if printed == expected or not all(re.fullmatch(number, word) for word in words):
        return printed == expected
    if all(word.lstrip("+-").isdigit() for word in words):
        return False
    found, wanted = float(printed), float(expected)
    return math.isfinite(wanted) and abs(found - wanted) <= max(absolute, relative * abs(wanted))


def agree(comparator: Comparator, printed: str, expected: str) -> bool:
    """Compare what a program printed with what it should, by a comparator of one of `KINDS`."""
    if comparator.kind == "lines":
        return same_lines(printed, expected)
    if comparator.kind == "tokens-ignoring-case":
        printed, expected = printed.lower(), expected.lower()
    return same_words(printed, expected, comparator.relative, comparator.absolute)


def source(comparator: Comparator) -> tuple[str, set[str]]:
    """Return the source of ``same(left, right)``, which does what `agree` does, and its modules.

    It stands in the body of a function.
    """
    close = comparator.relative, comparator.absolute
    case = ".lower()" if comparator.kind == "tokens-ignoring-case" else ""
    helpers: list[Callable[..., bool]] = []
    if comparator.kind == "lines":
        helpers, call = [same_lines], "same_lines(left, right)"
    elif any(close):
        helpers = [same_words, same_word]
        call = f"same_words(left{case}, right{case}, {close[0]!r}, {close[1]!r})"
    else:
        call = f"left{case}.split() == right{case}.split()"
    parts = [f"{inspect.getsource(function)}\n" for function in helpers]
    same = f"def same(left, right):\n    return isinstance(left, str) and {call}\n\n"
    modules = {"math", "re"} if same_word in helpers else set()
    return textwrap.indent("".join([*parts, same]), "    "), modules
