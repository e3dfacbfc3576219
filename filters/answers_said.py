"""What a text says of a function's answers: in any order, any of several.

Of printed text `thresher.store.wording` knows more.
"""

import re
from collections.abc import Iterator

LONGEST_TEXT, LONGEST = 100_000, 1_000  # characters of a text and of a sentence
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n|\n\s*[-*•]\s+")
_ORDER = re.compile(
    r"\b(?:in|has|have) (?:any|an? arbitrary|arbitrary|no particular|an? unspecified|unspecified"
    r"|no specific|an? undefined) order\b"
    r"|\border (?:of [^.]{0,60})?(?:do(?:es)?(?: not|n['’]t) matter|is (?:not important|irrelevant"
    r"|unspecified|undefined|arbitrary|not (?:guaranteed|defined|specified|preserved)))"
    r"|\bno guarantee[^.]{0,40}\border\b|\border is not guaranteed",
    re.I,
)
_OF_ANSWER = re.compile(
    r"\b(?:return\w*|answers?|outputs?|results?|solutions?|print\w*|yield\w*|produc\w*|give[sn]?)\b",
    re.I,
)
_OF_INPUT = re.compile(
    r"\b(?:given|input|arguments?|parameters?|passed|accepts?|takes?|operations?|swaps?|rearrang\w+"
    r"|if|whether|same (?:letters|characters|elements|items))\b[^.]{0,80}\border\b"
    r"|regardless of|anagram|permut\w+ of (?:the )?(?:input|other)",
    re.I,
)
_ANSWER = (
    r"(?:answer|solution|option|output|result|sequence|permutation|array|list|string|set|path|pair"
    r"|arrangement|assignment|plan|combination|one)s?"
)
_ANY = re.compile(
    r"\b(?:return|print|output|find|report|give|choose|pick|yield)\w*\s+(?:[\w'’]+\s+){0,3}?"
    r"any(?: one)? (?:of (?:them|these|those|the (?:valid|possible|correct|best|solutions|answers))"
    rf"|(?:such|valid|correct|possible|suitable|optimal) {_ANSWER})\b"
    rf"|\bany (?:of them|(?:valid|correct|possible|such)(?: {_ANSWER})?)\b[^.]{{0,60}}"
    r"\b(?:accept\w*|fine|correct|allowed|acceptable|ok)\b"
    r"|\b(?:multiple|several|many|more than one|different)\b[^.]{0,80}\b(?:return|print|output|give"
    r"|report)\w*\s+any\b"
    r"|\b(?:return|print|output)s?\s+any\s*(?:[.,;)]|$)"
    r"|\breturns? an arbitrary (?:one|answer|solution|such)\b",
    re.I,
)
_ONE_ANYWAY = re.compile(
    r"smallest|largest|lexicograph|\b(?:not|no|never|cannot|without|n['’]t)\b[^.]{0,30}\bany\b"
    r"|\bif (?:there (?:is|are) )?any\b|which comes first|the first (?:one|such)|any number of",
    re.I,
)


def any_order(text: str) -> str | None:
    """Return the sentence which says that the order in an answer doesn't matter, or None."""
    for sentence in _sentences(text):
        match = _ORDER.search(sentence)
        if match and _OF_ANSWER.search(sentence) and not _OF_INPUT.search(sentence):
            return sentence
    return None


def any_answer(text: str) -> str | None:
    """Return the sentence which says that any of several answers will do, or None."""
    for sentence in _sentences(text):
        if _ANY.search(sentence) and not _ONE_ANYWAY.search(sentence):
            return sentence
    return None


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each in one line."""
    for part in _SENTENCE.split(text[:LONGEST_TEXT]):
        if part.strip() and not part.lstrip().startswith(">>>"):
            yield " ".join(part.split())[:LONGEST]
