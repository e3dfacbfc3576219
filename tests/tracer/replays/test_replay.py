"""The pure parts of a replay, and the runs of the tests that it asks for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import SourceError
from thresher.sandbox.command import Completed
from thresher.sandbox.egress import Connection
from thresher.sandbox.firewall import Denied
from thresher.tracer.ci.plan import Plan, Step
from thresher.tracer.replays.attempt import Attempt, Replay, differences, network_log
from thresher.tracer.replays.interpreters import Interpreter
from thresher.tracer.replays.results import Results
from thresher.tracer.replays.stage import tail


def test_the_tail_is_the_last_three_lines():
    assert tail("a\nb\n\n c \n\n\x1b[31md\x1b[0m\n") == "b | c | d"
    assert tail("a") == "a"
    assert tail(" \n") == ""


def test_a_long_tail_keeps_its_end():
    assert tail(f"{'x' * 1000}\nthe cause") == f"{'x' * 388} | the cause"


@given(st.text(max_size=600))
def test_a_tail_cannot_steer_the_terminal(text):
    assert tail(text).isprintable()
    assert len(tail(text)) <= 400


def completed(*connections: Connection, denied: Denied | None = None) -> Completed:
    return Completed(0, "", "exit", 0.0, 0.0, connections, denied, "wall 1")


def connection(host: str, allowed: bool, size: int, port: int = 443) -> Connection:
    return Connection(host=host, port=port, allowed=allowed, bytes=size)


def test_the_network_log_has_a_line_per_host():
    install = completed(
        connection("pypi.org", True, 100),
        connection("files.example", True, 5),
        connection("evil.example", False, 0),
        denied=Denied(1, 2, 0, 0),
    )
    tests = completed(
        connection("pypi.org", True, 20),
        connection("pypi.org", False, 0, port=80),
        denied=Denied(0, 0, 0, 4),
    )
    assert network_log([install, tests]) == (
        "evil.example:443 refused: 1 connections, 0 bytes",
        "files.example:443 allowed: 1 connections, 5 bytes",
        "pypi.org:80 refused: 1 connections, 0 bytes",
        "pypi.org:443 allowed: 2 connections, 120 bytes",
        "firewall: 7 attempts and packets stopped",
    )
    assert network_log([completed(denied=Denied(0, 0, 0, 0)), completed()]) == ()
    assert network_log([]) == ()


def test_runs_that_differ_are_told():
    same = Results(5, 0, 1)
    assert list(differences([same, same, same])) == []
    assert list(differences([same, same, Results(4, 1, 1)])) == [
        "runs of the tests differ: 5 passed, 0 failed, 1 skipped untraced, then "
        "5 passed, 0 failed, 1 skipped, then 4 passed, 1 failed, 1 skipped"
    ]


class Scripted:
    """A stage whose steps print what a script says, by the beginning of their name."""

    def __init__(self, stopped: str = "", failing: str = "", **said: str) -> None:
        self.said = said
        self.stopped, self.failing = stopped, failing
        self.done: list[Completed] = []
        self.names: list[str] = []

    def run(self, step: Step, *_: object) -> Completed:
        self.names.append(step.name)
        output = self.said.get(step.name.split()[0], "")
        done = completed()._replace(output=output, returncode=int(not output))
        if self.stopped and step.name.startswith(self.stopped):
            done = done._replace(outcome="timeout", output="..")
        if self.failing and self.names.count("attaching the recorder") > 1:
            done = done._replace(returncode=1)
        self.done.append(done)
        return self.done[-1]

    def need(self, step: Step, reason: str) -> Completed:
        return self.run(step)


def replayed(tmp_path: Path, stage: Scripted, library_calls: bool = True) -> Replay:
    python = Interpreter(Path("/bin/python"), (3, 11, 0), "CPython", Path("/"))
    tests = tuple(Step(name, (), False) for name in ("first run", "second run"))
    plan = Plan("py", python, (), Step("find", (), False), Step("check", (), False), tests)
    return Attempt(stage, tmp_path, ["m.py"], library_calls).replay(plan)


PASSED = {"check": "2 passed in 1s", "first": "2 passed in 1s", "second": "2 passed in 1s"}
FOUND = {"find": "/e/bin/python\n", "attaching": "done", **PASSED}


def test_calls_of_library_functions_take_one_more_run(tmp_path: Path) -> None:
    stage = Scripted(**FOUND, running="2 passed in 1s")
    replay = replayed(tmp_path, stage)
    assert stage.names[-2:] == [
        "attaching the recorder",
        "running the tests for the calls of library functions",
    ]
    assert (replay.tests, replay.library, replay.notes) == (2, (), ())
    stage = Scripted(**FOUND)
    assert replayed(tmp_path, stage, library_calls=False).notes == ()
    assert not any(name.startswith("running") for name in stage.names)


def test_what_becomes_of_that_run_fails_no_replay(tmp_path: Path) -> None:
    replay = replayed(tmp_path, Scripted(**FOUND, running="1 failed, 1 passed in 1s"))
    assert replay.notes == (
        "with call sites rewritten, the tests gave 1 passed, 1 failed, 0 skipped instead of "
        "2 passed, 0 failed, 0 skipped",
    )
    (note,) = replayed(tmp_path, Scripted(**FOUND, running="collected nothing")).notes
    assert note.startswith("no calls of library functions: no test passed")


def test_a_recorded_run_that_takes_too_long_keeps_what_it_recorded(tmp_path: Path) -> None:
    replay = replayed(tmp_path, Scripted(**FOUND, stopped="first"))
    assert (replay.tests, replay.results) == (2, (Results(2), Results(), Results(2)))
    assert replay.notes == ("1 recorded runs of the tests were stopped after 900 s",)
    with pytest.raises(SourceError) as raised:
        replayed(tmp_path, Scripted(**FOUND, stopped="check"))
    assert raised.value.reason == "tests-timeout"


def test_calls_that_cannot_be_made_again_fail_no_replay(tmp_path: Path) -> None:
    replay = replayed(tmp_path, Scripted(**FOUND, failing="attaching"), library_calls=False)
    (note,) = replay.notes
    assert note.startswith("recorded calls weren't made again: the recorder can't be attached")
