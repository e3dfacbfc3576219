"""What a text says of a function's arguments in symbols: ``1 <= n <= 10^5``, ``len(a) > 0``.

Only what is said of all inputs counts, not what an answer depends on ("True if n > 0").
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from thresher.filters.contracts.annotations import items, kind
from thresher.store import values
from thresher.store.records import Tree

Given = Mapping[str, Tree]  # the arguments by the names of the parameters
_BASE = r"[-−]?\d{1,40}(?:[,_]\d{3}){0,9}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,3})?"
_FACTOR = rf"({_BASE})(?:\s*(?:\^|\*\*)\s*\{{?\s*(\d{{1,3}})\s*\}}?)?"
_TIMES = r"\s*(?:\*|×|·|⋅|\\cdot|\\times)\s*"
_NUMBER = rf"{_FACTOR}(?:{_TIMES}{_FACTOR})?(?:\s*([-+−])\s*1\b)?(?![\w^])"
_PLAIN = re.sub(r"(?<!\\)\((?!\?)", "(?:", _NUMBER)
_NAME = r"[A-Za-z_]\w*"
_TERM = (
    rf"(?:len\s*\(\s*{_NAME}\s*\)|\|\s*{_NAME}\s*\||{_NAME}\.length|{_NAME}\[\w+\]"
    rf"|{_PLAIN}|{_NAME}(?:\s*,\s*{_NAME})*)"
)
_SIGN = r"\s*(?:<=|>=|<|>|≤|≥|⩽|⩾|≦|≧|\\leq?slant|\\leq?(?!f)|\\lt|\\geq?slant|\\geq?|\\gt)\s*"
CHAIN = re.compile(rf"(?<![\w)\]*/+^])({_TERM}(?:{_SIGN}{_TERM})+)(\s*[-+*/%^(\[{{]|\w)?")
_SPLIT = re.compile(_SIGN.replace("(?:<=", "(<="))
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    **dict.fromkeys(["<", "\\lt"], operator.lt),
    **dict.fromkeys([">", "\\gt"], operator.gt),
    **dict.fromkeys([">=", "≥", "⩾", "≧", "\\geq", "\\ge"], operator.ge),
    **dict.fromkeys(["\\geqslant", "\\geslant"], operator.ge),
}
_AT_MOST: Callable[[float, float], bool] = operator.le
# 10^5 whose digits lost their place; the larger of what it may mean is the bound
_LOST_POWER = re.compile(r"[-−]?10([1-9]|1[0-9])")


class Relation(NamedTuple):
    """Two terms of a text, with what holds between them."""

    left: str
    sign: str
    right: str

    def holds(self, given: Given) -> bool:
        """Say whether it holds, or can't be told."""
        compare = _OPERATORS.get(self.sign, _AT_MOST)
        pairs = ((a, b) for a in _numbers(self.left, given) for b in _numbers(self.right, given))
        return all(compare(a, b) for a, b in pairs)


def relations(sentence: str) -> Iterator[tuple[re.Match[str], list[Relation]]]:
    """Yield the chains of comparisons in a sentence, each where it stands and in its parts."""
    for chain in CHAIN.finditer(sentence):
        parts = _SPLIT.split(chain[1])
        found = [Relation._make(parts[at : at + 3]) for at in range(0, len(parts) - 2, 2)]
        if chain[2]:  # the last term goes on
            found.pop()
        yield chain, found


def number(text: str) -> int | float | None:
    """Read a number as statements write it: ``10^5``, ``2 * 10**5``, ``2^31 - 1``; else None."""
    match = re.fullmatch(_NUMBER, text.strip())
    if match is None:
        return None
    if lost := _LOST_POWER.fullmatch(text.strip()):
        return int(10 ** int(lost[1])) * (-1 if text.strip()[0] in "-−" else 1)
    base, power, other, other_power, more = match.groups()
    try:
        whole = _plain(base) ** int(power or 1)
        whole *= _plain(other) ** int(other_power or 1) if other else 1
    except OverflowError:
        return None
    return whole + {"+": 1, None: 0}.get(more, -1)


def as_number(tree: Tree) -> int | float | None:
    """Return the number that an encoded value is, None for any other value or NaN."""
    if kind(tree) not in ("int", "float"):
        return None
    found: int | float = values.decode(tree)
    return found if found == found else None


def length(tree: Tree) -> int | None:
    """Return how many items or characters a value has, None where it has none."""
    if isinstance(tree, str):
        return len(tree)
    held = items(tree)
    return None if held is None else len(held)


def _plain(text: str) -> int | float:
    text = re.sub("[,_]", "", text.replace("−", "-"))
    return float(text) if re.search("[.eE]", text) else int(text)


def _numbers(term: str, given: Given) -> list[int | float]:
    """Return the numbers that a term stands for; none where it is unknown."""
    literal = number(term)
    if literal is not None:
        return [literal]
    words = re.findall(_NAME, term)
    if term.startswith("len") or "|" in term or term.endswith(".length"):
        name = words[0] if term.endswith(".length") else words[-1]
        sizes = [length(given[name])] if name in given else []
        return [size for size in sizes if size is not None]
    if "[" in term:
        held = items(given[words[0]]) if words[0] in given else None
        return _known(held or [])
    return _known([given[word] for word in words if word in given])


def _known(trees: list[Tree]) -> list[int | float]:
    return [found for tree in trees if (found := as_number(tree)) is not None]
