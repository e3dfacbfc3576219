"""The hostile bodies: programs kept as inert text, each with its right verdict and the reason.

They are TOML and not Python so that no tool can run one by importing what it finds.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from thresher.sandbox.remote import CellLimits
from thresher.store import values
from thresher.store.records import TestCase, Verdict

BODIES = Path(__file__).parent / "bodies"
SQUARES = ((3, 10), (5, 26))
PLACE = re.compile(r"@([A-Z0-9_]+)@")


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One body as its file has it; the entry point is ``f``, a function of one argument.

    Attributes:
        id: its name, unlike any other's.
        verdicts: the right verdict, or several where the reason says what decides.
        why: the reason.
        program: the source; ``@NAME@`` stands for what was planted under that name.
        first: a program that runs before, in the same server; it isn't judged.
        cases: pairs of an argument and the expected value; the default is x * x + 1.
        expects: short for the one case of argument 0 that expects this.
        raises: short for the one case of argument 0 that expects this exception.
        prints: pairs of what a program reads and must print; it is run whole, without ``f``.
        test: code with ``check(candidate)`` that takes the place of cases.
        cpu: seconds of processor time.
        wall: seconds.
        memory: bytes.
    """

    id: str
    verdicts: tuple[Verdict, ...]
    why: str
    program: str
    first: str | None = None
    cases: tuple[tuple[Any, Any], ...] = SQUARES
    expects: Any = msgspec.UNSET
    raises: str | None = None
    prints: tuple[tuple[str, str], ...] = ()
    test: str | None = None
    cpu: float = 0.5
    wall: float = 3.0
    memory: int = 512 << 20


class Group(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of bodies: what they are about, what a wrong pass counts as, what tests them."""

    about: str
    counts: str
    test: str | None = None
    body: tuple[Entry, ...]


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """One body, ready to be judged."""

    id: str
    group: str
    counts: str
    verdicts: tuple[Verdict, ...]
    why: str
    program: str
    first: str | None
    cases: tuple[TestCase, ...]
    whole: bool
    test: str | None
    limits: CellLimits


def load(planted: Mapping[str, str], folder: Path = BODIES) -> list[Body]:
    """Read every body, with what was planted in its places.

    Args:
        planted: names and the text that stands for each, see `tests.hostile.plant`.
        folder: where the files are.

    Raises:
        KeyError: a body names something that wasn't planted.
    """
    found = []
    for path in sorted(folder.glob("*.toml")):
        group = msgspec.convert(tomllib.loads(path.read_text()), Group)
        found += [_body(path.stem, group, entry, planted) for entry in group.body]
    return found


def names(folder: Path = BODIES) -> list[str]:
    """Return the ids of all bodies, in the order of `load`."""
    groups = [tomllib.loads(path.read_text()) for path in sorted(folder.glob("*.toml"))]
    return [entry["id"] for group in groups for entry in group["body"]]


def case(argument: object, expected: object = None, raises: str | None = None) -> TestCase:
    """Make the case of a call of ``f`` with one argument."""
    return TestCase(
        args=(values.encode(argument),),
        kwargs={},
        expected=values.encode(expected),
        raises=raises,
        origin="generated",
        shown=False,
    )


def _body(group: str, of: Group, entry: Entry, planted: Mapping[str, str]) -> Body:
    def fill(text: str) -> str:
        return PLACE.sub(lambda place: planted[place[1]], text)

    return Body(
        id=entry.id,
        group=group,
        counts=of.counts,
        verdicts=entry.verdicts,
        why=entry.why,
        program=fill(entry.program),
        first=entry.first and fill(entry.first),
        cases=tuple(case(*pair) for pair in _cases(entry, planted)),
        whole=bool(entry.prints),
        test=entry.test or of.test,
        limits=CellLimits(cpu=entry.cpu, wall=entry.wall, memory=entry.memory),
    )


def _cases(entry: Entry, planted: Mapping[str, str]) -> Sequence[tuple[Any, ...]]:
    if entry.prints:
        return entry.prints
    if entry.raises is not None:
        return [(0, None, entry.raises)]
    if entry.expects is msgspec.UNSET:
        return entry.cases
    expected = entry.expects
    if isinstance(expected, str):
        expected = PLACE.sub(lambda place: planted[place[1]], expected)
    return [(0, expected)]
