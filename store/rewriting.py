"""A program's text as the body of a function: edited and indented, its strings left as they are."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable
from typing import NamedTuple

OPENING = {"FSTRING_START", "TSTRING_START"}  # of Python 3.12 and 3.14
CLOSING = {"FSTRING_END", "TSTRING_END"}


class Edit(NamedTuple):
    """What takes the place of a part of a text, by line (from 1) and byte of the line (from 0)."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def edit(node: ast.stmt | ast.expr, text: str) -> Edit:
    """Put a text in the place of a node."""
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Edit((node.lineno, node.col_offset), end, text)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Make edits that don't overlap."""
    lines = text.encode().splitlines(keepends=True)
    for start, end, new in sorted(edits, reverse=True):
        first, last = lines[start[0] - 1], lines[end[0] - 1]
        lines[start[0] - 1 : end[0]] = [first[: start[1]] + new.encode() + last[end[1] :]]
    return b"".join(lines).decode()


def indented(text: str, pad: str) -> str:
    """Put `pad` before each line that isn't blank and doesn't begin in a string."""
    inside = _inside_strings(text)
    lines = text.split("\n")
    return "\n".join(
        pad + line if line.strip() and number not in inside else line
        for number, line in enumerate(lines, 1)
    )


def without_guard(text: str, guard: ast.If) -> str:
    """Put what a top-level ``if`` holds in its place; what it would test is taken for true."""
    first = guard.body[0]
    lines = text.split("\n")
    if first.lineno == guard.test.end_lineno:
        return edited(text, [Edit((guard.lineno, 0), (first.lineno, first.col_offset), "")])
    inside = _inside_strings(text)
    blank = re.match(r"\s*", lines[first.lineno - 1])
    prefix = blank[0] if blank else ""
    for number in range(guard.lineno, guard.end_lineno or first.lineno):
        if number + 1 not in inside:
            lines[number] = lines[number].removeprefix(prefix)
    header = range(guard.lineno - 1, guard.test.end_lineno or guard.lineno)
    return "\n".join(line for number, line in enumerate(lines) if number not in header)


def _inside_strings(text: str) -> set[int]:
    """Return the numbers of the lines that begin in a string."""
    found: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name in OPENING:
            opened.append(token.start[0])
        elif name in CLOSING:
            found.update(range(opened.pop() + 1, token.end[0] + 1))
        elif name == "STRING":
            found.update(range(token.start[0] + 1, token.end[0] + 1))
    return found
