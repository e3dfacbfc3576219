"""Top-level branches that are decided before a program runs: by type checkers, version, platform.

Where one of them imports what a program alone can't have, only the branch that runs is kept.
"""

import ast
import copy
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from thresher.tracer.extraction.source import last_line

_KNOWN = {"TYPE_CHECKING": False, "PY2": False, "PY3": True, "WIN": False, "WINDOWS": False}
_PLATFORM = {"sys.platform": "linux", "os.name": "posix"}
_OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def flattened(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, those of decided branches in the place of the whole.

    What ``if TYPE_CHECKING:`` guards stays as a statement without its ``else``.
    """
    for node in body:
        if not isinstance(node, ast.If) or not _is_split(node):
            yield node
            continue
        if _is_typing_test(node.test):
            guard = copy.copy(node)
            guard.orelse, guard.end_lineno = [], last_line(node.body[-1])
            yield guard
        yield from flattened(node.body if decided(node.test) else node.orelse)


def _is_typing_test(test: ast.expr) -> bool:
    return _last_name(test) == "TYPE_CHECKING"


def decided(test: ast.expr) -> bool | None:
    """Return what a test gives on the Python that runs this, under Linux; None if it depends."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = decided(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        found = [decided(each) for each in test.values]
        decisive = isinstance(test.op, ast.Or)
        if decisive in found:
            return decisive
        return None if None in found else not decisive
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test.left, test.ops[0], test.comparators[0])
    if isinstance(test, ast.Call) and ast.unparse(test.func) == "sys.platform.startswith":
        prefix = test.args[0] if test.args else None
        is_text = isinstance(prefix, ast.Constant) and isinstance(prefix.value, str)
        return "linux".startswith(prefix.value) if is_text else None  # type: ignore[union-attr]
    return _KNOWN.get(_last_name(test))


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool | None:
    name = ast.unparse(left)
    compare = _OPERATORS.get(type(op))
    try:
        wanted = ast.literal_eval(right)
    except ValueError:
        return None
    versions = {
        "sys.version_info": tuple(sys.version_info[: len(wanted)])
        if isinstance(wanted, tuple)
        else None,
        "sys.version_info[0]": sys.version_info[0],
        "sys.version_info.major": sys.version_info[0],
        "sys.version_info[:2]": sys.version_info[:2],
    }
    known = {**_PLATFORM, **versions}.get(name)
    if compare is None or type(known) is not type(wanted):
        return None
    return compare(known, wanted)


def _is_split(node: ast.If) -> bool:
    if _is_typing_test(node.test):
        return bool(node.orelse)
    answer = decided(node.test)
    if answer is None:
        return False
    gone = node.orelse if answer else node.body
    return any(_is_foreign(inner) for each in gone for inner in ast.walk(each))


def _is_foreign(node: ast.AST) -> bool:
    """Tell whether `node` imports anything but the standard library."""
    if isinstance(node, ast.ImportFrom):
        return bool(node.level) or (node.module or "").split(".")[0] not in sys.stdlib_module_names
    names = [alias.name.split(".")[0] for alias in getattr(node, "names", [])]
    return isinstance(node, ast.Import) and not sys.stdlib_module_names.issuperset(names)


def _last_name(node: ast.expr) -> str:
    name: str = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name
