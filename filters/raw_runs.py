"""Runs that are no verdict on a problem's own cases, described as they are stored."""

from thresher.filters.filter import Tools, describe
from thresher.judging import Judged
from thresher.sandbox.judge import Result
from thresher.store.records import Execution, Problem, Verdict

ENDS: dict[str, Verdict] = {
    "cpu": "timeout",
    "wall": "timeout",
    "memory": "out_of_memory",
    "output": "denied",
}


def described(
    tools: Tools,
    problem: Problem,
    source: str,
    purpose: str,
    result: Result,
    calls: int,
    perturbation: str = "",
) -> Execution:
    """Describe a run of `calls` calls; ``pass`` says that each of them had an outcome."""
    told = len(result.outcomes) if result.failure is None else 0
    verdict = "pass" if told == calls else ENDS.get(result.ended.reason, "fail")
    detail = f"{told} of {calls} calls gave something"
    judged = Judged(verdict, None, detail, result.ended.cpu, result.ended.wall)
    return describe(tools, problem, source, purpose, 0, perturbation, judged)
