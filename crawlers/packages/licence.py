"""The licence of a repository of problems, from the file at its root."""

from pathlib import Path
from typing import NamedTuple

from thresher.crawlers.packages import tree
from thresher.errors import SourceError
from thresher.store.licence import UNKNOWN

FILES = ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING")
# The first line of a licence, and a phrase that its text has.
TITLES = {
    "MIT License": ("MIT", "permission is hereby granted, free of charge, to any person"),
    "The MIT License (MIT)": ("MIT", "permission is hereby granted, free of charge, to any person"),
    "Apache License": ("Apache-2.0", "version 2.0, january 2004"),
}


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
            words = tree.text(tree.read(root, name), name).split("\n")
        except SourceError:
            continue
        for number, line in enumerate(words, 1):
            spdx, phrase = TITLES.get(line.strip(), ("", ""))
            if spdx and phrase in " ".join("\n".join(words).lower().split()):
                return Licence(spdx, f"{name}, line {number}: {line.strip()}")
            if line.strip():
                break
        return Licence(UNKNOWN, f"{name} is no licence that is known here")
    return Licence(UNKNOWN, "the repository has no licence file")
