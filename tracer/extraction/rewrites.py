"""Writes out what a module gets from its project's other modules, so that every name tells.

``from . import utils`` and ``utils.size(x)`` become ``from pkg.utils import size`` and ``size(x)``;
imports inside of functions become the module's. Lines keep their numbers.
"""

import ast
import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from thresher.tracer.extraction import backports
from thresher.tracer.extraction.imports import (
    STANDARD,
    Imported,
    guarded_imports,
    imported,
    module_of,
    origin,
    provides,
    submodule,
)
from thresher.tracer.extraction.modules import Module, NotStandalone, Statement, parse_module
from thresher.tracer.extraction.names import bound_name
from thresher.tracer.extraction.source import Edit, edited, insertion, last_line, over

if TYPE_CHECKING:
    from thresher.tracer.extraction.projects import Project

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BUILTINS = frozenset(dir(builtins))
_EMPTY_BLOCK = "pass"


class _Use(NamedTuple):
    """An attribute of a module of the project: where it is named, and what it is."""

    node: ast.Attribute
    file: str
    name: str


def rewritten(project: "Project", file: str) -> Module:
    """Return the project's `file` with its uses of the project's modules written out.

    What can't be told stays as it is.

    Raises:
        NotStandalone: the file isn't in the project or isn't Python that we can parse.
    """
    module = project.parsed(file)
    try:
        edits = backports.edits(module.tree, module.text)
        if edits:
            module = parse_module(file, edited(module.text, edits))
        hoisted = _hoisted(project, file, module)
        return _resolved(project, file, hoisted)
    except NotStandalone:
        return module


def _hoisted(project: "Project", file: str, module: Module) -> Module:
    """Move to the module's end what its functions import from the project."""
    edits: list[Edit] = []
    added: dict[str, str] = {}
    for statement in module.statements:
        if "import" in statement.text and not isinstance(
            statement.node, ast.Import | ast.ImportFrom
        ):
            for node in _inner_imports(project, file, statement):
                bound = {bound_name(alias): Imported(node, alias) for alias in node.names}
                texts = {name: item.text() for name, item in bound.items()}
                if all(_is_free(module, added, name, text) for name, text in texts.items()):
                    added |= texts
                    edits.append(_removal(statement, node))
    if not edits:
        return module
    return parse_module(file, edited(module.text, edits) + "\n" + "\n".join(added.values()) + "\n")


def _inner_imports(
    project: "Project", file: str, statement: Statement
) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports from the project that a statement's functions make in any case."""
    nodes = list(ast.walk(statement.node))
    functions = [node for node in nodes if isinstance(node, _FUNCTIONS)]
    bound = _bound(nodes)
    guarded = {id(item.node): guarded for item, guarded in guarded_imports(statement.node)}
    for node in nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom) or guarded[id(node)]:
            continue
        inside = any(each.lineno < node.lineno <= last_line(each) for each in functions)
        items = [Imported(node, alias) for alias in node.names]
        ours = all(_is_ours(project, file, item) for item in items)
        if inside and ours and bound.isdisjoint(bound_name(item.alias) for item in items):
            yield node


def _is_ours(project: "Project", file: str, item: Imported) -> bool:
    kind = origin(project, file, item).kind
    return kind == "name" or (kind == "module" and module_of(project, file, item) is not None)


def _is_free(module: Module, added: dict[str, str], name: str, text: str) -> bool:
    """Tell whether the module can bind `name` by the import `text`."""
    if name in added:
        return added[name] == text
    known = [module.statements[index].node for index in module.bindings.get(name, [])]
    lines = [item.text() for node in known for item in imported(node)]
    return name not in _BUILTINS and (not known or lines == [text])


def _removal(statement: Statement, node: ast.stmt) -> Edit:
    """Return the edit that empties the line of an import."""
    blocks = (
        getattr(each, name, None)
        for each in ast.walk(statement.node)
        for name in ("body", "orelse", "finalbody")
    )
    is_alone = any(isinstance(block, list) and block == [node] for block in blocks)
    end = last_line(node), node.end_col_offset or node.col_offset
    lines = "\n" * (last_line(node) - node.lineno)
    if is_alone:
        return Edit((node.lineno, node.col_offset), end, _EMPTY_BLOCK + lines)
    is_first = not any(
        each.lineno == node.lineno and each.col_offset < node.col_offset
        for each in ast.walk(statement.node)
        if isinstance(each, ast.stmt)
    )
    return Edit((node.lineno, 0 if is_first else node.col_offset), end, lines)


def _resolved(project: "Project", file: str, module: Module) -> Module:
    """Replace the attributes of the project's modules by names imported from them."""
    edits: list[Edit] = []
    bound = _bound(list(ast.walk(module.tree))) | module.bindings.keys() | _BUILTINS
    given: dict[str, tuple[str, str]] = {}
    for root, (item, start) in _modules(project, file, module).items():
        lines: list[str] = []
        for use in _uses(project, module, root, start):
            name = _name_for(use, bound, given)
            if name is not None:
                edits.append(over(use.node, name))
                lines.append(_import(use, name))
        end = last_line(item.node), item.node.end_col_offset or 0
        edits += [insertion(end, "".join(dict.fromkeys(lines)))] if lines else []
    return parse_module(file, edited(module.text, edits)) if edits else module


def _modules(project: "Project", file: str, module: Module) -> dict[str, tuple[Imported, str]]:
    """Return the names that mean modules of the project: the import and the module's file."""
    found: dict[str, tuple[Imported, str]] = {}
    for statement in module.statements:
        if isinstance(statement.node, ast.Import | ast.ImportFrom):
            for item in imported(statement.node):
                name = bound_name(item.alias)
                place = module_of(project, file, item)
                if place is not None and len(module.bindings.get(name, [])) == 1:
                    found[name] = item, place
    return found


def _import(use: _Use, name: str) -> str:
    path = use.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"; from {path} import {use.name}" + ("" if name == use.name else f" as {name}")


def _uses(project: "Project", module: Module, root: str, start: str) -> Iterator[_Use]:
    """Yield the attributes that are read of the module `start`, which the file calls `root`."""
    for statement in module.statements:
        if root not in statement.text or isinstance(statement.node, ast.Import | ast.ImportFrom):
            continue
        nodes = list(ast.walk(statement.node))
        if root in _bound(nodes):
            continue
        parents = {id(node.value): node for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            if isinstance(node, ast.Name) and node.id == root:
                use = _use(project, parents, node, start)
                if use and use.node.lineno == last_line(use.node):
                    yield use


def _use(
    project: "Project", parents: dict[int, ast.Attribute], node: ast.expr, file: str
) -> _Use | None:
    """Follow a chain of attributes through modules to the first name that isn't one."""
    while id(node) in parents:
        node = parents[id(node)]
        inner = submodule(project, file, node.attr)
        if inner is None:
            is_there = isinstance(node.ctx, ast.Load) and provides(project, file, node.attr)
            return _Use(node, file, node.attr) if is_there else None
        file = inner
    return None


def _name_for(use: _Use, bound: set[str], given: dict[str, tuple[str, str]]) -> str | None:
    """Return what the file can call an imported name that it may have other uses for.

    `given` says which names were given to what, and gets this one as well.
    """
    if use.file.partition("/")[0] in STANDARD:
        return None
    parts = use.file.removesuffix(".py").removesuffix("/__init__").split("/")
    meaning = use.file, use.name
    for name in (use.name, f"{parts[-1]}_{use.name.lstrip('_')}"):
        if name not in bound and given.setdefault(name, meaning) == meaning:
            return name
    return None


def _bound(nodes: list[ast.AST]) -> set[str]:
    """Return all names that are bound anywhere, but by imports."""
    return {
        node.id
        if isinstance(node, ast.Name)
        else node.arg
        if isinstance(node, ast.arg)
        else node.name
        for node in nodes
        if (isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
        or isinstance(node, (ast.arg, *_FUNCTIONS, ast.ClassDef))
    }
