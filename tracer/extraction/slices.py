"""The statements taken from a project for one function, and what else may change them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from thresher.tracer.extraction.imports import imported, origin
from thresher.tracer.extraction.modules import Module, Statement
from thresher.tracer.extraction.names import Names, bound_name
from thresher.tracer.extraction.projects import Project

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
StatementKey = tuple[str, int]  # a file and a place among its statements
MemberKey = tuple[str, int, int]  # a file, a class by its statement, a member by its place


class Entry(NamedTuple):
    """The function that a program is made for, as a statement of its project.

    Attributes:
        project: the project, with the function at the top level of its module.
        file: its module.
        place: its statement there.
        end_line: where it ends in the file.
        reserved: its name, where nothing else of the program may mean anything by it.
        needs: names of modules that must come along, each with its file.
        asked: members that must come along with the classes that have them.
        owner: the class that it is a method of, by its statement.
        original: where it was inside of, which would show it: a statement and perhaps a member.
        tags: what was done to it.
    """

    project: Project
    file: str
    place: int
    end_line: int
    reserved: str = ""
    needs: tuple[tuple[str, str], ...] = ()
    asked: frozenset[str] = frozenset()
    owner: int | None = None
    original: tuple[int, int | None] | None = None
    tags: tuple[str, ...] = ()

    @property
    def statement(self) -> Statement:
        """The function as a top-level statement."""
        return self.project.module(self.file).statements[self.place]


@dataclass
class Slice:
    """Statements taken from a project, grown by `thresher.tracer.extraction.closure`.

    `taken` maps a file to its taken statements, each with the names wanted of it; `members` those
    of classes; `refused` what can't come; `owners` says what each name of the joint
    program stands for; `edges` lists the modules that a module takes names from. `lazy`: the
    program's annotations are never evaluated, whatever its modules say; `size`: its characters.
    """

    entry: Entry
    lazy: bool = False
    size: int = 0
    taken: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    members: dict[tuple[str, int], set[int]] = field(default_factory=dict)
    refused: set[StatementKey | MemberKey] = field(default_factory=set)
    owners: dict[str, object] = field(default_factory=dict)
    edges: dict[str, list[str]] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)

    @property
    def project(self) -> Project:
        """The project that the statements are from."""
        return self.entry.project

    def copy(self) -> "Slice":
        """Return a slice that can grow without changing this one."""
        return replace(
            self,
            taken={
                file: {index: set(names) for index, names in statements.items()}
                for file, statements in self.taken.items()
            },
            members={key: set(places) for key, places in self.members.items()},
            refused=set(self.refused),
            owners=dict(self.owners),
            edges={file: list(others) for file, others in self.edges.items()},
            seen=set(self.seen),
        )

    def statements(self) -> Iterator[tuple[str, int, Module, Statement]]:
        """Yield the taken statements with their file, place there and module."""
        for file, indexes in self.taken.items():
            module = self.project.module(file)
            for index in sorted(indexes):
                yield file, index, module, module.statements[index]

    def names(self, file: str, index: int) -> Names:
        """Return the names of a taken statement, of a class with what is taken of it."""
        statement = self.project.module(file).statements[index]
        return statement.part(self.members.get((file, index), ()))

    def is_lazy(self, file: str) -> bool:
        """Tell whether the annotations of a module's statements are never evaluated."""
        return self.lazy or self.project.module(file).lazy


def effects(found: Slice) -> Iterator[StatementKey]:
    """Yield the statements not yet taken, nor refused, that may change an object which is."""
    touching = _touching(found)
    for file, indexes in found.taken.items():
        for index, statement in enumerate(found.project.module(file).statements):
            is_open = index not in indexes and (file, index) not in found.refused
            if is_open and any(
                name in touching[file] or _sets_attribute(found, file, statement, name)
                for name in statement.names.effects
            ):
                yield file, index


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
        for file, _, _, statement in found.statements()
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
