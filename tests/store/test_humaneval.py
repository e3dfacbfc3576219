import contextlib
import decimal
import fractions
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store import builders
from thresher.store import data, humaneval, values
from thresher.store.records import Comparator, TestCase

NEAR = Comparator(kind="float", relative=1e-9, absolute=1e-12)


def check(*cases: TestCase, comparator: Comparator = builders.EXACT) -> Callable[[Any], None]:
    """Return the `check` function of a problem with these cases."""
    source = humaneval.test_source(builders.problem(cases=cases, comparator=comparator))
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    return namespace["check"]


def accepts(expected: object, answer: object, comparator: Comparator = builders.EXACT) -> bool:
    """Say whether the exported test takes `answer` where `expected` is expected."""
    run = check(builders.case(expected=expected), comparator=comparator)
    with contextlib.suppress(AssertionError):
        run(lambda: answer)
        return True
    return False


# the row


def test_a_row_has_the_fields_of_human_eval() -> None:
    prompt = 'import os\n\n\ndef f(x):\n    """\tÉ "quotes" \\ and \'\'\'more\'\'\'.\r\n    """\n'
    body = "    return 'é\\n'  # no line break at the end"
    made = builders.problem("task/1", body, prompt=prompt, entry_point="f")
    assert humaneval.row(made) == {
        "task_id": "task/1",
        "prompt": prompt,
        "entry_point": "f",
        "canonical_solution": body,
        "test": humaneval.test_source(made),
    }


# the source of the test


def test_text_is_compared_as_everybody_would() -> None:
    cases = [
        builders.case("a", expected="b"),
        builders.case(["a"], sep=", ", expected=("b", {"c": ["d"]})),
    ]
    assert humaneval.test_source(builders.problem(cases=cases)) == (
        "def check(candidate):\n"
        "    assert candidate('a') == 'b'\n"
        "    assert candidate(['a'], sep=', ') == ('b', {'c': ['d']})\n"
    )


def test_other_answers_are_compared_by_type_too() -> None:
    assert humaneval.test_source(builders.problem(cases=[builders.case(2, expected=4)])) == (
        "def check(candidate):\n"
        "    def key(value):\n"
        "        kind = type(value).__name__\n"
        "        if isinstance(value, (list, tuple)):\n"
        "            return kind, tuple(map(key, value))\n"
        "        if isinstance(value, (set, frozenset)):\n"
        "            return kind, tuple(sorted(map(key, value)))\n"
        "        if isinstance(value, dict):\n"
        "            return kind, tuple(sorted((key(k), key(v)) for k, v in value.items()))\n"
        "        return kind, value if isinstance(value, int) else repr(value)\n"
        "\n"
        "    def same(left, right):\n"
        "        return key(left) == key(right)\n"
        "\n"
        "    assert same(candidate(2), 4)\n"
    )


def test_an_exception_is_expected_by_its_exact_type() -> None:
    raises = builders.case("x", raises="LookupError")
    assert humaneval.test_source(builders.problem(cases=[raises])) == (
        "def check(candidate):\n"
        "    try:\n"
        "        candidate('x')\n"
        "    except BaseException as error:\n"
        "        assert type(error) is LookupError\n"
        "    else:\n"
        "        raise AssertionError('LookupError expected')\n"
    )
    run = check(raises)

    def fail(error: BaseException) -> Callable[[str], None]:
        def candidate(_: str) -> None:
            raise error

        return candidate

    run(fail(LookupError("any message")))
    for wrong in (KeyError("x"), ValueError(), SystemExit(0)):
        with pytest.raises(AssertionError):
            run(fail(wrong))
    with pytest.raises(AssertionError, match="LookupError expected"):
        run(lambda _: None)


def test_what_the_values_need_is_imported() -> None:
    cases = [
        builders.case(decimal.Decimal("1.10"), expected=fractions.Fraction(11, 10)),
        builders.case(at=[decimal.Decimal(1)], expected=1.5),
    ]
    made = builders.problem(cases=cases, comparator=NEAR)
    assert humaneval.test_source(made).splitlines()[1:4] == [
        "    import decimal",
        "    import fractions",
        "    import math",
    ]
    check(*cases, comparator=NEAR)(
        lambda x=None, at=None: fractions.Fraction(11, 10) if at is None else 1.5
    )


def test_arguments_are_made_anew_for_each_case() -> None:
    case = builders.case([1, 2], expected=2)
    check(case, case)(lambda given: given.pop())


def test_a_candidate_sees_its_arguments_with_their_types() -> None:
    arguments = [2**70, True, 1.0, -0.0, math.nan, "\ud800'\"\\\n", b"\x00", (1,), {2: {3}}]
    seen: list[object] = []

    def candidate(*args: object) -> None:
        seen.extend(args)

    check(builders.case(*arguments))(candidate)
    assert [values.encode(each) for each in seen] == [values.encode(each) for each in arguments]


# what is the same


STRANGE = [
    2**70,
    -(10**5000),
    math.nan,
    -0.0,
    math.inf,
    complex(-0.0, math.nan),
    "\ud800",
    "it's \"quoted\" '''three''' \\ and\nbroken",
    b"'\"\x00",
    None,
    ...,
    decimal.Decimal("NaN"),
    [decimal.Decimal("-sNaN123")],
    {math.nan: 1},
    {frozenset({0, 8}): [math.nan]},
    {10**5000},
]


@pytest.mark.parametrize("value", STRANGE, ids=range(len(STRANGE)))
def test_strange_values_survive(value: object) -> None:
    assert accepts(value, values.decode(values.encode(value)))


def test_the_order_of_a_set_is_no_difference() -> None:
    assert accepts({frozenset({0, 8})}, {frozenset([8, 0])})
    assert accepts({frozenset({0, 8}): 1}, {frozenset([8, 0]): 1})
    assert accepts({"b": 1, "a": 2}, {"a": 2, "b": 1})


DIFFERENT = [
    (1, True),
    (True, 1),
    (1, 1.0),
    (1.0, 1),
    (0, False),
    (2**70, 2**70 + 1),
    ((1, 2), [1, 2]),
    ([], ()),
    ([1], [True]),
    ({1: "a"}, {True: "a"}),
    ({1: "a"}, {1.0: "a"}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({1}, {True}),
    ({1}, frozenset({1})),
    ({1, 2}, {1, 2, 3}),
    (b"a", bytearray(b"a")),
    ("a", b"a"),
    (None, 0),
    (math.nan, 0.0),
    (decimal.Decimal("1.0"), decimal.Decimal("1.00")),
    (1, "1"),
    ("1", 1),
]


@pytest.mark.parametrize(("expected", "answer"), DIFFERENT, ids=range(len(DIFFERENT)))
@pytest.mark.parametrize("comparator", [builders.EXACT, NEAR], ids=["exact", "near"])
def test_different_answers_are_refused(
    expected: object, answer: object, comparator: Comparator
) -> None:
    assert not accepts(expected, answer, comparator)


@pytest.mark.parametrize(
    ("expected", "answer"), [(0.0, -0.0), ([[0.3]], [[0.1 + 0.2]]), (1j, complex(-0.0, 1.0))]
)
def test_without_a_tolerance_floats_are_exact(expected: object, answer: object) -> None:
    assert not accepts(expected, answer)
    assert accepts(expected, answer, NEAR)


CLOSE = 1.0 + 1e-10


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        (1.0, CLOSE),
        (0.0, 1e-13),
        (math.nan, math.nan),
        ([math.nan, (1.0, "a")], [math.nan, (CLOSE, "a")]),
        ({"a": {2: 1.0}}, {"a": {2: CLOSE}}),
        (complex(1.0, 0.0), complex(CLOSE, -0.0)),
        (1e300, 1e300 * CLOSE),
    ],
)
def test_floats_may_differ_within_the_tolerance(expected: object, answer: object) -> None:
    assert accepts(expected, answer, NEAR)
    assert data.equal(values.encode(expected), values.encode(answer), 1e-9, 1e-12)


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        (1.0, 1.0 + 1e-8),
        (1.0, math.nan),
        (math.inf, 1e308),
        (math.inf, -math.inf),
        ([1.0], [1.0, 1.0]),
        ({1.0: "a"}, {CLOSE: "a"}),
        ({1.0}, {CLOSE}),
        (2**53, 2**53 + 1),
    ],
)
def test_floats_beyond_the_tolerance_are_refused(expected: object, answer: object) -> None:
    assert not accepts(expected, answer, NEAR)


ATOMS = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, 0.0, -0.0, 1.0, math.nan, "", "a", b"a", 2**70, 1j, ...])
    | st.decimals(allow_nan=False)
    | st.text(max_size=2)
)
KEYS = st.recursive(
    ATOMS, lambda inner: st.frozensets(inner, max_size=3) | st.tuples(inner), max_leaves=6
)
VALUES = st.recursive(
    ATOMS | st.sets(KEYS, max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=6,
)


@given(VALUES, VALUES)
def test_the_exported_test_agrees_with_our_own_judge(expected: object, answer: object) -> None:
    made = values.encode(expected, max_nodes=100)
    assert accepts(expected, values.decode(made))
    assert accepts(expected, values.decode(made), NEAR)
    assert accepts(expected, answer) is data.equal(made, values.encode(answer))
