"""What a text says of arguments: "a non-negative integer n", "at least two elements", in symbols.

It counts where it is said of the input, without a condition, and where the text doesn't go on to
say what becomes of an input that is otherwise.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from thresher.filters.contracts.demands import Test
from thresher.filters.contracts.promise_words import SAID
from thresher.filters.contracts.ranges import Given, length, relations
from thresher.filters.contracts.subjects import demands

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
_WORD = re.compile(r"[A-Za-z]{4}")
_CALLED = re.compile(r"[\w\])]$")  # before a bracket
_SAME_LENGTH = re.compile(
    r"\b(?:two|both) (?:\w+ ){0,2}(?:lists|arrays|sequences|tuples|strings|texts|words|vectors)\b"
    r"[^.]{0,40}(?<!to the )\b(?:same|equal) (?:length|size|number of (?:items|elements|values))\b"
    r"|\btwo (?:equally long|equal-length) (?:\w+ )?\w+s\b",
    re.I,
)
_OTHER_LENGTH = re.compile(
    r"\b(?:different|unequal|other|differ in) lengths?\b|\bshorter\b|\blonger\b|mismatch"
    r"|\blengths? (?:differ|may|are not|aren['’]t)|not (?:of )?the same length",
    re.I,
)
# What says that an input may break what is demanded of inputs.
_ALLOWS = re.compile(r"\b(?:otherwise|else|not recommended|ignored|need not|unsorted|key)\b", re.I)


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
    for number, sentence in enumerate(sentences(text[:LONGEST_TEXT])):
        found += _symbols(sentence, shape, number == 0)
        found += _words(sentence, shape, text)
        found += _as_long(sentence, shape, text)
        found += _demands(sentence, shape, text)
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


def _symbols(sentence: Sentence, shape: Shape, is_first: bool) -> Iterator[Clause]:
    """Yield the comparisons of a sentence that are meant as limits.

    A comparison that is a text's whole first sentence says what the answer is.
    """
    for chain, parts in relations(sentence.text):
        before, after = sentence.text[: chain.start()], sentence.text[chain.end() :]
        bracket = before.rfind("(")
        in_brackets = (
            bracket > before.rfind(")")
            and not _WORD.search(before[bracket:])
            and not _CALLED.search(before[:bracket])
            and not re.match(r"\)\.\w", after)
        )
        is_whole = (
            not is_first
            and not re.search(r"\w", before)
            and (not re.search(r"\w", after) or bool(before))
        )
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
    for pattern, words in SAID:
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


def _demands(sentence: Sentence, shape: Shape, text: str) -> Iterator[Clause]:
    """Yield what a sentence says with a parameter as its subject."""
    for name, test in demands(sentence.text, lambda about: getattr(shape, about)):
        if not _ALLOWS.search(text.replace(sentence.text, "")):
            yield _clause(sentence.text, name, test)


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
    known = {*shape.lists, *shape.texts, *shape.numbers}
    if subject == "own":  # the word before the range is the parameter's
        own = match[0].split()[0]
        return [own] if own in shape.numbers else ()
    behind = re.match(
        r"[\s,`'\"(]*(?:of )?((?:\w+[`'\"]?(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)[`'\"]?){0,4}\w+)",
        sentence.text[match.end() :],
    )
    words = re.findall(r"\w+", behind[1]) if behind else []
    pool: Sequence[str] = getattr(shape, subject)
    named = [word for word in words if word in pool or (word in shape.names and word not in known)]
    if named and (words[0] in named or len(named) > 1):
        return named
    if sentence.about in shape.names:
        return [sentence.about]
    before = re.search(r"(\w+)\W*(?:is|are|will be|must be|should be)?\W*(?:an?|the)?\W*$",
                       sentence.text[: match.start()])  # fmt: skip
    if before and before[1] in shape.names:
        return [before[1]]
    if re.search(r"\b(?:two|both) (?:\w+ )?$", sentence.text[: match.start()]):
        return pool if len(pool) == len(shape.names) == 2 else ()
    return pool if len(pool) == 1 and (subject != "numbers" or len(shape.names) == 1) else ()


def _clause(sentence: str, name: str, test: Test) -> Clause:
    return Clause(sentence, lambda given: name not in given or test(given[name]) is not False)
