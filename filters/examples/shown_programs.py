"""The samples in the statement of a program: pairs of what is read and what is printed."""

import ast
import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from thresher.filters.contracts.annotations import BAD_SOURCE
from thresher.filters.contracts.contract import text_of
from thresher.filters.examples.shown_runs import PURPOSE
from thresher.filters.filter import Tools, program
from thresher.filters.raw_runs import described
from thresher.store import printed
from thresher.store.records import Execution, Problem

MOST = 10
_LABEL = re.compile(
    r"^[ \t]*[^\w\n]{0,3}(?:(?P<head>(?:sample|example)s?)\b)?[ \t]*(?P<kind>input|output)?s?"
    r"[ \t]*[^\w\n]{0,2}\d{0,2}[ \t]*:?[^\w\n]{0,3}$"
    r"|^[ \t]*[^\w\n]{0,3}(?P<other>explanation|note|constraints|hint|scoring)\b.*$",
    re.I | re.M,
)


class Pair(NamedTuple):
    """What a program reads, and what the statement says it prints."""

    given: str
    wanted: str


def pairs(problem: Problem) -> list[Pair]:
    """Return the samples that stand under a heading for them; none where they don't alternate."""
    try:
        text = text_of(ast.parse(problem.prompt))
    except BAD_SOURCE:
        return []
    return list(_pairs(text))[:MOST]


def disagreement(problem: Problem, tools: Tools, ran: list[Execution]) -> str | None:
    """Return the first sample for which the reference prints something else, in a line.

    What is stored of the runs is added to `ran`.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    if not problem.canonical_solution.strip() or problem.comparator.kind not in printed.KINDS:
        return None
    for pair in pairs(problem):
        if _is_case(problem, pair):
            continue
        source = program(problem)
        result = tools.judges.run_program(source, pair.given, tools.limits)
        ran.append(described(tools, problem, source, PURPOSE, result, 1))
        got = result.outcomes[0].value if result.outcomes else None
        if isinstance(got, str) and not _agrees(problem, got, pair.wanted):
            shown = [" ".join(each.split())[:100] for each in (pair.given, pair.wanted, got)]
            return f"Input: {shown[0]} Output: {shown[1]}, but the reference prints {shown[2]}"
    return None


def _is_case(problem: Problem, pair: Pair) -> bool:
    """Say whether a sample is one of the cases, which the reference passes."""
    return any(
        str(case.args[0]).split() == pair.given.split()
        and _agrees(problem, str(case.expected), pair.wanted)
        for case in problem.cases
        if case.args
    )


def _agrees(problem: Problem, got: str, wanted: str) -> bool:
    """Compare with what is said; behind a blank line it may be prose."""
    blocks = wanted.split("\n\n")
    cuts = ("\n\n".join(blocks[: at + 1]) for at in range(len(blocks)))
    return any(printed.agree(problem.comparator, got, cut) for cut in cuts)


def _pairs(text: str) -> Iterator[Pair]:
    labels = [label for label in _LABEL.finditer(text) if any(label.groups())]
    ends = [*(label.start() for label in labels[1:]), len(text)]
    in_sample, given = False, None
    for label, end in zip(labels, ends, strict=False):
        kind, part = (label["kind"] or "").lower(), text[label.end() : end]
        in_sample = bool(label["head"]) or (in_sample and bool(kind))
        part = textwrap.dedent(part).strip("\n")
        if kind == "output" and given is not None and part.strip():
            yield Pair(given + "\n", part + "\n")
        given = part if kind == "input" and in_sample and part.strip() else None
