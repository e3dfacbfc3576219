"""What a filter is: a name, a version, and a function from a problem to a finding."""

import ast
from collections.abc import Callable, Sequence
from typing import NamedTuple

from thresher.errors import InfrastructureError
from thresher.filters.limits import limits_for
from thresher.judging import Judged, Judges
from thresher.sandbox.remote import CellLimits
from thresher.store.records import Decision, Execution, Problem, Sample, content_id


class Tools(NamedTuple):
    """What filters work with.

    Attributes:
        judges: the pool that programs run in.
        elsewhere: further pools, each with another environment.
        samples: gives the reference model's samples of a problem at the asked indices.
        limit: how many samples may be asked for per problem.
        batch: how many are asked for at once.
        stop_at_first_pass: whether no more samples are asked for after one that passes.
        wall: the sandbox level, as stored with each execution.
        limits: those of the problem at hand, see `thresher.filters.limits`.
    """

    judges: Judges
    elsewhere: Sequence[Judges]
    samples: Callable[[Problem, range], list[Sample]]
    limit: int
    batch: int
    stop_at_first_pass: bool
    wall: str
    limits: CellLimits = limits_for(0)


class Finding(NamedTuple):
    """A filter's decision and the executions it rests on."""

    decision: Decision
    executions: tuple[Execution, ...]


class Filter(NamedTuple):
    """A filter; `apply` raises InfrastructureError where the sandbox or the model failed."""

    name: str
    version: int
    apply: Callable[[Problem, Tools], Finding]

    def keep(self, problem: Problem, evidence: str, ran: Sequence[Execution]) -> Finding:
        """Find that a problem may stay."""
        return self._found(problem, True, "kept", evidence, ran)

    def drop(
        self, problem: Problem, reason: str, evidence: str, ran: Sequence[Execution]
    ) -> Finding:
        """Find that a problem must go, for a reason the funnel counts by."""
        return self._found(problem, False, reason, evidence, ran)

    def _found(
        self, problem: Problem, keep: bool, reason: str, evidence: str, ran: Sequence[Execution]
    ) -> Finding:
        decision = Decision(
            subject=problem.task_id,
            filter=self.name,
            version=self.version,
            keep=keep,
            reason=reason,
            evidence=evidence,
        )
        return Finding(decision, tuple(ran))


def program(problem: Problem, body: str | None = None) -> str:
    """Return the problem's own program, or its prompt with another body."""
    return problem.prompt + (problem.canonical_solution if body is None else body)


def indent(problem: Problem) -> str:
    """Return the white space that the body's first statement begins with."""
    first = next(line for line in problem.canonical_solution.splitlines() if line.strip())
    return first[: len(first) - len(first.lstrip())]


def parameters(problem: Problem) -> list[str]:
    """Return the entry point's parameter names, in order."""
    tree = ast.parse(program(problem))
    function = next(
        node
        for node in reversed(tree.body)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name == problem.entry_point
    )
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [a.arg for a in (*named, arguments.vararg, arguments.kwarg) if a is not None]


def execute(
    tools: Tools,
    problem: Problem,
    source: str,
    purpose: str,
    *,
    run: int = 0,
    judges: Judges | None = None,
    perturbation: str = "",
) -> Execution:
    """Judge one program against a problem and describe the run.

    Raises:
        InfrastructureError: the sandbox failed, so there is no verdict.
    """
    judged = (judges or tools.judges).verdict(problem, source, tools.limits)
    if judged.verdict == "infrastructure_error":
        raise InfrastructureError(f"{problem.task_id}: {judged.detail}")
    return _execution(tools, problem, source, purpose, run, perturbation, judged)


def _execution(
    tools: Tools,
    problem: Problem,
    source: str,
    purpose: str,
    run: int,
    perturbation: str,
    judged: Judged,
) -> Execution:
    return Execution(
        task_id=problem.task_id,
        program=content_id(source),
        purpose=purpose,
        run=run,
        perturbation=perturbation,
        verdict=judged.verdict,
        failing_case=judged.failing_case,
        detail=judged.detail,
        cpu_seconds=round(judged.cpu_seconds, 6),
        wall_seconds=round(judged.wall_seconds, 6),
        cpu_limit=tools.limits.cpu,
        wall_limit=tools.limits.wall,
        sandbox=tools.wall,
    )
