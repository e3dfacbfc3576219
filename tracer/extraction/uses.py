"""Which members of a class some code may reach: those it names, and those its syntax stands for."""

import ast
from collections.abc import Iterator

_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul", ast.Div: "truediv",
    ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift",
    ast.RShift: "rshift", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_UNARY = {ast.UAdd: "pos", ast.USub: "neg", ast.Invert: "invert", ast.Not: "bool"}
_COMPARED = {
    ast.Eq: ("eq", "ne"), ast.NotEq: ("ne", "eq"), ast.Lt: ("lt", "gt"), ast.Gt: ("gt", "lt"),
    ast.LtE: ("le", "ge"), ast.GtE: ("ge", "le"),
    ast.In: ("contains", "iter", "getitem", "eq"), ast.NotIn: ("contains", "iter", "getitem", "eq"),
}  # fmt: skip
_LOOP = ("iter", "next", "getitem", "len")
_TRUTH = ("bool", "len")
_TEXT = ("str", "repr", "format")
_SYNTAX: dict[type[ast.AST], tuple[str, ...]] = {
    ast.For: _LOOP,
    ast.comprehension: (*_LOOP, *_TRUTH, "aiter", "anext"),
    ast.Starred: _LOOP,
    ast.YieldFrom: _LOOP,
    ast.AsyncFor: ("aiter", "anext"),
    ast.With: ("enter", "exit"),
    ast.AsyncWith: ("aenter", "aexit"),
    ast.Await: ("await",),
    ast.If: _TRUTH,
    ast.IfExp: _TRUTH,
    ast.While: _TRUTH,
    ast.BoolOp: _TRUTH,
    ast.Assert: _TRUTH,
    ast.FormattedValue: _TEXT,
    ast.ClassDef: ("init_subclass", "set_name", "prepare", "new", "init", "call"),
}
_ACCESS: dict[type[ast.AST], tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    ast.Attribute: (
        ("getattr", "getattribute", "get"),
        ("setattr", "set"),
        ("delattr", "delete"),
    ),
    ast.Subscript: (("getitem", "missing", "class_getitem"), ("setitem",), ("delitem",)),
}
_CALLED: dict[str, tuple[str, ...]] = {
    "len": ("len",),
    "bool": _TRUTH,
    "str": _TEXT,
    "repr": _TEXT,
    "format": _TEXT,
    "print": _TEXT,
    "int": ("int", "index", "trunc"),
    "float": ("float", "index"),
    "abs": ("abs",),
    "hash": ("hash",),
    "reversed": ("reversed", "getitem", "len"),
    "divmod": ("divmod", "rdivmod"),
    "round": ("round",),
    "copy": ("copy", "deepcopy"),
    **dict.fromkeys(("sorted", "min", "max"), (*_LOOP, "lt", "gt")),
    **dict.fromkeys(
        ("iter", "next", "list", "tuple", "set", "frozenset", "dict", "sum", "any", "all", "map",
         "filter", "zip", "enumerate", "join"),
        _LOOP,
    ),
    **dict.fromkeys(("getattr", "hasattr"), _ACCESS[ast.Attribute][0]),
    "setattr": _ACCESS[ast.Attribute][1],
}  # fmt: skip
_MADE = ("call", "new", "init", "post_init")
# What a call of these makes is an instance, as it is with names that begin like a class's.
_CLASSES = frozenset(["cls", "klass", "type", "__class__", ""])
_BY_TEXT = frozenset(["getattr", "hasattr", "setattr", "delattr", "attrgetter", "methodcaller"])


def uses_of(*nodes: ast.AST) -> frozenset[str]:
    """Return the members that code may reach; ``visit_*`` stands for all that begin so."""
    return frozenset(name for root in nodes for node in ast.walk(root) for name in _uses(node))


def beginnings(uses: frozenset[str]) -> tuple[str, ...]:
    """Return how the names begin that ``getattr`` may make up."""
    return tuple(use[:-1] for use in uses if use.endswith("*") and len(use) > 1)


def called_in(*nodes: ast.AST) -> frozenset[str]:
    """Return the names that code calls, as functions, classes or decorators."""
    found: set[str] = set()
    for root in nodes:
        for node in ast.walk(root):
            made = (
                [node.func] if isinstance(node, ast.Call) else getattr(node, "decorator_list", [])
            )
            found.update(each.id for each in made if isinstance(each, ast.Name))
    return frozenset(found)


def own_uses(node: ast.AST) -> frozenset[str]:
    """Return the attributes of the first parameter of a function that its code names."""
    arguments: ast.arguments | None = getattr(node, "args", None)
    positional = [*arguments.posonlyargs, *arguments.args] if arguments else []
    if not positional:
        return frozenset()
    first = positional[0].arg
    return frozenset(
        inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute)
        and isinstance(inner.value, ast.Name)
        and inner.value.id == first
    )


def _uses(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute):
        yield node.attr
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        yield from _special(_CALLED.get(name, ()))
        yield from _special(
            _MADE if name in _CLASSES or name.lstrip("_")[:1].isupper() else ("call",)
        )
        if name in _BY_TEXT:
            yield from _named(node)
    yield from _special(_implied(node))


def _implied(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.BinOp | ast.AugAssign):
        name = _BINARY[type(node.op)]
        return (name, f"r{name}", f"i{name}", *(_TEXT if name == "mod" else ()))
    if isinstance(node, ast.UnaryOp):
        return (_UNARY[type(node.op)], "len")
    if isinstance(node, ast.Compare):
        return tuple(name for op in node.ops for name in _COMPARED.get(type(op), ()))
    if isinstance(node, ast.Attribute | ast.Subscript):
        read, write, delete = _ACCESS[type(node)]
        return {ast.Store: write, ast.Del: delete}.get(type(node.ctx), read)
    return _SYNTAX.get(type(node), ())


def _special(names: tuple[str, ...]) -> Iterator[str]:
    return (f"__{name}__" for name in names)


def _named(call: ast.Call) -> Iterator[str]:
    """Yield the attributes that a ``getattr`` names as text, or their beginning."""
    for argument in call.args:
        if isinstance(argument, ast.BinOp):
            argument = argument.left
        if isinstance(argument, ast.JoinedStr) and argument.values:
            argument = argument.values[0]
        elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value.partition("%")[0].partition("{")[0] + "*"
