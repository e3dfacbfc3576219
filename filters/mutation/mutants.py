"""Mutants: programs that differ from a problem's reference in one small place.

The reference itself is changed, not what the prompt gives: a completion can't get that wrong. Nor
are the messages of exceptions and warnings, which no case compares. Everything but the changed
place stays byte for byte.
"""

import ast
import itertools
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from thresher.filters.mutation.operators import Change, changes, conditions
from thresher.filters.texts.statements import UNREADABLE
from thresher.store.records import Problem

SHOWN = 60  # characters of a piece of source in a description
MOST_PLACES = 20_000


class Mutant(NamedTuple):
    """A mutant's whole program, the operator that made it, and what it changed where."""

    source: str
    operator: str
    line: int
    change: str

    def __str__(self) -> str:
        """Return a line for people."""
        return f"line {self.line}: {self.change}"


class _Edit(NamedTuple):
    operator: str
    line: int
    start: int  # in bytes of the program
    end: int
    text: str


def mutants(problem: Problem, most: int) -> list[Mutant]:
    """Return at most so many mutants of a problem's reference, spread over operators and lines.

    No two have the same syntax tree, none has the reference's. They are always the same. There
    are none of a program that can't be parsed.
    """
    source = problem.prompt + problem.canonical_solution
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what mutants look like
            edits = itertools.islice(_edits(source, len(problem.prompt.encode())), MOST_PLACES)
            distinct = _distinct(source, _spread(edits))
            return list(itertools.islice(distinct, most))
    except UNREADABLE:
        return []


def _distinct(source: str, edits: Iterable[_Edit]) -> Iterator[Mutant]:
    raw = source.encode()
    seen = {ast.dump(ast.parse(source))}
    for edit in edits:
        changed = (raw[: edit.start] + edit.text.encode() + raw[edit.end :]).decode()
        try:
            tree = ast.dump(ast.parse(changed))
        except UNREADABLE:
            continue
        if tree not in seen:
            seen.add(tree)
            before = raw[edit.start : edit.end].decode()
            change = f"{_short(before)} -> {_short(edit.text) or 'nothing'}"
            yield Mutant(changed, edit.operator, edit.line, change)


def _short(text: str) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= SHOWN else joined[: SHOWN - 3] + "..."


def _spread(edits: Iterable[_Edit]) -> Iterator[_Edit]:
    """Yield one edit of each operator in turn; of an operator one of each line in turn."""
    by_operator: dict[str, dict[int, list[_Edit]]] = defaultdict(lambda: defaultdict(list))
    for edit in edits:
        by_operator[edit.operator][edit.line].append(edit)
    return _in_turn([_in_turn(lines.values()) for _, lines in sorted(by_operator.items())])


def _in_turn(rows: Iterable[Iterable[_Edit]]) -> Iterator[_Edit]:
    for column in itertools.zip_longest(*rows):
        yield from (edit for edit in column if edit is not None)


class _Place(NamedTuple):
    """A node, and the f-string that it stands in, whose inner positions can't be relied on."""

    node: ast.AST
    within: ast.JoinedStr | None
    parent: ast.AST
    field: str
    number: int | None


def _edits(source: str, start: int) -> Iterator[_Edit]:
    """Yield the edits of what begins at a byte of a program or later."""
    lengths = [len(line) + 1 for line in source.encode().split(b"\n")]
    starts = [0, *itertools.accumulate(lengths)]
    tree = ast.parse(source)
    for place in _places(tree, _only_raised(tree)):
        node = place.within or place.node
        if not isinstance(node, ast.stmt | ast.expr):
            continue
        first, last = _span(node, starts)
        if first < start:
            continue
        for change in _all_changes(place):
            if (text := _text(place, change)) is not None:
                yield _Edit(change.operator, node.lineno, first, last, text)
        if isinstance(node, ast.If) and node.orelse:
            yield _Edit("else", node.lineno, _span(node.body[-1], starts)[1], last, "")


def _span(node: ast.stmt | ast.expr, starts: Sequence[int]) -> tuple[int, int]:
    last_line, last = node.end_lineno or node.lineno, node.end_col_offset or 0
    return starts[node.lineno - 1] + node.col_offset, starts[last_line - 1] + last


def _all_changes(place: _Place) -> Iterator[Change]:
    yield from changes(place.node)
    is_test = place.field == "test" and not isinstance(place.parent, ast.Assert)
    if isinstance(place.node, ast.expr) and (is_test or place.field == "ifs"):
        yield from conditions(place.node)


def _text(place: _Place, change: Change) -> str | None:
    """Return the source that stands in the place's anchor after a change."""
    if change.node is None:
        return "pass"
    if isinstance(change.node, ast.stmt):
        return ast.unparse(ast.fix_missing_locations(change.node))
    if place.within is None:
        return f"({ast.unparse(change.node)})"
    try:
        _put(place, change.node)
        return f"({ast.unparse(place.within)})"
    except ValueError:  # quotes that an f-string can't hold
        return None
    finally:
        _put(place, place.node)


def _put(place: _Place, node: ast.AST) -> None:
    if place.number is None:
        setattr(place.parent, place.field, node)
    else:
        getattr(place.parent, place.field)[place.number] = node


SKIPPED = {"annotation", "returns", "decorator_list", "type_comment", "format_spec", "pattern"}


def _places(
    tree: ast.AST, messages: Set[str], within: ast.JoinedStr | None = None
) -> Iterator[_Place]:
    """Yield what stands below a node and isn't a message, in order of the program."""
    if _is_message(tree, messages):
        return
    inner = tree if isinstance(tree, ast.JoinedStr) else within
    for field, value in ast.iter_fields(tree):
        if field in SKIPPED:
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not _says_only(child):
                yield _Place(child, inner, tree, field, index)
                yield from _places(child, messages, inner)


def _is_message(node: ast.AST, messages: Set[str]) -> bool:
    """Say whether below a node stands only what is said when something is wrong."""
    match node:
        case ast.Raise():
            return True
        case ast.Assign([ast.Name(name)]):
            return name in messages
    return False


def _only_raised(tree: ast.AST) -> Set[str]:
    """Return the names that are read in raise statements and nowhere else."""
    raised = Counter(n for r in ast.walk(tree) if isinstance(r, ast.Raise) for n in _read(r))
    everywhere = Counter(_read(tree))
    return {name for name, times in raised.items() if times == everywhere[name]}


def _read(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id


def _says_only(node: ast.AST) -> bool:
    """Say whether a statement is a docstring or warns."""
    match node:
        case ast.Expr(ast.Constant() | ast.Call(ast.Attribute(ast.Name("warnings"), "warn"))):
            return True
    return False
