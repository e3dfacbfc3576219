"""Examples in the forms that prompts have them."""

import pytest

from thresher.filters.examples.prompt_examples import Broken, examples


def found(text, name="f", parameters=("x",)):
    """Return each example's source with what it says."""
    read = examples(text, name, parameters)
    assert not isinstance(read, Broken)
    return [(one.source, one.value and one.value.value) for one in read]


@pytest.mark.parametrize(
    "text",
    [
        "f(1) -> 2",
        "f(1) --> 2.",
        "f(1) => 2  # why",
        "f(1) ==> 2",
        "f(1) ➞ 2",
        "f(1) == 2",
        "f(1) = 2",
        "* f(1) -> 2",
        "for f(1) == 2",
        "f(1)   # => 2 (the reason)",
        "f(1)  # returns 2",
        "f(1)\n    -> 2",
        "f(1) ->\n    2",
        "For example f(1) should\nreturn 2.",
        "`f(1)` returns `2`, and",
        "f(1) is 2 because",
        "f(1) gives 2; f(y) is unknown",
        "f(1) -> 1 + 1 = 2",
    ],
)
def test_a_call_with_what_it_gives(text):
    assert found(text) == [("f(1)", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "f(0) -> 0\nf(n) -> f(n - 1) + 2",  # defines a sequence
        "f(y) -> 2",
        "f() returns True",  # the function's name
        "g.f(1) -> 2",
        "f(1) is called twice",
        "f(1) -> 2 or 3",
        "f(1) != 2",
        "if f(1) > 2",
        "f([1, ...]) -> 2",
        "f(1",
    ],
)
def test_no_example(text):
    assert found(text) == []


def test_a_sequence_is_defined_apart_from_the_examples():
    text = "f(1) = 3\nf(n) = n + f(n - 1)\nExamples:\nf(3) = [1, 3]"
    assert found(text) == [("f(3)", [1, 3])]


def test_calls_may_be_long_and_stand_in_others():
    text = "f([\n [1, 2],\n [3]]) == [(0, 1),\n (2, 3)]\n\nlist(f(2)) -> [1]\n\nf(g(3)) == ')'"
    assert found(text) == [
        ("f([\n [1, 2],\n [3]])", [(0, 1), (2, 3)]),
        ("list(f(2))", [1]),
        ("f(g(3))", ")"),
    ]


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("Input: x = [1], k = 2\nOutput: 3", "f(x=[1], k=2)"),
        ("Input: other = [1], k = 2\nOutput: 3", "f([1], 2)"),
        ("Input:\n    x : [1]\n    k : 2\nOutput: 3", "f(x=[1], k=2)"),
        ("Input: [1], 2\nOutput: 3\nExplanation: no", "f(*([1], 2))"),
        ("For x = [1], k = 2, the output should be 3.", "f(x=[1], k=2)"),
        ("Example: if x = [1] and k = 2 the result is 3", "f(x=[1], k=2)"),
        ("x = [1]\nk = 2\nreturn 3", "f(x=[1], k=2)"),
        ("For x = [1], k = 2, the sum is 7 and the output should be 3.", "f(x=[1], k=2)"),
    ],
)
def test_inputs_with_outputs(text, call):
    assert found(text, parameters=("x", "k")) == [(call, 3)]


def test_what_is_given_must_be_whole():
    assert found("Input: x = [1]\nOutput: 3", parameters=("x", "k")) == [("f(x=[1])", 3)]
    assert found("For x = 1, the output should be 3.", parameters=("x", "k")) == []
    assert found("Input: x = 1\nOutput: x = 3") == []  # what becomes of an argument
    assert found("Input: 1, 2\nOutput: 3", parameters=("x", "k", "z")) == []


def test_doctests_with_what_they_print_or_raise():
    text = ">>> y = 1\n>>> f(y)\n2\n>>> f(2) == 3\n>>> f(4)\n\n>>> f(5)  # doctest: +SKIP\n9\n"
    read = examples(text, "f", ["x"])
    assert [(one.source, one.counts, one.value and one.value.value) for one in read] == [
        ("y = 1\n", False, None),
        ("f(y)\n", True, 2),
        ("f(2) == 3\n", True, True),
        ("f(4)\n", True, None),
    ]
    raised = examples(">>> f(1)\nTraceback (most recent call last):\nValueError: x\n", "f", ["x"])
    assert [one.value.raises for one in raised] == ["ValueError"]


@pytest.mark.parametrize(
    "text",
    [
        '    >>> f("ab\ncd")\n    1\n',
        ">>>f(1)\n2\n",
        ">>> f(1\n2\n",
        ">>> print f(1)\n2\n",
    ],
)
def test_doctests_that_can_t_be_read(text):
    assert isinstance(examples(text, "f", ["x"]), Broken)


def test_text_that_is_indented_less_ends_a_doctest():
    assert found("Example:\n    >>> f(1)\n    2\nNote that.") == [("f(1)\n", 2)]


@pytest.mark.parametrize("text", ["f(" * 5_000, "f([1] " * 3_000, "x = [1]\n" * 3_000])
def test_hostile_text_ends_soon(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("behind", "is_broken"), [("3", True), ("[1, 2]", True), ("and so on", False), ("", False)]
)
def test_an_answer_that_is_indented_less_than_its_call_is_none(behind, is_broken):
    text = f"Double.\n\n        >>> f(1)\n      {behind}\n"
    assert isinstance(examples(text, "f", ["x"]), Broken) == is_broken
