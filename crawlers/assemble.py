"""A statement becomes a problem that its own solution passes, or is set aside with the reason."""

import itertools

import msgspec

from thresher.crawlers import programs, returned
from thresher.crawlers.functions import problems
from thresher.crawlers.statement import Statement
from thresher.errors import InfrastructureError, SourceError
from thresher.judging import Judged, Judges, call_of
from thresher.sandbox.remote import CellLimits
from thresher.store import data
from thresher.store.funnel import CRAWL, decided
from thresher.store.humaneval import call_source
from thresher.store.programs import function_form
from thresher.store.records import Problem, Record, Source, content_id

VERSION = 1
CPU_SECONDS = 10.0  # where the statement has no limit
LONGEST_LIMIT = 12.0  # seconds; a statement that allows more is mistaken, or means harm
SLOWER = 5  # than the compiled programs that a site's time limits are made for
MOST_SOLUTIONS = 5  # tried, before a problem is quarantined
LONGEST_SHOWN = 300  # characters of a case in evidence


def make(name: str, found: Statement | SourceError, raw: Source, judges: Judges) -> list[Record]:
    """Make the records of one found statement: its source, the problem, and the decision on it.

    Args:
        name: what to call it where there is no statement, such as ``exercism/two-fer``.
        found: the statement, or why there is none.
        raw: where the bytes came from that it was read from.
        judges: run the known solutions.

    Raises:
        InfrastructureError: the sandbox failed; nothing was decided.
    """
    if isinstance(found, SourceError):
        return [raw, decided(CRAWL, VERSION, name, found.reason, str(found))]
    name = f"{found.site}/{found.key}"
    source = source_of(found, raw)
    try:
        problem, evidence = _checked(found, source, judges)
    except SourceError as error:
        return [source, decided(CRAWL, VERSION, name, error.reason, str(error))]
    return [source, problem, decided(CRAWL, VERSION, name, None, f"{problem.task_id}: {evidence}")]


def source_of(statement: Statement, raw: Source) -> Source:
    """Return the source of a statement: of its bytes, with the licence that it states."""
    if not statement.licence_evidence:
        return raw
    stated = {"licence": statement.licence, "licence_evidence": statement.licence_evidence}
    return msgspec.structs.replace(raw, id=content_id([raw.id, stated])[:16], **stated)


def _checked(statement: Statement, source: Source, judges: Judges) -> tuple[Problem, str]:
    """Return the problem with the first solution that passes all its cases, and the evidence.

    Raises:
        SourceError: it can't be a problem, or no solution passes (``solution-disagrees``).
    """
    built, refused = _built(statement, source)
    disagreed = []
    if len(built) > 1:  # what is exported of a program is its function form
        built.sort(key=lambda one: one[1].style == "stdio" and function_form(one[1]) is None)
    for only, problem in built:
        judged = _judged(problem, statement, judges)
        if judged.verdict == "pass":
            return problem, f"{source.url}: the solution passes {_shown(problem)}"
        if found := _restated(only, problem, source, judges):
            return found
        disagreed.append(SourceError("solution-disagrees", _disagreement(problem, judged)))
    if disagreed or refused:
        raise (disagreed or refused)[0]
    problem = build(msgspec.structs.replace(statement, solutions=()), source)
    return problem, f"{source.url}: no solution is known; {_shown(problem)}"


def _restated(
    statement: Statement, problem: Problem, source: Source, judges: Judges
) -> tuple[Problem, str] | None:
    """Return the problem with the answers of its solution, where its source's ``==`` takes them.

    A prompt that the source gave shows its own answers: it stays as it is.
    """
    if statement.site not in returned.SITES or statement.prompt:
        return None
    program = problem.prompt + problem.canonical_solution
    result = judges.run(program, problem.entry_point, list(map(call_of, problem.cases)))
    again = returned.restated(statement, result.outcomes)
    if again is None:
        return None
    try:
        problem = build(again, source)
    except SourceError:  # its signature says what it doesn't give
        return None
    if _judged(problem, again, judges).verdict != "pass":
        return None
    return problem, (
        f"{source.url}: the solution passes {_shown(problem)}; the answers have the types that it "
        "gives, for which the == of the source's tests takes those stated"
    )


def _built(
    statement: Statement, source: Source
) -> tuple[list[tuple[Statement, Problem]], list[SourceError]]:
    """Build the problem with each of its solutions, the first few that are Python of today."""
    built, failed = [], []
    right = (one for one in statement.solutions if one.right and one.language == "python")
    usable = (one for one in right if programs.is_python(one.text))
    for solution in itertools.islice(usable, MOST_SOLUTIONS):
        only = msgspec.structs.replace(statement, solutions=(solution,))
        try:
            built.append((only, build(only, source)))
        except SourceError as error:
            failed.append(error)
    return built, failed


def build(statement: Statement, source: Source) -> Problem:
    """Make the problem of a statement with at most one solution; nothing is run.

    Raises:
        SourceError: it is of a kind that can't be a problem, or its examples can't be used.
    """
    if statement.kind == "function":
        return problems.problem(statement, source)
    return programs.problem(statement, source)


def _judged(problem: Problem, statement: Statement, judges: Judges) -> Judged:
    limit = min(statement.time_limit or 0, LONGEST_LIMIT) * SLOWER
    limits = CellLimits(cpu=max(limit, CPU_SECONDS))
    judged = judges.verdict(problem, problem.prompt + problem.canonical_solution, limits)
    if judged.verdict == "infrastructure_error":
        raise InfrastructureError(f"{problem.task_id}: {judged.detail}")
    return judged


def _disagreement(problem: Problem, judged: Judged) -> str:
    """Say on which case a solution that should be right disagrees with the statement."""
    if judged.failing_case is None:
        return f"{problem.task_id}: its own solution: {judged.verdict}: {judged.detail}"
    case = problem.cases[judged.failing_case]
    wanted = f"raises {case.raises}" if case.raises else data.render(case.expected)
    return (
        f"{problem.task_id}: case {judged.failing_case + 1} of {len(problem.cases)}: "
        f"{_short(call_source(case, problem.entry_point))} gives {_short(wanted)}, its own "
        f"solution: {judged.verdict}: {judged.detail}"
    )


def _shown(problem: Problem) -> str:
    shown = sum(case.shown for case in problem.cases)
    return f"{len(problem.cases)} cases, {shown} of them shown"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
