"""What an argument must be: tests of encoded values, each true, false, or None where untold."""

from collections.abc import Callable

from thresher.filters.contracts.annotations import items
from thresher.filters.contracts.ranges import as_number, length
from thresher.store.records import Tree

Test = Callable[[Tree], bool | None]


def is_number(holds: Callable[[float], bool]) -> Test:
    """Test a number; anything else can't be told."""

    def test(tree: Tree) -> bool | None:
        found = as_number(tree)
        return None if found is None else holds(found)

    return test


def are_numbers(holds: Callable[[float], bool]) -> Test:
    """Test all numbers in a collection."""

    def test(tree: Tree) -> bool | None:
        return all(is_number(holds)(item) is not False for item in items(tree) or [])

    return test


def is_long(holds: Callable[[int], bool]) -> Test:
    """Test how many items or characters there are."""

    def test(tree: Tree) -> bool | None:
        found = length(tree)
        return None if found is None else holds(found)

    return test


def is_sorted(tree: Tree) -> bool | None:
    """Say whether numbers, or texts, are in ascending order."""
    held = items(tree)
    if held is None or not all(isinstance(item, str) for item in held):
        numbers = [found for item in held or [] if (found := as_number(item)) is not None]
        return numbers == sorted(numbers) if len(numbers) == len(held or []) else None
    return list(held) == sorted(held)


def is_distinct(tree: Tree) -> bool | None:
    """Say whether no item is there twice."""
    held = items(tree)
    return None if held is None else len({repr(item) for item in held}) == len(held)


def is_lowercase(tree: Tree) -> bool | None:
    """Say whether a text has no letters in upper case."""
    return tree == tree.lower() if isinstance(tree, str) else None


def is_uppercase(tree: Tree) -> bool | None:
    """Say whether a text has no letters in lower case."""
    return tree == tree.upper() if isinstance(tree, str) else None


def is_sorted_either_way(tree: Tree) -> bool | None:
    """Say whether numbers, or texts, are in ascending or in descending order."""
    held = items(tree)
    return None if held is None else is_sorted(held) is not False or is_sorted(held[::-1])


def is_square(tree: Tree) -> bool | None:
    """Say whether a list of lists has as many rows as columns."""
    rows = items(tree)
    return None if rows is None else all(length(row) in (None, len(rows)) for row in rows)
