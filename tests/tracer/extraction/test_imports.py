import ast

import pytest

from thresher.tracer.extraction.imports import (
    Origin,
    foreign_star,
    guarded_imports,
    imported,
    origin,
    star,
)
from thresher.tracer.extraction.projects import Project

PROJECT = Project(
    {},
    {
        "pkg/__init__.py": "from pkg import words\nfrom .words import *\nsize = 1\n",
        "pkg/words.py": "a = 1\n_hidden = 2\nfrom .loop import *\n",
        "pkg/size.py": "",
        "pkg/loop.py": "__all__ = ['b', '_c', 'a']\nfrom .words import *\nb = _c = d = 1\n",
        "pkg/sub/deep.py": "from math import *\n",
        "alone.py": "",
    },
)  # fmt: skip


def origin_of(file: str, text: str) -> Origin:
    return origin(PROJECT, file, next(imported(ast.parse(text).body[0])))


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("alone.py", "import os.path as p", Origin("stdlib", "", "os")),
        ("alone.py", "from xml.dom import minidom", Origin("stdlib", "", "xml")),
        ("alone.py", "import numpy.linalg", Origin("third-party", "", "numpy")),
        ("alone.py", "from numpy import a", Origin("third-party", "", "numpy")),
        ("alone.py", "import pkg.words", Origin("module", "", "pkg.words")),
        ("alone.py", "from pkg import words", Origin("name", "pkg/__init__.py", "words")),
        ("pkg/__init__.py", "from pkg import words", Origin("module", "", "pkg.words")),
        ("alone.py", "from pkg.words import a as b", Origin("name", "pkg/words.py", "a")),
        ("alone.py", "from pkg import size", Origin("name", "pkg/__init__.py", "size")),
        ("alone.py", "from pkg import loop", Origin("module", "", "pkg.loop")),
        ("alone.py", "from pkg import a", Origin("name", "pkg/__init__.py", "a")),
        ("alone.py", "from . import a", Origin("module", "", ".")),
        ("pkg/words.py", "from . import loop", Origin("module", "", ".loop")),
        ("pkg/words.py", "from .loop import b", Origin("name", "pkg/loop.py", "b")),
        ("pkg/words.py", "from ..alone import b", Origin("module", "", "..alone")),
        ("pkg/sub/deep.py", "from ..words import a", Origin("name", "pkg/words.py", "a")),
        ("pkg/words.py", "from ._c import a", Origin("module", "", "._c")),
    ],
)
def test_origins(file, text, expected):
    assert origin_of(file, text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a", Origin("name", "pkg/words.py", "a")),
        ("b", Origin("name", "pkg/loop.py", "b")),
        ("_c", None),
        ("_hidden", None),
        ("d", None),
        ("nowhere", None),
    ],
)
def test_star_imports_take_public_names_and_end_in_circles(name, expected):
    assert star(PROJECT, "pkg/__init__.py", name) == expected


def test_star_imports_that_leave_the_project():
    assert foreign_star(PROJECT, "pkg/sub/deep.py") == "math"
    assert foreign_star(PROJECT, "pkg/__init__.py") is None


def test_aliases_are_written_one_by_one():
    node = ast.parse("from a.b import c, d as e\n").body[0]
    assert [item.text() for item in imported(node)] == [
        "from a.b import c",
        "from a.b import d as e",
    ]
    node = ast.parse("if TYPE_CHECKING:\n    import a.b, c as d\n    x = 1\n").body[0]
    assert [item.text() for item in imported(node)] == ["import a.b", "import c as d"]


def test_imports_are_guarded_only_inside_the_try_that_catches_their_failure():
    text = """
def f():
    try:
        import a
        if a:
            import b
    except (TypeError, ImportError):
        import c
    else:
        import d
    try:
        import e
    except ValueError:
        pass
    try:
        import g
    except:
        pass
"""
    found = guarded_imports(ast.parse(text).body[0])
    guarded = {item.alias.name: guarded for item, guarded in found}
    assert guarded == {"a": True, "b": True, "c": False, "d": False, "e": False, "g": True}
