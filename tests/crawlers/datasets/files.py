"""Data sets of a few rows, written for a test."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from thresher.crawlers.site import Found
from thresher.crawlers.statement import Statement
from thresher.errors import SourceError


def lines(rows: Iterable[object]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def written(path: Path, *rows: object, packed: bool = False) -> Path:
    content = lines(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content) if packed else content)
    return path


def statement(found: Found) -> Statement:
    assert isinstance(found.statement, Statement), found.statement
    return found.statement


def reason(found: Found) -> str:
    assert isinstance(found.statement, SourceError), found.statement
    return found.statement.reason


def human_eval(**changes: Any) -> dict[str, Any]:
    """Return a row in the HumanEval form: two cases, of which the prompt shows one."""
    row = {
        "task_id": "Own/7",
        "prompt": 'def twice(x):\n    """Double a number.\n\n    >>> twice(2)\n    4\n    """\n',
        "entry_point": "twice",
        "canonical_solution": "    return 2 * x\n",
        "test": "def check(candidate):\n"
        "    assert candidate(2) == 4\n    assert candidate(-3) == -6, 'no'\n",
    }
    return row | changes
