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
        "The edges themselves can be listed in whatever order.",
        "Any order is accepted.",
        "Given a list, return the items in any order.",
        "The order in which the words are listed does not matter.",
        "The order of the pairs doesn't matter.",
        "Returns an unordered list of the names.",
        "No particular order is guaranteed for the result.",
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
        "The arguments may be given in any order.",
        "The order of a and b doesn't matter.",
        "The order of `low` and `high` doesn't matter.",
        "Given a list of words in arbitrary order, return them sorted.",
        "Sort a list whose items are in any order.",
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
        "If there are multiple texts of the smallest length, return any of them.",
        "Any valid answer that sorts it within 10 * arr.length flips will be judged as correct.",
        "If there are multiple solutions, any one will be accepted.",
        "Return one of the paths; it does not matter which one.",
        "Return any shortest path.",
        "Return any divisor that is odd.",
        "If several words are as long, any of them may be returned.",
        "In case of ties, any of the tied words can be returned.",
        "Ties may be broken arbitrarily.",
        "The answer is not unique: return any valid one.",
        "The choice between equally good answers is arbitrary.",
        "If more than one exists, pick any.",
        "Which of them is returned is unspecified.",
        "If there are several such numbers, return one of them.",
        "Return one of the divisors of n that is not 1.",
        "Any such rearrangement is right.",
        "Any valid order will do.",
        "If there is more than one longest word, any is fine.",
        "It doesn't matter which players are chosen, as long as the sum is enough.",
        "Return an arbitrary element of the set.",
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
        "Any value is accepted for compatibility.",
        "Any positive integer will do for a, but a better one is faster.",
        "Every part is quoted whole, so any name works.",
        "Any valid number is accepted.",
        "Any valid text that is read now will be read correctly in future versions.",
        "Return whether any of the given hashes are allowed.",
        "Return True as soon as any of them is valid.",
        "Check that any possible value is allowed.",
        "Return any text that is left.",
        "Any of the arguments may be None.",
        "The first successful search from any of the finders is returned.",
        "An item replaces any other of its name, no matter which information it has.",
        "It returns one of the flags of the array.",
        "Return one such that the sum is even.",
        "Ties are broken by name.",
        "Several words can be given; return one string.",
        "If there are several matches, return the first.",
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
