"""Words by which texts promise what arguments are, each with the test of an argument."""

import re
from collections.abc import Callable
from typing import NamedTuple

from thresher.filters.contracts.demands import (
    Test,
    are_numbers,
    is_distinct,
    is_long,
    is_lowercase,
    is_number,
    is_sorted,
    is_sorted_either_way,
    is_square,
    is_uppercase,
)

_NUMBERS = (
    r"(?:integers?|ints?|numbers?|floats?|whole numbers?|(?:integer |floating[- ]point )numbers?)"
)
_LISTS = r"(?:lists?|arrays?|sequences?|tuples?|collections?)"
_TAKES = r"\b(?:given|takes?|accepts?|expects?|must be) an? (?:positive |non-?negative )?"
_TWO = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "a": 1, "an": 1}
_MANY = r"(\d{1,6}|one|two|three|four|five)"


def _at_least(match: re.Match[str]) -> Test:
    least = _TWO.get(match[1].lower()) or int(match[1])
    return is_long(lambda size: size >= least)


def _between(holds: Callable[[Callable[[float], bool]], Test]) -> Callable[[re.Match[str]], Test]:
    def make(match: re.Match[str]) -> Test:
        low, high = sorted((float(match["low"]), float(match["high"])))
        return holds(lambda number: low <= number <= high)

    return make


def _always(test: Test) -> Callable[[re.Match[str]], Test]:
    return lambda match: test


_LESS = r"(?<!non-)(?<!non )(?<!no )\bnegative\b|< ?0|less than (0|zero)"
_NOT_MORE = _LESS + r"|\bzero\b|<= ?0|less than (1|one)|non-?positive|\b0\b"
_EMPTY = r"(?<!non-)(?<!non )(?<!not )(?<!\bnot be )\bempty\b|no elements|\[\]"
_RANGE = (
    r"[^.]{0,25}\b(?:between|in (?:the )?range(?: of)?|from) *\W?(?P<low>-?\d{1,9})"
    r"(?: and | to |, ?|-)(?P<high>-?\d{1,9})\b(?![.\w^*])"
)
_CASE_MATTERS = r"|mixed|other characters|case[- ]insensitive"
_LETTERS = r"case (?:english |latin |ascii )?(?:letters|string|word)"


class Words(NamedTuple):
    """Words that promise something.

    Attributes:
        pattern: the words.
        opposite: what would say of the input that it may be otherwise.
        about: the field of `Shape` that they are about.
        test: makes of a match what the argument must be.
    """

    pattern: str
    opposite: str
    about: str
    test: Callable[[re.Match[str]], Test]


_WORDS = [
    Words(
        rf"(?:{_LISTS}|items|elements|values) (?:\w+ )?of (?:\w+ )?non-?negative {_NUMBERS}",
        _LESS, "lists", _always(are_numbers(lambda n: n >= 0)),
    ),
    Words(
        rf"{_LISTS} (?:\w+ )?of (?:\w+ )?(?<!non-)positive {_NUMBERS}",
        _NOT_MORE, "lists", _always(are_numbers(lambda n: n > 0)),
    ),
    Words(
        rf"(?<!of )(?<!list )\bnon-?negative {_NUMBERS}|(?:must|should) be (?:a )?non-?negative\b",
        _LESS, "numbers", _always(is_number(lambda n: n >= 0)),
    ),
    Words(
        rf"(?<!of )(?<!non-)(?<!non )\bpositive {_NUMBERS}|(?:must|should) be (?:a )?positive\b",
        _NOT_MORE, "numbers", _always(is_number(lambda n: n > 0)),
    ),
    Words(rf"\bnon-?empty {_LISTS}", _EMPTY, "lists", _always(is_long(bool))),
    Words(r"\bnon-?empty (?:string|text|word)", _EMPTY, "texts", _always(is_long(bool))),
    Words(
        rf"\b(?<!return )(?:{_LISTS} (?:\w+ )?(?:that (?:is|are) )?(?:already )?sorted in "
        rf"(?:ascending|increasing|non-?decreasing|rising) order|already sorted {_LISTS})",
        "unsorted|not sorted|descending|any order", "lists", _always(is_sorted),
    ),
    Words(
        rf"\b(?<!of )(?:distinct|unique|pairwise different) (?:\w+ )?"
        rf"(?:{_NUMBERS}|items|elements|values|names)",
        r"duplicate|repeat|twice|more than once|distinct (?:\w+ )?(?:left|remain)", "lists",
        _always(is_distinct),
    ),
    Words(
        r"\bpositive number of\b", _NOT_MORE, "numbers", _always(is_number(lambda n: n > 0)),
    ),
    Words(
        r"\b(?!range|value|number|integer|length)[a-z]\w* (?:between|from|in the range(?: of)?) "
        r"(?P<low>-?\d{1,9}(?:\.\d{1,9})?) (?:and|to) (?P<high>-?\d{1,9}(?:\.\d{1,9})?)\b",
        "", "own", _between(is_number),
    ),
    Words(
        r"\b[a-z]\w* \(\s*(?P<low>-?\d{1,9}) ?(?:[-–]|to|\.\.) ?(?P<high>\d{1,9})\s*\)",
        "", "own", _between(is_number),
    ),
    Words(
        r"\b(?:words?|strings?|texts?|names?) in lower[- ]?case\b",
        r"upper-?case|capital|mixed|other characters|case[- ]insensitive", "texts",
        _always(is_lowercase),
    ),
    Words(
        rf"(?:of|has|have|contains?|with) (?:length )?at least {_MANY}"
        r"(?: elements| items| numbers)?\b",
        "", "lists", _at_least,
    ),
    Words(
        rf"{_LISTS} (?:with|that (?:has|have|contains?)|having|containing) at least {_MANY}"
        r" (?:elements?|items?|numbers?|values?)\b",
        "", "lists", _at_least,
    ),
    Words(
        rf"{_LISTS} (?:without|with no|that (?:has|have|contains?) no|containing no) duplicates\b",
        r"(?:remov|drop|ignor|delet|skip)\w* |duplicates? (?:is|are)\b", "lists",
        _always(is_distinct),
    ),
    Words(
        r"(?:^|(?<!in )(?<!as )(?<!by )(?<!to )(?<!with )\b(?:an?|given|\dd)) (?:already )?"
        rf"sorted {_LISTS}\b"
        r"(?! by| of lists)",
        r"unsorted|not sorted|sorted by|\bkey\b|any order|compar|reverse", "lists",
        _always(is_sorted_either_way),
    ),
    Words(
        r"(?<!to a )\bsquare matri(?:x|ces)\b", r"rectang|non-?square|not square", "lists",
        _always(is_square),
    ),
    Words(rf"{_TAKES}even {_NUMBERS}(?! of)", r"\bodd\b", "numbers",
           _always(is_number(lambda n: n % 2 == 0))),
    Words(rf"{_TAKES}odd {_NUMBERS}(?! of)", r"\beven\b", "numbers",
           _always(is_number(lambda n: n % 2 == 1))),
    Words(rf"\bnon-?zero {_NUMBERS}", r"(?<!non-)(?<!non)\bzero\b|\b0\b", "numbers",
           _always(is_number(bool))),
    Words(
        rf"length of the (?:array|list|sequence){_RANGE}",
        "", "lists", _between(is_long),
    ),
    Words(
        rf"elements (?:of|in) the (?:array|list|sequence){_RANGE}",
        "", "lists", _between(are_numbers),
    ),
    Words(
        rf"\b(?:all |only )?lower-?{_LETTERS}",
        "upper-?case|capital" + _CASE_MATTERS, "texts", _always(is_lowercase),
    ),
    Words(
        rf"\b(?:all |only )?upper-?{_LETTERS}",
        "lower-?case" + _CASE_MATTERS, "texts", _always(is_uppercase),
    ),
]  # fmt: skip
SAID = [(re.compile(words.pattern, re.I), words) for words in _WORDS]
