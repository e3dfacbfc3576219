"""The text of a problem package's statement, in Markdown or LaTeX."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from thresher.crawlers.packages import latex, markdown, metadata
from thresher.crawlers.packages.package import Package
from thresher.errors import SourceError

FILE = re.compile(
    r"(?:problem_)?statement/problem(?:\.(?P<language>[a-z]{2,3}(?:-[A-Z]{2})?))?\.(?P<kind>md|tex)"
)
PDF = re.compile(r"(?:(?:problem_)?statement/)?problem[^/]*\.pdf")
SAMPLE_PLACES = re.compile(r"\{\{\s*(?:next|remaining)samples?\s*\}\}")
CONSTANT = re.compile(r"\{\{\s*([A-Za-z_]\w*(?:\.\w+)?)\s*\}\}|\\constant\{([^{}]*)\}")


class Written(NamedTuple):
    """A statement: the language that it is in, its title if there is one, and its text."""

    language: str
    title: str
    text: str


def written(package: Package, said: Mapping[str, Any]) -> Written:
    """Return the statement of a package, the English one if there is one.

    Args:
        package: is read from.
        said: what its metadata says.

    Raises:
        SourceError: ``no-statement``, ``pdf-statement`` where a PDF is all there is, ``bad-latex``.
    """
    found = sorted(filter(None, map(FILE.fullmatch, package.names)), key=_preference)
    if not found:
        reason = "pdf-statement" if any(map(PDF.fullmatch, package.names)) else "no-statement"
        raise SourceError(reason, f"{package.root.name} has no statement in Markdown or LaTeX")
    language = found[0]["language"] or "en"
    source = _with_constants(package.text(found[0][0]), metadata.inner(said, "constants"))
    titles = said.get("name")
    title = metadata.word(titles.get(language) if isinstance(titles, dict) else titles)
    if found[0]["kind"] == "tex":
        return Written(language, title or latex.problem_name(source), latex.text(source))
    return Written(language, title, markdown.plain(SAMPLE_PLACES.sub("", source)))


def _preference(found: re.Match[str]) -> tuple[bool, str, str]:
    language = found["language"] or "en"
    return language != "en", language, found["kind"]


def _with_constants(source: str, constants: Mapping[str, Any]) -> str:
    """Return a statement with the package's constants in their places."""

    def value(found: re.Match[str]) -> str:
        name, _, variant = (found[1] or found[2]).strip().partition(".")
        constant = constants.get(name)
        if isinstance(constant, dict):
            constant = constant.get(variant or "value")
        return constant if isinstance(constant, str) else found[0]

    return CONSTANT.sub(value, source)
