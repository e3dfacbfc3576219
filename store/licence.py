"""SPDX licence expressions: normalised, and told apart into permissive and not."""

import functools
from collections.abc import Iterable, Set

from license_expression import Licensing, get_spdx_licensing

UNKNOWN = "unknown"
LONGEST = 2000  # characters of an expression: its parser recurses
PERMISSIVE = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC-BY-3.0",
        "CC-BY-4.0",
        "CC-PDM-1.0",
        "CC0-1.0",
        "ISC",
        "LicenseRef-BSD",  # the trove classifier "BSD License" names the family alone
        "MIT",
        "MIT-0",
        "PSF-2.0",
        "Unlicense",
        "Zlib",
    }
)


def normalise(text: str) -> str:
    """Return the SPDX expression that `text` is, or ``unknown``."""
    parsed = _parse(text, validate=True)
    return str(parsed) if parsed is not None else UNKNOWN


def names(expression: str) -> frozenset[str]:
    """Return the names of the licences in an SPDX expression, none where it is none."""
    return frozenset(_licensing().license_keys(_parse(expression, validate=False)))


def is_permissive(expression: str, allowed: Iterable[str] = ()) -> bool:
    """Say whether an SPDX expression can be met with permissive licences alone.

    Of alternatives joined by OR one is enough; of terms joined by AND all are needed.

    Args:
        expression: the expression; one of thousands of characters isn't read.
        allowed: further licences to be content with, ``Apache-2.0 WITH LLVM-exception`` too.
    """
    also = frozenset(map(str.casefold, allowed))
    return _permissive(_parse(expression, validate=False), also)


def named_in(task_id: str, sources: Iterable[str]) -> str | None:
    """Return which of some sources a problem is of, in any case of letters.

    Args:
        task_id: the problem's.
        sources: the beginnings of task ids up to a slash, such as ``kattis`` or ``pypi/six``.
    """
    name = task_id.casefold()
    named = (each for each in sources if name.startswith(f"{each.casefold().strip('/')}/"))
    return next(named, None)


def _permissive(term: object, also: Set[str]) -> bool:
    licensing = _licensing()
    if isinstance(term, licensing.OR):
        return any(_permissive(part, also) for part in term.args)
    if isinstance(term, licensing.AND):
        return all(_permissive(part, also) for part in term.args)
    return getattr(term, "key", None) in PERMISSIVE or str(term).casefold() in also


def _parse(text: str, validate: bool) -> object:
    """Return a parsed expression, or None where `text` is none."""
    if len(text) > LONGEST:
        return None
    try:
        return _licensing().parse(text, validate=validate)
    except Exception:  # besides its own errors it raises IndexError for "()" and others
        return None


@functools.cache
def _licensing() -> Licensing:
    """Read the list of SPDX licences once: it takes as long as a thousand expressions."""
    return get_spdx_licensing()
