"""References whose answer depends on the hash seed, the clock, chance or what objects are called.

Their answers are those that the reference gives when it is recorded.
"""

from tests.planted.build import Planted, function


def hashed(text, *calls) -> Planted:
    return function("flaky: hash order", text, calls, recorded=True)


def clock(text, *calls) -> Planted:
    return function("flaky: clock", text, calls, recorded=True)


def chance(text, *calls) -> Planted:
    return function("flaky: random", text, calls, recorded=True)


def identity(text, *calls) -> Planted:
    return function("flaky: identity", text, calls, recorded=True)


PROBLEMS = [
    hashed(
        '''
def distinct_colours(colours: list[str]) -> list[str]:
    """List the different colours among some, each once."""
    return list(set(colours))
''',
        (["red", "blue", "green", "red", "white"],),
        (["black", "pink", "grey", "gold"],),
        ([],),
    ),
    hashed(
        '''
def csv_header(rows: list[dict[str, int]]) -> str:
    """Join the names of all columns that any row has with commas."""
    names = set()
    for row in rows:
        names |= row.keys()
    return ",".join(names)
''',
        ([{"id": 1, "size": 2}, {"weight": 3, "colour": 4}],),
        ([{"alpha": 1, "beta": 2, "gamma": 3, "delta": 4}],),
        ([],),
    ),
    hashed(
        '''
def bucket_of(key: str, buckets: int) -> int:
    """Return the number of the bucket that a key belongs to."""
    return hash(key) % buckets
''',
        ("apple", 16),
        ("", 7),
        ("pear", 1000),
        ("quince", 97),
    ),
    hashed(
        '''
def any_member(group: list[str]) -> str:
    """Pick a representative of a group of names; the empty group has none: "nobody"."""
    for name in frozenset(group):
        return name
    return "nobody"
''',
        (["ann", "bob", "cid", "dee", "eve", "fay", "gus"],),
        (["uma", "vic", "wes", "xia", "yan", "zoe"],),
        ([],),
    ),
    hashed(
        '''
def number_tags(tags: list[str]) -> dict[str, int]:
    """Give each different tag a number, counted from 0."""
    return {tag: number for number, tag in enumerate(set(tags))}
''',
        (["north", "south", "east", "west"],),
        (["up", "down", "left", "right", "up"],),
        ([],),
    ),
    hashed(
        '''
def fingerprint(words: list[str]) -> int:
    """Combine words into one number that depends on their order."""
    value = 17
    for word in words:
        value = value * 31 + hash(word)
    return value % 100003
''',
        (["a", "b"],),
        (["b", "a"],),
        ([],),
        (["long", "list", "of", "words"],),
    ),
    clock(
        '''
import datetime


def days_to_new_year(extra: int) -> int:
    """Return how many days are left in this year, plus some extra days."""
    today = datetime.date.today()
    return (datetime.date(today.year, 12, 31) - today).days + extra
''',
        (0,),
        (5,),
        (-3,),
    ),
    clock(
        '''
import time


def stamped(message: str) -> str:
    """Put the current time in seconds before a message."""
    return f"{int(time.time())} {message}"
''',
        ("start",),
        ("",),
        ("two words",),
    ),
    clock(
        '''
from datetime import datetime


def age_in(born: int) -> int:
    """Return how old somebody born in a year gets this year."""
    return datetime.now().year - born
''',
        (1990,),
        (2024,),
        (1800,),
    ),
    clock(
        '''
import time


def timed_sum(numbers: list[int]) -> tuple[int, int]:
    """Add up numbers and return the sum with the nanoseconds that it took."""
    start = time.perf_counter_ns()
    total = sum(numbers)
    return total, time.perf_counter_ns() - start
''',
        ([1, 2, 3],),
        ([],),
        ([10] * 50,),
    ),
    clock(
        '''
import datetime


def greeting(name: str) -> str:
    """Greet somebody according to the time of day."""
    hour = datetime.datetime.now(datetime.timezone.utc).hour
    part = "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
    return f"Good {part}, {name}"
''',
        ("Ann",),
        ("Bob",),
        ("",),
    ),
    clock(
        '''
import datetime


def is_expired(year: int, month: int, day: int) -> bool:
    """Tell whether the last day on which something may be used lies in the past."""
    return datetime.date(year, month, day) < datetime.date.today()
''',
        (2000, 1, 1),
        (2027, 6, 30),
        (2026, 12, 31),
        (9999, 12, 31),
    ),
    chance(
        '''
import random


def pick_winner(names: list[str]) -> str:
    """Draw the winner of a raffle from a list of names, which isn't empty."""
    return random.choice(names)
''',
        ([f"player {n}" for n in range(50)],),
        ([f"team {n}" for n in range(40)],),
        (["only one"],),
    ),
    chance(
        '''
import random


def noisy(values: list[float]) -> list[float]:
    """Add noise from a uniform distribution between -0.1 and 0.1 to each value."""
    return [value + random.uniform(-0.1, 0.1) for value in values]
''',
        ([1.0, 2.0],),
        ([0.0],),
        ([],),
    ),
    chance(
        '''
import secrets


def new_token(size: int) -> str:
    """Return a new token of some bytes in hexadecimal digits."""
    return secrets.token_hex(size)
''',
        (4,),
        (16,),
        (0,),
    ),
    chance(
        '''
import os


def salted(word: str) -> str:
    """Put four random bytes, as hexadecimal digits, behind a word."""
    return word + os.urandom(4).hex()
''',
        ("pepper",),
        ("",),
        ("salt",),
    ),
    chance(
        '''
import random


def estimate_quarter_circle(points: int) -> int:
    """Throw random points into a square and count those within the quarter circle."""
    generator = random.Random()
    return sum(generator.random() ** 2 + generator.random() ** 2 <= 1 for _ in range(points))
''',
        (1000,),
        (5000,),
        (0,),
    ),
    chance(
        '''
import random


def quicksort_comparisons(items: list[int]) -> int:
    """Count the comparisons that quicksort with a random pivot makes to sort a list."""
    if len(items) < 2:
        return 0
    pivot = random.randrange(len(items))
    rest = items[:pivot] + items[pivot + 1 :]
    low = [item for item in rest if item < items[pivot]]
    high = [item for item in rest if item >= items[pivot]]
    return len(rest) + quicksort_comparisons(low) + quicksort_comparisons(high)
''',
        (list(range(60)),),
        ([5, 3, 9, 1, 7, 2, 8, 4, 6, 0] * 4,),
        ([1],),
    ),
    identity(
        '''
import uuid


def with_id(record: dict[str, int]) -> dict[str, object]:
    """Return a copy of a record with a new identifier under the name "id"."""
    return {**record, "id": str(uuid.uuid4())}
''',
        ({"a": 1},),
        ({},),
        ({"x": 5, "y": 6},),
    ),
    identity(
        '''
class Shape:
    def __init__(self, sides):
        self.sides = sides


def describe_shape(sides: int) -> str:
    """Describe a shape with so many sides in a line for a log."""
    return f"{sides} sides: {Shape(sides)!r}"
''',
        (3,),
        (4,),
        (0,),
    ),
    identity(
        '''
def cache_key(values: list[int]) -> str:
    """Return a key under which the result for a list can be kept."""
    return f"{len(values)}-{id(values)}"
''',
        ([1, 2],),
        ([],),
        ([7] * 9,),
    ),
    identity(
        '''
def sort_functions(count: int) -> list[int]:
    """Make so many objects and return their places in the order of their addresses."""
    made = [object() for _ in range(count)]
    keep = [bytearray(size * 37 % 512) for size in range(count)]
    del keep
    return [id(one) // 16 % 9973 for one in made]
''',
        (5,),
        (20,),
        (0,),
    ),
    identity(
        '''
import uuid


def host_prefixed(name: str) -> str:
    """Return a name with a time-based identifier before it, so that it is unique."""
    return f"{uuid.uuid1().hex[:12]}-{name}"
''',
        ("job",),
        ("",),
        ("other job",),
    ),
    identity(
        '''
import os
import threading


def lock_name(resource: str) -> str:
    """Name the lock of a resource after the process and the thread that hold it."""
    return f"{resource}.{os.getpid()}.{threading.get_ident()}"
''',
        ("disk",),
        ("net",),
        ("",),
    ),
]
