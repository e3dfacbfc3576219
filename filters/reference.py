"""The reference solution must pass all cases, repeatedly, in fresh processes."""

from thresher.filters.filter import Filter, Finding, Tools, execute, program
from thresher.store.records import Problem

RUNS = 3


def apply(problem: Problem, tools: Tools) -> Finding:
    """Run the reference `RUNS` times; drop the problem at the first run that doesn't pass."""
    ran = []
    for run in range(RUNS):
        execution = execute(tools, problem, program(problem), "reference", run=run)
        ran.append(execution)
        if execution.verdict != "pass":
            evidence = f"run {run}: case {execution.failing_case}: {execution.detail}"
            reason = f"reference-{execution.verdict}" if run == 0 else "reference-flaky"
            return FILTER.drop(problem, reason, evidence, ran)
    return FILTER.keep(problem, f"passed {RUNS} of {RUNS} runs", ran)


FILTER = Filter("reference", 1, apply)
