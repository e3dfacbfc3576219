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
    r"|unspecified|undefined|arbitrary|not (?:guaranteed|defined|specified|preserved)))|任意顺序"
    r"|\border (?:in which|of) [^.]{0,60}(?:do(?:es)?(?: not|n['’]t) matter"
    r"|is (?:irrelevant|arbitrary))"
    r"|\breturns? an unordered list\b|\b(?:result|list|output)\b[^.]{0,20} is unordered\b"
    r"|\bno (?:particular|specific|fixed) order is\b",
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
    r"|\bgiven\b(?:(?!\breturn|\blist all|\bprint|\bfind|\boutput|\bcan be\b)[^.])*\border\b"
    r"|\border of (?:the )?(?:[`'][^.]* (?:and|,) |\w (?:and|,) |inputs?\b|arguments?\b|operands?\b"
    r"|parameters?\b)|\b(?:sorts?|whose|unsorted)\b[^.]*\border\b"
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
_THEM = r"(?:them|these|those|which)"
_BEST = r"\w{2,}est|optimal|best|minimal|maximal|valid|correct|possible|suitable|such|tied|equal\w*"
_ANSWER = (
    r"(?:answer|solution|arrangement|rearrangement|permutation|order(?:ing)?|assignment|sequence"
    r"|path|pair|set|subset|list|tree|way|choice|result|one)"
)
# What an answer may be; what an argument is as a rule is "accepted" too.
_RIGHT = (
    r"(?:is|are|would be|will be|counts as|(?:can|may|could) be) (?:also )?"
    r"(?:fine|right|ok|okay|good|valid|correct|acceptable|accepted|allowed|judged|considered"
    r"|returned|chosen|picked)\b"
    r"|(?:will|would) do\b|(?:works|counts|suffices)\b"
)
_SEVERAL = (
    r"(?:multiple|several|many|more than one|two or more|duplicates|ties?|tied|equally"
    r"|not unique|n['’]t unique|ambiguous)"
)
_GIVE = r"(?:return|accept|report|pick|choose|give|find|take|yield|produce|print)\w*"
_OF_THE_BEST = rf"of the (?:{_BEST})\b"
_IFS = ("if", "whether", "when", "that", "until", "unless", "once", "before", "as", "where")
_NO_IF = "".join(rf"(?<!\b{word} )" for word in _IFS)
# What is valid is an argument as a rule where it is one of these.
_INPUT = (
    r"(?! (?:\w+ )?(?:numbers?|strings?|values?|names?|inputs?|types?|objects?|keys?|\w+s are)\b)"
)
_ONE_THING = (
    r"(?!(?:\w+ )?(?:data|text|output|input|information|content|message|error|exception|warning"
    r"|value|number of|two|other|additional|extra|remaining)\b)(?:\w+ )?\w*(?:[^s\W]|ss)"
)
_ANYS = [
    # "Return any of them", "find any such pair"
    rf"\breturn any\b(?= (?:one\b|of {_THEM}\b|{_OF_THE_BEST}|(?:{_BEST})\b|answer|solution)"
    r"|\s*(?:[.,;)]|$))",
    rf"^\W*(?:then )?return any {_ONE_THING} (?:of|that|which|with|whose|such|in which)\b",
    r"\breturns? an arbitrary\b(?! order)",
    r"\breturns? (?:one|some) (?:valid|possible|suitable|such(?! that)|optimal)\b",
    r"^\W*return (?:some|one) of the \w+s (?:of|that|which|whose|with)\b(?!.*\bdepend)",
    r"\breturn (?:the )?(?:index|indices|root)\b[^.]*\bany (?:of|one of)\b",
    r"\breturn\b[^.]*\b(?:any|an arbitrary) one of them\b",
    r"\breturn\b[^.]*\brepresenting any\b",
    rf"\b(?:find|report|give|choose|pick|yield)\w* any(?: one)?(?: of {_THEM}"
    rf"| (?:{_BEST})(?! \w+(?<!s)s\b)|\s*(?:[.,;)]|$))",
    # "Any of them is fine", where that isn't a condition
    rf"{_NO_IF}\bany(?: one)?(?: of {_THEM}| {_OF_THE_BEST}(?: \w+)?)? (?:{_RIGHT})",
    rf"{_NO_IF}\bany (?:such|(?:other )?(?:{_BEST}){_INPUT})(?: \w+){{0,3}}? (?:{_RIGHT})",
    rf"{_NO_IF}\bany (?:valid|correct|possible|such) {_ANSWER}\b.{{0,160}}? (?:{_RIGHT})",
    rf"\b{_SEVERAL}\b[^.]*{_NO_IF}\bany(?: one)?(?: of (?:{_THEM}|the \w+))? (?:{_RIGHT})",
    # "If there are several, return one of them"
    rf"\b{_SEVERAL}\b[^.]*\b{_GIVE} (?:just |only )?(?:any\b|either\b|an arbitrary\b"
    rf"|one(?: of {_THEM})?(?: arbitrarily| at random)?\s*(?:[.,;)]|$)|some one\b)",
    # "It doesn't matter which", "ties are broken arbitrarily"
    r"\b(?:does(?: not|n['’]t)|no|not) matter which(?: ones?\b|\s*(?:[.,;)]|$)"
    rf"| of (?:{_THEM}|the)\b"
    r"|(?: \w+){0,3} (?:is|are|you|we) (?:return|chosen|choose|pick|report|select|found))",
    r"\bwhich(?: one)?(?: of [\w ]{1,30})? (?:is|gets) (?:returned|chosen|picked|reported|found)\b"
    r".{0,20}(?:unspecified|undefined|arbitrary|up to|not (?:specified|defined|important)|matter)",
    r"\bties?\b[^.]{0,30}\b(?:broken|resolved|settled) (?:arbitrarily|at will|in any way|any way)",
    r"\b(?:break|breaks|breaking|resolv\w+|settl\w+) ties (?:arbitrarily|at will|in any way)",
    r"\ban arbitrarily (?:chosen|picked|selected)\b",
    r"\bchoice (?:\w+ ){0,5}(?:is|are) (?:arbitrary|free|up to|yours)",
    r"返回任[意何]|任[意何]一",
]
_ANY = re.compile("|".join(_ANYS), re.I)
_ONE_ANYWAY = re.compile(
    r"\bany\b.*(?:smallest|largest|lexicograph|comes first)(?! \w+,)"
    r"|(?:lexicograph|comes first|\b(?:return|report|give|find|print|choose|pick)\w* the "
    r"(?:smallest|largest|first|last|one with))|\bin any (?:arbitrary )?order"
    r"|\b(?:not(?! unique| matter| important| all)|no(?! matter)|cannot|never|without)\b"
    r"[^.]*\bany\b"
    r"|(?<!is)(?<!are)(?<!does)n['’]t\b[^.]*\bany\b"
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
