"""Sampling: when it stops, what is judged, and what the decision says of the pass rate."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import case, problem
from thresher.errors import SourceError, UsageError
from thresher.filters import solvable
from thresher.filters.estimates import Drawn, in_words
from thresher.filters.solvable import Solvable

DOUBLE = problem(cases=(case(2, expected=4), case("ab", expected="abab"), case(0.5, expected=1.0)))
RIGHT, WRONG = "    return x + x\n", "    return x\n"


def applied(tools, **options):
    return solvable.apply(DOUBLE, tools._replace(options=Solvable(**options)))


def test_sampling_stops_after_the_batch_with_the_last_pass_needed(make_tools):
    tools, asked = make_tools([WRONG] * 5 + [RIGHT] + ["    retur"] * 4)
    finding = applied(tools, passes=1)
    assert (finding.decision.keep, finding.decision.evidence) == (
        True,
        "1 of 6 samples pass (stopped at pass 1): pass@1 0.004 to 0.522; first solved by sample 5",
    )
    assert asked == [range(0, 4), range(4, 8)]


@pytest.mark.parametrize("batch", [1, 3, 4, 50])
def test_what_a_batch_holds_beyond_the_stop_does_not_count(make_tools, batch):
    finding = applied(make_tools([WRONG, RIGHT], batch=batch)[0])
    assert finding.decision.facts == {
        "drawn": 6,
        "passed": 3,
        "most": 100,
        "passes": 3,
        "pass@1": 0.4,
        "interval": [0.118117, 0.853367],
    }


def test_identical_completions_are_judged_once(make_tools):
    tools, asked = make_tools([WRONG])
    finding = applied(tools)
    assert (finding.decision.reason, finding.decision.evidence) == (
        "never-solved",
        "0 of 100 samples pass: the pass rate is below 2.95% at 95%",
    )
    assert len(finding.executions) == 1
    assert asked[-1] == range(96, 100)


def test_all_samples_on_request(make_tools):
    tools, asked = make_tools([RIGHT, WRONG])
    finding = applied(tools, samples=8, passes=0)
    assert finding.decision.evidence == (
        "4 of 8 samples pass: pass@1 0.500, 0.157 to 0.843; first solved by sample 0"
    )
    assert asked == [range(0, 4), range(4, 8)]


def test_a_prompt_the_model_cannot_take_is_dropped_by_its_reason(make_tools):
    def refuse(one, indices):
        raise SourceError("prompt-too-long", f"{one.task_id}: 4000 tokens")

    finding = applied(make_tools()[0]._replace(samples=refuse))
    assert (finding.decision.keep, finding.decision.reason) == (False, "prompt-too-long")


@given(
    rate=st.fractions(0, 1, max_denominator=20),
    most=st.integers(1, 9),
    passes=st.integers(0, 4),
    data=st.data(),
)
def test_the_estimate_is_unbiased_wherever_it_stops(rate, most, passes, data):
    k = data.draw(st.integers(1, most))
    expected, seen = 0.0, set()
    for results in itertools.product((False, True), repeat=most):
        drawn = Drawn.of(results, most, passes)
        way = results[: drawn.drawn]
        if way not in seen:
            seen.add(way)
            chance = rate**drawn.passed * (1 - rate) ** (drawn.drawn - drawn.passed)
            expected += float(chance) * drawn.pass_at(k)
    assert expected == pytest.approx(float(1 - (1 - rate) ** k))


def test_the_share_after_the_first_pass_would_be_far_off():
    rate, most = 0.1, 100
    share = sum((1 - rate) ** (n - 1) * rate / n for n in range(1, most + 1))
    assert share == pytest.approx(0.256, abs=0.001)  # c/n reads 0.26


def test_what_was_not_drawn_is_refused():
    with pytest.raises(UsageError, match="pass@101 can't be had of at most 100 samples"):
        Drawn(10, 3, 100, 3).pass_at(101)


@pytest.mark.parametrize(
    ("drawn", "low", "high"),
    [
        (Drawn(100, 0, 100, 3), 0.0, 0.029513),
        (Drawn(10, 10, 10, 0), 0.691503, 1.0),
        (Drawn(10, 3, 10, 0), 0.066739, 0.652453),
        (Drawn(3, 3, 100, 3), 0.292402, 1.0),
    ],
)
def test_intervals_are_those_of_clopper_and_pearson(drawn, low, high):
    assert drawn.interval() == pytest.approx((low, high), abs=1e-6)


def test_words():
    assert in_words(Drawn(21, 3, 100, 3)) == (
        "3 of 21 samples pass (stopped at pass 3): pass@1 0.100, 0.030 to 0.317"
    )
