"""A statement that asks for a program which reads and prints text becomes a problem.

The prompt is a docstring with the statement and its samples, the solution is the program below it.
"""

import ast
import itertools
import re
import textwrap
import warnings

import msgspec

from thresher.crawlers.statement import Statement
from thresher.errors import SourceError
from thresher.store.programs import ENTRY_POINT, docstring
from thresher.store.records import (
    Comparator,
    Derivation,
    Problem,
    Source,
    TestCase,
    content_id,
)

MOST_HIDDEN = 50  # cases that the statement doesn't show, of which some sites have hundreds
LONGEST = 100_000  # characters of such a case
INDENT = " " * 4
BOM = "\ufeff"
OF_TEXT: dict[str, str] = {"exact": "lines", "float": "tokens"}  # what those mean of text
UNFIT = {  # flags of what can't be judged
    "truncated_statement": ("truncated-statement", "ends before its end"),
    "multiple_answers": ("several-answers", "takes several answers, and there is no checker"),
}


def problem(statement: Statement, source: Source) -> Problem:
    """Make the statement of a program a problem; nothing is run.

    Args:
        statement: of kind ``stdio``; the first right solution that is Python is taken.
        source: where it came from.

    Returns:
        The problem. Its canonical solution is empty where the statement has none.

    Raises:
        SourceError: the statement's kind where that is another, ``truncated-statement``,
            ``several-answers``, ``needs-checker``, ``no-statement``, ``no-samples`` or
            ``samples-contradict``.
    """
    _check(statement)
    cases = _cases(statement)
    prompt, solution = docstring(_text(statement)), _solution(statement)
    digest = content_id([prompt, solution, cases])[:8]
    total = len(statement.samples) + len(statement.hidden)
    return Problem(
        task_id=f"{_name(statement)}-{digest}",
        entry_point=ENTRY_POINT,
        prompt=prompt,
        canonical_solution=solution,
        cases=cases,
        comparator=_comparator(statement.comparator),
        style="stdio",
        source=source.id,
        derivation=Derivation(
            file=statement.url or source.url,
            line=0,
            function=ENTRY_POINT,
            how=f"{len(cases)} of {total} cases, {len(statement.samples)} of the statement",
        ),
        tags=tuple(sorted(statement.flags)),
    )


def check_flags(statement: Statement) -> None:
    """Refuse a statement whose flags say that answers to it can't be judged.

    Raises:
        SourceError: ``truncated-statement``, ``several-answers``.
    """
    for flag in statement.flags:
        if flag in UNFIT:
            reason, why = UNFIT[flag]
            raise SourceError(reason, f"{_name(statement)} {why}; it is left out.")


def is_python(text: str) -> bool:
    """Say whether a text is a program of the Python that this runs on, and not of Python 2."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the program's own
            return bool(ast.parse(text).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _name(statement: Statement) -> str:
    return f"{statement.site}/{statement.key}"


def _check(statement: Statement) -> None:
    """Refuse a statement that no problem can be made of."""
    name = _name(statement)
    if statement.kind != "stdio":
        raise SourceError(statement.kind, f"{name} is of kind {statement.kind}; it is left out.")
    if statement.comparator.kind == "checker" or "checker" in statement.flags:
        message = f"{name} needs its own checker, and none can be run; it is left out."
        raise SourceError("needs-checker", message)
    check_flags(statement)
    if not statement.text.strip():
        raise SourceError("no-statement", f"{name} says nothing but its title; it is left out.")
    if not statement.samples and not statement.hidden:
        raise SourceError("no-samples", f"{name} has no samples; it is left out.")


def _comparator(stated: Comparator) -> Comparator:
    return msgspec.structs.replace(stated, kind=OF_TEXT.get(stated.kind, stated.kind))


def _cases(statement: Statement) -> tuple[TestCase, ...]:
    """Return the samples, then so many short enough hidden cases; none twice.

    Raises:
        SourceError: ``samples-contradict``: one input has two outputs.
    """
    hidden = (each for each in statement.hidden if len(each.input + each.output) <= LONGEST)
    outputs: dict[str, str] = {}
    for sample in (*statement.samples, *hidden):
        given, expected = _clean(sample.input), _clean(sample.output)
        if outputs.setdefault(given, expected).split() != expected.split():
            message = f"{_name(statement)} has two outputs for the input {given[:100]!r}."
            raise SourceError("samples-contradict", message)
    shown = {_clean(sample.input) for sample in statement.samples}
    most = itertools.islice(outputs.items(), len(shown) + MOST_HIDDEN)
    return tuple(_case(given, expected, given in shown) for given, expected in most)


def _case(given: str, expected: str, shown: bool) -> TestCase:
    return TestCase(
        args=(given,),
        kwargs={},
        expected=expected,
        raises=None,
        origin="statement" if shown else "judge",
        shown=shown,
    )


def _text(statement: Statement) -> str:
    """Return what the docstring says: the title, the statement, the limits and the samples."""
    parts = [" ".join(statement.title.split()), statement.text.strip(), _limits(statement)]
    for number, sample in enumerate(statement.samples, 1):
        given, expected = (textwrap.indent(text, INDENT) for text in (sample.input, sample.output))
        parts.append(f"Example {number}:\n\nInput:\n{given}Output:\n{expected}".rstrip())
    return re.sub(r"[^\S\n]+$", "", _clean("\n\n".join(filter(None, parts))), flags=re.MULTILINE)


def _limits(statement: Statement) -> str:
    time, memory = statement.time_limit, statement.memory_limit
    parts = [f"Time limit: {time:g} s."] if time else []
    return " ".join([*parts, *([f"Memory limit: {memory} MiB."] if memory else [])])


def _clean(text: str) -> str:
    """Return text with the line ends of Python source, that can be written as UTF-8."""
    return text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()


def _solution(statement: Statement) -> str:
    """Return the first right solution that is Python, empty where there is none."""
    right = [each for each in statement.solutions if each.right and each.language == "python"]
    texts = (f"{_clean(each.text).removeprefix(BOM).rstrip()}\n" for each in right)
    return next(filter(is_python, texts), "")
