"""Every text that a problem holds, with the place it stands in: the program and recorded values."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from thresher.filters.filter import program
from thresher.filters.texts.statements import Function, asking
from thresher.store.records import Problem, TestCase, Tree

# Payloads that are numbers, or names of a program's own; what dates and numbers say isn't text.
NUMBERS = {"int", "float", "complex", "range", "slice", "decimal", "fraction", "uuid"}
TIMES = {"date", "time", "datetime", "timedelta", "timezone"}
NO_TEXT = NUMBERS | TIMES | {"global", "enum", "ellipsis"}
HEX = frozenset({"str", "bytes", "bytearray"})
# A name like these is written with its value, as a scanner expects it in a program.
TELLING = re.compile(r"pass|pwd|secret|token|key|auth|cred|card|phone|mail", re.IGNORECASE)
LONGEST_NAME = 64


class Held(NamedTuple):
    """A text and its place, such as ``program`` or ``case 2, argument 1``."""

    place: str
    text: str


def held(problem: Problem) -> Iterator[Held]:
    """Yield the program, then each text of each case; bytes as the text that they spell.

    The value of a parameter, key or attribute whose name speaks of a secret comes as ``name =
    'value'``.
    """
    yield Held("program", program(problem))
    names = _parameters(problem)
    for number, case in enumerate(problem.cases):
        for place, name, tree in _values(case, names):
            for text in _texts(tree, name):
                yield Held(f"case {number}, {place}", text)


def _values(case: TestCase, names: list[str]) -> Iterator[tuple[str, str, Tree]]:
    """Yield place, name and tree of each value of a case."""
    for number, tree in enumerate(case.args):
        yield f"argument {number}", names[number] if number < len(names) else "", tree
    for name, tree in case.kwargs.items():
        yield "a keyword argument", name, tree
    yield "the answer", "", case.expected
    for tree in case.after.values():
        yield "a changed argument", "", tree


def _parameters(problem: Problem) -> list[str]:
    if problem.style == "stdio":
        return []
    part = asking(problem)
    if not isinstance(part, Function):
        return []
    return [each.arg for each in (*part.args.posonlyargs, *part.args.args)]


def _texts(tree: Tree, name: str) -> Iterator[str]:
    """Yield the texts of a tree without recursion: it may be nested as deep as it likes."""
    todo: list[tuple[str, Any]] = [(name, tree)]
    while todo:
        name, tree = todo.pop()
        if type(tree) is str:
            yield f"{name} = {tree!r}" if _is_telling(name) and "\n" not in tree else tree
        elif type(tree) is list:
            todo += reversed(list(_members(tree)))
        elif type(tree) is dict:
            todo += _tagged(tree, name)


def _members(items: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield members with the names they have: of a pair, the first may be the second's."""
    if len(items) == 2 and type(items[0]) is str:
        yield from [("", items[0]), (items[0], items[1])]
    else:
        yield from (("", item) for item in items)


def _tagged(tree: dict[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    for tag, payload in tree.items():
        if tag in HEX and type(payload) is str:
            yield name, _spelt(payload)
        elif tag == "instance" and type(payload) is list:
            yield from (("", part) for part in payload[1:])
        elif tag not in NO_TEXT:
            yield "", payload


def _spelt(payload: str) -> str:
    try:
        return bytes.fromhex(payload).decode(errors="replace")
    except ValueError:
        return ""


def _is_telling(name: str) -> bool:
    return len(name) <= LONGEST_NAME and TELLING.search(name) is not None
