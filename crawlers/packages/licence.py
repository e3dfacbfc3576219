"""The licence of a repository of problems, from the file at its root."""

from pathlib import Path
from typing import NamedTuple

from thresher.crawlers.packages import tree
from thresher.errors import SourceError
from thresher.store.licence import UNKNOWN
from thresher.store.licence_texts import recognise

FILES = ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING")


class Licence(NamedTuple):
    """An SPDX expression or ``unknown``, and what it was read from."""

    spdx: str
    evidence: str


def licence_of(path: Path, marker: str) -> Licence:
    """Return the licence of the repository that holds `path`.

    Args:
        path: the repository or a folder in it.
        marker: what the repository's root is known by, a name that it holds; a licence file in
            any other folder says nothing of the problems.
    """
    place = path.absolute()
    for root in (place, *place.parents):
        if (root / marker).exists():
            return _stated(root)
    return Licence(UNKNOWN, f"no folder above has {marker}, so no licence file is known")


def _stated(root: Path) -> Licence:
    for name in FILES:
        try:
            text = tree.text(tree.read(root, name), name)
        except SourceError:
            continue
        found = recognise(text)
        if len(found) != 1:
            return Licence(UNKNOWN, f"{name} is no licence that is known here")
        lines = enumerate(text.split("\n"), 1)
        number, first = next((number, line) for number, line in lines if line.strip())
        return Licence(found[0], f"{name}, line {number}: {first.strip()}")
    return Licence(UNKNOWN, "the repository has no licence file")
