"""What sentences say of a parameter as their subject: "n must be odd", "x is at least 1".

The subject is a parameter by its name, or "the list" where there is only one. What a function may
well do to it ("the list is sorted") counts where it is a demand or an assumption.
"""

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from thresher.filters.contracts.demands import (
    Test,
    is_distinct,
    is_long,
    is_lowercase,
    is_number,
    is_sorted_either_way,
)

_NUMBERS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_MANY = rf"(?P<many>-?\d{{1,9}}(?:\.\d{{1,9}})?|{'|'.join(_NUMBERS)})\b(?!\s*[\w%^*/+(-]|[.,]\d)"
_NOUNS = {"list", "array", "sequence", "tuple", "string", "text", "word", "number", "integer"}
_WHO = r"\b(?P<who>\w+)[`'\"*]{0,2} +"
_MODAL = r"(?:must|should|shall|has to|have to|needs? to|is (?:required|guaranteed|assumed) to)"
_GIVEN = re.compile(r"\b(?:input|given|assum\w+|guaranteed|precondition)\b", re.I)
_IF = (
    r"if|when|whenever|unless|otherwise|else|until|whether|while|or|such that|so that|true|false"
    r"|then|default\w*|instead|raise[sd]?|check\w*|test\w*|ensure\w*"
)
_ONLY_IF = re.compile(rf"\b(?:{_IF})\b", re.I)
_OR_RETURNS = re.compile(rf"\b(?:{_IF}|returns?)\b", re.I)


class Found(NamedTuple):
    """A parameter, and what it must be."""

    name: str
    test: Test


class _Predicate(NamedTuple):
    """What is said of a subject, in several forms, and what that makes of a match.

    `is_of_input`: "the list" is the argument, without more.
    """

    about: str
    forms: Sequence[re.Pattern[str]]
    test: Callable[[re.Match[str]], Test]
    is_of_input: bool = False


def demands(sentence: str, pools: Callable[[str], Sequence[str]]) -> Iterator[Found]:
    """Yield what a sentence, in one line, demands of parameters.

    Args:
        sentence: the sentence.
        pools: gives the names of the parameters that are ``lists``, ``texts`` or ``numbers``.
    """
    for predicate in _PREDICATES:
        pool = pools(predicate.about)
        for form in predicate.forms if pool else ():
            match = form.search(sentence)
            if match is None or not _is_always(sentence, match):
                continue
            who = match["who"]
            is_noun = who.lower() in _NOUNS and who not in pool
            if is_noun and not (predicate.is_of_input or _GIVEN.search(sentence[: match.end()])):
                continue  # it may be the result
            names = pool if is_noun and len(pool) == 1 else [who]
            yield from (Found(name, predicate.test(match)) for name in names if name in pool)


def _is_always(sentence: str, match: re.Match[str]) -> bool:
    """Say whether what matches stands without a condition."""
    before, after = sentence[: match.start()], sentence[match.end() :]
    return not _ONLY_IF.search(before) and not _OR_RETURNS.search(after)


def _forms(words: str, is_plain: bool) -> Sequence[re.Pattern[str]]:
    """Return the forms in which words are said of a subject: as a demand, or plainly."""
    found = [
        rf"{_WHO}(?:{_MODAL} (?:always |only )?be|(?:is|are) always) (?:{words})",
        rf"\b(?:assum\w+|guaranteed|precondition:?)(?: that)? (?:the )?(?:input |given )?"
        rf"{_WHO}(?:is|are) (?:{words})",
    ]
    if is_plain:
        found.append(rf"^\W*(?:here |where )?{_WHO}is (?:{words})")
    return [re.compile(form, re.I) for form in found]


def _compared(words: str, holds: Callable[[float, float], bool]) -> _Predicate:
    def make(match: re.Match[str]) -> Test:
        many = match["many"].lower()
        bound = float(_NUMBERS.get(many, many))
        return is_number(lambda number: holds(number, bound))

    return _Predicate("numbers", _forms(f"{words} {_MANY}", is_plain=True), make)


def _is(about: str, words: str, test: Test, is_plain: bool = False) -> _Predicate:
    return _Predicate(about, _forms(words, is_plain), lambda match: test)


def _says(about: str, form: str, test: Test) -> _Predicate:
    return _Predicate(about, [re.compile(form, re.I)], lambda match: test)


_EMPTY = [
    re.compile(
        r"(?<!\breturned )(?<!\bresulting )(?<!\bresult )(?<!\boutput )(?<!\bnew )"
        rf"{_WHO}(?:(?:must|can|may|should|will)(?: ?not|n['’]t) be|is never) empty\b",
        re.I,
    )
]
_SORTED = (
    r"(?:already )?(?:sorted|ordered)(?: in (?:ascending|increasing|non-?decreasing) order)?"
    r"(?= *(?:[.,;)]|$))"
)
_ITEMS = r"(?:elements|items|values|numbers|entries|names)"
_PREDICATES = [
    _compared("at least", operator.ge),
    _compared("at most", operator.le),
    _compared("(?:greater|larger|more) than", operator.gt),
    _compared("(?:less|smaller) than", operator.lt),
    _is("numbers", r"(?:an )?even\b", is_number(lambda n: n % 2 == 0)),
    _is("numbers", r"(?:an )?odd\b", is_number(lambda n: n % 2 == 1)),
    _is("numbers", r"non-?zero\b", is_number(bool)),
    _is("lists", r"non-?empty\b", is_long(bool)),
    _is("texts", r"non-?empty\b", is_long(bool)),
    _is("lists", _SORTED, is_sorted_either_way),
    _Predicate("lists", _EMPTY, lambda match: is_long(bool), is_of_input=True),
    _Predicate("texts", _EMPTY, lambda match: is_long(bool), is_of_input=True),
    _says(
        "texts",
        rf"{_WHO}(?:will |must |should )?(?:only )?(?:consists?|contains?) (?:only |entirely )?"
        r"(?:of )?(?:only )?lower-?case (?:\w+ )?(?:letters|characters)(?= *(?:[.;)]|$))",
        is_lowercase,
    ),
    _says(
        "lists",
        rf"^\W*all (?:the )?{_ITEMS} (?:of|in) (?:the )?{_WHO}(?:are|must be|should be) (?:all )?"
        r"(?:distinct|unique|different)(?= *(?:[.;)]|$))",
        is_distinct,
    ),
]
