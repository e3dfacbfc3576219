"""A class in pieces: its header, and the members that a program may take or leave."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from thresher.tracer.names import Names, class_names, is_typing_guard
from thresher.tracer.source import first_line, header_end, last_line
from thresher.tracer.uses import own_uses, uses_of

# These come along wherever they can: they say what an instance is made of and when two are equal.
WISHED = frozenset(["__init__", "__eq__", "__hash__"])
MAX_DOCSTRING_LINES = 15
_KEPT = frozenset(["__slots__", "__match_args__"])
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, eq=False)
class Member:
    """A statement in the body of a class.

    `text` begins with the comments above it. `names` are those it needs of the module, `inner`
    those of the class body that its execution needs. `kept`: the class isn't one without it.
    """

    node: ast.stmt
    text: str
    binds: frozenset[str]
    names: Names
    inner: frozenset[str]
    kept: bool

    @property
    def imports(self) -> bool:
        """Whether there can be an import in it."""
        return "import" in self.text

    @cached_property
    def uses(self) -> frozenset[str]:
        """The members of classes that its code may reach."""
        return uses_of(self.node)

    @cached_property
    def own(self) -> frozenset[str]:
        """The attributes of ``self`` that it names, and what it needs of the class body."""
        return own_uses(self.node) | self.inner


def members_of(node: ast.ClassDef, lines: list[str]) -> tuple[str, tuple[Member, ...]]:
    """Split a class; `lines` are those of its module. Nothing and none where lines are shared.

    Returns:
        The header's text and the members.
    """
    ends = [node.lineno, *(last_line(each) for each in node.body)]
    if any(_is_shared(each, end, lines) for each, end in zip(node.body, ends, strict=False)):
        return "", ()
    start = first_line(node)
    end = header_end(lines[start - 1 : last_line(node)], node.body, start)
    bound = frozenset(name for each in node.body for name in bound_in(each))
    pieces = [
        (each, _shortened("\n".join(lines[before : last_line(each)]), each))
        for before, each in zip([end, *ends[1:]], node.body, strict=False)
        if not is_typing_guard(each)
    ]
    members = tuple(member(node, each, text, bound) for each, text in pieces)
    return "\n".join(lines[start - 1 : end]), members


def _shortened(text: str, node: ast.stmt) -> str:
    """Leave of a long docstring its first paragraph."""
    lines = text.strip("\n").split("\n")
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    quotes = text.rstrip()[-3:]
    if not is_docstring or len(lines) <= MAX_DOCSTRING_LINES or "" not in map(str.strip, lines[1:]):
        return text
    end = next(number for number, line in enumerate(lines) if number and not line.strip())
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return "\n".join([*lines[:end], indent + quotes])


def _is_shared(node: ast.stmt, before: int, lines: list[str]) -> bool:
    """Tell whether something else stands on the line where `node` begins."""
    first = first_line(node)
    return first <= before or lines[first - 1][: node.col_offset].strip() not in ("", "@")


def member(node: ast.ClassDef, inner: ast.stmt, text: str, bound: frozenset[str]) -> Member:
    """Return the statement `inner` of the class `node`, whose whole body binds `bound`."""
    names = class_names(node.name, inner, text)
    needed = (names.now | names.annotations) & bound
    return Member(
        node=inner,
        text=text,
        binds=frozenset(bound_in(inner)),
        names=names._replace(now=names.now - bound, annotations=names.annotations - bound),
        inner=needed,
        kept=_is_kept(node, inner),
    )


def _is_kept(node: ast.ClassDef, inner: ast.stmt) -> bool:
    """Tell whether the class needs a statement of its body whatever is used of it."""
    if isinstance(inner, (*_FUNCTIONS, ast.ClassDef)):
        return False
    if isinstance(inner, ast.AnnAssign):
        return True
    names = set(bound_in(inner))
    if isinstance(inner, ast.If | ast.Try):
        return not names
    # Enumerations, structures and the like read their whole body.
    is_special = bool(node.decorator_list or node.keywords) or not all(map(_is_usual, node.bases))
    is_needed = not isinstance(inner, ast.Assign) or isinstance(inner.value, ast.Constant)
    return is_needed or is_special or bool(names & _KEPT)


def _is_usual(base: ast.expr) -> bool:
    name = ast.unparse(base).rpartition(".")[2]
    return not name.endswith(("Enum", "Flag", "Structure", "Union"))


def bound_in(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a class body binds."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        yield node.name
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id
        elif isinstance(inner, (*_FUNCTIONS, ast.ClassDef)):
            yield inner.name
        elif isinstance(inner, ast.alias):
            yield inner.asname or inner.name.partition(".")[0]
