"""Prompt and reference must say the same: examples, annotations, stated ranges.

An example that can't be read, or can't be run here, is no fault; so is one that the reference
answers as the text says, told leniently (see `thresher.filters.agreement`). A case that expects an
exception may break the contract: it tests just that.
"""

import ast
import builtins
import doctest
from collections.abc import Sequence

import msgspec

from thresher.filters import shown_programs
from thresher.filters.agreement import agrees
from thresher.filters.annotations import BAD_SOURCE
from thresher.filters.contract import Contract, contract_of, function, text_of
from thresher.filters.filter import Filter, Finding, Tools
from thresher.filters.prompt_examples import Broken, Shown, examples
from thresher.filters.shown_runs import Ran, run
from thresher.store import data
from thresher.store.humaneval import call_source
from thresher.store.records import Problem, TestCase

LONGEST = 300  # characters of a sentence, of a call and of an answer in evidence
# Raised where an example needs something that isn't here.
ELSEWHERE = {"NameError", "ImportError", "ModuleNotFoundError", "FileNotFoundError", "OSError"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def apply(problem: Problem, tools: Tools) -> Finding:
    """Hold the cases against what the text promises, and the text's examples against the program.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    contract = contract_of(problem)
    for number, case in enumerate(problem.cases):
        if broken := _breach(problem, contract, case):
            reason, said = broken
            evidence = f"case {number}: {_call(problem, case)}: {said[:LONGEST]}"
            return FILTER.drop(problem, reason, evidence, ())
    if problem.style == "stdio":
        wrong = shown_programs.disagreement(problem, tools)
        return _concluded(problem, wrong, len(shown_programs.pairs(problem)))
    shown = _examples(problem)
    if isinstance(shown, Broken):
        return FILTER.drop(problem, "docstring-broken", shown.why[:LONGEST], ())
    wrong, checked = _disagreement(problem, shown, tools)
    return _concluded(problem, wrong, checked)


def _concluded(problem: Problem, wrong: str | None, checked: int) -> Finding:
    if wrong is not None:
        return FILTER.drop(problem, "example-disagrees", wrong, ())
    return FILTER.keep(problem, f"{checked} examples agree, no case breaks what is said", ())


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


def _disagreement(problem: Problem, shown: Sequence[Shown], tools: Tools) -> tuple[str | None, int]:
    """Return the first example that the reference contradicts, and how many it doesn't."""
    checked = 0
    for is_doctest in (True, False):
        chosen = [each for each in shown if each.is_doctest is is_doctest]
        is_complete = True
        for each, ran in zip(chosen, run(problem, chosen, tools), strict=True):
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
    if value is None or printed:
        return _printed_alike(shown.want, printed) if printed else None
    return None if ran.value is msgspec.UNSET else agrees(value, ran.value)


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


FILTER = Filter("alignment", 1, apply)
