"""How a problem package says that answers are compared.

The default output validator and its arguments are those of every version of
https://www.kattis.com/problem-package-format.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from thresher.crawlers.packages.metadata import words
from thresher.errors import SourceError
from thresher.store.records import Comparator

TOLERANCES = {
    "float_tolerance": ("relative", "absolute"),
    "float_relative_tolerance": ("relative",),
    "float_absolute_tolerance": ("absolute",),
}
CASE, SPACE = "case_sensitive", "space_change_sensitive"


class Validation(NamedTuple):
    """What judges the answers: a program of the package's own, or the format's default.

    `interactive` where the program talks with the judge or runs several times; `score` where an
    answer may be better than another.
    """

    custom: bool
    interactive: bool
    score: bool


def validation(metadata: Mapping[str, Any], own: bool) -> Validation:
    """Return what judges the answers.

    Args:
        metadata: what ``problem.yaml`` says.
        own: whether the package has an output validator; since 2023-07 that alone says so.

    Raises:
        SourceError: ``submit-answer``, no program is asked for.
    """
    said = {*words(metadata.get("validation")), *words(metadata.get("type"))}
    if "submit-answer" in said:
        raise SourceError("submit-answer", "the answers are asked for, not a program")
    legacy = str(metadata.get("problem_format_version", "legacy")).startswith("legacy")
    return Validation(
        custom="custom" in said or (own and not legacy),
        interactive=not said.isdisjoint({"interactive", "multi-pass"}),
        score="score" in said,
    )


def comparator(arguments: Sequence[str]) -> Comparator:
    """Return what the default output validator does with its arguments.

    Words are compared without regard to case unless they say otherwise.

    Raises:
        SourceError: ``bad-validator-flags``, or ``mixed-validation`` where blanks count, but not
            the last digits of numbers: nothing here compares so.
    """
    errors: dict[str, float] = {}
    rest = iter(arguments)
    for word in rest:
        if word in TOLERANCES:
            errors |= dict.fromkeys(TOLERANCES[word], _number(next(rest, "")))
        elif word not in (CASE, SPACE):
            raise SourceError("bad-validator-flags", f"{word!r} is no flag of the validator")
    if SPACE in arguments and errors:
        raise SourceError("mixed-validation", "blanks count, but numbers have a tolerance")
    if SPACE in arguments:
        return Comparator(kind="lines")
    return Comparator(
        kind="tokens" if CASE in arguments else "tokens-ignoring-case",
        relative=errors.get("relative", 0.0),
        absolute=errors.get("absolute", 0.0),
    )


def _number(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1:
        raise SourceError("bad-validator-flags", f"{word!r} is no tolerance")
    return number
