"""Rewritten modules behave as the modules do."""

import ast
import builtins
import importlib
import io
import math
import traceback
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.tracer.recording.callsites import HELPER, rewritten


@pytest.fixture(autouse=True, scope="module")
def asked():
    """Collect what call sites ask for, and give it back."""
    functions = []

    def callee(function):
        functions.append(function)
        return function

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, HELPER, callee, raising=False)
        yield functions


def outcome(code):
    """Run a module; return what it printed and left in `result`, or the exception's lines."""
    space = {"__name__": "module", "__annotations__": {}}
    with redirect_stdout(io.StringIO()) as out:
        try:
            exec(code, space)
        except Exception as error:
            where = [(f.lineno, f.name) for f in traceback.extract_tb(error.__traceback__)]
            return out.getvalue(), type(error), str(error), where[1:]
    return out.getvalue(), space.get("result")


def same(source):
    plain = outcome(compile(source, "module.py", "exec", dont_inherit=True))
    assert outcome(rewritten(source.encode(), "module.py")) == plain
    return plain


def test_each_call_asks_for_its_function(asked):
    asked.clear()
    same("import math\nresult = math.gcd(len('ab'), int('4')), 'x'.join(['a', 'b'])\n")
    assert asked == [math.gcd, len, int, "x".join]


@pytest.mark.parametrize(
    "line",
    [
        "super().__init__()", "locals()", "isinstance(x, str)", "type('A', (), {})", "eval('1')",
        "print(x)",
    ],
)  # fmt: skip
def test_what_looks_at_its_caller_is_left_alone(line):
    code = rewritten(f"def f(self, x):\n    {line}\n".encode(), "module.py")
    names = code.co_consts[0].co_names
    assert names.count(HELPER) == ("__init__" in line)


def test_decorators_bases_and_annotations_are_left_as_written(asked):
    asked.clear()
    source = """
from __future__ import annotations
def mark(n): return lambda f: f
def base(): return object
def kind(n): return int
class A(base()):
    @mark(1)
    def f(self, x: kind(1) = int("2")) -> kind(3):
        y: kind(4) = int("5")
        return x + y
result = A().f(), A.f.__annotations__, A.__init_subclass__ is not None
"""
    assert same(source)[1][:2] == (7, {"x": "kind(1)", "return": "kind(3)"})
    assert [getattr(f, "__name__", "") for f in asked] == ["int", "A", "f", "int"]


HARD = r'''
"""The docstring."""
import asyncio, dataclasses, functools, sys

def outer(x):
    total = 0
    def inner(n):
        nonlocal total
        total += len(str(n))
        return total
    backwards = lambda *a, **k: sorted([*a], **k)
    return [y for z in range(x) if (y := inner(z))], backwards(3, 1, reverse=True)

class Base:
    hidden = property(lambda self: self._hidden())
    def _hidden(self): return sys._getframe(1).f_code.co_name
    def __private(self): return "private"
    def reach(self): return self.__private()

class Derived(Base):
    table = {k: str(k).zfill(3) for k in range(3)}
    def reach(self): return super().reach() + str(__class__.__name__)
    def __init_subclass__(cls, **more): print(sorted(more))

class Last(Derived, word=1): pass

@dataclasses.dataclass
class Point:
    x: int
    y: list = dataclasses.field(default_factory=list)

async def numbers():
    for n in range(3):
        await asyncio.sleep(0)
        yield n

async def main():
    return [str(n) async for n in numbers()], await asyncio.gather(asyncio.sleep(0, "a"))

def generator():
    got = yield from iter([1, 2])
    try:
        yield str(got)
    finally:
        print("closed")

def matched(v):
    match v:
        case Point(x=0, y=list(z)): return len(z)
        case {"k": str(s), **rest}: return s.upper(), dict(rest)
        case _: return repr(v)

def failing(n):
    return int(
        str(n) + "x"
    )

result = (
    outer(3), Derived().reach(), Last().hidden, Derived.table, Point(1).y, asyncio.run(main()),
    list(generator()), matched(Point(0, [1])), matched({"k": "v", "j": 1}), matched(2),
    f"{outer.__name__!r:>10} {len('abc')=} {'a' 'b'.join(['c', f'{max(1, 2)}'])}",
    __doc__, (lambda: locals())(), eval("1 + 1"), functools.reduce(lambda a, b: a * b, [1, 2, 3]),
)
'''


def test_hard_syntax_gives_the_same():
    printed, result = same(HARD)
    assert printed == "['word']\nclosed\n"
    assert result[:3] == (([1, 2, 3], [3, 1]), "privateDerived", "<lambda>")


def test_errors_come_from_the_same_lines():
    assert same(HARD + "\nfailing(1)\n")[1:] == (
        ValueError,
        "invalid literal for int() with base 10: '1x'",
        [(65, "<module>"), (54, "failing")],
    )


EXPRESSIONS = st.recursive(
    st.one_of(st.integers(-9, 9).map(str), st.sampled_from(["'ab'", "x", "[1, 2]", "None"])),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["len", "str", "abs", "sorted", "own", "tuple", "max"]), inner)
        .map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(inner, st.sampled_from(["upper", "count", "append", "real", "sort"]), inner)
        .map(lambda p: f"({p[0]}).{p[1]}({p[2]})"),
        st.tuples(inner, inner).map(lambda p: f"(lambda x, *r: {p[0]})({p[1]}, *(own(1), 2))"),
        st.tuples(inner, inner).map(lambda p: f"[{p[0]} for x in own({p[1]})]"),
        inner.map(lambda e: f"(x := {e})"),
        inner.map(lambda e: f"own(**{{'y': {e}}})"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]} if own({p[1]}) else {p[1]})"),
    ),
    max_leaves=8,
)  # fmt: skip


@given(st.lists(EXPRESSIONS, min_size=1, max_size=3))
def test_any_module_gives_the_same(expressions):
    lines = ["def own(*args, **kwargs):", "    print(args, kwargs)", "    return args[0]", "x = 3"]
    lines += [f"r{n} = {each}" for n, each in enumerate(expressions)]
    source = "\n".join(
        [*lines, "result = x, " + ", ".join(f"r{n}" for n in range(len(expressions)))]
    )
    try:
        ast.parse(source)
        compile(source, "module.py", "exec")
    except SyntaxError:
        return
    same(source)


@pytest.mark.parametrize("name", ["textwrap", "colorsys", "shlex", "fractions", "dataclasses"])
def test_modules_of_the_standard_library_keep_every_line(name):
    source = Path(importlib.import_module(name).__file__).read_bytes()
    pairs = zip(codes(compile(source, name, "exec")), codes(rewritten(source, name)), strict=True)
    for plain, other in pairs:
        assert plain.co_name == other.co_name
        assert {line for *_, line in plain.co_lines()} == {line for *_, line in other.co_lines()}


def codes(code):
    yield code
    for inner in code.co_consts:
        if isinstance(inner, type(code)):
            yield from codes(inner)


def test_warnings_of_the_compiler_are_not_repeated():
    assert rewritten(rb"x = '\d'", "module.py")


def test_what_is_no_module_is_refused():
    with pytest.raises(SyntaxError):
        rewritten(b"def", "module.py")
