import ast
import textwrap
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.tracer.extraction.standalone import (
    NotStandalone,
    Parameter,
    Project,
    Standalone,
    extract,
)


def project_of(**texts: str) -> Project:
    files = {f"{name.replace('__', '/')}.py": textwrap.dedent(text) for name, text in texts.items()}
    return Project({file: PurePosixPath(file) for file in files}, files)


def extract_from(text: str, name: str = "f", **others: str) -> Standalone:
    """Extract the function `name` of the module ``m``, beside `others`."""
    project = project_of(m=text, **others)
    lines = project.texts["m.py"].split("\n")
    place = next(i for i, line in enumerate(lines) if line.lstrip().startswith(f"def {name}("))
    while place and lines[place - 1].lstrip().startswith("@"):
        place -= 1
    return extract(project, "m.py", place + 1, name)


def reason_of(text: str, name: str = "f", **others: str) -> str:
    with pytest.raises(NotStandalone) as caught:
        extract_from(text, name, **others)
    return caught.value.reason


def test_a_function_that_needs_nothing_is_cut_after_its_docstring():
    found = extract_from('''
        """Module docstring."""

        def f(a, /, b: int = 1, *rest, c, d=2, **more) -> int:
            """Add.

            >>> f(1)
            2
            """

            # why
            return a + b  # done
            # trailing comment


        def g(): pass
    ''')
    assert found == Standalone(
        prompt=(
            "def f(a, /, b: int = 1, *rest, c, d=2, **more) -> int:\n"
            '    """Add.\n\n    >>> f(1)\n    2\n    """\n'
        ),
        solution="\n    # why\n    return a + b  # done\n",
        entry_point="f",
        start_line=4,
        end_line=12,
        parameters=(
            Parameter("a", "POSITIONAL_ONLY", False),
            Parameter("b", "POSITIONAL_OR_KEYWORD", True),
            Parameter("rest", "VAR_POSITIONAL", False),
            Parameter("c", "KEYWORD_ONLY", False),
            Parameter("d", "KEYWORD_ONLY", True),
            Parameter("more", "VAR_KEYWORD", False),
        ),
        returns="int",
    )


def test_imports_constants_helpers_and_small_classes_come_along_in_source_order():
    found = extract_from('''
        """Words."""
        import os, re
        from collections import OrderedDict, defaultdict as dd
        import unused

        __all__ = ["f"]
        LOW, HIGH = 1, 2  # limits
        STEP = 3
        OTHER = object()

        def f(x):
            """Count."""
            return helper(x) + STEP

        class Box:
            size = HIGH

        def helper(x):
            return re.sub("a", "b", x), dd(int), Box.size
    ''')
    assert found.prompt + found.solution == textwrap.dedent('''\
        import re
        from collections import defaultdict as dd

        LOW, HIGH = 1, 2  # limits
        STEP = 3


        class Box:
            size = HIGH


        def helper(x):
            return re.sub("a", "b", x), dd(int), Box.size


        def f(x):
            """Count."""
            return helper(x) + STEP
    ''')


def test_the_standard_caches_stay_on_the_function():
    found = extract_from('''
        import functools as ft
        from functools import cache

        @ft.lru_cache(maxsize=None)
        @cache
        def f(x):
            """Doc."""
            return x
    ''')
    assert found.prompt == textwrap.dedent('''\
        import functools as ft
        from functools import cache


        @ft.lru_cache(maxsize=None)
        @cache
        def f(x):
            """Doc."""
    ''')
    assert found.start_line == 5


def test_typing_overloads_of_the_function_are_left_behind():
    text = """
        import typing as t

        @t.overload
        def f(x: int) -> int: ...

        def f(x):
            'Doc.'
            return x
    """
    found = extract(project_of(m=text), "m.py", 7, "f")
    assert found.prompt == "def f(x):\n    'Doc.'\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('def f(x):\n    """Doc."""\n', "no-body"),
        ("def f(x):\n    pass\n", "no-body"),
        ('def f(x):\n    """Doc."""\n    ...\n', "no-body"),
        ('def f():\n    """Doc."""\n    return 1\n', "no-parameters"),
        ('def f(x):\n    """Doc."""\n    return x\nf = print\n', "name-clash"),
        ('def f(x):\n    """Doc."""\n    return f.calls\nf.calls = 0\n', "cycle"),
        ('T = [f]\ndef f(x):\n    """Doc."""\n    return T\n', "cycle"),
        ('def f(x):\n    """Doc."""\n    return __file__\n', "dunder:__file__"),
        ('def f(x):\n    """Doc."""\n    return missing\n', "unresolved:missing"),
        ('def f(x):\n    """Doc."""\n    return globals()[x]\n', "uses-globals"),
        ('N = 0\ndef f(x):\n    """Doc."""\n    global N\n    N += x\n', "writes-global"),
        ('import numpy as np\ndef f(x):\n    """Doc."""\n    return np\n', "third-party:numpy"),
        ('def f(x):\n    """Doc."""\n    import numpy\n    return numpy\n', "third-party:numpy"),
        ('from numpy import *\ndef f(x):\n    """Doc."""\n    return array\n', "star-import"),
        ('def f(x):\n    """Doc."""\n    return (\n', "unparsable"),
        ('def f(x):\n    """Doc."""\n    return ' + "-" * 200_000 + "x\n", "unparsable"),
        ('T = """' + "a" * 20_000 + '"""\ndef f(x):\n    """D."""\n    return T\n', "too-large"),
    ],
)  # fmt: skip
def test_what_cannot_stand_alone_is_refused_with_a_reason(text, reason):
    assert reason_of(text) == reason


def test_special_functions_are_refused():
    text = 'def __getattr__(name):\n    """Doc."""\n    return name\n'
    assert reason_of(text, "__getattr__") == "dunder"


def test_lambdas_and_unknown_places_are_refused():
    project = project_of(m='x = lambda: 1\ndef g(x):\n    """Doc."""\n    return x\n')
    reasons = []
    for file, line, name in [("m.py", 1, "<lambda>"), ("m.py", 9, "g"), ("n.py", 1, "g")]:
        with pytest.raises(NotStandalone) as caught:
            extract(project, file, line, name)
        reasons.append(caught.value.reason)
    assert reasons == ["lambda", "not-found", "not-found"]


@pytest.mark.parametrize(
    ("text", "mode", "tags"),
    [
        ("def f(x):\n    yield x\n", "generates", ("undocumented", "generator")),
        ("async def f(x):\n    return x\n", "awaits", ("undocumented", "coroutine")),
        ("async def f(x):\n    'D.'\n    yield x\n", "async-generates", ("coroutine", "generator")),
    ],
)
def test_generators_and_coroutines_say_how_they_give_their_results(text, mode, tags):
    found = extract(project_of(m=text), "m.py", 1, "f")
    assert (found.prompt + found.solution, found.mode, found.tags) == (text, mode, tags)


@pytest.mark.parametrize(
    ("text", "prompt", "solution"),
    [
        ("def f(\n    x,\n):  # why\n\n    # so\n    return x", "def f(\n    x,\n):  # why\n",
         "\n    # so\n    return x\n"),
        ("def f(x): return x; x", "def f(x):\n", "    return x; x\n"),
        ("def f(x='é:'):  'Doc.'; return x", "def f(x='é:'):\n    'Doc.'\n", "    return x\n"),
        ("def f(x):\n  'Doc.'; return x", "def f(x):\n  'Doc.'\n", "  return x\n"),
    ],
)  # fmt: skip
def test_prompt_and_solution_are_parted_by_lines(text, prompt, solution):
    found = extract(project_of(m=text), "m.py", 1, "f")
    assert (found.prompt, found.solution) == (prompt, solution)


def test_decorators_of_the_project_and_of_others_are_dropped():
    found = extract_from("""
        import functools, numba

        @numba.jit
        @functools.cache
        @register(1)
        def f(x):
            'Doc.'
            return f(x - 1)
    """)
    assert found.prompt == "import functools\n\n\n@functools.cache\ndef f(x):\n    'Doc.'\n"
    assert found.tags == ("decorators-dropped",)
    assert (found.start_line, found.end_line) == (4, 9)


def test_definitions_in_branches_are_taken_out_of_them():
    text = "if A:\n    def f(x):\n        'D.'\n        return g(x)\nelse:\n    f = B\n"
    text += "def g(x): return f\n"
    found = extract(project_of(m=text), "m.py", 2, "f")
    assert found.prompt + found.solution == textwrap.dedent("""\
        def g(x): return f


        def f(x):
            'D.'
            return g(x)
    """)
    assert found.tags == ("conditional",)


def test_inner_generators_and_yields_do_not_make_a_generator():
    found = extract_from('''
        def f(x):
            """Doc."""
            def inner():
                yield x
            return list(inner()), lambda: (yield)
    ''')
    assert found.entry_point == "f"


def test_a_long_name_does_not_make_a_long_reason():
    name = "n" * 5_000
    assert len(reason_of(f'def f(x):\n    """Doc."""\n    return {name}\n')) == 80


def test_deep_nesting_below_the_parsers_limit_is_refused_not_raised():
    chain = ".a" * 500
    text = f'def f(x):\n    """Doc."""\n    return {"f(" * 60}x{chain}{")" * 60}\n'
    try:
        assert extract_from(text).entry_point == "f"
    except NotStandalone as error:
        assert error.reason in {"too-large", "unparsable"}


lines = st.lists(
    st.sampled_from(["x += 1", "", "# note", "y = '''a\n b'''", "if x:\n        x = 2"]), max_size=5
)


@given(
    before=lines,
    body=lines,
    doc=st.sampled_from(['"""D."""', "'d'", '"""D.\n\n  e\n"""', "r'''d'''"]),
)
def test_the_function_is_kept_byte_for_byte(before, body, doc):
    function = f"def f(x, y=None):\n    {doc}\n" + "".join(f"    {line}\n" for line in body)
    function += "    return x\n"
    text = "x = 1\n" + "".join(f"{line}\n" for line in before if "if" not in line) + function
    line = text.split("\n").index("def f(x, y=None):") + 1
    found = extract(Project({}, {"m.py": text}), "m.py", line, "f")
    assert found.prompt + found.solution == function
    assert ast.get_docstring(ast.parse(found.prompt).body[-1]) is not None
