"""Which recorded calls become cases."""

from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import case
from thresher.tracer.examples import MOST_CASES, comparator_for, varied


def test_few_cases_are_all_taken():
    cases = [case(n, expected=n) for n in range(3)]
    assert varied(cases) == tuple(cases)


def test_other_outcomes_types_and_arguments_come_before_small_ones():
    alike = [case(n, None, expected=True) for n in range(20)]
    other = [
        case(7, 1, expected=True),
        case("a", None, expected=True),
        case(50, None, expected=False),
        case(51, None, raises="ValueError"),
    ]
    taken = varied([*alike, *other])
    assert len(taken) == MOST_CASES
    assert {other_key(c) for c in other} <= {other_key(c) for c in taken}


def other_key(one):
    return (one.args, one.expected, one.raises)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=30))
def test_the_choice_keeps_the_order_and_repeats_nothing(rows):
    cases = [case(n, a, b, expected=c) for n, (a, b, c) in enumerate(rows)]
    taken = varied(cases)
    assert len(taken) == min(len(cases), MOST_CASES)
    positions = [cases.index(one) for one in taken]
    assert positions == sorted(set(positions))


def test_a_tolerance_only_where_the_reference_gives_floats():
    assert comparator_for([case(1.5, expected=2)]).kind == "exact"
    assert comparator_for([case(1, expected=[2, 0.5])]).kind == "float"
    assert comparator_for([case(1, expected=float("nan"))]).kind == "float"
    assert comparator_for([case(1.5, raises="ValueError")]).kind == "exact"
