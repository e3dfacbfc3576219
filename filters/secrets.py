"""Nothing that is exported may hold a secret or the data of a person: no program, no value."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.filters.sensitive.credentials import secrets_in
from thresher.filters.sensitive.held_texts import Held, held
from thresher.filters.sensitive.personal_data import is_about_numbers, personal_in
from thresher.store.records import Problem

SECRET, PERSONAL = "secret", "personal-data"  # noqa: S105
PIECE, OVERLAP = 4000, 100  # characters of a line that are looked at together for personal data


class Secrets(Options, frozen=True):
    """What is let pass.

    Attributes:
        personal: look for personal data too.
        ignore: kinds of either that are no reason, such as ``jwt`` or ``home folder``.
        allow: what may be found, with ``*`` and ``?`` as in file names, in any case of letters:
            ``*@corp.example``.
    """

    personal: bool = True
    ignore: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()


class Spot(NamedTuple):
    """Something found: its reason code, kind and place; of itself only the length is told."""

    reason: str
    kind: str
    place: str
    length: int


def apply(problem: Problem, tools: Tools) -> Finding:
    """Drop a problem in whose program, statement or cases something was found.

    The evidence names kind and place of the first and never what was found.
    """
    spots = list(dict.fromkeys(found(problem, tools.options)))
    if not spots:
        return FILTER.keep(problem, "nothing was found in the program and its cases", ())
    first = next((spot for spot in spots if spot.reason == SECRET), spots[0])
    more = f", and {len(spots) - 1} more" if len(spots) > 1 else ""
    evidence = f"{first.kind} in {first.place}: {first.length} characters{more}"
    return FILTER.drop(problem, first.reason, evidence, ())


def found(problem: Problem, options: Secrets) -> Iterator[Spot]:
    """Yield what is found in a problem, secrets first."""
    lines = list(_lines(problem))
    for secret in secrets_in([line.text for line in lines]):
        if _counts(secret.kind, secret.found, options):
            place = lines[min(secret.line, len(lines) - 1)].place
            yield Spot(SECRET, secret.kind, place, len(secret.found))
    about = is_about_numbers(program(problem))
    for line in lines if options.personal else ():
        for start in range(0, max(len(line.text) - OVERLAP, 1), PIECE - OVERLAP):
            for each in personal_in(line.text[start : start + PIECE], about):
                if _counts(each.kind, each.found, options):
                    yield Spot(PERSONAL, each.kind, line.place, len(each.found))


def _lines(problem: Problem) -> Iterator[Held]:
    """Yield each line of each text once, those of the program with their numbers."""
    seen: set[str] = set()
    for place, text in held(problem):
        if text in seen:
            continue
        seen.add(text)
        for number, line in enumerate(text.split("\n"), 1):
            yield Held(f"{place}, line {number}" if place == "program" else place, line)
        yield Held(place, "")


def _counts(kind: str, text: str, options: Secrets) -> bool:
    allowed = (fnmatchcase(text.casefold(), pattern.casefold()) for pattern in options.allow)
    return kind not in options.ignore and not any(allowed)


FILTER = Filter("secrets", 2, apply, Secrets())
