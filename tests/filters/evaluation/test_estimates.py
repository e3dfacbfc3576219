"""pass@k and its kin."""

from collections import Counter
from fractions import Fraction
from math import comb, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import UsageError
from thresher.filters.evaluation import estimates
from thresher.filters.evaluation.estimates import Tally, filtered, mean, pass_at, too_few, wilson


def exact(n, c, k):
    """Work out the paper's formula in whole numbers."""
    return 1 - Fraction(comb(n - c, k), comb(n, k))


def test_every_pass_at_k_of_up_to_forty_samples_is_the_exact_one():
    for n in range(1, 41):
        for c in range(n + 1):
            for k in range(1, n + 1):
                assert abs(Fraction(pass_at(n, c, k)) - exact(n, c, k)) < 1e-15


@given(st.integers(1, 1000).flatmap(lambda n: st.tuples(
    st.just(n), st.integers(0, n), st.integers(1, n))))  # fmt: skip
def test_pass_at_k_of_up_to_a_thousand_samples_is_the_exact_one(numbers):
    assert abs(Fraction(pass_at(*numbers)) - exact(*numbers)) < 1e-12


@pytest.mark.parametrize("n", [200, 999, 1000])
def test_a_grid_of_many_samples_is_exact(n):
    for c in {0, 1, 2, n // 3, n // 2, n - 2, n - 1, n}:
        for k in {1, 2, 10, 100, n // 2, n - 1, n}:
            assert abs(Fraction(pass_at(n, c, k)) - exact(n, c, k)) < 1e-12


@pytest.mark.parametrize(
    ("n", "c", "k", "value"),
    [(2, 1, 1, 0.5), (2, 1, 2, 1.0), (4, 2, 2, 5 / 6), (200, 0, 100, 0.0), (5, 5, 1, 1.0)],
)
def test_pass_at_k_by_hand(n, c, k, value):
    assert pass_at(n, c, k) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(("n", "k"), [(9, 10), (1, 0)])
def test_there_is_no_pass_at_more_than_the_samples(n, k):
    with pytest.raises(UsageError, match=f"pass@{k}"):
        pass_at(n, 1, k)


def test_filtered_takes_from_those_that_pass_the_shown_cases():
    assert filtered(4, 2, 1) == 0.5
    assert filtered(4, 2, 2) == pytest.approx(5 / 6)
    assert filtered(3, 1, 10) == 1.0
    assert filtered(3, 0, 10) == 0.0
    assert filtered(0, 0, 1) == 0.0


def test_a_mean_of_nothing_is_none_and_of_one_has_no_interval():
    assert mean([]) is None
    assert mean([0.25]) == (0.25, None, None, 1)


def test_the_interval_is_the_same_every_time_and_about_the_normal_one():
    values = [0.0] * 50 + [1.0] * 50
    found = mean(values)
    assert found == mean(values)
    assert (found.value, found.problems) == (0.5, 100)
    assert 0.38 < found.low < 0.43
    assert 0.57 < found.high < 0.62


def test_equal_values_leave_nothing_open():
    assert mean([0.5] * 9)[:3] == (0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("n", "c", "low", "high"),
    [(10, 0, 0.0, 0.277533), (10, 10, 0.722467, 1.0), (100, 50, 0.403832, 0.596168)],
)
def test_wilson_as_tabled(n, c, low, high):
    found = wilson(n, c)
    assert isclose(found[0], low, abs_tol=1e-6)
    assert isclose(found[1], high, abs_tol=1e-6)


def test_the_problem_with_the_fewest_samples_is_named():
    tallies = [Tally(f"t{n}", "function", Counter({"pass": n}), None) for n in (10, 7, 3)]
    assert too_few(tallies, 3) is None
    assert too_few(tallies, 5) == "t3 has 3 samples"
    assert too_few(tallies, 8) == "t3 has 3 samples, and 1 more have fewer than 8"


def test_a_tally_counts_passes_among_all():
    tally = Tally("t", "function", Counter({"pass": 2, "timeout": 1}), None)
    assert (tally.n, tally.c) == (3, 2)
    assert estimates.pass_at(tally.n, tally.c, 1) == pytest.approx(2 / 3)
