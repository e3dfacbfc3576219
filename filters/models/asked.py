"""What a prompt asks for, and the programs that answers make of it, read as syntax trees only."""

import ast
import inspect
import symtable
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import NamedTuple, Self

from thresher.filters.models.indentation import blanks

Function = ast.FunctionDef | ast.AsyncFunctionDef
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
REFLECTING = {"globals", "eval", "exec", "vars"}  # may use any name there is
PAD = "    "
FILE = "answer"


class Asked(NamedTuple):
    """A prompt that ends in a function which has no body yet.

    `node` is the function as it stands in the prompt, `given` what it has of a body: a docstring,
    perhaps with imports. `indent` is what its lines begin with, `known` the names that the prompt
    binds.
    """

    prompt: str
    node: Function
    given: tuple[ast.stmt, ...]
    indent: str
    known: frozenset[str]

    @classmethod
    def read(cls, prompt: str, entry_point: str) -> Self | None:
        """Return what a prompt asks for; None where it doesn't end in such a function."""
        last = prompt.rpartition("\n")[2]
        for end in ("", f"\n{PAD}pass\n", "pass\n"):
            tree = parsed(prompt + end)
            node = defined(tree, entry_point) if tree else None
            if tree and node:
                given = () if end else tuple(node.body)
                own = blanks(prompt.split("\n")[given[0].lineno - 1]) if given else ""
                indent = own or (last if last and not last.strip() else PAD)
                known = frozenset(name for each in tree.body for name in bound(each))
                return cls(prompt, node, given, indent, known)
        return None

    def written(self, function: Function) -> list[ast.stmt]:
        """Return the body of a function without docstrings, and without what the prompt gives."""
        given = {ast.dump(each) for each in self.given}
        kinds = tuple(map(type, self.given))  # what the model wrote may be too deep to be dumped

        def known(each: ast.stmt) -> bool:
            return said(each) is not None or (isinstance(each, kinds) and ast.dump(each) in given)

        return list(dropwhile(known, function.body))

    def answered(self, function: Function) -> bool:
        """Tell whether a function has a body of its own, besides what it defines and talk."""
        body = self.written(function)
        talk = bool(body) and isinstance(body[0], ast.Expr) and _idle(body[0])
        return not talk and not all(map(_idle, body))

    def joined(self, body: str) -> str:
        """Return what goes on with the prompt, of a body whose lines have their indentation."""
        if not self.prompt or self.prompt.endswith("\n"):
            return body
        last = self.prompt.rpartition("\n")[2]
        if not last.strip() and body.startswith(last):
            return body.removeprefix(last)
        return "\n" + body


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of any text, None where it is no program; nothing of it is run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the program's own
            tree = ast.parse(source)
            compile(source, FILE, "exec", dont_inherit=True)  # notices a stray `return`, too
            return tree
    except UNREADABLE:
        return None


def defined(tree: ast.Module, name: str) -> Function | None:
    """Return the last function of a name at the top of a program."""
    found = [each for each in tree.body if isinstance(each, Function) and each.name == name]
    return found[-1] if found else None


def said(statement: ast.stmt) -> str | None:
    """Return the text of a statement that is only one, such as a docstring, without its indent."""
    match statement:
        case ast.Expr(ast.Constant(str(text))):
            return inspect.cleandoc(text)
    return None


def _idle(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    if isinstance(statement, Function | ast.ClassDef | ast.Import | ast.ImportFrom):
        return True
    acting = ast.Call | ast.Await | ast.Yield | ast.YieldFrom
    return isinstance(statement, ast.Expr) and not (
        isinstance(statement.value, acting)
        or (isinstance(statement.value, ast.Constant) and statement.value.value is ...)
    )


def same_call(one: Function, other: Function) -> bool:
    """Tell whether two functions take the same names in the same way and are of one kind."""
    return type(one) is type(other) and _names(one.args) == _names(other.args)


def _names(arguments: ast.arguments) -> list[list[str]]:
    plain = (arguments.posonlyargs, arguments.args, arguments.kwonlyargs)
    rest = (arguments.vararg, arguments.kwarg)
    return [[each.arg for each in group] for group in plain] + [
        [each.arg if each else ""] for each in rest
    ]


def bound(statement: ast.stmt) -> set[str]:
    """Return the names that a statement at the top of a program binds, or whose values it changes.

    A star stands for whatever ``from … import *`` binds.
    """
    if isinstance(statement, Function | ast.ClassDef):
        return {statement.name}
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, Function | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            if isinstance(node.ctx, ast.Store):
                found.update(_root(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            found.update(_root(called) if not isinstance(called, ast.Name) else ())
    return found


def _root(node: ast.AST) -> Iterator[str]:
    """Yield the name that a target or a called method begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id


def needed(source: str, function: Function, others: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return those of the other statements of a program that one of its functions rests on.

    Args:
        source: the program.
        function: one of its functions at the top.
        others: what else may be kept, in order.
    """
    table = symtable.symtable(source, FILE, "exec")
    wanted = {function.name, "*", *_used(table, function)}
    filled = _filled(table, others)
    kept: set[int] = set()
    grows = True
    while grows:
        grows = False
        for number, each in enumerate(others):
            if number not in kept and _belongs(each, wanted, function.name, filled):
                kept.add(number)
                wanted |= _used(table, each)
                grows = True
    return [each for number, each in enumerate(others) if number in kept]


def _filled(
    table: symtable.SymbolTable, statements: Sequence[ast.stmt]
) -> dict[str, frozenset[str]]:
    """Return by function which of the values assigned at the top a call of it changes."""
    assigned = {
        name
        for each in statements
        if isinstance(each, ast.Assign | ast.AnnAssign)
        for name in bound(each)
    }
    return {
        each.name: frozenset(
            assigned & _used(table, each) & {name for inner in each.body for name in bound(inner)}
        )
        for each in statements
        if isinstance(each, Function)
    }


def _belongs(
    statement: ast.stmt, wanted: Iterable[str], name: str, filled: Mapping[str, frozenset[str]]
) -> bool:
    if isinstance(statement, Function) and statement.name == name:
        return False
    if isinstance(statement, ast.If) and "__name__" in ast.dump(statement.test):
        return False
    if isinstance(statement, ast.Expr):
        called = ast.unparse(statement).partition("(")[0]
        if called.rpartition(".")[2] == "setrecursionlimit":
            return True
        if filled.get(called, frozenset()) & set(wanted):
            return True
    names = bound(statement)
    return bool(names & set(wanted)) or (bool(names) and bool(REFLECTING & set(wanted)))


def _used(table: symtable.SymbolTable, statement: ast.stmt) -> set[str]:
    """Return the names of the program that a statement at its top may use, now or when called."""
    if not isinstance(statement, Function | ast.ClassDef):
        return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    outer: list[ast.AST] = list(statement.decorator_list)
    if isinstance(statement, Function):
        outer += [statement.args, *([statement.returns] if statement.returns else [])]
    else:
        outer += [*statement.bases, *statement.keywords]
    names = {node.id for each in outer for node in ast.walk(each) if isinstance(node, ast.Name)}
    for child in table.get_children():
        if child.get_name() == statement.name:
            names.update(_globals(child))
    return names


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    yield from (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())
    for child in table.get_children():
        yield from _globals(child)
