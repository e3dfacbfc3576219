"""Values as texts write them behind an arrow or a colon, read as data; nothing is evaluated."""

import ast
import re
import warnings
from typing import Any, NamedTuple

LONGEST = 2_000  # characters of a value
_WORDS = {
    "True": True,
    "true": True,
    "TRUE": True,
    "False": False,
    "false": False,
    "FALSE": False,
    "None": None,
    "none": None,
    "null": None,
    "nil": None,
}
_NUMBER = re.compile(
    r"[-−]?(?:0[xXbBoO][\da-fA-F]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?j?)(?![\w])"
)
_STRING = re.compile(
    r"""(?:[bBrRuU]{0,2})(?:'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")""",
    re.S,
)
_FOREIGN = re.compile(_STRING.pattern + r"|−|\b(?:true|false|null)\b", re.S)
_WORD = re.compile(r"[A-Za-z]+\b")
_ERROR = re.compile(r"(?:raises? |throws? )?(?:an? )?`?([A-Z]\w{0,60}(?:Error|Exception))\b")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
# What may stand behind a value without changing it.
_END = re.compile(
    r"`*\s*(?:$|\n|#|//|\(|\)|\.(?=\s|$)|[,;](?=\s)(?!\s*[-\d'\"\[({])"
    r"|(?:because|since|as|and|but|so|while|which|whereas|rather|instead|not)\b)"
)
_CHAIN = re.compile(r"\s={1,3}\s|(?<![=!<>])=(?![=>])")


class Said(NamedTuple):
    """A value that a text gives; or the name of the exception that it says is raised.

    `text` is how it is written.
    """

    value: Any
    text: str
    raises: str | None = None


def said(text: str) -> Said | None:
    """Read the value that a text begins with; of ``1 + 2 = 3`` the last.

    Returns:
        None where it is no literal, or what follows may change its meaning, as in ``1 or 2``.
    """
    text = text[:LONGEST].lstrip(" \t`")
    if error := _ERROR.match(text):
        return Said(None, error[0], error[1])
    end = extent(text)
    if end and _END.match(text[end:]):
        return literal(text[:end])
    line = text.split("\n", 1)[0]
    parts = _CHAIN.split(line)
    return said(parts[-1].lstrip()) if len(parts) > 1 and parts[-1].strip() else None


def literal(text: str) -> Said | None:
    """Return the value that the whole text is, None where it is no literal."""
    shown = text.strip()
    if shown in _WORDS:
        return Said(_WORDS[shown], shown)
    plain = _FOREIGN.sub(_python, shown)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(plain)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return None if _has_ellipsis(value) else Said(value, shown)


def extent(text: str) -> int:
    """Return where the literal that a text begins with ends, 0 where it begins with none."""
    if text[:1] in _CLOSING:
        return closed(text)
    for pattern in (_STRING, _NUMBER):
        if match := pattern.match(text):
            return match.end()
    word = _WORD.match(text)
    return word.end() if word and word[0] in _WORDS else 0


def closed(text: str) -> int:
    """Return where the bracket that a text begins with is closed; 0 where it isn't."""
    waiting: list[str] = []
    at = 0
    while at < min(len(text), LONGEST):
        char = text[at]
        if char in "'\"":
            string = _STRING.match(text, at)
            if string is None:
                return 0
            at = string.end()
            continue
        if char in _CLOSING:
            waiting.append(_CLOSING[char])
        elif char in ")]}" and (not waiting or waiting.pop() != char):
            return 0
        at += 1
        if not waiting:
            return at
    return 0


def _python(match: re.Match[str]) -> str:
    """Return the Python of a sign or a word, and a string as it is."""
    return {"−": "-", "true": "True", "false": "False", "null": "None"}.get(match[0], match[0])


def _has_ellipsis(value: Any, depth: int = 0) -> bool:
    if value is ... or depth > 50:
        return True
    if isinstance(value, dict):
        return any(_has_ellipsis(each, depth + 1) for pair in value.items() for each in pair)
    held = value if isinstance(value, list | tuple | set | frozenset) else ()
    return any(_has_ellipsis(each, depth + 1) for each in held)
