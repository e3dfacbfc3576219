"""Example values from text: what is read, and what is refused instead of guessed."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.crawlers.functions import literals
from thresher.crawlers.statement import Parameter
from thresher.errors import SourceError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)
NUMS_K = (Parameter("nums", "List[int]"), Parameter("k", "int"))


def refused(call, *arguments):
    with pytest.raises(SourceError) as caught:
        call(*arguments)
    assert caught.value.reason == "example-unreadable"
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("nums = [2,7,11], target = 9", ["nums = [2,7,11]", "target = 9"]),
        ('s = "a,b", t = "]"', ['s = "a,b"', 't = "]"']),
        (r's = "say \", then", k = 1', [r's = "say \", then"', "k = 1"]),
        ("'(', 5", ["'('", "5"]),
        ("[[1,2],\n [3]]\n4", ["[[1,2], [3]]", "4"]),
        ("board =\n[[1]],\nword = 2", ["board = [[1]]", "word = 2"]),
        ("a = 1\n\n\n, b = 2", ["a = 1", "b = 2"]),
        ('{"a": [1, 2]}, (3, 4)', ['{"a": [1, 2]}', "(3, 4)"]),
    ],
)
def test_commas_and_newlines_split_only_outside_brackets_and_quotes(text, pieces):
    assert literals.split(text) == pieces


@pytest.mark.parametrize("text", ["[1, 2", "1, 2]", "[1, (2])", "1,, 2", "", "a = 1,"])
def test_what_is_not_whole_is_not_split(text):
    refused(literals.split, text)


@given(st.lists(JSON, min_size=1, max_size=5))
def test_splitting_finds_the_values_that_were_joined(found):
    pieces = literals.split(", ".join(map(json.dumps, found)))
    assert list(map(literals.value, pieces)) == found


@pytest.mark.parametrize(
    ("text", "annotation", "value"),
    [
        ("[1, -2, 3]", "List[int]", [1, -2, 3]),
        ("true", "bool", True),
        ("True", "", True),
        ("null", "", None),
        ("[1,null,2]", "Optional[TreeNode]", [1, None, 2]),
        ("[3,None,5]", "", [3, None, 5]),
        ("'ab'", "str", "ab"),
        ("e", "str", "e"),
        ("true", "str", "true"),
        ("00110", "str", "00110"),
        ("2", "float", 2.0),
        ("2.50000", "float", 2.5),
        ("[1, 2.5]", "List[float]", [1.0, 2.5]),
        ("1e5", "float", 100000.0),
        ("1->2->3->NULL", "Optional[ListNode]", [1, 2, 3]),
        ("1 -> 2", "ListNode", [1, 2]),
        ("[]", "Optional[ListNode]", []),
        ("null", "Optional[ListNode]", None),
        (str(2**70), "int", 2**70),
        (' "blanks stay "  ', "str", "blanks stay "),
        ('"\\u0041\\n"', "str", "A\n"),
    ],
)
def test_values_have_the_type_that_is_asked_for(text, annotation, value):
    found = literals.value(text, annotation)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "annotation"),
    [
        ("e", ""),
        ("e f", "str"),
        ("3.", "int"),
        ("2.5", "int"),
        ("true", "int"),
        ("1", "bool"),
        ("2, nums = [2,_]", ""),
        ("[1,2,_]", "List[int]"),
        ('[1,"2"]', "List[int]"),
        ("NaN", "float"),
        ("Infinity", ""),
        ("[1,...]", "List[int]"),
        ("(1, 2)", ""),
        ("{1, 2}", ""),
        ("print(1)", ""),
        ("1) + (2", ""),
        ("5", "Optional[TreeNode]"),
        ("[null,1]", "Optional[TreeNode]"),
        ("[[1],[2]]", "ListNode"),
        ("1->[2]", ""),
        ("the tail", "Optional[ListNode]"),
        ("", ""),
        ("[" * 100000, ""),
        ("-" * 100000 + "1", "int"),
        ("9" * 5000, "int"),
    ],
)
def test_what_fits_nothing_is_refused(text, annotation):
    assert "left out" in refused(literals.value, text, annotation)


@given(JSON)
@example("\ud800")
def test_json_means_what_it_means(value):
    assert literals.value(json.dumps(value)) == value


@given(st.text(), st.sampled_from(["", "int", "str", "List[str]", "Optional[ListNode]", "float"]))
@example("1 is 1", "")
@example(r"'\d'", "str")
def test_any_text_is_read_or_refused(text, annotation):
    try:
        json.dumps(literals.value(text, annotation))
    except SourceError as error:
        assert error.reason == "example-unreadable"  # noqa: PT017


@pytest.mark.parametrize(
    "text",
    ["nums = [1,2], k = 3", "k = 3, nums = [1,2]", "[1,2], 3", "[1,2]\n3", "nums=[1,2]\nk=3"],
)
def test_arguments_are_in_the_order_of_the_parameters(text):
    found = literals.arguments(text, NUMS_K)
    assert list(found.items()) == [("nums", [1, 2]), ("k", 3)]


def test_without_a_signature_the_text_names_the_parameters():
    found = literals.arguments('word = "a=b", n = 0', ())
    assert found == {"word": "a=b", "n": 0}


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("nums = [1], k = 2, j = 3", NUMS_K),
        ("nums = [1]", NUMS_K),
        ("nums = [1], p = 2", NUMS_K),
        ("nums = [1], nums = [2]", NUMS_K),
        ("nums = [1], 2", NUMS_K),
        ("[1], 2, 3", NUMS_K),
        ("[1]", ()),
        ("k == 1, nums = []", NUMS_K),
    ],
)
def test_one_value_for_each_parameter_or_none_at_all(text, parameters):
    refused(literals.arguments, text, parameters)


def test_the_message_says_what_is_missing():
    message = refused(literals.arguments, "nums = [1]", NUMS_K)
    assert message == (
        "The example 'nums = [1]' doesn't give one value for each of nums, k; it is left out."
    )
