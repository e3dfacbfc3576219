"""Finds the definition of a recorded function in its module, and says of what kind it is."""

import ast
from collections.abc import Iterator
from typing import Literal, NamedTuple

from thresher.tracer.extraction.modules import Module, NotStandalone
from thresher.tracer.extraction.source import first_line, header_end, last_line

Function = ast.FunctionDef | ast.AsyncFunctionDef
Mode = Literal["returns", "generates", "awaits", "async-generates"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)


class Definition(NamedTuple):
    """A function in its module.

    Attributes:
        node: its syntax tree.
        place: the top-level statement that it is, or is in.
        inside: what it stands in, outermost first; empty at the top level.
    """

    node: Function
    place: int
    inside: tuple[ast.AST, ...]

    @property
    def scopes(self) -> list[ast.AST]:
        """The functions and classes around it, outermost first."""
        return [node for node in self.inside if isinstance(node, _SCOPES)]


def find(module: Module, line: int, name: str) -> Definition:
    """Return the function that begins on `line`, its decorators included.

    Raises:
        NotStandalone: there is none, or it is a lambda.
    """
    for index, statement in enumerate(module.statements):
        if statement.start <= line <= statement.end:
            for node, inside in _walk(statement.node):
                if isinstance(node, _FUNCTIONS) and node.name == name and first_line(node) == line:
                    return Definition(node, index, inside)
    if name == "<lambda>":
        raise NotStandalone("lambda", f"line {line} is a lambda")
    raise NotStandalone("not-found", f"no function {name} begins on line {line}")


def _walk(root: ast.AST) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """Yield every statement with those around it; without recursion, however deep they are."""
    pending: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(root, ())]
    while pending:
        node, inside = pending.pop()
        yield node, inside
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            children: list[ast.AST] = getattr(node, name, [])
            pending += [(child, (*inside, node)) for child in children]


def mode_of(node: Function) -> Mode:
    """Say how a function gives its results."""
    if isinstance(node, ast.AsyncFunctionDef):
        return "async-generates" if _yields(node) else "awaits"
    return "generates" if _yields(node) else "returns"


def _yields(node: ast.AST) -> bool:
    """Tell whether calling the function makes a generator; inner functions don't count."""
    return any(
        isinstance(child, ast.Yield | ast.YieldFrom)
        or (not isinstance(child, (*_SCOPES, ast.Lambda)) and _yields(child))
        for child in ast.iter_child_nodes(node)
    )


def signature_end(node: Function, lines: list[str]) -> int:
    """Return the last line before the solution: that of the docstring, or of the signature.

    `lines` are the definition's own, of which its tree counts the first as 1.

    Raises:
        NotStandalone: there is nothing to solve.
    """
    has_docstring = ast.get_docstring(node, clean=False) is not None
    body = node.body[has_docstring:]
    if all(map(_does_nothing, body)):
        raise NotStandalone("no-body", f"{node.name} does nothing")
    return last_line(node.body[0]) if has_docstring else header_end(lines, node.body)


def _does_nothing(node: ast.stmt) -> bool:
    is_ellipsis = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_ellipsis or isinstance(node, ast.Pass)
