"""What inputs a problem allows: as its contract has it, and like those that were recorded.

What holds of every recorded input is taken for a condition on all: two lists of one length, a
number that is at most a list's length, brackets that match. Some only count where the text has a
word for it, since a handful of inputs may be sorted by chance.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from thresher.filters.contracts.contract import Contract, contract_of
from thresher.filters.mutation import slots, stated
from thresher.filters.mutation.slots import Slot, kind, members
from thresher.store.records import Problem, TestCase, Tree

Arguments = Mapping[str, Tree]  # by place ("0") or keyword
ENOUGH = 3  # inputs that show a condition, for it to be one
MANY = 5  # likewise where the text has no word for it
MOST_DIVISORS = 1_000  # looked at to tell whether a number is prime
PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
NUMERAL = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)$")
USUAL = re.compile(r"[+-]?\d+([.,]\d+)?$")
# Conditions that count only where a word of the text speaks of them.
SPOKEN = {
    "even": r"\beven\b",
    "odd": r"\bodd\b",
    "distinct": r"\b(?:unique|distinct|different|duplicates?|permutation|set of|once)\b",
    "prime": r"\bprimes?\b",
    "composite": r"\bprimes?\b",
}
WORDED = {"sorted": r"\b(?:sorted|ascending|increasing|ordered|monoton\w+|order)\b"}


class Likeness(NamedTuple):
    """What a problem's inputs must be.

    Attributes:
        places: what was recorded of each argument.
        conditions: the names of what holds of every input.
        promised: what its annotations and its text say, where every recorded input is so.
        returns: the kinds of the recorded answers.
        raises: the exceptions that are among the recorded answers.
    """

    places: Mapping[str, Slot]
    conditions: frozenset[str]
    promised: Contract
    returns: frozenset[str]
    raises: frozenset[str]


def arguments(case: TestCase) -> dict[str, Tree]:
    """Return the arguments of a case by place or keyword."""
    return {**{str(place): tree for place, tree in enumerate(case.args)}, **case.kwargs}


def likeness(problem: Problem) -> Likeness:
    """Learn what inputs a problem allows."""
    promised = contract_of(problem)
    if any(promised.breach(case.args, case.kwargs) for case in problem.cases):
        promised = Contract(positional=promised.positional)
    answered = [case for case in problem.cases if case.raises is None]
    recorded = [arguments(case) for case in answered or problem.cases]
    places = {}
    for place in sorted({place for each in recorded for place in each}):
        name = dict(enumerate(promised.positional)).get(int(place)) if place.isdigit() else place
        said = stated.stated(problem, name or place)
        places[place] = slots.slot(place, [each[place] for each in recorded if place in each], said)
    return Likeness(
        places,
        _common(places, recorded, stated.text_of(problem)),
        promised,
        frozenset(kind(case.expected) for case in answered),
        frozenset(case.raises for case in problem.cases if case.raises is not None),
    )


def allows(like: Likeness, given: Arguments) -> bool:
    """Say whether an input is as the contract has it, and like the recorded ones."""
    for place, tree in given.items():
        for at, value in slots.walk(tree, like.places[place]):
            if not _within(at, value):
                return False
    found = dict(_facts(like.places, given))
    if not all(found.get(name, True) for name in like.conditions):
        return False
    return like.promised.breach(*split(given)) is None


def split(given: Arguments) -> tuple[tuple[Tree, ...], dict[str, Tree]]:
    """Return arguments by position and by keyword."""
    by_place = sorted((int(place), tree) for place, tree in given.items() if place.isdigit())
    named = {name: tree for name, tree in given.items() if not name.isdigit()}
    return tuple(tree for _, tree in by_place), named


def _within(at: Slot, value: Tree) -> bool:
    if kind(value) not in at.kinds:
        return False
    if type(value) in (int, float):
        return bool(at.numbers[0] <= value <= at.numbers[1])
    if type(value) is bool:
        return value in at.flags
    if type(value) is str and not _is_like(at, value):
        return False
    long = slots.length(value)
    return long is None or at.lengths[0] <= long <= at.lengths[1]


def _is_like(at: Slot, text: str) -> bool:
    """Say whether a text is put together like those that were recorded."""
    if at.options:
        return text in at.options
    if at.form and slots.form(text) != at.form:
        return False
    if not at.steps or not text:
        return True
    has_signs = all(text.count(sign) == often for sign, often in at.signs)
    return has_signs and slots.steps(text) <= at.steps


def _common(places: Mapping[str, Slot], recorded: Sequence[Arguments], text: str) -> frozenset[str]:
    """Return the names of the conditions that all recorded inputs meet."""
    held: dict[str, list[bool]] = {}
    for each in recorded:
        for name, holds in _facts(places, each):
            held.setdefault(name, []).append(holds)
    return frozenset(
        name for name, found in held.items() if all(found) and len(found) >= _needed(name, text)
    )


def _needed(name: str, text: str) -> float:
    what = name.rpartition(" ")[2]
    if what in SPOKEN:
        return ENOUGH if re.search(SPOKEN[what], text, re.I) else float("inf")
    if what in WORDED:
        return ENOUGH if re.search(WORDED[what], text, re.I) else MANY
    return ENOUGH


def _facts(places: Mapping[str, Slot], given: Arguments) -> Iterator[tuple[str, bool]]:
    """Yield the conditions that an input could meet, and whether it does."""
    found: dict[str, bool] = {}
    for place, tree in given.items():
        for at, value in slots.walk(tree, places[place]):
            for what, holds in _alone(value):
                name = f"{at.path} {what}"
                found[name] = found.get(name, True) and holds
    yield from found.items()
    yield from _together("", [(place, given[place]) for place in sorted(given)])
    for place, tree in given.items():
        for at, value in slots.walk(tree, places[place]):
            if at.fields and kind(value) == "tuple":
                yield from _together(at.path, list(enumerate(members(value))))


def _alone(value: Tree) -> Iterator[tuple[str, bool]]:
    """Yield what could hold of one value."""
    if type(value) is int:
        yield from (("even", value % 2 == 0), ("odd", value % 2 == 1))
        yield from (("prime", _is_prime(value)), ("composite", not _is_prime(value)))
    elif type(value) is str:
        yield from _of_text(value)
    elif kind(value) in ("list", "tuple"):
        yield from _of_items(members(value))


def _of_text(value: str) -> Iterator[tuple[str, bool]]:
    if any(c in "()[]{}<>" for c in value):
        yield "balanced", _is_balanced(value)
        yield "balanced words", all(map(_is_balanced, value.split()))
    if value:
        yield "tidy", value == " ".join(value.split())
        yield "numeral", bool(NUMERAL.match(value))
        yield "usual numeral", bool(USUAL.match(value))
        yield "plain-numeral", len(value) == 1 or not value.startswith("0")
    if value.isalpha() and len(value) > 1:
        yield "one-case", value.islower() or value.isupper()


def _is_balanced(text: str) -> bool:
    opened: list[str] = []
    for c in text:
        if c in PAIRS.values():
            opened.append(c)
        elif c in PAIRS and (not opened or opened.pop() != PAIRS[c]):
            return False
    return not opened


def _is_prime(number: int) -> bool:
    if number < 2:
        return False
    return all(number % n for n in range(2, min(math.isqrt(number) + 1, MOST_DIVISORS)))


def _of_items(items: Sequence[Tree]) -> Iterator[tuple[str, bool]]:
    if len(items) > 1:
        yield "distinct", len(set(map(slots.identity, items))) == len(items)
        yield "homogeneous", len(set(map(kind, items))) == 1
    types = set(map(type, items))
    if len(items) > 2 and len(types) == 1 and types <= {int, float, str}:
        yield "sorted", list(items) == sorted(items)
        yield "falling sorted", list(items) == sorted(items, reverse=True)
    held = [each for item in items for each in (item if type(item) is list else [item])]
    if len(held) > 2 and all(type(each) is int for each in held):
        yield "all distinct", len(set(held)) == len(held)
        yield "counting", sorted(held) == list(range(min(held), min(held) + len(held)))
    lengths = [slots.length(each) for each in items if kind(each) in ("list", "tuple")]
    if items and len(lengths) == len(items):
        yield "rectangular", len(set(lengths)) == 1
        yield "square", set(lengths) == {len(items)}


def _together(path: str, named: Sequence[tuple[object, Tree]]) -> Iterator[tuple[str, bool]]:
    """Yield what could hold between values that stand side by side."""
    for a_name, a in named:
        for b_name, b in named:
            if a_name != b_name:
                for what, holds in _between(a, b):
                    yield f"{path} {a_name} {b_name} {what}", holds


def _between(a: Tree, b: Tree) -> Iterator[tuple[str, bool]]:
    a_long, b_long = slots.length(a), slots.length(b)
    if type(a) in (int, float) and type(b) in (int, float):
        yield from (("at-most", a <= b), ("less", a < b))
    if type(a) is int and b_long is not None:
        yield from (("at-most-length", a <= b_long), ("below-length", a < b_long))
        yield "is-length", a == b_long
    if a_long is not None and b_long is not None:
        yield "as-long", a_long == b_long
        yield "no-longer", a_long <= b_long
    if kind(b) in slots.SEQUENCES and b_long:
        yield "member", slots.identity(a) in set(map(slots.identity, members(b)))
    if type(a) is str and type(b) is str:
        yield "part", a in b
        yield "one-character", len(a) == 1
