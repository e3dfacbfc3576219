"""LeetCodeDataset, as JSON Lines: LeetCode's problems with a Python solution and many test cases.

Described in https://github.com/newfacade/LeetCodeDataset, versions 0.1.0 to 0.3.1: `task_id` is the
name in the problem's address, `completion` the solution, `test` asserts what ``candidate`` gives,
with ``list_node([…])`` and ``tree_node([…])`` around nodes. The first versions have the text and
the starting point under `meta`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from thresher.crawlers.datasets import assertions, rows
from thresher.crawlers.functions import examples, literals, returns, signatures
from thresher.crawlers.parsers.leetcode import HOME
from thresher.crawlers.site import Collection, Found
from thresher.crawlers.statement import Call, Signature, Solution, Statement
from thresher.errors import SourceError

NAME = "leetcode-dataset"
TERMS = (
    "Its repository is under the MIT licence; the statements are LeetCode's, whose terms grant "
    "none, and the solutions come from repositories that the rows don't name."
)
_NODES = {"list_node", "tree_node"}
_SAME = {"is_same_list", "is_same_tree"}
# Texts came without their superscripts: 10^5 is 105 in them, in sentences that state bounds.
_BOUND = re.compile(r"[<>]=|\brange \[|\bmodulo\b|\+ 7\b|\* 10|\bwithin 10-")
_POWER = re.compile(
    r"(?<![\w.])(?:(10)([3-9]|1[0-8])|(2)(31|32|63|64)(?= - 1\b)|(?<=-)(2)(31|63))(?![\w.]*\w)"
    r"|(?<=\bwithin )(10)(-\d)\b"
)


class Meta(msgspec.Struct):
    """What the first versions have: the statement and the starting point."""

    question_title: str = ""
    lang_code: str = ""
    difficulty: str = ""


class Row(msgspec.Struct):
    """The fields that are read."""

    task_id: str
    entry_point: str
    completion: str
    test: str
    problem_description: str = ""
    starter_code: str = ""
    difficulty: str = ""
    tags: list[str] | None = None
    meta: Meta | None = None


def read(path: Path) -> Iterator[Found]:
    """Yield the problems of a file, or of the files in a folder; see `rows.collect`."""
    return rows.collect(path, Row, statement)


def statement(row: Row) -> Statement:
    """Make a row a statement.

    Raises:
        SourceError: ``no-signature``, ``opaque-test``, ``no-results``, ``example-unreadable``.
    """
    meta = row.meta or Meta()
    code = row.starter_code or meta.lang_code or row.completion
    signature = signatures.from_python(code, row.entry_point.rpartition(".")[2])
    text, printed = examples.cut(row.problem_description or meta.question_title)
    text = _with_powers(text.replace("\u00a0", " "))
    calls = _calls(row.test, signature)
    shown = [_call(example, signature) for example in printed]
    reading = returns.read(text, signature, calls)
    return Statement(
        site=NAME,
        key=row.task_id,
        url=f"{HOME}/problems/{row.task_id}/",
        title=row.task_id.replace("-", " ").title(),
        kind="function",
        text=text,
        calls=tuple(shown),
        hidden_calls=tuple(call for call in calls if call not in shown),
        signature=signature,
        comparator=reading.comparator,
        comparator_evidence=reading.evidence,
        tags=tuple(filter(None, [row.difficulty or meta.difficulty, *(row.tags or [])])),
        flags=tuple(sorted(reading.flags | signatures.node_flags(signature))),
        licence_evidence=TERMS,
        solutions=(Solution("python", row.completion),),
    )


def _with_powers(text: str) -> str:
    """Give the powers in a text's bounds their signs back, where it has no sign at all."""
    if "10^" in text:
        return text
    sentences = re.split(r"(\n|(?<=[.;]) )", text)
    return "".join(_POWER.sub(_power, one) if _BOUND.search(one) else one for one in sentences)


def _power(found: re.Match[str]) -> str:
    return "^".join(filter(None, found.groups()))


def _call(example: examples.Example, signature: Signature) -> Call:
    args = literals.arguments(example.given, signature.parameters)
    return Call(args, literals.value(example.result, signature.returns))


def _calls(test: str, signature: Signature) -> tuple[Call, ...]:
    """Return the calls that a test asserts, with nodes as lists."""
    try:
        plain = ast.unparse(_WithoutNodes().visit(assertions.parsed(test)))
    except RecursionError:
        raise SourceError("bad-python", "The test is nested too deeply.") from None
    names = [parameter.name for parameter in signature.parameters]
    calls = []
    for told in assertions.in_check(plain).told:
        args = dict(zip(names, told.args, strict=False)) | told.kwargs
        if signature.returns == "None" or told.out is None and "Optional" not in signature.returns:
            raise SourceError("no-results", f"The test of {signature.name} asserts no result.")
        calls.append(Call(args, told.out))
    return tuple(calls)


class _WithoutNodes(ast.NodeTransformer):
    """Writes ``is_same_list(a, list_node(b))`` as ``a == b``.

    An infinite answer, which is no answer on the site, asserts nothing.
    """

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:  # noqa: N802
        if any(isinstance(each, ast.Name) and each.id == "inf" for each in ast.walk(node)):
            return ast.Pass()
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name(name), [only], []) if name in _NODES:
                return only
            case ast.Call(ast.Name(name), [left, right], []) if name in _SAME:
                return ast.Compare(left, [ast.Eq()], [right])
        return node


COLLECTION = Collection(name=NAME, terms=TERMS, read=read)
