"""Bodies that know nothing must fail: none, raising, a constant, an argument or a conversion.

Of a program the input takes the place of arguments, and its words are converted.
"""

import textwrap
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
from thresher.store import data, values
from thresher.store.comparison import tags
from thresher.store.records import Problem, Tree

CONVERSIONS = ("abs", "bool", "len", "list", "not", "sorted", "str")
PRINTED = ("*sorted", "len", "max", "min", "*reversed")  # of the words that are read
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
    return _programs(problem) if problem.style == "stdio" else _functions(problem)


def _programs(problem: Problem) -> Iterator[tuple[str, str]]:
    yield "empty", ""
    for text in dict.fromkeys(case.expected for case in problem.cases):
        yield "constant", f"print({text!r}, end='')\n"
    yield "echo", "print(open(0).read(), end='')\n"
    yield "echo", "print(input())\n"
    for function in PRINTED:
        yield "conversion", f"print({function}(open(0).read().split()))\n"


def _functions(problem: Problem) -> Iterator[tuple[str, str]]:
    pad = indent(problem)
    yield "empty", f"{pad}pass\n"
    raised = [case.raises for case in problem.cases if case.raises is not None]
    for exception in dict.fromkeys(("ValueError", *raised)):
        tree = {"global": exception}
        yield "raising", f"{_needed(tree, pad)}{pad}raise {data.render(tree)}\n"
    expected = [case.expected for case in problem.cases if case.raises is None]
    answers = {data.render(tree): _needed(tree, pad) for tree in expected}
    for constant in dict.fromkeys((*CONSTANTS, *answers)):
        yield "constant", answers.get(constant, "") + _giving(problem, pad, constant)
    names = parameters(problem)
    for name in names:
        yield "echo", _giving(problem, pad, name)
        for function in CONVERSIONS:
            yield "conversion", _giving(problem, pad, f"{function}({name})")
    yield "echo", _giving(problem, pad, f"({', '.join(names)},)")


def _giving(problem: Problem, pad: str, expression: str) -> str:
    """Return the body that gives a value; any iterable is good for a generator's outputs."""
    if problem.mode == "async-generates":
        return f"{pad}for each in {expression}:\n{pad}    yield each\n"
    return f"{pad}return {expression}\n"


def _needed(tree: Tree, pad: str) -> str:
    """Return what the source of a value needs before it."""
    imports = "".join(f"{pad}import {name}\n" for name in sorted(data.imports(tree)))
    build = values.BUILD if "instance" in tags(tree) else ""
    return imports + textwrap.indent(build, pad)


FILTER = Filter("trivial", 4, apply)
