"""Code with names by number: what may differ, and what may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.similarity.syntax import Shape, shape

MEAN = '''
import math as m
from statistics import fmean as mean

LIMIT = 3


def f(numbers: list[int], *, cut: int = 2) -> float:
    """Return the mean."""
    total: int = 0
    for number in numbers:
        total += helper(number, by=cut)
    return m.sqrt(total) if total > LIMIT else mean(numbers)


def helper(x, by):
    return x // by


def unused():
    return 0
'''
SHOWN = """\
def v0(v1, *, v2=2):
    v3 = 0
    for v4 in v1:
        v3 += v5(v4, v6=v2)
    return math.sqrt(v3) if v3 > v7 else statistics.fmean(v1)
def v5(v8, v6):
    return v8 // v6
v7 = 3"""


def test_names_become_numbers_and_words_go():
    assert shape(MEAN, "f").text == SHOWN


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("numbers", "values"),
        ("helper", "_divided"),
        ("LIMIT", "most"),
        ('"""Return the mean."""', '"""Something else."""'),
        (": list[int]", ""),
        ("import math as m\n", "import math as geometry\n"),
        ("    total: int = 0\n", "\n    # a note\n    total = 0\n\n"),
        ("def unused():\n    return 0\n", ""),
    ],
)
def test_what_is_free_to_choose_does_not_count(old, new):
    changed = MEAN.replace(old, new)
    if "geometry" in new:
        changed = changed.replace("m.sqrt", "geometry.sqrt")
    assert changed != MEAN
    assert shape(changed, "f").text == SHOWN


@pytest.mark.parametrize(
    ("old", "new"),
    [("LIMIT = 3", "LIMIT = 4"), ("//", "/"), ("m.sqrt", "m.exp"), ("> LIMIT", ">= LIMIT")],
)
def test_what_it_does_counts(old, new):
    assert shape(MEAN.replace(old, new), "f").text != SHOWN


CLASSES = """\
class A(Exception):
    'Text.'


def f(key):
    try:
        return sorted(key, key=len)
    except A as error:
        return str(error)
"""
SHOWN_CLASSES = """\
def v0(v1):
    try:
        return sorted(v1, key=len)
    except v2 as v3:
        return str(v3)
class v2(Exception):
    pass"""


def test_classes_exceptions_and_keywords_of_others():
    assert shape(CLASSES, "f").text == SHOWN_CLASSES


def test_a_program_is_taken_whole():
    source = "import sys\nn = int(input())\nprint(n, file=sys.stderr)\n"
    assert shape(source, "solve").text == "v0 = int(input())\nprint(v0, file=sys.stderr)"


def test_sizes():
    assert shape("def f(x, y):\n    'Add.'\n    return x + y\n", "f").nodes == 12
    assert shape(MEAN, "f").nodes == 62
    assert shape("def f(:", "f") == Shape("", 0)


def test_the_function_alone_is_told_from_what_it_uses():
    found = shape("def g(x):\n    return x\n\n\ndef f(y):\n    return g(y)\n", "f")
    assert found.own == "def v0(v1):\n    return v2(v1)"
    assert found.text == found.own + "\ndef v2(v3):\n    return v3"


@given(st.text(alphabet="def f(x):\n return+-*[]{}'\"#\\0", max_size=60))
def test_any_text_is_read_or_refused(text):
    found = shape(text, "f")
    assert bool(found.text) <= bool(found.nodes)


def test_deep_code_is_refused():
    assert shape("x = " + "-" * 100_000 + "1", "f") == Shape("", 0)
