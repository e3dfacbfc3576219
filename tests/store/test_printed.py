"""Answers compared by each kind of comparator: by our own judge, and by the exported tests."""

import contextlib
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store import builders
from thresher.store import data, humaneval, values
from thresher.store.comparison import agree
from thresher.store.printed import KINDS, same_word
from thresher.store.records import Comparator

LINES = Comparator(kind="lines")
TOKENS = Comparator(kind="tokens")
NEAR = Comparator(kind="tokens", relative=1e-6, absolute=1e-9)
ANY_CASE = Comparator(kind="tokens-ignoring-case")
NEAR_ANY_CASE = Comparator(kind="tokens-ignoring-case", relative=1e-6)
OF_TEXT = (LINES, TOKENS, NEAR, ANY_CASE, NEAR_ANY_CASE)
UNORDERED = Comparator(kind="unordered")
NESTED = Comparator(kind="unordered-nested")
OF_VALUES = (Comparator(), Comparator(kind="float", absolute=0.5), UNORDERED, NESTED)


def exported(comparator: Comparator, expected: object, answer: object) -> bool:
    """Say what the exported test makes of an answer."""
    case = builders.case(expected=expected)
    source = humaneval.test_source(builders.problem(cases=[case], comparator=comparator))
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    with contextlib.suppress(AssertionError):
        namespace["check"](lambda: answer)
        return True
    return False


def judged(comparator: Comparator, expected: object, answer: object) -> bool:
    """Say what our own judge and the exported test make of an answer, which must be the same."""
    ours = agree(comparator, values.encode(expected), values.encode(answer))
    assert exported(comparator, expected, answer) is ours
    return ours


# printed text


@pytest.mark.parametrize(
    ("comparator", "expected", "answer", "right"),
    [
        (LINES, "a b\n", "a b  \n\n\n", True),
        (LINES, "a b\n", "a b", True),
        (LINES, "a\r\nb", "a\nb", True),
        (LINES, "a b\n", "a  b\n", False),
        (LINES, "a\n", " a\n", False),
        (LINES, "a\n\nb\n", "a\nb\n", False),
        (LINES, "", "\n \n", True),
        (TOKENS, "1 2\n3\n", "1\n2   3", True),
        (TOKENS, "1 2 3\n", "1 2\n", False),
        (TOKENS, "1 2\n", "1 2 3\n", False),
        (TOKENS, "1", "1.0", False),
        (TOKENS, "1", "01", False),
        (TOKENS, "Yes", "YES", False),
        (TOKENS, "", "\n", True),
        (ANY_CASE, "Yes no\n", "YES No\n", True),
        (ANY_CASE, "Yes\n", "No\n", False),
        (NEAR, "0.3333333333\n", "0.33333333", True),
        (NEAR, "1000000.0", "1000000.9", True),
        (NEAR, "1000000.0", "1000001.1", False),
        (NEAR, "0.0", "1e-10", True),
        (NEAR, "0.0", "-0", True),
        (NEAR, "3", "3.0000001", True),
        (NEAR, "1000000007", "1000000008", False),
        (NEAR, "9" * 5000, "9" * 4999 + "8", False),
        (NEAR, "9" * 5000, "9" * 5000, True),
        (NEAR, "YES 0.5", "YES 0.50000001", True),
        (NEAR, "YES 0.5", "NO 0.5", False),
        (NEAR, "1.5", "nan", False),
        (NEAR, "nan", "1.5", False),
        (NEAR, "1.5", "inf", False),
        (NEAR, "inf", "1e999", False),
        (NEAR, "1e999", "5.0", False),
        (NEAR, "1.5", "1_5e-1", False),
        (NEAR, "1.5", "１.5", False),
        (NEAR_ANY_CASE, "Case 1.5E3", "cASE 1500.0", True),
    ],
)
def test_text(comparator: Comparator, expected: str, answer: str, right: bool) -> None:
    assert judged(comparator, expected, answer) is right


@pytest.mark.parametrize("comparator", OF_TEXT)
@pytest.mark.parametrize("answer", [None, 1, b"1", ["1"], ("1",)])
def test_what_is_no_text_is_no_right_text(comparator: Comparator, answer: object) -> None:
    assert not judged(comparator, "1", answer)


WORDS = st.sampled_from(["1", "1.0", "-0", "2e3", "nan", "Yes", "YES", "1e999", ".5", "0.50"])
BLANKS = st.sampled_from([" ", "\n", "  ", "\t\n", "\r\n"])
TEXTS = st.lists(st.tuples(WORDS, BLANKS) | st.tuples(st.text(max_size=3), BLANKS), max_size=4).map(
    lambda pairs: "".join(word + blank for word, blank in pairs)
)


@given(st.sampled_from(OF_TEXT), TEXTS, TEXTS)
def test_text_is_like_itself_and_exported_as_it_is_judged(
    comparator: Comparator, expected: str, answer: str
) -> None:
    assert judged(comparator, expected, expected)
    judged(comparator, expected, answer)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 2e-6))
def test_numbers_are_near_within_the_tolerance_and_no_further(number: float, part: float) -> None:
    other = number + number * part
    right = number == other or abs(other - number) <= 1e-6 * abs(number)
    assert same_word(repr(other), repr(number), 1e-6, 0.0) is right


def test_a_long_word_is_not_tried_at_every_length() -> None:
    assert not same_word("9" * 10**6 + "x", "1.5", 1e-6, 0.0)


# values in any order


@pytest.mark.parametrize(
    ("comparator", "expected", "answer", "right"),
    [
        (UNORDERED, [1, 2, 2], [2, 1, 2], True),
        (UNORDERED, [1, 2, 2], [2, 1, 1], False),
        (UNORDERED, [1, 2], [1, 2, 2], False),
        (UNORDERED, [1], [True], False),
        (UNORDERED, [1, 2.0], [2, 1.0], False),
        (UNORDERED, [[1, 2], [3]], [[3], [1, 2]], True),
        (UNORDERED, [[1, 2], [3]], [[3], [2, 1]], False),
        (UNORDERED, ["b", "a"], ["a", "b"], True),
        (UNORDERED, (1, 2), (2, 1), False),
        (UNORDERED, [1, 2], (1, 2), False),
        (UNORDERED, 5, 5, True),
        (UNORDERED, [{"a": 1, "b": 2}, None], [None, {"b": 2, "a": 1}], True),
        (UNORDERED, [float("nan"), -0.0], [-0.0, float("nan")], True),
        (UNORDERED, [-0.0], [0.0], False),
        (NESTED, [[1, 2], [3]], [[3], [2, 1]], True),
        (NESTED, [[1, 2], [3]], [[2, 3], [1]], False),
        (NESTED, [[[1, 2]], []], [[], [[2, 1]]], True),
        (NESTED, [(1, 2)], [(2, 1)], False),
        (NESTED, [[], [1]], [[1], []], True),
        (NESTED, ["ab"], ["ba"], False),
    ],
)
def test_order(comparator: Comparator, expected: object, answer: object, right: bool) -> None:
    assert judged(comparator, expected, answer) is right


ITEMS = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from([1.0, -0.0, "", "a", b"a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.integers(0, 2) | st.booleans(), inner, max_size=2)
        | st.frozensets(st.integers(0, 9), max_size=3)
    ),
    max_leaves=6,
)


@given(st.lists(ITEMS, max_size=4), st.randoms(use_true_random=False))
def test_any_order_is_right(items: list[object], random: Any) -> None:
    other = list(items)
    random.shuffle(other)
    for comparator in (UNORDERED, NESTED):
        assert judged(comparator, items, other)


@given(st.sampled_from(OF_VALUES), ITEMS, ITEMS)
def test_values_are_like_themselves_and_exported_as_they_are_judged(
    comparator: Comparator, expected: object, answer: object
) -> None:
    assert judged(comparator, expected, expected)
    judged(comparator, expected, answer)


@pytest.mark.parametrize("nested", [False, True])
def test_hostile_data_is_not_equal(nested: bool) -> None:
    deep: Any = []
    for _ in range(20_000):
        deep = [deep]
    hostile = [{"nonsense": 1}, {"dict": 5}, {"dict": [[1]]}, {"a": 1, "b": 2}, {"int": []}, deep]
    for tree in hostile:
        assert not data.equal_unordered([1, 2], [2, tree], nested)
        assert not data.equal_unordered([1, 2], tree, nested)


# all kinds


def test_every_kind_is_compared_but_the_checker() -> None:
    kinds = set(get_args(Comparator.__annotations__["kind"]))
    assert kinds == {c.kind for c in (*OF_TEXT, *OF_VALUES)} | {"checker"}
    assert {c.kind for c in OF_TEXT} == set(KINDS)
    with pytest.raises(ValueError, match="without it"):
        agree(Comparator(kind="checker"), "1", "1")


def test_a_tolerance_is_for_the_kinds_that_have_one() -> None:
    assert not judged(Comparator(absolute=1.0), 1.0, 1.5)
    assert judged(Comparator(kind="float", absolute=1.0), 1.0, 1.5)
