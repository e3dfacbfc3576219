"""Examples as pages print them: the text of a sample, and which input belongs to which output."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from thresher.crawlers.statement import Sample
from thresher.errors import SourceError

_SKIPPED = re.compile(
    r"explan|\bnotes?\b|\bscore|subtask|comment|解説|説明|поясн|примечан|설명|解释"
)
_INPUT = re.compile(
    r"input|syöte|stdin|入力|输入|輸入|ввод|вход|입력|entrada|entrée|eingabe|inntak"
)
_OUTPUT = re.compile(
    r"ou?t?put|tuloste|stdout|出力|输出|輸出|вывод|выход|출력|salida|saída|sortie|ausgabe|úttak"
)
_LABEL = r"(?:(?:sample|example)\s+)?(?:input|output|explanations?|score|notes?)\s*#?\d*\s*[:：]"
# An explanation is also found where it is glued to the value before it.
_GLUED = r"(?<=\S)\s*(?-i:Explanation)\s*[:：]"
_ALONE = (
    r"(?:(?:(?:sample|example)[ \t]+)?(?:in|ou?t?)puts?"
    r"(?:[ \t]+for[ \t]+(?:the[ \t]+)?sample[ \t]+input)?[ \t]*#?\d*|explanations?)[ \t]*$"
)
_AT_LINE = re.compile(rf"^[ \t]*(?:{_LABEL}|{_ALONE})|{_GLUED}", re.I | re.M)
_ANYWHERE = re.compile(rf"(?<!\w){_LABEL}|{_GLUED}", re.I)


class _Block(NamedTuple):
    label: str
    is_input: bool
    number: str
    text: str


_Pairs = list[tuple[_Block, _Block]]


def normalise(text: str) -> str:
    """Return a sample's text in the one form that is compared and kept.

    CRLF becomes LF, one leading newline is dropped, so are blanks at the ends of lines; there is
    exactly one newline at the end, or nothing at all. Leading blanks and inner empty lines stay.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\n").split("\n")
    body = "\n".join(line.rstrip(" \t") for line in lines).rstrip("\n")
    return body and body + "\n"


def pair(blocks: Sequence[tuple[str, str]]) -> tuple[Sample, ...]:
    """Pair the blocks of a page, each with the label that stands above it, in their order.

    Labels say input or output in one of several languages and may have a number: ``Sample
    Input 1``, ``入力例 1``, ``Output``. Blocks that explain something are left out. Inputs and
    outputs must alternate; where they don't, the numbers alone may pair them.

    Raises:
        SourceError: ``samples-unpaired``, where it isn't sure what belongs together.
    """
    read = [_block(label, text) for label, text in blocks if not _SKIPPED.search(_fold(label))]
    pairs = _alternating(read)
    if pairs is None:
        pairs = _numbered(read)
    if pairs is None:
        raise _unpaired(", ".join(repr(block.label) for block in read))
    return tuple(Sample(input=before.text, output=after.text) for before, after in pairs)


def split_glued(text: str) -> tuple[tuple[str, str], ...]:
    """Cut the text of one element at the labels in it into blocks as `pair` takes them.

    Labels are ``Input:``, ``Output:``, ``Explanation:``, ``Score:`` and ``Note:`` at the beginnings
    of lines, or anywhere where there is no output at the beginning of one; the first three
    need no colon where they have a line of their own. What is before the first label is dropped.
    """
    found = list(_AT_LINE.finditer(text))
    if not any(_OUTPUT.search(label.group().lower()) for label in found):
        found = list(_ANYWHERE.finditer(text))
    ends = [*(label.start() for label in found[1:]), len(text)][: len(found)]
    return tuple(
        (label.group().strip(" \t\n:："), text[label.end() : end].lstrip(" \t"))
        for label, end in zip(found, ends, strict=True)
    )


def _fold(label: str) -> str:
    return unicodedata.normalize("NFKC", label).lower()


def _unpaired(labels: str) -> SourceError:
    return SourceError(
        "samples-unpaired",
        f"The samples labelled {labels} don't pair as input and output; the page is left out.",
    )


def _block(label: str, text: str) -> _Block:
    folded = _fold(label).replace("入出力", "")
    inputs = [found.start() for found in _INPUT.finditer(folded)]
    outputs = [found.start() for found in _OUTPUT.finditer(folded)]
    if not inputs and not outputs:
        raise _unpaired(repr(label))
    # "Output for sample input 1", but 入力例1に対する出力.
    last = "力" in folded
    is_input = not outputs or bool(
        inputs and (inputs[-1] > outputs[-1] if last else inputs[0] < outputs[0])
    )
    number = re.search(r"\d+", folded)
    return _Block(label, is_input, number.group() if number else "", normalise(text))


def _alternating(blocks: list[_Block]) -> _Pairs | None:
    pairs = list(zip(blocks[::2], blocks[1::2], strict=False))
    right = all(
        before.is_input
        and not after.is_input
        and (before.number == after.number or not before.number or not after.number)
        for before, after in pairs
    )
    return pairs if right and len(blocks) % 2 == 0 else None


def _numbered(blocks: list[_Block]) -> _Pairs | None:
    inputs = {block.number: block for block in blocks if block.is_input}
    outputs = {block.number: block for block in blocks if not block.is_input}
    if "" in inputs or inputs.keys() != outputs.keys() or len(blocks) != 2 * len(inputs):
        return None
    return [(before, outputs[number]) for number, before in inputs.items()]
