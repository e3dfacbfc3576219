"""One of k samples chosen by a score."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.evaluation.choosing import best
from thresher.filters.evaluation.estimates import pass_at


def by_all_draws(scores, passed, k):
    """Go through every draw of k, and through every best of it."""
    total, draws = Fraction(0), 0
    for drawn in combinations(range(len(scores)), k):
        top = max(scores[i] for i in drawn)
        alike = [i for i in drawn if scores[i] == top]
        total += Fraction(sum(passed[i] for i in alike), len(alike))
        draws += 1
    return float(total / draws)


SAMPLES = st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=8)


@given(SAMPLES, st.data())
def test_it_is_the_mean_over_all_draws(samples, data):
    scores, passed = zip(*samples, strict=True)
    k = data.draw(st.integers(1, len(samples)))
    assert best(scores, passed, k) == pytest.approx(by_all_draws(scores, passed, k), abs=1e-15)


def test_one_of_one_is_random_and_all_give_the_best():
    scores, passed = [-3.0, -1.0, -2.0, -4.0], [True, False, True, False]
    assert best(scores, passed, 1) == 0.5
    assert best(scores, passed, 4) == 0.0
    assert best(scores, passed, 2) == 0.5


def test_a_score_that_knows_is_the_oracle_and_one_that_knows_nothing_is_random():
    passed = [True] * 3 + [False] * 7
    assert best([float(p) for p in passed], passed, 4) == pytest.approx(pass_at(10, 3, 4))
    assert best([0.0] * 10, passed, 4) == pytest.approx(0.3)


def test_many_samples_are_no_trouble():
    passed = [n % 3 == 0 for n in range(1000)]
    assert best([float(n) for n in range(1000)], passed, 1) == pytest.approx(0.334)
