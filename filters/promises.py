"""What a text says of arguments: "a non-negative integer n", "at least two elements", in symbols.

It counts where it is said of the input, without a condition, and where the text doesn't go on to
say what becomes of an input that is otherwise.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from thresher.filters.annotations import items
from thresher.filters.ranges import Given, as_number, length, relations
from thresher.store.records import Tree

Test = Callable[[Tree], bool | None]
LONGEST_TEXT = 100_000  # characters that are read
LONGEST = 2_000  # characters of a sentence
_MOST = 5  # of the same words in a sentence
_NEAR = 80  # characters between "given" and what is
_HEADING = re.compile(
    r"^\s*\W{0,3}([A-Z][\w ]{2,30}?)\W{0,3}:?\s*$|^\s*([A-Z]\w[\w ]{1,30}):", re.M
)
_LIMITING = re.compile(
    r"(constrain|restriction|limit|precondition|assumption|require|bounds)", re.I
)
_ASIDE = re.compile(
    r"subtask|scoring|grading|partial|for \d{1,3} ?%|\b\d{1,3} (points|%)|point value", re.I
)
_BULLET = re.compile(
    r"^\s*([*•@-]\s*|\d+[.)]\s+|(?::param\s+(?:\w+\s+)?)?(\w+)\s*(\([^)]*\))?\s*:(?!:))"
)
_STOP = re.compile(r"(?<=[a-z0-9)\]])(?<!\be\.g)(?<!\bi\.e)\.(?=\s|$)|;\s|(?<=[a-z)\]])[!?]\s")
_CONDITION = re.compile(
    r"\b(if|when|whenever|unless|otherwise|else|where|whether|while|until|such that|so that"
    r"|return\w*|find\w*|outputs?|print\w*|compute\w*|calculate\w*|count\w*|check\w*|determine\w*|raise[sd]?"
    r"|yield\w*|test\w*|true|false|condition|satisf\w+|generat\w+|get|gets|default\w*)\b",
    re.I,
)
_IF = re.compile(
    r"\b(if|when|whenever|unless|otherwise|else|where|whether|while|until|such that|so that"
    r"|raise[sd]?|true|false|condition|satisf\w+|generat\w+|default\w*)\b",
    re.I,
)
# "the digits of a …": what stands behind is no result.
_PHRASE = re.compile(r"\b(?:of|from|for|in|on|with|to|by) (?:an?|the|some|two) (?:\w+ of )?$", re.I)
_OF_INPUT = re.compile(
    r"\b(given|takes?|taking|accepts?|receiv\w+|assum\w+|guarante\w+|input|provided|must be"
    r"|should be|always|you have to sort|will be in|expects?)\b",
    re.I,
)
_NUMBERS = (
    r"(?:integers?|ints?|numbers?|floats?|whole numbers?|(?:integer |floating[- ]point )numbers?)"
)
_WORD = re.compile(r"[A-Za-z]{4}")
_LISTS = r"(?:lists?|arrays?|sequences?|tuples?|collections?)"
_TWO = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "a": 1, "an": 1}
_MANY = r"(\d{1,6}|one|two|three|four|five)"


_SAME_LENGTH = re.compile(
    r"\b(?:two|both) (?:\w+ ){0,2}(?:lists|arrays|sequences|tuples|strings|texts|words|vectors)\b"
    r"[^.]{0,40}\b(?:same|equal) (?:length|size|number of (?:items|elements|values))\b"
    r"|\btwo (?:equally long|equal-length) (?:\w+ )?\w+s\b",
    re.I,
)
_OTHER_LENGTH = re.compile(
    r"\b(?:different|unequal|other|differ in) lengths?\b|\bshorter\b|\blonger\b|mismatch"
    r"|\blengths? (?:differ|may|are not|aren['’]t)|not (?:of )?the same length",
    re.I,
)


class Clause(NamedTuple):
    """Something a text says of all inputs: the words, and whether arguments are so."""

    sentence: str
    holds: Callable[[Given], bool]


class Shape(NamedTuple):
    """What the parameters of a function are, by name, as far as it is known."""

    names: Sequence[str]
    lists: Sequence[str] = ()
    texts: Sequence[str] = ()
    numbers: Sequence[str] = ()


class Sentence(NamedTuple):
    """A sentence; `is_limiting` under a heading such as Constraints, `about` the name before it."""

    text: str
    is_limiting: bool
    about: str = ""


def clauses(text: str, shape: Shape) -> list[Clause]:
    """Return what a text says of the arguments."""
    found: list[Clause] = []
    for sentence in sentences(text[:LONGEST_TEXT]):
        found += _symbols(sentence, shape)
        found += _words(sentence, shape, text)
        found += _as_long(sentence, shape, text)
    return found


def sentences(text: str) -> Iterator[Sentence]:
    """Split a text: at full stops, blank lines, list items and headings; without doctests."""
    limiting, part, about = False, "", ""
    in_example = False
    for line in [*text.splitlines(), ""]:
        in_example = line.strip().startswith(">>>") or (in_example and bool(line.strip()))
        heading, bullet = _HEADING.match(line), _BULLET.match(line)
        if not line.strip() or in_example or heading or bullet:
            yield from _split(part, limiting, about)
            part = about = ""
        if heading:
            limiting = bool(_LIMITING.search(line)) and not _ASIDE.search(line)
            is_alone = limiting or line.rstrip().endswith(":")
            line = line[heading.end() :] if is_alone else line
        if bullet and not heading:
            about = bullet[2] or ""
            line = line[bullet.end() :]
        part += "" if in_example else f"{line} "


def _split(part: str, limiting: bool, about: str) -> Iterator[Sentence]:
    for text in _STOP.split(part):
        if text.strip() and not _ASIDE.search(text):
            yield Sentence(" ".join(text.split())[:LONGEST], limiting, about)


def _symbols(sentence: Sentence, shape: Shape) -> Iterator[Clause]:
    """Yield the comparisons of a sentence that are meant as limits."""
    for chain, parts in relations(sentence.text):
        before, after = sentence.text[: chain.start()], sentence.text[chain.end() :]
        bracket = before.rfind("(")
        in_brackets = bracket > before.rfind(")") and not _WORD.search(before[bracket:])
        is_whole = not re.search(r"\w", before) and (not re.search(r"\w", after) or bool(before))
        meant = sentence.is_limiting or in_brackets or bool(_OF_INPUT.search(before))
        named = sentence.about in shape.names or (is_whole and not _CONDITION.search(after))
        if (meant or named) and not _CONDITION.search(_own(before)):
            for part in parts:
                if any(part.left.find(name) + part.right.find(name) > -2 for name in shape.names):
                    yield Clause(sentence.text, part.holds)


def _own(before: str) -> str:
    """Return what stands before a limit but for a relation that names it: "where 1 <= n"."""
    return re.sub(r"[(,]\s*where\s*$", "(", before)


def _words(sentence: Sentence, shape: Shape, text: str) -> Iterator[Clause]:
    for pattern, words in _SAID:
        for match in itertools.islice(pattern.finditer(sentence.text), _MOST):
            if not _is_meant(sentence, match, shape):
                continue
            rest = text.replace(sentence.text, "")
            if words.opposite and re.search(words.opposite, rest, re.I):
                continue
            names = _subjects(match, sentence, shape, words.about)
            yield from (_clause(sentence.text, name, words.test(match)) for name in names)


def _as_long(sentence: Sentence, shape: Shape, text: str) -> Iterator[Clause]:
    """Yield that two lists, or two texts, are of one length, where it says so."""
    match = _SAME_LENGTH.search(sentence.text)
    pair = next((each for each in (shape.lists, shape.texts) if len(each) == 2), None)
    if match is None or pair is None or _OTHER_LENGTH.search(text):
        return
    if not _IF.search(sentence.text[: match.start()]):
        left, right = pair

        def holds(given: Given) -> bool:
            return not {left, right} <= given.keys() or length(given[left]) == length(given[right])

        yield Clause(sentence.text, holds)


def _is_meant(sentence: Sentence, match: re.Match[str], shape: Shape) -> bool:
    """Say whether words are said of the input, whatever it is."""
    before = sentence.text[: match.start()]
    named = re.match(r" [`'\"]?(\w+)", sentence.text[match.end() :])
    is_named = match[0].endswith(" of") and named and named[1] in shape.names
    if _PHRASE.search(before) or is_named:
        return not _IF.search(before)
    near = sentence.text[max(0, match.start() - _NEAR) : match.end()]
    meant = sentence.is_limiting or sentence.about in shape.names or bool(_OF_INPUT.search(near))
    return meant and not _CONDITION.search(before)


def _subjects(
    match: re.Match[str], sentence: Sentence, shape: Shape, subject: str
) -> Sequence[str]:
    """Return the parameters that words are about: those named behind them, or the only one."""
    if subject == "own":  # the word before the range is the parameter's
        own = match[0].split()[0]
        return [own] if own in shape.numbers else ()
    behind = re.match(
        r"[\s,`'\"(]*(?:of )?((?:\w+[`'\"]?(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)[`'\"]?){0,4}\w+)",
        sentence.text[match.end() :],
    )
    words = re.findall(r"\w+", behind[1]) if behind else []
    named = [word for word in words if word in shape.names]
    if named and (words[0] in named or len(named) > 1):
        return named
    if sentence.about in shape.names:
        return [sentence.about]
    before = re.search(r"(\w+)\W*(?:is|are|will be|must be|should be)?\W*(?:an?|the)?\W*$",
                       sentence.text[: match.start()])  # fmt: skip
    if before and before[1] in shape.names:
        return [before[1]]
    pool: Sequence[str] = getattr(shape, subject)
    return pool if len(pool) == 1 and (subject != "numbers" or len(shape.names) == 1) else ()


def _clause(sentence: str, name: str, test: Test) -> Clause:
    return Clause(sentence, lambda given: name not in given or test(given[name]) is not False)


def _is_number(holds: Callable[[float], bool]) -> Test:
    def test(tree: Tree) -> bool | None:
        found = as_number(tree)
        return None if found is None else holds(found)

    return test


def _are_numbers(holds: Callable[[float], bool]) -> Test:
    def test(tree: Tree) -> bool | None:
        return all(_is_number(holds)(item) is not False for item in items(tree) or [])

    return test


def _is_long(holds: Callable[[int], bool]) -> Test:
    def test(tree: Tree) -> bool | None:
        found = length(tree)
        return None if found is None else holds(found)

    return test


def _at_least(match: re.Match[str]) -> Test:
    least = _TWO.get(match[1].lower()) or int(match[1])
    return _is_long(lambda size: size >= least)


def _is_sorted(tree: Tree) -> bool | None:
    held = items(tree)
    if held is None or not all(isinstance(item, str) for item in held):
        numbers = [found for item in held or [] if (found := as_number(item)) is not None]
        return numbers == sorted(numbers) if len(numbers) == len(held or []) else None
    return list(held) == sorted(held)


def _is_distinct(tree: Tree) -> bool | None:
    held = items(tree)
    return None if held is None else len({repr(item) for item in held}) == len(held)


def _is_lowercase(tree: Tree) -> bool | None:
    return tree == tree.lower() if isinstance(tree, str) else None


def _is_uppercase(tree: Tree) -> bool | None:
    return tree == tree.upper() if isinstance(tree, str) else None


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


class _Words(NamedTuple):
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
    _Words(
        rf"(?:{_LISTS}|items|elements|values) (?:\w+ )?of (?:\w+ )?non-?negative {_NUMBERS}",
        _LESS, "lists", _always(_are_numbers(lambda n: n >= 0)),
    ),
    _Words(
        rf"{_LISTS} (?:\w+ )?of (?:\w+ )?(?<!non-)positive {_NUMBERS}",
        _NOT_MORE, "lists", _always(_are_numbers(lambda n: n > 0)),
    ),
    _Words(
        rf"(?<!of )(?<!list )\bnon-?negative {_NUMBERS}|(?:must|should) be (?:a )?non-?negative\b",
        _LESS, "numbers", _always(_is_number(lambda n: n >= 0)),
    ),
    _Words(
        rf"(?<!of )(?<!non-)(?<!non )\bpositive {_NUMBERS}|(?:must|should) be (?:a )?positive\b",
        _NOT_MORE, "numbers", _always(_is_number(lambda n: n > 0)),
    ),
    _Words(rf"\bnon-?empty {_LISTS}", _EMPTY, "lists", _always(_is_long(bool))),
    _Words(r"\bnon-?empty (?:string|text|word)", _EMPTY, "texts", _always(_is_long(bool))),
    _Words(
        rf"\b(?<!return )(?:{_LISTS} (?:\w+ )?(?:that (?:is|are) )?(?:already )?sorted in "
        rf"(?:ascending|increasing|non-?decreasing|rising) order|already sorted {_LISTS})",
        "unsorted|not sorted|descending|any order", "lists", _always(_is_sorted),
    ),
    _Words(
        rf"\b(?<!of )(?:distinct|unique|pairwise different) (?:\w+ )?"
        rf"(?:{_NUMBERS}|items|elements|values|names)",
        r"duplicate|repeat|twice|more than once|distinct (?:\w+ )?(?:left|remain)", "lists",
        _always(_is_distinct),
    ),
    _Words(
        r"\bpositive number of\b", _NOT_MORE, "numbers", _always(_is_number(lambda n: n > 0)),
    ),
    _Words(
        r"\b(?!range|value|number|integer|length)[a-z]\w* (?:between|from|in the range(?: of)?) "
        r"(?P<low>-?\d{1,9}(?:\.\d{1,9})?) (?:and|to) (?P<high>-?\d{1,9}(?:\.\d{1,9})?)\b",
        "", "own", _between(_is_number),
    ),
    _Words(
        r"\b(?:words?|strings?|texts?|names?) in lower[- ]?case\b",
        r"upper-?case|capital|mixed|other characters|case[- ]insensitive", "texts",
        _always(_is_lowercase),
    ),
    _Words(
        rf"(?:of|has|have|contains?|with) (?:length )?at least {_MANY}"
        r"(?: elements| items| numbers)?\b",
        "", "lists", _at_least,
    ),
    _Words(
        rf"length of the (?:array|list|sequence){_RANGE}",
        "", "lists", _between(_is_long),
    ),
    _Words(
        rf"elements (?:of|in) the (?:array|list|sequence){_RANGE}",
        "", "lists", _between(_are_numbers),
    ),
    _Words(
        rf"\b(?:all |only )?lower-?{_LETTERS}",
        "upper-?case|capital" + _CASE_MATTERS, "texts", _always(_is_lowercase),
    ),
    _Words(
        rf"\b(?:all |only )?upper-?{_LETTERS}",
        "lower-?case" + _CASE_MATTERS, "texts", _always(_is_uppercase),
    ),
]  # fmt: skip
_SAID = [(re.compile(words.pattern, re.I), words) for words in _WORDS]
