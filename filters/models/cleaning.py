"""From a model's answer to what goes on with the prompt: `prompt + clean(…)` is the program.

Models wrap code in fences and talk, think aloud, write the function or the whole file again,
lose or change the indentation, and go on with tests. What is a program as it stands is left alone
but for what follows the function; anything else is taken apart, and the first part that makes a
program of the prompt is taken. Everything here reads text; nothing of an answer is ever run.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from thresher.filters.models import Completion
from thresher.filters.models.asked import (
    UNREADABLE,
    Asked,
    Function,
    bound,
    defined,
    needed,
    parsed,
    said,
    same_call,
)
from thresher.filters.models.chunks import Part, chunks, cuts, likeliest, without_marks
from thresher.filters.models.indentation import blanks, margin, rebased, shifted

VERSION = 3
_ENDS = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
LONGEST = 50_000  # characters; longer answers are left alone
MOST_TRIES = 400
MOST_CHARACTERS = 4_000_000  # parsed of one answer


def clean(prompt: str, entry_point: str, answer: str) -> str:
    """Return the part of an answer that goes on with the prompt.

    Args:
        prompt: the beginning of a program, up to the docstring of the function that is asked for.
        entry_point: the name of that function.
        answer: what a model said: a body, or any of the shapes that models give.

    Returns:
        A text that makes a program of the prompt, where one is found; the answer byte for byte
        where that is one with nothing needless after the function. Where no program is found,
        the first fenced block, or the answer without thoughts and end marks.
    """
    asked = Asked.read(prompt, entry_point)
    if len(answer) > LONGEST:  # of thoughts, most likely
        answer = without_marks(answer)
    if len(answer) > LONGEST or asked is None:
        return answer
    own = re.compile(rf"\bdef[ \t]+{re.escape(entry_point)}\b")
    whole, *others = dict.fromkeys(chunks(answer))
    parts = [whole, *sorted(others, key=lambda part: not own.search(part.text))]
    shorter = chain.from_iterable(map(cuts, parts))
    tries = chain.from_iterable(_forms(asked, part) for part in chain(parts, shorter))
    for text in islice(tries, _most(answer)):
        try:
            found = _program(asked, text)
        except UNREADABLE:  # nested too deep
            continue
        if found is not None:
            return found
    return likeliest(without_marks(answer))


def cleaned(prompt: str, entry_point: str, completion: Completion) -> Completion:
    """Return a completion with the part of it that goes on with the prompt, and what was said.

    Where stop sequences left nothing, as of a whole file, the part is found in all that was said.

    Args:
        prompt: as for `clean`.
        entry_point: likewise.
        completion: as a model gives it.
    """
    said = completion.text if completion.raw is None else completion.raw
    text = clean(prompt, entry_point, completion.text)
    if not text.strip():
        text = clean(prompt, entry_point, said)
    return completion._replace(text=text, raw=said if said != text else None)


def _most(answer: str) -> int:
    """Return how many forms of an answer are tried: fewer of long ones, which take longer."""
    return min(MOST_TRIES, MOST_CHARACTERS // (len(answer) + 1))


def _forms(asked: Asked, part: Part) -> Iterator[str]:
    """Yield what a part of an answer may be meant as."""
    text = part.text
    yield from _again(asked, shifted(text, margin(text), ""))
    if not part.body:
        return
    yield text
    if not asked.prompt.endswith("\n"):
        yield "\n" + text
    yield from map(asked.joined, rebased(text, asked.indent))


def _program(asked: Asked, text: str) -> str | None:
    """Return a text, tidied, if it makes a program of the prompt in which the function is written.

    The prompt's own function must be; or another of its name after it, where it has a docstring.
    """
    source = asked.prompt + text
    tree = parsed(source)
    if tree is None:
        return None
    length = len(_lines(asked.prompt))
    own = ast.Module([each for each in tree.body if each.lineno <= length], [])
    function = defined(own, asked.node.name)
    if function is not None and asked.answered(function):
        return _without_noise(asked, source, tree, function)
    last = defined(tree, asked.node.name)
    return text if last is not None and asked.answered(last) else None


def _without_noise(asked: Asked, source: str, tree: ast.Module, function: Function) -> str:
    """Take the docstring, said again, off the body, and what isn't needed from behind it."""
    later = [each for each in tree.body if each.lineno > (function.end_lineno or 0)]
    kept = needed(source, function, later)
    lines = _lines(source)
    body = lines[: function.end_lineno]
    again = function.body[len(asked.given)]
    if asked.prompt.endswith("\n") and said(again) in set(map(said, asked.given)) - {None}:
        del body[again.lineno - 1 : again.end_lineno]
    elif len(kept) == len(later):
        return source[len(asked.prompt) :]
    parts = ["".join(body)[len(asked.prompt) :], *_segments(source, kept)]
    return "\n\n".join(parts)


def _lines(source: str) -> list[str]:
    """Return the lines as Python counts them, each with its end."""
    return [line for line in _ENDS.split(source) if line]


def _segments(source: str, statements: Iterable[ast.stmt]) -> list[str]:
    """Return the lines of statements at the top of a program."""
    lines = _lines(source)
    spans = {(_first_line(each), each.end_lineno) for each in statements}
    return ["".join(lines[start - 1 : end]) for start, end in sorted(spans)]


def _first_line(statement: ast.stmt) -> int:
    return min([statement.lineno, *(each.lineno for each in _decorators(statement))])


def _again(asked: Asked, part: str) -> Iterator[str]:
    """Yield the body of a part that has the function, or the whole file, again."""
    tree = parsed(part)
    function = defined(tree, asked.node.name) if tree else None
    try:
        if tree is None or function is None or not asked.answered(function):
            return
        rest = [each for each in tree.body if each is not function]
        others = [each for each in rest if not bound(each) <= asked.known]
        kept = needed(part, function, others)
    except UNREADABLE:
        return
    if same_call(function, asked.node) and len(function.decorator_list) <= len(
        asked.node.decorator_list
    ):
        body = asked.joined(_body(part, function, asked))
        yield "\n\n".join([body, *_segments(part, kept)])
    opening = "" if asked.given else asked.joined(f'{asked.indent}"""See below."""\n')
    yield "\n\n".join([opening, *_segments(part, [*kept, function])])


def _body(source: str, function: Function, asked: Asked) -> str:
    """Return the lines of a function's body without what the prompt gives, indented as it is."""
    lines = _lines(source)
    body = asked.written(function)
    first = body[0]
    skipped = function.body[: -len(body)]
    start = _first_line(first) - 1
    own = blanks(lines[start])
    if len(own) != first.col_offset and not _decorators(first):  # on the line of the signature
        rest = lines[start].encode()[first.col_offset :].decode()
        return asked.indent + rest + "".join(lines[start + 1 : function.end_lineno])
    floor = (skipped[-1].end_lineno or 0) if skipped else function.lineno
    while start > floor and (not lines[start - 1].strip() or lines[start - 1].lstrip()[0] == "#"):
        start -= 1
    return shifted("".join(lines[start : function.end_lineno]), own, asked.indent)


def _decorators(statement: ast.stmt) -> list[ast.expr]:
    return getattr(statement, "decorator_list", [])
