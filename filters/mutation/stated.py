"""What a problem's text and reference say of its inputs: bounds of numbers, and emptiness.

Read generously where it forbids, sparingly where it allows: what is in doubt isn't offered.
"""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from thresher.filters.texts.statements import asking, docstring, parsed
from thresher.store.records import Problem

_NUMBER = r"(-?\d[\d,_]*(?:\.\d+)?(?:\s*(?:\^|\*\*)\s*\d+)?)"
_WORD = r"([A-Za-z_]\w*|len\(\w+\)|\|\w+\|)(?:\[\w+\])*"
_CHAIN = re.compile(rf"{_NUMBER}\s*(<=|<|≤)\s*{_WORD}")
_ABOVE = re.compile(rf"{_WORD}\s*(>=|>|≥)\s*{_NUMBER}")
_MOST = (
    re.compile(rf"(<=|<|≤)\s*{_NUMBER}"),
    re.compile(rf"(at most|up to|no more than|not exceed(?:ing)?|maximum of|max|less th[ae]n|below)"
               rf"\s+{_NUMBER}", re.I),
    re.compile(rf"(between|from|range)\W+{_NUMBER}\W+(?:and\W+|to\W+|through\W+)?{_NUMBER}", re.I),
    re.compile(rf"(\.\.|-|–)\s*{_NUMBER}"),
)  # fmt: skip
_POSITIVE = re.compile(r"positive|natural|greater than (?:0|zero)|> ?0\b|>= ?1\b", re.I)
_NOT_NEGATIVE = re.compile(r"(?:non|not)[ -]?negative|>= ?0\b|unsigned", re.I)
_FILLED = re.compile(
    r"(?:non|not|n't|never|isn't)[ -]?(?:be )?(?:an )?empty|at least (?:one|1|two|2|three|3)"
    r"|[1-9]\d* ?(?:<=?|≤) ?(?:len|n\b|\|)|(?:len\(\w+\)|length)[^.\n]{0,12}?(?:>|≥|>=) ?\d"
    r"|0 ?< ?(?:len|n\b)", re.I,
)  # fmt: skip
_EMPTY = re.compile(r"empty|zero.length|length (?:of )?(?:0|zero)", re.I)
_EMPTY_ANSWER = re.compile(
    r"\b(?:returns?|returning|result is|gives?|output|or|be) (?:an? |the |just )?empty \w+", re.I
)


class Stated(NamedTuple):
    """What may be said of a parameter.

    Attributes:
        least: numbers that a text names as least; the nearest below what was recorded counts.
        exact_least: whether that holds where negative numbers were recorded, too.
        most: numbers that it names as greatest.
        may_be_empty: whether a container or a text may have nothing in it, recorded or not.
        texts: those that the reference compares the parameter with.
        is_named: whether the text speaks of the parameter.
    """

    least: tuple[float, ...] = ()
    exact_least: bool = False
    most: tuple[float, ...] = ()
    may_be_empty: bool = False
    texts: tuple[str, ...] = ()
    is_named: bool = False

    def inner(self) -> "Stated":
        """Return what holds of the values within the parameter's."""
        return self._replace(may_be_empty=False, texts=())


def text_of(problem: Problem) -> str:
    """Return the words that a problem asks with, "" where they can't be read."""
    part = asking(problem)
    return docstring(part) if part is not None else ""


def stated(problem: Problem, name: str) -> Stated:
    """Return what the text and the reference say of the parameter of a name."""
    text = _prose(text_of(problem))
    named = _named_least(text, name)
    least, handled = list(named), list(_handled(problem, name))
    if _POSITIVE.search(text):
        least.append(1)
    elif _NOT_NEGATIVE.search(text) or 0 in handled:
        least.append(0)
    else:
        least += {bound for bound in handled if type(bound) is int and bound >= 0}
    filled = bool(_FILLED.search(text))
    empty = bool(_EMPTY.search(_EMPTY_ANSWER.sub("", text))) or _asks_whether_empty(problem, name)
    texts = tuple(dict.fromkeys(each for each in handled if isinstance(each, str)))
    is_named = re.search(rf"\b{re.escape(name)}\b", text) is not None
    most, may_be_empty = tuple(_most(text)), empty and not filled
    return Stated(tuple(least), bool(named), most, may_be_empty, texts, is_named)


def _prose(text: str) -> str:
    """Return a text without its examples."""
    lines = text.split("\n")
    kept = [line for line in lines if not re.match(r"\s*(>>>|\.\.\.)|.*(=>|->|➞|==)", line)]
    return "\n".join(kept)


def _named_least(text: str, name: str) -> Iterator[float]:
    found = [(m[3], m[2], m[1]) for m in _CHAIN.finditer(text)]
    found += [(m[1], m[2], m[3]) for m in _ABOVE.finditer(text)]
    for word, sign, number in found:
        if word == name and (value := _value(number)) is not None:
            yield value + (sign in "<>")


def _most(text: str) -> Iterator[float]:
    for pattern in _MOST:
        for match in pattern.finditer(text):
            value = _value(match[match.lastindex or 0])
            if value is not None:
                strict = match[1].lower() in ("<", "less than", "less then", "below")
                yield value - strict


def _value(text: str) -> float | None:
    base, _, power = re.sub(r"[,_\s]", "", text).replace("**", "^").partition("^")
    try:
        number = float(base) ** min(int(power or 1), 50)
        return int(number) if number == int(number) else number
    except (ValueError, OverflowError):
        return None


def _handled(problem: Problem, name: str) -> Iterator[int | str]:
    """Yield the numbers and texts that the reference compares a parameter with."""
    for node in _nodes(problem):
        match node:
            case ast.Compare(ast.Name(found), [sign], [other]) if found == name:
                several = isinstance(sign, ast.In | ast.NotIn)
                choices = getattr(other, "elts", ()) if several else (other,)
                for each in choices:
                    value = each.value if isinstance(each, ast.Constant) else None
                    if isinstance(value, int | str) and not isinstance(value, bool):
                        yield value


def _asks_whether_empty(problem: Problem, name: str) -> bool:
    """Say whether the reference has a branch for a parameter with nothing in it."""
    for node in _nodes(problem):
        match node:
            case ast.UnaryOp(ast.Not(), ast.Name(found)) if found == name:
                return True
            case ast.If(test=ast.Name(found)) | ast.IfExp(test=ast.Name(found)) if found == name:
                return True
            case ast.Compare(ast.Name(found), [ast.Eq() | ast.NotEq()], [bare]) if found == name:
                if ast.unparse(bare) in ("[]", "''", "{}", "()"):
                    return True
            case ast.Compare(
                ast.Call(ast.Name("len"), [ast.Name(found)]), [_], [ast.Constant(0 | 1)]
            ) if found == name:
                return True
    return False


def _nodes(problem: Problem) -> Iterator[ast.AST]:
    tree = parsed(problem.prompt + problem.canonical_solution)
    return ast.walk(tree) if tree is not None else iter(())


def constants(problem: Problem) -> list[object]:
    """Return the numbers and texts that stand in the reference, in order, each once."""
    start = problem.prompt.count("\n") + 1
    found = [
        node.value
        for node in _nodes(problem)
        if isinstance(node, ast.Constant) and node.lineno >= start
    ]
    return [each for each in dict.fromkeys(found) if type(each) in (int, str)]
