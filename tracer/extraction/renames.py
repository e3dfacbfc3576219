"""Gives another name to one of two things that different modules of a project call the same."""

import ast
import re
from collections.abc import Iterator

from thresher.tracer.extraction.imports import Imported, imported, origin, star
from thresher.tracer.extraction.modules import Module, NotStandalone, parse_module
from thresher.tracer.extraction.names import bound_name
from thresher.tracer.extraction.projects import Project
from thresher.tracer.extraction.source import Edit, edited, over

MAX_HOPS = 10
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def renamed(project: Project, file: str, name: str) -> Project:
    """Return the project with another name for the `name` of `file`, wherever it is used.

    Raises:
        NotStandalone: a module has its own uses for the name, so that it can't be told.
    """
    if (file, name) in project.renamed:
        raise NotStandalone("name-clash", f"{name} of {file} has another name already")
    home = definition(project, file, name)
    parts = home[0].removesuffix(".py").removesuffix("/__init__").split("/")
    new = f"{parts[-1].strip('_')}_{name.lstrip('_')}"
    users = [
        other
        for other in project.files
        if name in project.texts[other] and definition(project, other, name) == home
    ]
    for other in project.files:
        if name in project.texts[other]:
            edits = list(_edits(project, other, name, new, users))
            if edits:
                text = edited(project.module(other).text, edits)
                project = project.changed(other, parse_module(other, text))
    return project.knowing({(other, name): new for other in users})


def definition(project: Project, file: str, name: str) -> tuple[str, str]:
    """Return the file and name where what `file` means by `name` is defined."""
    for _ in range(MAX_HOPS):
        module = project.module(file)
        items = [
            item
            for index in module.bindings.get(name, [])
            for item in imported(module.statements[index].node)
            if bound_name(item.alias) == name
        ]
        elsewhere = star(project, file, name) if name not in module.bindings else None
        source = origin(project, file, items[0]) if items else elsewhere
        if source is None or source.kind != "name":
            break
        file, name = source.file, source.name
    return file, name


def _edits(project: Project, file: str, name: str, new: str, users: list[str]) -> Iterator[Edit]:
    """Yield the edits of one module: where it says the name, and where it imports it."""
    module = project.module(file)
    is_user = file in users
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                source = origin(project, file, Imported(node, alias))
                comes = source.name == name and source.kind == "name" and source.file in users
                yield from _alias_edits(alias, name, new, comes, is_user)
    if is_user:
        _check_local(module, file, name)
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Name) and node.id == name:
                yield over(node, new)
        for statement in module.statements:
            if isinstance(statement.node, _DEFINITIONS) and statement.node.name == name:
                yield _definition_edit(module, statement.node, new)


def _alias_edits(
    alias: ast.alias, name: str, new: str, comes: bool, is_user: bool
) -> Iterator[Edit]:
    bound = alias.asname or alias.name
    renamed = new if is_user and bound == name else bound
    source = new if comes else alias.name
    if (source, renamed) != (alias.name, bound):
        text = source if source == renamed else f"{source} as {renamed}"
        end = alias.end_lineno or alias.lineno, alias.end_col_offset or alias.col_offset
        yield Edit((alias.lineno, alias.col_offset), end, text)


def _definition_edit(module: Module, node: ast.stmt, new: str) -> Edit:
    line = module.text.split("\n")[node.lineno - 1]
    found = re.compile(r"(?:def|class)\s+(\w+)").search(line, node.col_offset)
    if found is None:
        raise NotStandalone("name-clash", f"line {node.lineno} defines nothing that we can rename")
    start, end = (len(line[: found.span(1)[side]].encode()) for side in (0, 1))
    return Edit((node.lineno, start), (node.lineno, end), new)


def _check_local(module: Module, file: str, name: str) -> None:
    """Raise if a function or class of the module has a variable or member of that name."""
    for statement in module.statements:
        if isinstance(statement.node, _DEFINITIONS):
            for node in ast.walk(statement.node):
                bound = getattr(node, "arg", None) if isinstance(node, ast.arg) else None
                if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                    bound = node.id
                if isinstance(node, _DEFINITIONS) and node is not statement.node:
                    bound = node.name
                if bound == name:
                    raise NotStandalone("name-clash", f"{file} has other uses for {name} inside")
