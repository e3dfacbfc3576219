"""What problems promise of their inputs, and cases that break it."""

import pytest

from tests.store.builders import case, problem, program
from thresher.filters.contracts.contract import Contract, contract_of
from thresher.filters.contracts.promises import sentences
from thresher.store import values


def function(text, head="def f(x):", body="    return x\n", cases=(), **more):
    return problem(
        prompt=f'{head}\n    """{text}\n    """\n', body=body, cases=cases, entry_point="f", **more
    )


def breach(text, *args, head="def f(x):"):
    """Hold a call against a text, as the case of a problem."""
    one = function(text, head, cases=[case(*args)])
    return contract_of(one).breach(one.cases[0].args, {})


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("Given a non-negative integer x, return it.", 0, -3),
        ("Takes a positive integer and returns it.", 1, 0),
        ("Return x.\n\n    x must be non-negative.", 0, -3),
        ("Return it.\n\n    Args:\n        x: a positive integer.", 3, -3),
        ("Return it.\n\n    Args:\n        x (int): the number, 1 <= x <= 10.", 10, 11),
        ("Return it.\n\n    :param x: a non-negative number", 0, -1),
        ("Return x. Assume 0 < x < 5.", 4, 5),
        ("Return x.\n\n    Constraints:\n        * 1 <= x <= 100", 100, 102),
        ("Return x.\n\n    Constraints: 0 ≤ x ≤ 10^4.", 10_000, 10_001),
        ("Given a non-empty list x, return it.", [1], []),
        ("Given a list x of at least two elements, return it.", [1, 2], [1]),
        ("Given a list of positive integers, return it.", [1], [1, 0]),
        ("Given a list of non-negative integers, return it.", [0], [-1]),
        ("Given a string x of lowercase letters, return it.", "ab", "aB"),
        ("Return x.\n\n    The length of the array will be in the range of [1, 3].", [1], []),
        ("Return x.\n\n    The elements in the array will be in the range [-5, 5].", [5], [6]),
    ],
)
def test_a_stated_range_is_broken_by_what_lies_outside(text, right, wrong):
    assert breach(text, right) is None
    assert breach(text, wrong) is not None


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("Return x where x > 0.", -3),
        ("Return True if x > 0.", -3),
        ("Return the smallest positive integer x that divides it.", -3),
        ("Given a non-negative integer x, return it. If x is negative, return 0.", -3),
        ("Given a positive integer x, return it; zero gives an error.", 0),
        ("Given a non-empty list x, return it. If it is empty, return None.", []),
        ("Given a string of lowercase letters, return it. Uppercase letters are kept.", "A"),
        ("Return x.\n\n    >>> f(1) > 0\n    True", -3),
        ("Given x, see `RFC 7231 <7231>`.", 1),
        ("Return x.\n\n    Subtask 1 (30 points): 1 <= x <= 10", 11),
    ],
)
def test_what_an_answer_depends_on_is_no_promise(text, given):
    assert breach(text, given) is None


def test_a_sentence_is_about_the_parameters_it_names():
    head = "def f(a, b, c):"
    text = "Given two positive integers a and b, and c, return them."
    assert breach(text, 1, 2, -3, head=head) is None
    assert breach(text, 1, -2, 3, head=head) == (
        "Given two positive integers a and b, and c, return them"
    )


def test_annotations_are_promises():
    assert breach("Return x.", [""], head="def f(x: list[int]):") == "x: list[int]"
    assert breach("Return x.", {}, head="def f(x: list[int]):") == "x: list[int]"
    assert breach("Return x.", [1], head="def f(x: list[int]):") is None
    assert breach("Return x.", None, head="def f(x: int = None):") is None
    assert breach("Return x.", 1, "a", head="def f(*x: int):") == "x: int"


def test_keywords_are_held_against_annotations_too():
    contract = contract_of(function("Return x.", "def f(*, x: int, **more: str):"))
    assert contract.breach([], {"x": values.encode("a")}) == "x: int"
    assert contract.breach([], {"x": 1, "other": 2}) == "more: str"
    assert contract.breach([], {"x": 1, "other": "a"}) is None


def test_answers_are_held_against_the_annotation():
    contract = contract_of(function("Return x.", "def f(x) -> str:"))
    assert contract.breach_of_answer(1) == "-> str"
    assert contract.breach_of_answer("a") is None
    assert contract_of(function("Return x.")).breach_of_answer(1) is None


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("The first line contains a single integer n (5 <= n <= 100).", "100\n", "102\n"),
        ("Input\nThe first line contains n.\n\nConstraints\n5 ≤ n ≤ 100", "5\n", "4\n"),
        ("The only line has an integer $n$ ($1 \\\\le n \\\\le 10^9$).", "1\n", "0\n"),
        ("The first line contains n, m and k (1 ≤ n, m ≤ 50, 0 ≤ k ≤ n).", "1 50 1", "1 51 0"),
        ("Input consists of a single integer N (1 ≤ N ≤ 105).", "100000", "100001"),
        (
            "Input is given in the following format:\n\nN M\n\nConstraints\n- 1 ≤ M ≤ N",
            "2 2",
            "2 3",
        ),
    ],
)
def test_the_first_line_of_a_program_is_held_against_its_statement(text, right, wrong):
    contract = contract_of(program(prompt=f'"""{text}\n"""\n'))
    assert contract.breach([right], {}) is None
    assert contract.breach([wrong], {}) is not None


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("The first line contains n. Subtask 1 (30 points): 1 ≤ n ≤ 10.", "11\n"),
        ("The first line contains t. Each test case has n (1 ≤ n ≤ 2).", "3\n"),
        ("The first line contains the string s (1 ≤ n ≤ 2).", "abc\n"),
        ("The first line contains n and m (1 ≤ n ≤ 2).", "3\n"),
        ("The first line contains n. If n > 5 print 1.", "3\n"),
    ],
)
def test_other_lines_and_other_conditions_are_none(text, given):
    assert contract_of(program(prompt=f'"""{text}\n"""\n')).breach([given], {}) is None


def test_what_can_t_be_read_promises_nothing():
    for prompt in ("def f(x:\n", "x = 1\n", "(" * 300):
        assert contract_of(problem(prompt=prompt, body="", entry_point="f")) == Contract()


def test_sentences_know_their_heading():
    text = "First one, e.g. this. Second\nline.\n\nConstraints:\n  * 1 <= n\n\nExamples:\n  * no"
    found = [(one.text, one.is_limiting) for one in sentences(text)]
    assert found == [
        ("First one, e.g. this", False),
        ("Second line", False),
        ("1 <= n", True),
        ("no", False),
    ]


DEMANDED = [
    ("a, b", "Return the sum of two non-negative integers.", [(-1, 2), (2, -1)], [(1, 2)]),
    ("x", "Return the middle.\n\n    The list must not be empty.", [([],)], [([1],)]),
    ("x", "Return the middle.\n\n    x cannot be empty.", [([],)], [([1],)]),
    ("x", "Return the middle of a list with at least one element.", [([],)], [([1],)]),
    ("x", "Put 1 into x, assuming that x is sorted.", [([2, 1, 3],)], [([1, 2],), ([2, 1],)]),
    ("x", "Given a sorted list of integers, return one.", [([2, 1, 3],)], [([1, 2],)]),
    ("x", "Find it.\n\n    All elements of x are unique.", [([2, 2],)], [([1, 2],)]),
    ("x", "Return one of a list without duplicates.", [([2, 2],)], [([1, 2],)]),
    ("s", "Count.\n\n    s consists only of lowercase letters.", [("aB",)], [("ab",)]),
    ("n", "Return the sum to n. n is at least 1.", [(0,)], [(1,)]),
    ("n", "Return the sum to n, where n must be greater than zero.", [(0,)], [(1,)]),
    ("n", "Draw a diamond.\n\n    n must be odd.", [(2,)], [(3,)]),
    ("n", "Given a non-zero number, return 1 over it.", [(0,)], [(2,)]),
    ("n", "Takes a positive even integer and returns half of it.", [(3,)], [(2,)]),
    ("m", "Return the trace of a square matrix.", [([[1, 2]],)], [([[1]],)]),
    ("day", "Return the name of a day (1 to 7).", [(8,)], [(7,)]),
    ("k, x", "Return the k-th of a non-empty list, k from 0.", [(1, [])], [(0, [1])]),
]


def broken(parameters, text, calls):
    """Return those of some calls that break a text."""
    prompt = f'def f({parameters}):\n    """{text}\n    """\n'
    one = problem(cases=[case(*args) for args in calls], prompt=prompt, entry_point="f")
    contract = contract_of(one)
    pairs = zip(calls, one.cases, strict=True)
    return [args for args, made in pairs if contract.breach(made.args, {})]


@pytest.mark.parametrize(("parameters", "text", "bad", "good"), DEMANDED)
def test_what_is_demanded_of_a_parameter(parameters, text, bad, good):
    assert broken(parameters, text, [*bad, *good]) == bad


@pytest.mark.parametrize(
    ("parameters", "text", "call"),
    [
        ("x", "Return a sorted list.", ([3, 1, 2],)),
        ("x", "Return whether a list is sorted.", ([3, 1, 2],)),
        ("x", "Give its items as a sorted list.", ([3, 1, 2],)),
        ("x", "Check that the list is sorted.", ([3, 1, 2],)),
        ("x", "Return the median. The list need not be sorted.", ([3, 1, 2],)),
        ("x", "Return a list without duplicates.", ([2, 2],)),
        ("x", "Return some.\n\n    Note: Returned list should be sorted.", ([3, 1, 2],)),
        ("x", "Return a list. The list should be sorted.", ([3, 1, 2],)),
        ("x", "Return a list. The returned list must not be empty.", ([],)),
        ("n", "Return the next even number.", (3,)),
        ("n", "Tell whether n is odd.", (2,)),
        ("n", "Go on with half of an even number, until there is one.", (3,)),
        ("n", "Return n if it is at least 1, else 1.", (0,)),
        ("n", "Clamp n to the range from 0 to 9.", (12,)),
        ("n", "Split n into two positive numbers.", (-3,)),
        ("s", "Tell whether s consists only of lowercase letters.", ("aB",)),
        ("m", "Return True if it is a square matrix.", ([[1, 2]],)),
        ("a, b", "a < b", (3, 2)),
        ("a, b", "Same as assertTrue(a < b), with a message.", (3, 2)),
        ("a, b", "Pad two lists to the same length.", ([1], [2, 3])),
        ("a, b", "Tell whether two strings have the same length.", ("a", "bc")),
    ],
)
def test_what_a_function_does_or_tells_is_no_demand(parameters, text, call):
    assert broken(parameters, text, [call]) == []


SAID = [
    ("Add up the digits of a non-negative integer.", [(-3,)], [(0,), (12,)]),
    ("Say how a positive number of x can sit.", [(0,)], [(1,)]),
    ("Return the ends of a non-empty list.", [([],)], [([1],)]),
    ("Return a non-empty list for some numbers.", [], [([],)]),
    ("Given a list sorted in ascending order, return a gap.", [([2, 1],)], [([1, 1, 2],), ([],)]),
    ("Return the list sorted in ascending order.", [], [([2, 1],)]),
    ("Given the distinct numbers of seats, return one.", [([1, 1],)], [([1, 2],)]),
    ("Count the distinct numbers of a list.", [], [([1, 1],)]),
    ("Add up the letters of a word in lower case.", [("Ab",)], [("ab",), ("",)]),
    ("Return the text in lower case.", [], [("Ab",)]),
    ("Name the band of an x between 0.0 and 1.0.", [(1.5,), (-0.1,)], [(0.0,), (1.0,)]),
    ("Return the angle from 0 to 9 that is like x.", [], [(12,)]),
]


@pytest.mark.parametrize(("text", "bad", "good"), SAID)
def test_what_is_said_of_the_input_in_passing(text, bad, good):
    assert broken("x", text, [*bad, *good]) == bad


@pytest.mark.parametrize(
    ("more", "is_said"), [("", True), ("The longer one is cut.", False), ("If not, raise.", True)]
)
def test_two_lists_of_one_length(more, is_said):
    prompt = f'def f(a, b):\n    """Multiply two lists of the same length. {more}"""\n'
    made = [case([1], [2, 3]), case([1], [2])]
    one = problem(cases=made, prompt=prompt, entry_point="f")
    found = [contract_of(one).breach(each.args, {}) is not None for each in made]
    assert found == [is_said, False]
