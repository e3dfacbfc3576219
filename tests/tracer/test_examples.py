"""Which calls become cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import case
from tests.tracer import recorded
from tests.tracer.recorded import call
from thresher.judging import Judges
from thresher.tracer.examples import (
    MOST_CASES,
    Replayed,
    choose,
    comparator_for,
    echoes,
    unvaried,
    varied,
)
from thresher.tracer.fitting import fit


@pytest.fixture(scope="module")
def judges():
    with Judges(1) as pool:
        yield pool


def chosen(pool):
    return [one.case for one in varied(pool)]


def test_few_cases_are_all_taken():
    cases = [case(n, expected=n) for n in (0, 2, 3)]
    assert chosen(list(map(Replayed, cases))) == cases


def test_other_outcomes_types_and_arguments_come_before_small_ones():
    alike = [case(n, None, expected=True) for n in range(20)]
    other = [
        case(7, 1, expected=True),
        case("a", None, expected=True),
        case(50, None, expected=False),
        case(51, None, raises="ValueError"),
    ]
    taken = chosen(list(map(Replayed, [*alike, *other])))
    assert len(taken) == MOST_CASES
    assert all(one in taken for one in other)


def test_branches_come_before_everything_else():
    alike = [Replayed(case(n, expected=n), frozenset({0})) for n in range(20)]
    rare = [Replayed(case(20 + n, expected=0), frozenset({0, n})) for n in range(1, 4)]
    both = Replayed(case(30, expected=0), frozenset({2, 3}))
    taken = varied([*alike, *rare, both])
    assert [one.case.args for one in taken if one.taken != {0}] == [(21,), (30,)]
    assert len(taken) == MOST_CASES


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=30))
def test_the_choice_keeps_the_order_and_repeats_nothing(rows):
    pool = [Replayed(case(n, a, b, expected=c), frozenset({a})) for n, (a, b, c) in enumerate(rows)]
    taken = varied(pool)
    assert len(taken) == min(len(pool), MOST_CASES)
    positions = [pool.index(one) for one in taken]
    assert positions == sorted(set(positions))
    assert {one.case.args[1] for one in taken} == {a for a, _, _ in rows}


def test_a_tolerance_only_where_the_reference_gives_floats():
    assert comparator_for([case(1.5, expected=2)]).kind == "exact"
    assert comparator_for([case(1, expected=[2, 0.5])]).kind == "float"
    assert comparator_for([case(1, expected=float("nan"))]).kind == "float"
    assert comparator_for([case(1.5, raises="ValueError")]).kind == "exact"


def test_what_the_cases_lack_is_counted():
    cases = [case(1, "a", k=2, expected=1), case(3, "a", k=2, expected=3), case(4, "a", k=2)]
    assert unvaried(cases) == ["1", "k"]
    assert echoes(cases) == 2


def choice(tmp_path, judges, source, *calls):
    made = fit(recorded.project(tmp_path, source), recorded.function(source, *calls))
    return choose(made.standalone, made.calls, judges)


SIGN = '''
def f(a):
    """Return the sign.

    >>> f(-7)
    -1
    >>> f(2)
    1
    >>> f(0.0)
    """
    if a < 0:
        return -1
    return 1 if a > 0 else 0
'''


def test_cases_are_those_that_replay_and_the_docstrings_own(tmp_path, judges):
    calls = [call(n, result=(n > 0) - (n < 0)) for n in (*range(-2, 20), -0.0)]
    wrong = [call(100, result=7), call("a", raises="TypeError"), call("b", raises="KeyError")]
    found = choice(tmp_path, judges, SIGN, *calls, *wrong)
    assert (len(found.cases), found.shown, found.contradiction) == (MOST_CASES, 1, None)
    assert found.lost == {"differs-standalone": 2, "enough": len(calls) + 1 + 1 - MOST_CASES}
    assert len(found.cases) + found.lost.total() == len(calls) + len(wrong) + found.shown
    assert (found.covered, found.branches) == (4, 4)
    shown = {one.args: one.origin for one in found.cases if one.shown}
    assert shown.get((-7,), "statement") == "statement"
    assert (2,) not in shown or shown[2,] == "traced"
    assert {one.raises for one in found.cases} == {None, "TypeError"}


def test_the_docstrings_examples_are_checked(tmp_path, judges):
    source = SIGN.replace("    1\n", "    2\n")
    found = choice(tmp_path, judges, source, *(call(n, result=1) for n in range(2, 6)))
    assert found.contradiction == ">>> f(2) gives 2, but returned 1"


def test_what_only_looks_like_a_literal_contradicts_nothing(tmp_path, judges):
    source = '''
    class Odd(int):
        pass

    def f(a):
        """Return it.

        >>> f(1)
        2
        >>> f(2)
        [3]
        """
        return Odd(a) if a < 2 else object()
    '''
    assert choice(tmp_path, judges, source, call(0, result=0)).contradiction is None


def test_calls_of_a_slow_function_are_replayed_without_watching(tmp_path, judges):
    source = '''
    def f(a):
        """Count."""
        total = 0
        for n in range(a):
            if n % 3:
                total += 1
        return total
    '''
    calls = [call(3 * n, result=2 * n) for n in (1, 2, 2_000_000)]
    found = choice(tmp_path, judges, source, *calls)
    assert (len(found.cases), found.lost, found.branches) == (3, {}, 0)


def test_a_changed_argument_is_part_of_the_outcome(tmp_path, judges):
    source = '''
    def f(a):
        """Move the first to the end."""
        a.append(a.pop(0))
    '''
    right = [call([n, 1], after={"a": [1, n]}) for n in (0, 2, 3)]
    wrong = [call([9, 1], after={"a": [9, 9]})]
    found = choice(tmp_path, judges, source, *right, *wrong)
    assert [one.after for one in found.cases] == [{"0": [1, n]} for n in (0, 2, 3)]
    assert found.lost == {"differs-standalone": 1}


def test_a_generator_that_was_left_early_goes_on_to_its_end(tmp_path, judges):
    source = '''
    def f(a):
        """Count up."""
        while a < 100:
            yield a
            a += 1
    '''
    calls = [
        call(97, result=[97, 98, 99]),
        call(95, result=[95, 96], ended=False),
        call(0, result=[0], ended=False),
        call(96, result=[96, 99], ended=False),
        call(94, result=[94]),
    ]
    found = choice(tmp_path, judges, source, *calls)
    assert [(one.expected, one.ended) for one in found.cases] == [
        ([*range(50)], False),
        ([95, 96, 97, 98, 99], True),
        ([97, 98, 99], True),
    ]
    assert found.lost == {"differs-standalone": 2}
