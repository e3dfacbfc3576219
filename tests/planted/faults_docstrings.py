"""Docstrings that say nothing, give the solution away, or can't be read."""

from tests.planted.build import Planted, function


def poor(text, cases) -> Planted:
    return function("poor docstring", text, cases)


def leak(text, cases) -> Planted:
    return function("leak in docstring", text, cases)


def broken(text, cases) -> Planted:
    return function("broken docstring", text, cases)


PROBLEMS = [
    poor(
        '''
def sieve_step(numbers, step):
    """TODO"""
    return [n for place, n in enumerate(numbers, 1) if place % step]
''',
        [(([1, 2, 3, 4], 2), [1, 3]), (([], 3), []), (([9, 8, 7], 3), [9, 8])],
    ),
    poor(
        '''
def braid(a, b):
    """..."""
    return "".join(x + y.upper() for x, y in zip(a, b[::-1]))
''',
        [(("ab", "cd"), "aDbC"), (("", "x"), ""), (("pq", "r"), "pR")],
    ),
    poor(
        '''
def calculate_value(x, y, flag):
    """Calculate value."""
    return x * 3 - y if flag else y * 3 - x
''',
        [((1, 2, True), 1), ((1, 2, False), 5), ((0, 0, True), 0), ((-4, 3, False), 13)],
    ),
    poor(
        '''
def process(items):
    """
    Args:
        items (list): The items.

    Returns:
        list: The result.
    """
    return [b - a for a, b in zip(items, items[2:])]
''',
        [(([1, 2, 4],), [3]), (([],), []), (([5, 5, 5, 9],), [0, 4])],
    ),
    poor(
        '''
def adjust(level, by):
    """"""
    return max(-8, min(8, level + 2 * by))
''',
        [((0, 1), 2), ((7, 5), 8), ((-7, -9), -8), ((3, 0), 3)],
    ),
    poor(
        '''
def fmt2(parts):
    """FIXME: write docs. See issue #4711 and ask Paul."""
    return "|".join(f"{n}:{p}" for n, p in enumerate(parts) if p)
''',
        [((["a", "", "b"],), "0:a|2:b"), (([],), ""), ((["q"],), "0:q")],
    ),
    poor(
        '''
def _helper(rows, key):
    """Internal use only."""
    return sorted({row[key] for row in rows if key in row})
''',
        [(([{"a": 2}, {"a": 1}, {}], "a"), [1, 2]), (([], "x"), []), (([{"b": 3}], "a"), [])],
    ),
    poor(
        '''
def get_slots(used, size):
    """lorem ipsum dolor sit amet, consectetur adipiscing elit"""
    return [n for n in range(size) if n not in used][:3]
''',
        [(([0, 2], 6), [1, 3, 4]), (([], 2), [0, 1]), (([0], 1), [])],
    ),
    poor(
        '''
def weave(first, second, third):
    """:param first: :param second: :param third: :return:"""
    return [x for trio in zip(first, second, third) for x in trio]
''',
        [
            (([1], [2], [3]), [1, 2, 3]),
            (([], [1], [2]), []),
            (([1, 4], [2, 5], [3, 6]), [1, 2, 3, 4, 5, 6]),
        ],
    ),
    poor(
        '''
def calc_check_letter(number):
    """Calculate the check letter."""
    return "TRWAGMYFPD"[sum(int(n) * place for place, n in enumerate(number, 3)) % 10]
''',
        [(("123",), "Y"), (("000",), "T"), (("45",), "W"), (("9",), "F")],
    ),
    leak(
        '''
def count_turnstile(log: str) -> int:
    """Count how many people are inside after a log of the letters i (in) and o (out).

    Solution:

        inside = 0
        for letter in log:
            inside += 1 if letter == "i" else -1
        return inside
    """
    inside = 0
    for letter in log:
        inside += 1 if letter == "i" else -1
    return inside
''',
        [(("iio",), 1), (("",), 0), (("ioio",), 0), (("iii",), 3)],
    ),
    leak(
        '''
def cheapest_route(prices: dict[str, list[int]]) -> str:
    """Return the name of the route whose prices have the lowest sum; of two the first by name.

    return min(sorted(prices), key=lambda name: sum(prices[name]))
    """
    return min(sorted(prices), key=lambda name: sum(prices[name]))
''',
        [(({"b": [1, 2], "a": [9]},), "b"), (({"y": [3], "x": [1, 2]},), "x"), (({"z": []},), "z")],
    ),
    leak(
        '''
def alarm_level(readings: list[int], limit: int) -> str:
    """Say "off", "watch" or "alarm" by how many readings are above a limit: 0, 1 or 2, or more.

    Here is the code:
    ```python
    above = sum(reading > limit for reading in readings)
    if above == 0:
        return "off"
    return "watch" if above <= 2 else "alarm"
    ```
    """
    above = sum(reading > limit for reading in readings)
    if above == 0:
        return "off"
    return "watch" if above <= 2 else "alarm"
''',
        [
            (([1, 2], 5), "off"),
            (([6, 7, 1], 5), "watch"),
            (([6, 7, 8], 5), "alarm"),
            (([], 0), "off"),
        ],
    ),
    broken(
        '''
def line_lengths(text: str) -> list[int]:
    """Return how long the lines of a text are.

    >>> line_lengths("ab\\ncde")
    [2, 3]
    >>> line_lengths("")
    []
    """
    return [len(line) for line in text.split("\\n")] if text else []
''',
        [(("ab\ncde",), [2, 3]), (("",), []), (("x",), [1]), (("\n",), [0, 0])],
    ),
    broken(
        '''
def with_unit(value: int, unit: str) -> str:
    """Write a value with its unit; one thing has no plural.

    >>>with_unit(2, "cup")
    '2 cups'
    >>>with_unit(1, "cup")
    '1 cup'
    """
    return f"{value} {unit}" + ("" if value == 1 else "s")
''',
        [((2, "cup"), "2 cups"), ((1, "cup"), "1 cup"), ((0, "egg"), "0 eggs")],
    ),
    broken(
        '''
def nth_root_floor(value: int, n: int) -> int:
    """Return the largest integer whose n-th power isn't greater than a value.

        >>> nth_root_floor(27, 3)
      3
        >>> nth_root_floor(30, 2)
      5
    """
    root = 0
    while (root + 1) ** n <= value:
        root += 1
    return root
''',
        [((27, 3), 3), ((30, 2), 5), ((0, 4), 0), ((1023, 10), 1)],
    ),
    broken(
        '''
def first_upper(text: str) -> str:
    """Return the first upper-case letter of a text, or the empty text where there is none.

    >>> first_upper('abCd)
    'C'
    >>> first_upper('none')
    ''
    """
    return next((char for char in text if char.isupper()), "")
''',
        [(("abCd",), "C"), (("none",), ""), (("XY",), "X")],
    ),
    broken(
        '''
def total_of(rows: list[list[int]]) -> list[int]:
    """Return the sums of some rows.

    >>> total_of([[1, 2],
    [3, 4]])
    [3, 7]
    """
    return [sum(row) for row in rows]
''',
        [(([[1, 2], [3, 4]],), [3, 7]), (([],), []), (([[]],), [0]), (([[5], [-5, 1]],), [5, -4])],
    ),
    broken(
        '''
def tabbed(fields: list[str]) -> str:
    """Join fields with tabs.

    >>> tabbed(["a", "b"])
    'a\\tb'
    >>> tabbed(["x", "y"]
    'x\\ty'
    """
    return "\\t".join(fields)
''',
        [((["a", "b"],), "a\tb"), (([],), ""), ((["x"],), "x"), ((["1", "", "2"],), "1\t\t2")],
    ),
]
