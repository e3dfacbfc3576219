"""Values that are written out are read; nothing else is, and nothing is executed."""

import ast
import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.packages.expressions import Invocation, Names, Unreadable, plain, value
from thresher.crawlers.packages.unittests import assigned

NAMES = Names(
    module="clock",
    imported={"score": "score", "renamed": "original"},
    dates={"date": "date", "datetime": "datetime"},
    values={"SIZE": 3, "rows": [[1], [1, 1]], "clock.LIMIT": 9},
)


def read(source):
    """Return the value of an expression given as text."""
    return value(ast.parse(source, mode="eval").body, NAMES)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("-7", -7),
        ("-0.5", -0.5),
        ("'a' 'b'", "ab"),
        ("[1, (2, 'x'), {3}]", [1, (2, "x"), {3}]),
        ("{'a': [1], 2: None}", {"a": [1], 2: None}),
        ("{}", {}),
        ("set()", set()),
        ("'ab' * 3", "ababab"),
        ("3 * [0]", [0, 0, 0]),
        ("[1] + [2]", [1, 2]),
        ("'-'.join(['a', 'b'])", "a-b"),
        ("SIZE", 3),
        ("clock.LIMIT", 9),
        ("rows[1]", [1, 1]),
        ("rows[:1]", [[1]]),
        ("'abc'[::-1]", "cba"),
        ("date(2020, 2, 29)", datetime.date(2020, 2, 29)),
        ("datetime(2020, 2, 29, 12)", datetime.datetime(2020, 2, 29, 12)),
        ("b'x'", b"x"),
        ("1 + 2j", 1 + 2j),
    ],
)
def test_values_are_read(source, expected):
    found = read(source)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("score(1, 'x')", Invocation("score", (1, "x"), {})),
        ("renamed(n=SIZE)", Invocation("original", (), {"n": 3})),
        ("clock.tick([1])", Invocation("tick", ([1],), {})),
    ],
)
def test_calls_of_the_tested_module_are_read(source, expected):
    assert read(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "unknown",
        "other.thing",
        "open('/etc/passwd')",
        "__import__('os').system('true')",
        "print(1)",
        "score(score(1))",
        "[score(1)]",
        "score(*[1])",
        "score(**{'a': 1})",
        "lambda: 1",
        "[x for x in rows]",
        "f'{SIZE}'",
        "{**{}}",
        "[*rows]",
        "{[1]: 2}",
        "{[1]}",
        "rows[9]",
        "1 / 0",
        "1 @ 2",
        "2 ** 99999999999",
        "'a' + 1",
        "-'a'",
        "date(2020, 13, 1)",
        "date('x')",
        "','.join([1])",
        "set(1)",
        "set([1], [2])",
        "1 if SIZE else 2",
        "(x := 1)",
    ],
)
def test_nothing_else_is_read(source):
    with pytest.raises(Unreadable):
        read(source)


@pytest.mark.parametrize(
    "source",
    [
        "'a' * 2000000",
        "2000000 * [0]",
        "'a' * 10**9",
        "[[0] * 2000] * 2000",
        "[['abc' * 100000] * 2, ['abc' * 100000] * 2]",
        "10 ** 9999999",
        "10 ** 4400",
        "0x1" + "0" * 4000,
        "','.join(['a' * 1000] * 2000)",
        "('x' * 1000).join([''] * 2000)",
    ],
)
def test_what_is_written_small_stays_small(source):
    with pytest.raises(Unreadable):
        read(source)


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("x = 'abc'", "x = x + x"),
        ("x = [1]", "x = [x, x]"),
        ("x = (1, 'a')", "x = x * 9"),
        ("x = 99", "x = x * x"),
    ],
)
def test_values_that_grow_line_by_line_end(first, line):
    tree = ast.parse("\n".join([first, *[line] * 50, "y = x"]))
    assert "y" not in assigned(tree.body, Names()).values


def test_a_plain_value_is_no_call():
    with pytest.raises(Unreadable):
        plain(ast.parse("score(1)", mode="eval").body, NAMES)


data = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(data)
def test_what_repr_writes_is_read_back(expected):
    found = read(repr(expected))
    assert repr(found) == repr(expected)
