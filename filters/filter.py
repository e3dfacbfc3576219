"""What a filter is: a name, a version, and a function from a problem to a finding."""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from thresher.errors import InfrastructureError
from thresher.filters.limits import limits_for
from thresher.judging import Judged, Judges
from thresher.sandbox.remote import CellLimits
from thresher.store.records import Decision, Execution, Problem, Sample, Source, content_id

NO_FACTS: Mapping[str, Any] = {}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What decides what a filter finds, with its defaults; each filter that has any adds its own.

    They are part of the key of each decision, so that changing one decides anew.
    """


class Tools(NamedTuple):
    """What filters work with.

    Attributes:
        judges: the pool that programs run in.
        source: gives the source of a problem.
        samples: gives the reference model's samples of a problem at the asked indices.
        batch: how many samples the model is best asked for at once.
        wall: the sandbox level, as stored with each execution.
        options: those of the filter that is applied, an instance of its own class.
        surveyed: what the filter's survey gave.
        limits: those of the problem at hand, see `thresher.filters.limits`.
    """

    judges: Judges
    source: Callable[[Problem], Source]
    samples: Callable[[Problem, range], list[Sample]]
    batch: int
    wall: str
    options: Any = None
    surveyed: Any = None
    limits: CellLimits = limits_for(0)


class Finding(NamedTuple):
    """A filter's decision and the executions it rests on.

    `refined` is the problem as it goes on, where the filter mended it or added cases.
    """

    decision: Decision
    executions: tuple[Execution, ...]
    refined: Problem | None = None


class Filter(NamedTuple):
    """A filter, which judges several problems at once in as many threads.

    Attributes:
        name: what decisions, configurations and the funnel call it.
        version: raised whenever it would decide differently.
        apply: gives what it finds of a problem; raises InfrastructureError where the sandbox or
            the model failed.
        options: the defaults of what a configuration may set.
        survey: for a filter that compares problems: looks at all that came this far. Its decisions
            hold for that set of problems.
    """

    name: str
    version: int
    apply: Callable[[Problem, Tools], Finding]
    options: Options = Options()
    survey: Callable[[Sequence[Problem], Tools], object] | None = None

    def keep(
        self,
        problem: Problem,
        evidence: str,
        ran: Sequence[Execution],
        refined: Problem | None = None,
        facts: Mapping[str, Any] = NO_FACTS,
    ) -> Finding:
        """Find that a problem may stay, perhaps `refined`."""
        found = self._found(problem, True, "kept", evidence, ran, facts)
        return found._replace(refined=refined)

    def drop(
        self,
        problem: Problem,
        reason: str,
        evidence: str,
        ran: Sequence[Execution],
        facts: Mapping[str, Any] = NO_FACTS,
    ) -> Finding:
        """Find that a problem must go, for a reason the funnel counts by."""
        return self._found(problem, False, reason, evidence, ran, facts)

    def _found(
        self,
        problem: Problem,
        keep: bool,
        reason: str,
        evidence: str,
        ran: Sequence[Execution],
        facts: Mapping[str, Any],
    ) -> Finding:
        decision = Decision(
            subject=problem.task_id,
            filter=self.name,
            version=self.version,
            keep=keep,
            reason=reason,
            evidence=evidence,
            facts=dict(facts),
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
    return describe(tools, problem, source, purpose, run, perturbation, judged)


def describe(
    tools: Tools,
    problem: Problem,
    source: str,
    purpose: str,
    run: int,
    perturbation: str,
    judged: Judged,
) -> Execution:
    """Describe one judged run of a program as it is stored."""
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
