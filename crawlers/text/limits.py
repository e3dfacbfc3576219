"""Limits as pages print them: ``2.5 seconds``, ``1 секунда``, ``256 megabytes``, ``1 GB``."""

import re

_TIME = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(milli\w*|ms(?:ec)?\b|мс\b|миллис\w*|ミリ秒|毫秒)?"
    r"(?(2)|\s*(?:s\b|s\.|sec|с\b|сек|秒|초))",
    re.I,
)
_MEMORY = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(?:(k(?:i?b|ilo)|к(?:б|ило))|(m(?:i?b|ega|ebi)|м(?:б|ега))"
    r"|(g(?:i?b|iga|ibi)|г(?:б|ига)))",
    re.I,
)
_MEBIBYTES = (1 / 1024, 1, 1024)


def seconds(text: str) -> float | None:
    """Return the first time in a text in seconds, None where there is none above zero."""
    found = _TIME.search(text)
    if not found:
        return None
    return (_number(found[1]) / (1000 if found[2] else 1)) or None


def mebibytes(text: str) -> int | None:
    """Return the first size of memory in a text in MiB, None where there is none of at least one.

    Sites that write megabytes mean 2**20 bytes.
    """
    found = _MEMORY.search(text)
    if not found:
        return None
    factor = next(size for size, unit in zip(_MEBIBYTES, found.groups()[1:], strict=True) if unit)
    return round(_number(found[1]) * factor) or None


def _number(text: str) -> float:
    # Nothing that a page prints is longer; more digits would give infinity.
    return float(text.replace(",", ".")[:12])
