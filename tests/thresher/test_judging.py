"""Verdicts from answers that may be hostile."""

import pytest

from tests.store.builders import case
from thresher.judging import decide, describe, matches
from thresher.sandbox.judge import Ended, Outcome, Result
from thresher.store import values
from thresher.store.records import Comparator

EXACT = Comparator()
STOPPED = Ended("stopped", 9, 0.1, 0.1)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome(value={"tuple": [1, "a"]}), "returned (1, 'a')"),
        (Outcome(value={"nonsense": 1}), "returned malformed data"),
        (Outcome(raises="ValueError", message="no\x1b[31m\n\ud800"), "\\x1b[31m\\n\\ud800"),
        (Outcome(refused="x" * 999), "x" * 300),
        (Outcome(), "gave no answer"),
    ],
)
def test_what_was_given_is_said_in_one_harmless_line(outcome, said):
    text = describe(outcome)
    assert said in text
    assert text.isprintable()
    assert len(text) <= 300


def test_large_hostile_data_is_shown_but_not_decoded(monkeypatch):
    monkeypatch.setattr(values, "decode", None)
    tree = {"fraction": [{"int": "0x" + "7" * 9999}, {"int": "0x" + "3" * 9999}]}
    assert describe(Outcome(value=tree)).startswith('returned the data {"fraction": ')


def test_no_cases_is_an_error_and_never_a_pass():
    judged = decide([], EXACT, Result((), None, STOPPED))
    assert (judged.verdict, judged.detail) == ("infrastructure_error", "the problem has no cases")


@pytest.mark.parametrize(
    ("outcome", "ended", "verdict"),
    [
        (Outcome(value=4), STOPPED, "pass"),
        (Outcome(value=5), STOPPED, "fail"),
        (Outcome(value=4), Ended("cpu", 9, 9.0, 9.0), "timeout"),
        (Outcome(raises="MemoryError"), STOPPED, "out_of_memory"),
        (Outcome(raises="PermissionError"), STOPPED, "denied"),
        (Outcome(refused="no plain data"), STOPPED, "fail"),
        (None, Ended("wall", 9, 0.0, 9.0), "timeout"),
        (None, Ended("exited", 11, 0.0, 0.0), "crash"),
        (None, Ended("exited", 0, 0.0, 0.0), "fail"),
        (None, Ended("output", 9, 0.0, 0.0), "denied"),
    ],
)
def test_verdicts(outcome, ended, verdict):
    outcomes = () if outcome is None else (outcome,)
    assert decide([case(2, expected=4)], EXACT, Result(outcomes, None, ended)).verdict == verdict


def test_an_answer_that_both_returns_and_raises_is_wrong_for_an_exception():
    both = Outcome(value=4, raises="ValueError")
    assert not matches(case(2, raises="ValueError"), both, EXACT)
