import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.datasets import bounds
from thresher.crawlers.statement import Call, Sample, Solution

TEXT = """\
Add the numbers.

-----Input-----
A line.

-----Examples-----
Input
1 2

Output
3

Input
4

Output
4

-----Note-----
The end."""


def test_examples_are_cut_out_of_the_text() -> None:
    split = bounds.split(TEXT, [bounds.sample("7", "7"), bounds.sample("1 2\r\n", "3\r\n")])
    assert split.text == "Add the numbers.\n\n-----Input-----\nA line.\n\n-----Note-----\nThe end."
    assert split.shown == (Sample("1 2\n", "3\n"),)
    assert split.hidden == (Sample("7\n", "7\n"),)


@pytest.mark.parametrize(
    "heading", ["Example", "Examples", "SAMPLE INPUT", "Sample Input 1:", "-----Sample Input-----"]
)
def test_headings_of_examples(heading: str) -> None:
    text = f"Add.\n\n{heading}\n1 2\n\nOutput:\n\n3\n\nNote\n\nIt is 3."
    split = bounds.split(text, [bounds.sample("1 2", "3")])
    assert split.text == "Add.\n\nNote\n\nIt is 3."
    assert len(split.shown) == 1


def test_a_text_whose_examples_are_no_cases_is_left_alone() -> None:
    split = bounds.split(TEXT, [bounds.sample("5", "5")])
    assert (split.text, split.shown) == (TEXT, ())
    assert split.hidden == (Sample("5\n", "5\n"),)


def test_a_case_whose_digits_stand_in_the_examples_is_not_shown() -> None:
    split = bounds.split(TEXT, [bounds.sample("1 2", "3"), bounds.sample("2", "3")])
    assert split.shown == (Sample("1 2\n", "3\n"),)


def test_a_sentence_about_an_example_is_no_heading() -> None:
    text = "Add.\nFor example, 1 and 2 give 3.\n1 2\n3"
    assert bounds.split(text, [bounds.sample("1 2", "3")]).text == text


def test_cases_come_once_smallest_first_and_no_more_than_twenty() -> None:
    cases = [bounds.sample(f"{n}", "x" * n) for n in range(40, 0, -1)] * 2
    hidden = bounds.split("Text.", cases).hidden
    assert [len(case.output) for case in hidden] == list(range(2, 22))


def test_cases_that_are_too_large_are_left_out() -> None:
    sizes = (70_000, 60_000, 59_000, 58_000, 57_000, 56_000)
    hidden = bounds.hidden(Sample("x" * size, "y") for size in sizes)
    assert [len(case.input) for case in hidden] == [56_000, 57_000, 58_000, 59_000]


def test_calls_are_bounded_too_but_stay_in_order() -> None:
    calls = [Call({"n": "x" * 70_000}, 0), Call({"n": 2}, 0), Call({"n": 1}, 0), Call({"n": 2}, 0)]
    assert bounds.hidden_calls(calls) == (Call({"n": 2}, 0), Call({"n": 1}, 0))


def test_five_programs_in_python_3_are_kept() -> None:
    texts = ["print 1", "", "\0", "# nothing", *(f"print({n})" for n in range(9)), "("]
    assert bounds.solutions(texts, right=False) == tuple(
        Solution("python", f"print({n})", False) for n in range(5)
    )


def test_a_program_that_would_warn_is_one() -> None:
    text = "import re\nre.compile('\\d')\nprint(1 is 1)\n"
    assert bounds.solutions([text]) == (Solution("python", text),)


cases = st.builds(bounds.sample, st.text(max_size=20), st.text(max_size=20))


@given(st.text(), st.lists(cases, max_size=6))
def test_no_case_is_lost_or_doubled(text: str, given_cases: list[Sample]) -> None:
    split = bounds.split(text, given_cases)
    assert sorted(map(repr, (*split.shown, *split.hidden))) == sorted(map(repr, {*given_cases}))
