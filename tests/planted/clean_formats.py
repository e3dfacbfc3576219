"""More clean problems about patterns, bytes, big numbers and other values."""

import datetime as dt

from tests.planted.build import CLEAN, CLOSE, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


def day(text):
    return dt.date.fromisoformat(text)


# Two functions of one module, with its helper and its docstring, that do different things.
NUMBERS = '''
def digits_of(number: str) -> str:
    """Return the digits and letters of a number, in upper case, without what separates them."""
    kept = []
    for sign in number:
        if sign in "-. /":
            continue
        if not sign.isalnum():
            raise ValueError(f"{sign!r} can't stand in a number")
        kept.append(sign.upper())
    if not kept:
        raise ValueError("a number has digits")
    return "".join(kept)


'''
ABROAD = """def compact_abroad(number: str) -> str:
    '''Return a number without separators, filled up to 9 characters with zeros.'''
    number = digits_of(number)
    return number.zfill(9)
"""
AT_HOME = """def compact_at_home(number: str) -> str:
    '''Return a number without separators, and without FO where it begins so.'''
    number = digits_of(number)
    return number.removeprefix("FO")
"""
PROBLEMS = [
    clean(
        NUMBERS + ABROAD,
        [
            (("12-34",), "000001234"),
            (("123.456.789",), "123456789"),
            (("fo 12",), "00000FO12"),
            (("1",), "000000001"),
            (("-",), Raises("ValueError")),
        ],
    ),
    clean(
        NUMBERS + AT_HOME,
        [
            (("12-34",), "1234"),
            (("fo 384.941",), "384941"),
            (("FOFO1",), "FO1"),
            (("1",), "1"),
            (("?",), Raises("ValueError")),
        ],
    ),
    clean(
        '''
import re


def parse_duration(text: str) -> int:
    """Return a duration such as "1h30m" in seconds; its parts are h, m and s, in this order.

    Each part is optional, but there is at least one.

    Raises:
        ValueError: the text is no duration.
    """
    found = re.fullmatch(r"(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?", text)
    if not text or not found:
        raise ValueError(text)
    hours, minutes, seconds = (int(group or 0) for group in found.groups())
    return 3600 * hours + 60 * minutes + seconds
''',
        [
            (("1h30m",), 5400),
            (("45s",), 45),
            (("2h5s",), 7205),
            (("",), Raises("ValueError")),
            (("5s1m",), Raises("ValueError")),
            (("90m",), 5400),
        ],
    ),
    clean(
        '''
import re


def version_key(version: str) -> tuple[int, ...]:
    """Return the numbers in a version such as "v1.20.3-rc4" as a tuple, for comparing versions.

    version_key("v1.20.3-rc4") == (1, 20, 3, 4)
    """
    return tuple(int(digits) for digits in re.findall(r"\\d+", version))
''',
        [
            (("v1.20.3-rc4",), (1, 20, 3, 4)),
            (("2",), (2,)),
            (("10.0.0",), (10, 0, 0)),
            (("unreleased",), ()),
            (("1.02",), (1, 2)),
        ],
    ),
    clean(
        '''
from collections import namedtuple

Point = namedtuple("Point", "x y")


def bounding_box(points: list[tuple[int, int]]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the lower left and the upper right corner of the box around some points.

    There is at least one point.

    >>> bounding_box([(1, 5), (3, 2)])
    ((1, 2), (3, 5))
    """
    named = [Point(*point) for point in points]
    low = (min(p.x for p in named), min(p.y for p in named))
    high = (max(p.x for p in named), max(p.y for p in named))
    return low, high
''',
        [
            (([(1, 5), (3, 2)],), ((1, 2), (3, 5))),
            (([(0, 0)],), ((0, 0), (0, 0))),
            (([(-1, 4), (2, -7), (0, 0)],), ((-1, -7), (2, 4))),
            (([(5, 5), (5, 9)],), ((5, 5), (5, 9))),
        ],
    ),
    clean(
        '''
def big_digits(base: int, exponent: int) -> int:
    """Return how many decimal digits `base` to the power of `exponent` has.

    Both are positive: big_digits(2, 10) is 4.
    """
    return len(str(base**exponent))
''',
        [((2, 10), 4), ((10, 3), 4), ((9, 1), 1), ((7, 100), 85), ((1, 50), 1), ((99, 99), 198)],
    ),
    clean(
        '''
def double_factorial(number: int) -> int:
    """Multiply a number with every second number below it down to 1 or 2; 0 and 1 give 1.

    The number isn't negative and the answer may be huge.
    """
    product = 1
    while number > 1:
        product *= number
        number -= 2
    return product
''',
        [
            ((7,), 105),
            ((8,), 384),
            ((0,), 1),
            ((1,), 1),
            ((41,), 13113070457687988603440625),
        ],
    ),
    clean(
        '''
def shuffled(items: list[str], seed: int) -> list[str]:
    """Shuffle a list by Fisher and Yates with numbers of the generator that Park and Miller chose.

    The state begins with `seed` and is multiplied by 48271 modulo 2147483647 before each draw; for
    the places from the last down to the second, swap the item with that at state modulo (place + 1)
    where places count from 0.
    """
    items, state = list(items), seed
    for place in range(len(items) - 1, 0, -1):
        state = state * 48271 % 2147483647
        other = state % (place + 1)
        items[place], items[other] = items[other], items[place]
    return items
''',
        [
            ((["a", "b", "c"], 1), ["c", "a", "b"]),
            (([], 5), []),
            ((["x"], 9), ["x"]),
            ((["a", "b", "c", "d"], 42), ["d", "b", "a", "c"]),
        ],
    ),
    clean(
        '''
import random


def dice_total(seed: int, count: int) -> bool:
    """Roll `count` dice with random.Random(seed) and tell whether the total is at least 3.5 each.

    Each roll is randint(1, 6) of that generator.
    """
    dice = random.Random(seed)
    return sum(dice.randint(1, 6) for _ in range(count)) >= 3.5 * count
''',
        [((1, 0), True), ((1, 1), False), ((0, 1), True), ((3, 2), True), ((2, 4), False)],
    ),
    clean(
        '''
def complex_power(value: complex, exponent: int) -> complex:
    """Raise a complex number with whole parts to a power that isn't negative by multiplying.

    complex_power(1 + 1j, 2) == 2j
    """
    result = 1 + 0j
    for _ in range(exponent):
        result *= value
    return result
''',
        [
            ((1 + 1j, 2), 2j),
            ((2 + 0j, 3), 8 + 0j),
            ((5 - 2j, 0), 1 + 0j),
            ((1j, 3), -1j),
            ((2 - 1j, 4), -7 - 24j),
        ],
        comparator=CLOSE,
    ),
    clean(
        '''
def hex_colour(red: int, green: int, blue: int) -> str:
    """Write a colour as a number sign and six lower-case hexadecimal digits.

    >>> hex_colour(255, 128, 0)
    '#ff8000'

    Raises:
        ValueError: a part isn't from 0 to 255.
    """
    parts = (red, green, blue)
    if not all(0 <= part <= 255 for part in parts):
        raise ValueError("no colour")
    return "#" + "".join(format(part, "02x") for part in parts)
''',
        [
            ((255, 128, 0), "#ff8000"),
            ((0, 0, 0), "#000000"),
            ((1, 2, 3), "#010203"),
            ((256, 0, 0), Raises("ValueError")),
            ((9, -1, 9), Raises("ValueError")),
        ],
    ),
    clean(
        '''
def count_true(table: list[tuple[bool, ...]]) -> list[int]:
    """Count for every column of a table of truth values how often it is true.

    The rows are equally long; a table without rows has no columns.
    """
    return [sum(column) for column in zip(*table)]
''',
        [
            (([(True, False), (True, True)],), [2, 1]),
            (([],), []),
            (([(False,)],), [0]),
            (([(True, True, False)],), [1, 1, 0]),
        ],
    ),
    clean(
        '''
import datetime


def iso_week(moment: datetime.date) -> str:
    """Name the ISO week of a day, such as "2021-W01"; the year is that which the week belongs to.
    """
    year, week, _ = moment.isocalendar()
    return f"{year}-W{week:02}"
''',
        [
            ((day("2021-01-04"),), "2021-W01"),
            ((day("2021-01-03"),), "2020-W53"),
            ((day("2024-12-30"),), "2025-W01"),
            ((day("2024-06-15"),), "2024-W24"),
        ],
    ),
    clean(
        '''
def temperature_table(celsius: list[float]) -> list[tuple[float, float]]:
    """Pair each temperature in degrees Celsius with the same in Fahrenheit: F = C * 1.8 + 32."""
    return [(value, value * 1.8 + 32) for value in celsius]
''',
        [
            (([100.0, -40.0],), [(100.0, 212.0), (-40.0, -40.0)]),
            (([],), []),
            (([36.6],), [(36.6, 97.88)]),
            (([0.0, 21.7],), [(0.0, 32.0), (21.7, 71.06)]),
        ],
        comparator=CLOSE,
    ),
    clean(
        '''
def ip_in_network(address: str, network: str) -> bool:
    """Tell whether an IPv4 address belongs to a network written as "10.1.0.0/16"."""
    def number(text):
        value = 0
        for part in text.split("."):
            value = value * 256 + int(part)
        return value

    base, bits = network.split("/")
    shift = 32 - int(bits)
    return number(address) >> shift == number(base) >> shift
''',
        [
            (("10.1.2.3", "10.1.0.0/16"), True),
            (("10.2.2.3", "10.1.0.0/16"), False),
            (("192.0.2.77", "192.0.2.64/28"), True),
            (("192.0.2.80", "192.0.2.64/28"), False),
            (("203.0.113.9", "0.0.0.0/0"), True),
        ],
    ),
]
