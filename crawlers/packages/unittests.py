"""Calls and outcomes in the source of unit tests, read as data: nothing of it is executed.

Understood are assertions of `unittest` on one call of a function with values that are written out,
or named by a variable that was assigned such a value. Everything else is passed over.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

LONGEST = 1 << 16  # characters or items of a value that is computed, such as "a" * 100
EQUALITIES = {
    *("assertEqual", "assertEquals", "assertIs", "assertMultiLineEqual", "assertSequenceEqual"),
    *("assertListEqual", "assertTupleEqual", "assertDictEqual", "assertSetEqual"),
}
GIVEN = {"assertTrue": True, "assertFalse": False, "assertIsNone": None}
RAISES = {"assertRaises", "assertRaisesRegex", "assertRaisesWithMessage"}
How = Literal["equal", "unordered", "close"]


class Invocation(NamedTuple):
    """A call of something that the tested module has, with plain values."""

    function: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Tested(NamedTuple):
    """A call and what a test says of it: its result, or the name of what it raises."""

    call: Invocation
    out: Any
    raises: str = ""
    how: How = "equal"
    tolerance: float = 0.0


class Unreadable(Exception):
    """An expression is no plain value."""


class Names(NamedTuple):
    """What names mean in the tests: of the tested module, by their names there, and values."""

    module: str
    imported: Mapping[str, str]
    values: dict[str, Any]


def tested(tree: ast.Module, module: str, constants: Mapping[str, Any]) -> Iterator[Tested]:
    """Yield what the tests in a file say, in order.

    Args:
        tree: the file.
        module: the name of the tested module.
        constants: the tested module's own constants by name.
    """
    imported = _imported(tree, module)
    values = {f"{module}.{name}": value for name, value in constants.items()}
    values |= {ours: constants[name] for ours, name in imported.items() if name in constants}
    names = Names(module, imported, values)
    assign(tree.body, names)
    for kind in tree.body:
        if isinstance(kind, ast.ClassDef) and not kind.decorator_list:
            for test in kind.body:
                if isinstance(test, ast.FunctionDef) and _is_test(test):
                    yield from _assertions(test.body, names._replace(values=dict(values)))


def _is_test(node: ast.FunctionDef) -> bool:
    """Say whether this is a test that nothing is handed to, such as mock objects."""
    handed = node.decorator_list or len(node.args.args) != 1
    return node.name.startswith("test") and not handed


def _imported(tree: ast.Module, module: str) -> dict[str, str]:
    return {
        alias.asname or alias.name: alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == module
        for alias in node.names
    }


def assign(body: Sequence[ast.stmt], names: Names) -> None:
    """Keep the values of plain assignments in `names`; what can't be read is forgotten."""
    for node in body:
        if isinstance(node, ast.Assign) and all(isinstance(to, ast.Name) for to in node.targets):
            targets = [to.id for to in node.targets if isinstance(to, ast.Name)]
            try:
                names.values.update(dict.fromkeys(targets, value(node.value, names)))
            except Unreadable:
                for name in targets:
                    names.values.pop(name, None)


def _assertions(body: Sequence[ast.stmt], names: Names) -> Iterator[Tested]:
    """Yield what one test says, up to the first statement whose effect isn't known."""
    for node in body:
        try:
            match node:
                case ast.Assign():
                    assign([node], names)
                case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name), arguments)):
                    yield _assertion(name, arguments, node.value, names)
                case ast.With([ast.withitem(ast.Call(ast.Attribute(ast.Name("self"), name)) as c)]):
                    yield _raising(name, c, node.body, names)
                case ast.Expr(ast.Constant()):
                    pass
                case _:
                    return
        except Unreadable:
            continue


def _assertion(name: str, given: list[ast.expr], node: ast.expr, names: Names) -> Tested:
    values = [value(each, names) for each in given]
    calls = [each for each in values if isinstance(each, Invocation)]
    if len(calls) != 1:
        raise Unreadable(name)
    call = calls[0]
    if name in GIVEN:
        return Tested(call, GIVEN[name])
    others = [each for each in values[:2] if each is not call]
    if len(others) != 1:
        raise Unreadable(name)
    out = others[0]
    if name in EQUALITIES:
        return Tested(call, out)
    if name == "assertCountEqual":
        return Tested(call, list(out), how="unordered")
    if name == "assertAlmostEqual":
        return Tested(call, out, how="close", tolerance=_tolerance(node, values[2:], names))
    raise Unreadable(name)


def _tolerance(node: ast.expr, places: list[Any], names: Names) -> float:
    """Return the difference that `assertAlmostEqual` allows: 7 decimal places unless it says."""
    if not isinstance(node, ast.Call):
        raise Unreadable
    words = {word.arg: value(word.value, names) for word in node.keywords}
    if isinstance(words.get("delta"), (int, float)):
        return float(words["delta"])
    count = words.get("places", places[0] if places else 7)
    if not isinstance(count, int) or not 0 <= count <= 15:
        raise Unreadable("places")
    return 0.5 * 10.0**-count


def _raising(name: str, manager: ast.Call, body: list[ast.stmt], names: Names) -> Tested:
    match body:
        case [ast.Expr(ast.Call() as call)] | [ast.Assign(value=ast.Call() as call)]:
            found = value(call, names)
        case _:
            raise Unreadable(name)
    error = manager.args[0] if manager.args else None
    if name not in RAISES or not isinstance(found, Invocation) or not isinstance(error, ast.Name):
        raise Unreadable(name)
    return Tested(found, None, raises=names.imported.get(error.id, error.id))


def value(node: ast.expr, names: Names) -> Any:
    """Return the value of an expression, or an `Invocation` of something in the tested module.

    Raises:
        Unreadable: it is anything else.
    """
    match node:
        case ast.Constant():
            return node.value
        case ast.Name(name) if name in names.values:
            return names.values[name]
        case ast.Attribute(ast.Name(name), attribute) if f"{name}.{attribute}" in names.values:
            return names.values[f"{name}.{attribute}"]
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
            return _computed(kind, [_plain(item, names) for item in items])
        case ast.Dict(keys, values):
            pairs = [
                (_plain(k, names), _plain(v, names)) for k, v in zip(keys, values, strict=True)
            ]
            return _computed(dict, pairs)
        case ast.UnaryOp(ast.USub(), operand):
            return _computed(lambda number: -number, _plain(operand, names))
        case ast.BinOp(left, ast.Add(), right):
            return _computed(lambda a, b: a + b, _plain(left, names), _plain(right, names))
        case ast.BinOp(left, ast.Mult(), right):
            return _times(_plain(left, names), _plain(right, names))
        case ast.Call():
            return _call(node, names)
    raise Unreadable(ast.dump(node))


def _plain(node: ast.expr | None, names: Names) -> Any:
    if node is None:
        raise Unreadable("another dictionary within one")
    found = value(node, names)
    if isinstance(found, Invocation):
        raise Unreadable("a call within a value")
    return found


def _computed(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise Unreadable(str(error)) from error


def _times(a: Any, b: Any) -> Any:
    """Multiply, unless the product is long: what is written small must stay small."""
    for many, times in ((a, b), (b, a)):
        countable = isinstance(many, (str, list, tuple)) and isinstance(times, int)
        if countable and len(many) * times > LONGEST:
            raise Unreadable("a long product")
    return _computed(lambda: a * b)


def _call(node: ast.Call, names: Names) -> Any:
    match node.func:
        case ast.Attribute(ast.Constant(str(glue)), "join"):
            return _computed(glue.join, *(_plain(each, names) for each in node.args))
        case ast.Name("set") if not node.args:
            return set()
        case ast.Name(name) if name in names.imported:
            function = names.imported[name]
        case ast.Attribute(ast.Name(name), function) if name == names.module:
            pass
        case _:
            raise Unreadable("a call of something else")
    if any(word.arg is None for word in node.keywords):
        raise Unreadable("keywords from a dictionary")
    words = {word.arg: _plain(word.value, names) for word in node.keywords if word.arg}
    return Invocation(function, tuple(_plain(each, names) for each in node.args), words)
