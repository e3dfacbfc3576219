"""`thresher eval` with everything it needs: problems and samples in, verdicts and figures out."""

import ast
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from thresher.crawlers.datasets import assertions, humaneval, rows
from thresher.errors import SourceError, UsageError
from thresher.filters.evaluation import report as reports
from thresher.filters.evaluation.samples import Rejected, Results, Sample, read
from thresher.filters.evaluation.tasks import Bench, Graded, Task, grade
from thresher.filters.evaluation.wording import MOST_SHOWN
from thresher.filters.limits import WALL_PER_CPU, calibrated
from thresher.progress import Reporter
from thresher.sandbox import walls
from thresher.store import values
from thresher.store.export import kept
from thresher.store.records import Comparator, Derivation, Execution, Problem, TestCase
from thresher.store.workspace import Workspace

Tasks = dict[str, Task | str]


class EvalOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to evaluate.

    Attributes:
        ks: of pass@k; None for those of 1, 10 and 100 that there are samples for.
        timeout: CPU seconds of a program; None for what is fitting to the problem.
        require: the weakest sandbox wall to be content with, by name.
        every_case: judge also the cases after one that fails.
    """

    ks: tuple[int, ...] | None = None
    timeout: float | None = None
    require: str | None = None
    every_case: bool = False


class Evaluation(NamedTuple):
    """What came of it.

    Attributes:
        figures: see `thresher.filters.evaluation.report.figures`, with counts and BLEU.
        rejected: lines of the samples that aren't counted.
        results: the file of verdicts.
        complete: nothing was rejected, and the sandbox never failed.
    """

    figures: dict[str, Any]
    rejected: list[Rejected]
    results: Path
    complete: bool


def evaluate(samples: Path, tasks: Tasks, options: EvalOptions, report: Reporter) -> Evaluation:
    """Judge the samples of a file and say what that means.

    Raises:
        UsageError: the file can't be read or holds nothing, or a `k` was asked for that has too
            few samples.
        SandboxUnavailable: no wall that is strong enough works on this host.
    """
    if not samples.is_file():
        raise UsageError(f"{samples} is no ordinary file, beside which verdicts could be written")
    wall = walls.in_force(options.require)
    report.say(f"sandbox: {walls.probe(wall)}")
    tasks = {name: _asked(task, options) for name, task in tasks.items()}
    found = read(samples, tasks, wall.name)
    if not found.good and not found.rejected:
        raise UsageError(f"there are no samples in {samples}")
    for line, reason in found.rejected[:MOST_SHOWN]:
        report.say(f"line {line} of {samples} {reason}")
    reports.check_ks(options.ks or (), found.good)
    with Results(samples) as results, Bench(wall=wall) as bench:
        before = len(results.known)
        failed = _judge(found.good, tasks, results, bench, report)
    if found.good:  # samples of other problems take no verdict away
        results.finish(found.good)
    problems = reports.grouped(found.good, results.known, tasks)
    figures = {
        "problems": sum(isinstance(task, Task) for task in tasks.values()),
        "problems_with_samples": len(problems),
        "samples": len(found.good),
        "different_programs": len({sample.key for sample in found.good}),
        "judged_now": len(results.known) - before,
        "not_judged": failed,
        "rejected": [line._asdict() for line in found.rejected],
        **reports.figures(problems, options.ks or reports.KS),
        "bleu": _bleu(problems, report),
    }
    complete = not found.rejected and not failed
    return Evaluation(figures, found.rejected, results.path, complete)


def _judge(
    samples: Sequence[Sample],
    tasks: Mapping[str, Task | str],
    results: Results,
    bench: Bench,
    report: Reporter,
) -> int:
    """Judge what isn't known yet, as many at once as there are judges; return how many failed."""
    alike: dict[str, list[Sample]] = {}
    for sample in samples:
        if sample.key not in results.known:
            alike.setdefault(sample.key, []).append(sample)
    report.stage("judge", len(alike))
    failed = 0
    with ThreadPoolExecutor(bench.size) as threads:
        try:
            begun = {_begin(threads, bench, tasks, same[0]): same for same in alike.values()}
            for future in as_completed(begun):
                graded, same = future.result(), begun[future]
                if graded.verdict == reports.NOT_JUDGED:
                    report.say(f"{same[0].task_id}: not judged: {graded.detail}")
                    failed += len(same)
                else:
                    results.add(same, graded)
                report.advance(f"{same[0].task_id}: {graded.verdict}")
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            bench.__exit__()  # what runs would be waited for
            raise
    return failed


def _begin(
    threads: ThreadPoolExecutor, bench: Bench, tasks: Mapping[str, Task | str], sample: Sample
) -> Future[Graded]:
    task = tasks[sample.task_id]
    if isinstance(task, str):
        raise UsageError(f"{sample.task_id}: {task}")
    return threads.submit(grade, bench, task, sample.text)


def _asked(task: Task | str, options: EvalOptions) -> Task | str:
    """Return a task as the options have it."""
    if isinstance(task, str):
        return task
    limits, seconds = task.limits, options.timeout
    if seconds is not None:
        limits = limits._replace(cpu=seconds, wall=seconds * WALL_PER_CPU)
    return task._replace(limits=limits, every_case=options.every_case)


def of_workspace(workspace: Workspace) -> Tasks:
    """Return the problems of a workspace, as the filters left them, by task id."""
    last = {each.task_id: each for each in (*workspace.current(Problem), *kept(workspace))}
    ran: dict[str, list[Execution]] = {}
    for execution in workspace.select(Execution, "purpose = 'reference'"):
        ran.setdefault(execution.task_id, []).append(execution)
    return {name: _of_problem(one, ran.get(name, [])) for name, one in last.items()}


def _of_problem(problem: Problem, ran: Sequence[Execution]) -> Task | str:
    if not problem.cases:
        return "the problem has no cases"
    if problem.comparator.kind == "checker":
        return "the problem's checker can't be run"
    return Task(problem, limits=calibrated(ran))


def of_file(path: Path) -> Tasks:
    """Return the problems of a data set in the HumanEval form, by task id.

    Raises:
        UsageError: there is none there, or a line has no task id.
    """
    found: Tasks = {}
    for _, _, row in rows.each(path, humaneval.Row):
        if not isinstance(row, humaneval.Row):
            raise UsageError(f"the problems can't be read: {row}")
        found[str(row.task_id)] = _of_row(row)
    if not found:
        raise UsageError(f"there are no problems in {path}")
    return found


def _of_row(row: humaneval.Row) -> Task | str:
    if not row.entry_point or not row.test:
        return "the problem has no test in the HumanEval form"
    try:
        defined = assertions.parsed(f"{row.prompt}{row.canonical_solution}\n{row.test}").body
    except SourceError as error:
        return f"the problem's reference or test is broken: {error}"
    if not any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in defined):
        return "the problem's test doesn't define check(candidate)"
    cases, comparator = _cases(row)
    problem = Problem(
        task_id=str(row.task_id),
        entry_point=row.entry_point,
        prompt=row.prompt,
        canonical_solution=row.canonical_solution,
        cases=cases,
        comparator=comparator,
        style="function",
        source="",
        derivation=Derivation(file="", line=0, function=row.entry_point, how="a data set's row"),
    )
    return Task(problem, row.test)


def _cases(row: humaneval.Row) -> tuple[tuple[TestCase, ...], Comparator]:
    """Read the test as cases; none where it does more than call and compare."""
    try:
        tests = assertions.in_check(row.test)
        cases = [
            TestCase(
                args=tuple(map(values.encode, told.args)),
                kwargs={name: values.encode(value) for name, value in told.kwargs.items()},
                expected=values.encode(told.out),
                raises=None,
                origin="statement",
                shown=humaneval.is_shown(told, row.entry_point, row.prompt),
            )
            for told in tests.told
        ]
    except (SourceError, values.Unencodable):
        return (), Comparator()
    return tuple(cases), tests.comparator


def _bleu(problems: Sequence[reports.Judged], report: Reporter) -> dict[str, Any] | None:
    try:
        from thresher.filters.evaluation import likeness
    except ModuleNotFoundError as error:
        report.say(f"no BLEU: {error}; pip install 'thresher[eval]'")
        return None
    return likeness.figures(problems)
