"""What a text says of the results of a function: in any order, any of several.

`thresher.store.wording` has what is said of printed text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

OrderKind = Literal["unordered", "unordered-nested"]
LONGEST_TEXT, LONGEST = 100_000, 1_000  # characters of a text and of a sentence
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n(?:\s*[-*•]\s+)?|\n\s*[-*•]\s+")
_ORDER = re.compile(
    r"\b(?:whatever|whichever) order\b"
    r"|\b(?:an?|no) (?:arbitrary|particular|specific|unspecified|undefined) order\b"
    r"|\b(?:any(?: arbitrary)?|arbitrary|unspecified) order\b"
    r"|\border (?:of [^.]{0,60})?(?:do(?:es)?(?: not|n['’]t) matter|is (?:not important|irrelevant"
    r"|unspecified|undefined|arbitrary|not (?:guaranteed|defined|specified|preserved)))|任意顺序",
    re.I,
)
_OF_RESULT = re.compile(
    r"^any order (?:is|will|would)\b|\border (?:is|are) (?:accepted|fine|allowed|right|ok)\b|"
    r"\b(?:return|answer|output|result|solution|lists?|pairs|combinations|matter|print|yield|produc"
    r"|give[sn]?\b)\w*\b|返回|答案",
    re.I,
)
_OF_INPUT = re.compile(
    r"\b(?:operations?|complete[ds]?|rearrange|swaps?|given in)\b|regardless of|anagram"
    r"|\b(?:input|arguments?|parameters?|passed|accepts?|takes?|if|whether|same (?:letters"
    r"|characters|elements|items))\b[^.]{0,80}\border\b",
    re.I,
)
# What such a list holds are sets: the order in each of them means nothing either.
_SETS = re.compile(
    r"\bgroup (?:the|all|them|together|those)\b"
    r"|\breturn\b[^.]*\b(?:combinations|subsets|triplets|quadruplets)\b",
    re.I,
)
_ONLY_INNER = re.compile(r"\bin the lists\b|\bin each (?:list|group)\b", re.I)
_INDICES = re.compile(r"\bthe indices of\b", re.I)  # which stand in the inner lists
_ANY = re.compile(
    r"\breturn any\b(?! order| arbitrary| number| two)(?= (?:of|one|such|valid|correct|possible"
    r"|answer|solution)|\s*(?:[.,;)]|$))|\breturns? an arbitrary\b(?! order)"
    r"|\breturn (?:the )?(?:index|indices|root)\b[^.]*\bany (?:of|one of)\b"
    r"|\breturn\b[^.]*\bany one of them\b"
    r"|\bany (?:of (?:them|these|the)|valid|correct|possible|such)\b[^.]*"
    r"\b(?:accept|return|fine|correct|judged|allowed)"
    r"|\breturn\b[^.]*\brepresenting any\b"
    r"|\b(?:find|report|give|choose|pick|yield)\w* any(?: one)? (?:of (?:them|these|those)"
    r"|(?:such|valid|correct|possible|suitable|optimal)\b)"
    r"|\b(?:multiple|several|many|more than one)\b[^.]*\b(?:return|accept|report)\w*[^.]*\bany\b"
    r"|\b(?:multiple|several|more than one) (?:\w+ )?(?:answer|solution)s?\b[^.]*\bany\b"
    r"|\bany (?:\w+ ){0,2}(?:will do|would do|works|counts"
    r"|is (?:fine|right|ok|okay|good|valid|correct|acceptable|accepted|allowed))\b"
    r"|\b(?:does(?: not|n['’]t)|no) matter which\b|\bwhich(?: one)? (?:of them )?is chosen\b"
    r"|\breturns? (?:some|one) of the \w+s (?:of|that|which|whose|with)\b"
    r"|返回任[意何]|任[意何]一",
    re.I,
)
_ONE_ANYWAY = re.compile(
    r"smallest|largest|lexicograph|\bin any (?:arbitrary )?order|comes first"
    r"|\b(?:not|no|cannot|never|without)\b[^.]*\bany\b|n['’]t\b[^.]*\bany\b"
    r"|\bif (?:there (?:is|are) )?any\b",
    re.I,
)


def is_any_order(sentence: str) -> bool:
    """Say whether a sentence lets the order in a result be any."""
    return bool(
        _ORDER.search(sentence) and _OF_RESULT.search(sentence) and not _OF_INPUT.search(sentence)
    )


def is_any_answer(sentence: str) -> bool:
    """Say whether a sentence lets the result be any of several."""
    return bool(_ANY.search(sentence)) and not is_one_anyway(sentence)


def is_one_anyway(sentence: str) -> bool:
    """Say whether a sentence singles out one of several results."""
    return bool(_ONE_ANYWAY.search(sentence))


def list_order(sentence: str, text: Sequence[str], is_nested: bool) -> OrderKind | None:
    """Return the kind of comparator for lists in any order, None where none will do.

    Args:
        sentence: which says that the order may be any.
        text: all sentences.
        is_nested: there are lists in the lists.
    """
    if _ONLY_INNER.search(sentence) or (is_nested and _INDICES.search(sentence)):
        return None
    return "unordered-nested" if is_nested and any(map(_SETS.search, text)) else "unordered"


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a docstring, each in one line; no doctests."""
    for part in _SENTENCE.split(text[:LONGEST_TEXT]):
        if part.strip() and not part.lstrip().startswith(">>>"):
            yield " ".join(part.split())[:LONGEST]
