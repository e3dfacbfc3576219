"""Problem packages of contests, on disk: the Kattis format in all its versions.

https://www.kattis.com/problem-package-format: ``legacy``, ``legacy-icpc``, ``2023-07`` and
``2025-09``. A package's programs are read, never run here.
"""

import datetime
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from thresher.crawlers.packages import metadata, statements, submissions, testdata, tree
from thresher.crawlers.packages.package import METADATA, Package, opened
from thresher.crawlers.packages.testdata import Case, Chosen
from thresher.crawlers.packages.validation import Validation, comparator, validation
from thresher.crawlers.site import Collection, Found
from thresher.crawlers.statement import Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator

NAME = "problem-packages"
VALIDATOR = re.compile(r"output_validators?/.+")
TIME_FILES = {
    ".timelimit": r"^\s*([\d.]+)",
    "domjudge-problem.ini": r"(?m)^\s*timelimit\s*=\s*['\"]?([\d.]+)",
}


def read(path: Path) -> Iterator[Found]:
    """Yield the problem of each package in the folder `path`, or of the package that it is."""
    for folder in tree.folders(path, METADATA):
        files: dict[str, bytes] = {}
        key = folder.name if folder == path else folder.relative_to(path).as_posix()
        try:
            found: Statement | SourceError = _statement(opened(folder, files), key)
        except SourceError as error:
            found = error
        yield Found(key, tree.archive(files), found)


COLLECTION = Collection(
    name=NAME,
    terms="Each package's problem.yaml states its licence; without one it is unknown.",
    read=read,
)


def _statement(package: Package, key: str) -> Statement:
    """Return the statement of a package; raises SourceError where it can't be used."""
    said = package.mapping(METADATA)
    _check_embargo(said)
    judged = validation(said, any(map(VALIDATOR.fullmatch, package.names)))
    written = statements.written(package, said)
    limits = metadata.inner(said, "limits")
    memory = metadata.number(limits.get("memory"))
    licence, evidence = metadata.licence(said, package.text(METADATA))
    statement = Statement(
        site=NAME,
        key=key,
        title=written.title or package.root.name,
        kind="interactive" if judged.interactive else "stdio",
        text=written.text,
        time_limit=metadata.number(limits.get("time_limit")) or _time_limit(package),
        memory_limit=int(memory) if memory else None,
        tags=tuple(metadata.words(said.get("keywords"))),
        flags=_flags(judged, written.text),
        licence=licence,
        licence_evidence=evidence,
        language=written.language,
    )
    return statement if judged.interactive else _with_cases(statement, package, said, judged)


def _check_embargo(said: Mapping[str, Any]) -> None:
    """Raise SourceError ``embargoed`` where a package isn't public yet."""
    until = metadata.word(said.get("embargo_until"))
    if until[:10] > datetime.datetime.now(datetime.UTC).date().isoformat():
        raise SourceError("embargoed", f"{METADATA}: not public until {until}")


def _time_limit(package: Package) -> float | None:
    """Return the seconds that a file beside the metadata allows."""
    for name, pattern in TIME_FILES.items():
        if (package.root / name).is_file():
            found = re.search(pattern, package.text(name, metadata.MOST))
            if found:
                return metadata.number(found[1])
    return None


def _flags(judged: Validation, text: str) -> tuple[str, ...]:
    own = judged.custom and not judged.interactive
    found = {"image": "[image: " in text, "score": judged.score}
    found |= {"checker": own, "multiple_answers": own}
    return tuple(sorted(flag for flag, holds in found.items() if holds))


def _with_cases(
    statement: Statement, package: Package, said: Mapping[str, Any], judged: Validation
) -> Statement:
    """Return the statement with its cases, what compares their answers, and the programs."""
    chosen = testdata.choose(package, _cases(package, "sample"), _cases(package, "secret"))
    if not chosen.samples and not chosen.hidden:
        raise SourceError("no-cases", f"{statement.key} has no small case with input and answer")
    if any(name.startswith("include/") for name in package.names):
        raise SourceError("needs-files", f"{statement.key} has code that goes with every program")
    compared, how = _comparator(package, said, judged, chosen)
    insensitive = ["case_insensitive"] if compared.kind == "tokens-ignoring-case" else []
    return msgspec.structs.replace(
        testdata.with_cases(statement, package, chosen),
        comparator=compared,
        comparator_evidence=how + chosen.besides(),
        flags=tuple(sorted({*statement.flags, *insensitive})),
        solutions=tuple(submissions.solutions(package)),
    )


def _cases(package: Package, folder: str) -> list[Case]:
    """Return the cases in a folder of the data that have an answer."""
    inputs = [n for n in package.names if n.startswith(f"data/{folder}/") and n.endswith(".in")]
    found = [Case(name, f"{name.removesuffix('.in')}.ans") for name in inputs]
    return [case for case in found if case.wanted in package.names]


def _comparator(
    package: Package, said: Mapping[str, Any], judged: Validation, chosen: Chosen
) -> tuple[Comparator, str]:
    """Return how answers are compared, and what says so.

    Raises:
        SourceError: ``mixed-validation``, not the same way for every case.
    """
    cases = [*chosen.samples, *chosen.hidden]
    handed = {testdata.arguments(package, case) for case in cases}
    if judged.custom:
        return Comparator(kind="checker"), "an output validator of the package's own"
    everywhere = tuple(metadata.words(said.get("validator_flags")))
    compared = {comparator([*everywhere, *arguments]) for arguments in handed}
    if len(compared) > 1:
        raise SourceError("mixed-validation", "test cases are compared in different ways")
    words = " ".join([*everywhere, *handed.pop()]) or "without flags"
    return compared.pop(), f"the default output validator, {words}"
