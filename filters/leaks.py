"""How much of a problem's solution its statement tells word for word."""

import ast

from thresher.filters.filter import program
from thresher.filters.statements import Function, asking, parsed
from thresher.store.records import Problem

SHORTEST = 12  # characters of a statement of code that is looked for
LEAST = 60  # characters of code that must be told for it to count, not all in one statement
WHOLE = 30  # characters of code that must be told where that is all there is
IGNORED = str.maketrans({"(": None, ")": None, '"': "'"})  # what is free to choose


def share(problem: Problem, text: str) -> float:
    """Return the share of the solution's code that stands in a text, by characters.

    Statements are compared as they are parsed, so comments, blanks and quotes don't matter; of
    ``return VALUE`` the value is enough. Short ones are left out of account.
    """
    pieces = [piece for piece in _pieces(problem) if len(piece) >= SHORTEST]
    said = _dense(text)
    told = [len(piece) for piece in pieces if piece in said]
    whole = bool(told) and len(told) == len(pieces) and sum(told) >= WHOLE
    enough = len(told) > 1 and sum(told) >= LEAST
    return sum(told) / sum(map(len, pieces)) if enough or whole else 0.0


def _pieces(problem: Problem) -> list[str]:
    part = parsed(program(problem)) if problem.style == "stdio" else asking(problem)
    statements = [node for node in ast.walk(part) if isinstance(node, ast.stmt)] if part else []
    return [_dense(_told(node)) for node in statements if node is not part and not _is_text(node)]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _told(node: ast.stmt) -> str:
    """Return a statement's own source, without the statements in it."""
    try:
        if isinstance(node, ast.Return):
            return ast.unparse(node.value) if node.value else ""
        if isinstance(node, Function | ast.ClassDef | ast.Try | ast.With | ast.Raise):
            return ""  # an exception's message must be told
        if isinstance(node, ast.If | ast.While):
            return ast.unparse(node.test)
        if isinstance(node, ast.For | ast.AsyncFor):
            return f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        return ast.unparse(node)
    except (RecursionError, ValueError):
        return ""


def _dense(text: str) -> str:
    return "".join(text.split()).translate(IGNORED)
