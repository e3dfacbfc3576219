"""The licence of a problem's source must allow training on it and passing it on."""

import re

from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.store.licence import UNKNOWN, is_permissive, named_in, names, normalise
from thresher.store.records import Problem

# What a file may say of itself, whatever is said of its project.
HEADER = re.compile(r"SPDX-License-Identifier:\s*([\w.+() -]+)")
RESTRICTED = re.compile(
    r"\bGNU (?:Lesser |Library |Affero )?General Public Licen[sc]e\b|\b[AL]?GPL ?-?v?\d"
    r"|\bCreative Commons [\w -]{0,40}(?:NonCommercial|NoDerivatives|ShareAlike)"
    r"|\b(?:proprietary|confidential)\b.{0,80}\b(?:proprietary|confidential|licen[sc]e)\b"
    r"|\b(?:copying|distribution|reproduction|use|redistribution)\b.{0,80}\bprohibited\b"
    r"|\b(?:may|must|can) ?not be (?:copied|reproduced|distributed|disclosed|redistributed)\b"
    r"|\bnon-?commercial (?:use|purposes)? ?only\b|\bnot for commercial use\b",
    re.IGNORECASE,
)
RESERVED = re.compile(r"\ball rights reserved\b", re.IGNORECASE)
GRANTED = re.compile(r"licen[sc]e|permi(?:t|ssion)|redistribut", re.IGNORECASE)
UNSTATED = {"", UNKNOWN, "noassertion", "none"}
LONGEST = 300  # characters of either, in the evidence
LONGEST_NOTICE = 20_000  # characters of comments that are read


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
    if is_permissive(stated, options.allowed):
        if (notice := _notice(problem, options)) and not options.any:
            return FILTER.drop(problem, "other-notice", f"{notice!a} in a comment; {evidence}", ())
        return FILTER.keep(problem, evidence, ())
    if options.any:
        return FILTER.keep(problem, f"any licence is allowed; {evidence}", ())
    if trusted := named_in(problem.task_id, options.trusted):
        return FILTER.keep(problem, f"{trusted} is trusted; {evidence}", ())
    return FILTER.drop(problem, _reason(stated), evidence, ())


def _notice(problem: Problem, options: Licence) -> str | None:
    """Return what the comments of a program say against its source's licence."""
    lines = (line.strip() for line in program(problem).splitlines())
    said = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))[:LONGEST_NOTICE]
    for stated in HEADER.findall(said):
        if not is_permissive(stated.strip(), options.allowed):
            return f"SPDX-License-Identifier: {stated.strip()}"
    if found := RESTRICTED.search(said):
        return found[0]
    reserved = RESERVED.search(said)
    return reserved[0] if reserved and not GRANTED.search(said) else None


def _reason(stated: str) -> str:
    if stated.casefold() in UNSTATED:
        return "unknown-licence"
    terms = names(stated)
    return "not-permissive" if terms and all(map(_is_licence, terms)) else "unreadable-licence"


def _is_licence(name: str) -> bool:
    return name.startswith("LicenseRef-") or normalise(name) != UNKNOWN


FILTER = Filter("licence", 2, apply, Licence())
