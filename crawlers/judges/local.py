"""A judge on this host: cases that a problem package keeps secret, run in the sandbox."""

import msgspec

from thresher.crawlers.judges.judge import Report
from thresher.errors import InfrastructureError
from thresher.judging import Judges
from thresher.sandbox.judge import DEFAULT_LIMITS
from thresher.sandbox.remote import CellLimits
from thresher.store import data, values
from thresher.store.records import Problem, TestCase, Tree


class Local:
    """Judges by cases of its own.

    Args:
        problem: whose programs are judged.
        secret: the cases that they are judged by, in order.
        judges: run the programs.
        limits: of a program.
    """

    def __init__(
        self,
        problem: Problem,
        secret: tuple[TestCase, ...],
        judges: Judges,
        limits: CellLimits = DEFAULT_LIMITS,
    ) -> None:
        self._problem = msgspec.structs.replace(problem, cases=secret)
        self._judges, self._limits = judges, limits

    def submit(self, program: str, language: str) -> Report:
        """Judge a Python program; see `Judge.submit`."""
        judged = self._judges.verdict(self._problem, program, self._limits)
        if judged.verdict == "infrastructure_error":
            raise InfrastructureError(f"{self._problem.task_id}: {judged.detail}")
        if judged.verdict == "pass":
            return Report("accepted")
        if judged.failing_case is None:
            return Report("failed", said=judged.detail)
        case = self._problem.cases[judged.failing_case]
        given = "\n".join(map(self._text, case.args))
        return Report("wrong", given, self._text(case.expected), judged.detail)

    def _text(self, tree: Tree) -> str:
        if self._problem.style == "stdio":
            return str(values.decode(tree))
        return data.render(tree)
