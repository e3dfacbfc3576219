"""A problem package as its files: which there are, and those that were read."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from thresher.crawlers.packages import metadata, tree

# What is named otherwise is to be treated as if it weren't there, says the format.
NAMES = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}/)*[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}")
METADATA = "problem.yaml"


class Package(NamedTuple):
    """A package: its folder, the names of its files, and the bytes of those that were read."""

    root: Path
    names: frozenset[str]
    files: dict[str, bytes]

    def text(self, name: str, most: int = tree.MOST) -> str:
        """Read a file of at most `most` bytes as text; raises SourceError as `tree` does."""
        if name not in self.files:
            self.files[name] = tree.read(self.root, name, most)
        return tree.text(self.files[name], name)

    def mapping(self, name: str) -> dict[str, Any]:
        """Read a file in YAML; raises SourceError as `metadata.mapping` does."""
        return metadata.mapping(self.text(name, metadata.MOST), name)


def opened(root: Path, files: dict[str, bytes]) -> Package:
    """Return the package in a folder; what is read of it goes into `files`."""
    names = frozenset(name for name in tree.files(root) if NAMES.fullmatch(name))
    return Package(root, names, files)
