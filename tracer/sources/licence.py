"""The licence of a project as an SPDX expression, with its evidence, from whatever states one."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from thresher.store.licence import UNKNOWN, names, normalise
from thresher.store.licence_texts import is_pointer, recognise, words
from thresher.tracer.sources.metadata import NONSENSE, Statement, read_text, statements

# Trove classifiers that name one licence or one family.
CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "LicenseRef-BSD",
    "CC0 1.0 Universal (CC0 1.0) Public Domain Dedication": "CC0-1.0",
    "GNU Affero General Public License v3": "AGPL-3.0-only",
    "GNU General Public License (GPL)": "LicenseRef-GPL",
    "GNU General Public License v2 (GPLv2)": "GPL-2.0-only",
    "GNU General Public License v2 or later (GPLv2+)": "GPL-2.0-or-later",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "MIT No Attribution License (MIT-0)": "MIT-0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
    "Zope Public License": "LicenseRef-ZPL",
    "Zero-Clause BSD (0BSD)": "0BSD",
    "zlib/libpng License": "Zlib",
}
# Classifiers that say of a licence only that somebody approves of it.
APPROVALS = {"License", "OSI Approved", "DFSG approved"}
# What the License field often says, without words such as "the", "license" and "software".
NAMES = {
    "mit mit": "MIT",
    "expat": "MIT",
    "apache 2 0": "Apache-2.0",
    "apache 2": "Apache-2.0",
    "apache": "Apache-2.0",
    "apache version 2 0": "Apache-2.0",
    "asl 2 0": "Apache-2.0",
    "bsd": "LicenseRef-BSD",
    "bsd 2 clause": "BSD-2-Clause",
    "2 clause bsd": "BSD-2-Clause",
    "simplified bsd": "BSD-2-Clause",
    "bsd 3 clause": "BSD-3-Clause",
    "3 clause bsd": "BSD-3-Clause",
    "new bsd": "BSD-3-Clause",
    "modified bsd": "BSD-3-Clause",
    "mpl 2 0": "MPL-2.0",
    "mozilla public 2 0": "MPL-2.0",
    "psf": "PSF-2.0",
    "python foundation": "PSF-2.0",
    "gplv2": "GPL-2.0-only",
    "gplv3": "GPL-3.0-only",
    "lgpl": "LicenseRef-LGPL",
    "lgplv3": "LGPL-3.0-only",
}
FILLERS = re.compile(r"\b(the|licen[cs]ed?|software)\b")
FILES = re.compile(r"(un)?licen[cs]e|copying", re.IGNORECASE)
SUFFIXES = {"", ".txt", ".md", ".rst", ".mit", ".apache", ".bsd", ".lesser", ".psf", ".gpl"}
REUSE = "LICENSES"
HEADER = re.compile(r"^[ \t]*(?:#+[ \t]*)?SPDX-License-Identifier:[ \t]*(.*)$", re.MULTILINE)
HEADER_WITHIN = 4096  # characters
# What may stand for one of several licences, by how those begin.
FAMILIES = {"LicenseRef-BSD": "BSD-", "LicenseRef-GPL": "GPL-", "LicenseRef-LGPL": "LGPL-"}
UNRECOGNISED = "LicenseRef-unrecognised"
# A longer text is no expression, and costs much to parse as one.
LONGEST = 200
LONGEST_QUOTE = 80


class Licence(NamedTuple):
    """An SPDX expression, or ``unknown``, and the files and lines it was read from."""

    expression: str
    evidence: str


def detect(root: Path) -> Licence:
    """Find the licence of an unpacked project.

    What counts: PKG-INFO, pyproject.toml, setup.cfg and setup.py (expressions, classifiers and
    well-known names), the texts of licence files, and the names in a LICENSES folder. All that is
    found is required: what says less than the rest changes nothing, and what differs is joined by
    AND. A licence file that isn't recognised counts as one more licence.

    Args:
        root: the project's folder.

    Returns:
        The licence; ``unknown`` where nothing was found or recognised.
    """
    claims = [*_stated(statements(root)), *_files(root)]
    known = [claim for claim in claims if claim.expression != UNKNOWN]
    whole = _joined([claim.expression for claim in known])
    evidence = "; ".join(dict.fromkeys(claim.evidence for claim in known or claims))
    if whole in ("", UNRECOGNISED):
        return Licence(UNKNOWN, evidence or "no file of the project names one")
    return Licence(whole, evidence)


def headers(texts: Mapping[str, str], project: Licence) -> dict[str, Licence]:
    """Return the licences that files state for themselves, where it isn't the project's.

    Args:
        texts: the text of each file by its path.
        project: the project's own licence.
    """
    found = {}
    for file, text in texts.items():
        matches = list(HEADER.finditer(text[:HEADER_WITHIN]))
        said = " AND ".join(match[1].strip() for match in matches)[:LONGEST]
        expression = normalise(said)
        if matches and expression != project.expression:
            line = text.count("\n", 0, matches[0].start()) + 1
            evidence = f"{file}:{line} SPDX-License-Identifier: {said[:LONGEST_QUOTE]}"
            found[file] = Licence(expression, evidence)
    return found


def _stated(found: list[Statement]) -> Iterator[Licence]:
    for kind, said, where in found:
        expression = _classified(said) if kind == "classifier" else _named(said)
        if expression:
            yield Licence(expression, f"{where}: {said[:LONGEST_QUOTE]}")


def _named(said: str) -> str:
    """Return what a licence field means: an expression, a well-known name or a whole text."""
    short = len(said) <= LONGEST
    if short and (expression := normalise(said)) != UNKNOWN:
        return expression
    name = " ".join(FILLERS.sub(" ", words(said)).split())
    return NAMES.get(name, UNKNOWN) if short else " AND ".join(recognise(said)) or UNKNOWN


def _classified(said: str) -> str:
    leaf = said.rpartition(" :: ")[2].strip()
    return "" if leaf in APPROVALS else CLASSIFIERS.get(leaf, UNRECOGNISED)


def _files(root: Path) -> Iterator[Licence]:
    for path in sorted((*root.glob("*"), *root.glob(f"{REUSE}/*"))):
        name = path.relative_to(root).as_posix()
        reuse = normalise(path.stem) if name.startswith(f"{REUSE}/") else UNKNOWN
        if reuse != UNKNOWN:
            yield Licence(reuse, name)
        elif FILES.match(path.name) and path.suffix.lower() in SUFFIXES or "/" in name:
            yield from _text(path, name)


def _text(path: Path, name: str) -> Iterator[Licence]:
    try:
        text = read_text(path)
    except NONSENSE:
        return
    found = recognise(text)
    for licence in found:
        yield Licence(licence, f"{name}:1 has the text of {', '.join(found)}")
    if not found and not is_pointer(text):
        yield Licence(UNRECOGNISED, f"{name}:1 isn't recognised")


def _joined(expressions: list[str]) -> str:
    """Join expressions by AND, without those that the ones before already say."""
    whole: list[str] = []
    for expression in expressions:
        if not _says(" AND ".join(whole), expression):
            # The exact licence takes the place of its family's name.
            whole = [part for part in whole if not _is_family(part, names(expression))]
            whole.append(f"({expression})" if " OR " in expression else expression)
    return whole[0].strip("()") if len(whole) == 1 else " AND ".join(whole)


def _says(known: str, other: str) -> bool:
    """Return whether every licence in `other` is one of those in `known`, by name or family."""
    stated = frozenset(map(_plain, names(known)))
    return all(_plain(name) in stated or _is_family(name, stated) for name in names(other))


def _is_family(name: str, stated: frozenset[str]) -> bool:
    start = FAMILIES.get(name)
    return start is not None and any(each.startswith(start) for each in stated)


def _plain(name: str) -> str:
    """Leave out whether later versions are allowed, which a licence's text can't say."""
    return name.removesuffix("-only").removesuffix("-or-later")
