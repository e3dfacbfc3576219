"""The names that one statement of a module binds and needs, found without running it."""

import ast
import symtable
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = frozenset(["listcomp", "setcomp", "dictcomp", "genexpr"])
_COSMETIC = frozenset(["__doc__", "__name__", "__qualname__", "__module__"])
# The tables of a text that begins with this hold no annotation, on every version of Python.
_MARK = "__lazy__"
_LAZY = f"from __future__ import annotations as {_MARK}\n"


class Names(NamedTuple):
    """What a statement does with the names of its module.

    `binds`: gives a value when it is executed; `now`: needs while it is executed; `later`: needs
    when a function in it is called; `annotations`: needs for annotations that are evaluated
    unless the module says otherwise; `hints`: for annotations that never are; `effects`: objects
    that it may change without binding their name; `globals`: assigned by functions in it.
    """

    binds: frozenset[str]
    now: frozenset[str]
    later: frozenset[str]
    annotations: frozenset[str]
    hints: frozenset[str]
    effects: frozenset[str]
    globals: frozenset[str]


def names_of(node: ast.stmt, text: str) -> Names:
    """Return the names of one top-level statement, given its tree and its text.

    Raises:
        SyntaxError: the text has an error that only shows when scopes are worked out.
    """
    if isinstance(node, ast.Import | ast.ImportFrom):
        bound = frozenset(bound_name(alias) for alias in node.names if alias.name != "*")
        return Names(bound, *[frozenset()] * 6)
    loops = _loop_variables(node)
    tables = _parsed(text)
    top = tables[0][0].get_symbols()
    found = {s.get_name() for s in top if s.is_assigned() or s.is_imported()}
    return _names(node, tables, loops)._replace(
        binds=frozenset(found - {_MARK, *loops, *_kept_builtins(node)}),
        effects=frozenset(_effects(node)),
    )


def _kept_builtins(node: ast.stmt) -> list[str]:
    """Return the name that ``str = str`` binds, which changes nothing."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and node.value:
        left, right = node.targets[0], node.value
        if isinstance(left, ast.Name) and isinstance(right, ast.Name) and left.id == right.id:
            return [left.id]
    return []


def class_names(owner: str, node: ast.stmt, text: str) -> Names:
    """Return what a statement of the body of the class `owner` needs of the module.

    Raises:
        SyntaxError: the text has an error that only shows when scopes are worked out.
    """
    return _names(node, _parsed(f"class {owner}:\n{text}"), set())


def _parsed(text: str) -> list[tuple[symtable.SymbolTable, bool]]:
    return list(_tables(symtable.symtable(_LAZY + text, "<text>", "exec"), False))


def _names(
    node: ast.stmt, tables: list[tuple[symtable.SymbolTable, bool]], loops: set[str]
) -> Names:
    evaluated = list(_annotations(node))
    generic = {p.name for n in ast.walk(node) for p in getattr(n, "type_params", [])}
    return Names(
        binds=frozenset(),
        now=frozenset(_needed(table for table, later in tables if not later)) - loops,
        later=frozenset(_needed(table for table, later in tables if later)),
        annotations=frozenset(names_in(e for e, needed in evaluated if needed)) - generic,
        hints=frozenset(names_in(e for e, needed in evaluated if not needed)) - generic,
        effects=frozenset(),
        globals=frozenset(
            s.get_name()
            for table, _ in tables[1:]
            for s in table.get_symbols()
            if s.is_declared_global() and s.is_assigned()
        ),
    )


def joined(parts: Iterable[Names]) -> Names:
    """Return what several statements do together."""
    return Names(*(frozenset().union(*each) for each in zip(*parts, strict=True)))


def names_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every name that is read or written anywhere in `nodes`."""
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Name):
                yield node.id


def bound_name(alias: ast.alias) -> str:
    """Return the name that an import binds: ``os`` for ``import os.path``."""
    return alias.asname or alias.name.partition(".")[0]


def is_main_guard(node: ast.stmt) -> bool:
    """Tell whether `node` is an ``if __name__ == ...``, whose body isn't run on import."""
    return isinstance(node, ast.If) and "__name__" in names_in([node.test])


def is_typing_guard(node: ast.stmt) -> bool:
    """Tell whether `node` is an ``if TYPE_CHECKING:`` without an else."""
    if not isinstance(node, ast.If) or node.orelse:
        return False
    test = node.test
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _tables(
    table: symtable.SymbolTable, later: bool
) -> Iterator[tuple[symtable.SymbolTable, bool]]:
    """Yield each scope and whether its code runs later, when a function is called."""
    yield table, later
    for child in table.get_children():
        deferred = child.get_type() == "function" and child.get_name() not in _COMPREHENSIONS
        yield from _tables(child, later or deferred)


def _needed(tables: Iterable[symtable.SymbolTable]) -> Iterator[str]:
    for table in tables:
        outermost = table.get_type() == "module"
        for symbol in table.get_symbols():
            # ``super()`` needs __class__, which methods have without a name for it.
            is_global = outermost or symbol.is_global()
            if symbol.is_referenced() and is_global and symbol.get_name() != "__class__":
                yield symbol.get_name()


def _loop_variables(node: ast.stmt) -> set[str]:
    """Return what only comprehensions bind, which symtable counts as the module's from 3.12 on."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return set()
    loops = [inner.target for inner in ast.walk(node) if isinstance(inner, ast.comprehension)]
    targets = {id(name) for loop in loops for name in ast.walk(loop)}
    stored = [
        inner
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    ]
    lasting = {name.id for name in stored if id(name) not in targets}
    return {name.id for name in stored} - lasting


def _annotations(node: ast.AST, inside: bool = False) -> Iterator[tuple[ast.expr, bool]]:
    """Yield each annotation and whether Python evaluates it (not so for local variables)."""
    if isinstance(node, _FUNCTIONS):
        if node.returns is not None:
            yield node.returns, True
        inside = True
    elif isinstance(node, ast.ClassDef):
        inside = False
    elif isinstance(node, ast.arg) and node.annotation is not None:
        yield node.annotation, True
    elif isinstance(node, ast.AnnAssign):
        yield node.annotation, not inside
    for child in ast.iter_child_nodes(node):
        yield from _annotations(child, inside)


def _effects(node: ast.stmt) -> set[str]:
    """Names of the objects that executing `node` may change, as far as its shape tells."""
    if is_main_guard(node) or is_typing_guard(node):
        return set()
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return set(names_in(node.decorator_list))
    if isinstance(node, ast.Expr):
        has_call = any(isinstance(inner, ast.Call) for inner in ast.walk(node))
        return set(names_in([node])) if has_call else set()
    if isinstance(node, ast.Assign | ast.Delete):
        return set(names_in(_places(node.targets)))
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        return set(names_in(_places([node.target])))
    found: set[str] = set().union(*map(_effects, _blocks(node)))
    if found and isinstance(node, ast.For):
        found |= set(names_in([node.iter]))
    return found


def _places(targets: list[ast.expr]) -> Iterator[ast.expr]:
    """Yield the objects of which `targets` set a part: ``x`` for ``x.a`` and ``x[0]``."""
    for target in targets:
        if isinstance(target, ast.Attribute) and target.attr in _COSMETIC:
            continue
        if isinstance(target, ast.Attribute | ast.Subscript):
            yield target.value
        elif isinstance(target, ast.Tuple | ast.List):
            yield from _places(target.elts)


def _blocks(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements directly inside a compound statement, its handlers included."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from _blocks(child)
