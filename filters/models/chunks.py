"""The parts of a model's answer that may be the code: what talk, fences and marks leave."""

import re
from collections.abc import Iterator

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
    """Return the fenced blocks in order; a fence that isn't closed holds all that follows."""
    found: list[str] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[2].startswith(opened[2]) and not fence[3].strip():
            found.append(_inside(text, opened, fence.start()))
            opened = None
    if opened is not None:
        found.append(_inside(text, opened, len(text)))
    return found


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
    before = text[: fence.start()]
    return before if blanks(before.lstrip("\n")) else blocks(text)[0]


def chunks(answer: str) -> Iterator[str]:
    """Yield what may be the code of an answer, the likeliest first, the whole answer before all.

    That is: the answer; its fenced part, whose strings may hold marks; what is left without
    thoughts and marks; its likeliest part; what lies between the outermost fences (a string may
    hold others); each fenced block; all of them together; what precedes them; and what follows
    the first lines, where they are talk.
    """
    yield answer
    yield from _between(_without_thoughts(answer))
    text = without_marks(answer)
    yield text
    yield likeliest(text)
    yield from _between(text)
    if fence := _FENCE.search(text):
        yield from blocks(text)
        yield "\n".join(blocks(text))
        yield text[: fence.start()]
    yield from _started(text)


def _between(text: str) -> Iterator[str]:
    """Yield the first fenced block, and what lies between the outermost fences."""
    fences = list(_FENCE.finditer(text))
    if fences and likeliest(text) in (fenced := blocks(text)):
        yield fenced[0]
        yield text[fences[0].end() + 1 : fences[-1].start()]


def _started(text: str) -> Iterator[str]:
    """Yield the text from each of the first lines on that may begin the code."""
    lines = text.split("\n")
    starts = [
        number
        for number, line in enumerate(lines)
        if number and line.strip() and (_CODE.match(line) or _new_part(lines, number))
    ]
    yield from ("\n".join(lines[start:]) for start in starts[:MOST_STARTS])


def _new_part(lines: list[str], number: int) -> bool:
    """Tell whether a line is indented, or follows an empty one, after one that isn't."""
    before = lines[number - 1]
    return not before.strip() or (not blanks(before) and bool(blanks(lines[number])))


def cuts(chunk: str) -> Iterator[str]:
    """Yield a chunk without its last lines, from each that isn't indented on, the longest first."""
    inside = held(chunk)
    lines = chunk.split("\n")
    ends = [
        number
        for number, line in enumerate(lines)
        if number and line.strip() and not blanks(line) and number not in inside
    ]
    yield from ("\n".join(lines[:end]) + "\n" for end in ends[: -MOST_CUTS - 1 : -1])
