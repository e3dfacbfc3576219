"""The licence of a problem's source must allow training on it and passing it on."""

from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.filters.texts.statements import notes
from thresher.store import notices
from thresher.store.licence import UNKNOWN, is_permissive, named_in, names, normalise
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
    """Drop a problem whose source's licence, or what its own comments say, isn't permissive."""
    options: Licence = tools.options
    source = tools.source(problem)
    stated = source.licence.strip()
    said = " ".join(source.licence_evidence.split()) or "nothing says more"
    evidence = f"{stated[:LONGEST] or UNKNOWN}: {said[:LONGEST]}"
    good = is_permissive(stated, options.allowed)
    notice = _notice(problem, stated, options) if good else None
    if good and not notice:
        return FILTER.keep(problem, evidence, ())
    if options.any:
        return FILTER.keep(problem, f"any licence is allowed; {evidence}", ())
    if trusted := named_in(problem.task_id, options.trusted):
        return FILTER.keep(problem, f"{trusted} is trusted; {evidence}", ())
    if notice:
        said = f"{notice[:LONGEST]!a} in the program; {evidence}"
        return FILTER.drop(problem, "other-notice", said, ())
    return FILTER.drop(problem, _reason(stated), evidence, ())


def _notice(problem: Problem, stated: str, options: Licence) -> str | None:
    """Return what a program says against its source's licence."""
    # Where a licence is only good because it is allowed, a name may be its own.
    own = is_permissive(stated)
    return notices.against(notes(program(problem)), options.allowed, names=own)


def _reason(stated: str) -> str:
    if stated.casefold() in UNSTATED:
        return "unknown-licence"
    terms = names(stated)
    return "not-permissive" if terms and all(map(_is_licence, terms)) else "unreadable-licence"


def _is_licence(name: str) -> bool:
    return name.startswith("LicenseRef-") or normalise(name) != UNKNOWN


FILTER = Filter("licence", 3, apply, Licence())
