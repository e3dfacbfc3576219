"""Numbers and comparisons as texts write them."""

import pytest

from thresher.filters.contracts import ranges


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("100", 100),
        ("-5", -5),
        ("10^5", 100_000),
        ("10^{18}", 10**18),
        (r"2 \cdot 10^{5}", 200_000),
        ("2⋅10^5", 200_000),
        ("2*10**5", 200_000),
        ("2^31 - 1", 2**31 - 1),
        ("1,000,000", 1_000_000),
        ("0.5", 0.5),
        ("1e9", 1e9),
        ("105", 10**5),  # an exponent that lost its place
        ("-109", -(10**9)),
        ("102", 100),
        ("120", 120),
        ("1007", 1007),
        ("n", None),
        ("9.9^999", None),
    ],
)
def test_numbers_are_read(text, value):
    assert ranges.number(text) == value


@pytest.mark.parametrize(
    ("text", "given", "holds"),
    [
        ("1 <= n <= 100", {"n": 100}, True),
        ("1 <= n <= 100", {"n": 101}, False),
        ("1 <= n < 100", {"n": 100}, False),
        (r"5 \leq n, m \le 10^5", {"n": 5, "m": 4}, False),
        ("n > 0", {"n": 0}, False),
        ("0 ≤ k ≤ len(a)", {"k": 3, "a": [1, 2]}, False),
        ("1 <= a.length <= 2", {"a": [1, 2, 3]}, False),
        ("-9 <= a[i] <= 9", {"a": [0, 10]}, False),
        ("-9 <= a[i] <= 9", {"a": [0, 9]}, True),
        ("|s| < 3", {"s": "abc"}, False),
        ("1 <= k <= len(a) - 1", {"k": 3, "a": [1, 2, 3]}, True),  # the last term isn't read
        ("1 <= k <= len(a) - 1", {"k": 0, "a": [1, 2, 3]}, False),
        ("1 <= other <= 2", {"n": 5}, True),
        ("1 <= n <= 2", {"n": "text"}, True),
    ],
)
def test_comparisons_hold_or_not(text, given, holds):
    relations = [one for _, found in ranges.relations(text) for one in found]
    assert relations
    assert all(one.holds(given) for one in relations) is holds


@pytest.mark.parametrize("text", ["f(n) -> f(n-1)", "x => y", "grid[i][j] <= 3", "a -> b", ""])
def test_other_signs_are_no_comparisons(text):
    assert [one for _, found in ranges.relations(text) for one in found] == []
