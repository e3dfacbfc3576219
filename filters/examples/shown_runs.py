"""Run the examples of a prompt against the reference, in the sandbox."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from thresher.filters.examples.prompt_examples import Shown
from thresher.filters.filter import Tools, program
from thresher.filters.raw_runs import described
from thresher.sandbox.judge import Call, Outcome
from thresher.store.records import Execution, Problem, Tree

LONGEST = 10_000  # characters of what an example prints
# Text and value are asked for one after the other, since not every value can be told as data.
HARNESS = f"""

def thresher_text_of(source):
    import ast, contextlib, io, itertools, types
    space = globals()
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<example>", "exec"), space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<example>", "eval"), space)
        if isinstance(value, types.CoroutineType):
            import asyncio  # takes a while
            value = asyncio.run(thresher_awaited(value))
    if isinstance(value, types.GeneratorType):
        shown = object.__repr__(value)
        value = list(itertools.islice(value, 1000))
    else:
        shown = repr(value)
    space["thresher_value"] = value
    shown = "" if value is None else shown[:{LONGEST}]
    return printed.getvalue()[:{LONGEST}], shown


async def thresher_awaited(value):
    return await value


def thresher_asked(source):
    if source is not None:
        return thresher_text_of(source)
    return globals().pop("thresher_value")
"""
ENTRY = "thresher_asked"
PURPOSE = "shown examples"


class Ran(NamedTuple):
    """What an example gave.

    Attributes:
        text: what it printed, and the representation of its value.
        value: that as data, unset where it is none.
        raises: the name of the exception that it raised, and its message.
        told: false where there is no outcome at all.
    """

    text: tuple[str, str] = ("", "")
    value: Tree = msgspec.UNSET
    raises: str | None = None
    message: str = ""
    told: bool = True


def run(problem: Problem, shown: Sequence[Shown], tools: Tools, ran: list[Execution]) -> list[Ran]:
    """Run examples one after the other in one cell, and add what is stored of that to `ran`.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    if not shown:
        return []
    calls = [Call((source,), {}) for each in shown for source in (each.source.strip(), None)]
    source = program(problem)
    result = tools.judges.run(source + HARNESS, ENTRY, calls, tools.limits)
    ran.append(described(tools, problem, source, PURPOSE, result, len(calls)))
    outcomes = result.outcomes if result.failure is None else ()
    missing = [Outcome(refused="not told")] * (len(calls) - len(outcomes))
    told = [*outcomes, *missing]
    return [_ran(told[at], told[at + 1]) for at in range(0, len(told), 2)]


def _ran(text: Outcome, value: Outcome) -> Ran:
    if text.raises is not None:
        return Ran(raises=text.raises, message=text.message)
    match text.value:
        case {"tuple": [str() as printed, str() as shown]}:
            return Ran((printed, shown), value.value)
    return Ran(told=False)
