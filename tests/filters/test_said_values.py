"""Values as texts write them, and whether answers are those values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.agreement import agrees
from thresher.filters.said_values import Said, literal, said
from thresher.store import values

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        ("20.", 20),
        ("6.00", 6.0),
        ("[1, 2], because", [1, 2]),
        ("[[1,\n 2], [3]]\nmore", [[1, 2], [3]]),
        ("'a)' (the reason)", "a)"),
        ('"b"  # note', "b"),
        ("true", True),
        ("None.", None),
        ("[true, null]", [True, None]),
        ("19 - 5 - 6 = 8", 8),
        ("1 + (2 / 2) = 2", 2),
        ("``True``", True),
        ("{'a': 1}", {"a": 1}),
        ("-3 and then", -3),
    ],
)
def test_a_value_is_read(text, value):
    found = said(text)
    assert found is not None
    assert (found.value, type(found.value), found.raises) == (value, type(value), None)


@pytest.mark.parametrize(
    "text",
    ["1 or 2", "2 elements", "[1, ...]", "1, 2", "3x", "x", "", "50%", "f(1)", "1 + 2", "'a", "[1"],
)
def test_what_may_mean_something_else_is_not_read(text):
    assert said(text) is None


def test_exceptions_are_read():
    assert said("raises ValueError") == Said(None, "raises ValueError", "ValueError")


@given(PLAIN)
def test_what_is_written_is_read_and_agrees(value):
    found = literal(repr(value))
    assert found is not None
    assert found.value == value
    assert agrees(found, values.encode(value)) is True


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("1", 1.0),
        ("1", True),
        ("[1, 2]", (1, 2)),
        ("(1, [2])", [1, (2,)]),
        ("('a')", ("a",)),
        ("[2, 1]", {1, 2}),
        ("{1, 2}", [2, 1]),
        ("0.33", 1 / 3),
        ("0.67", 2 / 3),
        ("0.66", 2 / 3),
        ("2.50", 2.5),
        ("{'a': 0.5}", {"a": 0.5}),
    ],
)
def test_how_a_value_is_written_is_no_fault(text, answer):
    assert agrees(literal(text), values.encode(answer)) is True


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("15.0", 8.0),
        ("0.34", 1 / 3),
        ("3", 3.14),
        ("'1'", 1),
        ("[1, 2]", [2, 1]),
        ("[1]", 1),
        ("None", 0),
        ("'a'", ("a",)),
        ("{'a': 1}", {"a": 2}),
        ("{1, 2}", [1, 3]),
        ("50000000000000001", 50000000000000000),
    ],
)
def test_another_value_disagrees(text, answer):
    assert agrees(literal(text), values.encode(answer)) is False


def test_values_of_other_classes_can_t_be_told():
    from fractions import Fraction

    assert agrees(literal("0.5"), values.encode(Fraction(1, 2))) is None
    assert agrees(literal("1"), {}) is None  # hostile data
    assert agrees(literal("1"), {"int": []}) is None
