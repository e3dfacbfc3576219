"""Replay a project's CI commands in the sandbox, with the recorder in its environment."""

import itertools
import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from thresher.errors import SourceError
from thresher.sandbox import command
from thresher.sandbox.index import PackageIndex
from thresher.sandbox.wall import Limits, Mount, Wall, python_mounts
from thresher.store import values
from thresher.tracer.ci import tox
from thresher.tracer.ci.plan import Step
from thresher.tracer.spool import Spool, read, reproduced

HERE = Path(__file__).parent
PROJECT, SPOOL, TOOLS = "/thresher/project", "/thresher/spool", "/thresher/tools"
INSTALL_LIMITS = Limits(wall_seconds=600)
TEST_LIMITS = Limits(wall_seconds=900, cpu_seconds=900)
ENVIRONMENT = {"NO_COLOR": "1", "CI": "true", **tox.OVERRIDES}
EXAMPLES_PER_FUNCTION = 50
# The whole grammar of the line, since tests print as they like: "== 1 failed, 2 passed in 3.4s".
PYTEST_SUMMARY = re.compile(
    r"^(?:=+ )?(?:\d+ [a-z ]+, )*(\d+) passed(?:, \d+ [a-z ]+)* in \d[\d.]*(?:s| seconds)\b",
    re.MULTILINE,
)
COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
UNITTEST_SUMMARY = re.compile(
    r"^Ran (\d+) tests? in [\d.]+s$(?:\n\n(?:OK|FAILED) \([^)\n]*\bskipped=(\d+))?", re.MULTILINE
)


class Replay(NamedTuple):
    """How a replay went.

    Attributes:
        environment: the tox environment that was run.
        tests: how many tests ran (passed, where the runner says so).
        returncode: what tox ended with; not 0 when some tests failed.
        output: the end of what it printed.
        network: what the egress proxy logged, a line per host, and what the firewall stopped.
        calls: what was recorded the same in every run of the tests.
    """

    environment: str
    tests: int
    returncode: int
    output: str
    network: tuple[str, ...]
    calls: Spool


@dataclass(frozen=True)
class Replayer:
    """A project on disk and what its commands may reach; `note` is told of each step.

    `scratch` is a folder for what is recorded.
    """

    name: str
    project: Path
    scratch: Path
    index: PackageIndex
    wall: Wall
    note: Callable[[str], None]

    def run(self, files: Sequence[str]) -> Replay:
        """Replay the project's tox tests, twice under different hash seeds.

        Calls that hold the time, random numbers or addresses don't come back the second time, so
        that they become no examples.

        Args:
            files: the import-relative project files whose functions are recorded.

        Raises:
            SourceError: there is no tox configuration, it is broken, the environment can't be
                made, or no test ran.
        """
        if not tox.is_configured(self.project):
            raise SourceError(
                "no-tox", f"{self.name}: the sdist has no tox configuration; nothing to replay"
            )
        listed = self._step(tox.LIST, "broken-tox", INSTALL_LIMITS)
        plan = tox.plan(listed.output, self.name)
        installed = self._step(plan.install, "install-failed", INSTALL_LIMITS)
        config = self._step(plan.python, "broken-tox", INSTALL_LIMITS)
        self._attach(tox.python_in(config.output), files)
        ran, calls = self._test(plan.tests[0])
        steps = [listed, installed, config, ran]
        for step in plan.tests[1:]:
            again, others = self._test(step)
            calls = reproduced(calls, others)
            steps.append(again)
        log = network_log(steps)
        tests = count_tests(ran.output)
        return Replay(plan.environment, tests, ran.returncode, tail(ran.output), log, calls)

    def _test(self, step: Step) -> tuple[command.Completed, Spool]:
        spool = Path(tempfile.mkdtemp(dir=self.scratch))
        ran = self._run(step, TEST_LIMITS, Mount(spool, SPOOL, writable=True))
        if ran.outcome != "exit":
            raise SourceError(
                f"tests-{ran.outcome}", f"{self.name}: the tests ended by {ran.outcome}"
            )
        if not count_tests(ran.output):
            raise SourceError("no-tests", f"{self.name}: no test ran: {tail(ran.output)}")
        return ran, read(spool)

    def _step(self, step: Step, reason: str, limits: Limits) -> command.Completed:
        done = self._run(step, limits)
        if "No space left on device" in done.output:
            raise SourceError("disk-full", f"{self.name}: {step.name}: the disk is full")
        if done.returncode or done.outcome != "exit":
            raise SourceError(
                reason,
                f"{self.name}: {step.name} failed "
                f"({done.outcome} {done.returncode}): {tail(done.output)}",
            )
        return done

    def _run(self, step: Step, limits: Limits, *mounts: Mount) -> command.Completed:
        self.note(step.name)
        return command.run(
            step.argv,
            mounts=[
                *python_mounts(),
                Mount(self.project, PROJECT, writable=True),
                Mount(HERE / "recorder.py", f"{TOOLS}/recorder.py"),
                Mount(Path(values.__file__), f"{TOOLS}/values.py"),
                Mount(HERE / "attach.py", f"{TOOLS}/attach.py"),
                *mounts,
            ],
            env=ENVIRONMENT,
            cwd=PROJECT,
            limits=limits,
            network=self.index if step.installs else None,
            wall=self.wall,
            on_output=lambda line: self.note(f"{step.name}: {COLOUR.sub('', line)[:80]}"),
        )

    def _attach(self, python: str | None, files: Sequence[str]) -> None:
        """Put the recorder into the environment; done inside, where its links can't mislead us."""
        if python is None:
            raise SourceError("broken-tox", f"{self.name}: tox doesn't say where its Python is")
        config = {
            "spool": SPOOL,
            "files": list(files),
            "examples_per_function": EXAMPLES_PER_FUNCTION,
        }
        argv = (python, f"{TOOLS}/attach.py", TOOLS, json.dumps(config))
        self._step(Step("attaching the recorder", argv, False), "no-recorder", INSTALL_LIMITS)


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


def count_tests(output: str) -> int:
    """Return how many tests ran, from the summaries of pytest (passed) and unittest (run).

    Skipped tests don't count; the summaries of several commands add up.
    """
    output = COLOUR.sub("", output).replace("\r\n", "\n")
    passed = sum(int(count) for count in PYTEST_SUMMARY.findall(output))
    ran = sum(int(ran) - int(skipped or 0) for ran, skipped in UNITTEST_SUMMARY.findall(output))
    return passed + ran


def tail(output: str) -> str:
    """Return the last few telling lines of a command's output, as one line without controls."""
    lines = [line.strip() for line in COLOUR.sub("", output).splitlines() if line.strip()]
    # Untrusted text must not steer the user's terminal.
    return "".join(c for c in " | ".join(lines[-3:])[-400:] if c.isprintable())
