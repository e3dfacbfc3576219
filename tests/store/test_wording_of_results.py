"""What sentences say of the results of functions."""

import pytest

from thresher.store.wording_of_results import is_any_answer, is_any_order, list_order, sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "Return the result in any order.",
        "The order of the returned items does not matter.",
        "The items are returned in arbitrary order.",
        "The order of the output is not guaranteed.",
    ],
)
def test_any_order_is_read(sentence):
    assert is_any_order(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Return true if the words have the same letters in any order.",
        "The numbers are given in any order; return their sum.",
        "Return them in ascending order.",
        "The order matters.",
        "",
    ],
)
def test_the_order_of_the_input_is_another_s(sentence):
    assert not is_any_order(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Return any of them.",
        "If there are multiple answers, return any.",
        "Any valid answer will be accepted.",
        "Find any such pair.",
    ],
)
def test_any_answer_is_read(sentence):
    assert is_any_answer(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Return the number of any kind.",
        "Return the smallest if there are several answers, not any.",
        "Return True if any of the numbers is even.",
        "You can change any element.",
        "Return any errors found.",
        "If there are multiple answers, return the lexicographically smallest.",
    ],
)
def test_one_answer_is_left_alone(sentence):
    assert not is_any_answer(sentence)


def test_lists_of_sets_have_no_order_inside():
    sentence = "Return the subsets in any order."
    assert list_order(sentence, [sentence], True) == "unordered-nested"
    assert list_order(sentence, [sentence], False) == "unordered"
    assert list_order("The items in each list may have any order.", [], True) is None


def test_sentences_are_lines():
    text = "One\nline. Two\n\n>>> f(1)\n2\n\n- Three"
    assert list(sentences(text)) == ["One line.", "Two", "Three"]
