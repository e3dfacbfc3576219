"""The part of a module's source that one of its functions needs, and that function's signature."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thresher.crawlers.statement import Parameter, Signature
from thresher.errors import SourceError


class Piece(NamedTuple):
    """A statement of a module: its source, the names that it binds and those that it mentions."""

    node: ast.stmt
    source: str
    binds: frozenset[str]
    mentions: frozenset[str]


def parse(source: str, name: str) -> ast.Module:
    """Parse Python of any origin.

    Raises:
        SourceError: ``no-python``; `name` is the file's.
    """
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SourceError("no-python", f"{name!r} is not Python {error}") from error


def signature(tree: ast.Module, name: str, constants: Mapping[str, Any]) -> Signature:
    """Return the signature of the function `name` of a module.

    Args:
        tree: the module.
        name: of the function.
        constants: of the module by name: as defaults their values are written.

    Raises:
        SourceError: ``variadic`` or ``async``, or the module has no such function, or several.
    """
    found = [node for node in tree.body if name in _bound(node)]
    if len(found) != 1 or not isinstance(found[0], (ast.FunctionDef, ast.AsyncFunctionDef)):
        raise SourceError("no-function", f"{name!r} is not defined once, as a function")
    node = found[0]
    if isinstance(node, ast.AsyncFunctionDef):
        raise SourceError("async", f"{name!r} is asynchronous")
    if node.args.vararg or node.args.kwarg:
        raise SourceError("variadic", f"{name!r} takes any number of arguments")
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    defaults = [*node.args.defaults, *node.args.kw_defaults]
    missing = [None] * (len(arguments) - len(defaults))
    parameters = tuple(
        Parameter(
            name=each.arg, annotation=_source(each.annotation), default=_default(default, constants)
        )
        for each, default in zip(arguments, [*missing, *defaults], strict=True)
    )
    return Signature(name=name, parameters=parameters, returns=_source(node.returns))


def needed(source: str, tree: ast.Module, name: str) -> str:
    """Return the part of a module that its function `name` needs, in the module's order.

    Args:
        source: the module.
        tree: what it parses to.
        name: of a function that `signature` accepts.

    Raises:
        SourceError: ``several-on-a-line``.
    """
    pieces = [piece for piece in _pieces(source, tree) if not _is_main(piece.node)]
    return _joined(_closed(pieces, name))


def _pieces(source: str, tree: ast.Module) -> Iterator[Piece]:
    """Yield the statements of a module, each with the comments above it."""
    lines, end = source.splitlines(keepends=True), 0
    for node in tree.body:
        if node.lineno <= end:
            raise SourceError("several-on-a-line", f"line {node.lineno} holds several statements")
        start, end = end, node.end_lineno or node.lineno
        text = "".join(lines[start:end]).strip("\n") + "\n"
        yield Piece(node, text, _bound(node), _mentioned(node))


def _closed(pieces: Sequence[Piece], name: str) -> list[Piece]:
    """Return the statements that define what `name` needs, and those that work on it."""
    chosen: set[int] = set()
    names = {name}
    while True:
        more = {
            at
            for at, piece in enumerate(pieces)
            if at not in chosen and (piece.binds & names or _works_on(piece, names))
        }
        if not more:
            return [piece for at, piece in enumerate(pieces) if at in chosen]
        chosen |= more
        for at in more:
            names |= pieces[at].mentions


def _works_on(piece: Piece, names: set[str]) -> bool:
    """Say whether a statement binds nothing and changes something that is needed."""
    if isinstance(piece.node, ast.ImportFrom) and piece.node.module == "__future__":
        return True
    return not piece.binds and bool(piece.mentions & names)


def _bound(node: ast.stmt) -> frozenset[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return frozenset({node.name})
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            names.add(inner.id)
        elif isinstance(inner, ast.alias):
            names.add((inner.asname or inner.name).partition(".")[0])
        elif isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(inner.name)
    return frozenset(names)


def _mentioned(node: ast.stmt) -> frozenset[str]:
    return frozenset(
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)
    )


def _is_main(node: ast.stmt) -> bool:
    """Say whether a statement is what runs only where the module is started as a program."""
    return isinstance(node, ast.If) and "__name__" in _mentioned(node)


def _joined(pieces: Sequence[Piece]) -> str:
    """Return statements as a module, definitions two lines apart."""
    text = ""
    for before, piece in zip([None, *pieces], pieces, strict=False):
        apart = before and (_defines(before.node) or _defines(piece.node))
        text += ("\n\n" if apart else "") + piece.source
    return text


def _defines(node: ast.stmt) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def _default(node: ast.expr | None, constants: Mapping[str, Any]) -> str:
    if isinstance(node, ast.Name) and node.id in constants:
        return repr(constants[node.id])
    return _source(node)


def _source(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)
