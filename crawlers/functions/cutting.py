"""Python source cut out, moved and edited as text, so that comments stay."""

import ast
from collections.abc import Iterable
from typing import NamedTuple

from thresher.crawlers.functions.signatures import syntax


class Source(NamedTuple):
    """A source, its tree, where its lines start in bytes, and the lines inside texts."""

    code: str
    tree: ast.Module
    starts: list[int]
    fixed: frozenset[int]

    def span(self, node: ast.expr | ast.arg) -> tuple[int, int]:
        """Return where a node starts and ends, in bytes."""
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


class Edit(NamedTuple):
    """Bytes of a source to replace."""

    start: int
    end: int
    new: bytes = b""


def read(code: str) -> Source:
    """Read a source.

    Raises:
        ValueError: it is not Python.
    """
    tree = syntax(code)
    starts = [0]
    for line in code.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    fixed = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }
    return Source(code, tree, starts, frozenset(fixed))


def edited(source: Source, edits: Iterable[Edit]) -> Source:
    """Return a source with some bytes replaced.

    Raises:
        ValueError: it is not Python any more.
    """
    code = source.code.encode()
    for edit in sorted(edits, reverse=True):
        code = code[: edit.start] + edit.new + code[edit.end :]
    return read(code.decode())


def is_text(statement: ast.stmt) -> bool:
    """Tell whether a statement is no more than a text or number, as docstrings are."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def cut(source: Source, node: ast.stmt, column: int) -> str:
    """Return the lines of a statement with its decorators, moved to a column."""
    return _moved(source, _first_line(node), node.end_lineno or 0, column - node.col_offset)


def body(source: Source, owner: ast.FunctionDef | ast.ClassDef) -> str:
    """Return the body of a function or class without its docstring, indented by four blanks."""
    inside = owner.body[1:] if is_text(owner.body[0]) else owner.body
    if not inside:
        return "    pass\n"
    if inside[0].lineno == owner.lineno:  # all on one line
        return "".join(f"    {ast.unparse(each)}\n" for each in inside)
    above = (owner.body[0].end_lineno or 0) if inside is not owner.body else owner.lineno
    start, lines = _first_line(inside[0]), source.code.split("\n")
    while start - 1 > above and lines[start - 2].lstrip()[:1] in ("", "#"):
        start -= 1  # comments before the first statement
    moved = _moved(source, start, inside[-1].end_lineno or 0, 4 - inside[0].col_offset)
    return moved.lstrip("\n")


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _moved(source: Source, first: int, last: int, shift: int) -> str:
    """Return lines moved to the right, or left, but for those that are inside a text."""
    moved = []
    for number, line in enumerate(source.code.split("\n")[first - 1 : last], first):
        if number not in source.fixed and line.strip():
            kept = line.lstrip(" ")
            line = " " * max(len(line) - len(kept) + shift, 0) + kept
        moved.append(line)
    return "\n".join(moved) + "\n"
