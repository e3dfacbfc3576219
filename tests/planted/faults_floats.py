"""Answers that rest on the last digit of a float, or are compared with the wrong tolerance."""

from tests.planted.build import Comparator, Planted, function

LOOSE = Comparator(kind="float", relative=1e-6, absolute=1e-6)


def edge(text, cases, **more) -> Planted:
    return function("float on the edge", text, cases, **more)


def exactly(text, cases, **more) -> Planted:
    return function("float compared exactly", text, cases, **more)


def loosely(text, cases, **more) -> Planted:
    return function("tolerance for ints", text, cases, comparator=LOOSE, **more)


PROBLEMS = [
    edge(
        '''
def prices_close(first: float, second: float, limit: float) -> bool:
    """Tell whether two prices differ by less than a limit."""
    return abs(first - second) < limit
''',
        [
            ((1.0, 5.0, 2.0), False),
            ((2.5, 2.75, 0.5), True),
            ((0.06, 0.05, 0.01), True),
            ((3.0, 9.5, 1.5), False),
        ],
        bad=2,
    ),
    edge(
        '''
def reaches(parts: list[float], goal: float) -> bool:
    """Tell whether some shares add up to at least a goal."""
    total = 0.0
    for part in parts:
        total += part
    return total >= goal
''',
        [
            (([0.5, 0.5], 1.0), True),
            (([0.1] * 10, 1.0), False),
            (([0.25], 2.0), False),
            (([3.5, 1.5], 2.0), True),
        ],
        bad=1,
    ),
    edge(
        '''
import math


def full_boxes(weight: float, per_box: float) -> int:
    """Say how many boxes can be filled entirely with goods of some weight."""
    return math.floor(weight / per_box)
''',
        [((1.0, 0.4), 2), ((0.7, 0.1), 6), ((10.5, 2.0), 5), ((0.2, 0.5), 0)],
        bad=1,
    ),
    edge(
        '''
def steeper(rise1: float, run1: float, rise2: float, run2: float) -> str:
    """Compare two slopes and answer "first", "second" or "same"."""
    one, two = rise1 / run1, rise2 / run2
    return "first" if one > two else "second" if two > one else "same"
''',
        [
            ((1.0, 2.0, 1.0, 4.0), "first"),
            ((0.3, 0.1, 3.0, 1.0), "second"),
            ((1.0, 8.0, 3.0, 4.0), "second"),
            ((5.0, 1.0, 1.0, 1.0), "first"),
        ],
        bad=1,
    ),
    edge(
        '''
def right_angled(a: float, b: float, c: float) -> bool:
    """Tell whether a triangle with the sides a <= b <= c has a right angle."""
    return a * a + b * b == c * c
''',
        [
            ((3.0, 4.0, 5.0), True),
            ((1.0, 1.0, 1.4142135623730951), False),
            ((2.0, 3.0, 4.0), False),
            ((0.3, 0.4, 0.5), True),
        ],
        bad=3,
    ),
    edge(
        '''
def count_steps(length: float, step: float) -> int:
    """Count how many steps can be made before a length is used up."""
    count = 0
    while length >= step:
        length -= step
        count += 1
    return count
''',
        [((1.0, 0.3), 3), ((0.3, 0.1), 2), ((7.5, 2.0), 3), ((0.5, 3.0), 0)],
        bad=1,
    ),
    exactly(
        '''
def euclid_distance(p: tuple[float, float], q: tuple[float, float]) -> float:
    """Return the distance between two points of the plane."""
    return ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2) ** 0.5
''',
        [((0.0, 0.0), (3.0, 4.0)), ((1.1, 2.2), (-3.3, 0.7)), ((0.1, 0.1), (0.4, 0.5))],
        recorded=True,
    ),
    exactly(
        '''
def variance(values: list[float]) -> float:
    """Return the variance of values: the mean of the squares of their distances from the mean."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)
''',
        [([0.1, 0.2, 0.7],), ([1.5],), ([3.3, 4.7, -2.9, 8.8],), ([1.0, 2.0, 4.0],)],
        recorded=True,
    ),
    exactly(
        '''
import math


def bell(x: float, mean: float, deviation: float) -> float:
    """Return the density of a normal distribution at x."""
    scaled = (x - mean) / deviation
    return math.exp(-scaled * scaled / 2) / (deviation * math.sqrt(2 * math.pi))
''',
        [(0.0, 0.0, 1.0), (1.3, 0.7, 2.1), (-2.0, 1.0, 0.5), (10.0, 9.0, 3.0)],
        recorded=True,
    ),
    exactly(
        '''
def monthly_rate(loan: float, yearly_percent: float, months: int) -> float:
    """Return the monthly rate that pays back a loan with interest in so many equal rates."""
    rate = yearly_percent / 1200
    return loan * rate / (1 - (1 + rate) ** -months)
''',
        [(1000.0, 6.0, 12), (250000.0, 3.9, 360), (99.9, 12.0, 1), (5000.0, 0.5, 24)],
        recorded=True,
    ),
    exactly(
        '''
def smooth(values: list[float], weight: float) -> list[float]:
    """Smooth values: each result is `weight` times the value and the rest of the result before.

    The first result is the first value; `weight` is between 0 and 1.
    """
    out = []
    for value in values:
        out.append(value if not out else weight * value + (1 - weight) * out[-1])
    return out
''',
        [([1.0, 2.0, 3.0], 0.3), ([], 0.5), ([0.1, 0.7, 0.2, 0.9], 0.15), ([5.5], 0.9)],
        recorded=True,
    ),
    loosely(
        '''
def stars_and_bars(items: int, boxes: int) -> int:
    """Return in how many ways equal items can be put into different boxes, one at least."""
    ways = 1
    for n in range(1, boxes):
        ways = ways * (items + n) // n
    return ways
''',
        [((3, 2), 4), ((0, 5), 1), ((10, 4), 286)],
    ),
    loosely(
        '''
def micro_units(amount: str) -> int:
    """Turn an amount such as "12.5" with up to six decimals into millionths."""
    whole, _, part = amount.partition(".")
    return int(whole) * 1000000 + int((part + "000000")[:6])
''',
        [
            (("12.5",), 12500000),
            (("0.000001",), 1),
            (("7",), 7000000),
            (("123456789.123456",), 123456789123456),
        ],
    ),
    loosely(
        '''
def rectangles_until(limit: int) -> list[int]:
    """List the numbers 1 * 2, 2 * 3, 3 * 4 and so on that aren't greater than a limit."""
    return [n * (n + 1) for n in range(1, limit + 1) if n * (n + 1) <= limit]
''',
        [((12,), [2, 6, 12]), ((1,), []), ((3,), [2]), ((29,), [2, 6, 12, 20])],
    ),
    loosely(
        '''
def tag_counts(tags: list[str]) -> dict[str, int]:
    """Count how often each tag is given; tags are compared without regard to case."""
    counts = {}
    for tag in tags:
        counts[tag.lower()] = counts.get(tag.lower(), 0) + 1
    return counts
''',
        [((["New", "new", "old"],), {"new": 2, "old": 1}), (([],), {}), ((["X"],), {"x": 1})],
    ),
    loosely(
        '''
def rank_of(hand: list[str]) -> str:
    """Name the highest card of a hand by the order 2 to 9, T, J, Q, K, A, or "none" of no cards."""
    return max(hand, key="23456789TJQKA".index, default="none")
''',
        [((["2", "K", "9"],), "K"), (([],), "none"), ((["A"],), "A"), ((["T", "J"],), "J")],
    ),
]
