"""Inputs like the recorded ones: of any shape, never a recorded one again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import case, problem
from thresher.filters.mutation.inputs import inputs
from thresher.filters.mutation.likeness import likeness
from thresher.store import data

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-9, 99)
    | st.floats(-9, 9)
    | st.text("ab 1-", max_size=6)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("kl", max_size=2), inner, max_size=3)
        | st.tuples(inner, inner)
        | st.frozensets(st.integers(0, 9), max_size=3)
    ),
    max_leaves=6,
)
CALLS = st.lists(
    st.tuples(
        st.lists(VALUES, max_size=2), st.dictionaries(st.sampled_from("pq"), VALUES, max_size=1)
    ),
    min_size=1,
    max_size=5,
)


def made(cases, hints=(), most=30):
    one = problem(cases=cases)
    return list(inputs(one, likeness(one), hints, most))


@given(calls=CALLS, raising=st.booleans())
def test_whatever_was_recorded(calls, raising):
    cases = [case(*args, expected=1, **named) for args, named in calls]
    if raising:
        cases.append(case("other", raises="ValueError", further=3))
    found = made(cases)
    assert len(found) <= 30
    shown = [sorted((place, data.render(tree)) for place, tree in each.items()) for each in found]
    assert len({str(each) for each in shown}) == len(found)


@pytest.mark.parametrize(
    ("recorded", "low", "high"), [((3, 5, 8), 0, 16), ((-4, 2), -8, 4), ((1.0, 2.5), 0, 5)]
)
def test_numbers_stay_about_as_large(recorded, low, high):
    found = [each["0"] for each in made([case(n, expected=0) for n in recorded])]
    assert found
    assert all(low <= number <= high for number in found)
    assert {type(number) for number in found} == {type(recorded[0])}


def test_texts_keep_their_letters_and_forms():
    found = [each["0"] for each in made([case("12:30", expected=0), case("09:05", expected=0)])]
    assert found
    assert all(len(text) == 5 and text[2] == ":" for text in found)
    assert made([case(expected=1)]) == []
