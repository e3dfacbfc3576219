import ast

import pytest

from tests.tracer.programs import program
from thresher.tracer.extraction.branches import decided, flattened


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("TYPE_CHECKING", False),
        ("not typing.TYPE_CHECKING", True),
        ("six.PY2", False),
        ("sys.version_info >= (3, 8)", True),
        ("sys.version_info[0] == 2", False),
        ("sys.version_info[:2] < (3, 0)", False),
        ("sys.version_info.major > 2", True),
        ("sys.platform == 'win32'", False),
        ("sys.platform.startswith('linux')", True),
        ("os.name != 'nt'", True),
        ("sys.platform == 'darwin' or not PY2", True),
        ("PY3 and HAVE_NUMPY", None),
        ("PY2 and HAVE_NUMPY", False),
        ("HAVE_NUMPY", None),
        ("sys.version_info >= '3'", None),
        ("sys.version_info >= MINIMUM", None),
        ("1 < sys.version_info[0] < 4", None),
    ],
)
def test_tests_that_are_decided_before_a_program_runs(test, expected):
    assert decided(ast.parse(test, mode="eval").body) is expected


def test_only_branches_that_a_program_cannot_have_are_left():
    text = (
        "if TYPE_CHECKING:\n    import a\nelse:\n    a = 1\n"
        "if PY2:\n    import numpy\nelif PY3:\n    b = 1\n"
        "if PY2:\n    import json\nelse:\n    c = 1\n"
    )
    assert [ast.unparse(node) for node in flattened(ast.parse(text).body)] == [
        "if TYPE_CHECKING:\n    import a",
        "a = 1",
        "if PY3:\n    b = 1",
        "if PY2:\n    import json\nelse:\n    c = 1",
    ]


def test_statements_of_branches_stand_alone_in_programs():
    text = (
        "import sys\nHAVE_A = 1\nif sys.platform == 'win32':\n    from .win import a\n"
        "elif HAVE_A:\n    a = '''\n    1'''\nelse:\n    a = 2\n"
        "if TYPE_CHECKING:\n    b: int\nelse:\n    b = '''\n    c'''\n"
        "def f(x):\n    return a, b\n"
    )
    assert program("f", m=text) == (
        "HAVE_A = 1\n\nif HAVE_A:\n    a = '''\n    1'''\nelse:\n    a = 2\n\n"
        "b = '''\n    c'''\n\n\ndef f(x):\n    return a, b\n"
    )
