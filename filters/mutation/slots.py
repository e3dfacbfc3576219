"""What recorded inputs look like at each place in them: kinds, numbers, lengths, characters."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from thresher.filters.mutation.stated import Stated
from thresher.store import data, values
from thresher.store.records import Tree

GROWTH = 2  # how many times what was recorded a number or a length may be
MOST_FIELDS = 8
ENOUGH = 3  # texts that show what they have in common
LONG = 4  # characters of texts of one length that aren't so by chance
SEQUENCES = ("list", "tuple", "set", "frozenset")


class Slot(NamedTuple):
    """A place in the inputs, with what was recorded there.

    Attributes:
        path: names the place.
        seen: the distinct values, smallest first.
        numbers: the least and greatest number that may stand here.
        lengths: likewise of a text's or container's length.
        form: the form of all texts here, such as ``9-9``, where they have one; see `form`.
        steps: what may follow what in a text, where enough were recorded to tell; see `steps`.
        signs: how often a sign is in a text, where it is as often in all that were recorded.
        options: the only texts that may stand here, where few were recorded again and again.
        flags: the truth values that may stand here.
        fields: the places in a tuple of one length, or in dicts with one set of keys.
        items: the place of all items of other containers; of other dicts the values.
        keys: the place of the keys of other dicts.
    """

    path: str
    seen: tuple[Tree, ...]
    numbers: tuple[float, float]
    lengths: tuple[int, int]
    form: str = ""
    steps: frozenset[str] = frozenset()
    signs: tuple[tuple[str, int], ...] = ()
    options: tuple[str, ...] = ()
    flags: frozenset[bool] = frozenset()
    fields: Mapping[str, "Slot"] = {}
    items: "Slot | None" = None
    keys: "Slot | None" = None

    @property
    def kinds(self) -> set[str]:
        """The kinds of the recorded values."""
        return set(map(kind, self.seen))

    @property
    def characters(self) -> str:
        """The distinct characters of the recorded texts."""
        return "".join(sorted(set("".join(each for each in self.seen if type(each) is str))))


def kind(tree: Tree) -> str:
    """Return what a tree is: ``int``, ``str``, ``list``, or the tag of another value."""
    if type(tree) is dict:
        return str(next(iter(tree), "dict"))
    return type(tree).__name__


def members(tree: Tree) -> list[Tree]:
    """Return the items of a list, tuple or set, and the entries of a dict."""
    if type(tree) is list:
        return tree
    return list(tree[kind(tree)]) if kind(tree) in (*SEQUENCES, "dict") else []


def length(tree: Tree) -> int | None:
    """Return how long a text or container is."""
    if type(tree) is str:
        return len(tree)
    return len(members(tree)) if kind(tree) in (*SEQUENCES, "dict") else None


def remade(like: str, items: Iterable[Tree]) -> Tree:
    """Return a container of a kind; members of sets are put in order, once each."""
    if like == "list":
        return list(items)
    if like == "dict":
        return {like: list({identity(pair[0]): pair for pair in items}.values())}
    if like == "tuple":
        return {like: list(items)}
    distinct = {identity(each): each for each in items}
    return {like: sorted(distinct.values(), key=values.order)}


def identity(tree: Tree) -> str:
    """Return a text that is the same for equal values."""
    if type(tree) is list:
        return f"[{','.join(map(identity, tree))}]"
    if kind(tree) in (*SEQUENCES, "dict"):
        inner = [identity(each) for each in members(tree)]
        return f"{kind(tree)}({','.join(inner if kind(tree) == 'tuple' else sorted(inner))})"
    return repr(tree)


def size(tree: Tree) -> int:
    """Return how long a value is as source."""
    return len(data.render(tree))


def slot(path: str, trees: Sequence[Tree], stated: Stated, top: bool = True) -> Slot:
    """Describe a place from the values recorded at it, and those within it from theirs."""
    seen = tuple(sorted({identity(each): each for each in trees}.values(), key=_simple))
    is_item = path.endswith(("[]", "{}"))
    made = Slot(
        path,
        seen,
        _numbers(seen, stated, is_item),
        _lengths(seen, stated, top),
        _form(seen),
        *_together(seen),
        () if is_item else _options(trees, stated),
        _flags(seen, stated),
    )
    tuples = [members(each) for each in seen if kind(each) == "tuple"]
    dicts = [members(each) for each in seen if kind(each) == "dict"]
    inner = [item for each in seen if kind(each) in SEQUENCES for item in members(each)]
    wide = {len(each) for each in tuples}
    if made.kinds == {"tuple"} and len(wide) == 1 and 1 <= min(wide) <= MOST_FIELDS:
        columns = zip(*tuples, strict=True)
        return made._replace(fields=_fields(path, enumerate(columns), stated))
    if made.kinds == {"dict"}:
        return _of_dicts(made, dicts, stated)
    items = slot(f"{path}[]", inner, stated.inner(), False) if inner else None
    return made._replace(items=items)


def _simple(tree: Tree) -> tuple[int, str]:
    text = identity(tree)
    return len(text), text


def _fields(
    path: str, columns: Iterable[tuple[object, Sequence[Tree]]], stated: Stated
) -> Mapping[str, Slot]:
    inner = stated.inner()
    return {
        str(name): slot(f"{path}.{name}", list(column), inner, False) for name, column in columns
    }


def _of_dicts(made: Slot, dicts: Sequence[list[Tree]], stated: Stated) -> Slot:
    """Describe dicts: records where all have the same few keys."""
    keys = [key for each in dicts for key, _ in each]
    found = [item for each in dicts for _, item in each]
    named = {identity(key) for key in keys}
    if len(dicts) > 1 and named and all(len(each) == len(named) for each in dicts):
        columns = [
            (name, [item for each in dicts for key, item in each if identity(key) == name])
            for name in sorted(named)
        ]
        return made._replace(fields=_fields(made.path, columns, stated))
    if not keys:
        return made
    return made._replace(
        keys=slot(f"{made.path}{{}}", keys, stated.inner(), False),
        items=slot(f"{made.path}[]", found, stated.inner(), False),
    )


def _numbers(seen: Sequence[Tree], stated: Stated, is_item: bool) -> tuple[float, float]:
    """Return the range of numbers: what was recorded, or within what is stated twice as far.

    Where all items are 0 or 1 they say no or yes, and there is no 2.
    """
    found = [each for each in seen if type(each) in (int, float)]
    if not found:
        return 0, -1
    if is_item and set(found) == {0, 1}:
        return 0, 1
    least, most = min(found), max(found)
    low = least * GROWTH if least < 0 else least
    high = most * GROWTH if most > 0 else most
    if any(type(each) is float for each in found):
        low, high = least, most  # often shares or marks, of which there are no larger ones
    lows = [bound for bound in stated.least if bound <= least]
    if stated.exact_least or least >= 0:
        low = max(lows) if lows else low
    highs = [bound for bound in stated.most if bound >= most]
    return low, min([high, *highs])


def _lengths(seen: Sequence[Tree], stated: Stated, top: bool) -> tuple[int, int]:
    found = [each for each in map(length, seen) if each is not None]
    if not found:
        return 0, -1
    least = 0 if top and stated.may_be_empty else min(found)
    is_fixed = len(seen) >= ENOUGH and len(set(found)) == 1 and found[0] >= LONG
    if is_fixed and {*map(kind, seen)} == {"str"}:
        return found[0], found[0]  # numbers of passports, times and the like
    highs = [bound for bound in stated.most if bound >= max(found)]
    return least, int(min([GROWTH * max(found), *highs]))


def _options(trees: Sequence[Tree], stated: Stated) -> tuple[str, ...]:
    """Return the texts to choose from where each was recorded twice or more, on average.

    Such a text names a way of working, an encoding or a separator: a letter more and it names none.
    """
    found = [each for each in trees if type(each) is str]
    distinct = dict.fromkeys(found)
    if len(found) < ENOUGH or 2 * len(distinct) > len(found):
        return ()
    return tuple(dict.fromkeys([*distinct, *stated.texts]))


def _flags(seen: Sequence[Tree], stated: Stated) -> frozenset[bool]:
    """Return the truth values that were recorded; both where the text speaks of the parameter."""
    found = frozenset(each for each in seen if type(each) is bool)
    return frozenset({True, False}) if found and stated.is_named else found


def _together(seen: Sequence[Tree]) -> tuple[frozenset[str], tuple[tuple[str, int], ...]]:
    """Return how texts are put together: what follows what, and the signs that all have."""
    found = [each for each in seen if type(each) is str]
    if len(found) < ENOUGH:
        return frozenset(), ()
    signs = {c for c in found[0] if not (c.isalnum() or c.isspace())}
    alike = [(c, found[0].count(c)) for c in sorted(signs) if len({t.count(c) for t in found}) == 1]
    return frozenset().union(*map(steps, found)), tuple(alike)


def steps(text: str) -> frozenset[str]:
    """Return each three parts that follow one another in a text, as `form` writes them."""
    signs = ["^", *map(_sign, words(text)), "$"]
    return frozenset("".join(signs[at : at + 3]) for at in range(len(signs) - 2))


def _sign(part: str) -> str:
    return "9" if part.isdigit() else "a" if part.isalpha() else part[0]


def form(text: str) -> str:
    """Return a text with ``9`` for each number and ``a`` for each word; "" for words alone."""
    parts = words(text)
    signs = list(map(_sign, parts))
    return "".join(signs) if len(parts) > 1 and set(signs) - {"a", " "} else ""


def _form(seen: Sequence[Tree]) -> str:
    forms = {form(each) for each in seen if type(each) is str}
    return forms.pop() if len(forms) == 1 and len(seen) > 1 else ""


def words(text: str) -> list[str]:
    """Split a text into runs of digits, letters and blanks, and single other characters."""
    return re.findall(r"\d+|[^\W\d_]+|\s+|.", text, re.S)


def walk(tree: Tree, place: Slot) -> Iterator[tuple[Slot, Tree]]:
    """Yield the places in a value with what stands there."""
    yield place, tree
    if place.fields:
        for name, item in _named(tree):
            if name in place.fields:
                yield from walk(item, place.fields[name])
        return
    for item in members(tree):
        if kind(tree) != "dict" and place.items:
            yield from walk(item, place.items)
        elif kind(tree) == "dict" and place.items and place.keys:
            yield from walk(item[0], place.keys)
            yield from walk(item[1], place.items)


def _named(tree: Tree) -> Iterator[tuple[str, Tree]]:
    if kind(tree) == "dict":
        yield from ((identity(key), item) for key, item in members(tree))
    else:
        yield from ((str(place), item) for place, item in enumerate(members(tree)))
