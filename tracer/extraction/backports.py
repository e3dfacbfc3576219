"""Takes from `typing` what a module takes from `typing_extensions`, as far as it is there.

Defaults of type variables are left out where it needs them to be: nothing of a running program
depends on them, and older Pythons don't know them.
"""

import ast
import typing
from collections.abc import Iterator

from thresher.tracer.extraction.source import Edit, last_line

_BACKPORTS = "typing_extensions"
_VARIABLES = frozenset(["TypeVar", "ParamSpec", "TypeVarTuple"])


def edits(tree: ast.Module, text: str) -> list[Edit]:
    """Return the edits that do without `typing_extensions` in a module, given as tree and text."""
    return list(_edits(tree)) if _BACKPORTS in text else []


def _edits(tree: ast.Module) -> Iterator[Edit]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == _BACKPORTS and not node.level:
            yield from _import(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in _VARIABLES:
            yield from _default(node)


def _import(node: ast.ImportFrom) -> Iterator[Edit]:
    known = [alias for alias in node.names if hasattr(typing, alias.name)]
    other = [alias for alias in node.names if alias not in known]
    if known:
        nodes = [ast.ImportFrom("typing", known, 0)]
        nodes += [ast.ImportFrom(_BACKPORTS, other, 0)] if other else []
        text = "; ".join(map(ast.unparse, nodes)) + "\n" * (last_line(node) - node.lineno)
        end = last_line(node), node.end_col_offset or 0
        yield Edit((node.lineno, node.col_offset), end, text)


def _default(node: ast.Call) -> Iterator[Edit]:
    """Yield the edit that takes ``default=...`` out of the call that makes a type variable."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    for before, keyword in zip(values[len(node.args) - 1 :], node.keywords, strict=False):
        if keyword.arg == "default" and node.args:
            start = last_line(before), before.end_col_offset or 0
            end = last_line(keyword.value), keyword.value.end_col_offset or 0
            yield Edit(start, end, "\n" * (end[0] - start[0]))
