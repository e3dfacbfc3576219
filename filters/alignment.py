"""Prompt and reference must say the same: examples, annotations, stated ranges.

An example that can't be read, or can't be run here, is no fault; so is one that the reference
answers as the text says, told leniently (see `thresher.filters.examples.agreement`). A case that
expects an exception may break the contract: it tests just that. Of calls that were recorded, those
that break the contract are left out, as a test that passes None to see what happens: the others are
fine. A case that a text gives is another matter, then text and program don't belong together.
"""

import ast
import builtins
import doctest
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec

from thresher.filters.contracts.annotations import BAD_SOURCE
from thresher.filters.contracts.contract import Contract, contract_of, function, text_of
from thresher.filters.examples import shown_programs
from thresher.filters.examples.agreement import agrees
from thresher.filters.examples.prompt_examples import Broken, Shown, examples
from thresher.filters.examples.shown_runs import Ran, run
from thresher.filters.filter import Filter, Finding, Options, Tools
from thresher.store import data
from thresher.store.humaneval import call_source
from thresher.store.records import Execution, Problem, TestCase, content_id

LONGEST = 300  # characters of a sentence, of a call and of an answer in evidence
SHOWN = 3  # cases that are left out, in evidence
# Raised where an example needs something that isn't here.
ELSEWHERE = {"NameError", "ImportError", "ModuleNotFoundError", "FileNotFoundError", "OSError"}
CALLED = re.compile(r"[A-Za-z_][\w.]*\(.*\)", re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Aligning(Options, frozen=True):
    """`least_cases`: recorded cases that must be left where some break the contract."""

    least_cases: Annotated[int, msgspec.Meta(ge=1)] = 3


class Broke(NamedTuple):
    """A case that breaks what is promised: its number, the reason code, and a line on it."""

    number: int
    reason: str
    line: str


def apply(problem: Problem, tools: Tools) -> Finding:
    """Hold the cases against what the text promises, and the text's examples against the program.

    Recorded cases that break the contract are left out where enough others stay.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    mended, broken = _within(problem)
    if broken and (mended is None or _recorded(mended) < tools.options.least_cases):
        return FILTER.drop(problem, broken[0].reason, broken[0].line, ())
    mended = mended or problem
    ran: list[Execution] = []
    if problem.style == "stdio":
        wrong = shown_programs.disagreement(mended, tools, ran)
        return _concluded(problem, mended, wrong, len(shown_programs.pairs(problem)), broken, ran)
    shown = _examples(mended)
    if isinstance(shown, Broken):
        return FILTER.drop(problem, "docstring-broken", shown.why[:LONGEST], ())
    wrong, checked = _disagreement(mended, shown, tools, ran)
    return _concluded(problem, mended, wrong, checked, broken, ran)


def _concluded(
    problem: Problem,
    mended: Problem,
    wrong: str | None,
    checked: int,
    broken: Sequence[Broke],
    ran: Sequence[Execution],
) -> Finding:
    if wrong is not None:
        return FILTER.drop(problem, "example-disagrees", wrong, ran)
    if not broken:
        said = f"{checked} examples agree, no case breaks what is said"
        return FILTER.keep(problem, said, ran)
    lines = "; ".join(each.line for each in broken[:SHOWN]) + ("; …" if broken[SHOWN:] else "")
    said = f"{checked} examples agree; {len(broken)} of {len(problem.cases)} cases are left out: "
    facts = {"left_out": [each.number for each in broken]}
    return FILTER.keep(problem, said + lines, ran, mended, facts)


def _within(problem: Problem) -> tuple[Problem | None, list[Broke]]:
    """Leave out recorded cases that break the contract.

    What is left says anew what the parameters are, and may promise more.

    Returns:
        The problem with the other cases, None where a case breaks it that isn't recorded; and
        those that do.
    """
    numbers = list(range(len(problem.cases)))
    found: list[Broke] = []
    while True:
        left = msgspec.structs.replace(problem, cases=tuple(problem.cases[n] for n in numbers))
        broken = list(_broken(problem, contract_of(left), numbers))
        found += broken
        if not broken:
            return left, sorted(found)
        if any(problem.cases[each.number].origin != "traced" for each in broken):
            return None, broken
        gone = {each.number for each in broken}
        numbers = [number for number in numbers if number not in gone]


def _broken(problem: Problem, contract: Contract, numbers: Sequence[int]) -> Iterator[Broke]:
    for number in numbers:
        case = problem.cases[number]
        if broken := _breach(problem, contract, case):
            reason, said = broken
            line = f"case {number}: {_call(problem, case)}: {said[:LONGEST]}"
            yield Broke(number, reason, line)


def _recorded(problem: Problem) -> int:
    """Count the different recorded calls with arguments that are allowed."""
    contract = contract_of(problem)
    return len(
        {
            content_id([case.args, case.kwargs])
            for case in problem.cases
            if case.origin == "traced" and contract.breach(case.args, case.kwargs) is None
        }
    )


def _breach(problem: Problem, contract: Contract, case: TestCase) -> tuple[str, str] | None:
    """Return the reason and what is broken by a case."""
    if case.raises is not None:
        return None
    if said := contract.breach(case.args, case.kwargs):
        return "contract-breach", said
    said = contract.breach_of_answer(case.expected, problem.mode)
    if said:
        return "annotation-breach", f"{_short(data.render(case.expected))}: {said}"
    return None


def _call(problem: Problem, case: TestCase) -> str:
    if problem.style == "stdio":
        return _short(repr(case.args[0]))
    return _short(call_source(case, problem.entry_point))


def _examples(problem: Problem) -> list[Shown] | Broken:
    try:
        tree = ast.parse(problem.prompt + problem.canonical_solution)
    except BAD_SOURCE:
        return []
    node = function(tree, problem.entry_point)
    if node is None:
        return []
    arguments = node.args
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    required = names[: len(names) - len(arguments.defaults)]
    return examples(text_of(node), problem.entry_point, required)


def _disagreement(
    problem: Problem, shown: Sequence[Shown], tools: Tools, runs: list[Execution]
) -> tuple[str | None, int]:
    """Return the first example that the reference contradicts, and how many it doesn't."""
    checked = 0
    for is_doctest in (True, False):
        chosen = [each for each in shown if each.is_doctest is is_doctest]
        is_complete = True
        for each, ran in zip(chosen, run(problem, chosen, tools, runs), strict=True):
            told = _agrees(each, ran)
            if told is False and (is_complete or ran.raises is None):
                return f"{_short(each.line)}, but {_describe(ran)}", checked
            checked += told is True
            is_complete &= ran.raises is None or told is True or not is_doctest
    return None, checked


def _agrees(shown: Shown, ran: Ran) -> bool | None:
    """Say whether an example gave what it says; None where that can't be told."""
    if not shown.counts or not ran.told or ran.raises in ELSEWHERE:
        return None
    value = shown.value
    if value is not None and value.raises is not None:
        return _raises(value.raises, ran)
    if value is None and not shown.want:
        return None
    if ran.raises is not None:
        return False
    printed, representation = ran.text
    got = printed + (f"{representation}\n" if representation else "")
    if shown.want and doctest.OutputChecker().check_output(shown.want, got, FLAGS):
        return True
    if shown.is_doctest and CALLED.fullmatch(shown.want.strip()) and _is_plain(ran.value):
        return False  # an object was meant, as one that a decorator makes which is left out
    if value is None or printed:
        return _printed_alike(shown.want, printed) if printed else None
    return None if ran.value is msgspec.UNSET else agrees(value, ran.value)


def _is_plain(tree: object) -> bool:
    return tree is None or isinstance(tree, bool)


def _raises(name: str, ran: Ran) -> bool | None:
    """Compare exceptions; of a class that isn't built in only the name behind the last dot."""
    if ran.raises is None:
        return False if hasattr(builtins, name) else None
    found, wanted = (each.rpartition(":")[2].rpartition(".")[2] for each in (ran.raises, name))
    if found == wanted:
        return True
    classes = getattr(builtins, found, None), getattr(builtins, wanted, None)
    if all(isinstance(each, type) and issubclass(each, BaseException) for each in classes):
        return issubclass(*classes)  # type: ignore[arg-type]
    return None


def _printed_alike(want: str, printed: str) -> bool | None:
    """Compare printed texts; words in another order and addresses in memory don't count."""
    if not want or sorted(want.split()) == sorted(printed.split()):
        return True if want else None
    return None if "0x" in want or "..." in want else False


def _describe(ran: Ran) -> str:
    if ran.raises is not None:
        return f"the reference raises {ran.raises}: {_short(ran.message)}"
    printed, representation = ran.text
    return f"the reference gives {_short(representation or printed or 'None')}"


def _short(text: str) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


FILTER = Filter("alignment", 4, apply, Aligning())
