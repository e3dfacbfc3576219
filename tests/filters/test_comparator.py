"""Comparators held against texts, answers and floats that move, in the real sandbox."""

import pytest

from tests.store.builders import case, problem, program
from thresher.filters import comparator
from thresher.filters.comparator import Comparing
from thresher.judging import decide
from thresher.sandbox.judge import Outcome, Result
from thresher.sandbox.remote import Ended
from thresher.store import values
from thresher.store.records import Comparator

FLOAT = Comparator(kind="float", relative=1e-9, absolute=1e-12)
UNORDERED = Comparator(kind="unordered")


def function(text, body, *cases, head="def f(x):", **more):
    return problem(
        prompt=f'{head}\n    """{text}\n    """\n', body=body, cases=cases, entry_point="f", **more
    )


def found(one, make_tools):
    """Return the reason, and the comparator that the problem goes on with."""
    finding = comparator.apply(one, make_tools()[0]._replace(options=Comparing()))
    refined = finding.refined or one
    return finding.decision.reason, refined.comparator


PAIRS = "    return [[a, b] for a in x for b in x]\n"
PAIRS_CASE = case([1, 2], expected=[[1, 1], [1, 2], [2, 1], [2, 2]])


def test_lists_in_any_order_are_compared_so(make_tools):
    one = function("Return all pairs, in any order.", PAIRS, PAIRS_CASE)
    assert found(one, make_tools) == ("kept", UNORDERED)
    plain = function("Return all pairs.", PAIRS, PAIRS_CASE)
    assert found(plain, make_tools) == ("kept", Comparator())


def test_the_refined_problem_differs_in_nothing_else(make_tools):
    one = function("Return all pairs, in any order.", PAIRS, PAIRS_CASE)
    tools = make_tools()[0]._replace(options=Comparing())
    refined = comparator.apply(one, tools).refined
    assert (refined.task_id, refined.cases, refined.prompt) == (one.task_id, one.cases, one.prompt)


def test_other_answers_in_any_order_need_a_checker(make_tools):
    text = "Return the letters in any order."
    one = function(text, "    return x\n", case("ab", expected="ab"))
    assert found(one, make_tools)[0] == "several-answers"
    number = function(text, "    return x\n", case(1, expected=1))
    assert found(number, make_tools) == ("kept", Comparator())


def test_any_of_several_answers_needs_a_checker(make_tools):
    text = "Return an even one. If there are several solutions, return any of them."
    one = function(text, "    return x[0]\n", case([2, 4], expected=2))
    assert found(one, make_tools)[0] == "several-answers"
    checked = function(text, "    return x[0]\n", comparator=Comparator(kind="checker"))
    assert found(checked, make_tools)[0] == "kept"


def test_a_program_that_may_print_any_answer_needs_a_checker(make_tools):
    text = "Print x. If there are multiple answers, print any of them."
    one = program(prompt=f'"""{text}\n"""\n')
    assert found(one, make_tools)[0] == "several-answers"
    many = program(
        prompt='"""Print the numbers in any order.\n"""\n',
        cases=[("1\n", "1 2\n"), ("2\n", "3 4\n")],
    )
    assert found(many, make_tools)[0] == "several-answers"


MEAN = "    return sum(x) / len(x)\n"


def test_floats_that_are_worked_out_get_a_tolerance(make_tools):
    one = function("Return the mean.", MEAN, case([1, 2, 4], expected=7 / 3))
    assert found(one, make_tools) == ("kept", FLOAT)
    given = function("Return x.", "    return x\n", case(0.1, expected=0.1))
    assert found(given, make_tools) == ("kept", Comparator())
    exact = function("Return the mean.", MEAN, case([1, 2], expected=1.5))
    assert found(exact, make_tools) == ("kept", Comparator())


def test_nothing_else_gets_one(make_tools):
    one = function("Return x.", "    return x\n", case(5, expected=5), comparator=FLOAT)
    assert found(one, make_tools) == ("kept", Comparator())


def test_an_int_of_any_size_is_exact():
    large = case(0, expected=5 * 10**16 + 1)
    for answer, verdict in [(5 * 10**16 + 1, "pass"), (5 * 10**16, "fail")]:
        ended = Ended(reason="stopped", status=0, signal=0, cpu=0.0, wall=0.0)
        result = Result((Outcome(value=values.encode(answer)),), None, ended)
        assert decide((large,), FLOAT, result).verdict == verdict


CLOSE = "    return any(abs(a - b) < t for i, a in enumerate(x) for b in x[i + 1:])\n"


@pytest.mark.parametrize(
    ("body", "args", "expected"),
    [
        (CLOSE, ([0.06, 0.05], 0.01), True),
        ("    return x[0] + x[1] == t\n", ([0.1, 0.2], 0.3), False),
        ("    return round(x, t)\n", (2.675, 2), 2.67),
        ("    return int(x * 100)\n", (0.29, 0), 28),
        ("    return x % t\n", (0.3, 0.1), 0.3 % 0.1),
        ("    return x / 100 - t / 100 < 0.01\n", (6, 5), True),
        ("    return sum(x) >= t\n", ([0.1] * 10, 1.0), False),
        ("    return round(sum(x) * t)\n", ([0.15, 0.15, 0.15], 10), 4),
    ],
)
def test_an_answer_that_a_unit_flips_says_nothing(make_tools, body, args, expected):
    one = function("Say it.", body, case(*args, expected=expected), head="def f(x, t):")
    assert found(one, make_tools)[0] == "float-noise"


@pytest.mark.parametrize(
    ("body", "args", "expected"),
    [
        (CLOSE, ([0.6, 0.05], 0.01), False),
        (CLOSE, ([3.0, 2.0], 1.0), False),  # exact numbers
        ("    return 'A' if x > 3.7 else 'B'\n", (3.7, 0), "B"),  # the very number
        ("    return str(x)[t:]\n", (5.6, 2), "6"),  # a matter of digits
        ("    return len(str(x)) - t\n", (5.6, 2), 1),
        ("    return f'{x:.{len(str(x)) - t}f}'\n", (5.6, 2), "5.6"),
        ("    return min(x)\n", ([0.1, 0.3], 0), 0.1),
        ("    return x > t\n", (0.3, 0.3), False),
        ("    return x[0] + x[1] == t\n", ([0.3, -0.3], 0.0), True),
        ("    return len(set(x)) < t\n", ([0.3, 0.3, 0.1], 3), True),
        ("    return x.count(x[0]) == t\n", ([0.3, 0.3, 0.1], 2), True),
        ("    return max(x) - min(x) > t\n", ([0.3, 0.3], 0.0), False),
    ],
)
def test_an_answer_that_stands_is_kept(make_tools, body, args, expected):
    one = function("Say it.", body, case(*args, expected=expected), head="def f(x, t):")
    assert found(one, make_tools)[0] == "kept"


def test_state_is_no_noise(make_tools):
    body = "    f.n = getattr(f, 'n', 0) + 1\n    return f.n\n"
    one = function("Count.", body, case(0.1, expected=1), case(0.2, expected=2))
    assert found(one, make_tools)[0] == "kept"


def test_a_stated_tolerance_is_taken(make_tools):
    text = "Print x. The absolute or relative error must not exceed 1e-6."
    one = program(prompt=f'"""{text}\n"""\n')
    wanted = Comparator(kind="tokens", relative=1e-6, absolute=1e-6)
    assert found(one, make_tools) == ("kept", wanted)
    assert found(program(comparator=wanted), make_tools) == ("kept", Comparator(kind="tokens"))
    fractions = program(cases=[("1\n", "0.5\n")], comparator=wanted)
    assert found(fractions, make_tools) == ("kept", wanted)
