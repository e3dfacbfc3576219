"""The reference model must solve the problem at least once in its samples (paper, section 4.3)."""

from concurrent.futures import ThreadPoolExecutor

from thresher.errors import SourceError
from thresher.filters.filter import Filter, Finding, Tools, execute, program
from thresher.store.programs import asked
from thresher.store.records import Execution, Problem


def apply(problem: Problem, tools: Tools) -> Finding:
    """Draw samples batch by batch and judge them; identical completions are judged once.

    A program is asked for, and judged, as the function ``solve(stdin)``: a model that continues
    prompts can't be asked for a program in any other way than by where a function's body begins.

    Unless all are asked for, it stops after the batch that holds the first pass. The first pass
    is counted in index order, so that it doesn't depend on how many were drawn at once.
    """
    problem = asked(problem) if problem.style == "stdio" else problem
    judged: dict[str, Execution] = {}
    verdicts: list[str] = []
    for start in range(0, tools.limit, tools.batch):
        batch = range(start, min(start + tools.batch, tools.limit))
        try:
            texts = [sample.text for sample in tools.samples(problem, batch)]
        except SourceError as error:
            return FILTER.drop(problem, error.reason, str(error), tuple(judged.values()))
        _judge_new(problem, tools, texts, judged)
        verdicts += [judged[text].verdict for text in texts]
        if tools.stop_at_first_pass and "pass" in verdicts:
            break
    ran = tuple(judged.values())
    if "pass" not in verdicts:
        return FILTER.drop(problem, "never-solved", f"0 of {len(verdicts)} samples pass", ran)
    first = verdicts.index("pass")
    if tools.stop_at_first_pass:
        return FILTER.keep(problem, f"first solved by sample {first} (stopped there)", ran)
    passed = verdicts.count("pass")
    return FILTER.keep(problem, f"{passed} of {len(verdicts)} samples pass, first {first}", ran)


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


FILTER = Filter("solvable", 2, apply)
