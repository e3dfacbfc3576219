"""What a problem promises of its inputs and answers: its annotations, and what its text says.

A contract is pure data about encoded values; generated inputs can be held against it too.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from thresher.filters.contracts.annotations import (
    BAD_SOURCE,
    Aliases,
    aliases,
    as_expected,
    fits,
    kind,
)
from thresher.filters.contracts.promises import Clause, Shape, clauses
from thresher.store.records import Mode, Problem, Tree

Function = ast.FunctionDef | ast.AsyncFunctionDef
_LIST_KINDS = {"list", "tuple", "set", "frozenset", "deque"}
_FIRST_LINE = re.compile(
    r"\b(?:(?:first|only|single) (?:and (?:the )?only )?(?:input )?line|input)\b[^.:;]{0,40}?"
    r" (?:contains?|consists? of|has|gives|holds)"
    r"(?: (?:exactly|only|an?|one|two|three|four|five|single|the|(?:space|comma)[- ]separated"
    r"|positive|non-?negative))*"
    r"(?: integers?| numbers?| integer numbers?)? *[:—–-]? *(?P<names>[^.;:]{0,120})",
    re.I,
)
_GIVEN = re.compile(
    r"\bgiven (?:an? |two |three |four |five )?(?:positive |non-?negative )?(?:integers?|numbers?) "
    r"(?P<names>[^.;:]{0,160}?)\bon (?:one|a single|the same|the first|one single) line",
    re.I,
)
_FORMAT = re.compile(r"\bfollowing format\W{0,3}\s*\n\s*(?P<names>[^\n]{0,120})", re.I)
_PAREN = re.compile(r"\([^()]*\)")
_NAME = r"(?!(?:is|of|in|to|the|and|or|on|by|as|for|it|are)\b)[A-Za-z]\w{0,2}\b"
_NAMES = re.compile(rf"\s*({_NAME}(?:(?:\s*,\s*(?:and )?|\s+and\s+|\s+){_NAME}){{0,9}})")


class Contract(NamedTuple):
    """What a problem promises.

    Attributes:
        positional: the parameters that take arguments by position, in order.
        rest: what takes further positional arguments, and further keywords; empty where nothing.
        annotations: by parameter, and that of the answer as ``return``.
        optional: parameters whose default is None, which then is allowed.
        clauses: what the text says.
        known: names that the program gives to annotations.
        lines: for a program: the names of the words on the first line that is read.
    """

    positional: tuple[str, ...] = ()
    rest: tuple[str, str] = ("", "")
    annotations: Mapping[str, ast.expr] = {}
    optional: frozenset[str] = frozenset()
    clauses: Sequence[Clause] = ()
    known: Aliases = {}
    lines: tuple[str, ...] = ()

    def breach(self, args: Sequence[Tree], kwargs: Mapping[str, Tree]) -> str | None:
        """Return what arguments break, in a line; None where they are allowed."""
        if self.lines:
            return self._said(first_line(args, self.lines))
        given = self.given(args, kwargs)
        for name, tree in given.items():
            annotation = self.annotations.get(name)
            is_default = tree is None and name in self.optional
            if annotation is not None and not is_default and not fits(tree, annotation, self.known):
                return f"{name}: {ast.unparse(annotation)}"
        extra = self._extra(args, kwargs)
        return extra or self._said(given)

    def breach_of_answer(self, tree: Tree, mode: Mode = "returns") -> str | None:
        """Return the annotation that an answer breaks; None where it is allowed."""
        annotation = as_expected(self.annotations.get("return"), mode)
        if annotation is None or fits(tree, annotation, self.known):
            return None
        return f"-> {ast.unparse(self.annotations['return'])}"

    def given(self, args: Sequence[Tree], kwargs: Mapping[str, Tree]) -> dict[str, Tree]:
        """Return arguments by the names of their parameters."""
        return dict(zip(self.positional, args, strict=False)) | dict(kwargs)

    def _extra(self, args: Sequence[Tree], kwargs: Mapping[str, Tree]) -> str | None:
        """Hold what ``*args`` and ``**kwargs`` take against their annotations."""
        named = {*self.positional, *self.annotations}
        further = [
            args[len(self.positional) :],
            [kwargs[name] for name in kwargs if name not in named],
        ]
        for name, trees in zip(self.rest, further, strict=True):
            annotation = self.annotations.get(name)
            if annotation is not None and not all(fits(t, annotation, self.known) for t in trees):
                return f"{name}: {ast.unparse(annotation)}"
        return None

    def _said(self, given: Mapping[str, Tree]) -> str | None:
        return next((clause.sentence for clause in self.clauses if not clause.holds(given)), None)


def contract_of(problem: Problem) -> Contract:
    """Read the contract of a problem; one that can't be read promises nothing."""
    try:
        tree = ast.parse(problem.prompt + problem.canonical_solution)
    except BAD_SOURCE:
        return Contract()
    if problem.style == "stdio":
        return _of_program(tree, problem)
    node = function(tree, problem.entry_point)
    if node is None:
        return Contract()
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    known = dict(_annotated(node))
    made = Contract(
        positional=tuple(each.arg for each in positional),
        rest=(_name(arguments.vararg), _name(arguments.kwarg)),
        annotations=known,
        optional=frozenset(_optional(arguments)),
        known=aliases(tree),
    )
    return made._replace(clauses=clauses(text_of(node), _shape(made, problem)))


def function(tree: ast.Module, name: str) -> Function | None:
    """Return the last definition of a function in a module."""
    found = (
        node for node in reversed(tree.body) if isinstance(node, Function) and node.name == name
    )
    return next(found, None)


def text_of(node: Function | ast.Module) -> str:
    """Return the docstring, or where there is none the first text that stands in the body."""
    if text := ast.get_docstring(node):
        return text
    for each in node.body:
        match each:
            case ast.Expr(ast.Constant(str() as text)):
                return text
    return ""


def first_line(args: Sequence[Tree], names: Sequence[str]) -> dict[str, Tree]:
    """Return the integers on the first line that a program reads, if they are as many as names."""
    text = args[0] if args and isinstance(args[0], str) else ""
    words = text.lstrip().split("\n", 1)[0].split()
    if len(words) != len(names) or not all(re.fullmatch(r"[-+]?\d{1,40}", word) for word in words):
        return {}
    return {name: int(word) for name, word in zip(names, words, strict=True)}


def _of_program(tree: ast.Module, problem: Problem) -> Contract:
    text = re.sub(r"\$+|\\,|[`*]{1,2}(?=\w)|(?<=\w)[`*]{1,2}", "", text_of(tree))
    match = _FORMAT.search(text) or _FIRST_LINE.search(text) or _GIVEN.search(text)
    names = _NAMES.match(_PAREN.sub("", match["names"])) if match else None
    if names is None:
        return Contract()
    lines = tuple(word for word in re.findall(r"\w+", names[1]) if word != "and")
    return Contract(lines=lines, clauses=clauses(text, Shape(lines)))


def _annotated(node: Function) -> Iterator[tuple[str, ast.expr]]:
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for each in (*named, arguments.vararg, arguments.kwarg):
        if each is not None and each.annotation is not None:
            yield each.arg, each.annotation
    if node.returns is not None:
        yield "return", node.returns


def _name(argument: ast.arg | None) -> str:
    return argument.arg if argument else ""


def _optional(arguments: ast.arguments) -> Iterator[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(reversed(positional), reversed(arguments.defaults), strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    for each, default in pairs:
        if isinstance(default, ast.Constant) and default.value is None:
            yield each.arg


def _shape(contract: Contract, problem: Problem) -> Shape:
    """Tell what the parameters are from what the cases give them."""
    kinds: dict[str, set[str]] = {name: set() for name in contract.positional}
    for case in problem.cases:
        for name, tree in contract.given(case.args, case.kwargs).items():
            kinds.setdefault(name, set()).add(kind(tree))
    return Shape(
        names=tuple(kinds),
        lists=tuple(name for name, found in kinds.items() if found and found <= _LIST_KINDS),
        texts=tuple(name for name, found in kinds.items() if found == {"str"}),
        numbers=tuple(name for name, found in kinds.items() if found and found <= {"int", "float"}),
    )
