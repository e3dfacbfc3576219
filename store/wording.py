"""Rules that read a statement for how its answers are compared; each gives the sentence it read.

For programs that print text; `thresher.crawlers.functions.returns` has those for values. English
first, Japanese, Russian, Chinese and Korean where a phrase is sure.
"""

import re
from typing import NamedTuple

from thresher.store.records import Comparator


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I)


_SENTENCE = re.compile(r"(?<=[.!?])(?:\s+|(?=[A-Z]))|(?<=。)|\n+")
_LONGEST = 1000  # characters of a sentence that are read
_TELL = r"\b(?:print|output|display|write|list|report|give|return|produce)(?:s|ed|ing)?\s+"
# A few words that don't begin a condition.
_GAP = r"(?:(?!(?:if|when|whether|that|unless|for)\b)[^\s.]+\s+){0,6}?"
_ANSWER = (
    r"(?:solution|answer|option|possibilit|optimal|construction|such|valid|correct|suitable|way|"
    r"sequence|permutation|array|string|set|path|pair|tree|graph|arrangement|assignment|output|"
    r"plan|order|matri|grid|subset|triple|number|integer|combination|schedule|strateg|possible)"
)
_ORDER = r"in (?:any|an? arbitrary|arbitrary) order"
# One thing, not many of them: "any palindrome that has", but for "any text that is left".
_ONE_THING = (
    r"(?!(?:[a-z]+\s+)?(?:text|output|input|error|message|number of|two|other|extra|remaining)\b)"
    r"(?:[a-z-]+\s+){0,2}?[a-z]*(?:[a-rt-z]|ss)"
)
_MULTIPLE = _any(
    rf"(?:^|[,;:]\s*|\b(?:and|then|please|may|can|should|must)\s+){_TELL}any\s+{_ONE_THING}\s+"
    r"(?:of|that|which|with|whose|satisfying|containing|consisting|from|between)\b",
    rf"{_TELL}{_GAP}any(?:\s+one)?\s*(?:of\b|[.,;)]|$)",
    rf"{_TELL}{_GAP}(?:any|an\s+arbitrary)\s+(?:one\b|(?:[a-z]+\s+)?{_ANSWER})",
    rf"{_TELL}{_GAP}{_ORDER}",
    r"\b(?:find|choose|pick|construct)\s+any\s*(?:[.,;)]|of them\b|one\b|such\b|solution|$)",
    r"\b(?:multiple|several|many|more than one|different)\b.*\b(?:any|either|one) of them\b",
    r"\bany(?:\s+[a-z]+){0,4}\s+(?:be|is|are) (?:accepted|fine|correct|ok|considered correct)\b",
    r"\bany (?:valid|correct|possible) [a-z]+\b[^.]*\b(?:is|are|be) accepted",
    rf"\b(?:may|can) be (?:printed|output|listed|written) {_ORDER}",
    r"special (?:judge|checker)",
    r"выве\w+[^.]*\bлюб(?:ой|ую|ое|ого|ые)\b",
    r"(?:どれ|いずれ|何れ|どの)[^。]*出力し(?:て|ても)[^。]*(?:よい|良い|構わ|かまわ|正解)",
    r"(?:複数|いくつか)[^。]*(?:どれか|いずれか|どれでも|任意)",
    r"输出[^。]*任[意何]一|任意一(?:个|种|组)[^。]*(?:即可|均可)",
    r"아무(?:거나|것이나| ?하나)",
)
_NOT_MULTIPLE = _any(
    r"\b(?:without|not|never|n['’]t)(?:\s+[a-z]+)?\s+any\b",
    rf"\bgiven {_ORDER}",
    r"\b(?:smallest|largest|minimum|maximum|first|last) (?:of|one|such|lexicog)|lexicograph",
    r"any number of",
)
_ANY_CASE = _any(
    r"\b(?:print|output|display|write|letters?|characters?|answer|words?|strings?|yes|no)\b[^.]*"
    r"\bin (?:any|either|arbitrary) (?:case|register)\b",
    r"\bcase[- ]insensitive|\b(?:case|capitali[sz]ation)\b[^.]*\b(?:does|is)(?: not|n.t) "
    r"(?:matter|important)",
    r"\b(?:can|may) (?:print|output|display)\b[^.]*(?:upper[- ]?(?:case)?|lower[- ]?(?:case)?) or "
    r"(?:upper|lower)",
    r"в любом регистре|регистр[^.]* не (?:важен|имеет)",
    r"大文字[^。]*小文字[^。]*区別し(?:ない|ません)",
)
# "In uppercase or lowercase" lets the case be any, but doesn't speak of it.
_NAMES_CASE = _any(
    r"(?<!test )(?<!upper )(?<!lower )\bcase\b|регистр|register|区別|capitali[sz]ation",
)
_JUDGED = _any(
    r"error|toleranc|precision|accura|correct if|differ|deviat|within",
    r"погрешност|точност|誤差|误差|오차|精度",
)
_POWER = r"10\s*\^?\s*\{?\s*[-−–]\s*(\d+)\s*\}?"
_AMOUNT = re.compile(
    rf"(?:(\d+(?:\.\d+)?)\s*(?:\\cdot|\\times|·|×|\*)\s*)?{_POWER}"
    r"|(\d+(?:\.\d+)?)\s*[eE]\s*[-−–]\s*(\d+)|\b(0\.0*[1-9]\d*)\b"
)
_LARGEST = 0.1  # a larger number in such a sentence is no tolerance
_DIGITS = _any(
    r"(?:at least|precision of|accura\w+ (?:to|of)|correct (?:up )?to|exact to) (\d{1,2}) "
    r"(?:decimal|digits? after|digits? of (?:precision|accuracy)|places)"
)
_PROMISED = _any(r"\bguarantee", r"\brounded?\b", r"гарантир", r"保証")
_RELATIVE = re.compile(r"relative|относительн|相対|相对|상대", re.I)
_ABSOLUTE = re.compile(r"absolute|абсолютн|絶対|绝对|절대", re.I)
_INTERACTIVE = _any(
    r"\binteractive (?:problem|task)\b|\binteractor\b|интерактивн\w+ (?:задач|взаимодейств)",
    r"\breactive (?:problem|task)\b|\bfflush\b|stdout\.flush",
    r"\bflush (?:the |your )?(?:output|buffer)",
    r"インタラクティブ|リアクティブ|交互题|인터랙티브",
)


class Reading(NamedTuple):
    """What a statement says of its answers.

    `evidence` is the sentence that `comparator` was read from, empty for the default, `tokens`;
    `flags` as in `Statement.flags`; `interactive` where the program talks with another one.
    """

    comparator: Comparator
    evidence: str
    flags: tuple[str, ...]
    interactive: bool


def read(text: str) -> Reading:
    """Read the plain text of a program's statement, as `thresher.crawlers.text.markup` gives it."""
    sentences = [part.strip()[:_LONGEST] for part in _SENTENCE.split(text)]
    comparator, evidence, flags = Comparator(kind="tokens"), "", set()
    for sentence in sentences:
        if _MULTIPLE.search(sentence) and not _NOT_MULTIPLE.search(sentence):
            flags.add("multiple_answers")
        found = None
        if _ANY_CASE.search(sentence):
            if _NAMES_CASE.search(sentence):
                flags.add("case_insensitive")
            found = Comparator(kind="tokens-ignoring-case")
        else:
            found = _tolerance(sentence)
        if found and not evidence:
            comparator, evidence = found, sentence
    return Reading(comparator, evidence, tuple(sorted(flags)), bool(_INTERACTIVE.search(text)))


def _tolerance(sentence: str) -> Comparator | None:
    """Read the allowed errors of floats from a sentence that may state them."""
    if _PROMISED.search(sentence):
        return None
    if digits := _DIGITS.search(sentence):
        return Comparator(kind="tokens", absolute=float(f"1e-{digits[1]}"))
    read = ((found.start(), _amount(found)) for found in _AMOUNT.finditer(sentence))
    amounts = [(start, amount) for start, amount in read if 0 < amount <= _LARGEST]
    if not amounts or not _JUDGED.search(sentence):
        return None
    relative, absolute = _RELATIVE.search(sentence), _ABSOLUTE.search(sentence)
    if not relative and not absolute:
        return Comparator(kind="tokens", absolute=amounts[0][1])
    return Comparator(
        kind="tokens", relative=_nearest(amounts, relative), absolute=_nearest(amounts, absolute)
    )


def _amount(found: re.Match[str]) -> float:
    factor, power, mantissa, exponent, decimal = found.groups()
    if decimal:
        return float(decimal)
    return float(f"{factor or mantissa or 1}e-{power or exponent}")


def _nearest(amounts: list[tuple[int, float]], word: re.Match[str] | None) -> float:
    """Return the first amount after a word, or the last one before it; 0 without the word."""
    if word is None:
        return 0.0
    after = [amount for start, amount in amounts if start > word.start()]
    return after[0] if after else amounts[-1][1]
