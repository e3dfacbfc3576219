"""Whether an answer is what a text says, told leniently: how a value is written is no fault.

What ``==`` takes for equal agrees (1, 1.0 and True); so do a list and a tuple, members of a set in
any order, ``("a")`` and ``("a",)``, and a float and what it is to as many places as are shown, or
but for its last digits, which depend on the machine.
"""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from thresher.filters.contracts.annotations import entries, items, kind
from thresher.filters.examples.said_values import Said
from thresher.store import values
from thresher.store.records import Tree

NOISE = 1e-12
_PLAIN = {"NoneType", "bool", "int", "float", "str", "bytes", "complex"}
_SETS = {"set", "frozenset"}


def agrees(said: Said, answer: Tree) -> bool | None:
    """Say whether an answer is what a text says.

    Returns:
        None where it can't be told: the answer is of a class whose values texts write in many ways,
        or no value at all.
    """
    try:
        return _agrees(said, answer)
    except values.MALFORMED:
        return None


def _agrees(said: Said, answer: Tree) -> bool | None:
    whole = _same(said.value, answer)
    one = items(answer)
    if whole is False and said.text.startswith("(") and one is not None and len(one) == 1:
        return _same(said.value, one[0])
    return whole


def _same(said: Any, answer: Tree) -> bool | None:
    held, pairs = items(answer), entries(answer)
    if pairs is not None:
        return _same_entries(said, pairs)
    if held is not None:
        return _same_items(said, held, kind(answer) in _SETS)
    if kind(answer) not in _PLAIN:
        return None
    return _same_plain(said, values.decode(answer))


def _same_plain(said: Any, answer: Any) -> bool:
    if isinstance(said, float) and isinstance(answer, float):
        return _same_float(said, answer)
    if isinstance(said, float | complex) and isinstance(answer, float | complex):
        return bool(abs(said - answer) < 1e-9 * max(1.0, abs(said)))
    return bool(said == answer)


def _same_float(said: float, answer: float) -> bool:
    """Compare to as many places as `said` has, rounded or cut off."""
    if said == answer or said != said or not (math.isfinite(said) and math.isfinite(answer)):
        return repr(said) == repr(answer) or said == answer
    exponent = Decimal(repr(said)).as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else 0
    unit = 10.0**-places if places < 300 else 0.0
    if math.isclose(said, answer, rel_tol=NOISE, abs_tol=NOISE):
        return True
    return abs(said - answer) <= 0.5 * unit * (1 + 1e-9) or (
        abs(answer) >= abs(said) and abs(said - answer) < unit and places > 1
    )


def _same_items(said: Any, held: Sequence[Tree], is_set: bool) -> bool | None:
    if not isinstance(said, list | tuple | set | frozenset):
        return False
    if len(said) != len(held):
        return False
    if is_set or isinstance(said, set | frozenset):
        return _same_members(list(said), list(held))
    return _all(_same(one, tree) for one, tree in zip(said, held, strict=True))


def _same_members(said: list[Any], held: list[Tree]) -> bool | None:
    if len(said) > 200:
        return None
    for one in said:
        found = next((tree for tree in held if _same(one, tree)), held)
        if found is held:
            return None if any(_same(one, tree) is None for tree in held) else False
        held.remove(found)
    return True


def _same_entries(said: Any, pairs: list[tuple[Tree, Tree]]) -> bool | None:
    if not isinstance(said, dict) or len(said) != len(pairs):
        return False
    found: list[bool | None] = []
    for key, value in said.items():
        there = [tree for name, tree in pairs if _same(key, name)]
        found.append(_same(value, there[0]) if there else False)
    return _all(found)


def _all(found: Any) -> bool | None:
    told = list(found)
    if False in told:
        return False
    return None if None in told else True
