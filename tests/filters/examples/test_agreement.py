"""Whether answers are what a text says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.examples.agreement import agrees
from thresher.filters.examples.said_values import literal
from thresher.store import values

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


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
