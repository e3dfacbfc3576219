"""What a project's own files say of its licence: read as text, never run."""

import ast
import configparser
import email.parser
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

MAX_BYTES = 1_000_000
# What reading a file that isn't what its name says can raise.
NONSENSE = (OSError, ValueError, SyntaxError, RecursionError, MemoryError, configparser.Error)
Kind = Literal["text", "classifier"]


class Statement(NamedTuple):
    """One statement: a `text`, which may be an SPDX expression, or a `classifier`.

    `where` says the file, line and field.
    """

    kind: Kind
    said: str
    where: str


class _Found(NamedTuple):
    """A statement before its line is looked up."""

    kind: Kind
    field: str
    said: str


def statements(root: Path) -> list[Statement]:
    """Return what PKG-INFO, pyproject.toml, setup.cfg and setup.py below `root` say.

    A file that can't be read says nothing.
    """
    found = []
    for name, read in READERS.items():
        try:
            text = read_text(root / name)
            for kind, field, said in read(text):
                where = f"{name}:{_line(text, field, said)} {field}"
                found.append(Statement(kind, " ".join(said.split()), where))
        except NONSENSE:
            continue
    return found


def read_text(path: Path) -> str:
    """Return a file's text, whatever its bytes.

    Raises:
        ValueError: it is larger than anything of the kind.
        OSError: it can't be read, or is a link.
    """
    if path.is_symlink() or not path.is_file():
        raise FileNotFoundError(path)
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError("too large")
    return data.decode("utf-8", "replace")


def _line(text: str, field: str, said: str) -> int:
    """Return the line that a statement stands in, or its field, or else 1."""
    start = said.strip().splitlines()[0] if said.strip() else field
    lines = list(enumerate(text.splitlines(), 1))
    both = (n for n, line in lines if start in line and _begins(line, field))
    either = (n for n, line in lines if start in line)
    return next(both, None) or next(either, 1)


def _begins(line: str, field: str) -> bool:
    return line.strip(" \t\"'{").lower().startswith(field.lower())


def _core(text: str) -> Iterator[_Found]:
    message = email.parser.HeaderParser().parsestr(text)
    yield from _present("text", "License-Expression", message.get("License-Expression"))
    yield from _present("text", "License", message.get("License"))
    for said in message.get_all("Classifier", []):
        yield from _classifier("Classifier", said)


def _pyproject(text: str) -> Iterator[_Found]:
    content = tomllib.loads(text)
    tools = _table(content.get("tool"))
    flit = _table(tools.get("flit")).get("metadata")
    for table in (content.get("project"), tools.get("poetry"), flit):
        project = _table(table)
        licence = project.get("license")
        yield from _present("text", "license", _table(licence).get("text"))
        yield from _present("text", "license", licence)
        for said in _list(project.get("classifiers")):
            yield from _classifier("classifiers", said)


def _setup_cfg(text: str) -> Iterator[_Found]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    if parser.has_section("metadata"):
        section = parser["metadata"]
        yield from _present("text", "license", section.get("license"))
        for said in section.get("classifiers", "").splitlines():
            yield from _classifier("classifiers", said)


def _setup_py(text: str) -> Iterator[_Found]:
    """Read literal arguments of ``setup(…)``, and lists of classifiers wherever they stand."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "license" and isinstance(keyword.value, ast.Constant):
                    yield from _present("text", "license", keyword.value.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            for said in node.value.splitlines():
                yield from _classifier("classifiers", said)


def _present(kind: Kind, field: str, said: object) -> Iterator[_Found]:
    if isinstance(said, str) and said.strip() and not said.startswith(("file:", "attr:")):
        yield _Found(kind, field, said)


def _classifier(field: str, said: object) -> Iterator[_Found]:
    if isinstance(said, str) and said.strip().startswith("License ::"):
        yield _Found("classifier", field, said.strip())


def _table(found: object) -> dict[str, object]:
    return found if isinstance(found, dict) else {}


def _list(found: object) -> list[object]:
    return found if isinstance(found, list) else []


READERS: dict[str, Callable[[str], Iterator[_Found]]] = {
    "PKG-INFO": _core,
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
}
