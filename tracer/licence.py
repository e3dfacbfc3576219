"""The licence of a Python distribution as an SPDX expression, with its evidence."""

import email.message
from typing import NamedTuple

from thresher.store.licence import UNKNOWN, normalise

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
APPROVALS = {"OSI Approved", "DFSG approved"}
# What the License field often says; the names of the classifiers stand there too.
NAMES = {
    **{name.lower(): expression for name, expression in CLASSIFIERS.items()},
    "the mit license": "MIT",
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "bsd": "LicenseRef-BSD",
    "bsd 2-clause": "BSD-2-Clause",
    "2-clause bsd": "BSD-2-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "3-clause bsd": "BSD-3-Clause",
    "new bsd": "BSD-3-Clause",
}
# A longer text is no expression, and costs much to parse as one.
LONGEST = 200


class Licence(NamedTuple):
    """An SPDX expression, or ``unknown``, and the line it was read from."""

    expression: str
    evidence: str


def from_metadata(metadata: email.message.Message) -> Licence:
    """Read the licence from a distribution's core metadata (PKG-INFO).

    The fields are tried from the most to the least exact: License-Expression, License where it
    is an SPDX expression, classifiers, License where it is a well-known name. A text that is none
    of them gives ``unknown``, and stands as the evidence. Classifiers of two different licences
    are both required (joined by AND).
    """
    for field in ("License-Expression", "License"):
        stated = _text(metadata, field)
        if 0 < len(stated) <= LONGEST and (expression := normalise(stated)) != UNKNOWN:
            return Licence(expression, f"PKG-INFO {field}: {stated}")
    named = [c.strip() for c in metadata.get_all("Classifier", []) if c.startswith("License ::")]
    leaves = {c.rpartition(" :: ")[2] for c in named} - APPROVALS
    if leaves and leaves <= CLASSIFIERS.keys():
        expression = " AND ".join(sorted({CLASSIFIERS[leaf] for leaf in leaves}))
        return Licence(expression, f"PKG-INFO Classifier: {'; '.join(named)}")
    stated = _text(metadata, "License")
    if not stated:
        return Licence(UNKNOWN, "PKG-INFO names none")
    known = UNKNOWN if leaves else NAMES.get(stated.lower(), UNKNOWN)
    return Licence(known, f"PKG-INFO License: {stated[:80]}")


def _text(metadata: email.message.Message, field: str) -> str:
    return " ".join(str(metadata.get(field) or "").split())
