"""Right problems with weak cases, for which inputs that mean nothing are easily made up.

They are caught where no case is added with an argument outside what the problem is about.
"""

import re

from tests.planted.build import Planted, Raises, function


def tempting(text, cases, allows, **more) -> Planted:
    return function("tempting inputs", text, cases, allows=allows, **more)


PROBLEMS = [
    tempting(
        '''
def in_column(word: str, side: str, width: int) -> str:
    """Put a word on the left or right side of a column, or in its centre, padded with dots."""
    if side == "left":
        return word.ljust(width, ".")
    if side == "right":
        return word.rjust(width, ".")
    if side == "centre":
        return word.center(width, ".")
    return word
''',
        [
            (("ab", "left", 4), "ab.."),
            (("abc", "left", 5), "abc.."),
            (("ab", "right", 4), "..ab"),
            (("x", "right", 3), "..x"),
        ],
        lambda word, side, width: side in ("left", "right", "centre"),
    ),
    tempting(
        '''
def byte_count(text: str, coding: str) -> int:
    """Return how many bytes a text takes when it is encoded; without text there is one zero."""
    if not text:
        return 1
    return len(text.encode(coding)) if max(text) > "z" else len(text)
''',
        [
            (("abc", "utf-8"), 3),
            (("tür", "utf-8"), 4),
            (("née", "utf-8"), 4),
            (("zebra", "utf-8"), 5),
        ],
        lambda text, coding: coding == "utf-8",
    ),
    tempting(
        '''
def sum_balance(puzzle: str) -> int:
    """Return how many letters more the left side of a sum of words has than its right side.

    Words are joined by plus signs, and the sides by a double equals sign.
    """
    left, right = puzzle.split("==")
    return sum(map(str.isupper, left)) - sum(map(str.isupper, right))
''',
        [
            (("A + B == CC",), 0),
            (("AB + B == CC",), 1),
            (("AB == C",), 1),
            (("B + B + AA == BC",), 2),
        ],
        lambda puzzle: puzzle.count("==") == 1 and not re.search("[A-Z] [A-Z]|[+] [+=]", puzzle),
    ),
    tempting(
        '''
def still_lit(lamps: list[list[int]]) -> int:
    """Count the lamps that are lit (1, not 0) and have a lit lamp right of them."""
    return sum(
        row[n] == 1 and row[n + 1] == 1 for row in lamps for n in range(len(row) - 1)
    )
''',
        [(([[0, 1, 1]],), 1), (([[1, 1], [0, 0]],), 1), (([[0]],), 0), (([[1, 0, 1]],), 0)],
        lambda lamps: all(lamp in (0, 1) for row in lamps for lamp in row),
    ),
    tempting(
        '''
def province(number: str, _strict: bool) -> str:
    """Return the name of the province where a card was issued, by the first digit of its number.

    1 is Nord, 2 is West, anything else is Ost; other cards have no province.
    """
    digits = number.replace("-", "")
    if not _strict:
        return ""
    return {"1": "Nord", "2": "West"}.get(digits[0], "Ost") if len(digits) > 4 else ""
''',
        [
            (("132-74-1", True), "Nord"),
            (("290117", True), "West"),
            (("411-23-9", True), "Ost"),
            (("2", True), ""),
        ],
        lambda number, _strict: _strict and re.fullmatch(r"\d+(-\d+)*", number) is not None,
    ),
    tempting(
        '''
def check_letter(number: str) -> str:
    """Return the letter for a number of seven digits: A to W by the remainder by 23."""
    if not number.isdigit():
        raise ValueError(number)
    return "ABCDEFGHIJKLMNOPQRSTUVW"[int(number) % 23]
''',
        [
            (("0000011",), "L"),
            (("5911917",), "U"),
            (("1205910",), "U"),
            (("12a5910",), Raises("ValueError")),
        ],
        lambda number: len(number) == 7,
    ),
]
