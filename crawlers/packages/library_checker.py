"""Library Checker: problems for libraries of algorithms, in https://judge.yosupo.jp.

The repository has inputs of the samples, but no outputs: its ``generate.py`` makes them with the
C++ solution, in the folders ``in`` and ``out`` of each problem. Where it did, they are read.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from thresher.crawlers.packages import testdata, tree
from thresher.crawlers.packages.licence import Licence, licence_of
from thresher.crawlers.packages.markdown import plain
from thresher.crawlers.packages.package import Package, opened
from thresher.crawlers.packages.testdata import Case
from thresher.crawlers.site import Collection, Found
from thresher.crawlers.statement import Solution, Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator

NAME = "library-checker"
GIT = "https://github.com/yosupo06/library-checker-problems"
ROOT = "categories.toml"
INFO, TASK, CHECKER = "info.toml", "task.md", "checker.cpp"
PART = re.compile(r"@\{(keyword|param|lang|example)\.(\w+)\}")
KEYWORDS = {"statement": "Problem Statement", "sample": ""}
EMPTY_HEADING = re.compile(r"^#+[ \t]*$", re.M)  # that of the samples
INPUT = re.compile(r"in/[^/]+\.in")
PROGRAM = re.compile(r"sol/[^/]+")
# What testlib's checker of words calls itself; all others are programs for one problem.
WORDS = 'setName("compare sequences of tokens")'
LANGUAGES = {".py": "python", ".cpp": "c++"}


def read(path: Path) -> Iterator[Found]:
    """Yield the problems of a checkout of the repository, or of a folder in it, by name."""
    licence = licence_of(path, ROOT)
    for folder in tree.folders(path, INFO):
        files: dict[str, bytes] = {}
        try:
            found: Statement | SourceError = _statement(opened(folder, files), licence)
        except SourceError as error:
            found = error
        yield Found(folder.name, tree.archive(files), found)


COLLECTION = Collection(
    name=NAME,
    terms="The repository is under the Apache licence 2.0, statements and solutions included.",
    read=read,
    git=GIT,
)


def _statement(package: Package, licence: Licence) -> Statement:
    """Return the statement of a problem; raises SourceError where it can't be used."""
    key = package.root.name
    info = _info(package)
    words = WORDS in package.text(CHECKER)
    comparator = Comparator(kind="tokens" if words else "checker")
    text = _text(package.text(TASK), info)
    title, limit = info.get("title"), info.get("timelimit")
    flags = {"image": "[image: " in text, "checker": not words, "multiple_answers": not words}
    statement = Statement(
        site=NAME,
        key=key,
        url=f"https://judge.yosupo.jp/problem/{key}",
        title=title if isinstance(title, str) else key,
        kind="stdio",
        text=text,
        comparator=comparator,
        time_limit=float(limit) if isinstance(limit, (int, float)) and limit > 0 else None,
        tags=(package.root.parent.name,),
        flags=tuple(sorted(flag for flag, holds in flags.items() if holds)),
        licence=licence.spdx,
        licence_evidence=licence.evidence,
        solutions=tuple(_solutions(package, info)),
    )
    made = [Case(name, f"out/{name[3:-3]}.out") for name in package.names if INPUT.fullmatch(name)]
    paired = [case for case in made if case.wanted in package.names]
    samples = [case for case in paired if case.given.startswith("in/example_")]
    if not samples:
        raise SourceError(
            "sample-without-output",
            f"{key} has no outputs of samples; make them with `generate.py -p {key}`",
        )
    chosen = testdata.choose(package, samples, [case for case in paired if case not in samples])
    evidence = f"{CHECKER} {'compares words' if words else 'is its own'}{chosen.besides()}"
    found = testdata.with_cases(statement, package, chosen)
    return msgspec.structs.replace(found, comparator_evidence=evidence)


def _info(package: Package) -> dict[str, Any]:
    try:
        return tomllib.loads(package.text(INFO))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SourceError("bad-info", f"{package.root.name}: {INFO} is no TOML: {error}") from error


def _text(source: str, info: Mapping[str, Any]) -> str:
    """Return the English statement with its headings and parameters, without the samples."""
    params, parts, shown, end = info.get("params"), [], True, 0
    for found in PART.finditer(source):
        parts.append(source[end : found.start()] * shown)
        end = found.end()
        kind, name = found.groups()
        if kind == "lang":
            shown = name in ("en", "end")
        elif kind == "keyword":
            parts.append(KEYWORDS.get(name, name.title()) * shown)
        elif kind == "param":
            parts.append(_parameter(params, name) * shown)
    text = plain("".join([*parts, source[end:] * shown]))
    return EMPTY_HEADING.sub("", text).strip() + "\n"


def _parameter(params: Any, name: str) -> str:
    value = params.get(name) if isinstance(params, dict) else None
    if not isinstance(value, (int, float, str)):
        raise SourceError("bad-info", f"{INFO} has no parameter {name}, which the statement names")
    return str(value)


def _solutions(package: Package, info: Mapping[str, Any]) -> Iterator[Solution]:
    """Yield the programs in ``sol`` that are not said to fail, and those said to be wrong."""
    listed = info.get("solutions")
    said = {
        each["name"]: each
        for each in (listed if isinstance(listed, list) else [])
        if isinstance(each, dict) and isinstance(each.get("name"), str)
    }
    for name in sorted(package.names, key=lambda name: (not name.endswith(".py"), name)):
        language = LANGUAGES.get(Path(name).suffix)
        how = said.get(name.removeprefix("sol/"), {})
        expected = "WA" if how.get("wrong") else how.get("expect", "AC")
        whole = PROGRAM.fullmatch(name) and not how.get("function")
        if whole and language and expected in ("AC", "WA"):
            text = package.text(name)
            yield Solution(language=language, text=text, right=expected == "AC")
