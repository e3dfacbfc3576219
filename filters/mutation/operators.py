"""Mutation operators: what a small slip would have written instead of a piece of a program."""

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Change(NamedTuple):
    """Another node in the place of one, by the name of the operator that made it.

    A `node` of None means that the statement is left out.
    """

    operator: str
    node: ast.AST | None


Changes = Iterator[Change]

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE, ast.NotEq),
    ast.LtE: (ast.Lt, ast.Gt, ast.Eq),
    ast.Gt: (ast.GtE, ast.LtE, ast.NotEq),
    ast.GtE: (ast.Gt, ast.Lt, ast.Eq),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv, ast.Pow),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
# Calls that a slip forgets: of these only the first argument, or the object, is left.
WRAPPERS = {
    *("abs", "bool", "enumerate", "float", "frozenset", "int", "list", "reversed", "round", "set"),
    *("sorted", "str", "tuple"),
}
CLEANERS = {
    *("capitalize", "casefold", "copy", "lower", "lstrip", "replace", "rstrip", "strip"),
    *("swapcase", "title", "upper", "zfill"),
}
TWINS = (
    *(("min", "max"), ("any", "all"), ("lower", "upper"), ("startswith", "endswith")),
    *(("find", "rfind"), ("lstrip", "rstrip"), ("ljust", "rjust"), ("append", "extend")),
    *(("isupper", "islower"), ("union", "intersection"), ("keys", "values"), ("ceil", "floor")),
    *(("isalpha", "isalnum"), ("isdigit", "isalnum"), ("removeprefix", "removesuffix")),
)
TWIN = {a: b for pair in TWINS for a, b in (pair, pair[::-1])}
ONE = ast.Constant(1)


def changes(node: ast.AST) -> Changes:
    """Yield what may stand in the place of a statement or an expression."""
    for kind, change in OPERATORS:
        if isinstance(node, kind):
            yield from change(node)


def conditions(test: ast.expr) -> Changes:
    """Yield other conditions for a branch: turned, always true, never true."""
    if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
        yield Change("condition", ast.UnaryOp(ast.Not(), test))
    yield Change("condition", ast.Constant(True))
    yield Change("condition", ast.Constant(False))


def _comparison(node: ast.Compare) -> Changes:
    for place, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield Change("comparison", ast.Compare(node.left, ops, node.comparators))


def _arithmetic(node: ast.BinOp) -> Changes:
    for other in ARITHMETIC.get(type(node.op), ()):
        yield Change("arithmetic", ast.BinOp(node.left, other(), node.right))
    yield Change("operand", node.left)
    yield Change("operand", node.right)


def _boolean(node: ast.BoolOp) -> Changes:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Change("boolean", ast.BoolOp(other, node.values))
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield Change("boolean", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))


def _unary(node: ast.UnaryOp) -> Changes:
    if not isinstance(node.operand, ast.Constant) or isinstance(node.op, ast.Not):
        yield Change("unary", node.operand)


def _constant(node: ast.Constant) -> Changes:
    value = node.value
    if isinstance(value, bool):
        yield Change("constant", ast.Constant(not value))
    elif isinstance(value, int | float):
        yield Change("constant", _plus(node, 1))
        yield Change("constant", _plus(node, -1))
    elif isinstance(value, str):
        yield Change("text", ast.Constant(value + "x"))
        if value:
            yield Change("text", ast.Constant(""))
        if value.swapcase() != value:
            yield Change("text", ast.Constant(value.swapcase()))
        if len(value) > 1:
            yield Change("text", ast.Constant(value[1:]))
            yield Change("text", ast.Constant(value[:-1]))


def _plus(node: ast.expr, step: int) -> ast.expr:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        value = node.value + step
        return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.BinOp(node, ast.Add() if step > 0 else ast.Sub(), ONE)


def _display(node: ast.List | ast.Tuple | ast.Set) -> Changes:
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    if isinstance(node, ast.List) and not node.elts:
        yield Change("constant", ast.List([ast.Constant(None)], ast.Load()))
    for place in range(len(node.elts)):
        rest = [*node.elts[:place], *node.elts[place + 1 :]]
        if not isinstance(node, ast.Set) or rest:
            again = type(node)(rest) if isinstance(node, ast.Set) else type(node)(rest, node.ctx)
            yield Change("constant", again)


def _subscript(node: ast.Subscript) -> Changes:
    if not isinstance(node.ctx, ast.Load):
        return
    if not isinstance(node.slice, ast.Slice):
        if not isinstance(node.slice, ast.Constant | ast.UnaryOp | ast.Tuple):
            for step in (1, -1):
                yield Change("index", ast.Subscript(node.value, _plus(node.slice, step), node.ctx))
        return
    for part in ("lower", "upper", "step"):
        for other in _bounds(part, getattr(node.slice, part)):
            bounds = {name: getattr(node.slice, name) for name in ("lower", "upper", "step")}
            again = ast.Slice(**{**bounds, part: other})
            yield Change("slice", ast.Subscript(node.value, again, node.ctx))


def _bounds(part: str, bound: ast.expr | None) -> Iterator[ast.expr | None]:
    """Yield other lower and upper bounds and steps of a slice."""
    if bound is not None:
        yield None
        if part != "step" and not isinstance(bound, ast.Constant):
            yield from (_plus(bound, 1), _plus(bound, -1))
    elif part != "step":
        yield ONE if part == "lower" else ast.UnaryOp(ast.USub(), ONE)


def _call(node: ast.Call) -> Changes:
    plain = [each for each in node.args if not isinstance(each, ast.Starred)]
    match node.func:
        case ast.Name("range"):
            yield from _range(node)
        case ast.Name(name) if name in WRAPPERS and plain:
            yield Change("call", plain[0])
        case ast.Attribute(inner, name) if name in CLEANERS:
            yield Change("call", inner)
    yield from _twin(node)
    if len(plain) == len(node.args) > 1:
        swapped = [node.args[1], node.args[0], *node.args[2:]]
        yield Change("arguments", ast.Call(node.func, swapped, node.keywords))
    for place in range(len(node.keywords)):
        rest = [*node.keywords[:place], *node.keywords[place + 1 :]]
        yield Change("arguments", ast.Call(node.func, node.args, rest))


def _range(node: ast.Call) -> Changes:
    for place, bound in enumerate(node.args[:2]):
        if not isinstance(bound, ast.Constant | ast.Starred):
            for step in (1, -1):
                bounds = [*node.args[:place], _plus(bound, step), *node.args[place + 1 :]]
                yield Change("range", ast.Call(node.func, bounds, node.keywords))
    if len(node.args) == 1:
        yield Change("range", ast.Call(node.func, [ONE, *node.args], node.keywords))


def _twin(node: ast.Call) -> Changes:
    match node.func:
        case ast.Name(name) if name in TWIN:
            other: ast.expr = ast.Name(TWIN[name], ast.Load())
        case ast.Attribute(inner, name) if name in TWIN:
            other = ast.Attribute(inner, TWIN[name], ast.Load())
        case _:
            return
    yield Change("call", ast.Call(other, node.args, node.keywords))


def _choice(node: ast.IfExp) -> Changes:
    yield Change("choice", node.body)
    yield Change("choice", node.orelse)
    yield Change("choice", ast.IfExp(node.test, node.orelse, node.body))


def _augmented(node: ast.AugAssign) -> Changes:
    for other in ARITHMETIC.get(type(node.op), ()):
        yield Change("arithmetic", ast.AugAssign(node.target, other(), node.value))
    yield Change("operand", ast.Assign([node.target], node.value, lineno=node.lineno))


def _removed(node: ast.stmt) -> Changes:
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        yield Change("statement", None)


def _jump(node: ast.Break | ast.Continue) -> Changes:
    yield Change("jump", ast.Continue() if isinstance(node, ast.Break) else ast.Break())


def _returned(node: ast.Return) -> Changes:
    if node.value is not None and not _is_none(node.value):
        yield Change("return", ast.Return(ast.Constant(None)))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


REMOVABLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Raise)
OPERATORS: tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], Callable[..., Changes]], ...] = (
    (ast.Compare, _comparison),
    (ast.BinOp, _arithmetic),
    (ast.BoolOp, _boolean),
    (ast.UnaryOp, _unary),
    (ast.Constant, _constant),
    ((ast.List, ast.Tuple, ast.Set), _display),
    (ast.Subscript, _subscript),
    (ast.Call, _call),
    (ast.IfExp, _choice),
    (ast.AugAssign, _augmented),
    ((*REMOVABLE, ast.Break, ast.Continue, ast.Delete), _removed),
    ((ast.Break, ast.Continue), _jump),
    (ast.Return, _returned),
)
