"""Values as texts write them."""

import pytest

from thresher.filters.examples.said_values import Said, said


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
        ("[true, null, 'is true', −1]", [True, None, "is true", -1]),
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
