"""Test cases of a problem package: its samples, and as many of the secret ones as are small."""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec

from thresher.crawlers.packages import metadata
from thresher.crawlers.packages.package import Package
from thresher.crawlers.statement import Sample, Statement
from thresher.crawlers.text.samples import normalise
from thresher.errors import SourceError

MOST_HIDDEN = 20
MOST_CASE = 1 << 16  # bytes of a case, input and answer together
MOST_ALL = 1 << 18  # bytes of all hidden cases
GROUPS = ("testdata.yaml", "test_group.yaml")
ARGUMENTS = ("output_validator_flags", "output_validator_args")


class Case(NamedTuple):
    """A test case by the names of its files."""

    given: str
    wanted: str


class Chosen(NamedTuple):
    """The cases that are used, and how many there are besides."""

    samples: Sequence[Case]
    hidden: Sequence[Case]
    left_out: int

    def besides(self) -> str:
        """Say what was left out, as the end of a sentence; empty where nothing was."""
        return f"; {self.left_out} cases left out, many or large" if self.left_out else ""


def choose(package: Package, samples: Iterable[Case], secret: Iterable[Case]) -> Chosen:
    """Choose cases by the sizes of their files: the samples, and the smallest of the secret ones.

    Args:
        package: has the files.
        samples: that the statement shows; at most `MOST_HIDDEN` of those that are small stay.
        secret: all others.
    """
    shown = [case for case in sorted(samples) if _size(package, case) <= MOST_CASE]
    sized = sorted((_size(package, case), case) for case in secret)
    hidden, total = [], 0
    for size, case in sized[:MOST_HIDDEN]:
        total += size
        if size <= MOST_CASE and total <= MOST_ALL:
            hidden.append(case)
    left = len(sized) - len(hidden)
    return Chosen(shown[:MOST_HIDDEN], hidden, left)


def with_cases(statement: Statement, package: Package, chosen: Chosen) -> Statement:
    """Return the statement with the text of the cases; raises SourceError where one is none."""
    shown = [_read(package, case) for case in chosen.samples]
    hidden = dict.fromkeys(_read(package, case) for case in chosen.hidden)
    unseen = tuple(case for case in hidden if case not in shown)
    return msgspec.structs.replace(statement, samples=tuple(shown), hidden=unseen)


def _read(package: Package, case: Case) -> Sample:
    given, wanted = (normalise(package.text(name, MOST_CASE)) for name in case)
    return Sample(input=given, output=wanted)


def arguments(package: Package, case: Case) -> tuple[str, ...]:
    """Return what is handed to the output validator for a case: what is said nearest to it.

    Raises:
        SourceError: ``needs-files``, the case has more than text on the standard input; or its
            configuration is unreadable.
    """
    name = case.given.removesuffix(".in")
    places = PurePosixPath(name).parents
    nearest = [f"{name}.yaml", *(f"{place}/{group}" for place in places for group in GROUPS)]
    if any(file.startswith(f"{name}.files/") for file in package.names):
        raise SourceError("needs-files", f"{name}: the program reads files")
    said = [package.mapping(file) for file in nearest if file in package.names]
    if any(found.get("args") for found in said):
        raise SourceError("needs-files", f"{name}: the program is given arguments")
    return next((_split(found[key]) for found in said for key in ARGUMENTS if key in found), ())


def _split(value: object) -> tuple[str, ...]:
    if isinstance(value, dict):
        value = value.get("flags")
    return tuple(metadata.words(value))


def _size(package: Package, case: Case) -> int:
    """Return the bytes of a case; one that can't be looked at counts as too large."""
    try:
        return sum((package.root / name).stat().st_size for name in case)
    except OSError:
        return MOST_CASE + 1
