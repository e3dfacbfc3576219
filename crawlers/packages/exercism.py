"""The Python track of Exercism: each function that an exercise's tests call is a problem.

Calls and outcomes are read from the tests as data; nothing is executed.
"""

import ast
import builtins
from collections.abc import Iterator, Sequence
from pathlib import Path

from thresher.crawlers.packages import exercise as exercises
from thresher.crawlers.packages import program, tree
from thresher.crawlers.packages.exercise import Exercise
from thresher.crawlers.packages.licence import Licence, licence_of
from thresher.crawlers.packages.unittests import Check
from thresher.crawlers.site import Collection, Found
from thresher.crawlers.statement import Call, Signature, Solution, Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator

NAME = "exercism"
GIT = "https://github.com/exercism/python"
PRACTICE = "exercises/practice"
SHOWN = 3  # calls, and one that raises where the tests have any


def read(path: Path) -> Iterator[Found]:
    """Yield the problems of a checkout of the track, of a folder in it, or of one exercise."""
    licence = licence_of(path, PRACTICE)
    practice = path / PRACTICE
    for folder in tree.folders(practice if practice.is_dir() else path, exercises.CONFIG):
        files: dict[str, bytes] = {}
        try:
            found = _problems(exercises.opened(folder, files), licence)
        except SourceError as error:
            found = [(folder.name, error)]
        except RecursionError:
            message = f"{folder.name}: its code is nested too deeply to be read"
            found = [(folder.name, SourceError("too-deep", message))]
        raw = tree.archive(files)
        yield from (Found(key, raw, statement) for key, statement in found)


COLLECTION = Collection(
    name=NAME,
    terms="The repository is under the MIT licence, exercises and solutions included.",
    read=read,
    git=GIT,
)


def _problems(exercise: Exercise, licence: Licence) -> list[tuple[str, Statement | SourceError]]:
    """Return a statement, or why there is none, for each function that the tests call.

    Raises:
        SourceError: they call none.
    """
    functions = exercise.functions()
    if not functions:
        raise _nothing(exercise)
    found: list[tuple[str, Statement | SourceError]] = []
    for name in functions:
        key = exercise.slug if len(functions) == 1 else f"{exercise.slug}/{name}"
        try:
            found.append((key, _statement(exercise, key, name, licence)))
        except SourceError as error:
            found.append((key, error))
    return found


def _nothing(exercise: Exercise) -> SourceError:
    """Say why the tests of an exercise give no calls of functions."""
    named = {node.id for node in ast.walk(exercise.tests) if isinstance(node, ast.Name)}
    for kind in sorted(named & exercise.classes()):
        message = f"{exercise.slug}: the tests use the class {kind}, not a function alone"
        return SourceError("class-under-test", message)
    message = f"{exercise.slug}: no test calls a function with values that are written out"
    return SourceError("no-plain-calls", message)


def _statement(exercise: Exercise, key: str, name: str, licence: Licence) -> Statement:
    """Return the statement for one function; raises SourceError where it can't be used."""
    cases = [c for c in exercise.cases if c.call.function == name and _is_known(c, exercise)]
    signature = program.signature(exercise.module, name, exercise.constants)
    calls = _calls(cases, signature)
    if len(cases) * 2 < _made(exercise.tests, name) or not calls:
        raise SourceError("few-plain-calls", f"{key}: most tests do more than compare one result")
    shown = _shown(calls)
    comparator, assertion = _comparator(cases)
    flags = {"any_order": comparator.kind == "unordered", "image": "[image: " in exercise.text}
    by = f"; authors: {exercise.authors}" if exercise.authors else ""
    return Statement(
        site=NAME,
        key=key,
        url=f"https://exercism.org/tracks/python/exercises/{exercise.slug}",
        title=exercise.slug.replace("-", " ").title(),
        kind="function",
        text=exercise.text + _constants(exercise),
        signature=signature,
        calls=tuple(calls[at] for at in shown),
        hidden_calls=tuple(call for at, call in enumerate(calls) if at not in shown),
        comparator=comparator,
        comparator_evidence=f"{exercise.test_file}: {assertion}",
        flags=tuple(flag for flag, holds in flags.items() if holds),
        licence=licence.spdx,
        licence_evidence=licence.evidence + by,
        solutions=(Solution("python", program.needed(exercise.source, exercise.module, name)),),
    )


def _is_known(case: Check, exercise: Exercise) -> bool:
    """Say whether what a case raises, if anything, is built in or a class of the example."""
    kind = getattr(builtins, case.raises, None)
    built_in = isinstance(kind, type) and issubclass(kind, BaseException)
    return not case.raises or built_in or case.raises in exercise.classes()


def _calls(cases: Sequence[Check], signature: Signature) -> list[Call]:
    """Return the calls with their arguments by name; each once, and only those that fit."""
    names = [parameter.name for parameter in signature.parameters]
    calls: dict[str, Call] = {}
    for case in cases:
        args = dict(zip(names, case.call.args, strict=False)) | case.call.kwargs
        if len(args) == len(case.call.args) + len(case.call.kwargs) and set(args) <= set(names):
            call = Call(args=args, out=case.out, raises=case.raises)
            calls.setdefault(repr(call), call)
    return list(calls.values())


def _made(tests: ast.Module, name: str) -> int:
    """Return how many calls of a function, by its own name, the tests make."""
    called = [node.func for node in ast.walk(tests) if isinstance(node, ast.Call)]
    return sum(name in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in called)


def _shown(calls: Sequence[Call]) -> list[int]:
    """Choose the calls that the prompt shows: the first ones, and an exception if there is any."""
    raising = [at for at, call in enumerate(calls) if call.raises]
    first = list(range(min(SHOWN, len(calls))))
    return first if not raising or raising[0] in first else [*first, raising[0]]


def _comparator(cases: Sequence[Check]) -> tuple[Comparator, str]:
    """Return how results are compared, and the assertion that says so."""
    hows = {case.how for case in cases}
    if hows >= {"close", "unordered"}:
        raise SourceError("mixed-validation", "the tests compare in several ways")
    if "close" in hows:
        tolerance = max(case.tolerance for case in cases)
        return Comparator(kind="float", absolute=tolerance), "assertAlmostEqual"
    if "unordered" in hows:
        return Comparator(kind="unordered"), "assertCountEqual"
    return Comparator(), "assertEqual"


def _constants(exercise: Exercise) -> str:
    """Say what those constants of the module are that the tests name."""
    nodes = list(ast.walk(exercise.tests))
    named = {getattr(node, "id", "") or getattr(node, "attr", "") for node in nodes}
    lines = [
        f"    {k} = {v!r}" for k, v in exercise.constants.items() if k in named and k.isupper()
    ]
    return "\nConstants:\n\n" + "\n".join(lines) + "\n" if lines else ""
