"""Builders of planted problems: readable source and cases in, records of the store out.

A planted problem is clean, or has one fault of a kind. What counts as caught is said by patterns
for ``filter: reason`` and by repairs, see `tests.planted.outcome`.
"""

import ast
import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from thresher.store import programs, values
from thresher.store.records import (
    Comparator,
    Derivation,
    Mode,
    Problem,
    Source,
    TestCase,
    content_id,
)

CLEAN = "clean"
CLOSE = Comparator(kind="float", relative=1e-9, absolute=1e-12)
UNORDERED = Comparator(kind="unordered")
TOKENS = Comparator(kind="tokens")
LINES = Comparator(kind="lines")
EXACT = Comparator()


class Raises(NamedTuple):
    """An exception as the outcome of a call."""

    name: str


class Call(NamedTuple):
    """A call that (arguments, answer) can't say: `after` has arguments as the call leaves them."""

    args: tuple[Any, ...]
    answer: Any
    kwargs: dict[str, Any] = {}
    after: dict[str, Any] = {}
    ended: bool = True


class Planted(NamedTuple):
    """A problem of the planted set.

    Attributes:
        kind: of its fault, or ``clean``.
        caught: patterns of drops and repairs, of which any counts as caught.
        unrecorded: its answers are those that the reference gives before the chain runs, as
            those of a traced function are.
        bad: the number of the case that is at fault; when it is gone the problem is mended.
        twin: the task id of another, of which exactly one may stay.
        allows: says of the arguments of a call whether a case with them may be added.
    """

    kind: str
    problem: Problem
    source: Source
    caught: tuple[str, ...] = ()
    unrecorded: bool = False
    bad: int | None = None
    twin: str = ""
    allows: Callable[..., bool] | None = None

    @property
    def name(self) -> str:
        """Name it as reports do."""
        return f"{self.kind}/{self.problem.task_id.split('/')[-1].rpartition('-')[0]}"


def function(
    kind: str,
    text: str,
    cases: Sequence[Any],
    *,
    comparator: Comparator = EXACT,
    mode: Mode = "returns",
    licence: str = "MIT",
    caught: Sequence[str] = (),
    recorded: bool = False,
    bad: int | None = None,
    twin: str = "",
    name: str = "",
    allows: Callable[..., bool] | None = None,
) -> Planted:
    """Make a planted problem of a program whose last function, documented, is the entry point.

    Args:
        kind: of the fault, or ``clean``.
        text: the program.
        cases: pairs of arguments and answer, or `Call`; of a recorded problem, arguments alone.
        recorded: the answers are to be found out.
    """
    text = text.lstrip("\n")
    entry_point, line = _entry(text)
    lines = text.splitlines(keepends=True)
    prompt = "".join(lines[:line])
    made = [Call(each, None) if recorded else Call(*each) for each in cases]
    source = _source(kind, text, licence)
    tests = tuple(_case(each, entry_point, prompt, recorded) for each in made)
    problem = Problem(
        task_id=_task_id(kind, name or entry_point, text, tests),
        entry_point=entry_point,
        prompt=prompt,
        canonical_solution="".join(lines[line:]),
        cases=tests,
        comparator=comparator,
        style="function",
        source=source.id,
        derivation=_derivation(entry_point),
        mode=mode,
    )
    return Planted(kind, problem, source, tuple(caught), recorded, bad, twin, allows)


def program(
    kind: str,
    name: str,
    statement: str,
    text: str,
    cases: Sequence[tuple[str, str]],
    *,
    comparator: Comparator = TOKENS,
    licence: str = "MIT",
    caught: Sequence[str] = (),
    bad: int | None = None,
) -> Planted:
    """Make a planted problem of a program that reads and prints: (input, output) are its cases."""
    prompt, text = programs.docstring(statement.strip("\n")), text.lstrip("\n")
    source = _source(kind, text, licence)
    tests = tuple(
        TestCase(
            args=(given,),
            kwargs={},
            expected=printed,
            raises=None,
            origin="statement",
            shown=given.strip() in statement,
        )
        for given, printed in cases
    )
    problem = Problem(
        task_id=_task_id(kind, name, text, tests),
        entry_point=programs.ENTRY_POINT,
        prompt=prompt,
        canonical_solution=text,
        cases=tests,
        comparator=comparator,
        style="stdio",
        source=source.id,
        derivation=_derivation(name),
    )
    return Planted(kind, problem, source, tuple(caught), bad=bad)


def planted(kind: str, problem: Problem, name: str) -> Planted:
    """Plant a problem that is made already, with a task id and a source of its own."""
    text = problem.prompt + problem.canonical_solution
    source = _source(kind, text, "MIT")
    problem = msgspec.structs.replace(
        problem, task_id=_task_id(kind, name, text, problem.cases), source=source.id
    )
    return Planted(kind, problem, source)


def _entry(text: str) -> tuple[str, int]:
    """Return the name of the last function and the number of the line that ends its docstring."""
    last = ast.parse(text).body[-1]
    if not isinstance(last, ast.FunctionDef | ast.AsyncFunctionDef):
        raise ValueError(f"a planted program ends with its entry point: {text[-80:]!r}")
    first = last.body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    line = first.end_lineno if has_docstring else first.lineno - 1
    return last.name, line or 0


def _case(call: Call, entry_point: str, prompt: str, recorded: bool) -> TestCase:
    shown = f"{entry_point}({', '.join(map(repr, call.args))})"
    raised = call.answer.name if isinstance(call.answer, Raises) else None
    return TestCase(
        args=tuple(map(values.encode, call.args)),
        kwargs={name: values.encode(value) for name, value in call.kwargs.items()},
        expected=None if raised else values.encode(call.answer),
        raises=raised,
        origin="traced" if recorded else "statement",
        shown=_dense(shown) in _dense(prompt),
        after={name: values.encode(value) for name, value in call.after.items()},
        ended=call.ended,
    )


def _dense(text: str) -> str:
    return "".join(text.split()).replace('"', "'")


def _source(kind: str, text: str, licence: str) -> Source:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Source(
        id=content_id([kind, text, licence])[:16],
        kind="repository",
        url=f"https://example.org/planted/{digest[:12]}.py",
        revision=digest[:40],
        licence=licence,
        licence_evidence=f"LICENSE: {licence}",
        robots="not a crawl",
        sha256=digest,
        fetched_at="2026-01-02T03:04:05+00:00",
    )


def _task_id(kind: str, name: str, text: str, cases: object) -> str:
    return f"planted/{kind.replace(' ', '-')}/{name}-{content_id([text, cases])[:8]}"


def _derivation(name: str) -> Derivation:
    return Derivation(file="module.py", line=1, function=name, how="planted")
