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
    "zlib/libpng License": "Zlib",
}


class Licence(NamedTuple):
    """An SPDX expression, or ``unknown``, and the line it was read from."""

    expression: str
    evidence: str


def from_metadata(metadata: email.message.Message) -> Licence:
    """Read the licence from a distribution's core metadata (PKG-INFO).

    The fields are tried from the most to the least exact: License-Expression, License where it
    is an SPDX expression, classifiers. A text that is neither gives ``unknown``, and stands as
    the evidence. Classifiers of two different licences are both required (joined by AND).
    """
    for field in ("License-Expression", "License"):
        stated = str(metadata.get(field) or "").strip()
        if stated and (expression := normalise(stated)) != UNKNOWN:
            return Licence(expression, f"PKG-INFO {field}: {stated}")
    named = [c for c in metadata.get_all("Classifier", []) if c.startswith("License ::")]
    expressions = {CLASSIFIERS.get(c.rpartition(" :: ")[2].strip()) for c in named}
    if named and None not in expressions:
        expression = " AND ".join(sorted(filter(None, expressions)))
        return Licence(expression, f"PKG-INFO Classifier: {'; '.join(named)}")
    stated = " ".join(str(metadata.get("License") or "").split())[:80]
    return Licence(UNKNOWN, f"PKG-INFO License: {stated}" if stated else "PKG-INFO names none")
