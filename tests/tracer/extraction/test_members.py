"""What comes along of a class."""

import textwrap

import pytest

from tests.tracer.programs import extracted, program


def of_class(text: str, use: str) -> str:
    """Return what is left of a class in the program of a function that has `use` for it."""
    source = textwrap.dedent(text) + f"\ndef f(x):\n    return {use}\n"
    return program("f", m=source).partition("\n\n\ndef f(x):")[0] + "\n"


def test_fields_of_records_and_members_of_enumerations_stay():
    text = """\
        from dataclasses import dataclass
        from enum import Enum

        class Color(Enum):
            RED = 1
            GREEN = RED + 1

            def mixed(self, other):
                return other

        @dataclass
        class Box:
            size: int
            color: Color = Color.RED

            def grow(self):
                self.size += 1

            def __str__(self):
                return str(self.color.name)
    """
    assert of_class(text, "Box(x)") == textwrap.dedent("""\
        from dataclasses import dataclass
        from enum import Enum


        class Color(Enum):
            RED = 1
            GREEN = RED + 1


        @dataclass
        class Box:
            size: int
            color: Color = Color.RED

            def __str__(self):
                return str(self.color.name)
    """)


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("A(x)", "__init__ __eq__"),
        ("A(x)[0]", "__init__ __eq__ __getitem__"),
        ("A(x) + 1", "__init__ __eq__ __add__"),
        ("len(A(x))", "__init__ __eq__ __len__"),
        ("[i for i in A(x)]", "__init__ __eq__ __len__ __getitem__"),
        ("A(x).a", "__init__ __eq__ a b"),
        ("getattr(A(x), 'b')", "__init__ __eq__ b"),
        ("getattr(A(x), 'visit_' + x)", "__init__ __eq__ __add__ visit_c"),
        ("getattr(A(x), f'visit_{x}')", "__init__ __eq__ visit_c"),
        ("getattr(A(x), 'visit_%s' % x)", "__init__ __eq__ visit_c"),
    ],
)
def test_members_that_code_names_or_its_syntax_stands_for(use, expected):
    text = """\
        class A:
            def __init__(self, x): self.x = x
            def __eq__(self, other): return self.x
            def __len__(self): return 1
            def __getitem__(self, i): return 1
            def __add__(self, other): return self
            def a(self): self.b()
            def b(self): pass
            def visit_c(self): pass
            def third(self): import numpy
    """
    found = of_class(text, use)
    assert [
        line.split()[1].partition("(")[0] for line in found.splitlines()[1:]
    ] == expected.split()


def test_a_member_that_cannot_come_is_left_out():
    text = "class A:\n    def get(self): import numpy\n    def __init__(self): self.x = 1\n"
    assert of_class(text, "A(), x.get") == "class A:\n    def __init__(self): self.x = 1\n"


def test_classes_of_values_come_along_and_are_named():
    texts = {
        "pkg__init": "",
        "pkg__shapes": """
            class Base:
                pass
            class Box(Base):
                class Lid:
                    open = True
                def grow(self): pass
        """,
        "pkg__m": "def f(x):\n    return x\n",
    }
    classes = ["pkg.shapes:Box", "pkg.shapes:Box.Lid", "pkg.shapes:Box.grow", "builtins:len"]
    found = extracted("f", classes, **texts)
    assert found.prompt == textwrap.dedent("""\
        class Base:
            pass


        class Box(Base):
            class Lid:
                open = True
            def grow(self): pass


        def f(x):
    """)
    assert found.names == {
        "pkg.shapes:Box": "Box",
        "pkg.shapes:Box.Lid": "Box.Lid",
        "pkg.shapes:Box.grow": "Box.grow",
    }


def test_a_renamed_class_of_values_is_named_as_in_the_program():
    texts = {
        "pkg__init": "",
        "pkg__shapes": "class Box: pass\n",
        "pkg__m": "class Box: pass\ndef f(x):\n    return Box, x\n",
    }
    found = extracted("f", ["pkg.shapes:Box"], **texts)
    assert found.names == {"pkg.shapes:Box": "shapes_Box"}
    assert "class shapes_Box: pass" in found.prompt


def test_long_docstrings_of_classes_keep_their_first_paragraph():
    text = 'class A:\n    """First.\n\n' + "    More.\n" * 20 + '    """\n    b = 1\n'
    assert of_class(text, "A.b") == 'class A:\n    """First.\n    """\n    b = 1\n'
