"""SPDX licence expressions: normalised, and told apart into permissive and not."""

from license_expression import ExpressionError, LicenseSymbol, get_spdx_licensing

UNKNOWN = "unknown"
PERMISSIVE = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
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
    try:
        parsed = get_spdx_licensing().parse(text, validate=True)
    except ExpressionError:
        return UNKNOWN
    return str(parsed) if parsed is not None else UNKNOWN


def is_permissive(expression: str) -> bool:
    """Say whether an SPDX expression can be met with permissive licences alone.

    Of alternatives joined by OR one is enough; of terms joined by AND all are needed.
    """
    try:
        parsed = get_spdx_licensing().parse(expression)
    except ExpressionError:
        return False
    return parsed is not None and _permissive(parsed)


def _permissive(term: object) -> bool:
    licensing = get_spdx_licensing()
    if isinstance(term, licensing.OR):
        return any(_permissive(part) for part in term.args)
    if isinstance(term, licensing.AND):
        return all(_permissive(part) for part in term.args)
    return isinstance(term, LicenseSymbol) and term.key in PERMISSIVE
