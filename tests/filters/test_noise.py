"""Floats moved by a unit, and answers that differ by more than noise."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.noise import flips, is_noisy, moved_source, moved_trees
from thresher.store import values


def test_floats_are_moved_one_by_one_and_together():
    moved = moved_trees([[0.1, 2.0, 0.3], {"set": [0.1, 0.7]}], {0.3})
    assert moved == []
    moved = moved_trees([[0.1, 2.0, 0.3], {"set": [0.7]}], {0.3})
    up, down = math.nextafter(0.1, 1), math.nextafter(0.1, 0)
    assert [one.thing[0] for one in moved] == [[up, 2.0, 0.3], [down, 2.0, 0.3]]
    both = moved_trees([0.1, 0.3], set())
    assert [one.thing for one in both[4:]] == [
        [up, math.nextafter(0.3, 1)],
        [down, math.nextafter(0.3, 0)],
    ]


def test_equal_floats_and_opposites_stay_so():
    moved = moved_trees([[0.1, -0.1], 0.1], set())
    up, down = math.nextafter(0.1, 1), math.nextafter(0.1, 0)
    assert [one.thing for one in moved] == [[[up, -up], up], [[down, -down], down]]


def test_floats_in_a_program_are_moved():
    moved = moved_source("y = 'é'; x = 0.1 + 0.5 + 0.7\n", {0.7})
    assert [one.thing for one in moved] == [
        "y = 'é'; x = 0.10000000000000006 + 0.5 + 0.7\n",
        "y = 'é'; x = 0.09999999999999995 + 0.5 + 0.7\n",
    ]
    assert moved_source("x = (", set()) == []


@pytest.mark.parametrize(
    ("before", "after", "differ"),
    [
        (0.1, 0.1 + 1e-15, False),
        (0.1, 0.11, True),
        ([1, 0.1], [1, 0.1 + 1e-15], False),
        ([1, 0.1], [2, 0.1], True),
        (True, 1, True),
        (1, 1.0, True),
        ("a 0.1", "a 0.10000000000000002", False),
        ("a 0.1", "a 0.2", True),
        ("a", "b", True),
        ({"float": "-0.0"}, 0.0, False),
        ({"float": "nan"}, {"float": "nan"}, False),
        ({"float": "inf"}, 1.0, True),
        (None, [], True),
    ],
)
def test_answers_differ_by_more_than_noise(before, after, differ):
    assert flips(before, after) is differ


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_a_unit_alone_is_noise(number):
    for other in (math.nextafter(number, math.inf), math.nextafter(number, -math.inf)):
        assert not flips(values.encode(number), values.encode(other))


@given(st.integers(-(2**39), 2**39), st.integers(0, 10))
def test_integers_and_short_fractions_are_exact(number, places):
    assert not is_noisy(number / 2**places)
    assert is_noisy(0.1)
