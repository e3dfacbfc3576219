"""Runs the parsers on saved pages beside what is right for each.

    python -m tests.crawlers.pages DIR [SITE …]

Each line of ``DIR/expected.jsonl`` names a ``file`` in DIR and its ``site``, and may state kind,
title, n_samples, samples, function_samples, signature, time_limit_ms, memory_limit_mb, tags, flags,
lang and licence (the site's own words). What a line doesn't state, or states as null, isn't
compared, but for limits: there null means that the page has none. Exit 1 when something differs.
"""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from thresher.crawlers.statement import Signature, Statement
from thresher.errors import SourceError

_ALWAYS = ("time_limit_ms", "memory_limit_mb")
_NAMES = ("title", "signature")


class Difference(NamedTuple):
    """What a line states, and what the parser read."""

    name: str
    right: Any
    ours: Any


def differences(expected: dict[str, Any], statement: Statement) -> Iterator[Difference]:
    """Compare a line with a statement, field by field, in the order of the line."""
    ours = {
        "kind": statement.kind,
        "title": statement.title,
        "n_samples": len(statement.samples) + len(statement.calls),
        "samples": msgspec.to_builtins(list(statement.samples)),
        "function_samples": [{"args": call.args, "out": call.out} for call in statement.calls],
        "signature": statement.signature and _signature(statement.signature),
        "time_limit_ms": statement.time_limit and round(statement.time_limit * 1000),
        "memory_limit_mb": statement.memory_limit,
        "tags": list(statement.tags),
        "flags": sorted(statement.flags),
        "lang": statement.language,
    }
    if expected["file"].endswith(".content.html"):  # bare statements, which name nothing
        ours = {name: value for name, value in ours.items() if value or name not in _NAMES}
    for name, right in expected.items():
        if name == "licence":
            if right and right not in statement.licence_evidence:
                yield Difference(name, right, statement.licence_evidence)
        elif name in ours and (right is not None or name in _ALWAYS):
            right = sorted(right) if name == "flags" else right
            right = right.replace("List[", "list[") if name == "signature" else right
            if right != ours[name]:
                yield Difference(name, right, ours[name])


def _signature(signature: Signature) -> str:
    if signature.methods:
        return f"class {signature.name}"
    parameters = ", ".join(f"{one.name}: {one.annotation}" for one in signature.parameters)
    text = f"{signature.name}({parameters}) -> {signature.returns}"
    return text.replace("List[", "list[")


def verdict(folder: Path, expected: dict[str, Any]) -> str:
    """Return what is wrong with one line, or the empty text."""
    parser = importlib.import_module(f"thresher.crawlers.parsers.{expected['site']}")
    try:
        statement = parser.parse((folder / expected["file"]).read_bytes(), "")
    except SourceError as error:
        return f"  refused as {error.reason}: {error}"
    return "\n".join(
        f"  {name}: {ours!r}, but right is {right!r}"
        for name, right, ours in differences(expected, statement)
    )


def main(arguments: list[str]) -> int:
    """Check the pages of a folder; further arguments are the only sites to check."""
    folder, *words = arguments
    lines = (Path(folder) / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = total = 0
    for expected in map(json.loads, lines):
        if words and expected["site"] not in words:
            continue
        problem = verdict(Path(folder), expected)
        print(f"{'differs' if problem else 'right':8}{expected['file']}")
        print(problem) if problem else None
        wrong, total = wrong + bool(problem), total + 1
    print(f"{total - wrong} of {total} right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
