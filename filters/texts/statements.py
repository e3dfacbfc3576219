"""What a problem asks, and the code without it, read from the program without running it."""

import ast
import contextlib
import inspect
import io
import re
import tokenize
import warnings

from thresher.filters.filter import program
from thresher.store.records import Problem
from thresher.store.rewriting import edit, edited

Function = ast.FunctionDef | ast.AsyncFunctionDef
STATED = re.compile(r"__(licen[sc]e|copyright)__")
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of any text, or None where it has none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the program's own
            return ast.parse(source)
    except UNREADABLE:
        return None


def asking(problem: Problem) -> Function | ast.Module | None:
    """Return the part of a problem's program whose docstring says what is asked.

    That is the module of a `stdio` problem and otherwise the last top-level function that has the
    entry point's name; None where there is none or the program can't be parsed.
    """
    if problem.style == "stdio":
        return parsed(problem.prompt)
    tree = parsed(program(problem))
    functions = [each for each in tree.body if isinstance(each, Function)] if tree else []
    named = [each for each in functions if each.name == problem.entry_point]
    return named[-1] if named else None


def docstring(part: Function | ast.Module) -> str:
    """Return a function's or module's docstring without its indent, "" where it has none.

    Imports may come before it, as in some of HumanEval's prompts.
    """
    body = (each for each in part.body if not isinstance(each, ast.Import | ast.ImportFrom))
    match next(body, None):
        case ast.Expr(ast.Constant(str(text))):
            return inspect.cleandoc(text)
    return ""


def code(source: str) -> str:
    """Return a program without its docstrings; as it is where it can't be parsed."""
    plain = source.replace("\r\n", "\n").replace("\r", "\n")
    tree = parsed(plain)
    if tree is None:
        return source
    parts = [n for n in ast.walk(tree) if isinstance(n, Function | ast.ClassDef | ast.Module)]
    return edited(plain, [edit(n.body[0], "") for n in parts if ast.get_docstring(n, clean=False)])


def comments(source: str) -> list[tokenize.TokenInfo]:
    """Return the comments of any text, as far as it can be read, and no strings like them."""
    found: list[tokenize.TokenInfo] = []
    with contextlib.suppress(tokenize.TokenError, SyntaxError, ValueError):
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        found.extend(token for token in tokens if token.type == tokenize.COMMENT)
    return found


def notes(source: str) -> str:
    """Return what a program says of itself: comments, docstrings, ``__license__`` and the like."""
    said = [comment.string.strip("#! \t") for comment in comments(source)]
    tree = parsed(source)
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant(str(text))) if STATED.fullmatch(name):
                said.append(f"{name.strip('_')}: {text}")
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Module():
                said.append(ast.get_docstring(node) or "")
    return "\n".join(said)
