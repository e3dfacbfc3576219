"""A function inside of another becomes one of its own: its free variables become parameters."""

import ast
from collections.abc import Collection, Iterator

from thresher.tracer.extraction.definitions import Definition
from thresher.tracer.extraction.drafts import Draft, draft, keyword_parameters
from thresher.tracer.extraction.methods import unmangled_edits
from thresher.tracer.extraction.modules import Module, NotStandalone, Statement, statement_of
from thresher.tracer.extraction.names import bound_name
from thresher.tracer.extraction.projects import Project
from thresher.tracer.extraction.slices import Entry
from thresher.tracer.extraction.source import Edit, dedented, first_line, insertion, last_line

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TAKEN = (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)


def lift(project: Project, file: str, definition: Definition, closure: Collection[str]) -> Entry:
    """Return a nested function at the top level, with the free variables `closure` as parameters.

    What else it takes from around it comes along where it is an import, a function or a class.

    Raises:
        NotStandalone: it changes what is around it, or needs what can't come along.
    """
    module, node = project.module(file), definition.node
    found = draft(module, node)
    found = found.changed(_private(found, definition))
    if any(isinstance(each, ast.Nonlocal) for each in ast.walk(node)):
        raise NotStandalone("closure", f"{node.name} assigns a variable of what is around it")
    around = _bindings(definition)
    free = _free(found.text, around)
    parameters = sorted(name for name in free if name in closure and name != node.name)
    if not statement_of(found.text, 1).names.now.isdisjoint(parameters):
        raise NotStandalone("closure", f"{node.name} has defaults from what is around it")
    found = found.changed(_with_parameters(found, parameters))
    statements = {len(module.statements): statement_of(found.text, first_line(node))}
    places: dict[str, int] = {}
    pending = sorted(free - {*parameters, node.name})
    while pending:
        name = pending.pop()
        if name not in places:
            made = _local(module, around, name)
            places[name] = len(module.statements) + len(statements)
            statements[places[name]] = made
            pending += sorted(_free(made.text, around) - {node.name})
    if node.name in free:
        _check_unbound(module, node.name)
        places[node.name] = len(module.statements)
    changed = module.changed(statements, places)
    member = _member(module, definition)
    return Entry(
        project.changed(file, changed),
        file,
        len(module.statements),
        last_line(node),
        reserved="" if node.name in free else node.name,
        original=(definition.place, member),
        tags=("nested",),
    )


def _private(found: Draft, definition: Definition) -> list[Edit]:
    classes = [scope for scope in definition.scopes if isinstance(scope, ast.ClassDef)]
    return list(unmangled_edits(found.text, classes[-1].name)) if classes else []


def _member(module: Module, definition: Definition) -> int | None:
    """Return which member of a class the function is in, if it is in one."""
    members = module.statements[definition.place].members
    inside = definition.inside
    return next((i for i, each in enumerate(members) if any(each.node is n for n in inside)), None)


def _bindings(definition: Definition) -> dict[str, list[ast.AST]]:
    """Return what the functions around a nested one bind, the innermost first."""
    found: dict[str, list[ast.AST]] = {}
    for scope in reversed(definition.scopes):
        if isinstance(scope, ast.ClassDef):
            continue
        inner: dict[str, list[ast.AST]] = {}
        for name, node in _bound(scope):
            inner.setdefault(name, []).append(node)
        found = inner | found
    return found


def _bound(scope: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the names that a function binds, its parameters included, with what binds them."""
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.arg):
            yield node.arg, node
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((bound_name(alias), node) for alias in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name, node
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            yield node.name, node
        elif not isinstance(node, ast.Lambda | ast.comprehension):
            pending += ast.iter_child_nodes(node)


def _free(text: str, around: Collection[str]) -> frozenset[str]:
    names = statement_of(text, 1).names
    return (names.now | names.later | names.annotations) & frozenset(around)


def _local(module: Module, around: dict[str, list[ast.AST]], name: str) -> Statement:
    """Return the function, class or import that is all that a local name stands for."""
    node = around[name][0]
    if len(around[name]) != 1 or not isinstance(node, _TAKEN):
        raise NotStandalone("closure", f"{name} is a variable of what is around it")
    _check_unbound(module, name)
    first = first_line(node)
    lines = module.text.split("\n")[first - 1 : last_line(node)]
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return statement_of(dedented(lines, indent), first)


def _check_unbound(module: Module, name: str) -> None:
    if name in module.bindings:
        raise NotStandalone("name-clash", f"{name} is also a name of the module")


def _with_parameters(found: Draft, names: list[str]) -> Iterator[Edit]:
    """Yield the edits that make variables parameters, which calls of itself pass on."""
    if not names:
        return
    yield keyword_parameters(found, names)
    own = found.node.name
    calls = [
        node
        for node in ast.walk(found.node)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == own
    ]
    mentions = [node for node in ast.walk(found.node) if getattr(node, "id", "") == own]
    if len(calls) != len(mentions):
        raise NotStandalone("closure", f"{own} passes itself on")
    text = ", ".join(f"{name}={name}" for name in names)
    for call in calls:
        end = call.end_lineno or call.lineno, (call.end_col_offset or 1) - 1
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        yield insertion(end, f", {text}" if given else text)
