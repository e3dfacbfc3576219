import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.datasets import assertions
from thresher.crawlers.datasets.assertions import Asserted
from thresher.errors import SourceError
from thresher.store.records import Comparator


def check(*body: str) -> Asserted:
    return assertions.in_check(
        "def check(candidate):\n" + "".join(f"    {line}\n" for line in body)
    )


def outs(*body: str) -> list[Any]:
    return [told.out for told in check(*body).told]


def test_literals_of_every_kind() -> None:
    (told,) = check(
        "assert candidate([1, -2.5], {'a': (None, True)}, k={3}) == ((), [[]], 'x')"
    ).told
    assert told.args == ([1, -2.5], {"a": (None, True)})
    assert told.kwargs == {"k": {3}}
    assert told.out == ((), [[]], "x")


def test_constants_that_are_worked_out() -> None:
    assert outs(
        "assert candidate(0) == 2 / 4",
        "assert candidate(0) == 10 ** 9 + 7",
        "assert candidate(0) == 'ab' + 'c'",
        "assert candidate(0) == [0] * 3",
        "assert candidate(0) == set()",
        "assert candidate(0) == float('-inf')",
    ) == [0.5, 1_000_000_007, "abc", [0, 0, 0], set(), -math.inf]


def test_assertions_without_an_equation() -> None:
    assert outs(
        "assert candidate(1)",
        "assert not candidate(2)",
        "assert candidate(3) is None",
        "assert candidate(4) == True",
    ) == [True, False, None, True]


def test_what_asserts_nothing_is_passed_over() -> None:
    assert outs("'why'", "print", "pass", "assert True, 'so'", "assert candidate(1) == 2") == [2]


def test_nearness_is_a_comparator_of_floats() -> None:
    near = check("assert abs(candidate(1.5) - 0.5) < 1e-6", "assert candidate(2.5) == 0.5")
    assert near.comparator == Comparator(kind="float", absolute=1e-6)
    assert [told.out for told in near.told] == [0.5, 0.5]
    assert near.evidence == "the test allows for it"
    near = check("assert math.isclose(candidate(1), 2.5, rel_tol=0.001)")
    assert near.comparator == Comparator(kind="float", relative=0.001)


def test_the_strictest_of_several_tolerances_counts() -> None:
    near = check("assert abs(candidate(1) - 1.0) < 0.1", "assert abs(candidate(2) - 2.0) <= 1e-3")
    assert near.comparator.absolute == 1e-3


def test_the_same_around_both_sides_says_nothing_of_the_type() -> None:
    assert outs("assert tuple(candidate([3])) == tuple([3])") == [[3]]


def test_sorted_on_both_sides_is_any_order() -> None:
    found = check("assert sorted(candidate(1)) == sorted([2, 1])")
    assert found.comparator == Comparator(kind="unordered")
    assert found.told[0].out == [2, 1]


def test_a_table_of_inputs_and_results() -> None:
    body = (
        "inputs = [[1, [2]], [3, [4]]]",
        "results = [1.5, 2]",
        "for i, (inp, exp) in enumerate(zip(inputs, results)):",
        "    assertion(candidate(*inp), exp, 0)",
    )
    found = check(*body)
    assert [told.args for told in found.told] == [(1, [2]), (3, [4])]
    assert found.comparator == Comparator(kind="float", relative=1e-7, absolute=1e-6)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("assert candidate(math.pi) == 1", "unknown: 'math.pi'"),
        ("assert candidate(1) == helper(1)", "a call of something else"),
        ("assert candidate(1) == candidate(2)", "a call of something else"),
        ("assert candidate(*[1]) == 2", "Starred"),
        ("assert candidate(**{}) == 2", "keywords from a dictionary"),
        ("assert other(1) == 2", "a call of something else"),
        ("assert candidate(1) != 2", "Compare"),
        ("assert candidate(1) in (1, 2)", "Compare"),
        ("assert 1 < candidate(1) < 2", "Compare"),
        ("assert set(candidate(1)) == set([1])", "a call within a value"),
        ("assert abs(candidate(1) - 2) < 'x'", "a tolerance is no number"),
        ("assert candidate(1) == 9 ** 9 ** 9", "a long power"),
        ("assert candidate(1) == 'a' * 10 ** 9", "a long product"),
        ("for n in range(9): assert candidate(n) == n", "for isn't an assertion"),
        ("try: candidate(1)\n    except ValueError: pass", "try isn't an assertion"),
        ("import random", "import isn't an assertion"),
        ("x = 5", "assign isn't an assertion"),
    ],
)
def test_what_is_no_data_is_refused_by_name(line: str, named: str) -> None:
    with pytest.raises(SourceError) as caught:
        check("assert candidate(0) == 0", line)
    assert caught.value.reason == "opaque-test"
    assert named in str(caught.value)
    assert "line 3" in str(caught.value)


@pytest.mark.parametrize(
    "loop",
    [
        ("for inp in inputs:", "    assertion(candidate(*inp), 1, 0)", "    print(inp)"),
        ("for inp, exp in zip(inputs, results):", "    assertion(other(*inp), exp, 0)"),
        ("for inp, exp in zip(inputs, results):", "    assert candidate(*inp) == exp"),
    ],
)
def test_a_table_with_another_loop_is_refused(loop: tuple[str, ...]) -> None:
    with pytest.raises(SourceError, match="the loop does more than compare"):
        check("inputs = [[1]]", "results = [1]", *loop)


def test_a_table_of_unequal_lengths_is_refused() -> None:
    with pytest.raises(SourceError) as caught:
        check(
            "inputs = [[1]]", "results = []", "for a, b in x:", "    assertion(candidate(*a), b, 0)"
        )
    assert caught.value.reason == "opaque-test"


def test_several_ways_of_comparing_are_refused() -> None:
    with pytest.raises(SourceError, match="in several ways"):
        check(
            "assert sorted(candidate(1)) == sorted([1])",
            "assert abs(candidate(1) - 1) < 0.5",
        )


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "opaque-test"),
        ("def check(): pass", "opaque-test"),
        ("def test(candidate):\n    assert candidate(1) == 1", "opaque-test"),
        ("def check(candidate):\n    assert True", "no-tests"),
        ("def check(candidate)", "bad-python"),
        ("\0", "bad-python"),
        ("x = " + "(" * 5000, "bad-python"),
        ("def check(c):\n    assert c(" + "-" * 3000 + "1) == 1", "opaque-test"),
        ("def check(c):\n    assert c(1" + "+1" * 3000 + ") == 1", "opaque-test"),
    ],
)
def test_what_is_no_test_is_refused(source: str, reason: str) -> None:
    with pytest.raises(SourceError) as caught:
        assertions.in_check(source)
    assert caught.value.reason in (reason, "bad-python")


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(st.lists(values, max_size=3), values)
def test_a_call_with_any_values_is_read_back(args: list[Any], out: Any) -> None:
    source = f"def check(f):\n    assert f({', '.join(map(repr, args))}) == {out!r}\n"
    (told,) = assertions.in_check(source).told
    assert told.args == tuple(args)
    assert told.out == out


def test_the_last_digits_of_floats_are_open():
    read = assertions.in_check("def check(candidate):\n    assert candidate(1) == [0.1, 2]\n")
    assert read.comparator == Comparator(kind="float", relative=assertions.LAST_DIGITS)
    assert read.evidence
