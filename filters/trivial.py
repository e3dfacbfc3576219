"""Bodies that know nothing must fail: none, raising, a constant, an argument or a conversion."""

from collections.abc import Iterator

from thresher.filters.filter import (
    Filter,
    Finding,
    Tools,
    execute,
    indent,
    parameters,
    program,
)
from thresher.store import values
from thresher.store.records import Problem

CONVERSIONS = ("abs", "bool", "len", "list", "not", "sorted", "str")
CONSTANTS = ("0", "1", "''", "[]", "{}", "()", "True", "False")


def apply(problem: Problem, tools: Tools) -> Finding:
    """Run every trivial body; drop the problem when one of them passes."""
    ran = []
    for name, body in bodies(problem):
        execution = execute(tools, problem, program(problem, body), f"trivial {name}")
        ran.append(execution)
        if execution.verdict == "pass":
            return FILTER.drop(problem, f"{name}-passes", body.strip(), ran)
    return FILTER.keep(problem, f"{len(ran)} trivial bodies fail", ran)


def bodies(problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield (kind, body): the cases' own answers count among the constants."""
    pad = indent(problem)
    yield "empty", f"{pad}pass\n"
    raised = [case.raises for case in problem.cases if case.raises is not None]
    for exception in dict.fromkeys(("ValueError", *raised)):
        yield "raising", f"{pad}raise {exception}\n"
    expected = [case.expected for case in problem.cases if case.raises is None]
    answers = {values.render(tree): values.imports(tree) for tree in expected}
    for constant in dict.fromkeys((*CONSTANTS, *answers)):
        needed = "".join(f"{pad}import {name}\n" for name in sorted(answers.get(constant, ())))
        yield "constant", f"{needed}{pad}return {constant}\n"
    names = parameters(problem)
    for name in names:
        yield "echo", f"{pad}return {name}\n"
        for function in CONVERSIONS:
            yield "conversion", f"{pad}return {function}({name})\n"
    yield "echo", f"{pad}return ({', '.join(names)},)\n"


FILTER = Filter("trivial", 3, apply)
