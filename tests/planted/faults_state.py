"""References that remember calls or change what they are given without saying so."""

from tests.planted.build import Planted, function


def order(text, *calls) -> Planted:
    return function("order of calls", text, calls, recorded=True)


def state(text, *calls) -> Planted:
    return function("flaky: global state", text, calls, recorded=True)


def argument(text, cases) -> Planted:
    return function("argument changed", text, cases)


PROBLEMS = [
    order(
        '''
_count = 0


def next_ticket(prefix: str) -> str:
    """Return the next ticket of a queue: a prefix and a number."""
    global _count
    _count += 1
    return f"{prefix}{_count:03}"
''',
        ("A",),
        ("B",),
        ("A",),
    ),
    order(
        '''
def remember(word: str, seen=[]) -> list[str]:
    """Add a word to those seen and return them all."""
    seen.append(word)
    return list(seen)
''',
        ("one",),
        ("two",),
        ("three",),
    ),
    order(
        '''
class Meter:
    total = 0


def running_total(value: int) -> int:
    """Add a value to the total and return it."""
    Meter.total += value
    return Meter.total
''',
        (5,),
        (7,),
        (1,),
    ),
    order(
        '''
import itertools

_names = itertools.cycle(["red", "green", "blue"])


def team_of(player: str) -> str:
    """Put a player into the team whose turn it is."""
    return f"{player}: {next(_names)}"
''',
        ("ann",),
        ("bob",),
        ("cid",),
        ("dee",),
    ),
    order(
        '''
import random

random.seed(2024)


def roll(sides: int) -> int:
    """Roll a die with so many sides."""
    return random.randint(1, sides)
''',
        (6,),
        (20,),
        (100,),
        (1000,),
    ),
    order(
        '''
_best = {}


def record_of(name: str, points: int) -> int:
    """Return the most points that a name has had."""
    _best[name] = max(points, _best.get(name, points))
    return _best[name]
''',
        ("ann", 9),
        ("ann", 4),
        ("bob", 1),
        ("ann", 5),
    ),
    order(
        '''
_previous = None


def change_since(value: int) -> int:
    """Return by how much a value differs from the last one; the first differs by 0."""
    global _previous
    change = 0 if _previous is None else value - _previous
    _previous = value
    return change
''',
        (10,),
        (13,),
        (9,),
    ),
    order(
        '''
def toggle(lamp: str) -> bool:
    """Switch a lamp and tell whether it is on."""
    lamps = toggle.__dict__.setdefault("lamps", {})
    lamps[lamp] = not lamps.get(lamp, False)
    return lamps[lamp]
''',
        ("hall",),
        ("hall",),
        ("hall",),
        ("door",),
    ),
    state(
        '''
import os


def set_and_get(name: str, value: str) -> str:
    """Set a variable unless it has a value, and return what it has."""
    return os.environ.setdefault("PLANTED_" + name, value)
''',
        ("A", "one"),
        ("A", "two"),
        ("B", "three"),
    ),
    state(
        '''
from decimal import Decimal, getcontext


def third_with(digits: int) -> str:
    """Return a third of one, with at least so many digits."""
    getcontext().prec = max(getcontext().prec, digits)
    return str(Decimal(1) / 3)
''',
        (5,),
        (40,),
        (10,),
    ),
    state(
        '''
import sys


def deepest(wanted: int) -> int:
    """Raise the limit of recursion to what is wanted, if it is lower, and return it."""
    sys.setrecursionlimit(max(wanted, sys.getrecursionlimit()))
    return sys.getrecursionlimit()
''',
        (10,),
        (5000,),
        (10,),
    ),
    state(
        '''
import functools


@functools.lru_cache(maxsize=None)
def _square(number):
    return number * number


def cache_use(number: int) -> tuple[int, int]:
    """Return the square of a number and how often the cache was of use."""
    return _square(number), _square.cache_info().hits
''',
        (3,),
        (3,),
        (4,),
        (3,),
    ),
    state(
        '''
import random


def draw_three(seed: int, top: int) -> list[int]:
    """Draw three numbers up to a top; a seed of 0 or more begins anew, a negative one goes on."""
    if seed >= 0:
        random.seed(seed)
    return [random.randint(1, top) for _ in range(3)]
''',
        (1, 1000),
        (-1, 1000),
        (2, 1000),
    ),
    argument(
        '''
def take_smallest(numbers: list[int]) -> int:
    """Return the smallest number of a list, which isn't empty."""
    numbers.sort()
    return numbers.pop(0)
''',
        [(([3, 1, 2],), 1), (([5],), 5), (([-1, -4, 0],), -4)],
    ),
    argument(
        '''
def with_total(row: dict[str, int]) -> int:
    """Return the sum of the values of a row."""
    row["total"] = sum(row.values())
    return row["total"]
''',
        [(({"a": 1, "b": 2},), 3), (({},), 0), (({"x": -4},), -4)],
    ),
    argument(
        '''
def common_count(first: set[int], second: set[int]) -> int:
    """Count the numbers that two sets share."""
    first &= second
    return len(first)
''',
        [(({1, 2}, {2, 3}), 1), ((set(), {1}), 0), (({4, 5, 6}, {4, 5, 6}), 3)],
    ),
    argument(
        '''
def backwards_sum(digits: list[int]) -> int:
    """Read the digits of a list from right to left as a number."""
    value = 0
    while digits:
        value = value * 10 + digits.pop()
    return value
''',
        [(([1, 2, 3],), 321), (([],), 0), (([0, 5],), 50)],
    ),
    argument(
        '''
def normalised(rows: list[list[int]]) -> list[list[int]]:
    """Return the rows of a table with the smallest value of each row taken off all its values."""
    for row in rows:
        least = min(row)
        for place in range(len(row)):
            row[place] -= least
    return [list(row) for row in rows]
''',
        [
            (([[3, 1], [5, 5]],), [[2, 0], [0, 0]]),
            (([],), []),
            (([[7]],), [[0]]),
            (([[-1, 4]],), [[0, 5]]),
        ],
    ),
    argument(
        '''
def padded(line: bytearray, size: int) -> bytes:
    """Return some bytes with zeros behind them, so that they are at least so many."""
    while len(line) < size:
        line.append(0)
    return bytes(line)
''',
        [
            ((bytearray(b"ab"), 4), b"ab\x00\x00"),
            ((bytearray(), 0), b""),
            ((bytearray(b"xyz"), 1), b"xyz"),
        ],
    ),
]
