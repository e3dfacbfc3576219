"""The code of a function without what is free to choose: names, docstrings, annotations, layout."""

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from thresher.filters.texts.statements import UNREADABLE, parsed

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Shape(NamedTuple):
    """The code of a function and all of its program that it uses, with names by number.

    A program that has no such function, such as one that reads and prints, is taken whole. Names
    of built-ins, of what is imported and of attributes stay, and so do literals. Empty where it
    can't be parsed.

    Attributes:
        text: as source.
        nodes: how many syntax nodes it has.
        own: the function alone, as source.
    """

    text: str
    nodes: int
    own: str = ""


def shape(source: str, entry_point: str) -> Shape:
    """Return the shape of a function's code."""
    tree = parsed(source)
    if tree is None:
        return Shape("", 0)
    try:
        used = _used(tree, entry_point)
        renamer = _Renamer(_bound(used), dict(_imported(tree)))
        again = [renamer.visit(node) for node in used]
        nodes = 1 + sum(1 for node in again for _ in ast.walk(node))  # one is the module
        parts = list(map(ast.unparse, again))
        is_function = bool(used) and entry_point in _defines(used[0])
        text = "\n".join(parts)
        return Shape(text, nodes, parts[0] if is_function else text)
    except UNREADABLE:
        return Shape("", 0)


def _used(tree: ast.Module, entry_point: str) -> list[ast.stmt]:
    """Return the statements that define a function and what it uses, it first; or all of them."""
    defined = {name: node for node in tree.body for name in _defines(node)}
    if not isinstance(defined.get(entry_point), Definition):
        return [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    found, waiting = dict[int, ast.stmt](), [entry_point]
    while waiting:
        node = defined[waiting.pop(0)]
        if id(node) not in found:
            found[id(node)] = node
            names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
            waiting += [name for name in dict.fromkeys(names) if name in defined]
    return list(found.values())


def _defines(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, Definition):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        parts = (each for target in targets for each in ast.walk(target))
        yield from (each.id for each in parts if isinstance(each, ast.Name))


def _bound(statements: list[ast.stmt]) -> set[str]:
    """Return the names that code gives to things of its own."""
    found: set[str] = set()
    for node in (each for statement in statements for each in ast.walk(statement)):
        match node:
            case ast.Name(name, ast.Store() | ast.Del()):
                found.add(name)
            case ast.arg(name) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                found.add(name)
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                found.add(name)
    return found


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names of what is imported, with what it is called where it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((a.asname, a.name) for a in node.names if a.asname)
        elif isinstance(node, ast.ImportFrom):
            yield from ((a.asname or a.name, f"{node.module}.{a.name}") for a in node.names)


class _Renamer(ast.NodeTransformer):
    """Gives names numbers in the order in which they are met."""

    def __init__(self, bound: set[str], imported: dict[str, str]) -> None:
        self._bound, self._imported = bound, imported
        self._numbers: dict[str, str] = {}

    def _name(self, name: str) -> str:
        if name in self._bound:
            return self._numbers.setdefault(name, f"v{len(self._numbers)}")
        return self._imported.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.Name:  # noqa: N802 - as ast has it
        return ast.Name(self._name(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._name(node.arg))

    def visit_Call(self, node: ast.Call) -> ast.Call:  # noqa: N802
        own = isinstance(node.func, ast.Name) and node.func.id in self._bound
        made = ast.Call(self.visit(node.func), list(map(self.visit, node.args)), [])
        for each in node.keywords:
            name = self._name(each.arg) if own and each.arg else each.arg
            made.keywords.append(ast.keyword(name, self.visit(each.value)))
        return made

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:  # noqa: N802
        target = self.visit(node.target)
        if node.value is None:
            return ast.Expr(target)
        return ast.Assign([target], self.visit(node.value), lineno=node.lineno)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:  # noqa: N802
        kind = self.visit(node.type) if node.type else None
        name = self._name(node.name) if node.name else None
        return ast.ExceptHandler(kind, name, list(map(self.visit, node.body)))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:  # noqa: N802
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:  # noqa: N802
        return self._function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:  # noqa: N802
        made = ast.ClassDef(self._name(node.name), node.bases, node.keywords, *_rest(node))
        return self.generic_visit(made)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Any:
        made = type(node)(self._name(node.name), node.args, *_rest(node), lineno=node.lineno)
        return self.generic_visit(made)


def _rest(node: Definition) -> tuple[list[ast.stmt], list[ast.expr]]:
    """Return a body without what only says something, and the decorators."""
    body = [each for each in node.body if not _is_text(each)]
    return body or [ast.Pass()], node.decorator_list


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
