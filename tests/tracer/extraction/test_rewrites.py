"""Modules of the project written out."""

import textwrap

import pytest

from tests.tracer.programs import program, project_of
from thresher.tracer.extraction.rewrites import rewritten

OTHERS = {
    "pkg__init": "from . import words\nfrom .words import size\n",
    "pkg__words": "LIMIT = 3\ndef size(x): return LIMIT\ndef open(x): return x\n_low = 1\n",
    "pkg__sub__init": "",
    "pkg__sub__deep": "def size(x): return 1\n",
}


def text_of(text: str) -> str:
    return rewritten(project_of(pkg__m=text, **OTHERS), "pkg/m.py").text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from . import words\nwords.size(words.LIMIT)  # é\n",
         "from . import words; from pkg.words import size; from pkg.words import LIMIT\n"
         "size(LIMIT)  # é\n"),
        ("from pkg import words as w\nx = w._low\n",
         "from pkg import words as w; from pkg.words import _low\nx = _low\n"),
        ("import pkg.words\nx = pkg.words.size\n",
         "import pkg.words; from pkg.words import size\nx = size\n"),
        ("import pkg\nx = pkg.sub.deep.size\n",
         "import pkg; from pkg.sub.deep import size\nx = size\n"),
        ("from . import words\nsize = words.size\n",
         "from . import words; from pkg.words import size as words_size\nsize = words_size\n"),
        ("from . import words\nx = words.open\n",
         "from . import words; from pkg.words import open as words_open\nx = words_open\n"),
        ("from . import words\nfrom .sub import deep\nx = words.size, deep.size\n",
         "from . import words; from pkg.words import size\n"
         "from .sub import deep; from pkg.sub.deep import size as deep_size\n"
         "x = size, deep_size\n"),
        ("def f(x):\n    from .words import size\n    return size(x)\n",
         "def f(x):\n\n    return size(x)\n\nfrom .words import size\n"),
        ("def f(x):\n    if x:\n        from . import words\n    return words.size\n",
         "def f(x):\n    if x:\n        pass\n    return size\n\n"
         "from . import words; from pkg.words import size\n"),
    ],
)  # fmt: skip
def test_names_of_other_modules_are_written_out(text, expected):
    assert text_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "from . import words\nwords.LIMIT = 4\n",
        "from . import words\ndef f(words): return words.size\n",
        "from . import words\nx = words.missing\n",
        "from . import words\nx = words\n",
        "from . import words\nfrom json import words\nx = words.size\n",
        "from . import words\nx = words.size\nsize = words_size = 1\n",
        "def f(x):\n    from .words import size\n    size = 1\n",
        "def f(x):\n    from .words import size\n    return size\nsize = 1\n",
        "def f(x):\n    from .words import open\n    return open\n",
        "def f(x):\n    try:\n        from .words import size\n    except ImportError: pass\n",
        "def f(x):\n    import json\n    return json\n",
    ],
)
def test_what_cannot_be_told_stays(text):
    assert text_of(text) == text


def test_backports_of_typing_are_taken_from_typing():
    text = (
        "import sys\nfrom typing_extensions import Protocol, TypeIs9\n"
        "from typing_extensions import (\n    TypeVar,\n)\n"
        "T = TypeVar('T', bound=int, default=int)\n"
    )
    assert text_of(text) == (
        "import sys\nfrom typing import Protocol; from typing_extensions import TypeIs9\n"
        "from typing import TypeVar\n\n\nT = TypeVar('T', bound=int)\n"
    )


def test_programs_use_what_the_modules_have():
    text = '''
        from . import words
        from .sub import deep

        def f(x):
            """Doc."""
            from .words import LIMIT
            return words.size(x) + LIMIT
    '''
    assert program("f", pkg__m=text, **OTHERS) == textwrap.dedent('''\
        LIMIT = 3


        def size(x): return LIMIT


        def f(x):
            """Doc."""

            return size(x) + LIMIT
    ''')
