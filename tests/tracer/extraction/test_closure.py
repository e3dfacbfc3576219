"""What comes along with a function, as whole programs."""

import textwrap
from pathlib import PurePosixPath

import pytest

from thresher.tracer.extraction.standalone import NotStandalone, Project, extract


def program(entry: str, **texts: str) -> str:
    """Return the program made of the function `entry` of module ``pkg/m.py`` or ``m.py``."""
    files = {f"{name.replace('__', '/')}.py": textwrap.dedent(text) for name, text in texts.items()}
    files = {file.replace("/init.py", "/__init__.py"): text for file, text in files.items()}
    project = Project({file: PurePosixPath(file) for file in files}, files)
    file = next(file for file in files if file.endswith("m.py"))
    line = files[file].split("\n").index(f"def {entry}(x):") + 1
    found = extract(project, file, line, entry)
    return found.prompt + found.solution


def reason(entry: str, **texts: str) -> str:
    with pytest.raises(NotStandalone) as caught:
        program(entry, **texts)
    return caught.value.reason


F = '''
def f(x):
    """Doc."""
    return {}
'''


def test_statements_that_change_a_constant_come_along():
    text = '''
        PLURALS = []
        COUNTS = {}
        UNRELATED = []


        def _irregular(one, many):
            PLURALS.insert(0, (one, many))


        _irregular("man", "men")
        UNRELATED.append(1)
        print("loaded")
        for _each in ("a", "b"):
            _irregular(_each, _each)
        COUNTS["a"] = len(PLURALS)
        if __name__ == "__main__":
            PLURALS.clear()


        def f(x):
            """Doc."""
            return PLURALS, COUNTS
    '''
    assert program("f", m=text) == textwrap.dedent('''\
        PLURALS = []
        COUNTS = {}


        def _irregular(one, many):
            PLURALS.insert(0, (one, many))


        _irregular("man", "men")

        for _each in ("a", "b"):
            _irregular(_each, _each)
        COUNTS["a"] = len(PLURALS)


        def f(x):
            """Doc."""
            return PLURALS, COUNTS
    ''')


def test_functions_that_register_themselves_in_a_constant_come_along():
    text = '''
        TABLE = {}

        def register(function):
            TABLE[function.__name__] = function
            return function

        @register
        def double(x):
            return 2 * x

        def f(x):
            """Doc."""
            return TABLE["double"](x)
    '''
    namespace = {"__name__": "program"}
    exec(program("f", m=text), namespace)
    assert namespace["f"](4) == 8


def test_names_are_followed_into_other_modules_and_renamed():
    texts = {
        "pkg__init": "from .words import *\nfrom . import m\n",
        "pkg__words": """
            import re
            from pkg.tables import SIZE as LIMIT
            __all__ = ["clean"]

            def clean(x):
                return re.sub("a", "", x)[:LIMIT]
        """,
        "pkg__tables": "import re\nSIZE = int(re.sub('a', '', '3a'))\nOTHER = 4\n",
        "pkg__m": '''
            import re
            from pkg import clean as tidy

            def f(x):
                """Doc."""
                return tidy(x), re
        ''',
    }
    assert program("f", **texts) == textwrap.dedent('''\
        import re

        SIZE = int(re.sub('a', '', '3a'))

        LIMIT = SIZE


        def clean(x):
            return re.sub("a", "", x)[:LIMIT]


        tidy = clean


        def f(x):
            """Doc."""
            return tidy(x), re
    ''')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from . import other\n" + F.format("other"), "project-module"),
        ("import pkg.other\n" + F.format("pkg.other.b"), "project-module"),
        ("from pkg import other\n" + F.format("vars(other)"), "project-module"),
        ("from .missing import a\n" + F.format("a"), "project-module"),
        ("from .other import b\n" + F.format("b"), "unresolved:b"),
        (F.format("a") + "    from .other import a\n    a = 2\n", "inner-import"),
        ("from .other import a, use\na = 2\n" + F.format("(a, use)"), "name-clash"),
        ("from ..other import a\n" + F.format("a"), "project-module"),
    ],
)
def test_what_cannot_be_followed(text, expected):
    other = "a = 1\ndef use(): return a\ndef len(x): return 1\ndef shadow(): return len(1)\n"
    texts = {"pkg__init": "from . import other\n", "pkg__other": other, "pkg__m": text}
    assert reason("f", **texts) == expected


def test_of_two_things_of_one_name_one_is_given_another():
    texts = {
        "pkg__init": "",
        "pkg__other": "def len(x): return 1\ndef shadow(): return len(1)\nclass Item: size = 1\n",
        "pkg__m": "from .other import shadow, Item as Base\nclass Item(Base): pass\n"
        + F.format("shadow, len(x), Item.size"),
    }
    assert program("f", **texts) == (
        "def other_len(x): return 1\n\n\ndef shadow(): return other_len(1)\n\n\n"
        "class other_Item: size = 1\n\n\nBase = other_Item\n\n\nclass Item(Base): pass\n\n"
        + F.format("shadow, len(x), Item.size")
    )


def test_branches_come_along_whole_and_guarded_imports_take_their_fallback():
    text = '''
        import sys
        try:
            import simplejson as json
        except ImportError:
            import json
        if sys.version_info[0] < 3:
            text_type = unicode
        else:
            text_type = str
        try:
            from .speedups import fast
        except (ImportError, AttributeError):
            fast = None

        def f(x):
            """Doc."""
            return json.dumps(text_type(x)), fast
    '''
    source = program("f", pkg__init="", pkg__m=text)
    assert source == textwrap.dedent('''\
        import sys

        import json
        if sys.version_info[0] < 3:
            text_type = unicode
        else:
            text_type = str
        fast = None


        def f(x):
            """Doc."""
            return json.dumps(text_type(x)), fast
    ''')


def test_an_unguarded_third_party_fallback_is_refused():
    text = "try:\n    import a1\nexcept ImportError:\n    import b1 as a1\n" + F.format("a1")
    assert reason("f", m=text) == "third-party:b1"


def test_lazy_annotations_bring_only_what_is_easy():
    text = '''
        """Doc."""
        from __future__ import annotations, division
        from typing import TYPE_CHECKING, Any, Union
        import numpy as np
        from .other import Small
        if TYPE_CHECKING:
            from collections.abc import Iterable, Sized
            from numpy.typing import ArrayLike

        Number = Union[int, float]

        def helper(x: Iterable[Any], y: ArrayLike, z: Small) -> np.ndarray:
            local: Number = 1
            return local

        def f(x):
            """Doc."""
            return helper(x, 1, 1)
    '''
    other = "class Small: pass\n"
    assert program("f", pkg__init="", pkg__other=other, pkg__m=text) == textwrap.dedent('''\
        from __future__ import annotations

        from typing import Any
        from typing import Union
        from collections.abc import Iterable

        Number = Union[int, float]


        def helper(x: Iterable[Any], y: ArrayLike, z: Small) -> np.ndarray:
            local: Number = 1
            return local


        def f(x):
            """Doc."""
            return helper(x, 1, 1)
    ''')


def test_annotations_that_cannot_come_along_are_not_evaluated():
    text = (
        'import numpy as np\ndef f(x):\n    """D."""\n    return g(x)\ndef g(x: np.a): return 1\n'
    )
    assert program("f", m=text) == (
        "from __future__ import annotations\n\n\ndef g(x: np.a): return 1\n\n\n"
        'def f(x):\n    """D."""\n    return g(x)\n'
    )


def test_helpers_may_call_the_function_but_not_before_it_is_defined():
    text = F.format("g(x)") + "def g(x): return f(x)\n"
    assert program("f", m=text).startswith("def g(x): return f(x)\n\n\ndef f(x):")
    assert reason("f", m=F.format("A.b") + "class A:\n    b = f(1)\n") == "cycle"


def test_every_binding_of_a_name_comes_along():
    text = "T = [1]\nT += [2]; U = 3; V = T\n" + F.format("(T, U)")
    assert program("f", m=text) == "T = [1]\nT += [2]\nU = 3\n\n" + F.format("(T, U)")


def test_loop_variables_of_comprehensions_are_nobodys_names():
    text = "A = [b for b in range(3)]\nb = 1\n" + F.format("(b, x)")
    assert program("f", m=text) == "b = 1\n\n" + F.format("(b, x)")


def test_attributes_set_on_a_helper_come_along_and_cosmetics_of_the_function_do_not():
    text = """
        def g(x): return g.times * x
        g.times = 2

        def f(x):
            'Doc.'
            return g(x)

        f.__doc__ += "more"
        f.shown = True
    """
    assert program("f", m=text) == textwrap.dedent("""\
        def g(x): return g.times * x


        g.times = 2


        def f(x):
            'Doc.'
            return g(x)
    """)


@pytest.mark.parametrize(
    ("guarded", "expected"),
    [
        ("try:\n    from .other import a\nexcept ImportError: a = 'é'; b = 2\n", "a = 'é'; b = 2"),
        ("try:\n    import numpy\nexcept ImportError:\n    a = (1,\n      2)\n", "a = (1,\n  2)"),
        ("try:\n    import json as a\nexcept ImportError:\n    a = 1\n", "import json as a"),
    ],
)
def test_a_guarded_import_of_foreign_things_takes_its_fallback(guarded, expected):
    source = program("f", pkg__init="", pkg__other="a = 1\n", pkg__m=guarded + F.format("a"))
    assert expected in source
    assert ("try" in source) == ("json" in guarded)


@pytest.mark.parametrize(
    "guarded",
    [
        "try:\n    a = 0\n    import numpy\nexcept ImportError:\n    a = 1\n",
        "try:\n    import numpy as a\nexcept ImportError as e:\n    a = str(e)\n",
        "try:\n    import numpy as a\nexcept ImportError:\n    a = 1\nfinally:\n    b = 1\n",
        'try:\n    import numpy as a\nexcept ImportError:\n    a = """x\n    y"""\n',
    ],
)
def test_a_fallback_that_is_not_all_there_is_is_refused(guarded):
    assert reason("f", pkg__init="", pkg__m=guarded + F.format("a")) == "inner-import"
