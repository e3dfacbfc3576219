"""The reference model must solve the problem at least once in its samples (paper, section 4.3)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import msgspec

from thresher.errors import SourceError
from thresher.filters.estimates import Drawn, in_words
from thresher.filters.filter import Filter, Finding, Options, Tools, execute, program
from thresher.store.programs import asked
from thresher.store.records import Execution, Problem


class Solvable(Options, frozen=True):
    """How samples are drawn.

    Attributes:
        samples: the most per problem.
        passes: drawing stops at the sample that is this many-th to pass; 0: never.
    """

    samples: Annotated[int, msgspec.Meta(ge=1)] = 100
    passes: int = 3


def apply(problem: Problem, tools: Tools) -> Finding:
    """Draw samples batch by batch and judge them; identical completions are judged once.

    A program is asked for, and judged, as the function ``solve(stdin)``: a model that continues
    prompts can't be asked for a program in any other way than by where a function's body begins.

    What a batch holds beyond the last pass that is needed doesn't count, so that the outcome
    doesn't depend on how many were drawn at once.
    """
    problem = asked(problem) if problem.style == "stdio" else problem
    options: Solvable = tools.options
    judged: dict[str, Execution] = {}
    passed: list[bool] = []
    for start in range(0, options.samples, tools.batch):
        batch = range(start, min(start + tools.batch, options.samples))
        try:
            texts = [sample.text for sample in tools.samples(problem, batch)]
        except SourceError as error:
            return FILTER.drop(problem, error.reason, str(error), tuple(judged.values()))
        _judge_new(problem, tools, texts, judged)
        passed += [judged[text].verdict == "pass" for text in texts]
        if options.passes and sum(passed) >= options.passes:
            break
    drawn = Drawn.of(passed, options.samples, options.passes)
    ran = tuple(judged.values())
    if not drawn.passed:
        return FILTER.drop(problem, "never-solved", in_words(drawn), ran, drawn.facts())
    evidence = f"{in_words(drawn)}; first solved by sample {passed.index(True)}"
    return FILTER.keep(problem, evidence, ran, facts=drawn.facts())


def _judge_new(
    problem: Problem, tools: Tools, texts: list[str], judged: dict[str, Execution]
) -> None:
    """Judge the texts that weren't judged yet, as many at once as the pool has judges."""
    fresh = [text for text in dict.fromkeys(texts) if text not in judged]
    with ThreadPoolExecutor(tools.judges.size) as threads:
        runs = threads.map(
            lambda text: execute(tools, problem, program(problem, text), "sample"), fresh
        )
        judged.update(zip(fresh, runs, strict=True))


FILTER = Filter("solvable", 3, apply, Solvable())
