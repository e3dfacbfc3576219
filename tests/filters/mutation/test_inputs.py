"""Inputs like the recorded ones: of any shape, never a recorded one again."""

import re

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


def texts(recorded):
    return {each["0"] for each in made([case(x, expected=0) for x in recorded], most=200)}


def test_texts_recorded_again_and_again_are_options():
    modes = ["strict", "parse"]
    cases = [case(n, modes[n % 2], "utf-8", expected=0) for n in range(6)]
    one = problem(
        cases=cases,
        prompt="def f(x, mode, code):\n",
        entry_point="f",
        body="    return 1 if mode == 'ignore' else mode in ('strict', 'loose')\n",
    )
    found = list(inputs(one, likeness(one), ("other",), 60))
    assert {each["1"] for each in found} == {"strict", "parse", "ignore", "loose"}
    assert {each["2"] for each in found} == {"utf-8"}


def test_a_truth_value_that_was_never_recorded_needs_a_word_in_the_text():
    cases = [case(n, True, expected=0) for n in range(6)]
    named = "Compute; `whole` leaves parts out."
    for text, flags in (("Compute.", {True}), (named, {True, False})):
        prompt = f'def f(x, whole):\n    """{text}"""\n'
        one = problem(cases=cases, prompt=prompt, entry_point="f")
        assert {each["1"] for each in inputs(one, likeness(one), (), 60)} == flags


def test_what_says_no_or_yes_stays_so():
    grid = [[[0, 1], [1, 1]], [[0, 0]], [[1], [0], [1]]]
    found = made([case(each, expected=0) for each in grid])
    assert found
    assert {cell for each in found for row in each["0"] for cell in row} == {0, 1}


@pytest.mark.parametrize(
    ("recorded", "right", "wrong"),
    [
        (
            ["A + BB == CC", "AB == B", "A + A + B == CB"],
            r"(?=[^=]*==[^=]*$)[A-C]+( (\+|==) [A-C]+)+",
            ["A == + B", "AB == BB CC"],
        ),
        (["342-08-8", "3420128", "942-01-8"], r"\d+(-\d+)*", ["--2-1", "3-"]),
        (["h=3", "s=2:w=3", "w=31"], r"[hsw]+=\d+(:[hsw]+=\d+)*", ["=h3", "h:3", "hs="]),
    ],
)
def test_texts_are_put_together_like_the_recorded_ones(recorded, right, wrong):
    found = texts(recorded)
    assert len(found) > 5
    assert [text for text in found if text and not re.fullmatch(right, text)] == []
    assert not found & set(wrong)


def test_numbers_of_one_length_keep_it():
    assert {len(text) for text in texts(["0000011032", "5911917064", "5912010999"])} == {10}
