"""What a function needs of its module, and its signature."""

import ast

import pytest

from thresher.crawlers.packages import program
from thresher.crawlers.statement import Parameter, Signature
from thresher.errors import SourceError

MODULE = '''\
"""About the module."""
from __future__ import annotations

import math, re
from functools import reduce

LIMIT = 3
TABLE = {}
# Filled once.
TABLE.update(a=LIMIT)
UNUSED = math.pi


class Bad(Exception):
    """Too large."""


def helper(n):
    return TABLE["a"] + n


@decorated
def other(n):
    return re.escape(n)


# What counts.
def score(n: int, by=LIMIT, *, deep: bool = False) -> int:
    if n > by:
        raise Bad(n)
    return helper(n) if n else score(n + 1)


def later(n):
    return score(n)


if __name__ == "__main__":
    print(score(1))
'''


def needed(source, name):
    """Return the part of a module that a function needs."""
    return program.needed(source, ast.parse(source), name)


def test_a_function_comes_with_what_it_needs_and_nothing_else():
    assert (
        needed(MODULE, "score")
        == '''\
from __future__ import annotations
LIMIT = 3
TABLE = {}
# Filled once.
TABLE.update(a=LIMIT)


class Bad(Exception):
    """Too large."""


def helper(n):
    return TABLE["a"] + n


# What counts.
def score(n: int, by=LIMIT, *, deep: bool = False) -> int:
    if n > by:
        raise Bad(n)
    return helper(n) if n else score(n + 1)
'''
    )


def test_imports_come_along():
    assert needed("import math, re\n\ndef f():\n    return math.pi\n", "f") == (
        "import math, re\n\n\ndef f():\n    return math.pi\n"
    )


def test_a_name_that_is_bound_in_several_ways_comes_with_all_of_them():
    source = (
        "try:\n    import fast\nexcept ImportError:\n    fast = None\n\ndef f():\n    return fast\n"
    )
    assert needed(source, "f").startswith(
        "try:\n    import fast\nexcept ImportError:\n    fast = None\n"
    )


def test_decorators_stay_with_their_function():
    source = "@cache\ndef g(n):\n    return n\n\ndef f(n):\n    return g(n)\n"
    assert "@cache\ndef g(n):" in needed(source, "f")


def test_several_statements_on_a_line_are_refused():
    with pytest.raises(SourceError) as refused:
        needed("a = 1; b = 2\n\ndef f():\n    return a\n", "f")
    assert refused.value.reason == "several-on-a-line"


def test_what_is_needed_runs_as_the_module_did():
    whole, part = {}, {}
    source = MODULE.replace("@decorated\n", "")
    exec(source, {"__name__": "m"} | whole, whole)  # our own text
    exec(needed(source, "score"), part)
    assert part["score"](0) == part["score"](1) == 4
    assert set(part) - {"__builtins__"} == {
        "annotations",
        "LIMIT",
        "TABLE",
        "Bad",
        "helper",
        "score",
    }


def test_a_signature_has_annotations_and_defaults():
    assert program.signature(ast.parse(MODULE), "score", {"LIMIT": 3}) == Signature(
        name="score",
        parameters=(
            Parameter("n", "int"),
            Parameter("by", "", "3"),
            Parameter("deep", "bool", "False"),
        ),
        returns="int",
    )


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f(*args):\n    pass", "variadic"),
        ("def f(**kwargs):\n    pass", "variadic"),
        ("async def f():\n    pass", "async"),
        ("f = len", "no-function"),
        ("class f:\n    pass", "no-function"),
        ("def f():\n    pass\nf = cache(f)", "no-function"),
        ("def g():\n    pass", "no-function"),
    ],
)
def test_other_functions_are_refused(source, reason):
    with pytest.raises(SourceError) as refused:
        program.signature(ast.parse(source), "f", {})
    assert refused.value.reason == reason


@pytest.mark.parametrize("source", ["def f(:", "\0", "(" * 5000, "print 1"])
def test_what_is_no_python_is_refused(source):
    with pytest.raises(SourceError) as refused:
        program.parse(source, "example.py")
    assert refused.value.reason == "no-python"
    assert "example.py" in str(refused.value)
