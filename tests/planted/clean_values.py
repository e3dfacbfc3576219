"""Clean problems about dates, decimals, fractions, bytes, patterns and other values."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

from tests.planted.build import CLEAN, Planted, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


def day(text):
    return dt.date.fromisoformat(text)


PROBLEMS = [
    clean(
        '''
import datetime


def working_days(first: datetime.date, last: datetime.date) -> int:
    """Count the days from Monday to Friday between two days, both included.

    When `last` is before `first` there are none.
    """
    days = (last - first).days + 1
    every = (first + datetime.timedelta(n) for n in range(days))
    return sum(day.weekday() < 5 for day in every)
''',
        [
            ((day("2024-01-01"), day("2024-01-07")), 5),
            ((day("2024-01-06"), day("2024-01-07")), 0),
            ((day("2024-01-05"), day("2024-01-05")), 1),
            ((day("2024-02-01"), day("2024-02-29")), 21),
            ((day("2024-01-02"), day("2024-01-01")), 0),
        ],
    ),
    clean(
        '''
import datetime


def next_birthday(born: datetime.date, today: datetime.date) -> int:
    """Say how many days are left until somebody's next birthday; 0 on the day itself.

    Who was born on 29 February celebrates on 1 March in other years.
    """
    def in_year(year):
        try:
            return born.replace(year=year)
        except ValueError:
            return datetime.date(year, 3, 1)

    this = in_year(today.year)
    following = this if this >= today else in_year(today.year + 1)
    return (following - today).days
''',
        [
            ((day("1990-05-10"), day("2023-05-01")), 9),
            ((day("1990-05-10"), day("2023-05-10")), 0),
            ((day("1990-01-01"), day("2023-12-31")), 1),
            ((day("2000-02-29"), day("2023-02-28")), 1),
            ((day("2000-02-29"), day("2024-02-28")), 1),
            ((day("1980-03-01"), day("2023-03-02")), 365),
        ],
    ),
    clean(
        '''
import datetime
from fractions import Fraction


def hours_between(start: datetime.datetime, end: datetime.datetime) -> Fraction:
    """Return the time between two moments in hours, as an exact fraction; negative if reversed."""
    seconds = (end - start) // datetime.timedelta(seconds=1)
    return Fraction(seconds, 3600)
''',
        [
            ((dt.datetime(2024, 1, 1, 8), dt.datetime(2024, 1, 1, 9, 30)), Fraction(3, 2)),
            ((dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 1)), Fraction(0)),
            ((dt.datetime(2024, 1, 2), dt.datetime(2024, 1, 1)), Fraction(-24)),
            ((dt.datetime(2023, 12, 31, 23, 59, 59), dt.datetime(2024, 1, 1)), Fraction(1, 3600)),
        ],
    ),
    clean(
        '''
import datetime


def in_zone(moment: datetime.datetime, offset_minutes: int) -> str:
    """Write a moment given in UTC as the clock shows it at an offset from UTC: "Tue 09:30".

    The offset is in minutes, positive to the east; days of the week have three English letters.
    """
    local = moment + datetime.timedelta(minutes=offset_minutes)
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    return f"{names[local.weekday()]} {local.hour:02}:{local.minute:02}"
''',
        [
            ((dt.datetime(2024, 1, 2, 9, 30), 0), "Tue 09:30"),
            ((dt.datetime(2024, 1, 2, 23, 30), 60), "Wed 00:30"),
            ((dt.datetime(2024, 1, 1, 0, 15), -330), "Sun 18:45"),
            ((dt.datetime(2024, 2, 29, 12), 345), "Thu 17:45"),
        ],
    ),
    clean(
        '''
from datetime import date, timedelta


def weekly(first: date, count: int, skipped: set[date]) -> list[date]:
    """Plan `count` weekly meetings from a first day on; a meeting on a skipped day falls out.

    What falls out is made up for at the end of the series.
    """
    days = []
    while len(days) < count:
        if first not in skipped:
            days.append(first)
        first += timedelta(weeks=1)
    return days
''',
        [
            ((day("2024-03-04"), 2, set()), [day("2024-03-04"), day("2024-03-11")]),
            ((day("2024-03-04"), 2, {day("2024-03-11")}), [day("2024-03-04"), day("2024-03-18")]),
            ((day("2024-12-30"), 1, {day("2024-12-30")}), [day("2025-01-06")]),
            ((day("2024-12-30"), 0, set()), []),
        ],
    ),
    clean(
        '''
from decimal import ROUND_HALF_UP, Decimal


def with_tax(net: Decimal, percent: Decimal) -> Decimal:
    """Add a tax in percent to a price and round to two places, halves away from zero.

    >>> with_tax(Decimal("9.99"), Decimal("19"))
    Decimal('11.89')
    """
    gross = net * (100 + percent) / 100
    return gross.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
''',
        [
            ((Decimal("9.99"), Decimal("19")), Decimal("11.89")),
            ((Decimal("0"), Decimal("7")), Decimal("0.00")),
            ((Decimal("1.25"), Decimal("2")), Decimal("1.28")),
            ((Decimal("100"), Decimal("0.5")), Decimal("100.50")),
            ((Decimal("-1.25"), Decimal("2")), Decimal("-1.28")),
        ],
    ),
    clean(
        '''
from decimal import Decimal


def split_bill(total: Decimal, people: int) -> list[Decimal]:
    """Split an amount with two places among people, to the cent.

    Cents that are left over go one each to the first. There is at least one person, and the amount
    isn't negative.
    """
    cents = int(total * 100)
    share, rest = divmod(cents, people)
    return [Decimal(share + (place < rest)) / 100 for place in range(people)]
''',
        [
            ((Decimal("10.00"), 3), [Decimal("3.34"), Decimal("3.33"), Decimal("3.33")]),
            ((Decimal("0.02"), 3), [Decimal("0.01"), Decimal("0.01"), Decimal("0")]),
            ((Decimal("5.55"), 1), [Decimal("5.55")]),
            ((Decimal("8.40"), 2), [Decimal("4.2"), Decimal("4.2")]),
        ],
    ),
    clean(
        '''
from fractions import Fraction


def harmonic(count: int) -> Fraction:
    """Return the sum of the first `count` unit fractions 1/1 + 1/2 + 1/3 and so on, exactly."""
    return sum((Fraction(1, n) for n in range(1, count + 1)), Fraction(0))
''',
        [
            ((0,), Fraction(0)),
            ((1,), Fraction(1)),
            ((2,), Fraction(3, 2)),
            ((4,), Fraction(25, 12)),
            ((10,), Fraction(7381, 2520)),
        ],
    ),
    clean(
        '''
from fractions import Fraction


def mediant_walk(turns: str) -> Fraction:
    """Walk down the Stern-Brocot tree from 1 and return where you are.

    The letter L turns to the smaller side, R to the greater: mediant_walk("RL") is 3/2.
    """
    low, high = (0, 1), (1, 0)
    here = (1, 1)
    for turn in turns:
        if turn == "L":
            high = here
        else:
            low = here
        here = low[0] + high[0], low[1] + high[1]
    return Fraction(*here)
''',
        [
            (("RL",), Fraction(3, 2)),
            (("",), Fraction(1)),
            (("LL",), Fraction(1, 3)),
            (("RRR",), Fraction(4)),
            (("LRLR",), Fraction(5, 8)),
        ],
    ),
    clean(
        '''
def checksum(data: bytes) -> int:
    """Add up the bytes of some data, each times its place counted from 1, modulo 65521.

    >>> checksum(b"ab")
    293
    """
    return sum(place * byte for place, byte in enumerate(data, 1)) % 65521
''',
        [
            ((b"ab",), 293),
            ((b"",), 0),
            ((b"\x00\x00",), 0),
            ((b"\xff" * 100,), 42851),
            ((b"\x01\x02\x03",), 14),
        ],
    ),
    clean(
        '''
def xor_mask(data: bytes, mask: bytes) -> bytes:
    """Combine data with a mask by exclusive or; the mask is repeated as often as needed.

    The mask isn't empty. Doing it twice gives the data back.
    """
    return bytes(byte ^ mask[place % len(mask)] for place, byte in enumerate(data))
''',
        [
            ((b"abc", b" "), b"ABC"),
            ((b"", b"x"), b""),
            ((b"\x00\x01\x02\x03", b"\xff\x00"), b"\xff\x01\xfd\x03"),
            ((b"hi", b"hi"), b"\x00\x00"),
        ],
    ),
    clean(
        '''
def varint(number: int) -> bytes:
    """Encode a number that isn't negative in groups of seven bits, the lowest first.

    Every byte but the last has its highest bit set.

    >>> varint(300)
    b'\\\\xac\\\\x02'
    """
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
''',
        [
            ((300,), b"\xac\x02"),
            ((0,), b"\x00"),
            ((127,), b"\x7f"),
            ((128,), b"\x80\x01"),
            ((2**40,), b"\x80\x80\x80\x80\x80 "),
        ],
    ),
    clean(
        '''
import re


def mentions(message: str) -> list[str]:
    """List the names mentioned in a message, without the @, in order and with repetitions.

    A mention is an @ at the beginning or after a blank, followed by letters, digits or underscores;
    an address such as ann@example.org mentions nobody.

    >>> mentions("@ann and @bob_2!")
    ['ann', 'bob_2']
    """
    return re.findall(r"(?:^|(?<=\\s))@([A-Za-z0-9_]+)", message)
''',
        [
            (("@ann and @bob_2!",), ["ann", "bob_2"]),
            (("write to ann@example.org",), []),
            (("",), []),
            (("@a @a",), ["a", "a"]),
            (("(@x) @y",), ["y"]),
            (("@ @z",), ["z"]),
        ],
    ),
]
