"""Cases that break what the prompt states of the arguments; `bad` is the case that does."""

from tests.planted.build import Planted, function, program


def stated(text, cases, **more) -> Planted:
    return function("breach of range", text, cases, **more)


def annotated(text, cases, **more) -> Planted:
    return function("breach of annotation", text, cases, **more)


def agreed(text, cases, **more) -> Planted:
    return function("breach of contract", text, cases, **more)


PROBLEMS = [
    stated(
        '''
def digit_product(number: int) -> int:
    """Multiply the digits of a non-negative integer.

    >>> digit_product(234)
    24
    """
    product = 1
    for digit in str(abs(number)):
        product *= int(digit)
    return product
''',
        [((234,), 24), ((0,), 0), ((7,), 7), ((-12,), 2), ((111,), 1)],
        bad=3,
    ),
    stated(
        '''
def month_length(month: int) -> int:
    """Return the number of days of a month (1 to 12) of a year that is no leap year.

    1 <= month <= 12
    """
    return 28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
''',
        [((1,), 31), ((2,), 28), ((9,), 30), ((13,), 31)],
        bad=3,
    ),
    stated(
        '''
def dig(depth, rate):
    """
    Say how many days it takes to dig a hole of a depth in metres at a rate in metres a day.

    Constraints:
    * 1 <= depth <= 1000
    * 1 <= rate <= 50
    """
    return -(-depth // rate)
''',
        [((10, 3), 4), ((1000, 50), 20), ((1, 1), 1), ((4000, 50), 80)],
        bad=3,
    ),
    stated(
        '''
def ways_to_seat(people: int) -> int:
    """Return in how many ways a positive number of people can sit in a row."""
    total = 1
    for n in range(2, people + 1):
        total *= n
    return total
''',
        [((1,), 1), ((3,), 6), ((5,), 120), ((0,), 1)],
        bad=3,
    ),
    stated(
        '''
def grade_band(score: float) -> str:
    """Give the band of a score between 0.0 and 1.0: "low" below a third, "high" above two thirds.

    Everything else is "middle".
    """
    return "low" if score * 3 < 1 else "high" if score * 3 > 2 else "middle"
''',
        [((0.1,), "low"), ((0.5,), "middle"), ((0.9,), "high"), ((1.75,), "high")],
        bad=3,
    ),
    program(
        "breach of range",
        "candles",
        """
The first line has n (5 <= n <= 100), the number of candles; the second has their n heights. Print
the sum of the heights of all candles that are higher than the first.
""",
        """
input()
heights = list(map(int, input().split()))
print(sum(height for height in heights if height > heights[0]))
""",
        [
            ("5\n3 4 1 5 2\n", "9\n"),
            ("6\n9 9 9 9 9 9\n", "0\n"),
            ("5\n1 2 2 2 2\n", "8\n"),
            ("3\n1 7 8\n", "15\n"),
        ],
        bad=3,
    ),
    program(
        "breach of range",
        "signal_mast",
        """
You are given two integers h and w, with 1 <= h <= 20 and 1 <= w <= 20, on one line. Print the
number of fields in a frame of height h and width w whose border is one field thick.
""",
        """
h, w = map(int, input().split())
print(h * w - max(0, h - 2) * max(0, w - 2))
""",
        [("3 3\n", "8\n"), ("1 20\n", "20\n"), ("4 5\n", "14\n"), ("50 2\n", "100\n")],
        bad=3,
    ),
    annotated(
        '''
def total_weight(parcels: list[int]) -> int:
    """Add up the weights of all parcels that weigh more than the first one."""
    return sum(weight for weight in parcels if weight > parcels[0]) if parcels else 0
''',
        [(([3, 5, 1],), 5), (([],), 0), (([2, 2],), 0), (({},), 0)],
        bad=3,
    ),
    annotated(
        '''
def join_sorted(names: list[str], mark: str) -> str:
    """Sort names by their length and join them with a mark."""
    return mark.join(sorted(names, key=len))
''',
        [
            ((["bb", "a"], "-"), "a-bb"),
            (([], ","), ""),
            ((["ccc", "d", "ee"], ""), "deeccc"),
            ((("zz", "y"), "+"), "y+zz"),
        ],
        bad=3,
    ),
    annotated(
        '''
def half_up(number: int) -> int:
    """Halve an integer and round up."""
    return int(-(-number // 2))
''',
        [((7,), 4), ((8,), 4), ((-3,), -1), ((2.5,), 2)],
        bad=3,
    ),
    annotated(
        '''
def labelled(values: dict[str, int], label: str) -> list[str]:
    """List the names in a dictionary in order, each with a label before it."""
    return [f"{label}{name}" for name in sorted(values, key=str)]
''',
        [
            (({"b": 1, "a": 2}, "x-"), ["x-a", "x-b"]),
            (({}, ""), []),
            (({"q": 0}, ">"), [">q"]),
            (({3: 1, 1: 5}, "#"), ["#1", "#3"]),
        ],
        bad=3,
    ),
    annotated(
        '''
def repeat_text(text: str, times: int) -> str:
    """Write a text several times with a slash between; zero or fewer times give nothing."""
    return "/".join([str(text)] * times) if times > 0 else ""
''',
        [(("ab", 2), "ab/ab"), (("x", 0), ""), (("no", -1), ""), ((7, 2), "7/7")],
        bad=3,
    ),
    annotated(
        '''
def first_or_none(items: list[int]) -> int | None:
    """Return the first item of a list of numbers, or None if the list is empty."""
    for item in items:
        return item
    return None
''',
        [(([4, 5],), 4), (([],), None), (([-1],), -1), (([""],), "")],
        bad=3,
    ),
    agreed(
        '''
def spread(values: list[int]) -> int:
    """Return the difference between the last and the first of a non-empty list."""
    return values[-1] - values[0] if values else 0
''',
        [(([1, 5],), 4), (([3],), 0), (([9, 2, 4],), -5), (([],), 0)],
        bad=3,
    ),
    agreed(
        '''
def step_of(numbers: list[int]) -> int:
    """Given a list sorted in ascending order, return the greatest step between neighbours.

    Fewer than two numbers make no step: then it is 0.
    """
    return max((b - a for a, b in zip(numbers, numbers[1:])), default=0)
''',
        [(([1, 2, 9],), 7), (([],), 0), (([4, 4],), 0), (([8, 1, 3],), 2)],
        bad=3,
    ),
    agreed(
        '''
def dot(first: list[int], second: list[int]) -> int:
    """Multiply two lists of the same length item by item and add up the products."""
    return sum(a * b for a, b in zip(first, second))
''',
        [(([1, 2], [3, 4]), 11), (([], []), 0), (([5], [-1]), -5), (([1, 2, 3], [4]), 4)],
        bad=3,
    ),
    agreed(
        '''
def word_value(word: str) -> int:
    """Add up the places in the alphabet of the letters of a word in lower case; a counts 1."""
    return sum(ord(letter) - 96 for letter in word)
''',
        [(("abc",), 6), (("z",), 26), (("cat",), 24), (("Bus",), 10)],
        bad=3,
    ),
    agreed(
        '''
def choose_seat(taken: list[int]) -> int:
    """Given the distinct numbers of taken seats, return the lowest free one, counted from 1."""
    seat = 1
    while seat in taken:
        seat += 1
    return seat
''',
        [(([1, 2, 4],), 3), (([],), 1), (([2],), 1), (([1, 1, 2],), 3)],
        bad=3,
    ),
]
