"""The licence of a problem's source must allow training on it and passing it on."""

from thresher.filters.filter import Filter, Finding, Options, Tools
from thresher.store.licence import UNKNOWN, is_permissive, names, normalise
from thresher.store.records import Problem

UNSTATED = {"", UNKNOWN, "noassertion", "none"}
LONGEST = 300  # characters of either, in the evidence


class Licence(Options, frozen=True):
    """Which licences are good enough.

    Attributes:
        any: all are; what is exported is still decided by the export.
        trusted: sources that are good whatever their licence: the beginning of their problems'
            task ids up to a slash, such as ``kattis`` or ``pypi/six``, in any case of letters.
        allowed: SPDX names of licences that are good besides the permissive ones.
    """

    any: bool = False
    trusted: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


def apply(problem: Problem, tools: Tools) -> Finding:
    """Drop a problem whose source's licence is unknown, no SPDX expression, or not permissive."""
    options: Licence = tools.options
    source = tools.source(problem)
    stated = source.licence.strip()
    said = " ".join(source.licence_evidence.split()) or "nothing says more"
    evidence = f"{stated[:LONGEST] or UNKNOWN}: {said[:LONGEST]}"
    if is_permissive(stated, options.allowed):
        return FILTER.keep(problem, evidence, ())
    if options.any:
        return FILTER.keep(problem, f"any licence is allowed; {evidence}", ())
    if trusted := _trusted(problem.task_id, options.trusted):
        return FILTER.keep(problem, f"{trusted} is trusted; {evidence}", ())
    return FILTER.drop(problem, _reason(stated), evidence, ())


def _trusted(task_id: str, trusted: tuple[str, ...]) -> str | None:
    name = task_id.casefold()
    return next(
        (each for each in trusted if name.startswith(f"{each.casefold().strip('/')}/")), None
    )


def _reason(stated: str) -> str:
    if stated.casefold() in UNSTATED:
        return "unknown-licence"
    terms = names(stated)
    return "not-permissive" if terms and all(map(_is_licence, terms)) else "unreadable-licence"


def _is_licence(name: str) -> bool:
    return name.startswith("LicenseRef-") or normalise(name) != UNKNOWN


FILTER = Filter("licence", 1, apply, Licence())
