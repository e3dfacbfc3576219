"""Signs that a program was not written by a person for people (paper, section 3.1).

Docstrings are left out of account: a statement may hold paragraphs of any length on one line.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.filters.texts.statements import code, comments
from thresher.store.records import Problem

# What tools write at the top of their output, in a comment that is not inside any function.
MARK = re.compile(
    r"@generated\b|\b(?:auto(?:matically)?|machine)[- _]?generated\b|\bcode generated\b"
    r"|\bdo not (?:edit|modify)\b"
    r"|^#\W*(?:(?:this )?(?:file|code|module|contents)\W+(?:(?:is|was|were) )?)?"
    r"generated (?:by|from) ",
    re.IGNORECASE,
)
COMMENT = re.compile(r"^#.{0,400}", re.MULTILINE)
# Modules that well-known tools write: protobuf, gRPC, PLY and Qt.
FILES = re.compile(r"(?:_pb2|_pb2_grpc|\bparsetab|\blextab|\bui_\w+)\.py$")

FEW = 4  # lines: a program of fewer has as many characters as this allows


class Heuristics(Options, frozen=True):
    """Where the limits are.

    Attributes:
        mean_line: characters of a line of code on average, blank lines apart.
        longest_line: characters of the longest line of code.
        alphanumeric: the least share of letters and digits in what isn't white space.
        size: bytes of the whole program.
    """

    mean_line: float = 100
    longest_line: int = 1000
    alphanumeric: float = 0.4
    size: int = 1_000_000


class Sign(NamedTuple):
    """A reason code and what it was seen by."""

    reason: str
    evidence: str


def apply(problem: Problem, tools: Tools) -> Finding:
    """Drop a problem at the first sign; where no solution is known there is no code to look at."""
    signs = seen(problem, tools.options)
    if sign := next(signs, None):
        return FILTER.drop(problem, sign.reason, sign.evidence, ())
    return FILTER.keep(problem, "no sign of generated or unreadable source", ())


def seen(problem: Problem, limits: Heuristics) -> Iterator[Sign]:
    """Yield the signs in a problem's program, the cheapest first."""
    whole = program(problem)
    size = len(whole.encode(errors="surrogatepass"))
    if size > limits.size:
        yield Sign("too-big", f"{size} bytes; the most is {limits.size}")
        return  # not parsed
    if FILES.search(problem.derivation.file):
        yield Sign("generated", f"the file is {problem.derivation.file}")
    if mark := _mark(whole):
        yield Sign("generated", f"a comment says {mark!r}")
    yield from _by_shape(code(whole), limits)


def _mark(source: str) -> str | None:
    marks = (MARK.search(comment) for comment in COMMENT.findall(source))
    mark = next((mark[0] for mark in marks if mark), None)
    told = (note.string for note in comments(source) if note.start[1] == 0) if mark else ()
    return mark if any(map(MARK.search, told)) else None


def _by_shape(source: str, limits: Heuristics) -> Iterator[Sign]:
    lengths = [len(line) for line in map(str.rstrip, source.splitlines()) if line]
    if not lengths:
        return
    mean, longest = sum(lengths) / max(len(lengths), FEW), max(lengths)
    if longest > limits.longest_line:
        yield Sign(
            "long-line", f"a line of {longest} characters; the most is {limits.longest_line}"
        )
    if mean > limits.mean_line:
        yield Sign("long-lines", f"{mean:.0f} characters a line; the most is {limits.mean_line:g}")
    dense = "".join(source.split())
    share = sum(map(str.isalnum, dense)) / len(dense)
    if share < limits.alphanumeric:
        least = f"the least is {limits.alphanumeric:.0%}"
        yield Sign("not-alphanumeric", f"{share:.0%} are letters and digits; {least}")


FILTER = Filter("heuristics", 1, apply, Heuristics())
