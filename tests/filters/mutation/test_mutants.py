"""Mutants: what is changed, that they differ, that the prompt stays, and that they are bounded."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.builders import problem
from thresher.filters.mutation.mutants import mutants


def changes(body):
    return [mutant.change for mutant in mutants(problem(body=body), 1000)]


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("    return x < 3\n", "x < 3 -> (x <= 3)"),
        ("    return x + 1\n", "x + 1 -> (x - 1)"),
        ("    return x and 3\n", "x and 3 -> (x or 3)"),
        ("    return not x\n", "not x -> (x)"),
        ("    return 7\n", "7 -> (8)"),
        ("    return True\n", "True -> (False)"),
        ("    return 'ab'\n", "'ab' -> ('')"),
        ("    return x[1:]\n", "x[1:] -> (x[:])"),
        ("    return list(range(x))\n", "range(x) -> (range(x + 1))"),
        ("    return sorted(x)\n", "sorted(x) -> (x)"),
        ("    return x.strip()\n", "x.strip() -> (x)"),
        ("    return max(x, 1)\n", "max(x, 1) -> (min(x, 1))"),
        ("    return pow(x, 2)\n", "pow(x, 2) -> (pow(2, x))"),
        ("    x += 1\n    return x\n", "x += 1 -> pass"),
        ("    x += 1\n    return x\n", "x += 1 -> x -= 1"),
        ("    for y in x:\n        break\n    return x\n", "break -> continue"),
        ("    if x:\n        return 1\n    return 2\n", "x -> (not x)"),
        ("    return 1 if x else 2\n", "1 if x else 2 -> (2)"),
        ("    return f'{x + 1}'\n", "f'{x + 1}' -> (f'{x - 1}')"),
    ],
)
def test_small_slips(body, change):
    assert change in changes(body)


def test_docstrings_and_annotations_are_no_places():
    body = "    y: int = x\n    'a note'\n    return y\n"
    assert sorted(changes(body)) == [
        "return y -> pass",
        "return y -> return None",
        "y: int = x -> pass",
    ]


def test_messages_are_no_places():
    body = """\
    message = f"{x} is " + "wrong"
    if x < 0:
        raise ValueError(message)
    warnings.warn("x" * 3)
    raise TypeError("no" % x) from None
"""
    found = changes(body)
    assert "x < 0 -> (x <= 0)" in found
    assert "raise ValueError(message) -> pass" in found
    assert not [each for each in found if "wrong" in each and not each.endswith("-> pass")]
    assert not [each for each in found if "'no'" in each or "'x'" in each or "3" in each]


def test_what_is_raised_and_returned_is_a_place():
    body = "    y = x + 1\n    if y > 3:\n        raise ValueError(y)\n    return y\n"
    assert "x + 1 -> (x - 1)" in changes(body)


BODIES = [
    "    if x > 0 and x < 10:\n        return [x, x + 1][0]\n    return -x\n",
    "    total = 0\n    for y in range(x):\n        total += y * 2\n    return total\n",
    "    return sorted(set(str(x)), key=lambda c: (c, 1))[:-1]\n",
]


@given(body=st.sampled_from(BODIES), most=st.integers(0, 60))
def test_each_is_another_program_with_the_same_prompt(body, most):
    one = problem(body=body)
    made = mutants(one, most)
    assert len(made) <= most
    trees = [ast.dump(ast.parse(mutant.source)) for mutant in made]
    assert len(set(trees)) == len(trees)
    assert ast.dump(ast.parse(one.prompt + body)) not in trees
    assert all(mutant.source.startswith(one.prompt) for mutant in made)
    assert made == mutants(one, 1000)[:most]


def test_the_first_ones_are_of_different_operators():
    made = mutants(problem(body=BODIES[0]), 6)
    assert len({mutant.operator for mutant in made}) == 6


@pytest.mark.parametrize("body", ["    return (\n", "    return x" + "(" * 3000 + "\n", "    \0\n"])
def test_what_cannot_be_parsed_has_none(body):
    assert mutants(problem(body=body), 5) == []
