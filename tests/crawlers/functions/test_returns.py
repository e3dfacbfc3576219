"""What statements of functions say of their results."""

import pytest

from thresher.crawlers.functions import returns
from thresher.crawlers.statement import Call, Parameter, Signature
from thresher.store.records import Comparator

EXACT = Comparator()
UNORDERED = Comparator(kind="unordered")
NESTED = Comparator(kind="unordered-nested")


def read(text, annotation="", out=(1,)):
    signature = Signature("f", (Parameter("x"),), annotation) if annotation else None
    return returns.read(text, signature, (Call({"x": 1}, list(out) if out == (1,) else out),))


@pytest.mark.parametrize(
    ("text", "annotation"),
    [
        ("You can return the answer in any order.", "List[int]"),
        ("Return all of them. The result may be in any order.", "List[str]"),
        ("Return the answer in any arbitrary order.", "List[int]"),
        ("Return the pairs. The pairs can appear in any order.", "List[List[int]]"),
        ("Return all points in any order; a point is [x, y].", "List[List[int]]"),
        ("返回答案。你可以按任意顺序返回答案。", "List[int]"),
        ("Return every index in any order.", ""),
    ],
)
def test_lists_without_an_order(text, annotation):
    found = read(text, annotation, [[1, 2]] if "List[List" in annotation else [1])
    assert (found.comparator, found.flags) == (UNORDERED, {"any_order"})
    assert found.evidence in text
    assert found.evidence


@pytest.mark.parametrize(
    "text",
    [
        "Group the words that rhyme. You can return the answer in any order.",
        "Return all combinations that fit. You may return the combinations in any order.",
        "Return all the triplets. The order of the output and of the triplets does not matter.",
    ],
)
def test_lists_of_what_is_a_set(text):
    found = read(text, "List[List[str]]", [["a"], ["b"]])
    assert (found.comparator, found.flags) == (NESTED, {"any_order_nested"})
    assert read(text, "", [["a"]]).comparator == NESTED
    assert read(text, "List[str]", ["a"]).comparator == UNORDERED


@pytest.mark.parametrize(
    "text",
    [
        "You may do the operations in any order and return the least number.",
        "Return the list after you rearrange it in any order.",
        "The input is given in any order. Return it sorted.",
        "Return the list.",
        "Return the sum of the digits in any order.",
    ],
)
def test_an_order_of_something_else_says_nothing(text):
    found = read(text, "int" if "sum" in text else "List[int]", 3 if "sum" in text else [3])
    assert (found.comparator, found.flags) == (EXACT, frozenset())


@pytest.mark.parametrize(
    ("text", "annotation"),
    [
        ("Return a word with these letters, in any order.", "str"),
        ("Return the head of a list of the counts in any order.", "Optional[ListNode]"),
        ("Return the longest. Note that [2] is also a valid answer.", "List[int]"),
        ("The numbers in the lists may be returned in any order.", "List[List[int]]"),
        ("If there are several answers, return any of them.", "List[int]"),
        ("Return any valid order of the tasks.", "List[int]"),
        ("You may return any such list.", "List[int]"),
        ("If there is more than one, any of them will be accepted.", "str"),
        ("Return the index of any of the peaks.", "int"),
        ("If a node has multiple answers, you can choose any one answer.", "List[int]"),
        ("Any valid answer that sorts them will be judged as correct.", "List[int]"),
        ("Return a grid representing any matrix with these sums.", "List[List[int]]"),
    ],
)
def test_several_right_answers(text, annotation):
    assert "multiple_answers" in read(text, annotation, [[1]] if "List" in annotation else 1).flags


def test_indices_in_lists_without_an_order_are_several_answers():
    text = "Return both lists. You can return the indices of the roads in any order."
    assert "multiple_answers" in read(text, "List[List[int]]", [[1], [2, 3]]).flags
    assert read(text, "List[int]", [1, 2]).comparator == UNORDERED


def test_another_order_is_no_other_answer():
    found = read("Return them in any order. [2,1] is also accepted.", "List[int]", [1, 2])
    assert (found.comparator, found.flags) == (UNORDERED, {"any_order"})


@pytest.mark.parametrize(
    "text",
    [
        "Return the least sum of any path.",
        "If there is not any such path, return -1.",
        "If there are several answers, return the smallest.",
        "Return any of them that is lexicographically smallest.",
        "You can't return it to any of the bags.",
        "Return the product of any two digits.",
        "Return the length. The list [2] is also a valid choice.",
    ],
)
def test_one_right_answer(text):
    assert "multiple_answers" not in read(text, "int", 1).flags


@pytest.mark.parametrize(
    ("text", "absolute"),
    [
        ("Answers within `10^{-5}` of the actual answer will be accepted.", 1e-5),
        ("Answers within 10^-6 of the actual value are accepted.", 1e-6),
        ("Answers within 10-5 of the actual answer will be accepted.", 1e-5),
        ("Return the mean.", 1e-5),
    ],
)
def test_floats_have_a_tolerance(text, absolute):
    for annotation, out in (("float", 2.5), ("List[float]", [2.5]), ("", 2.5)):
        found = read(text, annotation, out)
        assert found.comparator == Comparator(kind="float", absolute=absolute)
        assert "within" in found.evidence


def test_integers_stay_exact():
    text = "Answers within 10^-5 of the actual answer will be accepted."
    assert read(text, "int", 5).comparator == EXACT


def test_answers_left_in_an_argument():
    assert read("Turn it.", "None", [1]).flags == {"in_place"}
    text = "The list should not be returned by the function, but be stored inside the list `a`."
    assert read(text).flags == {"in_place"}
    assert read("Move the zeros. You must do this in-place.").flags == {"in_place"}
    assert read("Remove them in-place and return how many are left.").flags == frozenset()
    assert read("Sort parts in place. Return `true` if it is possible.").flags == frozenset()


def test_classes():
    design = Signature("Shelf", methods=(Signature("__init__"), Signature("put", (), "float")))
    found = returns.read("Build it.", design, (Call({}, [None, 2]),))
    assert found.flags == {"design_class"}
    assert found.comparator == Comparator(kind="float", absolute=1e-5)
    lists = Signature("Shelf", methods=(Signature("__init__"), Signature("all", (), "List[str]")))
    found = returns.read("all() returns the names in any order.", lists, ())
    assert found.flags == {"design_class", "multiple_answers"}


def test_long_sentences_take_no_time():
    text = "multiple return " * 50_000 + "modify " * 50_000
    assert read(text, "", 1).flags == frozenset()
