"""The text of one function, taken out of what it stands in and laid out for prompt and solution."""

import ast
import tokenize
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thresher.tracer.extraction.definitions import Function
from thresher.tracer.extraction.modules import Module, NotStandalone
from thresher.tracer.extraction.source import (
    Edit,
    Place,
    dedented,
    edited,
    insertion,
    last_line,
    tokens,
)

_INDENT = "    "


class Draft(NamedTuple):
    """A function's text with its syntax tree, whose places are those in the text."""

    text: str
    node: Function

    def changed(self, edits: Iterable[Edit]) -> "Draft":
        """Return the draft with all edits made."""
        made = list(edits)
        return _parsed(edited(self.text, made)) if made else self


def draft(module: Module, node: Function) -> Draft:
    """Take a function out of its module, without decorators, the body on lines of its own."""
    lines = module.text.split("\n")[node.lineno - 1 : last_line(node)]
    indent = lines[0].encode()[: node.col_offset].decode()
    found = _parsed(dedented(lines, indent))
    return found.changed(_line_breaks(found))


def decorated(module: Module, found: Draft, decorators: Sequence[ast.expr]) -> str:
    """Return the draft's text below some decorators of its module."""
    lines = module.text.split("\n")
    kept = [line for each in decorators for line in lines[each.lineno - 1 : last_line(each)]]
    return "\n".join([*kept, found.text])


def renaming(found: Draft, name: str) -> Edit:
    """Return the edit that gives the function another name."""
    start = end = (1, 0)
    is_next = False
    for token in tokens(found.text):
        if is_next:
            start, end = token.start, token.end
            break
        is_next = token.text == "def"
    return Edit(start, end, name)


def keyword_parameters(found: Draft, names: Sequence[str]) -> Edit:
    """Return the edit that adds keyword-only parameters."""
    arguments = found.node.args
    place, before, after = _place_for_keywords(found)
    has_star = arguments.vararg or arguments.kwonlyargs
    text = ", ".join([*([] if has_star else ["*"]), *names])
    gap = {"(": "", ",": " "}.get(before, ", ")
    rest = {"(": ", ", ",": ","}[before] if after == "**" else ""
    return insertion(place, gap + text + rest)


def _place_for_keywords(found: Draft) -> tuple[Place, str, str]:
    """Return where keyword-only parameters are added, and the tokens before and after."""
    depth, place, before = 0, (1, 0), "("
    for token in tokens(found.text):
        if not token.text.strip() or token.kind == tokenize.COMMENT:
            continue
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.text, 0)
        is_end = depth == 0 and token.text == ")"
        if is_end or (depth == 1 and token.text == "**" and before in "(,"):
            return place, before, token.text
        if depth:
            place, before = token.end, token.text
    return place, before, ")"


def _line_breaks(found: Draft) -> list[Edit]:
    """Return the edits that part signature, docstring and the rest by lines."""
    lines = [line.encode() for line in found.text.split("\n")]
    first = found.node.body[0]
    before = lines[first.lineno - 1][: first.col_offset]
    is_shared = bool(before.strip())
    edits = [_break((first.lineno, len(before.rstrip())), first, _INDENT)] if is_shared else []
    if ast.get_docstring(found.node, clean=False) is not None and len(found.node.body) > 1:
        second = found.node.body[1]
        if second.lineno == last_line(first):
            indent = _INDENT if is_shared else before.decode()
            edits.append(_break((second.lineno, first.end_col_offset or 0), second, indent))
    return edits


def _break(start: Place, node: ast.stmt, indent: str) -> Edit:
    return Edit(start, (node.lineno, node.col_offset), f"\n{indent}")


def _parsed(text: str) -> Draft:
    try:
        [node] = ast.parse(text).body
    except SyntaxError as error:
        raise NotStandalone("unparsable", f"{error} in {text[:80]}") from error
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        raise NotStandalone("unparsable", f"no function: {text[:80]}")
    return Draft(text, node)
