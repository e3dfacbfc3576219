"""Examples in docstrings."""

import pytest

from thresher.store import values
from thresher.tracer.doctests import Shown
from thresher.tracer.extraction.standalone import Parameter, Standalone

SIGNATURE = "def f(a, b=2, *rest, key='k', odd=len):"


def shown(docstring, mode="returns", signature=SIGNATURE):
    positional = [Parameter("a", "POSITIONAL_OR_KEYWORD", False)]
    positional += [Parameter("b", "POSITIONAL_OR_KEYWORD", True)]
    keywords = [Parameter("key", "KEYWORD_ONLY", True), Parameter("odd", "KEYWORD_ONLY", True)]
    return Shown(
        Standalone(
            prompt=f'{signature}\n    """{docstring}"""\n',
            solution="    return a\n",
            entry_point="f",
            start_line=1,
            end_line=3,
            parameters=(*positional, Parameter("rest", "VAR_POSITIONAL", False), *keywords),
            returns=None,
            mode=mode,
        )
    )


def examples(docstring, **more):
    return [
        (each.case.args, each.case.kwargs, each.case.raises or each.case.expected, each.is_checked)
        for each in shown(docstring, **more).examples()
    ]


@pytest.mark.parametrize(
    ("docstring", "found"),
    [
        (">>> f(1)\n    3", [((1,), {}, 3, True)]),
        (">>> f(-1.5, key=[None])\n    'x'\n\n    and", [((-1.5,), {"key": [None]}, "x", True)]),
        (">>> f(1)\n    (1,\n     2)", [((1,), {}, {"tuple": [1, 2]}, True)]),
        (">>> f(1)", [((1,), {}, None, False)]),
        (">>> f(1)\n    <object>", [((1,), {}, None, False)]),
        (">>> f(1)\n    [1, ...]", [((1,), {}, None, False)]),
        (
            ">>> f(0)\n    Traceback (most recent call last):\n    ValueError: no",
            [((0,), {}, "ValueError", True)],
        ),
        (
            ">>> f(0)\n    Traceback (most recent call last):\n    pkg.Error: no",
            [((0,), {}, None, False)],
        ),
        (">>> f(1) + 1\n    3", []),
        (">>> x = f(1)\n    >>> x\n    3\n    >>> f(x)\n    3", []),
        (">>> x.f(1)\n    3", []),
        (">>> f(*[1])\n    3", []),
        (">>> f(**{'a': 1})\n    3", []),
        (">>> f(1)  # doctest: +SKIP\n    3", []),
        (">>>f(1)\n    3", []),
        (">>> f('" + "x" * 1000 + "')\n    3", []),
        (">>> f(" + "[" * 500 + "]" * 500 + ")\n    3", []),
    ],
)
def test_calls_with_literals_are_examples(docstring, found):
    assert examples(docstring) == found


def test_the_outputs_of_a_generator_are_shown_in_a_list():
    text = ">>> list(f(3))\n    [0, 1]\n    >>> f(3)\n    <generator>\n    >>> next(f(3))\n    0"
    assert examples(text, mode="generates") == [((3,), {}, [0, 1], True)]


def test_a_function_without_a_docstring_shows_nothing():
    assert shown("", signature="def f(a):\n    x = 1\n").examples() == []


def test_an_example_is_said_in_a_line():
    (example,) = shown(">>> f(1,\n    ...   2)\n    3").examples()
    assert example.line == ">>> f(1, 2) gives 3"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (((1,), {}), ((1, 2), {"key": "k"}), True),
        (((), {"a": 1}), ((1,), {}), True),
        (((1, 2, 3), {}), ((1, 2), {}), False),
        (((1,), {"key": "j"}), ((1,), {}), False),
        (((1,), {}), ((True,), {}), False),
    ],
)
def test_calls_are_the_same_when_the_parameters_get_the_same(one, other, same):
    found = shown(">>> f(1)\n    3")
    (example,) = found.examples()

    def key(args, kwargs):
        encoded = {name: values.encode(value) for name, value in kwargs.items()}
        return found.key(
            type(example.case)(
                args=tuple(map(values.encode, args)),
                kwargs=encoded,
                expected=None,
                raises=None,
                origin="traced",
                shown=False,
            )
        )

    assert (key(*one) == key(*other)) is same
