"""Problems that a benchmark has, too, would spoil what is measured with it.

They are looked for as text, as code but for its names, and by what they do: a reference that gives
a task's answers in all of its cases is that task in other words.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from thresher.filters.filter import Filter, Finding, Options, Tools, program
from thresher.filters.similarity.benchmarks import HUMAN_EVAL, Task, benchmark, digest, plain, words
from thresher.filters.similarity.near import resemblance, shingles
from thresher.filters.similarity.solving import Enough, solved
from thresher.filters.similarity.syntax import shape
from thresher.filters.texts.statements import asking, docstring
from thresher.store.records import Problem


class Contamination(Options, frozen=True):
    """What counts as taken from a benchmark.

    Attributes:
        benchmarks: ``human-eval``, or files in its form.
        words: so many words of the docstring in a row are no chance.
        nodes: code of fewer syntax nodes, such as ``return x + y``, stands everywhere: it counts
            only together with half of the words of the task's docstring, doctests apart.
        near: the share of the pieces of the code that must be the same, if it is twice so long.
        answers: how many different answers must be a task's;
        letters: or, of at least two, how many characters they must have as JSON;
        cases: or on how many inputs, the problem's own among them, if it gives those answers too
            and two of them aren't the most frequent one;
        digests: the sha256 of each benchmark, "" where it isn't installed. They are found, not set:
            with another file, or once ``human-eval`` is installed, all is decided anew.
    """

    benchmarks: tuple[str, ...] = (HUMAN_EVAL,)
    words: int = 10
    nodes: int = 20
    near: float = 0.8
    answers: int = 4
    letters: int = 12
    cases: int = 6
    digests: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Find the digests.

        Raises:
            UsageError: a file isn't there.
        """
        msgspec.structs.force_setattr(self, "digests", tuple(map(digest, self.benchmarks)))


class Taken(NamedTuple):
    """The task that a problem is, and how that shows."""

    how: str
    task: str


def apply(problem: Problem, tools: Tools) -> Finding:
    """Drop what is a benchmark's; a problem that is known to be of one is marked, and stays."""
    if "benchmark" in problem.tags:
        return FILTER.keep(problem, "is of a benchmark itself, and exported only on request", ())
    options: Contamination = tools.options
    found = {name: benchmark(name) for name in options.benchmarks}
    tasks = [task for each in found.values() for task in each.tasks]
    taken = next(_taken(problem, tasks, options, tools), None)
    if taken is not None:
        return FILTER.drop(problem, f"contaminated-{taken.how}", f"is {taken.task}", ())
    said = [f"{name} ({each.digest[:12] or 'not installed'})" for name, each in found.items()]
    return FILTER.keep(problem, f"none of the {len(tasks)} tasks of {', '.join(said)}", ())


def _taken(
    problem: Problem, tasks: Sequence[Task], options: Contamination, tools: Tools
) -> Iterator[Taken]:
    source = program(problem)
    part = asking(problem)
    text = words(docstring(part)) if part is not None else ()
    code = plain(source)
    tree, size, _ = shape(source, problem.entry_point)
    telling = size >= options.nodes
    grams = _grams(text, options.words)
    for task in tasks:
        if telling and code == task.plain:
            yield Taken("exact", task.name)
        if grams and not grams.isdisjoint(_grams(task.words, options.words)):
            yield Taken("text", task.name)
        if tree == task.tree and (telling or _asks_the_same(text, task.said)):
            yield Taken("renamed", task.name)
    pieces = shingles(tree)
    for task in tasks if telling else ():
        if task.size >= 2 * options.nodes and resemblance(pieces, task.pieces) >= options.near:
            yield Taken("near", task.name)
    if problem.style == "function" and problem.mode == "returns" and telling:
        enough = Enough(options.answers, options.letters, options.cases)
        asked = [t for t in tasks if t.size >= options.nodes or _asks_the_same(text, t.said)]
        for task in solved(problem, asked, enough, tools.judges):
            yield Taken("behaviour", task.name)


def _asks_the_same(text: Sequence[str], said: Sequence[str]) -> bool:
    """Say whether half of a task's words are in a text: code that says nothing needs them."""
    return bool(said) and 2 * len({*text} & {*said}) >= len({*said})


def _grams(text: Sequence[str], width: int) -> frozenset[tuple[str, ...]]:
    """Return the runs of so many words; numbers in a row are no words."""
    runs = (tuple(text[at : at + width]) for at in range(len(text) - width + 1))
    return frozenset(run for run in runs if sum(word.isalpha() for word in run) > width // 2)


FILTER = Filter("contamination", 2, apply, Contamination())
