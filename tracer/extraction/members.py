"""A class in pieces: its header, and the members that a program may take or leave."""

import ast
import collections.abc
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from thresher.tracer.extraction.names import Names, class_names, is_typing_guard
from thresher.tracer.extraction.source import first_line, header_end, last_line
from thresher.tracer.extraction.uses import called_in, own_uses, uses_of

# These come along wherever they can: they say what an instance is made of and when two are equal.
WISHED = frozenset(["__init__", "__eq__", "__hash__"])
MAX_DOCSTRING_LINES = 15
# These matter where nothing names them.
_KEPT = frozenset(
    ["__slots__", "__match_args__", "__class_getitem__", "__init_subclass__", "__set_name__",
     "__getattr__", "__getattribute__", "__get__", "__set__"]
)  # fmt: skip
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
    def called(self) -> frozenset[str]:
        """The names that its code calls."""
        return called_in(self.node)

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
        binds=frozenset(
            each for name in bound_in(inner) for each in (name, mangled(node.name, name))
        ),
        names=names._replace(now=names.now - bound, annotations=names.annotations - bound),
        inner=needed,
        kept=_is_kept(node, inner),
    )


def mangled(owner: str, name: str) -> str:
    """Return what a name means in the body of the class `owner`: ``_Owner__x`` for ``__x``."""
    is_private = name.startswith("__") and not name.endswith("__") and "." not in name
    stem = owner.lstrip("_")
    return f"_{stem}{name}" if is_private and stem else name


def _is_kept(node: ast.ClassDef, inner: ast.stmt) -> bool:
    """Tell whether the class needs a statement of its body whatever is used of it."""
    names = set(bound_in(inner))
    if not names or not names.isdisjoint(_KEPT | _abstract(node)):
        return True
    if isinstance(inner, (*_FUNCTIONS, ast.ClassDef)):
        return bool(node.decorator_list) and all(map(_is_dunder, names))
    if isinstance(inner, ast.If | ast.Try | ast.Delete):
        return False
    # Enumerations, structures and the like read their whole body.
    is_special = bool(node.decorator_list or node.keywords) or not all(map(_is_usual, node.bases))
    return is_special or not isinstance(inner, ast.Assign) or isinstance(inner.value, ast.Constant)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _abstract(node: ast.ClassDef) -> frozenset[str]:
    """Return what a class must have, for the sake of its abstract bases, to have instances."""
    bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    names = [ast.unparse(base).rpartition(".")[2] for base in bases]
    found = [getattr(collections.abc, name, None) for name in names]
    return frozenset[str]().union(*(getattr(base, "__abstractmethods__", ()) for base in found))


def _is_usual(base: ast.expr) -> bool:
    name = ast.unparse(base).rpartition(".")[2]
    return not name.endswith(("Enum", "Flag", "Structure", "Union"))


def bound_in(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a class body binds, or deletes."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        yield node.name
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            yield inner.id
        elif isinstance(inner, (*_FUNCTIONS, ast.ClassDef)):
            yield inner.name
        elif isinstance(inner, ast.alias):
            yield inner.asname or inner.name.partition(".")[0]
