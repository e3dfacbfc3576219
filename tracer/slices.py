"""The statements taken from a project for one function, and what else may change them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from thresher.tracer.imports import imported, origin
from thresher.tracer.modules import Module, Statement
from thresher.tracer.names import bound_name
from thresher.tracer.projects import Project

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Slice:
    """Statements taken from a project, grown by `thresher.tracer.closure`.

    `taken` maps a file to its taken statements, each with the names wanted of it; `owners` says
    what each name of the joint program stands for; `edges` lists the modules that a module takes
    names from.
    """

    project: Project
    entry: tuple[str, int]
    taken: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    owners: dict[str, object] = field(default_factory=dict)
    edges: dict[str, list[str]] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)

    def copy(self) -> "Slice":
        """Return a slice that can grow without changing this one."""
        taken = {
            file: {index: set(names) for index, names in statements.items()}
            for file, statements in self.taken.items()
        }
        edges = {file: list(others) for file, others in self.edges.items()}
        return Slice(self.project, self.entry, taken, dict(self.owners), edges, set(self.seen))

    def statements(self) -> Iterator[tuple[str, Module, Statement]]:
        """Yield the taken statements with their file and module."""
        for file, indexes in self.taken.items():
            module = self.project.module(file)
            for index in sorted(indexes):
                yield file, module, module.statements[index]


def effects(found: Slice) -> list[tuple[str, int]]:
    """Return the statements not yet taken that may change an object which is."""
    touching = _touching(found)
    return [
        (file, index)
        for file, indexes in found.taken.items()
        for index, statement in enumerate(found.project.module(file).statements)
        if index not in indexes
        and any(
            name in touching[file] or _sets_attribute(found, file, statement, name)
            for name in statement.names.effects
        )
    ]


def _sets_attribute(found: Slice, file: str, statement: Statement, name: str) -> bool:
    """Tell whether `statement` is a ``name.x = ...`` on a function that others name."""
    is_needed = (file, name) in found.seen and found.owners.get(name) == (file, name)
    return is_needed and isinstance(statement.node, ast.Assign)


def _touching(found: Slice) -> dict[str, set[str]]:
    """Return, for each module, the names through which a taken object can be reached."""
    touching: dict[str, set[str]] = {file: set() for file in found.taken}
    leading = _leading(found)
    pending = [
        (file, name)
        for file, _, statement in found.statements()
        if not isinstance(statement.node, (*_FUNCTIONS, ast.Import, ast.ImportFrom))
        for name in statement.names.binds
        if (file, name) in found.seen
    ]
    while pending:
        file, name = pending.pop()
        if name not in touching[file]:
            touching[file].add(name)
            pending.extend((file, user) for user in found.project.module(file).users.get(name, ()))
            pending.extend(leading.get((file, name), ()))
    return touching


def _leading(found: Slice) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Return, for each name of a module, by which names other modules import it."""
    leading: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for file in found.taken:
        for statement in found.project.module(file).statements:
            if isinstance(statement.node, ast.ImportFrom):
                for item in imported(statement.node):
                    source = origin(found.project, file, item)
                    alias = (file, bound_name(item.alias))
                    leading.setdefault((source.file, source.name), []).append(alias)
    return leading
