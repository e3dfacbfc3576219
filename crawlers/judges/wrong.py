"""Programs that are wrong on purpose: constant, echoing, off by one, and mutants of a reference."""

import ast
import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from thresher.errors import SourceError
from thresher.store import data, values
from thresher.store.records import Problem, TestCase

MOST_CONSTANTS = 3
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult},
    **{ast.Mod: ast.FloorDiv, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift},
    **{ast.RShift: ast.LShift, ast.UAdd: ast.USub, ast.USub: ast.UAdd},
}
KNOWING_PROGRAM = """\
import io, sys
_given = sys.stdin.read()
_known = {known}
if " ".join(_given.split()) in _known:
    sys.stdout.write(_known[" ".join(_given.split())])
    sys.exit()
sys.stdin = io.TextIOWrapper(io.BytesIO(_given.encode()))
"""
KNOWING_FUNCTION = """\
for _given, _answer in {known}:
    if _given == ({names},):
        return _answer
"""


class Wrong(NamedTuple):
    """A wrong program, its kind, and what was done to make it wrong."""

    kind: str
    how: str
    program: str


def check(problem: Problem) -> None:
    """Refuse a problem that no wrong programs can be made for.

    Raises:
        SourceError: ``no-plain-calls``, its cases have something else than plain arguments and a
            plain result.
    """
    trees = [[*case.args, case.expected] for case in problem.cases]
    odd = [case for case in problem.cases if case.kwargs or case.after or case.raises is not None]
    is_odd = bool(odd) or problem.mode != "returns" or "design_class" in problem.tags
    if is_odd or data.names(trees) or data.imports(trees):
        message = f"{problem.task_id} isn't about plain arguments and a result: no judge is asked"
        raise SourceError("no-plain-calls", message)


def programs(problem: Problem) -> Iterator[Wrong]:
    """Yield wrong programs, the kinds in turn: each kind finds other cases of a judge."""
    mutants = list(_mutants(problem)) if problem.canonical_solution else []
    kinds = [
        list(_constants(problem)),
        list(_echoes(problem)),
        [each for each in mutants if each.kind == "off by one"],
        [each for each in mutants if each.kind == "mutant"],
    ]
    seen: set[str] = set()
    for each in filter(None, itertools.chain.from_iterable(itertools.zip_longest(*kinds))):
        if each.program not in seen:
            seen.add(each.program)
            yield each


def knowing(problem: Problem, program: str, cases: Sequence[TestCase]) -> str:
    """Return a program that answers these cases rightly, and goes wrong only on others."""
    tree = ast.parse(program)
    if problem.style == "stdio":
        known = data.render({"dict": [[" ".join(_read(c).split()), c.expected] for c in cases]})
        start = ast.parse(KNOWING_PROGRAM.format(known=known)).body
        place = sum(1 for _ in itertools.takewhile(_comes_first, tree.body))
        tree.body[place:place] = start
    else:
        function = _function(tree, problem)
        names = ", ".join(_parameters(function))
        known = data.render([{"tuple": [{"tuple": list(c.args)}, c.expected]} for c in cases])
        function.body[:0] = ast.parse(KNOWING_FUNCTION.format(known=known, names=names)).body
    return ast.unparse(tree) + "\n"


def _constants(problem: Problem) -> Iterator[Wrong]:
    """Give nothing, or one of the known answers, to everything."""
    nothing = "''" if problem.style == "stdio" else "None"
    answers = dict.fromkeys([nothing, *(data.render(case.expected) for case in problem.cases)])
    for answer in list(answers)[:MOST_CONSTANTS]:
        yield Wrong("constant", f"always {answer[:40]}", _giving(problem, answer))


def _echoes(problem: Problem) -> Iterator[Wrong]:
    if problem.style == "stdio":
        echo = _giving(problem, "__import__('sys').stdin.read()")
        yield Wrong("echo", "prints what it reads", echo)
        return
    for name in _parameters(_function(_empty(problem), problem)):
        yield Wrong("echo", f"returns {name}", _giving(problem, name))


def _giving(problem: Problem, expression: str) -> str:
    """Return the program that prints or returns an expression."""
    tree = _empty(problem)
    if problem.style == "stdio":
        tree.body += ast.parse(f"print({expression}, end='')").body
    else:
        _function(tree, problem).body = ast.parse(f"return {expression}").body
    return ast.unparse(tree) + "\n"


def _empty(problem: Problem) -> ast.Module:
    try:
        return ast.parse(problem.prompt + ("    pass\n" if problem.style == "function" else ""))
    except SyntaxError:
        message = f"{problem.task_id} has a prompt that ends in no function: no judge is asked"
        raise SourceError("no-plain-calls", message) from None


def _mutants(problem: Problem) -> Iterator[Wrong]:
    """Change one thing of the solution at a time."""
    tree = ast.parse(problem.prompt + problem.canonical_solution)
    start = problem.prompt.count("\n") + 1
    for node in ast.walk(tree):
        if getattr(node, "lineno", 0) < start:
            continue
        for kind, field, new in _changes(node):
            old = getattr(node, field)
            setattr(node, field, new)
            how = f"line {getattr(node, 'lineno', 0)}: {ast.unparse(node)[:60]}"
            yield Wrong(kind, how, ast.unparse(tree) + "\n")
            setattr(node, field, old)


def _changes(node: ast.AST) -> Iterator[tuple[str, str, Any]]:
    """Yield (kind, field, new content) of what may be changed in a node."""
    match node:
        case ast.Constant(bool(value)):
            yield "mutant", "value", not value
        case ast.Constant(int(value)):
            yield "off by one", "value", value + 1
            yield "off by one", "value", value - 1
        case ast.Compare(_, [op, *rest]) if type(op) in SWAPS:
            yield "mutant", "ops", [SWAPS[type(op)](), *rest]
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) | ast.UnaryOp(op=op) if (
            type(op) in SWAPS
        ):
            yield "mutant", "op", SWAPS[type(op)]()
        case ast.If(test=test) | ast.IfExp(test=test):
            yield "mutant", "test", ast.UnaryOp(ast.Not(), test)


def _read(case: TestCase) -> str:
    return str(values.decode(case.args[0]))


def _function(tree: ast.Module, problem: Problem) -> ast.FunctionDef:
    """Return the function that is asked for.

    Raises:
        SourceError: ``no-plain-calls``, there is none.
    """
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef) and node.name == problem.entry_point:
            return node
    message = f"{problem.task_id} has no function {problem.entry_point}: no judge is asked"
    raise SourceError("no-plain-calls", message)


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def _comes_first(node: ast.stmt) -> bool:
    """Say whether nothing may stand before this: a docstring or a `__future__` import."""
    match node:
        case ast.Expr(ast.Constant(str())) | ast.ImportFrom("__future__"):
            return True
    return False
