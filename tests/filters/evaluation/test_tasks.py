"""Samples graded in the real sandbox."""

import msgspec
import pytest

from tests.store.builders import case, problem, program
from thresher.filters.evaluation import tasks
from thresher.filters.evaluation.tasks import Bench, Task, grade
from thresher.judging import Judged
from thresher.sandbox.remote import CellLimits
from thresher.store.records import Comparator

QUICK = CellLimits(cpu=0.5, wall=5)


def shown(one):
    return msgspec.structs.replace(one, shown=True)


HIDDEN_FIRST = problem(
    cases=(case(3, expected=6), case("a", expected="aa"), shown(case(2, expected=4)))
)
TEST = "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(3) == double(3)\n"


@pytest.fixture(scope="module")
def bench(wall):
    with Bench(1, wall) as running:
        yield running


@pytest.mark.parametrize(
    ("body", "verdict", "failing", "passes_shown"),
    [
        ("    return 2 * x\n", "pass", None, True),
        ("    return 4\n", "fail", 0, True),
        ("    return 2 * x if x != 2 else 5\n", "fail", 2, False),
        ("    return 2 * x if x in (2, 3) else 'b'\n", "fail", 1, True),
        ("    while x == 3: pass\n    return 4\n", "timeout", 0, True),
        ("    while True: pass\n", "timeout", 2, False),
        ("    return (\n", "fail", None, False),
        ("    import ctypes; ctypes.string_at(0)\n", "crash", 2, False),
        ("    return 4.0\n", "fail", 2, False),
    ],
)
def test_the_shown_cases_come_first_and_are_told_apart(bench, body, verdict, failing, passes_shown):
    found = grade(bench, Task(HIDDEN_FIRST, limits=QUICK), body)
    assert (found.verdict, found.failing_case, found.shown) == (verdict, failing, passes_shown)


@pytest.mark.parametrize(
    ("body", "cases"),
    [
        ("    return 2 * x\n", (True, True, True)),
        ("    return 4\n", (False, False, True)),
        ("    while x == 3: pass\n    return 2 * x\n", (False, True, True)),
        ("    import os\n    return 4 if x == 2 else os._exit(0)\n", (False, False, True)),
        ("    return (\n", (False, False, False)),
        ("    return 2.0 * x if x == 3 else 2 * x\n", (False, True, True)),
    ],
)
def test_every_case_is_judged_where_that_is_asked_for(bench, body, cases):
    asked = grade(bench, Task(HIDDEN_FIRST, limits=QUICK, every_case=True), body)
    plain = grade(bench, Task(HIDDEN_FIRST, limits=QUICK), body)
    assert (asked.cases, plain.cases) == (cases, None)
    assert (asked.verdict, asked.failing_case) == (plain.verdict, plain.failing_case)


def test_what_the_test_accepts_passes_every_case(bench):
    whole = Task(problem(cases=(case(2, expected=4), case(3, expected=6))), TEST, every_case=True)
    assert grade(bench, whole, "    return float(2 * x)\n").cases == (True, True)


def test_programs_are_judged_by_every_case(bench):
    one = program(cases=[("1\n", "2\n"), ("2\n", "4\n"), ("3\n", "6\n")])
    body = "    return '4' if stdin == '2\\n' else 'x'\n"
    assert grade(bench, Task(one, every_case=True), body).cases == (False, True, False)


def test_without_shown_cases_nothing_is_said_of_them(bench):
    assert grade(bench, Task(problem()), "    return 4\n").shown is None


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("    return 2 * x\n", "pass"),
        ("    return float(2 * x)\n", "pass"),
        ("    return 4\n", "fail"),
        ("    while True: pass\n", "timeout"),
        ("    import os; os._exit(0)\n", "fail"),
        ("    raise SystemExit\n", "fail"),
    ],
)
@pytest.mark.parametrize("cases", [(), (case(2, expected=4), case(3, expected=6))])
def test_the_test_that_came_with_a_problem_has_the_last_word(bench, body, verdict, cases):
    task = Task(problem(cases=cases), TEST, QUICK)
    assert grade(bench, task, body).verdict == verdict


def test_a_test_uses_the_reference_and_not_the_candidate(bench):
    test = "def check(candidate):\n    assert candidate(3) == double(3) == 6\n"
    wrong = "    return 7\n\ndouble = lambda x: 7\n"
    assert grade(bench, Task(problem(cases=()), test), wrong).verdict == "fail"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("print(2 * int(input()))\n", "pass"),
        ("\n    return str(2 * int(stdin))\n", "pass"),
        ("print(4)\n", "fail"),
        ("    return '4'\n", "fail"),
    ],
)
def test_a_program_or_the_body_of_solve_answers_a_problem_of_programs(bench, text, verdict):
    assert grade(bench, Task(program()), text).verdict == verdict


def test_a_program_that_goes_on_after_its_last_answer_is_late(monkeypatch):
    late = Judged("timeout", 3, "over its limit", 3.0, 3.0)
    monkeypatch.setattr(Bench, "verdict", lambda *_: late)
    with Bench(1) as bench:
        found = grade(bench, Task(HIDDEN_FIRST), "")
    assert (found.verdict, found.failing_case, found.shown) == ("timeout", 3, True)


def test_a_sandbox_that_fails_gives_no_verdict():
    ended = Bench(1)
    ended.__exit__()
    for task in (Task(problem()), Task(problem(cases=()), TEST)):
        assert grade(ended, task, "    return 4\n").verdict == "infrastructure_error"


def test_all_that_decides_a_verdict_is_in_the_identity(monkeypatch):
    one = Task(problem(), TEST)
    others = [
        Task(problem(cases=(case(3, expected=6),)), TEST),
        Task(problem(prompt="def double(x):\n"), TEST),
        Task(problem(body="    return x + x\n"), TEST),
        Task(problem(comparator=Comparator(kind="unordered")), TEST),
        Task(problem(mode="generates"), TEST),
        Task(problem()),
        Task(problem(), TEST, QUICK),
    ]
    assert len({each.identity() for each in [one, *others]}) == 8
    assert Task(problem("another/name"), TEST).identity() == one.identity()
    before = one.identity()
    monkeypatch.setattr(tasks, "VERSION", 0)
    assert one.identity() != before
