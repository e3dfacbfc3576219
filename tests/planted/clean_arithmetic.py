"""More clean problems about numbers."""

from tests.planted.build import CLEAN, CLOSE, Planted, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def split_change(cents: int) -> dict[int, int]:
    """Pay an amount of cents with as few coins as possible of 50, 20, 10, 5, 2 and 1 cents.

    Return how many of each are needed; coins that aren't needed don't appear. The amount isn't
    negative.

    >>> split_change(87) == {50: 1, 20: 1, 10: 1, 5: 1, 2: 1}
    True
    """
    needed = {}
    for coin in (50, 20, 10, 5, 2, 1):
        count, cents = divmod(cents, coin)
        if count:
            needed[coin] = count
    return needed
''',
        [
            ((87,), {50: 1, 20: 1, 10: 1, 5: 1, 2: 1}),
            ((0,), {}),
            ((4,), {2: 2}),
            ((199,), {50: 3, 20: 2, 5: 1, 2: 2}),
            ((1,), {1: 1}),
        ],
    ),
    clean(
        '''
def mean_speed(legs: list[tuple[float, float]]) -> float:
    """Return the mean speed of a trip in kilometres per hour.

    Each leg is (kilometres, hours). A trip that took no time has a mean speed of 0.
    """
    distance = sum(leg[0] for leg in legs)
    hours = sum(leg[1] for leg in legs)
    return distance / hours if hours else 0.0
''',
        [
            (([(100.0, 2.0)],), 50.0),
            (([(10.0, 0.3), (20.0, 0.6)],), 33.333333333333336),
            (([],), 0.0),
            (([(7.5, 0.7), (0.0, 0.25), (12.25, 1.1)],), 9.634146341463415),
        ],
        comparator=CLOSE,
    ),
    clean(
        '''
import math


def haversine(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Return the distance in kilometres between two places on a globe of radius 6371 km.

    Places are given as latitude and longitude in degrees; the haversine formula is used.
    """
    p1, p2 = math.radians(lat1), math.radians(lat2)
    dp, dl = p2 - p1, math.radians(lon2 - lon1)
    h = math.sin(dp / 2) ** 2 + math.cos(p1) * math.cos(p2) * math.sin(dl / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(h))
''',
        [
            ((0.0, 0.0, 0.0, 0.0), 0.0),
            ((0.0, 0.0, 0.0, 90.0), 10007.543398010286),
            ((52.5, 13.4, 48.9, 2.4), 870.7701737640004),
            ((-33.9, 151.2, 51.5, -0.1), 16994.717998752094),
        ],
        comparator=CLOSE,
    ),
    clean(
        '''
def compound(principal: float, percent: float, years: int) -> float:
    """Return what a principal has grown to after some years of yearly compound interest.

    >>> round(compound(1000.0, 5.0, 2), 2)
    1102.5
    """
    return principal * (1 + percent / 100) ** years
''',
        [
            ((1000.0, 5.0, 2), 1102.5),
            ((250.0, 0.0, 30), 250.0),
            ((100.0, 3.5, 10), 141.0598760621121),
            ((80.0, -10.0, 3), 58.32),
        ],
        comparator=CLOSE,
    ),
    clean(
        '''
def newton_root(value: float, steps: int) -> float:
    """Approximate the square root of a positive value with Newton's method.

    Begin with the value itself and improve the guess `steps` times: each new guess is the mean of
    the old one and the value divided by it.
    """
    guess = value
    for _ in range(steps):
        guess = (guess + value / guess) / 2
    return guess
''',
        [
            ((2.0, 1), 1.5),
            ((9.0, 0), 9.0),
            ((2.0, 3), 1.4142156862745097),
            ((10.0, 8), 3.162277660168379),
        ],
        comparator=CLOSE,
    ),
    clean(
        '''
def leap_years(first: int, last: int) -> list[int]:
    """List the leap years of the Gregorian calendar from `first` to `last`, both included.

    Years divisible by 4 are leap years, but not those divisible by 100 unless 400 divides them.
    """
    return [
        year
        for year in range(first, last + 1)
        if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    ]
''',
        [
            ((1996, 2004), [1996, 2000, 2004]),
            ((1898, 1907), [1904]),
            ((2001, 2003), []),
            ((2400, 2400), [2400]),
            ((2010, 2001), []),
        ],
    ),
    clean(
        '''
def gray_code(bits: int) -> list[str]:
    """List the reflected Gray code of so many bits: neighbours differ in one place.

    There is at least one bit.

    >>> gray_code(2)
    ['00', '01', '11', '10']
    """
    return [format(n ^ (n >> 1), f"0{bits}b") for n in range(1 << bits)]
''',
        [
            ((2,), ["00", "01", "11", "10"]),
            ((1,), ["0", "1"]),
            ((3,), ["000", "001", "011", "010", "110", "111", "101", "100"]),
            (
                (4,),
                [
                    "0000",
                    "0001",
                    "0011",
                    "0010",
                    "0110",
                    "0111",
                    "0101",
                    "0100",
                    "1100",
                    "1101",
                    "1111",
                    "1110",
                    "1010",
                    "1011",
                    "1001",
                    "1000",
                ],
            ),
        ],
    ),
    clean(
        '''
def isbn10_check(digits: str) -> str:
    """Return the check character of the first nine digits of an ISBN-10.

    The weighted sum of the digits, with weights from 10 down to 2, plus the check value must be
    divisible by 11. A check value of 10 is written as X.
    """
    total = sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), digits))
    check = -total % 11
    return "X" if check == 10 else str(check)
''',
        [
            (("030640615",), "2"),
            (("080442957",), "X"),
            (("000000000",), "0"),
            (("123456789",), "X"),
            (("999999999",), "9"),
        ],
    ),
    clean(
        '''
def luhn_valid(digits: str) -> bool:
    """Check a number by the Luhn rule.

    From the right, every second digit is doubled, and 9 is subtracted from what exceeds 9; the
    number is valid when the sum of all digits is divisible by 10. The text has digits only.
    """
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
''',
        [
            (("79927398713",), True),
            (("79927398710",), False),
            (("0",), True),
            (("18",), True),
            (("81",), False),
            (("59",), True),
        ],
    ),
    clean(
        '''
def continued_fraction(numerator: int, denominator: int) -> list[int]:
    """Return the terms of the continued fraction of two positive integers' quotient.

    continued_fraction(415, 93) -> [4, 2, 6, 7]
    """
    terms = []
    while denominator:
        whole, rest = divmod(numerator, denominator)
        terms.append(whole)
        numerator, denominator = denominator, rest
    return terms
''',
        [
            ((415, 93), [4, 2, 6, 7]),
            ((3, 1), [3]),
            ((1, 3), [0, 3]),
            ((649, 200), [3, 4, 12, 4]),
            ((8, 8), [1]),
        ],
    ),
    clean(
        '''
def josephus(people: int, step: int) -> int:
    """Return the number of the last one left of a circle of people.

    They are numbered from 1. Counting begins with number 1, and every `step`-th person leaves the
    circle. Both arguments are positive.

    >>> josephus(7, 3)
    4
    """
    survivor = 0
    for size in range(2, people + 1):
        survivor = (survivor + step) % size
    return survivor + 1
''',
        [((7, 3), 4), ((1, 5), 1), ((5, 2), 3), ((41, 3), 31), ((6, 1), 6)],
    ),
    clean(
        '''
def seconds_as_clock(seconds: int) -> str:
    """Write a number of seconds, which isn't negative, as hours, minutes and seconds: 1:02:03.

    Hours have as many digits as they need, minutes and seconds always two.
    """
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
''',
        [
            ((3723,), "1:02:03"),
            ((0,), "0:00:00"),
            ((59,), "0:00:59"),
            ((360000,), "100:00:00"),
            ((86399,), "23:59:59"),
        ],
    ),
    clean(
        '''
def polygon_area(corners: list[tuple[int, int]]) -> float:
    """Return the area of a simple polygon from its corners in order, by the shoelace formula.

    There are at least three corners, with whole coordinates, clockwise or not.
    """
    twice = 0
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1]):
        twice += x1 * y2 - x2 * y1
    return abs(twice) / 2
''',
        [
            (([(0, 0), (4, 0), (4, 3)],), 6.0),
            (([(0, 0), (0, 2), (2, 2), (2, 0)],), 4.0),
            (([(1, 1), (2, 5), (6, 4)],), 8.5),
            (([(0, 0), (1, 1), (2, 2)],), 0.0),
        ],
        comparator=CLOSE,
    ),
]
