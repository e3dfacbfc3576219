"""More cases of a stored problem from a judge, with everything that takes: for the command line."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from thresher.crawlers.datasets import bounds
from thresher.crawlers.engine.crawl import is_address
from thresher.crawlers.judges.collect import Budget, collect
from thresher.crawlers.judges.judge import Judge
from thresher.crawlers.judges.leetcode import HOME, Limits, open_leetcode
from thresher.crawlers.judges.local import Local
from thresher.crawlers.programs import LONGEST
from thresher.errors import InfrastructureError, SourceError, UsageError
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.sandbox import walls
from thresher.store.records import Decision, Problem, TestCase
from thresher.store.workspace import Workspace

PROBE = "probe"
VERSION = 1
AT_LEETCODE = re.compile(r"https://leetcode\.(?:com|cn)/problems/([a-z0-9-]+)/?", re.I)
ANSWERS = (".ans", ".out", ".a")  # what the file of an answer ends with, beside a NAME.in


class ProbeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which judge to ask, and how often.

    Attributes:
        secret: a folder of cases, ``NAME.in`` with ``NAME.ans`` or ``NAME.out``, to judge by here;
            without one, LeetCode is asked in the user's session.
        home: the address of LeetCode, or of a judge of its shape.
        between: seconds from one submission to the next.
        budget: how many submissions, and for how long.
        require: the weakest sandbox wall to be content with, by name.
    """

    secret: Path | None = None
    home: str = HOME
    between: float = Limits().between
    budget: Budget = Budget()
    require: str | None = None


class Outcome(NamedTuple):
    """How a probe ended: cases before and found, and why it ended early where it did."""

    task_id: str
    before: int
    found: int
    stopped: str = ""


def probe(workspace: Workspace, task: str, options: ProbeOptions, report: Reporter) -> Outcome:
    """Ask a judge about wrong programs, and add each case that it shows to the problem.

    A case is stored as soon as it is known.

    Raises:
        UsageError: there is no such problem, no session or no cases to judge by.
        SandboxUnavailable: no wall that is strong enough works on this host.
    """
    problem = _problem(workspace, task)
    before, stopped = len(problem.cases), ""
    report.stage(f"probe {task}", None)
    with Judges(1, wall=walls.in_force(options.require)) as judges:
        judge = _judge(problem, options, judges)
        try:
            for case in collect(problem, judge, options.budget, report.say):
                problem = msgspec.structs.replace(problem, cases=(*problem.cases, case))
                workspace.commit(None, [problem, _decision(problem, case)])
                report.advance(f"{len(problem.cases)} cases")
        except (SourceError, InfrastructureError) as error:
            stopped = str(error)
    return Outcome(problem.task_id, before, len(problem.cases) - before, stopped)


def _problem(workspace: Workspace, task: str) -> Problem:
    found = workspace.current(Problem, "starts_with(task_id, $1)", task)
    exact = [one for one in found if task in (one.task_id, one.task_id.rpartition("-")[0])] or found
    if len(exact) != 1:
        names = ", ".join(problem.task_id for problem in found[:5]) or "none"
        raise UsageError(f"{task!r} is no name of one problem (those that begin so: {names})")
    return exact[0]


def _judge(problem: Problem, options: ProbeOptions, judges: Judges) -> Judge:
    if options.secret is not None:
        if problem.style != "stdio":
            raise UsageError(f"{problem.task_id} isn't about a program: --secret has cases of text")
        return Local(problem, tuple(_secret(options.secret)), judges)
    found = AT_LEETCODE.match(problem.derivation.file)
    if found is None:
        raise UsageError(
            f"{problem.task_id} isn't of LeetCode: name a folder of cases with --secret"
        )
    if not is_address(options.home):
        raise UsageError(f"{options.home!r} is no address: write for example {HOME}")
    limits = Limits(between=options.between)
    return open_leetcode(found[1], problem.entry_point, options.home, limits)


def _secret(folder: Path) -> Iterator[TestCase]:
    """Yield the cases in a folder, in the order of their names; large ones are left out."""
    found = False
    for given in sorted(folder.rglob("*.in")):
        answers = (given.with_suffix(ending) for ending in ANSWERS)
        answer = next((path for path in answers if _is_usable(path, folder)), None)
        if answer is not None and _is_usable(given, folder):
            found = True
            texts = (path.read_text("utf-8", "replace") for path in (given, answer))
            sample = bounds.sample(*texts)
            yield TestCase(
                args=(sample.input,),
                kwargs={},
                expected=sample.output,
                raises=None,
                origin="judge",
                shown=False,
            )
    if not found:
        raise UsageError(
            f"{folder} has no cases of at most {LONGEST} bytes: they are NAME.in with NAME.ans or "
            "NAME.out"
        )


def _is_usable(path: Path, folder: Path) -> bool:
    """Say whether a file may be part of a case: no link of a package leads out of its folder."""
    inside = path.resolve().is_relative_to(folder.resolve())
    return inside and path.is_file() and path.stat().st_size <= LONGEST


def _decision(problem: Problem, case: TestCase) -> Decision:
    return Decision(
        subject=problem.task_id,
        filter=PROBE,
        version=VERSION,
        keep=True,
        reason="case-added",
        evidence=f"case {len(problem.cases)}: a judge's report on a wrong program",
    )
