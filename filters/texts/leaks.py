"""Whether a problem's statement tells its solution: its code, other code that does it, or steps."""

import ast
import builtins
import itertools
import keyword
import re
import textwrap
from collections.abc import Collection, Iterable, Sequence

from thresher.filters.filter import program
from thresher.filters.texts.statements import Function, asking, parsed
from thresher.store.records import Problem

SHORTEST = 12  # characters of a statement of code that is looked for
LEAST = 60  # characters of code that must be told for it to count, not all in one statement
ORDERED = 24  # characters, without names, of a whole body in order
WHOLE = 30  # characters of code that must be told where that is all there is
# Titles of what a reader should find out.
TITLE = re.compile(
    r"[\s*#_]*(?:(?:(?:the|a|my|our|one|sample|reference|example|possible|suggested|full|complete"
    r"|python|correct|model|proposed) ){0,3}(?P<title>solution|implementation)(?: code)?"
    r"|answer|code|source code"
    r"|here(?: is|'s) (?:the|a|my|one|our) (?:\w+ )?(?:solution|implementation|code)\b.{0,60}?)"
    r"(?: in python)?[*_]{0,2}:(?!:|\w+:)[\s*_`]{0,9}(?P<rest>.*)",
    re.IGNORECASE,
)
ENDED = re.compile(r"(?:.*[.!?:)])?\s*")  # of the line before a title
FENCE = re.compile(r"\s*(?:```|~~~)")
LINE = 500  # characters of a line in which a title is looked for
STEPS = 5  # words that tell how, below the title of a solution
TELLING = (
    *(ast.Return, ast.FunctionDef, ast.For, ast.While, ast.AugAssign, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
KNOWN = frozenset({*keyword.kwlist, *dir(builtins)})
IGNORED = str.maketrans({"(": None, ")": None, '"': "'"})  # what is free to choose


def share(problem: Problem, text: str) -> float:
    """Return the share of the solution's code that stands in a text, by characters.

    Statements are compared as they are parsed, so comments, blanks and quotes don't matter, and
    neither do the names of variables; of ``return VALUE`` the value is enough. Short ones are left
    out of account, but not where all stand there in order.
    """
    part = parsed(program(problem)) if problem.style == "stdio" else asking(problem)
    if part is None:
        return 0.0
    pieces = _pieces(part)
    whole = _unnamed(_body(part))
    if len(_dense(whole)) >= ORDERED and _dense(whole) in _dense(_unnamed(text)):
        return 1.0
    return max(_told_of(pieces, text), _told_of(map(_unnamed, pieces), _unnamed(text)))


def _told_of(pieces: Iterable[str], text: str) -> float:
    said = _dense(text)
    long = [piece for piece in map(_dense, pieces) if len(piece) >= SHORTEST]
    told = [len(piece) for piece in long if piece in said]
    whole = bool(told) and len(told) == len(long) and sum(told) >= WHOLE
    enough = len(told) > 1 and sum(told) >= LEAST
    return sum(told) / sum(map(len, long)) if enough or whole else 0.0


def _unnamed(text: str) -> str:
    return WORD.sub(lambda word: word[0] if word[0] in KNOWN else "_", text)


def titled(text: str, but: Collection[str] = ()) -> str | None:
    """Return the title under which a text tells a solution, as code or in steps; None without one.

    Args:
        text: without its indent.
        but: words that name something else, such as parameters.
    """
    lines = text.splitlines()
    for number, line in enumerate(lines):
        found = TITLE.fullmatch(line[:LINE])
        if found and number and ENDED.fullmatch(lines[number - 1][-LINE:]):
            below, title = _block(lines[number + 1 :]), (found["title"] or "").casefold()
            steps = title and title not in but and not line[0].isspace()
            told = len(f"{found['rest']} {below}".split()) >= STEPS
            if (steps and told) or _is_code(found["rest"]) or _is_code(below):
                return line.strip()
    return None


def defines(text: str, name: str) -> bool:
    """Say whether a text has a function of that name with a body that returns something."""
    head = re.compile(rf"(\s*)(?:async )?def {re.escape(name)}\s*\(")
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if found := head.match(line):
            body = _block(lines[number + 1 :], len(found[1]) + 1)
            if re.search(r"^\s*(?:return|yield)[ (]+[^.\s]", body, re.MULTILINE):
                return True
    return False


def _block(lines: Sequence[str], least: int = 0) -> str:
    """Return the first lines that are indented as much as the first of them, without a fence."""
    rest = itertools.dropwhile(lambda line: not line.strip() or FENCE.match(line), lines)
    first = next(rest, "")
    depth = max(least, len(first) - len(first.lstrip()))
    if len(first) - len(first.lstrip()) < depth:
        return ""
    inside = itertools.takewhile(
        lambda line: not FENCE.match(line) and (not line.strip() or not line[:depth].strip()), rest
    )
    return textwrap.dedent("\n".join([first, *inside]))


def _is_code(text: str) -> bool:
    tree = parsed(text.strip().strip("`")) if text.strip() else None
    return tree is not None and any(isinstance(node, TELLING) for node in ast.walk(tree))


def _pieces(part: Function | ast.Module) -> list[str]:
    statements = [node for node in ast.walk(part) if isinstance(node, ast.stmt)]
    return [_told(node) for node in statements if node is not part and not _is_text(node)]


def _body(part: Function | ast.Module) -> str:
    """Return more than one statement in order, or nothing."""
    body = [node for node in part.body if not _is_text(node)]
    try:
        return "\n".join(map(ast.unparse, body)) if len(body) > 1 else ""
    except (RecursionError, ValueError):
        return ""


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _told(node: ast.stmt) -> str:
    """Return a statement's own source, without the statements in it."""
    try:
        if isinstance(node, ast.Return):
            return ast.unparse(node.value) if node.value else ""
        if isinstance(node, Function | ast.ClassDef | ast.Try | ast.With | ast.Raise):
            return ""  # an exception's message must be told
        if isinstance(node, ast.If | ast.While):
            return ast.unparse(node.test)
        if isinstance(node, ast.For | ast.AsyncFor):
            return f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        return ast.unparse(node)
    except (RecursionError, ValueError):
        return ""


def _dense(text: str) -> str:
    return "".join(text.split()).translate(IGNORED)
