"""Functions inside of others: what they take from around them becomes parameters."""

import textwrap

import pytest

from tests.tracer.programs import extracted, program, reason
from thresher.tracer.extraction.standalone import Parameter


def test_free_variables_become_keyword_only_parameters():
    text = '''
        import re

        def outer(pattern, flags=0):
            import os.path as path
            def clean(text):
                return text.strip()

            @register
            def f(text: str,
                  limit=3) -> str:
                """Doc.

                More.
                """
                data = """
                kept"""
                if limit:
                    return f(clean(text), limit - 1)
                return re.sub(pattern, path.sep + data, text, flags=flags)
            return f
    '''
    found = extracted("f", closure=["flags", "pattern", "f"], m=text)
    assert found.prompt + found.solution == textwrap.dedent('''\
        import re
        import os.path as path


        def clean(text):
            return text.strip()


        def f(text: str,
              limit=3, *, flags, pattern) -> str:
            """Doc.

            More.
            """
            data = """
                kept"""
            if limit:
                return f(clean(text), limit - 1, flags=flags, pattern=pattern)
            return re.sub(pattern, path.sep + data, text, flags=flags)
    ''')
    assert found.parameters[2:] == (
        Parameter("flags", "KEYWORD_ONLY", False),
        Parameter("pattern", "KEYWORD_ONLY", False),
    )
    assert found.tags == ("nested", "decorators-dropped")


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("f()", "f(*, a)"),
        ("f(x)", "f(x, *, a)"),
        ("f(x,)", "f(x, *, a)"),
        ("f(x, /)", "f(x, /, *, a)"),
        ("f(*x)", "f(*x, a)"),
        ("f(*, x=(1, 2))", "f(*, x=(1, 2), a)"),
        ("f(**x)", "f(*, a, **x)"),
        ("f(y, *x, **z)", "f(y, *x, a, **z)"),
        ("f(x='é)')", "f(x='é)', *, a)"),
    ],
)
def test_parameters_are_added_to_every_kind_of_signature(signature, expected):
    text = f"def g(a):\n    def {signature}:\n        return a\n"
    assert program("f", closure=["a"], m=text) == f"def {expected}:\n    return a\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def g(a):\n  def f(x):\n    nonlocal a\n    a = x\n", "closure"),
        ("def g():\n  a = 1\n  def f(x):\n    return a\n", "closure"),
        ("def g(a):\n  def f(x=a):\n    return x\n", "closure"),
        ("def g(a):\n  def f(x):\n    return map(f, x), b\n  b = 1\n", "closure"),
        ("def h(): pass\ndef g():\n  def h(): pass\n  def f(x):\n    return h()\n", "name-clash"),
        ("def g(n):\n  def f(x):\n    return g(x)\n  return f\n", "nested"),
    ],
)
def test_what_cannot_be_taken_out(text, expected):
    assert reason("f", closure=["b"], m=text) == expected


def test_functions_inside_of_methods_leave_their_class():
    text = """
        class A:
            def g(self):
                def f(x):
                    return self.__seen, x
    """
    assert program("f", closure=["self"], m=text) == (
        "def f(x, *, self):\n    return self._A__seen, x\n"
    )
