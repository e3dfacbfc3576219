"""Judge one body behind one wall, and an honest sample after it."""

import contextlib
from typing import NamedTuple, Self

from tests.hostile.suite import Body, case
from thresher.errors import InfrastructureError
from thresher.judging import CODEC, Judged, decide
from thresher.sandbox.judge import Call, Judge, check
from thresher.sandbox.remote import CellLimits
from thresher.sandbox.wall import Wall
from thresher.store.records import Comparator, TestCase, Verdict

EXACT = Comparator()
TOKENS = Comparator(kind="tokens")
PATIENT = CellLimits(cpu=10.0, wall=60.0)
CHECKED = (case(0, True),)  # what `check` answers when all is well
# Passes only in a world as it was: scratch folders empty and usable, first process, descriptors,
# devices, children and memory as they should be.
HONEST = """
import os, stat

def f(x):
    assert os.listdir("/tmp") == os.listdir("/dev/shm") == [], "left files"
    assert os.getcwd() == "/tmp", "another folder"
    assert not any(name.startswith("THRESHER") for name in os.environ), "environment"
    with open("/tmp/a", "wb") as scratch, open("/dev/null", "wb") as null:
        scratch.write(bytes(1 << 16))
        null.write(b"x")
    assert len(os.urandom(8)) == 8 and stat.S_IMODE(os.stat("/dev/null").st_mode) == 0o666
    descriptors = [os.dup(1) for _ in range(40)]
    for descriptor in descriptors:
        os.close(descriptor)
    child = os.fork()
    if child == 0:
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7, "children"
    bytearray(8 << 20)
    os.unlink("/tmp/a")
    return x * x + 1
"""
# gVisor keeps a process of its own for each that ever ran at the same time.
CROWD = """
import os, time

def f(x):
    try:
        for _ in range(64):
            if os.fork() == 0:
                time.sleep(100)
    finally:
        return x * x + 1
"""
HONEST_CASES = (case(3, 10), case(5, 26))
HONEST_TEST = "def check(candidate):\n    assert candidate(3) == 10 and candidate(5) == 26\n"


class Tried(NamedTuple):
    """What one body came to: its verdict, and that of the honest sample after it."""

    body: Body
    judged: Judged
    honest: Judged

    @property
    def right(self) -> bool:
        """Whether the verdict is one of the body's right ones."""
        return self.judged.verdict in self.body.verdicts

    @property
    def wrong_pass(self) -> str | None:
        """What a wrong pass counts as: ``escape``, ``forged pass``, or None where there's none."""
        wrong = self.judged.verdict == "pass" and not self.right
        return self.body.counts if wrong else None

    @property
    def later_sample_judged(self) -> bool:
        """Whether the honest sample passed."""
        return self.honest.verdict == "pass"


class Bench:
    """Servers behind one wall, started when needed and after they fail; a context manager.

    Args:
        wall: what the servers are behind.
    """

    def __init__(self, wall: Wall) -> None:
        self.wall = wall
        self.lost = 0
        self._stack = contextlib.ExitStack()
        self._judges: list[Judge] = []

    def __enter__(self) -> Self:
        """Return the bench; its servers start when they are first needed."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the servers."""
        self._judges.clear()
        self._stack.close()

    def warm(self) -> None:
        """Use each server once, so that all the processes that it needs are there."""
        self._judge(CROWD, HONEST_CASES, None, PATIENT)
        self._judge(HONEST, HONEST_CASES, HONEST_TEST, PATIENT)

    def try_body(self, body: Body) -> Tried:
        """Judge a body (once: a server that fails isn't forgiven) and an honest sample after it."""
        if body.first is not None:
            self._judge(body.first, body.cases, None, body.limits)
        judged = self._judge(body.program, body.cases, body.test, body.limits, body.whole)
        honest = self._judge(HONEST, HONEST_CASES, body.test and HONEST_TEST, PATIENT)
        return Tried(body, judged, honest)

    def _judge(
        self,
        program: str,
        cases: tuple[TestCase, ...],
        test: str | None,
        limits: CellLimits,
        whole: bool = False,
    ) -> Judged:
        try:
            if whole:
                return self._printed(program, cases, limits)
            return self._answers(program, cases, test, limits)
        except InfrastructureError as error:
            self.lost += 1
            self.__exit__()
            return _mishap("infrastructure_error", error)
        except Exception as error:  # the trusted side itself broke: as bad as a lost server
            self.lost += 1
            self.__exit__()
            return _mishap("infrastructure_error", error)

    def _started(self) -> list[Judge]:
        if not self._judges:
            self._judges = [self._stack.enter_context(Judge(CODEC, wall=self.wall)) for _ in "ab"]
        return self._judges

    def _printed(self, program: str, cases: tuple[TestCase, ...], limits: CellLimits) -> Judged:
        candidates, _ = self._started()
        for each in cases:
            result = candidates.run_program(program, each.args[0], limits)
            judged = decide((each,), TOKENS, result, limits)
            if judged.verdict != "pass":
                break
        return judged

    def _answers(
        self, program: str, cases: tuple[TestCase, ...], test: str | None, limits: CellLimits
    ) -> Judged:
        candidates, checkers = self._started()
        if test is not None:
            checked = check(candidates, checkers, program, "f", test, limits)
            return decide(CHECKED, EXACT, checked, limits)
        calls = [Call(each.args, each.kwargs) for each in cases]
        return decide(cases, EXACT, candidates.run(program, "f", calls, limits), limits)


def _mishap(verdict: Verdict, error: Exception) -> Judged:
    return Judged(verdict, None, f"{type(error).__name__}: {error}"[:300], 0.0, 0.0)
