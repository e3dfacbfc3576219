"""The parts of a model's answer that may be the code: what talk, fences and marks leave."""

import keyword
import re
from collections.abc import Iterator
from typing import NamedTuple

from thresher.filters.models.indentation import blanks, held

MOST_STARTS = 12
MOST_CUTS = 30
_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_THOUGHT_END = re.compile(
    r"\A.*(?:</(?:think|thinking|thought|reasoning)>|<\|channel\|>final\b[^<\n]*<\|message\|>)",
    re.DOTALL,
)
# such as <|endoftext|>, <|im_end|>, </s>, <end_of_turn>, <fim_middle>, DeepSeek's wide bars
_MARK = re.compile(
    r"<\|[^\W\d][\w/.-]{1,39}\|>|<｜[^｜\n<>]{2,40}｜>|</?s>|<(?:eos|EOT|end_of_turn|fim_\w{2,9})>"
    r"|\[/?(?:INST|DONE)\]"
)
_LEADING = re.compile(rf"(?:\s*(?:{_MARK.pattern}))+")
_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})([^`\n]*)$", re.MULTILINE)
_CODE = re.compile(r"(?:def|async def|class|import|from|@\w)\b")
_PYTHON = re.compile(r"\s*\{?\.?py", re.IGNORECASE)
# A line of words: "Sure!", "Here is the code:", "**Solution**", "1. We add them"
_TALK = re.compile(
    rf"(?![\"'#@(\[{{])[\W\d]*(?!(?:{'|'.join(keyword.kwlist)})\b)[^\W\d_]+(?:['’-]\w+)*"
    r"[.,;:!?*)]*(?:[ \t]+[`*\"']*[^\W\d_]|[\s.,;:!?*)`]*$)"
)


class Part(NamedTuple):
    """A part of an answer; `body` says whether it may be the function's body, without its name."""

    text: str
    body: bool = True


def without_marks(answer: str) -> str:
    """Return an answer without the thoughts it begins with, up to the first mark of its end."""
    text = _without_thoughts(answer)
    mark = _MARK.search(text)
    return text[: mark.start()] if mark else text


def _without_thoughts(answer: str) -> str:
    thought = _THOUGHT.match(answer) or _THOUGHT_END.match(answer)
    text = answer[thought.end() :] if thought else answer
    leading = _LEADING.match(text)
    text = text[leading.end() :] if leading else text
    return text.lstrip("\n") if thought or leading else text


def blocks(text: str) -> list[str]:
    """Return the fenced blocks in order, only those said to be Python where there are such.

    A fence that isn't closed holds all that follows.
    """
    found: list[tuple[bool, str]] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[2].startswith(opened[2]) and not fence[3].strip():
            found.append((bool(_PYTHON.match(opened[3])), _inside(text, opened, fence.start())))
            opened = None
    if opened is not None:
        found.append((bool(_PYTHON.match(opened[3])), _inside(text, opened, len(text))))
    named = any(python for python, _ in found)
    return [block for python, block in found if python or not named]


def _inside(text: str, opened: re.Match[str], end: int) -> str:
    lines = text[opened.end() + 1 : end].split("\n")
    return "\n".join(line.removeprefix(opened[1]) for line in lines)


def likeliest(text: str) -> str:
    """Return what is most likely the code of a text without marks: all of it, or a fenced block.

    Where the text begins with lines that are indented, they go on with the prompt, and the first
    fence only ends them.
    """
    fence = _FENCE.search(text)
    if fence is None:
        return text
    return text[: fence.start()] if goes_on(text) else blocks(text)[0]


def chunks(answer: str) -> Iterator[Part]:
    """Yield what may be the code of an answer, the likeliest first, the whole answer before all.

    That is: the answer; its fenced part, whose strings may hold marks; what is left without
    thoughts and marks; its likeliest part; what lies between the outermost fences (a string may
    hold others); what precedes them; each further block, and all of them together, if they have
    the function itself; and what follows the first lines, where they are talk. Code is never left
    out for what follows it: what can't be read with it stays unreadable.
    """
    yield Part(answer)
    yield from _between(_without_thoughts(answer))
    text = without_marks(answer)
    yield Part(text)
    yield Part(likeliest(text))
    if goes_on(text):
        return
    yield from _between(text)
    if fence := _FENCE.search(text):
        yield Part(text[: fence.start()])
        yield from (Part(block, body=False) for block in blocks(text)[1:])
        yield Part("\n".join(blocks(text)), body=False)
    yield from _started(text)


def goes_on(text: str) -> bool:
    """Tell whether a text begins with lines that are indented, as those of a body are."""
    return bool(blanks(text.lstrip("\n").partition("\n")[0]))


def _between(text: str) -> Iterator[Part]:
    """Yield the first fenced block, and what lies between the outermost fences."""
    fences = list(_FENCE.finditer(text))
    if fences and not goes_on(text):
        yield Part(blocks(text)[0])
        yield Part(text[fences[0].end() + 1 : fences[-1].start()])


def _started(text: str) -> Iterator[Part]:
    """Yield the text from each of the first lines on that may begin the code, after talk."""
    lines = text.lstrip("\n").split("\n")
    starts = [
        number
        for number, line in enumerate(lines)
        if number and line.strip() and (_CODE.match(line) or _new_part(lines, number))
    ]
    if _TALK.match(lines[0]):
        yield from (Part("\n".join(lines[start:])) for start in starts[:MOST_STARTS])


def _new_part(lines: list[str], number: int) -> bool:
    """Tell whether a line is indented, or follows an empty one, after one that isn't."""
    before = lines[number - 1]
    return not before.strip() or (not blanks(before) and bool(blanks(lines[number])))


def cuts(part: Part) -> Iterator[Part]:
    """Yield a part without its last lines, from each that isn't indented on, the longest first.

    Such a line ends a function. Of a body that isn't indented itself, only talk is left out.
    """
    inside = held(part.text)
    lines = part.text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    only_talk = not blanks(first) and not _CODE.match(first)
    ends = [
        number
        for number, line in enumerate(lines)
        if number and line.strip() and not blanks(line) and number not in inside
        if not only_talk or _TALK.match(line)
    ]
    for end in ends[: -MOST_CUTS - 1 : -1]:
        yield part._replace(text="\n".join(lines[:end]) + "\n")
