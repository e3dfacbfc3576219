"""Lines moved left or right; what stands inside a string over several lines stays as it is."""

import re
from collections.abc import Iterator
from os.path import commonprefix

_STRINGS = re.compile(
    r"#[^\n]*"
    r"|(\"\"\"|''')(?:\\.|(?!\1)[^\\])*\\?(?:\1|\Z)"
    r"|\"(?:\\.|[^\"\\\n])*\"?"
    r"|'(?:\\.|[^'\\\n])*'?",
    re.DOTALL,
)
_BLANKS = re.compile(r"[ \t]*")
TAB = 4
OLD_TAB = 8


def held(text: str) -> set[int]:
    """Return the numbers, from 0, of the lines that begin inside a string; of any text."""
    found: set[int] = set()
    line = seen = 0
    for match in _STRINGS.finditer(text):
        line += text.count("\n", seen, match.start())
        last = line + match[0].count("\n")
        found.update(range(line + 1, last + 1))
        line, seen = last, match.end()
    return found


def blanks(line: str) -> str:
    """Return the blanks and tabs that a line begins with."""
    match = _BLANKS.match(line)
    return match[0] if match else ""


def shifted(text: str, own: str, want: str) -> str:
    """Put `want` in the place of `own` wherever a line begins with it, blank lines apart."""
    inside = held(text)
    return "\n".join(
        want + line.removeprefix(own)
        if line.strip() and number not in inside and line.startswith(own)
        else line
        for number, line in enumerate(text.split("\n"))
    )


def margin(text: str) -> str:
    """Return the blanks that all lines begin with, those of strings and blank ones apart."""
    inside = held(text)
    lines = enumerate(text.split("\n"))
    return commonprefix([blanks(x) for at, x in lines if x.strip() and at not in inside])


def untabbed(text: str, tab: int = TAB) -> str:
    """Put blanks, up to the next multiple of `tab`, in the place of tabs that lines begin with."""
    inside = held(text)
    return "\n".join(
        line if number in inside else blanks(line).expandtabs(tab) + line.removeprefix(blanks(line))
        for number, line in enumerate(text.split("\n"))
    )


def rebased(text: str, want: str) -> Iterator[str]:
    """Yield what a function's body may look like at the indentation `want`.

    Bodies come without any indentation, with one of their own, with one that the first line
    lacks, or with tabs.
    """
    text = text.lstrip("\n")
    widths = (untabbed(text), untabbed(text, OLD_TAB), text)
    for even in dict.fromkeys((text,) if "\t" in want else widths):
        yield shifted(even, margin(even), want)
        first, newline, rest = even.partition("\n")
        inner = margin(rest)
        if inner:
            yield want + first.lstrip() + newline + rest
            yield shifted(first.lstrip() + newline + shifted(rest, inner, ""), "", want)
