"""Solutions that the user has: programs in a folder, named after the problems that they solve."""

from pathlib import Path

import msgspec

from thresher.crawlers.statement import Solution, Statement

LONGEST = 1 << 20  # bytes of a solution
LONGEST_NAME = 200  # bytes of a problem's: that of a file has at most 255


def with_solutions(statement: Statement, folder: Path | None) -> Statement:
    """Return a statement with the user's solutions before its own.

    Args:
        statement: whose problem is ``KEY`` on the site ``SITE``.
        folder: has solutions in ``SITE/KEY.py`` and ``SITE/KEY/*.py``, where a slash in the key is
            a dash; None where the user has none.
    """
    name = statement.key.replace("/", "-")
    if folder is None or not _is_name(name):
        return statement
    place = folder / statement.site / name
    files = [place.with_name(f"{place.name}.py"), *sorted(place.glob("*.py"))]
    own = tuple(Solution("python", text) for text in map(_read, files) if text)
    return msgspec.structs.replace(statement, solutions=own + statement.solutions)


def _is_name(text: str) -> bool:
    """Say whether a file can be called so; a page may say that its problem is called ``..``."""
    return bool(text.strip(".")) and text.isprintable() and len(text.encode()) <= LONGEST_NAME


def _read(path: Path) -> str:
    if not path.is_file() or path.stat().st_size > LONGEST:
        return ""
    return path.read_bytes().decode(errors="replace")
