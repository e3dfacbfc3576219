"""A problem of style `stdio` as a function: ``def solve(stdin: str) -> str``.

The body is the program itself, as a function in that function, with `sys.stdin` and `sys.stdout`
in place of the process's own. Its names become those of a function, so that programs which need
them to be a module's (``globals()``), real descriptors (``os.read(0, …)``) or the end of their
process have no such form.
"""

import ast
import symtable
import textwrap
import tokenize
import warnings
from collections.abc import Iterator
from typing import TypeGuard

import msgspec

from thresher.store import movable
from thresher.store.records import Problem
from thresher.store.rewriting import Edit, edit, edited, indented, without_guard

ENTRY_POINT = "solve"
EXPLAINED = "The whole input is given as `stdin`; return what is to be printed."
PAD = " " * 4
PROGRAM = "program"  # the function in the function
GUARD = ast.dump(ast.parse("__name__ == '__main__'", mode="eval").body)
STDIN = {"r": "sys.stdin", "rb": "sys.stdin.buffer"}  # by the mode that descriptor 0 is opened in
TEXT = """\
import io
import sys

{program}
standard = sys.stdin, sys.stdout
sys.stdin, sys.stdout = io.StringIO(stdin), io.StringIO()
try:
{run}
    return sys.stdout.getvalue()
finally:
    sys.stdin, sys.stdout = standard
"""
BYTES = """\
import io
import sys

{program}
standard = sys.stdin, sys.stdout
sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
try:
{run}
    sys.stdout.flush()
    return sys.stdout.buffer.getvalue().decode()
finally:
    sys.stdin, sys.stdout = standard
"""
RUN = "program()"
RUN_TO_EXIT = """\
try:
    program()
except SystemExit as end:
    if end.code:
        raise"""


def asked(problem: Problem) -> Problem:
    """Return a `stdio` problem as the function that a model is asked to write, not yet written."""
    statement = ast.get_docstring(ast.parse(problem.prompt)) or ""
    text = textwrap.indent(docstring(f"{statement}\n\n{EXPLAINED}".lstrip()), PAD)
    return msgspec.structs.replace(
        problem,
        prompt=f"def {ENTRY_POINT}(stdin: str) -> str:\n{text}",
        canonical_solution="",
        style="function",
    )


def function_form(problem: Problem) -> Problem | None:
    """Return a `stdio` problem as a function with the solution as its body.

    Returns:
        The problem in style `function`, or None where no solution is known or the program has no
        such form. What is returned should be judged before it is relied on: the form is that of
        programs which read their input through `sys.stdin`, and print through `sys.stdout`.
    """
    source = problem.canonical_solution
    if not source.strip():
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the program's own
            before = symtable.symtable(source, PROGRAM, "exec")
            form = msgspec.structs.replace(asked(problem), canonical_solution=_body(source))
            whole = form.prompt + form.canonical_solution
            compile(whole, PROGRAM, "exec")
            (function,) = symtable.symtable(whole, PROGRAM, "exec").get_children()
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError, MemoryError):
        return None
    return form if movable.means_the_same(before, function.get_children()[0]) else None


def docstring(text: str) -> str:
    """Return a string literal, on lines of its own, that has a text and a line break as value."""
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    shown = "".join(c if c in "\n\t" or not _is_control(c) else ascii(c)[1:-1] for c in text)
    return f'"""{shown}\n"""\n'


def _is_control(character: str) -> bool:
    return character < " " or "\x7f" <= character < "\xa0" or "\ud800" <= character < "\ue000"


def _body(source: str) -> str:
    """Return the body of ``solve`` that does what a program does.

    Raises:
        ValueError: the program has no such form, or it is no Python (also SyntaxError, TokenError).
    """
    while guards := [node for node in ast.parse(source).body if _is_guard(node)]:
        source = without_guard(source, guards[0])
    tree = ast.parse(source)
    movable.check(tree, symtable.symtable(source, PROGRAM, "exec"))
    program = edited(source, _edits(tree, in_function=False)).strip("\n")
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    attributes = {
        node.attr for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Attribute)
    }
    run = RUN_TO_EXIT if (names | attributes) & {"exit", "quit", "SystemExit"} else RUN
    body = (BYTES if attributes & {"buffer", "reconfigure"} else TEXT).format(
        program=f"def {PROGRAM}():\n{indented(program, PAD)}\n", run=textwrap.indent(run, PAD)
    )
    return indented(body, PAD)


def _is_guard(node: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and not node.orelse and ast.dump(node.test) == GUARD


def _edits(node: ast.AST, in_function: bool) -> Iterator[Edit]:
    """Yield what must change where a module becomes a function, and descriptor 0 is opened."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Global):
            yield edit(child, f"nonlocal {', '.join(child.names)}" if in_function else "pass")
        elif isinstance(child, ast.ImportFrom) and child.module == "__future__":
            yield edit(child, "pass")
        elif isinstance(child, ast.Call) and _is_open(child.func):
            yield from _opened(child)
        elif _is_open(child):
            raise ValueError("it uses open without calling it")
        else:
            scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
            yield from _edits(child, in_function or isinstance(child, scope))


def _is_open(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "open"


def _opened(call: ast.Call) -> Iterator[Edit]:
    """Yield the edit of a call of `open` for descriptor 0; files are left alone.

    Raises:
        ValueError: it may be another descriptor.
    """
    values = [value.value for value in call.args if isinstance(value, ast.Constant)]
    if values and isinstance(values[0], str):
        return
    mode = str(values[1]) if len(values) > 1 else "r"
    if not values or values[0] != 0 or len(call.args) != len(values) or call.keywords:
        raise ValueError("it opens a descriptor")
    if len(values) > 2 or mode not in STDIN:
        raise ValueError("it opens a descriptor in some other way")
    yield edit(call, STDIN[mode])
