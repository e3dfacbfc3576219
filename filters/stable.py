"""Reruns in fresh interpreters and other environments must agree with the recorded answers."""

import msgspec

from thresher.filters.filter import Filter, Finding, Tools, execute, program
from thresher.store.records import Problem

# What differs from the judges' own environment: the hash seed and what programs may look at.
ENVIRONMENTS = (
    {"PYTHONHASHSEED": "1"},
    {"PYTHONHASHSEED": "2", "HOME": "/nowhere", "USER": "somebody", "TZ": "Asia/Kathmandu"},
    {"PYTHONHASHSEED": "3", "LANG": "de_DE.UTF-8", "LC_ALL": "C", "PATH": "/bin", "PWD": "/"},
)


def apply(problem: Problem, tools: Tools) -> Finding:
    """Run the reference in each other environment, the cases in reverse order.

    Answers that depend on the order of a set, on the calls made before or on the user's home,
    time zone or language differ.
    """
    turned = msgspec.structs.replace(problem, cases=problem.cases[::-1])
    ran = []
    for judges in tools.elsewhere:
        changed = ", ".join(f"{name}={value}" for name, value in judges.env.items())
        execution = execute(
            tools, turned, program(problem), "stable", judges=judges, perturbation=changed
        )
        ran.append(execution)
        if execution.verdict != "pass":
            evidence = f"{changed}, cases reversed: {execution.detail}"
            return FILTER.drop(problem, "unstable", evidence, ran)
    return FILTER.keep(problem, f"agrees in {len(ran)} other environments", ran)


FILTER = Filter("stable", 2, apply)
