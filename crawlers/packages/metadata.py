"""YAML of problem packages: text, lists and mappings, in whatever order or depth they come.

Scalars stay text: no dates, no merging of mappings, which a few lines can make endless.
"""

from collections.abc import Mapping
from typing import Any

import yaml

from thresher.errors import SourceError
from thresher.store.licence import UNKNOWN

MOST = 1 << 16  # bytes
# https://www.kattis.com/problem-package-format/spec/2025-09.html#license
LICENCES = {
    "public domain": "CC-PDM-1.0",
    "cc0": "CC0-1.0",
    "cc by": "CC-BY-4.0",
    "cc by-sa": "CC-BY-SA-4.0",
}


def mapping(content: str, name: str) -> dict[str, Any]:
    """Return what a YAML file says.

    Raises:
        SourceError: ``bad-yaml``, `name` is no mapping of names.
    """
    try:
        found = yaml.load(content, Loader=yaml.BaseLoader)  # noqa: S506  (data)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise SourceError("bad-yaml", f"{name!r} is no YAML: {_short(error)}") from error
    if not found:
        return {}
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise SourceError("bad-yaml", f"{name!r} is no mapping of names to values")
    return found


def inner(found: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the mapping at `key`, empty where there is none."""
    value = found.get(key)
    return value if isinstance(value, dict) else {}


def word(value: Any) -> str:
    """Return text, of a list the first, of a mapping the name; empty for anything else."""
    for _ in range(2):
        value = value[0] if isinstance(value, list) and value else value
        value = value.get("name") if isinstance(value, dict) else value
    return value.strip() if isinstance(value, str) else ""


def words(value: Any) -> list[str]:
    """Return the words of a text, or the texts of a list; none of anything else."""
    if isinstance(value, str):
        return value.split()
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def number(value: Any) -> float | None:
    """Return the positive number that a text is."""
    try:
        found = float(value) if isinstance(value, str) else 0.0
    except ValueError:
        return None
    return found if 0 < found < float("inf") else None


def licence(found: Mapping[str, Any], content: str) -> tuple[str, str]:
    """Return the licence of a package as SPDX, and the line of ``problem.yaml`` that states it.

    What may be used for teaching alone, or with permission, is ``unknown``.
    """
    stated = word(found.get("license")).lower()
    lines = content.split("\n")
    at = next((n for n, line in enumerate(lines, 1) if line.startswith("license")), 0)
    if not stated or not at:
        return UNKNOWN, "problem.yaml states no licence"
    evidence = f"problem.yaml, line {at}: {lines[at - 1].strip()}"
    owner = word(found.get("rights_owner")) or _author(found) or word(found.get("source"))
    owner = f"; rights owner: {owner}" if owner else ""
    return LICENCES.get(stated, UNKNOWN), evidence + owner


def _author(found: Mapping[str, Any]) -> str:
    credited = found.get("credits")
    authors = credited.get("authors") if isinstance(credited, dict) else credited
    return word(found.get("author")) or word(authors)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
