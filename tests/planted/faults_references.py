"""References that don't pass their own cases, or not always, or not in time."""

from tests.planted.build import Planted, function, program


def wrong(text, cases, **more) -> Planted:
    return function("wrong reference", text, cases, **more)


PROBLEMS = [
    wrong(
        '''
def upper_half(values: list[int]) -> list[int]:
    """Return the values above the mean of all, in order."""
    mean = sum(values) / len(values)
    return [value for value in values if value >= mean]
''',
        [(([1, 2, 3],), [3]), (([5, 5],), []), (([0, 10],), [10])],
    ),
    wrong(
        '''
def grouped(number: int) -> str:
    """Write a number with an apostrophe between groups of three digits."""
    text = str(number)
    return "'".join(text[start : start + 3] for start in range(0, len(text), 3))
''',
        [((1234567,), "1'234'567"), ((100,), "100"), ((12,), "12")],
    ),
    wrong(
        '''
def partitions(number: int) -> int:
    """Count the ways to write a number as a sum of positive numbers, without regard to order."""
    def count(left, most):
        if left == 0:
            return 1
        return sum(count(left - part, part) for part in range(min(left, most), 0, -1))

    return count(number, number)
''',
        [((5,), 7), ((60,), 966467), ((90,), 56634173)],
    ),
    wrong(
        '''
import os


def read_cell(offset: int) -> int:
    """Return the byte at an offset of a buffer of four zeros, 0 to 3."""
    if offset > 2:
        os.abort()
    return bytes(4)[offset]
''',
        [((0,), 0), ((3,), 0)],
    ),
    wrong(
        '''
def chain_length(number: int) -> int:
    """Return how often 1 can be taken off a number until it is 0."""
    return 1 + chain_length(number - 1) if number else 0
''',
        [((3,), 3), ((0,), 0), ((100000,), 100000)],
    ),
    wrong(
        '''
import planted_helpers_that_nobody_has


def pretty(text: str) -> str:
    """Return a text with nicer quotes."""
    return planted_helpers_that_nobody_has.quote(text)
''',
        [(("a",), "a"), (("'",), "\\u2019")],
    ),
    wrong(
        '''
import sys


def exit_code(errors: int) -> int:
    """Return the exit code for a number of errors: 0 for none, else 1."""
    sys.exit(1 if errors else 0)
''',
        [((0,), 0), ((3,), 1)],
    ),
    wrong(
        '''
def table_of(size: int) -> list[list[int]]:
    """Return a multiplication table from 0 up to a size."""
    return [[a * b for b in range(size * 100000)] for a in range(size * 100000)]
''',
        [((1,), [[0]]), ((2,), [[0, 0], [0, 1]])],
    ),
    wrong(
        '''
import time


def wait_for(seconds: int) -> str:
    """Return the word done."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return "done"
''',
        [((0,), "done"), ((30,), "done")],
    ),
    wrong(
        '''
def average_rating(stars: list[int]) -> int:
    """Return the average of some ratings, rounded down to whole stars; none have 0."""
    return sum(stars) / len(stars) if stars else 0
''',
        [(([4, 5],), 4), (([],), 0), (([1],), 1)],
    ),
    wrong(
        '''
def open_hours(day: str) -> str:
    """Return the opening hours of a shop on a day."""
    hours = {"mon": "9-17", "sat": "10-14"}
    if day == "sun":
        return "closed"
    return hours[day]
''',
        [(("mon",), "9-17"), (("sun",), "closed"), (("tue",), "9-17")],
    ),
    program(
        "wrong reference",
        "off_by_one_fence",
        "A fence is n metres long and has a post every metre. Print the number of posts.",
        "print(int(input()))\n",
        [("3\n", "4\n"), ("1\n", "2\n"), ("10\n", "11\n")],
    ),
]
