"""Licence texts, recognised by a few phrases that no other licence has all of; in doubt, not."""

import re
from typing import NamedTuple

# The text of a licence that isn't one of these any more, whatever else it says.
RESTRICTIONS = (
    "non commercial",
    "noncommercial",
    "commons clause",
    "for good not evil",
    "no military",
    "not be used by",
    "not be used for",
    "advertising materials",
    "patent rights are granted",
)
COPYRIGHT = re.compile(r"^\W*(portions? )?(copyright|\(c\)|©|all rights reserved).*$", re.I | re.M)
# How many words may be beside the text itself: headings, names, a sentence of introduction.
ROOM = 60
LONGER = 1.25


class Text(NamedTuple):
    """What a licence's text holds, and doesn't, as lower-case words; `words` is its length."""

    licence: str
    words: int
    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()


_REDISTRIBUTION = (
    "redistribution and use in source and binary forms",
    "with or without modification are permitted provided that the following conditions are met",
    "redistributions of source code must retain",
    "redistributions in binary form must reproduce",
)
_ANY_PURPOSE = (
    "and or distribute this software for any purpose with or without fee is hereby granted"
)
_PERSON = (
    "permission is hereby granted free of charge to any person obtaining a copy",
    "rights to use copy modify merge publish distribute sublicense and or sell copies",
)
_INCLUDED = "copyright notice and this permission notice shall be included in all copies"
TEXTS = (
    Text("MIT", 165, (*_PERSON, _INCLUDED), RESTRICTIONS),
    Text("MIT-0", 135, _PERSON, (*RESTRICTIONS, "shall be included in all")),
    Text("BSD-3-Clause", 215, (*_REDISTRIBUTION, "endorse or promote products"), RESTRICTIONS),
    Text("BSD-2-Clause", 180, _REDISTRIBUTION, (*RESTRICTIONS, "endorse or promote")),
    Text(
        "ISC",
        115,
        (_ANY_PURPOSE, "copyright notice and this permission notice appear in all copies"),
        RESTRICTIONS,
    ),
    Text("0BSD", 95, (_ANY_PURPOSE,), (*RESTRICTIONS, "this permission notice appear")),
    Text(
        "Zlib",
        135,
        (
            "the origin of this software must not be misrepresented",
            "altered source versions must be plainly marked as such",
            "this notice may not be removed or altered from any source distribution",
        ),
        RESTRICTIONS,
    ),
    Text(
        "Unlicense",
        215,
        ("this is free and unencumbered software released into the public domain",),
        RESTRICTIONS,
    ),
    Text(
        "Apache-2.0",
        1650,
        (
            "apache license version 2 0 january 2004",
            "terms and conditions for use reproduction and distribution",
            "grant of patent license",
        ),
    ),
    Text(
        "Apache-2.0",
        90,
        (
            "licensed under the apache license version 2 0",
            "you may not use this file except in compliance with the license",
        ),
        ("grant of patent license",),
    ),
    Text("MPL-2.0", 2450, ("mozilla public license version 2 0", "secondary licenses")),
    Text("CC0-1.0", 1050, ("cc0 1 0 universal", "statement of purpose")),
    Text("PSF-2.0", 2150, ("python software foundation license version 2", "beopen python open")),
    Text(
        "PSF-2.0",
        420,
        ("python software foundation license version 2", "psf is making python available"),
        ("beopen python open",),
    ),
    Text("GPL-2.0-only", 2950, ("gnu general public license version 2 june 1991",)),
    Text("GPL-3.0-only", 5650, ("gnu general public license version 3 29 june 2007",)),
    Text("LGPL-2.0-only", 4200, ("gnu library general public license version 2 june 1991",)),
    Text("LGPL-2.1-only", 4400, ("gnu lesser general public license version 2 1 february 1999",)),
    Text("LGPL-3.0-only", 1250, ("gnu lesser general public license version 3 29 june 2007",)),
    Text("AGPL-3.0-only", 5600, ("gnu affero general public license version 3 19 november 2007",)),
)


def recognise(text: str) -> tuple[str, ...]:
    """Return the SPDX names of the licences that a text holds; none where it holds more as well.

    A text of several licences gives all of them. One with a passage that belongs to no licence
    known here gives none, since that may change what is allowed.
    """
    said = words(COPYRIGHT.sub("", text))
    found = [
        known
        for known in TEXTS
        if all(f" {phrase} " in said for phrase in known.has)
        and not any(f" {phrase} " in said for phrase in known.lacks)
    ]
    if len(said.split()) > ROOM + LONGER * sum(known.words for known in found):
        return ()
    return tuple(dict.fromkeys(known.licence for known in found))


def is_pointer(text: str) -> bool:
    """Return whether a text only says where the licence stands, or nothing at all."""
    said = words(COPYRIGHT.sub("", text))
    short = len(said.split()) <= ROOM and not any(f" {phrase} " in said for phrase in RESTRICTIONS)
    return not said.strip() or (short and bool(re.search(r"licen[cs]es?\b", said)))


def words(text: str) -> str:
    """Return a text as its lower-case words, with one space around each."""
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "
