import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.statement import Sample
from thresher.crawlers.text import samples
from thresher.errors import SourceError


@pytest.mark.parametrize(
    ("raw", "right"),
    [
        ("1 2\r\n3\r\n", "1 2\n3\n"),
        ("1\r2", "1\n2\n"),
        ("\n5\n", "5\n"),
        ("\n\n5", "\n5\n"),
        (" -1 2 \t\n\n  3\n\n\n", " -1 2\n\n  3\n"),
        ("x", "x\n"),
        (" \n\t\n", ""),
        ("", ""),
    ],
)
def test_normalised(raw, right):
    assert samples.normalise(raw) == right


@given(st.text(alphabet="ab \t\r\n", max_size=30))
def test_normalising_holds_its_promises(raw):
    once = samples.normalise(raw)
    assert once == "" or once.endswith("\n")
    assert not once.endswith("\n\n")
    assert all(line == line.rstrip(" \t") for line in once.split("\n"))
    if not once.startswith("\n"):
        assert samples.normalise(once) == once


def pairs(*blocks):
    return [(one.input.strip(), one.output.strip()) for one in samples.pair(blocks)]


@pytest.mark.parametrize(
    "labels",
    [
        ("Input", "Output", "Input", "Output"),
        ("Sample Input 1", "Sample Output 1", "Sample Input 2", "Sample Output 2"),
        ("Sample Input 1", "Output for the Sample Input 1", "Sample Input 2", "Sample Output"),
        ("入力例 1", "出力例 1", "入力例２", "出力例２"),
        ("入力例1", "入力例1に対する出力", "入力例2", "入力例2に対する出力"),
        ("入力1", "出力1", "入力2", "出力2"),
        ("входные данные", "выходные данные", "входные данные", "выходные данные"),
        ("예제 입력 1", "예제 출력 1", "예제 입력 2", "예제 출력 2"),
        ("输入 #1", "输出 #1", "输入 #2", "输出 #2"),
        ("SAMPLE INPUT:", "SAMPLE OUTPUT:", "stdin", "stdout"),
    ],
)
def test_inputs_and_outputs_that_alternate(labels):
    assert pairs(*zip(labels, "abcd", strict=True)) == [("a", "b"), ("c", "d")]


def test_numbers_pair_what_does_not_alternate():
    blocks = [("Input 1", "a"), ("Input 2", "c"), ("Output 2", "d"), ("Output 1", "b")]
    assert pairs(*blocks) == [("a", "b"), ("c", "d")]


def test_what_explains_is_no_sample():
    blocks = [
        ("Explanation of Sample Inputs", "x"),
        ("Sample Input", "a"),
        ("Sample Output", "b"),
        ("Explanation for sample output", "y"),
        ("Score", "3"),
    ]
    assert pairs(*blocks) == [("a", "b")]
    assert pairs(("Note", "x")) == pairs() == []


@pytest.mark.parametrize(
    "labels",
    [
        ["Input"],
        ["Output", "Input"],
        ["Input", "Input", "Output", "Output"],
        ["Input 1", "Output 2"],
        ["Input 1", "Output 1", "Input 2"],
        ["Input 1", "Input 1", "Output 1", "Output 1"],
        ["Input", "Figure"],
        ["入出力例"],
    ],
)
def test_nothing_is_shifted(labels):
    with pytest.raises(SourceError) as refused:
        samples.pair([(label, "x") for label in labels])
    assert refused.value.reason == "samples-unpaired"


@given(st.lists(st.tuples(st.sampled_from(["Input", "Output", "Input 1", "Output 1"]), st.text())))
def test_all_blocks_are_paired_or_none(blocks):
    try:
        got = samples.pair(blocks)
    except SourceError:
        return
    assert 2 * len(got) == len(blocks)


@pytest.mark.parametrize(
    ("glued", "right"),
    [
        ("Input:\n3 2\n1 2\n\nOutput:\n2\n1 4\n\nScore:\n4", [("3 2\n1 2\n", "2\n1 4\n")]),
        ("Input: 5\nOutput: 7Explanation: because 5 + 2", [("5\n", "7\n")]),
        ("Input: a = 1, b = 2 Output: 3", [("a = 1, b = 2\n", "3\n")]),
        (
            "Example\nInput 1:\n1\nOutput 1:\n2\nInput 2:\n3\nOutput 2:\n4\n",
            [("1\n", "2\n"), ("3\n", "4\n")],
        ),
        ("Sample Input:\n1\nSample Output:\nOutput is: 2\n", [("1\n", "Output is: 2\n")]),
        ("Input\n1\n\nOutput\n2\n\nExplanation\nWhy.", [("1\n", "2\n")]),
        ("Sample Input\n1\nOutput for Sample Input\n2\n", [("1\n", "2\n")]),
        ("Input #1:\n1\nOutput #1:\n2\n", [("1\n", "2\n")]),
        ("Input:\nno input here\nOutput:\noutput is 2\n", [("no input here\n", "output is 2\n")]),
        ("1 2 3", []),
    ],
)
def test_parts_of_one_element_are_cut_apart(glued, right):
    expected = tuple(Sample(input=before, output=after) for before, after in right)
    assert samples.pair(samples.split_glued(glued)) == expected


def test_parts_that_do_not_pair_give_none():
    with pytest.raises(SourceError):
        samples.pair(samples.split_glued("Input: 1\nInput: 2\nOutput: 3\n"))
