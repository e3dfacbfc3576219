"""Answers must not depend on where, when, after what or in which order a program is called.

The reference runs once more as it is and then under `VARIANTS`: each in an interpreter of its own
in which everything is changed at once, in several rounds of calls. Plain reruns find next to
nothing. On a difference, single factors are changed to name the reason.

A source that is read, such as a clock, is no reason to drop a problem: then its calls are made in
many more rounds, and the problem stays if the answers never change.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

import msgspec

from thresher.errors import InfrastructureError
from thresher.filters.conditions import VARIANTS, Factors, names, shown, together
from thresher.filters.filter import (
    Filter,
    Finding,
    Options,
    Tools,
    describe,
    execute,
    program,
)
from thresher.judging import Judged, call_of, decide_varied
from thresher.sandbox.conditions import Seen
from thresher.sandbox.judge import Call
from thresher.sandbox.remote import CellLimits
from thresher.sandbox.vary import Answered, Varied
from thresher.store import values
from thresher.store.records import Comparator, Execution, Problem

PURPOSE = "stable"
# Those come first that touch nothing else: libfaketime, for one, leaves files.
SINGLE = ("hash", "file-system", "locale", "environment", "clock", "zone", "load", "memory")
NOTHING: Factors = {}
PROBE = "def f():\n    pass\n"
ROUGH = 4  # how many times the limits: several rounds, watched, in an interpreter of its own
# What may be compared more loosely where only the hash seed changes the answers.
REPAIRS = (
    Comparator(kind="unordered"),
    Comparator(kind="unordered-nested"),
    Comparator(kind="float", relative=1e-9, absolute=1e-12),
)
# What was read decides where nothing was changed and yet the answers differ.
READ = {
    "random": "random",
    "clock": "clock",
    "threads": "load",
    "timers": "load",
    "identity": "memory",
}
CHANCE = {"random", "clock", "threads", "timers"}  # what differs from call to call by itself
SOURCES = {**READ, "listing": "file-system", "environment": "environment", "locale": "locale"}


class Stable(Options, frozen=True):
    """`runs` is how often a reference is run before it is kept; the first is the same again."""

    runs: Annotated[int, msgspec.Meta(ge=1, le=1 + len(VARIANTS))] = 1 + len(VARIANTS)


class Ran(NamedTuple):
    """One run: the factors that were changed, the answers to each case, and what was seen."""

    factors: Factors
    judged: Judged
    answers: tuple[Varied, ...]

    @property
    def seen(self) -> list[Seen]:
        """What was seen in each of its cells."""
        return [each.seen for each in self.answers if each.seen is not None]


def apply(problem: Problem, tools: Tools) -> Finding:
    """Run the reference under everything that may be changed; drop or mend what differs."""
    again = execute(tools, problem, program(problem), PURPOSE, perturbation="none")
    ran = [again]
    if again.verdict != "pass":
        return _named(problem, tools, ran, None, f"the same again: {again.detail}")
    runs = []
    for number, variant in enumerate(VARIANTS[: tools.options.runs - 1], 1):
        runs.append(_surely(problem, tools, variant))
        ran.append(_execution(problem, tools, runs[-1], number))
        if runs[-1].judged.verdict != "pass":
            return _differs(problem, tools, ran, runs)
    return FILTER.keep(problem, certificate(runs), ran, facts=_facts(runs))


def _surely(problem: Problem, tools: Tools, factors: Factors) -> Ran:
    """Run the reference; once more where no answer differs, but a cell ended before its last one.

    On a busy machine a cell may end on its own: that says something of the reference only where it
    comes again.
    """
    first = run(problem, tools, factors)
    differs = first.judged.failing_case is not None and any(each.answers for each in first.answers)
    if first.judged.verdict == "pass" or differs:
        return first
    return run(problem, tools, factors)


def run(problem: Problem, tools: Tools, factors: Factors) -> Ran:
    """Run the reference with these factors changed, all cases together or each as a program.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    made = tuple(_varied(problem, tools, factors))
    limits = rough(tools.limits)
    verdicts: list[Judged] = []
    if problem.style == "function":
        verdicts.append(decide_varied(problem.cases, problem.comparator, made[0], limits))
    for case, each in zip(problem.cases, made, strict=False):
        if problem.style == "stdio":
            verdicts.append(decide_varied((case,), problem.comparator, each, limits))
    bad = [n for n, judged in enumerate(verdicts) if judged.verdict != "pass"]
    if not bad:
        return Ran(factors, max(verdicts, key=lambda judged: judged.cpu_seconds), made)
    judged = verdicts[bad[0]]
    case_number = bad[0] if problem.style == "stdio" else judged.failing_case
    return Ran(factors, judged._replace(failing_case=case_number), made)


def rough(limits: CellLimits) -> CellLimits:
    """Return what a run of several rounds may use."""
    cpu, wall = ROUGH * limits.cpu, ROUGH * limits.wall
    return limits._replace(cpu=cpu, wall=wall, file=ROUGH * limits.file)


def _varied(problem: Problem, tools: Tools, factors: Factors) -> Iterator[Varied]:
    conditions, limits = together(factors, problem), rough(tools.limits)
    source = program(problem)
    if problem.style == "function":
        calls = list(map(call_of, problem.cases))
        yield tools.judges.vary(
            source, problem.entry_point, calls, conditions, limits, problem.mode
        )
        return
    # A program can't say what could not be varied.
    probe = tools.judges.vary(PROBE, "f", [Call((), {})], conditions).seen or Seen()
    for case in problem.cases:
        text = str(values.decode(case.args[0]))
        result = tools.judges.run_program(source, text, limits, conditions)
        answers = tuple(Answered(0, 0, outcome) for outcome in result.outcomes)
        seen = Seen(missing=probe.missing) if result.outcomes else None
        yield Varied(answers, result.failure, result.ended, seen)


def _differs(problem: Problem, tools: Tools, ran: list[Execution], runs: list[Ran]) -> Finding:
    """Name the reason for a difference; mend the problem where a looser comparison is right."""
    last = runs[-1]
    evidence = f"{shown(last.factors)}: case {last.judged.failing_case}: {last.judged.detail}"
    label = label_of(problem, tools, last)
    if label == "hash" and problem.comparator.kind == "exact":
        for variant in VARIANTS[len(runs) : tools.options.runs - 1]:
            runs.append(run(problem, tools, variant))
            ran.append(_execution(problem, tools, runs[-1], len(runs)))
        for comparator in REPAIRS:
            if all(_agrees(problem, tools, each, comparator) for each in runs):
                mended = msgspec.structs.replace(problem, comparator=comparator)
                said = f"{certificate(runs)}; compared as {comparator.kind}, since {evidence}"
                return FILTER.keep(problem, said, ran, mended, _facts(runs) | {"label": label})
    return FILTER.drop(problem, f"unstable-{label}", evidence, ran, _facts(runs))


def _named(
    problem: Problem, tools: Tools, ran: list[Execution], last: Ran | None, evidence: str
) -> Finding:
    """Drop a problem that differs from itself, for the reason that single runs show."""
    label = label_of(problem, tools, last)
    return FILTER.drop(problem, f"unstable-{label}", evidence, ran)


def label_of(problem: Problem, tools: Tools, last: Ran | None) -> str:
    """Name what an answer depends on: change nothing first, then one factor at a time."""

    def differs(factors: Factors) -> bool:
        return run(problem, tools, factors).judged.verdict != "pass"

    plain = run(problem, tools, NOTHING)
    seen = [each for ran in (plain, last) if ran for each in ran.seen]
    read = {source for each in seen for source in each.seen}
    if last is None or plain.judged.verdict != "pass":
        return _read(READ, read) or "memory"  # addresses are what nothing need read
    factors = last.factors
    if differs({"state": factors["state"]}):
        kept = any(each.changed for each in seen) or read.isdisjoint(CHANCE)
        return _of_calls("state", problem, last) if kept else _read(READ, read) or "state"
    if differs({"order": factors["order"]}):
        return _of_calls("order", problem, last)
    for name in ("load", *SINGLE) if "threads" in read else SINGLE:
        if differs({name: factors[name], "state": factors["state"]}):
            return name
    return _read(SOURCES, read) or "together"


def _read(labels: Mapping[str, str], read: Container[str]) -> str | None:
    return next((label for source, label in labels.items() if source in read), None)


def _of_calls(label: str, problem: Problem, last: Ran) -> str:
    case = last.judged.failing_case
    mutated = case is not None and problem.cases[case].after
    return "argument-mutated" if mutated else label


def _agrees(problem: Problem, tools: Tools, ran: Ran, comparator: Comparator) -> bool:
    limits = rough(tools.limits)
    if problem.style == "stdio":
        return False
    return decide_varied(problem.cases, comparator, ran.answers[0], limits).verdict == "pass"


def certificate(runs: Sequence[Ran]) -> str:
    """Say what was varied, how often, and what was looked at without any effect."""
    calls = sum(each.calls for ran in runs for each in ran.seen)
    facts = _facts(runs)
    said = [
        f"the same answers in {1 + len(runs)} runs and {calls} calls",
        f"varied at once: {names(ran.factors for ran in runs)}",
    ]
    if facts["missing"]:
        said.append(f"not varied here: {', '.join(facts['missing'])}")
    for key, text in (("seen", "reads"), ("changed", "keeps"), ("mutated", "changes arguments")):
        if facts[key]:
            said.append(f"{text} {', '.join(facts[key])}")
    return "; ".join(said)


def _facts(runs: Sequence[Ran]) -> dict[str, list[str]]:
    return {
        key: sorted({text for ran in runs for each in ran.seen for text in getattr(each, key)})
        for key in ("seen", "changed", "mutated", "missing")
    }


def _execution(problem: Problem, tools: Tools, ran: Ran, number: int) -> Execution:
    if ran.judged.verdict == "infrastructure_error":
        raise InfrastructureError(f"{problem.task_id}: {ran.judged.detail}")
    rougher = tools._replace(limits=rough(tools.limits))
    source = program(problem)
    return describe(rougher, problem, source, PURPOSE, number, shown(ran.factors), ran.judged)


FILTER = Filter("stable", 5, apply, Stable())
