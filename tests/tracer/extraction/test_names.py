import ast

import pytest

from thresher.tracer.extraction.names import Names, is_main_guard, is_typing_guard, names_of


def names(text: str) -> Names:
    return names_of(ast.parse(text).body[0], text)


@pytest.mark.parametrize(
    ("text", "binds", "now", "later"),
    [
        ("a, (b, *c) = d[e].f", "a b c", "d e", ""),
        ("import a.b, c as d", "a d", "", ""),
        ("from . import a, b as c", "a c", "", ""),
        ("def f(a, b=c): return a + d(b)", "f", "c", "d"),
        ("@a\ndef f(): return f()", "f", "a", "f"),
        ("f = lambda x: x + y", "f", "", "y"),
        ("x = [a(i) for i in b if i]", "x", "a b", ""),
        ("class A(B, m=C):\n    d = e\n    def g(self): return d, h", "A", "B C e", "d h"),
        ("for i in a:\n    b = i", "i b", "a i", ""),
        ("try:\n    a\nexcept B as e:\n    c = 1", "c e", "a B", ""),
        ("with a as b: pass", "b", "a", ""),
        ("if (n := a): pass", "n", "a", ""),
        ("del a", "a", "", ""),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = y\n", "f", "", "y"),
    ],
)
def test_names_that_are_bound_and_needed(text, binds, now, later):
    found = names(text)
    assert (found.binds, found.now, found.later) == (
        frozenset(binds.split()),
        frozenset(now.split()),
        frozenset(later.split()),
    )


def test_annotations_are_told_apart_by_whether_python_evaluates_them():
    found = names("def f(a: A, *b: B) -> C:\n    d: D = 1\n    class E:\n        g: G")
    assert found.annotations == {"A", "B", "C", "G"}
    assert found.hints == {"D"}
    assert names("x: A = b").annotations == {"A"}


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("a(b)", "a b"),
        ("a.b.append(c)", "a c"),
        ("'docstring'", ""),
        ("a", ""),
        ("a[b] = c", "a"),
        ("a.b += 1", "a"),
        ("del a[0]", "a"),
        ("(a.b, c) = d", "a"),
        ("a = b(c)", ""),
        ("@a(b)\ndef f(): c.append(1)", "a b"),
        ("for i in a:\n    b.append(i)", "a b i"),
        ("for i in a:\n    b = i", ""),
        ("try:\n    pass\nexcept E:\n    a()\nelse:\n    b()", "a b"),
        ("if __name__ == '__main__':\n    a()", ""),
        ("if TYPE_CHECKING:\n    a()", ""),
    ],
)
def test_objects_that_a_statement_may_change(text, effects):
    assert names(text).effects == frozenset(effects.split())


def test_globals_that_functions_assign():
    assert names("def f():\n    global a, b\n    a = b\n").globals == {"a"}
    assert names("def f():\n    a = 1\n").globals == frozenset()


@pytest.mark.parametrize(
    ("text", "main", "typing"),
    [
        ("if __name__ == '__main__': pass", True, False),
        ("if TYPE_CHECKING: pass", False, True),
        ("if typing.TYPE_CHECKING: pass", False, True),
        ("if TYPE_CHECKING: pass\nelse: pass", False, False),
        ("if a: pass", False, False),
        ("a", False, False),
    ],
)
def test_guards(text, main, typing):
    node = ast.parse(text).body[0]
    assert (is_main_guard(node), is_typing_guard(node)) == (main, typing)
