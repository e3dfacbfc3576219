"""Python text cut and changed at the places that syntax trees name, all else left as it is."""

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from typing import NamedTuple

Place = tuple[int, int]  # a line from 1 and a column in UTF-8 bytes from 0, as syntax trees count

_OPENING = getattr(tokenize, "FSTRING_START", None)  # from Python 3.12 on
_CLOSING = getattr(tokenize, "FSTRING_END", None)


class Edit(NamedTuple):
    """What stands between two places, to be replaced by `text`."""

    start: Place
    end: Place
    text: str


class Token(NamedTuple):
    """A token with its places."""

    kind: int
    text: str
    start: Place
    end: Place


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with all edits made; they must not overlap."""
    lines = [line.encode() for line in text.split("\n")]
    for (first, left), (last, right), new in sorted(edits, reverse=True):
        changed = lines[first - 1][:left] + new.encode() + lines[last - 1][right:]
        lines[first - 1 : last] = changed.split(b"\n")
    return b"\n".join(lines).decode()


def over(node: ast.expr, text: str) -> Edit:
    """Return the edit that puts `text` in the place of an expression."""
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Edit((node.lineno, node.col_offset), end, text)


def insertion(place: Place, text: str) -> Edit:
    """Return the edit that puts `text` at a place."""
    return Edit(place, place, text)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text that can be parsed."""
    for kind, string, start, end, _ in tokenize.generate_tokens(io.StringIO(text).readline):
        lines = text.split("\n") if not text.isascii() else None
        yield Token(kind, string, _place(start, lines), _place(end, lines))


def _place(place: Place, lines: list[str] | None) -> Place:
    line, column = place
    if lines is None or line > len(lines):
        return place
    return line, len(lines[line - 1][:column].encode())


def first_line(node: ast.stmt) -> int:
    """Return the line where `node` begins, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def last_line(node: ast.stmt | ast.expr) -> int:
    """Return the line where `node` ends."""
    return node.end_lineno or node.lineno


def dedented(lines: list[str], indent: str) -> str:
    """Take `indent` off the lines of one statement, but not off those inside of strings."""
    text = "\n".join(line.removeprefix(indent) for line in lines)
    kept = _inside_strings(text)
    return "\n".join(
        line if number in kept else line.removeprefix(indent)
        for number, line in enumerate(lines, 1)
    )


def _inside_strings(text: str) -> set[int]:
    """Return the lines of which the beginning is inside of a string that isn't a docstring."""
    found: set[int] = set()
    opened: list[int] = []
    previous = tokenize.INDENT
    for kind, string, (first, _), (last, _), _ in tokenize.generate_tokens(
        io.StringIO(text).readline
    ):
        is_docstring = previous in (tokenize.INDENT, tokenize.NEWLINE)
        if kind == _OPENING:
            opened.append(first)
        elif kind == _CLOSING:
            found.update(range(opened.pop() + 1, last + 1))
        elif kind == tokenize.STRING and not is_docstring and "\n" in string:
            found.update(range(first + 1, last + 1))
        if kind not in (tokenize.NL, tokenize.COMMENT):
            previous = kind
    return found


def header_end(lines: list[str], body: list[ast.stmt], first: int = 1) -> int:
    """Return the last line of what comes before a body that begins on a line of its own.

    `first` is the number of the first of the `lines`.
    """
    end = first_line(body[0]) - 1
    while lines[end - first].strip() == "" or lines[end - first].lstrip().startswith("#"):
        end -= 1
    return end
