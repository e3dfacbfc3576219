"""The Python track of Exercism: exercises with tests, each tested function a problem of its own.

The layout is that of https://exercism.org/docs/building/tracks/practice-exercises.
"""

import ast
import builtins
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from thresher.crawlers.packages import program, tree, unittests
from thresher.crawlers.packages.expressions import Names
from thresher.crawlers.packages.licence import Licence, licence_of
from thresher.crawlers.packages.unittests import Tested
from thresher.crawlers.site import Collection, Found
from thresher.crawlers.statement import Call, Signature, Solution, Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator

NAME = "exercism"
GIT = "https://github.com/exercism/python"
PRACTICE = "exercises/practice"
CONFIG = ".meta/config.json"
TEXTS = ("introduction", "introduction.append", "instructions", "instructions.append")
SHOWN = 3  # calls, and one that raises where the tests have any
# Headings that name the file, comments, and the targets of links, which are kept as their text.
DROPPED = re.compile(
    r"^# (?:Introduction|Instructions)(?: append)?$|^\[[^\]\n]+\]:.*$|<!--.*?-->", re.M | re.S
)
LINK = re.compile(r"(?<!!)\[([^\[\]\n]+)\](?:\[[^\[\]\n]*\]|\([^()\n]*\))")


class Exercise(NamedTuple):
    """An exercise's files by name, and its parts: module, example and tests are Python."""

    slug: str
    files: Mapping[str, bytes]
    module: str
    example: str
    tests: str
    authors: str


def read(path: Path) -> Iterator[Found]:
    """Yield the problems of a checkout of the track, of a folder in it, or of one exercise.

    Calls and outcomes are read from the tests as data; nothing is executed.
    """
    licence = licence_of(path, PRACTICE)
    practice = path / PRACTICE
    for folder in tree.folders(practice if practice.is_dir() else path, CONFIG):
        files: dict[str, bytes] = {}
        try:
            exercise = _exercise(folder, files)
            yield from _problems(exercise, licence)
        except SourceError as error:
            yield Found(folder.name, tree.archive(files), error)
        except RecursionError:
            deep = SourceError("too-deep", f"{folder.name}: its code is nested too deeply to read")
            yield Found(folder.name, tree.archive(files), deep)


COLLECTION = Collection(
    name=NAME,
    terms="The repository is under the MIT licence, exercises and solutions included.",
    read=read,
    git=GIT,
)


def _exercise(folder: Path, files: dict[str, bytes]) -> Exercise:
    """Read the files of an exercise into `files`.

    Raises:
        SourceError: one is missing or unreadable, or the configuration doesn't name them.
    """
    files[CONFIG] = tree.read(folder, CONFIG)
    config = _config(files[CONFIG])
    module, example = (_only(config, role) for role in ("solution", "example"))
    tests = _names(config, "test")[0]
    for name in (example, tests):
        files[name] = tree.read(folder, name)
    for name in (f".docs/{part}.md" for part in TEXTS):
        if (folder / name).exists():
            files[name] = tree.read(folder, name)
    return Exercise(
        slug=folder.name,
        files=files,
        module=PurePosixPath(module).stem,
        example=example,
        tests=tests,
        authors=", ".join(_words(config.get("authors"))),
    )


def _config(content: bytes) -> dict[str, Any]:
    try:
        config = json.loads(tree.text(content, CONFIG))
    except (ValueError, RecursionError) as error:
        raise SourceError("bad-config", f"{CONFIG} is no JSON: {error}") from error
    if not isinstance(config, dict) or not isinstance(config.get("files"), dict):
        raise SourceError("bad-config", f"{CONFIG} doesn't name the exercise's files")
    return config


def _names(config: dict[str, Any], role: str) -> list[str]:
    names = _words(config["files"].get(role))
    if not names:
        raise SourceError("bad-config", f"{CONFIG} names no file as {role!r}")
    return names


def _only(config: dict[str, Any], role: str) -> str:
    names = _names(config, role)
    if len(names) != 1:
        raise SourceError("several-files", f"{CONFIG} names {len(names)} files as {role!r}")
    return names[0]


def _words(found: Any) -> list[str]:
    return [word for word in found if isinstance(word, str)] if isinstance(found, list) else []


def _problems(exercise: Exercise, licence: Licence) -> Iterator[Found]:
    """Yield a problem for each function of the example that the tests call.

    Raises:
        SourceError: there is none.
    """
    source = tree.text(exercise.files[exercise.example], exercise.example)
    module = program.parse(source, exercise.example)
    tests = program.parse(tree.text(exercise.files[exercise.tests], exercise.tests), exercise.tests)
    constants = unittests.assigned(module.body, Names()).values
    cases = list(unittests.tested(tests, exercise.module, constants))
    kinds = {node.name: type(node) for node in module.body if hasattr(node, "name")}
    functions = [
        name
        for name in dict.fromkeys(case.call.function for case in cases)
        if not issubclass(kinds.get(name, ast.ClassDef), ast.ClassDef)
    ]
    if not functions:
        raise _nothing(exercise, tests, kinds)
    raw = tree.archive(exercise.files)
    for name in functions:
        key = exercise.slug if len(functions) == 1 else f"{exercise.slug}/{name}"
        own = [case for case in cases if case.call.function == name and _known(case, kinds)]
        try:
            if len(own) * 2 < _made(tests, name):
                raise SourceError(
                    "few-plain-calls", f"{key}: most tests do more than compare one result"
                )
            yield Found(key, raw, _statement(exercise, key, source, module, own, licence))
        except SourceError as error:
            yield Found(key, raw, error)


def _made(tests: ast.Module, name: str) -> int:
    """Return how many calls of a function, by its own name, the tests make."""
    called = [node.func for node in ast.walk(tests) if isinstance(node, ast.Call)]
    return sum(name in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in called)


def _nothing(exercise: Exercise, tests: ast.Module, kinds: Mapping[str, type]) -> SourceError:
    """Say why the tests of an exercise give no calls of functions."""
    named = {node.id for node in ast.walk(tests) if isinstance(node, ast.Name)}
    classes = sorted(name for name in named & set(kinds) if kinds[name] is ast.ClassDef)
    if classes:
        return SourceError(
            "class-under-test",
            f"{exercise.slug}: the tests use the class {classes[0]}, not a function alone",
        )
    return SourceError(
        "no-plain-calls",
        f"{exercise.slug}: no test calls a function with values that are written out",
    )


def _known(case: Tested, kinds: Mapping[str, type]) -> bool:
    """Say whether what a case raises is built in, or a class of the example."""
    kind = getattr(builtins, case.raises, None)
    built_in = isinstance(kind, type) and issubclass(kind, BaseException)
    return not case.raises or built_in or kinds.get(case.raises) is ast.ClassDef


def _statement(
    exercise: Exercise,
    key: str,
    source: str,
    module: ast.Module,
    cases: list[Tested],
    licence: Licence,
) -> Statement:
    name = cases[0].call.function if cases else key.rpartition("/")[2]
    signature = program.signature(module, name)
    calls = _calls(cases, signature)
    if not calls:
        raise SourceError("no-plain-calls", f"{key}: no call fits the signature of {name!r}")
    raising = next((call for call in calls[SHOWN:] if call.raises), None)
    shown = calls[:SHOWN]
    if raising and not any(call.raises for call in shown):
        shown.append(raising)
    comparator, evidence = _comparator(exercise, cases)
    text = _text(exercise)
    by = f"; authors: {exercise.authors}" if exercise.authors else ""
    return Statement(
        site=NAME,
        key=key,
        url=f"https://exercism.org/tracks/python/exercises/{exercise.slug}",
        title=exercise.slug.replace("-", " ").title(),
        kind="function",
        text=text,
        signature=signature,
        calls=tuple(shown),
        hidden_calls=tuple(call for call in calls if call not in shown),
        comparator=comparator,
        comparator_evidence=evidence,
        flags=(*(["any_order"] if comparator.kind == "unordered" else []), *_images(text)),
        licence=licence.spdx,
        licence_evidence=licence.evidence + by,
        solutions=(Solution(language="python", text=program.needed(source, module, name)),),
    )


def _images(text: str) -> list[str]:
    return ["image"] if "![" in text or "<img" in text else []


def _text(exercise: Exercise) -> str:
    """Return introduction and instructions as Markdown without links."""
    names = [f".docs/{part}.md" for part in TEXTS]
    parts = [tree.text(exercise.files[name], name) for name in names if name in exercise.files]
    plain = [LINK.sub(r"\1", DROPPED.sub("", part)).strip() for part in parts]
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(filter(None, plain)))


def _calls(cases: list[Tested], signature: Signature) -> list[Call]:
    """Return the calls with their arguments by name; each once, and only those that fit."""
    names = [parameter.name for parameter in signature.parameters]
    calls: list[Call] = []
    for case in cases:
        args = dict(zip(names, case.call.args, strict=False)) | case.call.kwargs
        fits = len(args) == len(case.call.args) + len(case.call.kwargs) and set(args) <= set(names)
        call = Call(args=args, out=case.out, raises=case.raises)
        if fits and repr(call) not in map(repr, calls):
            calls.append(call)
    return calls


def _comparator(exercise: Exercise, cases: list[Tested]) -> tuple[Comparator, str]:
    """Return how the tests compare, and the assertion that says so."""
    hows = {case.how for case in cases}
    if hows >= {"close", "unordered"}:
        raise SourceError("mixed-validation", f"{exercise.slug}: tests compare in several ways")
    if "close" in hows:
        tolerance = max(case.tolerance for case in cases)
        return Comparator(kind="float", absolute=tolerance), f"{exercise.tests}: assertAlmostEqual"
    if "unordered" in hows:
        return Comparator(kind="unordered"), f"{exercise.tests}: assertCountEqual"
    return Comparator(), f"{exercise.tests}: assertEqual"
