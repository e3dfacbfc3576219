"""Calls and outcomes in the source of unit tests, read as data: nothing of it is executed.

Understood are assertions of `unittest` on one call of a function with values that are written out,
or named by a variable that was assigned such a value. Everything else is passed over.
"""

import ast
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from thresher.crawlers.packages.expressions import Invocation, Names, Unreadable, value

EQUALITIES = {
    *("assertEqual", "assertEquals", "assertIs", "assertMultiLineEqual", "assertSequenceEqual"),
    *("assertListEqual", "assertTupleEqual", "assertDictEqual", "assertSetEqual"),
}
GIVEN = {"assertTrue": True, "assertFalse": False, "assertIsNone": None}
RAISES = {"assertRaises", "assertRaisesRegex", "assertRaisesWithMessage"}
How = Literal["equal", "unordered", "close"]


class Check(NamedTuple):
    """A call and what a test says of it: its result, or the name of what it raises."""

    call: Invocation
    out: Any
    raises: str = ""
    how: How = "equal"
    tolerance: float = 0.0


def checks(tree: ast.Module, module: str, constants: Mapping[str, Any]) -> Iterator[Check]:
    """Yield what the tests in a file say, in order.

    Args:
        tree: the file.
        module: the name of the tested module.
        constants: the tested module's own constants by name.
    """
    imported = imports(tree, module)
    values = {f"{module}.{name}": constant for name, constant in constants.items()}
    values |= {ours: constants[name] for ours, name in imported.items() if name in constants}
    names = Names(module, imported, imports(tree, "datetime"), values)
    names = assigned(tree.body, names)
    for kind in tree.body:
        if isinstance(kind, ast.ClassDef) and not kind.decorator_list:
            for test in kind.body:
                if isinstance(test, ast.FunctionDef) and _is_test(test):
                    yield from _assertions(test.body, names)


def imports(tree: ast.Module, module: str) -> dict[str, str]:
    """Return the names that a file takes from `module`, to what they are called there."""
    return {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == module
        for alias in node.names
    }


def assigned(body: Sequence[ast.stmt], names: Names) -> Names:
    """Return `names` with the values of plain assignments; what can't be read is forgotten."""
    values = dict(names.values)
    for node in body:
        if isinstance(node, ast.Assign):
            places = [place for target in node.targets for place in ast.walk(target)]
            targets = [place.id for place in places if isinstance(place, ast.Name)]
            known = names._replace(values=dict(values))
            for name in targets:
                values.pop(name, None)
            with contextlib.suppress(Unreadable):
                if len(places) == 2 * len(targets):  # each a name and its context
                    values.update(dict.fromkeys(targets, value(node.value, known)))
    return names._replace(values=values)


def _is_test(node: ast.FunctionDef) -> bool:
    """Say whether this is a test that nothing is handed to, such as mock objects."""
    handed = node.decorator_list or len(node.args.args) != 1
    return node.name.startswith("test") and not handed


def _assertions(body: Sequence[ast.stmt], names: Names) -> Iterator[Check]:
    """Yield what one test says, up to the first statement whose effect isn't known."""
    for node in body:
        try:
            match node:
                case ast.Assign():
                    names = assigned([node], names)
                case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name)) as call):
                    yield _assertion(name, call, names)
                case ast.With([ast.withitem(ast.Call(ast.Attribute(ast.Name("self"), name)) as c)]):
                    yield _raising(name, c, node.body, names)
                case ast.Expr(ast.Constant()):
                    pass
                case _:
                    return
        except Unreadable:
            continue


def _assertion(name: str, node: ast.Call, names: Names) -> Check:
    values = [value(each, names) for each in node.args]
    calls = [each for each in values if isinstance(each, Invocation)]
    if len(calls) != 1:
        raise Unreadable(name)
    if name in GIVEN:
        return Check(calls[0], GIVEN[name])
    others = [each for each in values[:2] if each is not calls[0]]
    if len(others) != 1:
        raise Unreadable(name)
    if name in EQUALITIES:
        return Check(calls[0], others[0])
    if name == "assertCountEqual" and isinstance(others[0], (list, tuple, set)):
        return Check(calls[0], list(others[0]), how="unordered")
    if name == "assertAlmostEqual":
        tolerance = _tolerance(node, values[2:], names)
        return Check(calls[0], others[0], how="close", tolerance=tolerance)
    raise Unreadable(name)


def _tolerance(node: ast.Call, places: list[Any], names: Names) -> float:
    """Return the difference that `assertAlmostEqual` allows: 7 decimal places unless it says."""
    words = {word.arg: value(word.value, names) for word in node.keywords}
    if isinstance(words.get("delta"), (int, float)):
        return float(words["delta"])
    count = words.get("places", places[0] if places else 7)
    if not isinstance(count, int) or not 0 <= count <= 15:
        raise Unreadable("places")
    return 0.5 * 10.0**-count


def _raising(name: str, manager: ast.Call, body: list[ast.stmt], names: Names) -> Check:
    match body:
        case [ast.Expr(ast.Call() as call)] | [ast.Assign(value=ast.Call() as call)]:
            found = value(call, names)
        case _:
            raise Unreadable(name)
    error = manager.args[0] if manager.args else None
    if name not in RAISES or not isinstance(found, Invocation) or not isinstance(error, ast.Name):
        raise Unreadable(name)
    return Check(found, None, raises=names.imported.get(error.id, error.id))
