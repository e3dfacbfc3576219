"""Methods as functions of ``self``, beside what is left of their classes."""

import sys
import textwrap

import pytest

from tests.tracer.programs import extracted, program, reason
from thresher.tracer.extraction.standalone import Parameter

POINT = '''
    import math

    UNIT = 1

    class Point:
        """A point.

        It has two coordinates.
        """

        __slots__ = ("x", "y")
        origin = None
        step = UNIT

        def __init__(self, x, y):
            self.x, self.y = x, y

        @classmethod
        def of(cls, text, *rest, sep=",", **more):
            """Read a point."""
            return cls(*map(int, text.split(sep)))

        # Half a circle around.
        @property
        def angle(self):
            """The angle."""
            return math.atan2(self.y, self.x) * self.step

        def doubled(self, deep: bool = False) -> "Point":
            """Twice as far."""
            if deep:
                return self.doubled().doubled()
            return Point(2 * self.x, 2 * self.y)

        @staticmethod
        def half(n):
            return n / 2

        def unused(self):
            import numpy
            return numpy.array([self.x])
'''


def test_a_method_is_a_function_of_self_and_its_class_keeps_a_call_of_it():
    found = extracted("doubled", m=POINT)
    assert found.prompt + found.solution == textwrap.dedent('''\
        class Point:
            """A point.

            It has two coordinates.
            """

            __slots__ = ("x", "y")
            origin = None

            def __init__(self, x, y):
                self.x, self.y = x, y

            def doubled(self, deep: bool = False) -> "Point":
                return doubled(self, deep)


        def doubled(self: "Point", deep: bool = False) -> "Point":
            """Twice as far."""
            if deep:
                return self.doubled().doubled()
            return Point(2 * self.x, 2 * self.y)
    ''')
    assert found.parameters == (
        Parameter("self", "POSITIONAL_OR_KEYWORD", False),
        Parameter("deep", "POSITIONAL_OR_KEYWORD", True),
    )
    assert (found.entry_point, found.tags, found.mode) == ("doubled", ("method",), "returns")


def test_a_property_brings_what_it_names_of_its_class_and_no_call_that_nothing_needs():
    assert program("angle", m=POINT) == textwrap.dedent('''\
        import math

        UNIT = 1


        class Point:
            """A point.

            It has two coordinates.
            """

            __slots__ = ("x", "y")
            origin = None
            step = UNIT

            def __init__(self, x, y):
                self.x, self.y = x, y


        def angle(self: "Point"):
            """The angle."""
            return math.atan2(self.y, self.x) * self.step
    ''')


def test_class_methods_take_the_class_and_static_methods_nothing():
    found = extracted("of", m=POINT)
    assert 'def of(cls: "type[Point]", text, *rest, sep=",", **more):' in found.prompt
    assert "@classmethod" not in found.prompt
    assert program("half", m=POINT) == "def half(n):\n    return n / 2\n"


def test_the_call_that_is_left_passes_all_arguments_on():
    text = """
        class A:
            @classmethod
            async def of(cls, a, /, b=1, *rest, sep=",", **more):
                return await cls.of(a)
    """
    assert (
        "    @classmethod\n"
        '    async def of(cls, a, /, b=1, *rest, sep=",", **more):\n'
        "        return await of(cls, a, b, *rest, sep=sep, **more)\n"
    ) in program("of", m=text)


def test_a_generator_method_is_left_as_a_call_that_gives_the_generator():
    text = "class A:\n    async def of(self):\n        yield 1\n        self.of()\n"
    assert "    def of(self):\n        return of(self)\n" in program("of", m=text)


def test_super_and_class_cells_and_private_names_are_written_out():
    text = """
        class A(dict):
            limit = 3
            def __take(self, n=limit):
                self.__seen = n
                return super().get(n, __class__), self.__take(1)
    """
    assert program("__take", m=text) == textwrap.dedent("""\
        class A(dict):
            limit = 3

            def __take(self, n=limit):
                return _A__take(self, n)


        def _A__take(self: "A", n=A.limit):
            self._A__seen = n
            return super(A, self).get(n, A), self._A__take(1)
    """)


def test_a_method_gets_its_class_in_front_where_its_name_means_something_else():
    text = """
        class A:
            def len(self):
                return len(self.items)
            def size(self, size):
                return self.size(size)
            def __getattr__(self, name):
                return name
    """
    assert extracted("len", m=text).entry_point == "A_len"
    assert "return A_size(self, size)" in program("size", m=text)
    assert extracted("__getattr__", m=text).entry_point == "A_getattr"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def f(self):\n        return lambda: super().f()", "uses-super"),
        pytest.param(
            "def f(self):\n        return f'{self.__x}'",
            "private-name",
            marks=pytest.mark.skipif(sys.version_info >= (3, 12), reason="f-strings have tokens"),
        ),
        ("class B:\n        def f(self):\n            return 1", "nested-class"),
        ("if 1:\n        def f(self):\n            return 1", "conditional"),
        ("a = 1; b = 2\n    def f(self):\n        return 1", "one-line"),
        (
            "def f(self):\n        return self.g()\n    def g(self): import numpy",
            "third-party:numpy",
        ),
    ],
)
def test_methods_that_stay_methods(body, expected):
    text = f"class A:\n    {body}\n"
    assert reason("f", m=text) == expected


def test_methods_of_local_classes_stay_where_they_are():
    text = "def g():\n    class A:\n        def f(self):\n            return 1\n"
    assert reason("f", m=text) == "local-class"


def test_a_class_with_a_base_of_another_project_refuses():
    text = "import numpy\nclass A(numpy.ndarray):\n    def f(self):\n        return 1\n"
    assert reason("f", m=text) == "third-party:numpy"
