"""Chains are drawn once each, the same for the same seed, and say what they do."""

import ast
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.synthetic import chains
from thresher.crawlers.synthetic.blocks import BLOCKS

NAMED = {block.name: block for block in BLOCKS}


def chain(*names):
    return tuple(NAMED[name] for name in names)


def test_there_are_thirteen_blocks():
    assert len(NAMED) == 13
    assert [chains.count(length) for length in (1, 2, 3)] == [13, 156, 1716]


@pytest.mark.parametrize("length", [1, 2])
def test_all_chains_are_drawn_once(length):
    drawn = list(chains.draw(length, 5))
    assert len(drawn) == len(set(drawn)) == chains.count(length)
    assert all(len(set(each)) == length for each in drawn)


@given(st.integers(1, 13), st.integers())
def test_the_seed_decides_what_is_drawn(length, seed):
    first, again = (list(itertools.islice(chains.draw(length, seed), 5)) for _ in range(2))
    assert first == again


def test_another_seed_draws_others():
    one, other = (list(itertools.islice(chains.draw(4, seed), 5)) for seed in (1, 2))
    assert one != other


def test_the_prompt_tells_the_steps_in_order():
    text = chains.prompt(chain("lower", "trim"), [("One ant.", "e an")])
    assert text == (
        "def transform(text: str) -> str:\n"
        '    """Change a text in these steps, one after the other, and return what is left.\n\n'
        "    1. Turn all letters into lower case.\n"
        "    2. Cut off two characters at the beginning and two at the end.\n\n"
        "    >>> transform('One ant.')\n"
        "    'e an'\n"
        '    """\n'
    )
    assert chains.solution(chain("lower", "trim")) == (
        "    text = text.lower()\n    text = text[2:-2]\n    return text\n"
    )


@given(st.permutations(BLOCKS))
def test_every_program_is_python(order):
    whole = tuple(order)
    function = ast.parse(chains.prompt(whole) + chains.solution(whole)).body[0]
    told = ast.get_docstring(function)
    assert all(f"{number}. " in told for number in range(1, 14))
    assert len(ast.parse(chains.without_each(whole)).body) == 14
    assert chains.texts(whole) == chains.texts(whole)
    assert len(set(chains.texts(whole))) == len(chains.texts(whole))
