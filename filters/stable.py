"""Reruns in fresh interpreters under other hash seeds must agree with the recorded answers."""

import msgspec

from thresher.filters.filter import Filter, Finding, Tools, execute, program
from thresher.store.records import Problem


def apply(problem: Problem, tools: Tools) -> Finding:
    """Run the reference under each other hash seed, the cases in reverse order.

    Answers that depend on the order of a set, or on the calls made before, differ.
    """
    turned = msgspec.structs.replace(problem, cases=problem.cases[::-1])
    ran = []
    for judges in tools.reseeded:
        seed = f"hash seed {judges.hash_seed}, cases reversed"
        execution = execute(
            tools, turned, program(problem), "stable", judges=judges, perturbation=seed
        )
        ran.append(execution)
        if execution.verdict != "pass":
            evidence = f"{seed}: case {execution.failing_case}: {execution.detail}"
            return FILTER.drop(problem, "unstable", evidence, ran)
    return FILTER.keep(problem, f"agrees under {len(ran)} other hash seeds", ran)


FILTER = Filter("stable", 1, apply)
