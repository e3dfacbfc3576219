"""Floats moved by one unit in the last place, and answers that such a step changes.

A right program may work its floats out in another order, which differs by as much; so an answer
that a step flips says nothing. A step counts where a float is worked with: not where it is the
very number that it is compared with, an integer, or a short binary fraction, all of which are
exact. Nor does it where a longer step gives yet another answer: that depends on the digits with
which the float is written.
"""

import ast
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeGuard

from thresher.filters.contracts.annotations import BAD_SOURCE
from thresher.store.records import Tree

MOST_FLOATS = 12  # of one case that are moved one by one
SHORT = 2**10  # a float that is a multiple of its inverse is exact
LARGEST_SHORT = 2.0**40
FURTHER = 1e-4
UNITS = 4  # a threshold is moved by: what is compared with it may come from larger numbers
_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")

LARGEST = 1e300  # of the numbers in a program that are looked at

Path = tuple[int | str, ...]


class Close(NamedTuple):
    """How near floats are to each other: as a fraction, or as a difference."""

    relative: float
    absolute: float


NOISE = Close(1e-6, 1e-9)  # of a step of a unit; what moves further jumps
LOOSE = Close(1e-2, 1e-2)  # of the longer step


class _Number(ast.Constant):
    """A constant that is a number."""

    value: float


class Moved(NamedTuple):
    """Something with some floats moved, the same with them moved much further, and how in words."""

    thing: Any
    further: Any
    how: str


def moved_trees(trees: Sequence[Tree], exact: set[float]) -> list[Moved]:
    """Return arguments with each of their floats moved up and down, and with all of them.

    Those that are equal, or opposites, stay so: they are moved together, up from zero.

    Args:
        trees: encoded arguments.
        exact: floats that are compared with as they are, and so not moved.
    """
    places: dict[float, list[tuple[Path, float]]] = {}
    for path, value in floats(list(trees)):
        places.setdefault(abs(value), []).append((path, value))
    seen = Counter(map(abs, numbers(list(trees))))
    free = [
        held
        for size, held in places.items()
        if is_noisy(size) and size not in exact and seen[size] == len(held)
    ]
    steps = free[:MOST_FLOATS] + ([list(itertools.chain(*free))] if len(free) > 1 else [])
    return [_moved(trees, step, to) for step in steps for to in (math.inf, -math.inf)]


def _moved(trees: Sequence[Tree], step: Sequence[tuple[Path, float]], to: float) -> Moved:
    near, far = (
        _with(list(trees), {path: _sized(move(abs(value), to), value) for path, value in step})
        for move in (math.nextafter, _further)
    )
    return Moved(near, far, _how(step, to))


def _sized(size: float, like: float) -> float:
    return math.copysign(size, like)


def _few_units(value: float, to: float) -> float:
    for _ in range(UNITS):
        value = math.nextafter(value, to)
    return value


def _further(value: float, to: float) -> float:
    """Move a float by far more than a unit, to one that is written with fewer digits."""
    return float(f"{value + math.copysign(value * FURTHER, to):.10g}")


def moved_source(source: str, given: set[float]) -> list[Moved]:
    """Return a program with the floats written in it moved one by one, none that is `given`."""
    try:
        tree = ast.parse(source)
    except BAD_SOURCE:
        return []
    free = [(node, node.value) for node in ast.walk(tree) if _is_free(node, given)]
    return [
        Moved(
            _with_constant(source, node, _few_units(value, to)),
            _with_constant(source, node, _further(value, to)),
            f"{value!r} in the program {UNITS} units {_way(to)}",
        )
        for node, value in free[:MOST_FLOATS]
        for to in (math.inf, -math.inf)
    ]


def constants(source: str) -> set[float]:
    """Return the numbers that are written in a program, also as text, and their opposites."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except BAD_SOURCE:
        return set()
    found = {float(node.value) for node in nodes if _is_number(node)}
    return found | {-number for number in found}


def floats(tree: Tree, path: Path = ()) -> Iterator[tuple[Path, float]]:
    """Yield the floats in an encoded value with their places; not those in sets or as keys."""
    if isinstance(tree, float):
        yield path, tree
    elif isinstance(tree, list):
        for at, item in enumerate(tree):
            yield from floats(item, (*path, at))
    elif isinstance(tree, dict):
        ((tag, payload),) = tree.items()
        if tag == "dict":
            for at, (_, value) in enumerate(payload):
                yield from floats(value, (*path, tag, at, 1))
        elif tag == "tuple":
            yield from floats(payload, (*path, tag))


def numbers(tree: Tree) -> Iterator[float]:
    """Yield all numbers anywhere in an encoded value, those included that `floats` leaves out."""
    if isinstance(tree, list):
        yield from itertools.chain.from_iterable(map(numbers, tree))
    elif isinstance(tree, dict):
        yield from itertools.chain.from_iterable(map(numbers, tree.values()))
    elif isinstance(tree, int | float):
        yield float(tree)


def is_noisy(number: float) -> bool:
    """Say whether arithmetic on a float rounds: it is no integer and no short binary fraction."""
    return not (abs(number) < LARGEST_SHORT and (number * SHORT).is_integer())


def flips(before: Tree, after: Tree, close: Close = NOISE) -> bool:
    """Say whether two answers differ by more than in floats that are close."""
    before, after = map(_plain, (before, after))
    if isinstance(before, bool | None) or isinstance(after, bool | None):
        return before is not after
    if isinstance(before, float) and isinstance(after, float):
        return _differ(before, after, close)
    if type(before) is not type(after):
        return True
    if isinstance(before, str):
        return before != after and _flips_in_text(before, after, close)
    if isinstance(before, list):
        pairs = zip(before, after, strict=False)
        return len(before) != len(after) or any(flips(one, two, close) for one, two in pairs)
    if isinstance(before, dict):
        return before.keys() != after.keys() or any(
            flips(before[key], after[key], close) for key in before
        )
    return bool(before != after)


def _plain(tree: Tree) -> Tree:
    """Return the float that can't stand for itself, and any other value as it is."""
    return float(tree["float"]) if isinstance(tree, dict) and "float" in tree else tree


def _differ(before: float, after: float, close: Close) -> bool:
    near = math.isclose(before, after, rel_tol=close.relative, abs_tol=close.absolute)
    return repr(before) != repr(after) and not near


def _flips_in_text(before: str, after: str, close: Close) -> bool:
    """Compare texts, and the numbers in them as such."""
    if len(before) + len(after) > 100_000 or _NUMBER.sub("0", before) != _NUMBER.sub("0", after):
        return True
    pairs = zip(_NUMBER.findall(before), _NUMBER.findall(after), strict=True)
    return any(
        one != two and (_is_whole(one + two) or _differ(float(one), float(two), close))
        for one, two in pairs
    )


def _is_whole(text: str) -> bool:
    return not set(text) & set(".eE")


def _with(trees: list[Tree], changes: dict[Path, float]) -> list[Tree]:
    """Return trees with other floats at some places."""
    for path, value in changes.items():
        trees = _replaced(trees, path, value)
    return trees


def _replaced(tree: Tree, path: Path, value: float) -> Tree:
    if not path:
        return value
    copied = tree.copy()
    copied[path[0]] = _replaced(tree[path[0]], path[1:], value)
    return copied


def _with_constant(source: str, node: ast.expr, value: float) -> str:
    """Return a program with another number in the place of a constant."""
    lines = source.split("\n")
    at = node.lineno - 1
    line = lines[at].encode()
    end = node.end_col_offset or 0
    lines[at] = (line[: node.col_offset] + repr(value).encode() + line[end:]).decode()
    return "\n".join(lines)


def _is_free(node: ast.AST, given: set[float]) -> TypeGuard[_Number]:
    """Say whether a node is a float that is worked with."""
    if not _is_number(node) or not isinstance(node.value, float):
        return False
    return is_noisy(node.value) and node.value not in given


def _is_number(node: ast.AST) -> TypeGuard[_Number]:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, int | float):
        return False
    return abs(node.value) < LARGEST


def _how(step: Sequence[tuple[Path, float]], to: float) -> str:
    shown = ", ".join(repr(value) for _, value in itertools.islice(step, 3))
    return f"{shown}{' …' if len(step) > 3 else ''} one unit {_way(to)}"


def _way(to: float) -> str:
    return "up" if to > 0 else "down"
