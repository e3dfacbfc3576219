"""The reference solution must pass all cases, repeatedly, in fresh processes, and not be slow."""

from thresher.filters.filter import Filter, Finding, Tools, execute, program
from thresher.filters.limits import REFERENCE, SLOWEST, calibrated, limits_for, shown
from thresher.store.programs import function_form
from thresher.store.records import Execution, Problem

RUNS = 3
FORM = "function form"  # what is exported of a program
TOO_SLOW = "too-slow"


def apply(problem: Problem, tools: Tools) -> Finding:
    """Run the reference `RUNS` times; drop the problem at the first run that doesn't pass.

    What it costs sets the limits of every later program, so it must cost much less than they are.
    A program is run once more in the form that is exported of it.
    """
    if not problem.canonical_solution.strip():
        return FILTER.drop(problem, "no-solution", "no solution is known that could pass", ())
    if not problem.cases:
        return FILTER.drop(problem, "no-cases", "there is nothing to pass", ())
    # Not the problem's own limits: an earlier calibration must not decide the next.
    generous = tools._replace(limits=limits_for(0))
    ran: list[Execution] = []
    for run in range(RUNS):
        execution = execute(generous, problem, program(problem), REFERENCE, run=run)
        ran.append(execution)
        if execution.verdict != "pass":
            evidence = f"run {run}: case {execution.failing_case}: {execution.detail}"
            return FILTER.drop(problem, _reason(execution), evidence, ran)
    least = min(execution.cpu_seconds for execution in ran)
    cost = f"passed {RUNS} of {RUNS} runs, {least:.3f} s of CPU time at least"
    if least > SLOWEST:
        return FILTER.drop(problem, TOO_SLOW, f"{cost}; the most is {SLOWEST:g} s", ran)
    form = function_form(problem) if problem.style == "stdio" else None
    if form is not None:
        ran.append(execute(generous, form, program(form), FORM))
        if reason := _loss_of_form(ran[-1]):
            evidence = f"{FORM}, case {ran[-1].failing_case}: {ran[-1].detail}"
            return FILTER.drop(problem, reason, evidence, ran)
    return FILTER.keep(problem, f"{cost}; others get {shown(calibrated(ran))}", ran)


def _loss_of_form(execution: Execution) -> str | None:
    """Name what is wrong with the exported form, which runs all cases in one process."""
    if execution.verdict == "timeout" or execution.cpu_seconds > SLOWEST:
        return TOO_SLOW
    return None if execution.verdict == "pass" else "function-form-fails"


def _reason(execution: Execution) -> str:
    """Name the reason; whether a slow run ends in time depends on the load, so both are one."""
    if execution.verdict == "timeout":
        return TOO_SLOW
    return f"reference-{execution.verdict}" if execution.run == 0 else "reference-flaky"


FILTER = Filter("reference", 2, apply)
