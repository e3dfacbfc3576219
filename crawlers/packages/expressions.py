"""The values of Python expressions that are written out, and calls with such values: as data.

Nothing is executed but the arithmetic of plain values, and that within bounds.
"""

import ast
import datetime
import operator
from collections.abc import Mapping
from typing import Any, NamedTuple

LONGEST = 1 << 20  # characters and items in a value, each as often as it is shown
BIT = 100  # as many characters: integers of more than 4300 digits can't be written
DATES: dict[str, Any] = {"date": datetime.date, "datetime": datetime.datetime}
KINDS: dict[type[ast.AST], Any] = {ast.List: list, ast.Tuple: tuple, ast.Set: set}
SIGNS: dict[type[ast.AST], Any] = {
    **{ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_},
    **{ast.Add: operator.add, ast.Sub: operator.sub},
    **{ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv},
}
MAKERS: dict[str, Any] = {kind.__name__: kind for kind in (float, frozenset, list, set, tuple)}


class Invocation(NamedTuple):
    """A call of something that the tested module has, with plain values."""

    function: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Unreadable(Exception):
    """An expression is no plain value."""


class Names(NamedTuple):
    """What names mean: those taken from the tested module and from `datetime`, and values."""

    module: str = ""
    imported: Mapping[str, str] = {}
    dates: Mapping[str, str] = {}
    values: Mapping[str, Any] = {}


def value(node: ast.expr | None, names: Names) -> Any:
    """Return the value of an expression, or an `Invocation` of something in the tested module.

    Raises:
        Unreadable: it is anything else.
    """
    match node:
        case ast.Constant():
            _bounded(_weight(node.value))
            return node.value
        case ast.Name() | ast.Attribute():
            return _named(node, names)
        case ast.List() | ast.Tuple() | ast.Set():
            return _computed(KINDS[type(node)], [plain(item, names) for item in node.elts])
        case ast.Dict():
            sides = [[plain(each, names) for each in side] for side in (node.keys, node.values)]
            return _computed(dict, zip(*sides, strict=True))
        case ast.Subscript():
            return _computed(operator.getitem, plain(node.value, names), _place(node.slice, names))
        case ast.UnaryOp(sign, operand) if type(sign) in SIGNS:
            return _computed(SIGNS[type(sign)], plain(operand, names))
        case ast.BinOp():
            return _combined(node.op, plain(node.left, names), plain(node.right, names))
        case ast.Call():
            return _call(node, names)
    raise Unreadable(type(node).__name__)


def plain(node: ast.expr | None, names: Names) -> Any:
    """Return the value of an expression that calls nothing of the tested module.

    Raises:
        Unreadable: it has no such value.
    """
    found = value(node, names)
    if isinstance(found, Invocation):
        raise Unreadable("a call within a value")
    return found


def _named(node: ast.Name | ast.Attribute, names: Names) -> Any:
    try:
        return names.values[ast.unparse(node)]
    except KeyError as error:
        raise Unreadable(f"unknown: {error}") from error


def _place(node: ast.expr, names: Names) -> Any:
    if not isinstance(node, ast.Slice):
        return plain(node, names)
    bounds = (node.lower, node.upper, node.step)
    return slice(*(plain(bound, names) if bound else None for bound in bounds))


def _combined(sign: ast.operator, a: Any, b: Any) -> Any:
    """Add, multiply and so on, unless it gets long: what is written small must stay small."""
    if isinstance(sign, ast.Mult):
        for many, times in ((a, b), (b, a)):
            if isinstance(many, (str, bytes, list, tuple)) and isinstance(times, int):
                _bounded(_weight(many) * times, "a long product")
        return _computed(operator.mul, a, b)
    if isinstance(sign, ast.Pow) and isinstance(a, int) and isinstance(b, int):
        _bounded(_weight(a) * abs(b), "a long power")
        return _computed(operator.pow, a, b)
    if type(sign) not in SIGNS:
        raise Unreadable(type(sign).__name__)
    return _computed(SIGNS[type(sign)], a, b)


def _weight(found: Any) -> int:
    """Return the size of a value, as `LONGEST` counts it, or more than that."""
    total, rest = 0, [found]
    while rest and total <= LONGEST:
        each = rest.pop()
        total += len(each) if isinstance(each, (str, bytes)) else 1
        total += each.bit_length() * BIT if isinstance(each, int) else 0
        if isinstance(each, dict):
            rest += [*each.keys(), *each.values()]
        elif isinstance(each, (list, tuple, set, frozenset)):
            rest += each
    return total


def _bounded(weight: int, what: str = "a long value") -> None:
    if weight > LONGEST:
        raise Unreadable(what)


def _computed(function: Any, *arguments: Any) -> Any:
    try:
        found = function(*arguments)
    except (TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise Unreadable(str(error)) from error
    _bounded(_weight(found))
    return found


def _call(node: ast.Call, names: Names) -> Any:
    args = tuple(plain(each, names) for each in node.args)
    if any(word.arg is None for word in node.keywords):
        raise Unreadable("keywords from a dictionary")
    words = {word.arg: plain(word.value, names) for word in node.keywords if word.arg}
    match node.func:
        case ast.Attribute(ast.Constant(str(glue)), "join") if len(args) == 1:
            _bounded(_weight(args) * (1 + len(glue)))
            return _computed(glue.join, *args)
        case ast.Name(name) if name in MAKERS and name not in names.imported and len(args) < 2:
            return _computed(MAKERS[name], *args)
        case ast.Name(name) if names.dates.get(name) in DATES:
            return _computed(DATES[names.dates[name]], *args)
        case ast.Name(name) if name in names.imported:
            return Invocation(names.imported[name], args, words)
        case ast.Attribute(ast.Name(module), function) if module == names.module:
            return Invocation(function, args, words)
    raise Unreadable("a call of something else")
