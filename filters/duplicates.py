"""Of problems that are one and the same, across all sources, the best is kept.

Two are the same where their code is equal, equal but for names, nearly equal with nearly the same
docstring, or where they give the same answers on each other's inputs. What is the same as the same
is the same: of each such group one stays, chosen by `rank`. Functions of one module share helpers,
classes and docstrings and yet do different things: what is nearly equal must give the same, too.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.filters.similarity import behaviour, near
from thresher.filters.similarity.syntax import Shape, shape
from thresher.filters.texts.statements import asking, code, docstring
from thresher.store.licence import is_permissive
from thresher.store.records import Problem, canonical_json

LEVELS = ("exact", "renamed", "near", "behaviour")


class Duplicates(Options, frozen=True):
    """When two problems are the same.

    Attributes:
        nodes: code of fewer syntax nodes is too common to tell: then the text must be equal, too.
        near: the share of the pieces of code and docstring that must be the same;
        words: or of the docstring's alone, where it is at least so `long`,
        code: if so much of the code's is the same, too.
        long: in words.
        alike: the share of each other's inputs on which what is nearly equal must give the same.
        answers: how many different answers must be the same;
        inputs: or how many inputs must give the same where there are fewer different answers.
    """

    nodes: int = 20
    near: float = 0.8
    words: float = 0.7
    code: float = 0.4
    long: int = 30
    alike: float = 0.9
    answers: int = 5
    inputs: int = 20


class Same(NamedTuple):
    """What a problem is the same as, and at which of the `LEVELS`."""

    level: str
    kept: str


Pairs = Iterable[tuple[str, str]]


def survey(problems: Sequence[Problem], tools: Tools) -> dict[str, Same]:
    """Return what each problem that isn't kept is the same as.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    options: Duplicates = tools.options
    enough = behaviour.Enough(options.answers, options.inputs)
    plain = {one.task_id: _code(one) for one in problems}
    asked = {one.task_id: _asked(one) for one in problems}
    shapes = {one.task_id: shape(program(one), one.entry_point) for one in problems}
    telling = {name for name, found in shapes.items() if found.nodes >= options.nodes}
    big = {name: shapes[name].text for name in sorted(telling)}
    texts = {
        one.task_id: plain[one.task_id]
        if one.task_id in telling
        else f"{plain[one.task_id]}\0{asked[one.task_id]}"
        for one in problems
    }
    found: list[tuple[str, Pairs]] = [
        ("exact", _equal(texts)),
        ("renamed", _equal(big)),
        ("near", _confirmed(_near(big, asked, options), problems, shapes, tools)),
        (
            "behaviour",
            behaviour.pairs([p for p in problems if p.task_id in telling], tools.judges, enough),
        ),
    ]
    ranks = {one.task_id: rank(one, tools) for one in problems}
    return chosen(found, lambda name: ranks[name])


def chosen(found: Sequence[tuple[str, Pairs]], key: Callable[[str], Any]) -> dict[str, Same]:
    """Return what each but the best of a group is the same as.

    Args:
        found: the pairs of each level, the surest level first.
        key: the least of a group is kept.
    """
    groups: dict[str, set[str]] = {}
    levels: dict[str, str] = {}
    for level, pairs in found:
        for left, right in pairs:
            joined = groups.get(left, {left}) | groups.get(right, {right})
            groups |= dict.fromkeys(joined, joined)
            for name in (left, right):
                levels.setdefault(name, level)
    best = {name: min(group, key=key) for name, group in groups.items()}
    return {name: Same(levels[name], best[name]) for name in groups if best[name] != name}


def rank(problem: Problem, tools: Tools) -> tuple[object, ...]:
    """Return the better problem's smaller key.

    A documented one comes before one that isn't, a function before a program, a permissive licence
    before others, then what has more different cases, the shorter code, the smaller task id.
    """
    cases = {canonical_json([case.args, case.kwargs]) for case in problem.cases}
    return (
        "undocumented" in problem.tags,
        problem.style == "stdio",
        not is_permissive(tools.source(problem).licence),
        -len(cases),
        len(problem.canonical_solution),
        problem.task_id,
    )


def apply(problem: Problem, tools: Tools) -> Finding:
    """Drop what is the same as a better problem."""
    same: Same | None = tools.surveyed.get(problem.task_id)
    if same is None:
        return FILTER.keep(problem, "no better one is the same", ())
    return FILTER.drop(problem, f"duplicate-{same.level}", f"the same as {same.kept}", ())


def _near(trees: dict[str, str], asked: dict[str, str], options: Duplicates) -> Pairs:
    """Yield what is nearly the same in code and docstring, or says so and isn't far off."""
    yield from near.pairs({name: f"{trees[name]}\n{asked[name]}" for name in trees}, options.near)
    told = {name: asked[name] for name in trees if len(asked[name].split()) >= options.long}
    for left, right in near.pairs(told, options.words):
        pieces = near.shingles(trees[left]), near.shingles(trees[right])
        if near.resemblance(*pieces) >= options.code:
            yield left, right


def _confirmed(
    pairs: Pairs, problems: Sequence[Problem], shapes: Mapping[str, Shape], tools: Tools
) -> Pairs:
    """Yield the pairs that give the same; those that can't be compared have like code of their own.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    options: Duplicates = tools.options
    known = {one.task_id: one for one in problems}
    for left, right in pairs:
        if shapes[left].text == shapes[right].text:
            continue  # found already
        share, least = behaviour.agreement(known[left], known[right], tools.judges), options.alike
        if share is None:
            own = (near.shingles(shapes[name].own) for name in (left, right))
            share, least = near.resemblance(*own), options.near
        if share >= least:
            yield left, right


def _equal(texts: dict[str, str]) -> Pairs:
    """Yield each two names, one after the other, whose texts are equal."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, text in texts.items():
        if text:
            found[text].append(name)
    for names in found.values():
        ordered = sorted(names)
        yield from zip(ordered, ordered[1:], strict=False)


def _code(problem: Problem) -> str:
    return re.sub(r"\s+", " ", code(program(problem))).strip()


def _asked(problem: Problem) -> str:
    part = asking(problem)
    return " ".join(docstring(part).split()) if part is not None else ""


FILTER = Filter("duplicates", 2, apply, Duplicates(), survey)
