"""Inputs like the recorded ones: small ones, mixed ones, and recorded ones changed by type.

Every value stays of the kind, in the range and of the characters that were recorded at its place.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

from thresher.filters.mutation import slots
from thresher.filters.mutation.likeness import Arguments, Likeness, allows, arguments
from thresher.filters.mutation.slots import Slot, kind, members, remade, words
from thresher.store import values
from thresher.store.records import Problem, Tree, content_id

FEW = 8  # small values of one place that are tried with each other
TRIES = 12  # changed inputs made for each that is wanted: most repeat others or aren't allowed
STEPS = (1, 1, 2, 3)  # how many changes one input gets
LARGEST = 1_000  # characters of an input as source, or twice those of the largest recorded


def inputs(
    problem: Problem, like: Likeness, hints: Sequence[object], most: int
) -> Iterator[dict[str, Tree]]:
    """Yield at most so many distinct inputs that a problem allows and no case has.

    Args:
        problem: whose inputs they are to be.
        like: what they are like.
        hints: numbers and texts to try where they are allowed.
        most: how many are wanted.
    """
    recorded = [arguments(case) for case in problem.cases]
    known = set(map(_key, recorded))
    largest = max([LARGEST, *(2 * _size(each) for each in recorded)])
    chance = random.Random(content_id(problem))  # noqa: S311 - the same inputs each time
    made = _made(like, recorded, _Maker(chance, hints))
    for given in itertools.islice(made, TRIES * most):
        if _is_sound(given) and (key := _key(given)) not in known:
            known.add(key)
            if allows(like, given) and _size(given) <= largest:
                yield given
                most -= 1
                if not most:
                    return


def _key(given: Arguments) -> str:
    return slots.identity([[place, tree] for place, tree in sorted(given.items())])


def _size(given: Arguments) -> int:
    return sum(slots.size(tree) for tree in given.values())


def _is_sound(given: Arguments) -> bool:
    try:
        for tree in given.values():
            values.decode(tree)
    except ValueError:
        return False
    return True


def _made(
    like: Likeness, recorded: Sequence[Arguments], maker: "_Maker"
) -> Iterator[dict[str, Tree]]:
    """Yield inputs: small ones first, then mixtures, then changed ones without end."""
    # Calls that raise may have arguments at other places.
    recorded = [each for each in recorded if each.keys() <= like.places.keys()]
    for place, at in like.places.items():
        few = [each for each in recorded if place in each][:3]
        for value in maker.small(at):
            yield from ({**each, place: value} for each in few)
    columns = [list(at.seen[:FEW]) for at in like.places.values()]
    for mixed in itertools.islice(itertools.product(*columns), FEW * FEW):
        yield dict(zip(like.places, mixed, strict=True))
    filled = [each for each in recorded if each]
    while filled:
        given = dict(maker.chance.choice(filled))
        for _ in range(maker.chance.choice(STEPS)):
            place = maker.chance.choice(sorted(given))
            given[place] = maker.changed(given[place], like.places[place])
        yield given
        if len(filled) < 10 * len(recorded) and allows(like, given):
            filled.append(given)


class _Maker:
    """Makes values like others; by chance, and always the same ones for one problem."""

    def __init__(self, chance: random.Random, hints: Sequence[object]) -> None:
        self.chance = chance
        self.numbers = [near for n in hints if type(n) is int for near in (n, n - 1, n + 1)]
        self.texts = [text for text in hints if type(text) is str]

    def small(self, at: Slot) -> Iterator[Tree]:
        """Yield the simplest values that may stand at a place."""
        low, high = at.numbers
        if "int" in at.kinds and low <= high:
            whole = range(int(low), int(min(high, low + 3 * FEW)) + 1)
            nearby = [n for n in (-1, 0, 1, *self.numbers, int(high)) if low <= n <= high]
            yield from dict.fromkeys([*whole, *nearby])
        if at.options:
            yield from at.options
        elif "str" in at.kinds:
            characters = self._letters(at)
            texts = [text for text in self.texts if set(text) <= set(characters)]
            yield from itertools.chain([""], characters, texts)
            pairs = itertools.product(characters[: FEW // 2], repeat=2)
            yield from map("".join, pairs)
        for each in sorted(at.kinds & {"list", "tuple", "set", "frozenset"}):
            if at.items is not None and not at.fields:
                few = [*at.items.seen[:FEW], *itertools.islice(self.small(at.items), FEW)]
                for count in (0, 1, 2):
                    chosen = itertools.product(few if count < 2 else few[:FEW], repeat=count)
                    yield from (remade(each, items) for items in chosen)

    def changed(self, value: Tree, at: Slot) -> Tree:
        """Return a value a little different, or one that was recorded at its place."""
        if self.chance.random() < 0.1:
            return self.chance.choice(at.seen)
        if type(value) is bool:
            return not value
        if type(value) is int:
            return self._number(value, at)
        if type(value) is float:
            return self._float(value, at)
        if type(value) is str:
            return self._text(value, at)
        if at.fields:
            return self._field(value, at)
        if kind(value) in (*slots.SEQUENCES, "dict"):
            return remade(kind(value), self._items(kind(value), list(members(value)), at))
        return self.chance.choice(at.seen)

    def _number(self, value: int, at: Slot) -> int:
        low, high = int(at.numbers[0]), int(at.numbers[1])
        if low > high:  # of a call that raises
            return value
        fitting = [n for n in self.numbers if low <= n <= high]
        ways = [value + 1, value - 1, -value, value * 2, value // 2, low, high]
        ways += [self.chance.randint(low, high), self.chance.randint(low, min(high, low + 10))]
        ways += [self.chance.choice(fitting)] if fitting else []
        return self.chance.choice([n for n in ways if low <= n <= high and n != value] or [value])

    def _float(self, value: float, at: Slot) -> float:
        ways = [value + 1, value - 1, -value, value * 2, value / 2, value + 0.5, float(int(value))]
        low, high = at.numbers
        return round(self.chance.choice([x for x in ways if low <= x <= high] or [value]), 6)

    def _text(self, value: str, at: Slot) -> str:
        if at.options:
            return self.chance.choice(at.options)
        if at.form:
            return self._formed(value, at)
        separated = [each for each in at.seen if type(each) is str and " " in each]
        if 2 * len(separated) > len(at.seen):
            vocabulary = [word for each in separated for word in each.split()]
            closed = 2 * len(set(vocabulary)) <= len(vocabulary)
            if closed or self.chance.random() < 0.6:
                return " ".join(self._shuffled(value.split(), sorted(set(vocabulary))))
        return "".join(self._shuffled(list(value), self._letters(at)))

    def _formed(self, value: str, at: Slot) -> str:
        """Change the numbers in a text of a form, and words for those recorded at their place."""
        parts = words(value)
        columns = list(zip(*(words(each) for each in at.seen if type(each) is str), strict=True))
        if not columns or len(parts) != len(columns):
            return value
        place = self.chance.randrange(len(parts))
        if all(part.isdigit() for part in (parts[place], *columns[place])):
            numbers = sorted(map(int, columns[place]))
            number = self.chance.randint(numbers[0], numbers[-1])
            wide = len({len(part) for part in columns[place]}) == 1
            parts[place] = str(number).zfill(len(parts[place]) if wide else 0)
        else:
            parts[place] = self.chance.choice(columns[place])
        return "".join(parts)

    def _letters(self, at: Slot) -> list[str]:
        """Return the characters recorded at a place, and letters of the reference's among such."""
        found = at.characters
        hinted = {c for text in self.texts if len(text) < 30 for c in text}
        for is_like in (str.islower, str.isupper, str.isdigit):
            if sum(map(is_like, found)) >= 3:
                found += "".join(sorted(filter(is_like, hinted)))
        return list(dict.fromkeys(found))

    def _field(self, value: Tree, at: Slot) -> Tree:
        items = list(members(value))
        place = self.chance.randrange(len(items))
        if kind(value) == "tuple":
            items[place] = self.changed(items[place], at.fields[str(place)])
        else:
            key, item = items[place]
            items[place] = [key, self.changed(item, at.fields[slots.identity(key)])]
        return remade(kind(value), items)

    def _items(self, like: str, items: list[Tree], at: Slot) -> list[Tree]:
        if at.items is None or (like == "dict" and at.keys is None):
            return items
        if items and self.chance.random() < 0.4:
            place = self.chance.randrange(len(items))
            items[place] = self._item(items[place], like, at)
            return items
        others = [member for each in at.seen if kind(each) == like for member in members(each)]
        return self._shuffled(items, others)

    def _item(self, item: Tree, like: str, at: Slot) -> Tree:
        if at.items is None or at.keys is None or like != "dict":
            return self.changed(item, at.items) if at.items else item
        if self.chance.random() < 0.3:
            return [self.changed(item[0], at.keys), item[1]]
        return [item[0], self.changed(item[1], at.items)]

    def _shuffled(self, items: list[Any], others: Sequence[Any]) -> list[Any]:
        """Return items a little different: fewer, more, in another order, some of the others."""
        pool = list(others) or items
        if not pool:
            return items
        at, to = (self.chance.randrange(len(items) + 1) for _ in range(2))
        other, half = self.chance.choice(pool), len(items) // 2
        ways = (
            lambda: [*items[:at], other, *items[at:]],
            lambda: [*items[:at], other, *items[at + 1 :]],
            lambda: [*items[:at], *items[at + 1 :]],
            lambda: [*items[:at], *items[at : at + 1] * 2, *items[at + 1 :]],
            lambda: [*items[: min(at, to)], *items[max(at, to) :]],
            lambda: items[::-1],
            lambda: self.chance.sample(items, len(items)),
            lambda: self._exchanged(items),
            lambda: self.chance.choice((items[:half], items[half:], items * 2)),
            lambda: [self.chance.choice(pool) for _ in range(self.chance.randint(1, 6))],
            lambda: items + [self.chance.choice(pool) for _ in range(self.chance.randint(1, 4))],
            lambda: sorted(items, key=slots.identity),
            lambda: [other] * max(1, len(items)),
        )
        return self.chance.choice(ways)()

    def _exchanged(self, items: list[Any]) -> list[Any]:
        again = list(items)
        if len(items) > 1:
            a, b = self.chance.sample(range(len(items)), 2)
            again[a], again[b] = again[b], again[a]
        return again
