"""Rules that read the statement of a function for how its result is compared.

Each gives the sentence that it read. `thresher.store.wording` has those for printed text,
`thresher.store.wording_of_results` what sentences say.
"""

import re
from typing import NamedTuple

from thresher.crawlers.functions.signatures import parts
from thresher.crawlers.statement import Call, Json, Signature
from thresher.store.records import Comparator
from thresher.store.wording_of_results import (
    OrderKind,
    is_any_answer,
    is_any_order,
    is_one_anyway,
    list_order,
)

TOLERANCE = 1e-5  # LeetCode's for every result that is a double, also where the text has none

FLAGS: dict[OrderKind, str] = {"unordered": "any_order", "unordered-nested": "any_order_nested"}
_LONGEST = 1000  # characters of a sentence that are read
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
# Of an example: of a list in any order and of a number this says nothing new.
_ALSO = re.compile(r"\balso (?:be )?(?:an? )?(?:valid|correct|accept|possible)", re.I)
_WITHIN = re.compile(r"within\b[^.]*?10\^?\{?\s*[-−–]\s*(\d)|10\^\{?-(\d)\}?", re.I)
_IN_PLACE = re.compile(
    r"(?:not|n['’]t) return(?: anything)?\b|should not be returned|without returning|"
    r"\bmodify\b[^.]*\bin[- ]?place\b|\bin[- ]?place\b|原地",
    re.I,
)
_RETURNS = re.compile(r"\breturn (?!anything)\S", re.I)


class Reading(NamedTuple):
    """How results are compared, the sentence that says so, and flags as in `Statement`."""

    comparator: Comparator
    evidence: str
    flags: frozenset[str]


def read(text: str, signature: Signature | None, calls: tuple[Call, ...]) -> Reading:
    """Read the plain text of a function's statement.

    Args:
        text: as `thresher.crawlers.text.markup` gives it.
        signature: where it is known; else the examples' results tell whether there is a list.
        calls: the examples.
    """
    sentences = [part.strip()[:_LONGEST] for part in _SENTENCE.split(text) if part.strip()]
    methods = signature.methods if signature else ()
    returns = signature.returns if signature else ""
    flags: set[str] = set()
    if methods:
        flags.add("design_class")
        returns = ", ".join(method.returns for method in methods)
    elif returns == "None" or (not signature and _is_in_place(sentences)):
        flags.add("in_place")
    results = [call.out for call in calls]
    comparator, evidence = _tolerance(sentences, returns, results)
    if not comparator:
        comparator, evidence, flag = _order(sentences, returns, results)
        flags |= {flag} - {""}
    exact = comparator == Comparator() and all(type(result) in (list, str) for result in results)
    for sentence in sentences:
        also = exact and not methods and _ALSO.search(sentence)
        if is_any_answer(sentence) or (also and not is_one_anyway(sentence)):
            flags.add("multiple_answers")
    return Reading(comparator, evidence, frozenset(flags))


def _is_in_place(sentences: list[str]) -> bool:
    return any(map(_IN_PLACE.search, sentences)) and not any(map(_RETURNS.search, sentences))


def _tolerance(
    sentences: list[str], returns: str, results: list[Json]
) -> tuple[Comparator | None, str]:
    stated = ((_WITHIN.search(one), one) for one in sentences if re.search(r"\bwithin\b", one))
    found, sentence = next(((match, one) for match, one in stated if match), (None, ""))
    if "float" in returns or (not returns and any(map(_has_float, results))):
        digits = int(found[1] or found[2]) if found else 0
        absolute = float(f"1e-{digits}") if digits else TOLERANCE
        evidence = sentence or "LeetCode accepts doubles that are within 10^-5 of the answer"
        return Comparator(kind="float", absolute=absolute), evidence
    return None, ""


def _has_float(value: Json) -> bool:
    return any(map(_has_float, value)) if type(value) is list else type(value) is float


def _order(sentences: list[str], returns: str, results: list[Json]) -> tuple[Comparator, str, str]:
    for sentence in sentences:
        if not is_any_order(sentence) or parts(returns)[0] in ("int", "bool", "float"):
            continue
        is_list = parts(returns)[0] in ("", "List", "list") and all(
            type(result) is list for result in results
        )
        kind = list_order(sentence, sentences, is_list and _is_nested(results))
        if not is_list or "," in returns or kind is None:
            return Comparator(), sentence, "multiple_answers"  # which no comparator covers
        return Comparator(kind=kind), sentence, FLAGS[kind]
    return Comparator(), "", ""


def _is_nested(results: list[Json]) -> bool:
    return any(type(item) is list for result in results for item in result)
