"""Test cases of a problem package: its samples, and as many of the secret ones as are small."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from thresher.crawlers import samples
from thresher.crawlers.packages import metadata
from thresher.crawlers.packages.package import Package
from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

MOST_HIDDEN = 20
MOST_CASE = 1 << 16  # bytes of a case, input and answer together
MOST_ALL = 1 << 18  # bytes of all hidden cases
GROUPS = ("testdata.yaml", "test_group.yaml")
ARGUMENTS = ("output_validator_flags", "output_validator_args")
SAMPLES, SECRET = "data/sample/", "data/secret/"


class Case(NamedTuple):
    """The names of a case's files without their endings, and the bytes that they have."""

    name: str
    size: int


class Chosen(NamedTuple):
    """The cases that are used, by name, and how many there are besides."""

    samples: Sequence[Case]
    hidden: Sequence[Case]
    left_out: int


def choose(package: Package) -> Chosen:
    """Choose cases of a package by the sizes of their files; the smallest hidden ones first."""
    inputs = [name[:-3] for name in package.names if name.endswith(".in")]
    paired = sorted(name for name in inputs if f"{name}.ans" in package.names)
    found = [Case(name, _size(package, name)) for name in paired]
    shown = [case for case in found if case.name.startswith(SAMPLES) and case.size <= MOST_CASE]
    secret = [case for case in found if case.name.startswith(SECRET)]
    hidden, total = [], 0
    for case in sorted(secret, key=lambda case: (case.size, case.name))[:MOST_HIDDEN]:
        total += case.size
        if case.size <= MOST_CASE and total <= MOST_ALL:
            hidden.append(case)
    return Chosen(shown[:MOST_HIDDEN], hidden, len(secret) - len(hidden))


def read(package: Package, case: Case) -> Sample:
    """Return the text of a case; raises SourceError where it is unreadable."""
    given, wanted = (package.text(f"{case.name}.{end}", MOST_CASE) for end in ("in", "ans"))
    return Sample(input=samples.normalise(given), output=samples.normalise(wanted))


def arguments(package: Package, case: Case) -> tuple[str, ...]:
    """Return what is handed to the output validator for a case: what is said nearest to it.

    Raises:
        SourceError: ``needs-files``, the case has more than text on the standard input; or its
            configuration is unreadable.
    """
    nearest = [f"{case.name}.yaml"]
    nearest += [
        f"{place}/{group}" for place in PurePosixPath(case.name).parents for group in GROUPS
    ]
    if any(name.startswith(f"{case.name}.files/") for name in package.names):
        raise SourceError("needs-files", f"{case.name}: the program reads files")
    said = [package.mapping(name) for name in nearest if name in package.names]
    if any(found.get("args") for found in said):
        raise SourceError("needs-files", f"{case.name}: the program is given arguments")
    return next((_split(found[key]) for found in said for key in ARGUMENTS if key in found), ())


def _split(value: object) -> tuple[str, ...]:
    if isinstance(value, dict):
        value = value.get("flags")
    return tuple(metadata.words(value))


def _size(package: Package, name: str) -> int:
    """Return the bytes of a case; one that can't be looked at counts as too large."""
    try:
        return sum((package.root / f"{name}.{end}").stat().st_size for end in ("in", "ans"))
    except OSError:
        return MOST_CASE + 1
