"""The examples in a docstring: which calls the prompt shows, and what it says they give."""

import ast
import builtins
import doctest
from collections.abc import Iterator
from typing import Any, NamedTuple

from thresher.store import values
from thresher.store.comparison import tags
from thresher.store.records import TestCase, Tree, canonical_json
from thresher.tracer.extraction.standalone import Standalone

MAX_EXAMPLE = 1_000  # characters of a call and its answer
# What is written as a literal; other things may look like one when they are printed.
LITERAL = {"tuple", "dict", "set", "bytes", "str", "int", "float", "complex"}
_BAD = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Example(NamedTuple):
    """A call that the docstring shows; `is_checked` where it says as data what the call gives."""

    line: str
    case: TestCase
    is_checked: bool


class Shown:
    """The docstring of a standalone program's entry point, and its parameters."""

    def __init__(self, standalone: Standalone) -> None:
        self._standalone = standalone
        program = ast.parse(standalone.prompt + standalone.solution)
        self._node = next(
            node
            for node in reversed(program.body)
            if isinstance(node, _Function) and node.name == standalone.entry_point
        )
        self._defaults = dict(_defaults(self._node.args))

    def examples(self) -> list[Example]:
        """Return the examples that call the entry point with literals, in order."""
        text = ast.get_docstring(self._node) or ""
        try:
            found = doctest.DocTestParser().get_examples(text)
        except ValueError:  # a prompt without a blank behind it, for example
            return []
        short = (each for each in found if len(each.source) + len(each.want) <= MAX_EXAMPLE)
        return [made for each in short if (made := self._example(each)) is not None]

    def _example(self, example: doctest.Example) -> Example | None:
        if example.options.get(doctest.SKIP):
            return None
        try:
            call = ast.parse(example.source.strip(), mode="eval").body
            call = _listed(call) if self._standalone.mode == "generates" else call
            if not isinstance(call, ast.Call) or not _is_name(call.func, self._node.name):
                return None
            args = tuple(map(_literal, call.args))
            kwargs = {each.arg or "**": _literal(each.value) for each in call.keywords}
        except _BAD:
            return None
        if "**" in kwargs:
            return None
        answer = _answer(example)
        case = TestCase(
            args=args,
            kwargs=kwargs,
            expected=answer[0] if answer else None,
            raises=answer[1] if answer else None,
            origin="statement",
            shown=True,
        )
        return Example(_in_a_line(example), case, answer is not None)

    def key(self, case: TestCase) -> bytes:
        """Return what is the same for calls that give the parameters the same values."""
        given: dict[str, Tree] = dict(self._defaults)
        names = [p.name for p in self._standalone.parameters if p.kind.startswith("POSITIONAL")]
        given.update(zip(names, case.args, strict=False))
        given.update(case.kwargs)
        return canonical_json([given, case.args[len(names) :]])


def is_literal(tree: Tree) -> bool:
    """Say whether a value is printed as the literal that it is written as."""
    return tags(tree) <= LITERAL


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, Tree]]:
    """Yield the parameters whose default is a literal, with its value."""
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(reversed(positional), reversed(arguments.defaults), strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    for argument, default in pairs:
        if default is not None:
            try:
                yield argument.arg, _literal(default)
            except _BAD:
                continue


def _literal(node: ast.expr) -> Tree:
    """Return the tree of a literal; raise one of `_BAD` for anything else."""
    return values.encode(ast.literal_eval(node))


def _listed(node: ast.expr) -> ast.expr:
    """Return the call of a generator that stands in ``list(…)``, which shows its outputs."""
    is_list = isinstance(node, ast.Call) and _is_name(node.func, "list")
    if is_list and len(node.args) == 1 and not node.keywords:  # type: ignore[attr-defined]
        inner: ast.expr = node.args[0]  # type: ignore[attr-defined]
        return inner
    raise ValueError("the outputs of a generator aren't shown")


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _answer(example: doctest.Example) -> tuple[Tree, str | None] | None:
    """Return what an example is said to give, as an expected value and an exception's name."""
    if example.exc_msg is not None:
        name = example.exc_msg.partition(":")[0].strip()
        kind: Any = getattr(builtins, name, None)
        is_error = isinstance(kind, type) and issubclass(kind, Exception)
        return (None, name) if is_error else None
    if "..." in example.want:
        return None
    try:
        tree = _literal(ast.parse(example.want.strip(), mode="eval").body)
    except _BAD:
        return None
    return (tree, None) if is_literal(tree) else None


def _in_a_line(example: doctest.Example) -> str:
    return f">>> {' '.join(example.source.split())} gives {' '.join(example.want.split())}"
