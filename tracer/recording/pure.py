"""Which functions of the standard library have results that depend on their arguments alone.

This file stands alone and runs on Python 3.6 and later: `attach.py` lays it beside the recorder.
"""
# ruff: noqa: SIM905, UP006, UP035, UP037, UP045  (lists of names; Python 3.6)

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, FrozenSet, Optional

_ALL = (
    "base64 binascii bisect calendar cmath codecs colorsys copy datetime decimal difflib fnmatch "
    "fractions heapq html ipaddress json math operator quopri re shlex statistics string struct "
    "textwrap unicodedata urllib.parse zlib"
)
_SOME = {
    "builtins": "abs all any ascii bin bool bytearray bytes chr complex dict divmod float format "
    "frozenset hex int len list max min oct ord pow range repr round set slice sorted str sum "
    "tuple",
    "collections": "Counter OrderedDict defaultdict deque",
    "functools": "reduce",
    "posixpath": "basename commonpath dirname isabs join normcase normpath split splitext",
}
# What depends on the clock, the time zone, files or settings, or is only there for its effect.
_IMPURE = frozenset(
    "today now utcnow fromtimestamp timestamp astimezone open load dump EncodedFile register "
    "unregister getcontext setcontext localcontext setfirstweekday purge prmonth prcal prweek "
    "pryear main".split()
)
# The functions and classes of each module; None stands for all others that are public.
PURE: "Dict[str, Optional[FrozenSet[str]]]" = dict.fromkeys(_ALL.split())
PURE.update((module, frozenset(names.split())) for module, names in _SOME.items())
_NONE: "FrozenSet[str]" = frozenset()


def is_pure(name: str) -> bool:
    """Tell whether ``module:Qual.Name`` names such a function, class or method."""
    module, _, path = name.partition(":")
    allowed, parts = PURE.get(module, _NONE), path.split(".")
    hidden = any(part[:1] in ("", "_") or part in _IMPURE for part in parts)
    return (allowed is None or parts[0] in allowed) and not hidden


def find(name: str) -> "Any":
    """Return what a pure name leads to in a module that is loaded, None where it is nothing."""
    if not is_pure(name):
        return None
    module, _, path = name.partition(":")
    found: "Any" = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    return found if callable(found) else None
