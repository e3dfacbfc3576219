"""A method becomes a function of ``self``; in its class, a call of that function is left."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from thresher.tracer.extraction.decorators import Decorators
from thresher.tracer.extraction.definitions import Definition, Function, mode_of
from thresher.tracer.extraction.drafts import Draft, draft, renaming
from thresher.tracer.extraction.members import mangled, member
from thresher.tracer.extraction.modules import NotStandalone, statement_of
from thresher.tracer.extraction.projects import Project
from thresher.tracer.extraction.slices import Entry
from thresher.tracer.extraction.source import (
    Edit,
    first_line,
    header_end,
    insertion,
    last_line,
    over,
    tokens,
)

_CLASS_FIRST = frozenset(["__new__", "__init_subclass__", "__class_getitem__"])
# A module gives these a meaning of its own.
_MODULE_SPECIAL = frozenset(["__getattr__", "__dir__"])
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def lift(
    project: Project, file: str, definition: Definition, decorators: Decorators, prefixed: bool
) -> Entry:
    """Return a method as a function, beside a class that has a call of it in its place.

    Raises:
        NotStandalone: the class isn't at the top level, or the method's text says what only a
            method can.
    """
    module, index, node = project.module(file), definition.place, definition.node
    if len(definition.inside) > 1:
        raise NotStandalone(_place(definition), f"{node.name} on line {node.lineno}")
    statement = module.statements[index]
    owner = definition.inside[0]
    place = next((i for i, each in enumerate(statement.members) if each.node is node), None)
    if place is None or not isinstance(owner, ast.ClassDef):
        raise NotStandalone("one-line", f"{node.name} shares its lines with {statement.text[:50]}")
    kind = "classmethod" if node.name in _CLASS_FIRST else decorators.kind
    name = mangled(owner.name, node.name)
    if prefixed or name in _MODULE_SPECIAL or name in {a.arg for a in _arguments(node)}:
        name = f"{owner.name}_{node.name.strip('_')}"
    bound = frozenset[str]().union(*(each.binds for each in statement.members))
    found = draft(module, node)
    found, inner = _as_function(found, owner.name, name, kind, bound)
    delegate = _delegate(module.text.split("\n"), node, name, kind)
    made = member(owner, _parsed(delegate), delegate, bound)
    later = made.names.later - {name}
    members = list(statement.members)
    members[place] = replace(made, node=_parsed(delegate), names=made.names._replace(later=later))
    changed = module.changed(
        {
            index: replace(statement, members=tuple(members)),
            len(module.statements): statement_of(found.text, first_line(node)),
        }
    )
    needs_class = kind != "staticmethod" and bool(_arguments(node))
    return Entry(
        project.changed(file, changed),
        file,
        len(module.statements),
        last_line(node),
        reserved=name,
        needs=((file, owner.name),) if needs_class or inner else (),
        asked=inner,
        owner=index,
        tags=("method",),
    )


def unmangled_edits(text: str, owner: str) -> Iterator[Edit]:
    """Yield the edits that write out the private names of the class `owner`."""
    if "__" in text:
        for token in tokens(text):
            name = mangled(owner, token.text) if token.text.isidentifier() else token.text
            if name != token.text:
                yield Edit(token.start, token.end, name)


def _place(definition: Definition) -> str:
    """Say why a method's class isn't taken."""
    outside = definition.scopes[:-1]
    if any(not isinstance(scope, ast.ClassDef) for scope in outside):
        return "local-class"
    return "nested-class" if outside else "conditional"


def _as_function(
    found: Draft, owner: str, name: str, kind: str, bound: frozenset[str]
) -> tuple[Draft, frozenset[str]]:
    """Write a method's text as a function's; return it and what it needs of the class body."""
    first = next(iter(_arguments(found.node)), None) if kind != "staticmethod" else None
    edits = list(_super_edits(found.node, owner, first.arg if first else ""))
    inner = [
        each
        for part in _evaluated_outside(found.node)
        for each in ast.walk(part)
        if isinstance(each, ast.Name) and each.id in bound
    ]
    edits += [over(each, f"{owner}.{each.id}") for each in inner]
    if first and first.annotation is None:
        hint = f"type[{owner}]" if kind == "classmethod" else owner
        place = first.end_lineno or first.lineno, first.end_col_offset or first.col_offset
        edits.append(insertion(place, f': "{hint}"'))
    if found.node.name != name:
        edits.append(renaming(found, name))
    taken = {edit.start for edit in edits if edit.start != edit.end}
    edits += [e for e in unmangled_edits(found.text, owner) if e.start not in taken]
    found = found.changed(edits)
    _check_private(found.node)
    return found, frozenset(each.id for each in inner)


def _evaluated_outside(node: Function) -> Iterator[ast.AST]:
    """Yield what of a definition is evaluated in the body of the class."""
    yield from (each for each in (*node.args.defaults, *node.args.kw_defaults) if each)
    yield from (each.annotation for each in _all_arguments(node) if each.annotation)
    if node.returns:
        yield node.returns


def _super_edits(node: Function, owner: str, first: str) -> Iterator[Edit]:
    """Yield the edits that say what ``super()`` and ``__class__`` only mean in a method."""
    for inner, is_direct in _inside(node, True):
        if isinstance(inner, ast.Name) and inner.id == "__class__":
            yield over(inner, owner)
        is_super = isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "super"
        if is_super and isinstance(inner, ast.Call) and not inner.args:
            if not first or not is_direct:
                raise NotStandalone("uses-super", f"{node.name} calls super() inside of another")
            yield over(inner, f"super({owner}, {first})")


def _inside(node: ast.AST, is_direct: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        direct = is_direct and not isinstance(child, _SCOPES)
        yield child, direct
        yield from _inside(child, direct)


def _check_private(root: Function) -> None:
    """Raise where a private name is left, which is inside of an f-string."""
    for node in ast.walk(root):
        name = getattr(node, "attr", getattr(node, "id", ""))
        if mangled("A", name) != name:
            raise NotStandalone("private-name", f"{name} is written in an f-string")


def _delegate(lines: list[str], node: Function, name: str, kind: str) -> str:
    """Return the text of a method that only calls the function of this name."""
    start = first_line(node)
    own = lines[start - 1 : last_line(node)]
    body = node.body[0]
    before = lines[body.lineno - 1].encode()[: body.col_offset].decode()
    shared = first_line(body) == body.lineno and bool(before.strip())
    end = body.lineno if shared else header_end(own, node.body, start)
    header = lines[start - 1 : end]
    indent = header[0][: len(header[0]) - len(header[0].lstrip())]
    if shared:
        header[-1] = before.rstrip()
    mode = mode_of(node)
    if mode == "async-generates":  # what it passes on is one already
        header = [line.replace("async def", "def", 1) for line in header]
    waits = "await " if mode == "awaits" else ""
    call = f"{indent}    return {waits}{name}({', '.join(_passed(node))})"
    return "\n".join(["", *header, call])


def _passed(node: Function) -> Iterator[str]:
    """Yield the arguments of a call that passes on a function's own."""
    yield from (each.arg for each in _arguments(node))
    if node.args.vararg:
        yield f"*{node.args.vararg.arg}"
    yield from (f"{each.arg}={each.arg}" for each in node.args.kwonlyargs)
    if node.args.kwarg:
        yield f"**{node.args.kwarg.arg}"


def _arguments(node: Function) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args]


def _all_arguments(node: Function) -> Iterator[ast.arg]:
    yield from (*_arguments(node), *node.args.kwonlyargs)
    yield from (each for each in (node.args.vararg, node.args.kwarg) if each)


def _parsed(text: str) -> ast.stmt:
    """Return the syntax tree of an indented statement."""
    [node] = ast.parse(f"if 1:\n{text}").body
    return node.body[0]  # type: ignore[attr-defined, no-any-return]
