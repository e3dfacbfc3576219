"""Writes the statements of a slice as the head of a program, in an order that runs."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from thresher.tracer.extraction import classes, fallbacks
from thresher.tracer.extraction.imports import imported, origin
from thresher.tracer.extraction.modules import NotStandalone
from thresher.tracer.extraction.names import bound_name, is_typing_guard
from thresher.tracer.extraction.slices import Slice

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Chunk(NamedTuple):
    """A piece of program text.

    `kind` is ``import``, ``plain`` or ``definition``; `binds` and `now` are the names it defines
    and those that must be defined before it; `lines` is its place in its module.
    """

    text: str
    kind: str
    binds: frozenset[str]
    now: frozenset[str]
    file: str
    lines: tuple[int, int]


def preamble(found: Slice) -> str:
    """Return the program text that comes before the entry function, blank lines included.

    Raises:
        NotStandalone: a statement needs the entry function, or another, before it is defined.
    """
    # Each name has one meaning, so that imports may go first, where they are expected.
    chunks = sorted(_chunks(found), key=lambda chunk: chunk.kind != "import")
    if _early(found, chunks):
        chunks = _reordered(chunks)
    early = _early(found, chunks)
    if early:
        raise NotStandalone("cycle", early)
    lazy = any(found.is_lazy(file) for file in found.taken)
    if lazy:
        nothing: frozenset[str] = frozenset()
        future = "from __future__ import annotations"
        chunks.insert(0, Chunk(future, "future", nothing, nothing, "", (0, 0)))
    text = ""
    for before, chunk in zip([None, *chunks], chunks, strict=False):
        text += (_gap(before, chunk) if before else "") + chunk.text + "\n"
    return text + "\n\n" if text else ""


def _chunks(found: Slice) -> Iterator[Chunk]:
    """Yield the chunks, modules that others take from first, each import line once."""
    written: set[str] = set()
    for file in _module_order(found):
        module = found.project.module(file)
        for index in sorted(found.taken.get(file, {})):
            if (file, index) == (found.entry.file, found.entry.place):
                continue
            statement = module.statements[index]
            if isinstance(statement.node, ast.Import | ast.ImportFrom) or is_typing_guard(
                statement.node
            ):
                yield from _import_chunks(found, file, index, written)
            else:
                yield _statement_chunk(found, file, index)


def _statement_chunk(found: Slice, file: str, index: int) -> Chunk:
    names, statement = found.names(file, index), found.project.module(file).statements[index]
    kind = "definition" if isinstance(statement.node, _DEFINITIONS) else "plain"
    now = names.now if found.is_lazy(file) else names.now | names.annotations
    lines = (statement.start, statement.end)
    if statement.members:
        text = classes.text_of(statement, found.members.get((file, index), set()))
    else:
        text = fallbacks.text_of(found.project, file, statement)
    return Chunk(text, kind, names.binds, now - names.binds, file, lines)


def _import_chunks(found: Slice, file: str, index: int, written: set[str]) -> Iterator[Chunk]:
    statement = found.project.module(file).statements[index]
    lines = (statement.start, statement.end)
    for item in imported(statement.node):
        name = bound_name(item.alias)
        if name not in found.taken[file][index]:
            continue
        source = origin(found.project, file, item)
        if source.kind == "name":
            text, kind, now = f"{name} = {source.name}", "plain", frozenset([source.name])
        else:
            text, now = item.text(), frozenset()
            kind = "import" if found.owners[name] == text else "plain"
        is_known = name == source.name if source.kind == "name" else text in written
        if not is_known:
            written.add(text)
            yield Chunk(text, kind, frozenset([name]), now, file, lines)


def _module_order(found: Slice) -> list[str]:
    """Return the modules so that each comes after those that it takes names from."""
    order: list[str] = []
    entered: set[str] = set()

    def visit(file: str) -> None:
        entered.add(file)
        for other in found.edges.get(file, []):
            if other not in entered:
                visit(other)
        order.append(file)

    visit(found.entry.file)
    return order


def _reordered(chunks: list[Chunk]) -> list[Chunk]:
    """Put each chunk after those that bind what it needs, leaving the order else as it is."""
    binders: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        for name in chunk.binds:
            binders.setdefault(name, []).append(chunk)
    order: list[Chunk] = []
    entered: set[int] = set()

    def visit(chunk: Chunk) -> None:
        if id(chunk) not in entered:
            entered.add(id(chunk))
            for name in sorted(chunk.now):
                for other in binders.get(name, []):
                    visit(other)
            order.append(chunk)

    for chunk in chunks:
        visit(chunk)
    return order


def _early(found: Slice, chunks: list[Chunk]) -> str:
    """Say which chunk needs what is defined after it; nothing where none does."""
    known = found.entry.statement.names.binds.union(*(chunk.binds for chunk in chunks))
    defined: set[str] = set()
    for chunk in chunks:
        early = sorted(name for name in chunk.now if name in known and name not in defined)
        if early:
            place = f"line {chunk.lines[0]} of {chunk.file}"
            return f"{place} needs {early[0]} before it is defined"
        defined |= chunk.binds
    return ""


def _gap(before: Chunk, chunk: Chunk) -> str:
    """Return the blank lines between two chunks."""
    if "definition" in (before.kind, chunk.kind):
        return "\n\n"
    adjacent = before.file == chunk.file and chunk.lines[0] - before.lines[1] <= 1
    return "" if before.kind == chunk.kind and (chunk.kind == "import" or adjacent) else "\n"
