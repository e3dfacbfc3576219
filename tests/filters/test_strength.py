"""Weak cases are made stronger within the contract, and what stays weak is dropped."""

import pytest

from tests.store.builders import case, problem
from tests.store.builders import program as text_program
from thresher.filters import strength
from thresher.filters.contracts.contract import contract_of
from thresher.filters.strength import Strength
from thresher.store import values

GRADE = '''def grade(points: int) -> str:
    """Return "pass" from 50 points on, else "fail"; points are from 0 to 100."""
'''
GRADE_BODY = '    if points >= 50:\n        return "pass"\n    return "fail"\n'


def applied(one, tools, **options):
    return strength.apply(one, tools._replace(options=Strength(**options)))


def given(cases):
    return [values.decode(each.args[0]) for each in cases]


def test_the_border_that_no_case_looks_at_is_added(make_tools):
    cases = (case(90, expected="pass"), case(10, expected="fail"), case(75, expected="pass"))
    one = problem("a/grade-00000001", GRADE_BODY, cases, prompt=GRADE, entry_point="grade")
    finding = applied(one, make_tools()[0])
    added = finding.refined.cases[3:]
    assert {49, 50} & set(given(added))
    assert {(each.origin, each.shown) for each in added} == {("generated", False)}
    assert all(
        values.decode(each.expected) == ("pass" if points >= 50 else "fail")
        for each, points in zip(added, given(added), strict=True)
    )
    assert finding.refined.cases[:3] == cases
    assert finding.decision.evidence.startswith("kills ")
    assert finding.decision.facts["score"] == 1.0
    assert [run.verdict for run in finding.executions] == ["pass"]


def test_no_added_input_breaks_the_contract_or_repeats_a_case(make_tools):
    cases = (case(90, expected="pass"), case(10, expected="fail"), case(100, expected="pass"))
    one = problem("a/grade-00000001", GRADE_BODY, cases, prompt=GRADE, entry_point="grade")
    added = applied(one, make_tools()[0]).refined.cases[3:]
    assert all(0 <= points <= 100 and points not in (90, 10, 100) for points in given(added))


@pytest.mark.parametrize("annotation", ["list[int]", "List[int]"])
def test_a_list_of_numbers_gets_numbers(make_tools, annotation):
    prompt = (
        f'from typing import List\n\n\ndef total(xs: {annotation}) -> int:\n    """Add up."""\n'
    )
    body = "    total = 0\n    for x in xs:\n        if x > 3:\n            total += x\n"
    body += "    return total\n"
    cases = (case([1, 5], expected=5), case([9, 2, 7], expected=16), case([4, 4], expected=8))
    one = problem("a/total-00000001", body, cases, prompt=prompt, entry_point="total")
    refined = applied(one, make_tools()[0]).refined
    for numbers in given(refined.cases):
        assert type(numbers) is list
        assert {type(x) for x in numbers} <= {int}
    assert not any(contract_of(one).breach(c.args, c.kwargs) for c in refined.cases)


def test_strong_cases_stay_as_they_are(make_tools):
    cases = tuple(case(n, expected=n + n) for n in (0, 1, 2, -3))
    finding = applied(problem(cases=cases), make_tools()[0])
    assert finding.decision.keep
    assert finding.refined is None
    assert finding.decision.evidence.startswith("kills 100% of the mutants")


def test_what_stays_weak_is_dropped_with_the_survivors_named(make_tools):
    body = "    if x > 3:\n        return 1\n    return 0\n"
    cases = (case(9, expected=1), case(8, expected=1), case(7, expected=1))
    finding = applied(problem(body=body, cases=cases), make_tools()[0], cases=3, least=0.9)
    assert (finding.decision.keep, finding.decision.reason) == (False, "too-weak")
    assert "survive: line 3: " in finding.decision.evidence


def test_there_are_never_more_cases_than_allowed(make_tools):
    cases = (case(90, expected="pass"), case(10, expected="fail"))
    one = problem("a/grade-00000001", GRADE_BODY, cases, prompt=GRADE, entry_point="grade")
    assert len(applied(one, make_tools()[0], cases=3, least=0.0).refined.cases) == 3


def test_a_loop_without_end_is_a_killed_mutant(make_tools):
    body = "    n = 0\n    while n < x:\n        n += 1\n    return n\n"
    cases = tuple(case(n, expected=max(n, 0)) for n in (3, 5, 0, -2))
    finding = applied(problem(body=body, cases=cases), make_tools()[0])
    assert finding.decision.keep
    assert any("n += 1" in name for name in finding.decision.facts["killers"])


def test_exceptions_stay_outside_unless_a_case_has_one(make_tools):
    body = "    return 100 // x\n"
    cases = (case(5, expected=20), case(30, expected=3), case(-4, expected=-25))
    plain = applied(problem(body=body, cases=cases), make_tools()[0])
    assert all(each.raises is None for each in (plain.refined or problem(cases=cases)).cases)


def test_programs_are_judged_by_the_cases_they_have(make_tools):
    body = "n = int(input())\nprint(n * 2 if n > 10 else n)\n"
    weak = text_program(body, cases=[("50\n", "100\n"), ("60\n", "120\n")])
    strong = text_program(
        body, cases=[("50\n", "100\n"), ("10\n", "10\n"), ("11\n", "22\n"), ("-3\n", "-3\n")]
    )
    tools = make_tools()[0]
    assert (
        applied(weak, tools).decision.facts["score"]
        < applied(strong, tools).decision.facts["score"]
    )


def test_nothing_to_change(make_tools):
    finding = applied(problem(body="    pass\n", cases=(case(1),)), make_tools()[0])
    assert finding.decision.keep
    assert finding.decision.evidence == "nothing in the reference can be changed"
