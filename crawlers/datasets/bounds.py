"""What is taken of a data set's many cases and solutions, and which of its cases the text shows."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thresher.crawlers import programs
from thresher.crawlers.statement import Call, Sample, Solution
from thresher.crawlers.text import samples

MOST_CASES = 20
MOST_CALLS = 100
MOST_OF_A_CASE = 64 * 2**10  # characters of its input and output
MOST_OF_ALL = 256 * 2**10
MOST_SOLUTIONS = 5
# A heading on a line of its own; in APPS it stands between dashes.
_EXAMPLES = re.compile(r"^\W*(sample|examples?)\b[^.\n]{0,30}$", re.I)
_OTHER = re.compile(
    r"^(-+\s*\w[^\n]{0,40}-+|\W*(note|notes|explanation|hint|constraints)\W*)$", re.I
)


class Split(NamedTuple):
    """A statement's text without its examples, the cases that these show, and the others."""

    text: str
    shown: tuple[Sample, ...]
    hidden: tuple[Sample, ...]


def sample(given: str, printed: str) -> Sample:
    """Return a case with its texts in the one form that is kept."""
    return Sample(input=samples.normalise(given), output=samples.normalise(printed))


def split(text: str, cases: Iterable[Sample]) -> Split:
    """Cut the examples out of a text where they are among the cases; else leave it as it is."""
    distinct = list(dict.fromkeys(cases))
    kept, examples = _cut(text)
    shown = [case for case in distinct if _lines(case.input + case.output) in _lines(examples)]
    shown = [case for case in shown if case.input.strip() and case.output.strip()]
    if not shown:
        return Split(text.strip(), (), hidden(distinct))
    return Split(kept.strip(), tuple(shown), hidden(case for case in distinct if case not in shown))


def hidden(cases: Iterable[Sample], most: int = MOST_CASES) -> tuple[Sample, ...]:
    """Return the smallest of the cases, as many as are allowed, smallest first."""
    taken: list[Sample] = []
    room = MOST_OF_ALL
    for case in sorted(cases, key=_size):
        room -= _size(case)
        if len(taken) == most or _size(case) > MOST_OF_A_CASE or room < 0:
            break
        taken.append(case)
    return tuple(taken)


def hidden_calls(calls: Iterable[Call]) -> tuple[Call, ...]:
    """Return the distinct calls in their order, without the largest where they are too many."""
    by_text = {repr(call): call for call in calls}
    taken = hidden((Sample(input=text, output="") for text in by_text), MOST_CALLS)
    texts = {case.input for case in taken}
    return tuple(call for text, call in by_text.items() if text in texts)


def solutions(texts: Iterable[str], right: bool = True) -> tuple[Solution, ...]:
    """Return the first few programs that are Python 3."""
    found: list[Solution] = []
    for text in texts:
        if len(found) == MOST_SOLUTIONS:
            break
        if programs.is_python(text):
            found.append(Solution(language="python", text=text, right=right))
    return tuple(found)


def _size(case: Sample) -> int:
    return len(case.input) + len(case.output)


def _cut(text: str) -> tuple[str, str]:
    """Return the text without its sections of examples, and those, without their headings."""
    kept: list[str] = []
    examples: list[str] = []
    inside = False
    for line in text.splitlines():
        heading = _EXAMPLES.match(line)
        inside = bool(heading) or (inside and not _OTHER.match(line))
        if not heading:
            (examples if inside else kept).append(line)
    return "\n".join(kept), "\n".join(_without_labels(examples))


def _without_labels(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip(" :").lower() not in {"input", "output"}]


def _lines(text: str) -> str:
    """Return the lines that have something in them, each with a line's end on both sides."""
    return "\n" + "".join(f"{line.strip()}\n" for line in text.split("\n") if line.strip())
