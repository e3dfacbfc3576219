"""One plan tried: install, run the tests, attach the recorder, run them again, read the calls."""

import itertools
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thresher.errors import SourceError
from thresher.sandbox import command
from thresher.sandbox.wall import Limits, Mount
from thresher.store import values
from thresher.store.records import canonical_json
from thresher.tracer.ci import tox
from thresher.tracer.ci.plan import Plan, Step
from thresher.tracer.recording import attach
from thresher.tracer.recording.spool import Function, Spool, read, reproduced
from thresher.tracer.replays.results import Results, count
from thresher.tracer.replays.stage import INSTALL_LIMITS, Stage, tail

RECORDING = Path(attach.__file__).parent
SPOOL, TOOLS, CALLS = "/thresher/spool", "/thresher/tools", "/thresher/calls"
RECORDER = (
    Mount(Path(values.__file__), f"{TOOLS}/values.py"),
    *(
        Mount(RECORDING / f"{name}.py", f"{TOOLS}/{name}.py")
        for name in (*attach.MODULES[1:], "attach", "again")
    ),
)
TEST_LIMITS = Limits(wall_seconds=900, cpu_seconds=900)
EXAMPLES_PER_FUNCTION = 50
SAID = re.compile(r"^thresher: (.+)", re.MULTILINE)
NOTES = 20


class Replay(NamedTuple):
    """How a replay went.

    Attributes:
        environment: the plan that was run, such as a tox environment, and its Python.
        tests: how many tests passed in the run without the recorder.
        returncode: what the first recorded run ended with; not 0 when some tests failed.
        output: the end of what it printed.
        network: what the egress proxy logged, a line per host, and what the firewall stopped.
        calls: what was recorded the same in every run of the tests.
        tried: the plans that came before, and why each failed.
        notes: what of the configuration was left out or done otherwise, and test runs whose
            results differ.
        results: of every run of the tests: the first without the recorder, the others with it.
        library: the built-in and library functions that the project called, each in the place of
            a call; nothing where they couldn't be recorded.
    """

    environment: str
    tests: int
    returncode: int
    output: str
    network: tuple[str, ...]
    calls: Spool
    tried: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    results: tuple[Results, ...] = ()
    library: tuple[Function, ...] = ()


class Attempt:
    """Tries plans one after the other on one stage."""

    def __init__(
        self, stage: Stage, scratch: Path, files: Sequence[str], library_calls: bool
    ) -> None:
        self._stage = stage
        self._scratch = scratch
        self._files = files
        self._library_calls = library_calls
        self._installed: tuple[Step, ...] = ()

    def replay(self, plan: Plan) -> Replay:
        """Replay by one plan.

        A recorded run that takes longer than tests may is stopped, and what it recorded until then
        is kept: tracing is slower than the tests alone.

        Raises:
            SourceError: no test passes.
        """
        self._install(plan.install)
        results = [self._passed(self._stage.run(plan.check, TEST_LIMITS))]
        pythons = tox.pythons_in(self._stage.need(plan.pythons, "no-python").output)
        self._attach(pythons, self._files)
        (ran, calls), *again = [self._record(step) for step in plan.tests]
        for other, others in again:
            calls = reproduced(calls, others)
            results.append(self._recorded(other))
        results.insert(1, self._recorded(ran))
        calls, notes = self._again(pythons, calls)
        library, lost = self._library(plan.tests[0], pythons, results[1])
        notes += lost
        return Replay(
            f"{plan.name} on Python {plan.interpreter.text}",
            results[0].passed,
            ran.returncode,
            tail(ran.output),
            network_log(self._stage.done),
            calls,
            notes=(*plan.notes, *differences(results), *said(self._stage.done), *notes),
            results=tuple(results),
            library=library,
        )

    def _library(
        self, step: Step, pythons: Sequence[str], before: Results
    ) -> tuple[tuple[Function, ...], list[str]]:
        """Run the tests once more for the calls of library functions; nothing else hangs on it.

        What is recorded is kept even where the results differ: each call is made again alone.
        """
        if not self._library_calls or not before.passed:
            return (), []
        try:
            self._attach(pythons, self._files, library=True)
            step = step._replace(name="running the tests for the calls of library functions")
            ran, calls = self._record(step)
        except SourceError as error:
            return (), [f"no calls of library functions: {error}"]
        after = count(ran.output)
        differs = f"with call sites rewritten, the tests gave {after} instead of {before}"
        return calls.functions, [differs] if after != before else []

    def _again(self, pythons: Sequence[str], recorded: Spool) -> tuple[Spool, list[str]]:
        """Make the calls again where the project is installed, each alone; count what is the same.

        Nothing else hangs on it: a problem stands on what its own program gives.
        """
        try:
            self._attach(pythons, files=())  # only to have its modules at hand
        except SourceError as error:
            return recorded, [f"recorded calls weren't made again: {error}"]
        folder, spool = (Path(tempfile.mkdtemp(dir=self._scratch)) for _ in range(2))
        calls = itertools.chain.from_iterable(each.calls for each in recorded.functions)
        (folder / "calls.jsonl").write_bytes(b"\n".join(map(canonical_json, calls)))
        mounts = (*RECORDER, Mount(folder, CALLS), Mount(spool, SPOOL, writable=True))
        config = json.dumps(self._config(self._files))
        for python in pythons:
            argv = (python, f"{TOOLS}/again.py", f"{CALLS}/calls.jsonl", config)
            self._stage.run(Step("making recorded calls again", argv, False), TEST_LIMITS, *mounts)
        same = reproduced(recorded, read(spool)).functions
        counted = zip(recorded.functions, same, strict=True)
        functions = (each._replace(replayed=len(again.calls)) for each, again in counted)
        return recorded._replace(functions=tuple(functions)), []

    def _install(self, steps: tuple[Step, ...]) -> None:
        if steps == self._installed:
            return
        self._installed = ()
        for step in steps:
            self._stage.need(step, "install-failed")
        self._installed = steps

    def _record(self, step: Step) -> tuple[command.Completed, Spool]:
        spool = Path(tempfile.mkdtemp(dir=self._scratch))
        ran = self._stage.run(step, TEST_LIMITS, Mount(spool, SPOOL, writable=True))
        self._recorded(ran)
        return ran, read(spool)

    def _recorded(self, ran: command.Completed) -> Results:
        """Return the results of a recorded run, none where it was stopped for its time."""
        return Results() if ran.outcome == "timeout" else self._passed(ran)

    def _passed(self, ran: command.Completed) -> Results:
        results = count(ran.output)
        if ran.outcome != "exit":
            raise SourceError(f"tests-{ran.outcome}", f"the tests ended by {ran.outcome}")
        if not results.passed:
            raise SourceError("no-tests", f"no test passed ({results}): {tail(ran.output)}")
        return results

    def _config(self, files: Sequence[str], library: bool = False) -> dict[str, Any]:
        return {
            "spool": SPOOL,
            "files": list(files),
            "examples_per_function": EXAMPLES_PER_FUNCTION,
            "library": library,
        }

    def _attach(self, pythons: Sequence[str], files: Sequence[str], library: bool = False) -> None:
        """Put the recorder into each environment; inside, where its links can't mislead us."""
        config = self._config(files, library)
        said = "there is no environment"
        attached = 0
        for python in pythons:
            argv = (python, f"{TOOLS}/attach.py", TOOLS, json.dumps(config))
            step = Step("attaching the recorder", argv, False)
            done = self._stage.run(step, INSTALL_LIMITS, *RECORDER)
            attached += done.returncode == 0
            said = tail(done.output)
        if not attached:
            raise SourceError("no-recorder", f"the recorder can't be attached: {said}")


def differences(results: Sequence[Results]) -> Iterator[str]:
    """Say where runs of the tests didn't give the same, or were stopped before they gave any."""
    if stopped := results.count(Results()):
        limit = f"{TEST_LIMITS.wall_seconds:.0f} s"
        yield f"{stopped} recorded runs of the tests were stopped after {limit}"
        results = [each for each in results if each != Results()]
    if len(set(results)) > 1:
        untraced, *traced = map(str, results)
        yield f"runs of the tests differ: {untraced} untraced, then {', then '.join(traced)}"


def said(steps: Sequence[command.Completed]) -> tuple[str, ...]:
    """Return what a plan's stand-ins said of themselves, each once, the first few."""
    lines = itertools.chain.from_iterable(SAID.findall(step.output) for step in steps)
    return tuple(map(tail, dict.fromkeys(lines)))[:NOTES]


def network_log(steps: Sequence[command.Completed]) -> tuple[str, ...]:
    """Sum up what tried to get out: a line per host of the proxy, and one of the firewall."""
    totals: dict[tuple[str, int, bool], list[int]] = {}
    for made in itertools.chain.from_iterable(step.connections for step in steps):
        totals.setdefault((made.host, made.port, made.allowed), []).append(made.bytes)
    lines = [
        f"{host}:{port} {'allowed' if allowed else 'refused'}: {len(sizes)} connections, "
        f"{sum(sizes)} bytes"
        for (host, port, allowed), sizes in sorted(totals.items())
    ]
    stopped = sum(sum(step.denied) for step in steps if step.denied)
    return (*lines, f"firewall: {stopped} attempts and packets stopped") if stopped else (*lines,)
