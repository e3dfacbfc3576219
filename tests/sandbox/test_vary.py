"""Programs under other conditions, behind every wall."""

import importlib.util

import pytest

from thresher.judging import Judges, decide_varied
from thresher.sandbox.conditions import Conditions
from thresher.sandbox.judge import DEFAULT_LIMITS, Call
from thresher.store.records import Comparator, TestCase

ONE = [Call([1], {})]
CASE = TestCase(args=(1,), kwargs={}, expected=1, raises=None, origin="traced", shown=False)
MANY = Conditions(
    env={"PYTHONHASHSEED": "1", "TZ": "AAA+9:30"},
    moments=("@2031-02-28 23:59:58", "@2028-01-01 00:00:10"),
    folders=("/tmp/work",),
    files=("/tmp/work/a",),
    processes=2,
    processors=True,
    machine="ada",
    number=77,
    listing=True,
    memory=2,
    load=1.0,
    rounds=3,
    reverse=True,
)


@pytest.fixture(scope="module")
def judges(wall):
    with Judges(1, wall=wall) as pool:
        yield pool


HOSTILE = {
    "exits": "import os\n\n\ndef f(x):\n    os._exit(0)\n",
    "breaks the protocol": "import os\n\n\ndef f(x):\n    os.write(3, b'\\0\\0\\0\\2[]')\n",
    "says it is done": "import os\n\n\ndef f(x):\n"
    "    os.write(3, b'\\0\\0\\0\\x0c{\"rounds\":[]}')\n    os._exit(0)\n",
    "doesn't load": "raise SystemExit\n",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_a_program_that_ends_its_rounds_is_no_success(judges, source):
    ran = judges.vary(source, "f", ONE, Conditions())
    judged = decide_varied((CASE,), Comparator(), ran)
    assert judged.verdict == "fail"


def test_a_clock_that_cannot_be_changed_is_said(monkeypatch, wall):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with Judges(1, wall=wall) as pool:
        ran = pool.vary("def f(x):\n    return x\n", "f", ONE, MANY)
    assert "clock" in ran.seen.missing


def test_what_a_program_says_of_itself_is_harmless(judges):
    said = '{"rounds": 1, "changed": ["\\u001b[2J' + 100 * "a" + '"' + 30 * ', "b"' + "]}"
    source = (
        "import os\n\n\ndef f(x):\n"
        f"    os.write(3, len(DATA).to_bytes(4, 'big') + DATA)\n\n\nDATA = {said.encode()!r}\n"
    )
    seen = judges.vary(source, "f", ONE, Conditions()).seen
    assert seen.changed == ("\\x1b[2J" + 56 * "a", *19 * ("b",))


def test_rare_chance_is_found_by_many_rounds(judges):
    source = (
        "import random\n\nrandom.seed(5)\nCHANCE = [random.randrange(40) for _ in range(999)]\n\n\n"
        "def f(x):\n    return CHANCE.pop() == 7 or random.random() < 0\n"
    )
    ran = judges.vary(source, "f", ONE, MANY)
    assert 24 <= ran.seen.rounds <= 240
    assert {answer.outcome.value for answer in ran.answers} == {False, True}


def test_objects_that_resist_being_looked_at_disturb_nothing(judges):
    source = (
        "class Odd:\n    def __getattr__(self, name):\n        raise OSError(name)\n\n\n"
        "ODD = Odd()\n\n\ndef f(x):\n    return x\n"
    )
    ran = judges.vary(source, "f", ONE, MANY)
    assert [answer.outcome.value for answer in ran.answers] == [1]
    assert ran.seen.calls == 4


def test_nothing_changed_is_what_other_cells_have(judges):
    source = (
        "import os, sys\n\n\ndef f(x):\n"
        "    return [dict(os.environ), os.getcwd(), os.getpid(), sys.argv[1:], list({*'abc'})]\n"
    )
    (plain,) = judges.vary(source, "f", ONE, Conditions()).answers
    assert plain.outcome == judges.run(source, "f", ONE).outcomes[0]


def test_each_new_answer_is_told_once(judges):
    source = "n = 0\n\n\ndef f(x):\n    global n\n    n += 1\n    return n // 3\n"
    ran = judges.vary(source, "f", ONE, Conditions(rounds=2))
    assert [(a.case, a.round, a.outcome.value) for a in ran.answers][:2] == [(0, 0, 0), (0, 1, 1)]
    assert len({a.outcome.value for a in ran.answers}) == len(ran.answers)
    assert ran.seen.changed == ("n",)


@pytest.mark.parametrize(
    ("line", "limits", "reason"),
    [
        ("while True: pass", {"cpu": 0.5, "wall": 30}, "cpu"),
        ("import time; time.sleep(60)", {"cpu": 5, "wall": 1}, "wall"),
    ],
)
def test_limits_hold_whatever_the_clock_shows(judges, line, limits, reason):
    limits = DEFAULT_LIMITS._replace(**limits)
    ran = judges.vary(f"def f(x):\n    {line}\n", "f", ONE, MANY, limits)
    assert (ran.ended.reason, ran.seen) == (reason, None)
    assert decide_varied((CASE,), Comparator(), ran, limits).verdict == "timeout"


def test_a_program_runs_under_conditions_a_second_time(judges):
    source = (
        "import os, time\nprint(input(), os.path.exists('x'), time.strftime('%Y'))\n"
        "open('x', 'w')\n"
    )
    ran = judges.run_program(source, "hi", conditions=MANY)
    assert ran.outcomes[0].value == "hi True 2031\n"
    ran = judges.run_program("raise SystemExit(3)", "", conditions=MANY)
    assert ran.outcomes[0].raises == "SystemExit"
