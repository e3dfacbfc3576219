"""One exercise of Exercism: its files, and what its tests say of its functions.

The layout is that of https://exercism.org/docs/building/tracks/practice-exercises.
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from thresher.crawlers.packages import program, unittests
from thresher.crawlers.packages.expressions import Names
from thresher.crawlers.packages.markdown import plain
from thresher.crawlers.packages.metadata import words
from thresher.crawlers.packages.package import Package
from thresher.crawlers.packages.unittests import Check
from thresher.errors import SourceError

CONFIG = ".meta/config.json"
TEXTS = ("introduction", "introduction.append", "instructions", "instructions.append")
ASIDE = re.compile(r"^~~~+(?:exercism/[a-z-]+)?[ ]*\n", re.M)  # the fences around a note
REFACTOR = re.compile(r"^Refactor\b|\brefactoring exercise\b", re.M)
HEADING = re.compile(r"^# (?:Introduction|Instructions)(?: append)?$", re.M)  # names the file


class Exercise(NamedTuple):
    """An exercise as it was read.

    Attributes:
        slug: its name in the track.
        text: introduction and instructions.
        authors: their names, separated by commas.
        source: the example solution, and `module` what it parses to.
        test_file: the name of the tests, and `tests` what they parse to.
        cases: what the tests say.
        constants: what the example assigns to names, where it is written out.
    """

    slug: str
    text: str
    authors: str
    source: str
    module: ast.Module
    test_file: str
    tests: ast.Module
    cases: Sequence[Check]
    constants: Mapping[str, Any]

    def classes(self) -> set[str]:
        """Return the names of the example's classes."""
        return {node.name for node in self.module.body if isinstance(node, ast.ClassDef)}

    def functions(self) -> list[str]:
        """Return the names of the example's functions that the tests call, in their order."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        known = {node.name for node in self.module.body if isinstance(node, kinds)}
        return [
            name for name in dict.fromkeys(c.call.function for c in self.cases) if name in known
        ]


def opened(folder: Path, files: dict[str, bytes]) -> Exercise:
    """Read the exercise in a folder; its files go into `files`.

    Raises:
        SourceError: a file is missing or unreadable, the configuration doesn't name them, or the
            exercise is to change a program (``refactoring``), which the statement doesn't show.
    """
    package = Package(folder, frozenset(), files)
    config = _config(package.text(CONFIG))
    stub, example, test_file = (_one(config, role) for role in ("solution", "example", "test"))
    source = package.text(example)
    module = program.parse(source, example)
    tests = program.parse(package.text(test_file), test_file)
    constants = unittests.assigned(module.body, Names()).values
    cases = unittests.checks(tests, PurePosixPath(stub).stem, constants)
    text = _text(package)
    if REFACTOR.search(text):
        raise SourceError("refactoring", f"{folder.name}: asks to rewrite code that isn't in it")
    return Exercise(
        slug=folder.name,
        text=text,
        authors=", ".join(words(config.get("authors"))),
        source=source,
        module=module,
        test_file=test_file,
        tests=tests,
        cases=list(cases),
        constants=constants,
    )


def _config(text: str) -> dict[str, Any]:
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError("bad-config", f"{CONFIG} is no JSON: {error}") from error
    if not isinstance(config, dict) or not isinstance(config.get("files"), dict):
        raise SourceError("bad-config", f"{CONFIG} doesn't name the exercise's files")
    return config


def _one(config: dict[str, Any], role: str) -> str:
    """Return the first of the files that have a role; tests have their helpers after it."""
    names = words(config["files"].get(role))
    if not names:
        raise SourceError("bad-config", f"{CONFIG} names no file as {role!r}")
    return names[0]


def _text(package: Package) -> str:
    names = [f".docs/{part}.md" for part in TEXTS]
    found = [package.text(name) for name in names if (package.root / name).exists()]
    return ASIDE.sub("", "\n".join(plain(HEADING.sub("", part)) for part in found))
