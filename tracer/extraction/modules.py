"""The top-level statements of one Python file, read as text and never run."""

import ast
import copy
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from thresher.errors import SourceError
from thresher.tracer.extraction.branches import flattened
from thresher.tracer.extraction.members import Member, members_of
from thresher.tracer.extraction.names import Names, is_main_guard, is_typing_guard, joined, names_of
from thresher.tracer.extraction.source import dedented, first_line, last_line
from thresher.tracer.extraction.uses import called_in, own_uses, uses_of

MAX_STATEMENTS = 20_000
MAX_REASON = 80
MAX_DETAIL = 300


class NotStandalone(SourceError):
    """A function can't be made a program of its own.

    Attributes:
        reason: a stable short code, for example ``third-party:numpy``.
        detail: what exactly stood in the way, for a person.
    """

    def __init__(self, reason: str, detail: str) -> None:
        # Names are as long as a stranger's source makes them.
        reason, detail = reason[:MAX_REASON], detail[:MAX_DETAIL]
        super().__init__(reason, f"not standalone ({reason}): {detail}")
        self.detail = detail


class NameClash(NotStandalone):
    """A name means two things.

    Attributes:
        places: the project's definitions of it, by file and name.
    """

    def __init__(self, detail: str, places: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__("name-clash", detail)
        self.places = places


@dataclass(frozen=True, eq=False)
class Statement:
    """One top-level statement: its syntax tree, its text and its first and last line.

    A class that can be taken in part has `members`; then `names` are those of its `header`.
    """

    node: ast.stmt
    text: str
    start: int
    end: int
    names: Names
    header: str = ""
    members: tuple[Member, ...] = ()

    @property
    def imports(self) -> bool:
        """Whether there can be an import in it."""
        return "import" in self.text

    @cached_property
    def uses(self) -> frozenset[str]:
        """The members of classes that its code, without its own `members`, may reach."""
        return uses_of(_emptied(self.node) if self.members else self.node)

    @cached_property
    def called(self) -> frozenset[str]:
        """The names that its code, without its own `members`, calls."""
        return called_in(_emptied(self.node) if self.members else self.node)

    @cached_property
    def own(self) -> frozenset[str]:
        """The attributes of a function's first parameter that its code names."""
        return own_uses(self.node)

    @property
    def size(self) -> int:
        """How many characters it has, without its members."""
        return len(self.header if self.members else self.text)

    def part(self, members: Iterable[int]) -> Names:
        """Return the names of the statement with some of its members, given by their place."""
        return joined([self.names, *(self.members[place].names for place in members)])


@dataclass(frozen=True)
class Module:
    """The top-level statements of one file.

    `bindings` maps a name to the statements that bind it when the module is imported, `hints`
    to the ``if TYPE_CHECKING:`` that imports it, `users` to the functions and classes that need
    it. `lazy` says whether annotations are never evaluated.
    """

    text: str
    tree: ast.Module
    statements: tuple[Statement, ...]
    bindings: dict[str, list[int]]
    hints: dict[str, int]
    users: dict[str, list[str]]
    stars: tuple[ast.ImportFrom, ...]
    lazy: bool

    def changed(
        self,
        statements: dict[int, Statement],
        bindings: Mapping[str, int] = MappingProxyType({}),
    ) -> "Module":
        """Return the module with other statements at some places, or at new ones after the last.

        `bindings` says which names mean the statements at those places alone.
        """
        changed = dict(enumerate(self.statements)) | statements
        return replace(
            self,
            statements=tuple(changed[index] for index in sorted(changed)),
            bindings={**self.bindings, **{name: [index] for name, index in bindings.items()}},
        )


def parse_module(file: str, text: str) -> Module:
    """Split the `text` of `file`, which is only named in errors, into its statements.

    Raises:
        NotStandalone: the text isn't Python that we can parse, or is far too much of it.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            if len(tree.body) > MAX_STATEMENTS:
                raise NotStandalone("too-large", f"{file} has {len(tree.body)} statements")
            statements = tuple(_statements(text, tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotStandalone("unparsable", f"{file}: {type(error).__name__}: {error}") from error
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return Module(
        text=text,
        tree=tree,
        statements=statements,
        bindings=_index(statements, hints=False),
        hints={name: found[0] for name, found in _index(statements, hints=True).items()},
        users=_users(statements),
        stars=tuple(node for node in imports if node.names[0].name == "*"),
        lazy=any(
            node.module == "__future__" and alias.name == "annotations"
            for node in imports
            for alias in node.names
        ),
    )


def _statements(text: str, tree: ast.Module) -> Iterator[Statement]:
    lines = text.split("\n")
    body = list(flattened(tree.body))
    firsts = [first_line(node) for node in body]
    lasts = [last_line(node) for node in body]
    for index, node in enumerate(body):
        start, end = firsts[index], lasts[index]
        shared = start in lasts[max(index - 1, 0) : index] or end in firsts[index + 1 : index + 2]
        piece = lines[start - 1 : end]
        if shared:
            piece[-1] = piece[-1].encode()[: node.end_col_offset].decode()
            piece[0] = piece[0].encode()[node.col_offset :].decode()
        if isinstance(node, ast.If) and piece[0].lstrip().startswith("elif"):
            piece[0] = piece[0].replace("elif", "if", 1)
        if node.col_offset and not shared:  # out of a branch
            piece = dedented(piece, lines[start - 1][: node.col_offset]).split("\n")
        source = "\n".join(piece)
        header, members = "", tuple[Member, ...]()
        if isinstance(node, ast.ClassDef) and not shared and not node.col_offset:
            header, members = members_of(node, lines)
        if isinstance(node, ast.ClassDef) and members:
            names = names_of(_emptied(node), f"{header}\n pass")
        else:
            names = names_of(node, source)
        yield Statement(node, source, start, end, names, header, members)


def statement_of(text: str, start: int) -> Statement:
    """Return the one statement of a text, to stand for what begins on line `start` of a module.

    Raises:
        NotStandalone: it can't be parsed.
    """
    [made] = parse_module("<text>", text).statements
    return replace(made, start=start, end=start + made.end - made.start)


def _emptied(node: ast.stmt) -> ast.stmt:
    """Return a class with nothing in its body."""
    empty = copy.copy(node)
    empty.body = [ast.Pass()]  # type: ignore[attr-defined]
    return empty


def _index(statements: tuple[Statement, ...], hints: bool) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for index, statement in enumerate(statements):
        if not is_main_guard(statement.node) and is_typing_guard(statement.node) == hints:
            for name in sorted(statement.names.binds):
                found.setdefault(name, []).append(index)
    return found


def _users(statements: tuple[Statement, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for statement in statements:
        if isinstance(statement.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = statement.part(range(len(statement.members)))
            for name in names.now | names.later:
                found.setdefault(name, []).append(statement.node.name)
    return found
