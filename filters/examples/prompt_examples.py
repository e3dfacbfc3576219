"""The examples in a prompt: doctests, arrows, sentences, and inputs with their outputs."""

import ast
import doctest
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thresher.filters.contracts.annotations import BAD_SOURCE
from thresher.filters.examples.said_values import LONGEST, Said, closed, extent, literal, said

MOST = 100  # examples of one prompt
MOST_NAMES = 20  # of what is given
LONGEST_TEXT = 100_000  # characters
_SIGN = r"(?:={1,2}>|-{1,2}>|➞|→|⇒|⟶|↦|➔|⟹|={2,3}|=)"
_VERB = (
    r"(?:(?:should|must|will|would|shall|can)\s+)?(?:also\s+)?"
    r"(?:returns?|gives?|yields?|outputs?|produces?|equals?|evaluates to|results in|raises?(?= ))"
    r"|(?:should|must|will|would)\s+be|is(?! not\b)"
)
_SAYS = re.compile(
    rf"[ \t]*`{{0,2}}[ \t]*(?:\n[ \t]*)?(?:\#[ \t]*)?"
    rf"(?:{_SIGN}|(?:{_VERB})\b(?: the value)?:?)[ \t]*(?:\n[ \t]*)?"
)
_HEADING = re.compile(r"^\W*(?:for )?e(?:xamples?|\.g\.)\b[^\n(]{0,40}$|^\s*$", re.I | re.M)
_LABEL = re.compile(
    r"^[ \t]*(?:sample |example )?(input|output|raises|explanation|note|constraint|example)s?"
    r"(?:[ \t]*#?\d{1,3})?[ \t]*:[ \t]*",
    re.I | re.M,
)
_GIVEN = re.compile(
    r"(?:^[ \t]*|\b(?:for|if|when|given|with|where)\s+(?:the )?(?:input )?)"
    r"(?=([A-Za-z_]\w*)\s*=\s*(?!=))",
    re.I | re.M,
)
_RESULTS = [
    re.compile(
        r"(?:the |your )?(?:expected )?(?:output|result|answer|function|return value)\s+"
        r"(?:(?:should|must|will|would|is to)\s+)?(?:be|is|return|returns|equals?|give|output)\b"
        r"[ \t]*:?[ \t]*",
        re.I,
    ),
    re.compile(
        r"(?:^\s*(?:it )?returns?\b(?:\s*=)?"
        r"|\s(?:should|must|will|would)\s+(?:return|give|output|be)\b"
        rf"|[ \t]*{_SIGN})[ \t]*:?[ \t]*",
        re.I | re.M,
    ),
]
_AROUND = re.compile(r"(?<![\w.])(?:list|sorted|tuple|set|round|len|str|next)\($")
_GAP = 160  # characters between what is given and the result


class Shown(NamedTuple):
    """An example.

    Attributes:
        line: how the text has it, in a line.
        source: Python that calls the entry point; of a doctest all that stands behind a prompt.
        value: what it says is given; None where it says nothing that can be read.
        want: of a doctest: the text that it says is printed, or the exception.
        is_doctest: it may use what the doctests before it made.
        counts: it calls the entry point.
    """

    line: str
    source: str
    value: Said | None = None
    want: str = ""
    is_doctest: bool = False
    counts: bool = True


class _Told(NamedTuple):
    """A call in a text: its source, what stands behind it before the answer, and the line."""

    call: str
    sign: str
    answer: str
    line: str


_OUTDENTED = re.compile(r"^( +)>>> .*\n(?!\1)( *[^\s>].{0,200})$", re.M)


class Broken(NamedTuple):
    """Why the doctests of a text can't be read."""

    why: str


def examples(text: str, name: str, parameters: Sequence[str]) -> list[Shown] | Broken:
    """Return the examples in a docstring.

    Args:
        text: the docstring.
        name: of the entry point.
        parameters: the names of those that take arguments by position.
    """
    text = text[:LONGEST_TEXT]
    tested = _doctests(text, name)
    if isinstance(tested, Broken):
        return tested
    prose = _without_doctests(text)
    found = [*_calls(prose, name, parameters), *_labelled(prose, name, parameters)]
    found += _in_words(prose, name, parameters)
    distinct = {(each.source, each.line): each for each in found}
    return [*tested, *distinct.values()][:MOST]


def _doctests(text: str, name: str) -> list[Shown] | Broken:
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError as error:
        try:
            if any(map(_is_literal, _OUTDENTED.findall(text))):
                raise
            found = doctest.DocTestParser().get_examples(_apart(text))
        except ValueError:
            return Broken(" ".join(str(error).split()))
    made = []
    for each in found:
        if each.options.get(doctest.SKIP):
            continue
        try:
            tree = ast.parse(each.source)
        except BAD_SOURCE as error:
            if each.exc_msg is None:
                why = getattr(error, "msg", str(error))
                return Broken(f">>> {' '.join(each.source.split())} isn't Python: {why}")
            continue
        made.append(_doctest(each, tree, name))
    return made


def _is_literal(line: tuple[str, str]) -> bool:
    """Say whether what stands behind a doctest, indented less, is a value and no prose."""
    try:
        ast.literal_eval(line[1].strip())
    except BAD_SOURCE:
        return False
    return True


def _apart(text: str) -> str:
    """Put a blank line between a doctest and a line that is indented less."""
    lines: list[str] = []
    margin = 0
    for line in text.split("\n"):
        blank = len(line) - len(line.lstrip())
        if line.lstrip().startswith(">>>"):
            margin = blank
        elif line.strip() and blank < margin:
            lines.append("")
            margin = 0
        lines.append(line)
    return "\n".join(lines)


def _doctest(example: doctest.Example, tree: ast.Module, name: str) -> Shown:
    line = f">>> {' '.join(example.source.split())}"
    if example.want:
        line += f" gives {' '.join(example.want.split())}"
    value = None
    if example.exc_msg is not None:
        value = Said(None, example.exc_msg.strip(), example.exc_msg.partition(":")[0].strip())
    elif example.want.strip():
        value = literal(example.want)
    elif _compares(tree):
        value = Said(True, "True")
    return Shown(line, example.source, value, example.want, True, _mentions(tree, name))


def _compares(tree: ast.Module) -> bool:
    """Say whether an example is a comparison: without an answer it says that it is true."""
    match tree.body:
        case [ast.Expr(ast.Compare(_, [ast.Eq() | ast.Is()], [_]))]:
            return True
    return False


def _mentions(tree: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))


def _without_doctests(text: str) -> str:
    kept: list[str] = []
    inside = False
    for line in text.splitlines():
        inside = line.lstrip().startswith(">>>") or (inside and bool(line.strip()))
        kept.append("" if inside else line)
    return "\n".join(kept)


def _calls(text: str, name: str, parameters: Sequence[str]) -> Iterator[Shown]:
    """Yield calls with what the text says behind them: ``f(1) -> 2``, "f(1) should return 2"."""
    for section in _sections(text):
        found = list(_in_section(section, name))
        if any(_defines(each, name) for each in found):
            continue
        for call, _, answer, line in found:
            value = said(answer)
            is_name = bool(parameters) and call.endswith("()")  # of the function, as it is written
            if value is not None and _is_literal_call(call) and not is_name:
                yield Shown(" ".join(line.split()), call, value)


def _sections(text: str) -> Iterator[str]:
    """Split a text at its headings for examples and at blank lines."""
    yield from itertools.islice(filter(str.strip, _HEADING.split(text)), MOST)


def _in_section(text: str, name: str) -> Iterator[_Told]:
    """Yield the calls of a text behind which something is said of them."""
    calls = re.finditer(rf"(?<![\w.]){re.escape(name)}\s?(?=\()", text)
    for match in itertools.islice(calls, MOST):
        start, end = _widest(text, match.start(), match.end())
        says = _SAYS.match(text, end) if end else None
        if says is not None:
            answer = text[says.end() : says.end() + LONGEST]
            length = extent(answer) or len(answer.split("\n", 1)[0])
            line = text[start : says.end() + length]
            yield _Told(text[start:end], text[end : says.end()], answer, line)


def _widest(text: str, start: int, bracket: int) -> tuple[int, int]:
    """Return where a call begins and ends, with the calls around it: ``list(f(1))``."""
    end = bracket + closed(text[bracket : bracket + LONGEST])
    if end == bracket:
        return start, 0
    while around := _AROUND.search(text[max(0, start - 12) : start]):
        opening = start - 1
        length = closed(text[opening : opening + LONGEST])
        if not length:
            break
        start, end = start - len(around[0]), opening + length
    return start, end


def _defines(told: _Told, name: str) -> bool:
    """Say whether an equation defines a sequence: ``f(n) = f(n - 1) + 1``, and shows no call."""
    behind = told.answer.split("\n", 1)[0]
    is_recursive = bool(re.search(rf"(?<![\w.]){re.escape(name)}\s?\(", behind))
    is_equation = not re.search("[a-z]", told.sign)
    return is_equation and (is_recursive or not _is_literal_call(told.call))


def _is_literal_call(source: str) -> bool:
    """Say whether a call has no names in it but those of functions."""
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except BAD_SOURCE:
        return False
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    plain = (
        id(node) in called if isinstance(node, ast.Name) else node.value is not ...
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Constant)
    )
    return isinstance(tree, ast.Call) and all(plain)


def _labelled(text: str, name: str, parameters: Sequence[str]) -> Iterator[Shown]:
    """Yield what stands behind ``Input:`` and ``Output:``."""
    labels = list(_LABEL.finditer(text))
    ends = [*(label.start() for label in labels[1:]), len(text)]
    given: str | None = None
    for label, end in zip(labels, ends, strict=False):
        part = text[label.end() : end].strip()
        kind = label[1].lower()
        if kind in ("output", "raises") and given is not None:
            call = _call(given, name, parameters)
            value = None if re.match(r"\w+\s*=", part) else said(part)
            if kind == "raises" and value is None:
                value = Said(None, part, part.split("\n")[0].strip())
            if call is not None and value is not None:
                line = f"Input: {given} Output: {value.text}"
                yield Shown(" ".join(line.split()), call, value)
        given = part if kind == "input" else None


def _call(given: str, name: str, parameters: Sequence[str]) -> str | None:
    """Return the call that is meant by an input: named values, or values in order."""
    named = assigned(given)
    if named:
        if all(key in parameters for key in named):
            return f"{name}({', '.join(f'{key}={value}' for key, value in named.items())})"
        values = list(named.values())
        return f"{name}({', '.join(values)})" if len(values) == len(parameters) else None
    whole = literal(given)
    if whole is None:
        whole = literal("(" + ",".join(line for line in given.splitlines() if line.strip()) + ")")
    if whole is None or not parameters:
        return None
    if len(parameters) == 1:
        return f"{name}({given.strip()})" if literal(given) else None
    is_row = isinstance(whole.value, tuple) and len(whole.value) == len(parameters)
    return f"{name}(*{whole.value!r})" if is_row else None


def assigned(text: str) -> dict[str, str]:
    """Read ``a = 1, b = [2]`` or ``a : 1`` on lines; empty where there is anything else."""
    found: dict[str, str] = {}
    rest = text.strip()
    while rest and len(found) < MOST_NAMES:
        match = re.match(r"([A-Za-z_]\w*)\s*[=:]\s*(?!=)", rest)
        end = extent(rest[match.end() :]) if match else 0
        if match is None or not end:
            return {}
        value = literal(rest[match.end() : match.end() + end])
        if value is None:
            return {}
        found[match[1]] = repr(value.value)
        rest = re.sub(r"^\s*(?:,|;|and\b|\n)?\s*(?:and\b)?\s*", "", rest[match.end() + end :])
    return found


def _in_words(text: str, name: str, parameters: Sequence[str]) -> Iterator[Shown]:
    """Yield what is said of named values: "For a = 1, b = 2 the output should be 3"."""
    for match in itertools.islice(_GIVEN.finditer(text), MOST):
        given, end = _assignments(text, match.end())
        result = _result(text, end) if given else None
        if result is None or set(given) != set(parameters):
            continue
        value = said(text[result.end() : result.end() + LONGEST])
        if value is not None:
            arguments = ", ".join(f"{key}={value}" for key, value in given.items())
            line = text[match.start() : result.end()] + value.text
            yield Shown(" ".join(line.split()), f"{name}({arguments})", value)


def _result(text: str, at: int) -> re.Match[str] | None:
    """Return the words soon behind what is given that say what comes out, the plainest first."""
    for pattern in _RESULTS:
        found = pattern.search(text, at, at + _GAP)
        if found and _is_near(text[at : found.start()]):
            return found
    return None


def _is_near(between: str) -> bool:
    """Say whether nothing comes between that would make the result another's."""
    return not re.search(r"\n\s*\n|\w\s*=(?!=|>)|:\s*$", between)


def _assignments(text: str, at: int) -> tuple[dict[str, str], int]:
    """Read assignments in a text: names with values, and where they end."""
    found: dict[str, str] = {}
    end = at
    pattern = re.compile(r"[\s,]*(?:and\s+)?([A-Za-z_]\w*)\s*=\s*(?!=)")
    while len(found) < MOST_NAMES and (match := pattern.match(text, at)):
        length = extent(text[match.end() : match.end() + LONGEST])
        value = literal(text[match.end() : match.end() + length]) if length else None
        if value is None:
            return {}, end
        found[match[1]] = repr(value.value)
        at = end = match.end() + length
    return found, end
