"""Prompts held against references, in the real sandbox."""

import msgspec
import pytest

from tests.store.builders import case, problem, program
from thresher.filters import alignment
from thresher.filters.alignment import Aligning
from thresher.filters.examples.shown_programs import Pair, pairs
from thresher.store.records import Comparator

FIVE = (case(5, expected=5),)


def function(text, body="    return x\n", head="def f(x):", cases=FIVE, **more):
    return problem(
        prompt=f'{head}\n    """{text}\n    """\n', body=body, cases=cases, entry_point="f", **more
    )


def applied(one, make_tools):
    return alignment.apply(one, make_tools()[0]._replace(options=Aligning()))


def found(one, make_tools):
    decision = applied(one, make_tools).decision
    return decision.reason, decision.evidence


MEDIAN = '''def median(l: list):
    """Return median of elements in the list l.
    >>> median([3, 1, 2, 4, 5])
    3
    >>> median([-10, 4, 6, 1000, 10, 20])
    15.0
    """
'''
MEDIAN_BODY = """\
    l = sorted(l)
    if len(l) % 2:
        return l[len(l) // 2]
    return (l[len(l) // 2 - 1] + l[len(l) // 2]) / 2.0
"""


def test_a_doctest_that_contradicts_the_reference_is_shown(make_tools):
    one = problem(prompt=MEDIAN, body=MEDIAN_BODY, entry_point="median", cases=())
    assert found(one, make_tools) == (
        "example-disagrees",
        ">>> median([-10, 4, 6, 1000, 10, 20]) gives 15.0, but the reference gives 8.0",
    )
    right = problem(
        prompt=MEDIAN.replace("15.0", "8.0"), body=MEDIAN_BODY, entry_point="median", cases=()
    )
    assert found(right, make_tools)[0] == "kept"


@pytest.mark.parametrize(
    "text",
    [
        ">>> f(1)\n    2",
        ">>> f(1) == 2",
        "f(1) -> 2",
        "f(1) # => 2",
        "f(1) should return 2.",
        "f('a') returns 'b'",
        "Input: x = 1\n    Output: 2",
        "For x = 1, the output should be 2.",
        ">>> print(f(1))\n    2",
        ">>> f(1)\n    Traceback (most recent call last):\n    ValueError: no",
        "f(1) raises ValueError",
        ">>> y = 1\n    >>> f(y)\n    2",
        ">>> f(False)\n    Invalid(func=f, args={'x': False})",
        ">>> f(None)\n    shapes.Box(1, 2)",
    ],
)
def test_every_form_of_example_is_checked(make_tools, text):
    assert found(function(f"Return x.\n\n    {text}"), make_tools)[0] == "example-disagrees"


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        (">>> f(1)\n    1", 1),
        (">>> f([1, 2])\n    (1, 2)", 1),
        ("f(1) == 1.0\n    f(None) -> null\n    f(True) => true\n    f('a') -> \"a\"", 4),
        (">>> f('a' * 99)\n    'a...a'", 1),
        (">>> f({1, 2, 3})  # doctest: +ELLIPSIS\n    {1, ...}", 1),
        (">>> print(f('a  b'))\n    a b", 1),
        (">>> import nowhere\n    >>> f(nowhere.x)\n    2", 0),
        (">>> f(y)\n    2", 0),
        (">>> f(object())\n    <object object at 0x7f>", 0),
        (">>> x = 5\n    >>> f(x)\n    5", 1),
        (">>> f('a')\n    Name(a)", 0),
        (">>> f(f)\n    2", 0),  # what can't be told as data
        ("f(1) -> 1 or 2", 0),
    ],
)
def test_what_agrees_or_can_t_be_told_is_kept(make_tools, text, checked):
    reason, evidence = found(function(f"Return x.\n\n    {text}"), make_tools)
    assert (reason, evidence.split()[0]) == ("kept", str(checked))


def test_examples_of_generators_and_coroutines_are_run(make_tools):
    text = "Give x.\n\n    f(2) -> [0, 1]"
    generator = function(text, "    yield from range(x)\n", mode="generates", cases=())
    assert found(generator, make_tools)[0] == "kept"
    wrong = function(
        text.replace("1]", "2]"), "    yield from range(x)\n", mode="generates", cases=()
    )
    assert found(wrong, make_tools)[0] == "example-disagrees"
    coroutine = function("f(2) -> 3", head="async def f(x):", mode="awaits", cases=())
    assert found(coroutine, make_tools)[0] == "example-disagrees"


def test_a_reference_that_raises_disagrees(make_tools):
    one = function("f(1) -> 1", body="    raise ValueError('no')\n")
    assert found(one, make_tools) == (
        "example-disagrees",
        "f(1) -> 1, but the reference raises ValueError: no",
    )
    said = function("f(1) raises ValueError", body="    raise ValueError('no')\n")
    assert found(said, make_tools)[0] == "kept"


def test_a_docstring_that_doesn_t_parse_is_dropped(make_tools):
    one = function("Return x.\n    >>> f('ab\ncd')\n    'ab'")
    assert found(one, make_tools)[0] == "docstring-broken"


def test_a_case_that_breaks_a_promise_is_named(make_tools):
    one = function("Given a non-negative integer x, return it.", cases=(case(-3, expected=-3),))
    assert found(one, make_tools) == (
        "contract-breach",
        "case 0: f(-3): Given a non-negative integer x, return it",
    )
    raising = function(
        "Given a non-negative integer x, return it.", cases=(case(-3, raises="ValueError"),)
    )
    assert found(raising, make_tools)[0] == "kept"


def test_annotations_are_checked(make_tools):
    one = function("Return x.", head="def f(x: list[int]):", cases=(case([""], expected=[""]),))
    assert found(one, make_tools) == ("contract-breach", "case 0: f(['']): x: list[int]")
    one = function("Return x.", head="def f(x) -> str:")
    assert found(one, make_tools) == ("annotation-breach", "case 0: f(5): 5: -> str")


def test_a_program_s_case_may_not_break_its_statement(make_tools):
    text = "The first line contains n (5 <= n <= 100)."
    one = program(prompt=f'"""{text}\n"""\n', cases=[("102\n", "204\n")])
    assert found(one, make_tools) == (
        "contract-breach",
        "case 0: '102\\n': The first line contains n (5 <= n <= 100)",
    )


SAMPLE = (
    "Twice.\n\nExample 1:\n\nInput:\n    2\nOutput:\n    4\n\nExample 2:\n\nInput:\n3\nOutput:\n7\n"
)


def test_a_program_s_samples_are_run(make_tools):
    one = program(prompt=f'"""{SAMPLE}"""\n')
    assert found(one, make_tools) == (
        "example-disagrees",
        "Input: 3 Output: 7, but the reference prints 6",
    )
    right = program(prompt=f'"""{SAMPLE.replace("7", "6")}"""\n')
    assert found(right, make_tools)[0] == "kept"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SAMPLE, [Pair("2\n", "4\n"), Pair("3\n", "7\n")]),
        ("Sample Input 1\n2\nSample Output 1\n4\n\nExplanation\nIt is.", [Pair("2\n", "4\n")]),
        ("Input\n\nThe number.\n\nOutput\n\nTwice the number.", []),
        ("Sample Input\n2\n", []),
        ("Nothing.", []),
    ],
)
def test_samples_pair_or_there_are_none(text, expected):
    assert pairs(program(prompt=f'"""{text}\n"""\n')) == expected


def test_what_can_t_be_read_is_kept(make_tools):
    one = problem(prompt="def f(:\n", body="", entry_point="f", cases=())
    assert found(one, make_tools)[0] == "kept"
    unknown = program(body="", prompt=f'"""{SAMPLE}"""\n')
    assert found(unknown, make_tools)[0] == "kept"
    checked = program(prompt=f'"""{SAMPLE}"""\n', comparator=Comparator(kind="checker"))
    assert found(checked, make_tools)[0] == "kept"


def texts(*values, origin="traced", **more):
    cases = [msgspec.structs.replace(case(each, **more), origin=origin) for each in values]
    return function("Return nothing.", "    return None\n", "def f(x: str):", cases)


def test_recorded_cases_that_break_the_contract_are_left_out(make_tools):
    one = texts("a", None, "b", "c", 5)
    finding = applied(one, make_tools)
    assert finding.refined is not None
    assert finding.refined.cases == tuple(one.cases[n] for n in (0, 2, 3))
    assert finding.decision.evidence == (
        "0 examples agree; 2 of 5 cases are left out: case 1: f(None): x: str; case 4: f(5): x: str"
    )
    assert finding.decision.facts == {"left_out": [1, 4]}


@pytest.mark.parametrize(
    "one",
    [
        texts("a", None, "b"),
        texts("a", "a", "a", "b", None),  # only two different
        texts("a", "b", "c", None, origin="statement"),
    ],
)
def test_it_is_dropped_where_too_few_stay_or_they_aren_t_recorded(make_tools, one):
    assert found(one, make_tools)[0] == "contract-breach"


def test_a_call_that_raises_stays_but_is_none_of_those_needed(make_tools):
    raising = case(None, raises="TypeError")
    few = function("Do.", head="def f(x: str):", cases=[case("a"), case("b"), raising, case(1)])
    assert found(few, make_tools)[0] == "contract-breach"
    enough = msgspec.structs.replace(few, cases=(*few.cases, case("c")))
    refined = applied(enough, make_tools).refined
    assert refined is not None
    assert refined.cases == (case("a"), case("b"), raising, case("c"))


def test_what_the_others_are_says_more_of_the_contract(make_tools):
    text = "Given a positive number x, return it."
    cases = [case(n) for n in ("a", 1, 2, 3, -4)]
    one = function(text, head="def f(x: int):", cases=cases)
    assert applied(one, make_tools).decision.facts == {"left_out": [0, 4]}


def test_each_run_is_told(make_tools):
    one = function("Return x.\n\n    >>> f(1)\n    1\n\n    f(2) -> 2")
    told = [(each.purpose, each.verdict) for each in applied(one, make_tools).executions]
    assert told == [("shown examples", "pass")] * 2
    assert applied(function("Return x."), make_tools).executions == ()
