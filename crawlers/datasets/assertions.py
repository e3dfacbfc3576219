"""Tests that assert what a function gives, read as calls: nothing is run."""

import ast
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

from thresher.crawlers.packages.expressions import Invocation, Names, Unreadable, plain, value
from thresher.errors import SourceError
from thresher.store.records import Comparator

WRAPPERS = {"list", "tuple"}  # around both sides: the answer is what both hold
RELATIVE, ABSOLUTE = 1e-7, 1e-6  # of floats in tests that give `inputs` and `results`
LAST_DIGITS = 1e-12  # in which floats differ that were worked out in another order


class Told(NamedTuple):
    """One assertion: arguments by position and by name, the answer, and how near it must be."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    out: Any
    near: Comparator = Comparator()


class Asserted(NamedTuple):
    """What a test says: its calls in order, and one comparator for all of them.

    `from_table` where they stand in tables of inputs and results, as in HumanEval+.
    """

    told: tuple[Told, ...]
    comparator: Comparator
    evidence: str
    from_table: bool = False


def parsed(source: str) -> ast.Module:
    """Parse Python source.

    Raises:
        SourceError: ``bad-python``, it isn't any, or is nested too deeply.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes and the like in a stranger's source
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SourceError("bad-python", f"the source isn't Python 3 ({error})") from None


def in_check(source: str) -> Asserted:
    """Read the assertions of ``check(candidate)`` in a test of the HumanEval form.

    Raises:
        SourceError: ``opaque-test``, naming what can't be read as a call and its answer;
            ``no-tests``, nothing is asserted.
    """
    checks = [
        node
        for node in parsed(source).body
        if isinstance(node, ast.FunctionDef) and node.name == "check" and node.args.args
    ]
    if not checks:
        raise SourceError("opaque-test", "the test doesn't define check(candidate)")
    return told(checks[-1].body, checks[-1].args.args[0].arg)


def told(body: Sequence[ast.stmt], function: str) -> Asserted:
    """Read statements that assert what a function gives; see `in_check`."""
    tables = {
        node.targets[0].id: node.value
        for node in body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    from_table = tables.keys() == {"inputs", "results"}
    if from_table:
        calls = _table(body, function, _constant(tables["inputs"]), _constant(tables["results"]))
    else:
        calls = [_told(node, function) for node in body if not _says_nothing(node)]
    if not calls:
        raise SourceError("no-tests", "the test asserts nothing")
    return Asserted(tuple(calls), *_comparator(calls), from_table)


def _says_nothing(node: ast.stmt) -> bool:
    match node:
        case ast.Pass() | ast.Expr(ast.Constant() | ast.Name()) | ast.Assert(ast.Constant(True)):
            return True
    return False


def _told(node: ast.stmt, function: str) -> Told:
    if not isinstance(node, ast.Assert):
        raise _opaque(node, f"{type(node).__name__.lower()} isn't an assertion")
    match node.test:
        case ast.Compare(left, [ast.Eq() | ast.Is()], [right]):
            return _equation(left, right, function)
        case ast.Compare(
            ast.Call(ast.Name("abs"), [ast.BinOp(left, ast.Sub(), right)]),
            [ast.Lt() | ast.LtE()],
            [bound],
        ):
            near = Comparator(kind="float", absolute=_number(bound))
            return _call(left, function)._replace(out=_constant(right), near=near)
        case ast.Call(ast.Attribute(ast.Name("math"), "isclose"), [left, right], keywords):
            near = _isclose({str(each.arg): _number(each.value) for each in keywords})
            return _call(left, function)._replace(out=_constant(right), near=near)
        case ast.UnaryOp(ast.Not(), call):
            return _call(call, function)._replace(out=False)
        case call:
            return _call(call, function)


def _equation(left: ast.expr, right: ast.expr, function: str) -> Told:
    match left, right:
        case ast.Call(ast.Name(one), [inner], []), ast.Call(ast.Name(other), [answer], []) if (
            one == other and one in WRAPPERS
        ):
            return _call(inner, function)._replace(out=_constant(answer))
        case ast.Call(ast.Name("sorted"), [inner], []), ast.Call(ast.Name("sorted"), [answer], []):
            near = Comparator(kind="unordered")
            return _call(inner, function)._replace(out=_constant(answer), near=near)
    return _call(left, function)._replace(out=_constant(right))


def _call(node: ast.expr, function: str) -> Told:
    """Read a call of the function, whose answer is true until more is said."""
    try:
        found = value(node, Names(imported={function: function}))
    except (Unreadable, RecursionError) as error:
        raise _opaque(node, str(error)) from None
    if not isinstance(found, Invocation):
        raise _opaque(node, f"it is no call of {function}")
    return Told(found.args, found.kwargs, True)


def _constant(node: ast.expr) -> Any:
    try:
        return plain(node, Names())
    except (Unreadable, RecursionError) as error:
        raise _opaque(node, str(error)) from None


def _number(node: ast.expr) -> float:
    found = _constant(node)
    if not isinstance(found, int | float):
        raise _opaque(node, "a tolerance is no number")
    return float(found)


def _isclose(tolerances: dict[str, float]) -> Comparator:
    relative, absolute = tolerances.get("rel_tol", 1e-9), tolerances.get("abs_tol", 0.0)
    return Comparator(kind="float", relative=relative, absolute=absolute)


def _table(body: Sequence[ast.stmt], function: str, inputs: Any, results: Any) -> list[Told]:
    """Read the form that goes through `inputs` and `results` with ``assertion(f(*inp), exp, N)``.

    Its assertions let floats be as near as `RELATIVE` and `ABSOLUTE`.
    """
    match [node for node in body if not isinstance(node, ast.Assign)]:
        case [
            ast.For(
                body=[
                    ast.Expr(
                        ast.Call(
                            ast.Name("assertion"),
                            [ast.Call(ast.Name(name), [ast.Starred()]), ast.Name(), bound],
                        )
                    )
                ]
            )
        ] if name == function and isinstance(inputs, list) and isinstance(results, list):
            if len(inputs) == len(results) and all(isinstance(given, list) for given in inputs):
                near = _near(results, _number(bound))
                return [Told(tuple(g), {}, r, near) for g, r in zip(inputs, results, strict=True)]
    raise _opaque(body[-1], "the loop does more than compare")


def _near(results: list[Any], absolute: float) -> Comparator:
    if not any(map(_has_floats, results)):
        return Comparator()
    return Comparator(kind="float", relative=RELATIVE, absolute=absolute or ABSOLUTE)


def _has_floats(value: Any) -> bool:
    return isinstance(value, float) or (
        isinstance(value, list | tuple) and any(map(_has_floats, value))
    )


def _comparator(told: Sequence[Told]) -> tuple[Comparator, str]:
    """Choose the strictest of the comparators that stand in the test, and say where it is from."""
    kinds = {each.near.kind for each in told if each.near.kind != "exact"}
    if not kinds and any(_has_floats(each.out) for each in told):
        return Comparator(kind="float", relative=LAST_DIGITS), "the last digits of a float are open"
    if not kinds:
        return Comparator(), ""
    if len(kinds) > 1:
        raise SourceError("opaque-test", f"the test compares in several ways: {sorted(kinds)}")
    near = [each.near for each in told if each.near.kind != "exact"]
    strictest = min(near, key=lambda each: (each.absolute, each.relative))
    return strictest, "the test allows for it"


def _opaque(node: ast.stmt | ast.expr, why: str) -> SourceError:
    try:
        shown = ast.unparse(node)[:80]
    except RecursionError:
        shown = "a deep expression"
    return SourceError("opaque-test", f"line {node.lineno} of the test, {shown}: {why}")
