"""Constant expressions of Python source, read as data: nothing is run."""

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from thresher.errors import SourceError

LARGEST_POWER = 4096  # bits
_SIGNS: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
_SUMS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}
_MAKERS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind for kind in (dict, float, frozenset, list, set, tuple)
}


def constant(node: ast.expr) -> Any:
    """Return the value of an expression made of literals, sums of numbers, ``set()`` and the like.

    Raises:
        SourceError: ``opaque-test``, naming what stands there and is no constant.
    """
    try:
        return _value(node)
    except (ArithmeticError, TypeError, ValueError, RecursionError) as error:
        raise _opaque(node, str(error)) from None


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value):
            return value
        case ast.List(items):
            return list(map(_value, items))
        case ast.Tuple(items):
            return tuple(map(_value, items))
        case ast.Set(items):
            return set(map(_value, items))
        case ast.Dict(keys, values) if None not in keys:
            return {_value(k): _value(v) for k, v in zip(keys, values, strict=True) if k}
        case ast.UnaryOp(op, operand) if type(op) in _SIGNS:
            return _SIGNS[type(op)](_value(operand))
        case ast.BinOp(left, op, right) if type(op) in _SUMS:
            return _sum(op, _value(left), _value(right))
        case ast.Call(ast.Name(name), arguments, []) if name in _MAKERS and len(arguments) < 2:
            return _MAKERS[name](*map(_value, arguments))
    raise _opaque(node, "it is no constant")


def _sum(op: ast.operator, left: Any, right: Any) -> Any:
    """Work out what is small enough: sums of numbers, and texts or lists put together."""
    if isinstance(op, ast.Add) and type(left) is type(right):
        return left + right
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        raise TypeError("only sums of numbers are worked out")
    if isinstance(op, ast.Pow) and abs(right) * math.log2(abs(left) or 1) > LARGEST_POWER:
        raise ValueError("the number is too large")
    return _SUMS[type(op)](left, right)


def _opaque(node: ast.expr, why: str) -> SourceError:
    return SourceError("opaque-test", f"line {node.lineno}, {_shown(node)}: {why}")


def _shown(node: ast.expr) -> str:
    try:
        return ast.unparse(node)[:80]
    except RecursionError:
        return "a deep expression"
