"""Whether an encoded value is what an annotation allows; what can't be read allows everything.

As type checkers have it, an int is a float and a bool an int, and not the other way round.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from thresher.store.records import Mode, Tree

DEEPEST = 50  # annotations in annotations
BAD_SOURCE = (SyntaxError, ValueError, RecursionError, MemoryError)
_TEXTS = {"str", "bytes", "bytearray"}
_SETS = {"set", "frozenset"}
_DICTS = {"dict", "ordereddict", "counter", "defaultdict", "mappingproxy"}
_LISTS = {"list", "tuple", "deque", "range"}
_MANY = _LISTS | _SETS | _DICTS | _TEXTS
_ALLOWED = {
    "None NoneType": {"NoneType"},
    "bool": {"bool"},
    "int": {"bool", "int"},
    "float": {"bool", "int", "float"},
    "complex": {"bool", "int", "float", "complex"},
    "str Text": {"str"},
    "bytes": {"bytes", "bytearray"},
    "bytearray": {"bytearray"},
    "list List": {"list"},
    "tuple Tuple": {"tuple"},
    "dict Dict": _DICTS - {"mappingproxy"},
    "defaultdict DefaultDict": {"defaultdict"},
    "OrderedDict": {"ordereddict"},
    "Counter": {"counter"},
    "deque Deque": {"deque"},
    "set Set": _SETS,  # that of `collections.abc` allows both
    "frozenset FrozenSet": {"frozenset"},
    "AbstractSet": _SETS,
    "MutableSet": {"set"},
    "Mapping": _DICTS,
    "MutableMapping": _DICTS - {"mappingproxy"},
    "Sequence": _LISTS | _TEXTS,
    "MutableSequence": {"list", "deque", "bytearray"},
    "Collection Iterable Container Sized": _MANY,
    "Reversible": _MANY - _SETS,
}
_BY_NAME = {name: kinds for names, kinds in _ALLOWED.items() for name in names.split()}
_WRAPPERS = {"Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"}

Aliases = Mapping[str, ast.expr | None]


def aliases(tree: ast.Module) -> dict[str, ast.expr | None]:
    """Return what names a module gives to other annotations; None for those that it makes anew."""
    found: dict[str, ast.expr | None] = {}
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], value):
                found[name] = value if _is_annotation(value) else None
            case ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                found[name] = value if _is_annotation(value) else None
            case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                found[name] = None
    return found


def fits(tree: Tree, annotation: ast.expr | None, known: Aliases, depth: int = 0) -> bool:
    """Say whether an annotation allows a value."""
    if annotation is None or depth > DEEPEST:
        return True
    match annotation:
        case ast.Constant(None):
            return tree is None
        case ast.Constant(str() as text):
            return fits(tree, _parsed(text), known, depth + 1)
        case ast.BinOp(left, ast.BitOr(), right):
            return any(fits(tree, each, known, depth + 1) for each in (left, right))
        case ast.Name(name) if name in known:
            return fits(tree, known[name], known, depth + 1)
        case ast.Name(name) | ast.Attribute(ast.Name(), name):
            return name not in _BY_NAME or kind(tree) in _BY_NAME[name] or _is_other(tree)
        case ast.Subscript(ast.Name(name) | ast.Attribute(ast.Name(), name), part):
            parts = part.elts if isinstance(part, ast.Tuple) else [part]

            def inner(held: Tree, of: ast.expr) -> bool:
                return fits(held, of, known, depth + 1)

            return name in known or _fits_parts(tree, ast.Name(name), parts, inner)
    return True


def as_expected(annotation: ast.expr | None, mode: Mode) -> ast.expr | None:
    """Return the annotation of what a case expects: of a generator it is the list of outputs."""
    if mode in ("returns", "awaits") or annotation is None:
        return annotation
    match annotation:
        case ast.Subscript(_, ast.Tuple([first, *_])) | ast.Subscript(_, ast.expr() as first):
            return ast.Subscript(ast.Name("Sequence"), first)
    return None


def kind(tree: Tree) -> str:
    """Return the name of a value's type, or the tag of one that is of no built-in type."""
    return next(iter(tree), "") if isinstance(tree, dict) else type(tree).__name__


def items(tree: Tree) -> list[Tree] | None:
    """Return what a value goes through in a loop, if it is a list, tuple, set, dict or deque."""
    if isinstance(tree, list):
        return tree
    if isinstance(tree, dict):
        ((tag, payload),) = tree.items()
        if tag in ("tuple", *_SETS):
            return list(payload)
        if tag == "deque":
            return items(payload[0])
    pairs = entries(tree)
    return None if pairs is None else [key for key, _ in pairs]


def entries(tree: Tree) -> list[tuple[Tree, Tree]] | None:
    """Return the entries of a dictionary of any kind, None for any other value."""
    if not isinstance(tree, dict):
        return None
    ((tag, payload),) = tree.items()
    if tag == "dict":
        return [(key, value) for key, value in payload]
    if tag == "ordereddict":
        return [tuple(pair) for pair in map(items, items(payload[0]) or [])]  # type: ignore[arg-type]
    return entries(payload[-1]) if tag in _DICTS else None


def _fits_parts(
    tree: Tree,
    plain: ast.Name,
    parts: list[ast.expr],
    inner: Callable[[Tree, ast.expr], bool],
) -> bool:
    """Say whether ``plain[parts]`` allows a value."""
    match plain.id:
        case _ if not parts:
            return inner(tree, plain) and not items(tree)
        case "Optional":
            return tree is None or inner(tree, parts[0])
        case "Union":
            return any(inner(tree, part) for part in parts)
        case "Literal":
            return _is_one_of(tree, parts)
        case name if name in _WRAPPERS:
            return inner(tree, parts[0])
    if not inner(tree, plain):
        return False
    return all(inner(value, part) for value, part in _inside(tree, plain.id, parts)) and (
        _is_as_long(tree, plain.id, parts)
    )


def _inside(tree: Tree, name: str, parts: list[ast.expr]) -> Iterator[tuple[Tree, ast.expr]]:
    """Yield what a value holds, each with what the annotation says of it."""
    pairs = entries(tree)
    if pairs is not None and len(parts) == 2:
        for pair in pairs:
            yield from zip(pair, parts, strict=True)
        return
    held = items(tree) or []
    if name in ("tuple", "Tuple") and not _is_any_length(parts):
        yield from zip(held, parts, strict=False)
    elif name in _BY_NAME:
        for each in held:
            yield each, parts[0]


def _is_as_long(tree: Tree, name: str, parts: list[ast.expr]) -> bool:
    if name not in ("tuple", "Tuple") or _is_any_length(parts) or kind(tree) != "tuple":
        return True
    if any(isinstance(part, ast.Starred | ast.Subscript) and _is_unpacked(part) for part in parts):
        return True
    return len(items(tree) or []) == len(parts)


def _is_unpacked(part: ast.expr) -> bool:
    return isinstance(part, ast.Starred) or "Unpack" in ast.dump(part)


def _is_any_length(parts: list[ast.expr]) -> bool:
    return len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...


def _is_one_of(tree: Tree, parts: list[ast.expr]) -> bool:
    """Say whether a value is one of literals; where one of them can't be read it may be."""
    if not all(isinstance(part, ast.Constant) for part in parts):
        return True
    literals: list[Any] = [part.value for part in parts if isinstance(part, ast.Constant)]
    return any(type(tree) is type(each) and tree == each for each in literals) or _is_other(tree)


def _is_other(tree: Tree) -> bool:
    """Say whether a value is of a class of its own, which may derive from what is allowed."""
    return kind(tree) in ("instance", "enum", "global", "namespace", "date", "datetime")


def _is_annotation(node: ast.expr) -> bool:
    """Say whether the value of a name may be meant as an annotation."""
    match node:
        case ast.Name() | ast.Attribute() | ast.BinOp(_, ast.BitOr(), _):
            return True
        case ast.Subscript(ast.Name() | ast.Attribute()):
            return True
    return False


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except BAD_SOURCE:
        return None
