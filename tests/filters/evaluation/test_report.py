"""What the verdicts of a few samples say."""

import msgspec
import pytest

from tests.store.builders import case, problem, program
from thresher.errors import UsageError
from thresher.filters.evaluation import likeness
from thresher.filters.evaluation.report import Judged, check_ks, figures, grouped
from thresher.filters.evaluation.samples import Sample
from thresher.filters.evaluation.tasks import Graded, Task
from thresher.filters.evaluation.wording import lines

SHOWN = msgspec.structs.replace(case(2, expected=4), shown=True)


def sample(task, text, mean=None, total=None):
    return Sample(b"{}", task, text, total, mean, f"{task} {text}")


def judged(task, *found):
    """Give a task samples: (text, verdict), with `shown` and log-probabilities where wanted."""
    rows = []
    for text, verdict, *more in found:
        shown, mean, total = (*more, None, None, None)[:3]
        rows.append((sample(task.name, text, mean, total), Graded(verdict, shown=shown)))
    return Judged(task, rows)


WITH_SHOWN = Task(problem("one", cases=(SHOWN,)))
HIDDEN = Task(problem("two"))
PROBLEMS = [
    judged(
        WITH_SHOWN,
        ("    return 2 * x\n", "pass", True, -1.0, -9.0),
        ("    return 3 * x\n", "fail", True, -2.0, -8.0),
        ("    return 4\n", "timeout", True, -3.0, -7.0),
        ("    pass\n", "crash", False, -4.0, -6.0),
    ),
    judged(HIDDEN, ("    return x + x\n", "pass"), ("    return 0\n", "fail")),
]


def values(found):
    return {k: (mean["value"], mean["problems"]) for k, mean in found.items()}


def test_the_figures_over_problems():
    found = figures(PROBLEMS, [1, 2, 3])
    assert values(found["pass_at"]) == {"1": (0.375, 2), "2": (0.75, 2)}
    assert found["refused"] == {"3": "two has 2 samples"}
    assert values(found["filtered_pass_at"]) == {
        "1": (pytest.approx(1 / 3), 1),
        "2": (pytest.approx(2 / 3), 1),
    }
    assert found["verdicts"] == {"pass": 2, "fail": 2, "timeout": 1, "crash": 1}
    assert found["samples_of_problems"] == {"2": 1, "4": 1}
    assert found["strict_accuracy"] is None


def test_one_is_chosen_of_two_where_all_have_log_probabilities():
    (choice,) = figures(PROBLEMS, [2])["choice"].values()
    assert values(choice) == {
        "oracle": (0.75, 2),
        "mean log-probability": (0.5, 1),
        "summed log-probability": (0.0, 1),
        "random": (0.375, 2),
    }
    (choice,) = figures(PROBLEMS[1:], [2])["choice"].values()
    assert choice["mean log-probability"] is None


def test_a_row_for_each_problem():
    row, _ = figures(PROBLEMS, [1, 2, 3])["per_problem"]
    assert row["verdicts"] == {"pass": 1, "fail": 1, "timeout": 1, "crash": 1}
    assert (row["samples"], row["pass_shown"], row["pass_rate"]) == (4, 3, 0.25)
    assert row["pass_at"] == {"1": 0.25, "2": 0.5}
    assert row["interval"] == pytest.approx([0.045587, 0.699358], abs=1e-6)


def test_strict_accuracy_is_that_of_programs():
    found = figures([*PROBLEMS, judged(Task(program()), ("a", "pass"), ("b", "fail"))], [1])
    assert found["strict_accuracy"]["value"] == 0.5
    assert found["strict_accuracy"]["problems"] == 1


def test_of_nothing_there_are_no_figures():
    found = figures([], [1])
    assert (found["pass_at"], found["per_problem"], found["strict_accuracy"]) == ({}, [], None)


def test_a_k_that_was_asked_for_needs_as_many_samples():
    samples = [sample("one", str(n)) for n in range(4)] + [sample("two", "x")]
    check_ks([1], samples)
    with pytest.raises(UsageError, match="pass@2 needs 2 samples of each problem, but two has 1"):
        check_ks([1, 2], samples)


def test_samples_without_a_verdict_are_left_out():
    samples = [sample("two", "a"), sample("one", "a"), sample("two", "b"), sample("bad", "c")]
    known = {"two a": Graded("pass"), "one a": Graded("fail"), "bad c": Graded("pass")}
    found = grouped(samples, known, {"one": WITH_SHOWN, "bad": "broken", "two": HIDDEN})
    assert [(one.task.name, len(one.samples)) for one in found] == [("one", 1), ("two", 1)]


def test_bleu_is_compared_between_passing_and_failing():
    found = likeness.figures([*PROBLEMS, judged(Task(problem("three", " \n")), ("x", "pass"))])
    assert set(found["per_problem"]) == {"one", "two"}
    one = found["per_problem"]["one"]
    assert (one["passing"]["samples"], one["failing"]["samples"]) == (1, 3)
    assert one["passing"]["median"] == pytest.approx(100)
    assert one["separation"] == 1.0
    assert found["per_problem"]["two"]["separation"] == 0.5  # "x + x" has as little as "0"
    assert found["separation"] == 0.75
    assert found["failing"] == 0.0


def told(problems, ks, **more):
    counts = {
        "problems": 5,
        "problems_with_samples": len(problems),
        "different_programs": 6,
        "judged_now": 2,
        "not_judged": 0,
        "rejected": [],
        "bleu": likeness.figures(problems),
    }
    return "\n".join(lines({**counts, **figures(problems, ks), **more}))


def test_the_figures_in_words():
    text = told(PROBLEMS, [1, 2, 3])
    head, *table = text.splitlines()[:3]
    rows = {line.split()[0]: line.split() for line in (head, *table)}
    assert rows["problem"] == [
        *("problem", "samples", "pass", "fail", "timeout", "crash", "rate", "(95", "%)"),
        *("BLEU", "pass", "fail"),
    ]
    assert rows["one"][1:9] == ["4", "1", "1", "1", "1", "0.250", "(0.046–0.699)", "100.0"]
    assert "6 samples judged: 2 pass, 2 fail, 1 timeout, 1 crash" in text
    assert "2 of 5 problems have samples (1 with 2, 1 with 4); the others don't count" in text
    assert "pass@3                                 can't be had: two has 2 samples" in text
    assert "filtered pass@1                        0.3333 (one problem)" in text
    assert "one of 2, by mean log-probability      0.5000 (one problem)" in text
    assert "BLEU against the reference: all " in text


def test_what_went_wrong_in_words():
    rejected = [{"line": 7, "reason": "isn't a sample: torn"}]
    text = told(PROBLEMS[1:], [2], not_judged=3, rejected=rejected, bleu=None)
    assert "line 7 isn't a sample: torn" in text
    assert "3 not judged, the sandbox failed: run it again" in text
    assert "by mean log-probability      – (samples without log-probabilities)" in text
    assert "BLEU" not in text
