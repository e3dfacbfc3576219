"""Limits calibrated from the reference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.store.builders import execution
from thresher.filters.limits import calibrated, limits_for, shown

SECONDS = st.floats(min_value=0.0, max_value=1e6)


@pytest.mark.parametrize(
    ("reference", "cpu", "wall"),
    [(0.0, 3, 60), (0.04, 3, 60), (0.3, 3, 60), (0.31, 4, 80), (0.95, 10, 200), (9.0, 10, 200)],
)
def test_limits_follow_the_reference(reference, cpu, wall):
    limits = limits_for(reference)
    assert (limits.cpu, limits.wall) == (cpu, wall)


@given(SECONDS, SECONDS)
def test_a_slower_reference_never_gives_tighter_limits(one, other):
    quick, slow = limits_for(min(one, other)), limits_for(max(one, other))
    assert limits_for(0) <= quick <= slow


@given(st.floats(min_value=0.0, max_value=1.0))
def test_a_kept_reference_is_far_from_its_own_limit_and_from_those_of_others(reference):
    assert limits_for(0).cpu >= 3 * reference
    assert limits_for(reference).cpu >= 10 * reference


def ran(cpu, run=0, verdict="pass", purpose="reference"):
    return replace(execution("t", verdict), cpu_seconds=cpu, run=run, purpose=purpose)


def test_the_cheapest_passing_run_calibrates():
    assert calibrated([]).cpu == 3
    assert calibrated([ran(0.9), ran(0.5, 1), ran(0.7, 2)]).cpu == 5
    assert calibrated([ran(0.5), ran(0.1, 1, "fail"), ran(0.1, 2, purpose="sample")]).cpu == 5


def test_only_the_last_series_of_runs_counts():
    assert calibrated([ran(0.1), ran(0.1, 1), ran(0.6), ran(0.7, 1)]).cpu == 6


def test_limits_in_words():
    assert shown(limits_for(0.5)) == "5 s of CPU time within 100 s"
