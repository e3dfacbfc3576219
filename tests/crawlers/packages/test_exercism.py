"""Exercises become function statements, with the calls that their tests make."""

import json
import textwrap

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.crawlers.packages.put import put
from tests.crawlers.packages.test_licence import MIT
from thresher.crawlers.packages.exercism import COLLECTION
from thresher.crawlers.statement import Call, Parameter, Signature, Solution, Statement
from thresher.errors import SourceError
from thresher.store.records import Comparator

EXAMPLE = """\
import math

NORTH = 1
SOUTH = -1


class TooFar(Exception):
    pass


def walk(steps, way=NORTH):
    if steps > 9:
        raise TooFar("too far")
    return _signed(steps, way)


def area(radius):
    return math.pi * radius


def _signed(steps, way):
    return steps * way
"""
TESTS = """\
import unittest

from pole_walk import NORTH, SOUTH, TooFar, area, walk


class PoleWalkTest(unittest.TestCase):
    def test_north(self):
        self.assertEqual(walk(1), 1)

    def test_none(self):
        self.assertEqual(walk(0, NORTH), 0)

    def test_far(self):
        steps = 9
        expected = -9
        self.assertEqual(walk(steps, way=SOUTH), expected)

    def test_again(self):
        self.assertEqual(walk(1), 1)

    def test_two(self):
        self.assertEqual(walk(2), 2)

    def test_too_far(self):
        with self.assertRaises(TooFar) as err:
            walk(10)
        self.assertEqual(err.exception.args[0], "too far")

    def test_area(self):
        self.assertAlmostEqual(area(1), 3.14159, places=3)
"""
INSTRUCTIONS = """\
# Instructions

Walk from the [pole][pole] to where the ice ends.
<!-- not to be seen -->

[pole]: https://example.org/pole
"""


def exercise(example=EXAMPLE, tests=TESTS, **more):
    """Return the files of an exercise."""
    files = {
        "solution": ["pole_walk.py"],
        "test": ["pole_walk_test.py"],
        "example": [".meta/example.py"],
    }
    config = {"authors": ["someone", "another"], "files": files, "blurb": "Walk."}
    return {
        ".meta/config.json": json.dumps(config),
        ".meta/example.py": example,
        "pole_walk_test.py": tests,
        ".docs/instructions.md": INSTRUCTIONS,
        ".docs/introduction.md": "# Introduction\n\nIt is cold.\n",
    } | more


def track(root, exercises):
    """Write a checkout of a track with exercises by name."""
    put(root, {"LICENSE": MIT, "README.md": ""})
    for name, files in exercises.items():
        put(root / "exercises" / "practice" / name, files)
    return root


def read(path):
    """Return what is found, by its key."""
    return {found.name: found.statement for found in COLLECTION.read(path)}


def only(root, **files):
    """Return what is found in an exercise of a track."""
    found = list(read(track(root, {"pole-walk": exercise(**files)})).values())
    assert len(found) == 1
    return found[0]


def body(text):
    """Return tests with one method of the given body."""
    indented = textwrap.indent(textwrap.dedent(text), " " * 8)
    return (
        "import unittest\nfrom pole_walk import f\n\n"
        f"class T(unittest.TestCase):\n    def test_it(self):\n{indented}"
    )


def test_each_function_is_a_problem(tmp_path):
    found = read(track(tmp_path, {"pole-walk": exercise()}))
    assert list(found) == ["pole-walk/walk", "pole-walk/area"]
    assert found["pole-walk/walk"] == Statement(
        site="exercism",
        key="pole-walk/walk",
        url="https://exercism.org/tracks/python/exercises/pole-walk",
        title="Pole Walk",
        kind="function",
        text=(
            "It is cold.\n\nWalk from the pole to where the ice ends.\n"
            "\nConstants:\n\n    NORTH = 1\n    SOUTH = -1\n"
        ),
        signature=Signature(
            name="walk", parameters=(Parameter("steps"), Parameter("way", "", "1"))
        ),
        calls=(
            Call({"steps": 1}, 1),
            Call({"steps": 0, "way": 1}, 0),
            Call({"steps": 9, "way": -1}, -9),
            Call({"steps": 10}, None, "TooFar"),
        ),
        hidden_calls=(Call({"steps": 2}, 2),),
        comparator_evidence="pole_walk_test.py: assertEqual",
        licence="MIT",
        licence_evidence="LICENSE, line 1: MIT License; authors: someone, another",
        solutions=(Solution("python", WALK),),
    )


WALK = """\
NORTH = 1


class TooFar(Exception):
    pass


def walk(steps, way=NORTH):
    if steps > 9:
        raise TooFar("too far")
    return _signed(steps, way)


def _signed(steps, way):
    return steps * way
"""


def test_a_tolerance_is_that_of_the_tests(tmp_path):
    area = read(track(tmp_path, {"pole-walk": exercise()}))["pole-walk/area"]
    assert area.comparator == Comparator(kind="float", absolute=0.0005)
    assert area.comparator_evidence == "pole_walk_test.py: assertAlmostEqual"
    assert area.calls == (Call({"radius": 1}, 3.14159),)
    assert (
        area.solutions[0].text
        == "import math\n\n\ndef area(radius):\n    return math.pi * radius\n"
    )


def test_any_order_is_that_of_the_tests(tmp_path):
    found = only(
        tmp_path,
        example="def f(n):\n    return [n, 2]\n",
        tests=body("self.assertCountEqual(f(1), [2, 1])\nself.assertEqual(f(2), [2, 2])"),
    )
    assert found.comparator == Comparator(kind="unordered")
    assert found.flags == ("any_order",)
    assert found.key == "pole-walk"


def test_exercises_come_in_the_order_of_their_names(tmp_path):
    root = track(tmp_path, {"b": exercise(), "a": exercise(), "c": {"README.md": ""}})
    assert list(read(root)) == ["a/walk", "a/area", "b/walk", "b/area"]


def test_one_exercise_may_be_named(tmp_path):
    root = track(tmp_path, {"pole-walk": exercise()})
    found = read(root / "exercises" / "practice" / "pole-walk")
    assert found == read(root)
    assert found["pole-walk/walk"].licence == "MIT"


def test_an_exercise_without_its_repository_has_no_licence(tmp_path):
    found = read(put(tmp_path / "pole-walk", exercise()))
    assert found["pole-walk/walk"].licence == "unknown"


def test_values_keep_their_types(tmp_path):
    found = only(
        tmp_path,
        example="def f(n):\n    return (n, 2)\n",
        tests=body("self.assertEqual(f((1,)), {1: (2, {3})})\nself.assertEqual(f(1), f)"),
    )
    assert found.calls == (Call({"n": (1,)}, {1: (2, {3})}),)


def test_equal_calls_with_other_types_are_kept(tmp_path):
    found = only(
        tmp_path,
        example="def f(n):\n    return n\n",
        tests=body("\n".join(f"self.assertEqual(f({n}), {n})" for n in ("1", "True", "1.0", "1"))),
    )
    assert [call.args["n"] for call in (*found.calls, *found.hidden_calls)] == [1, True, 1.0]
    assert [type(call.out) for call in found.calls] == [int, bool, float]


def test_images_are_told(tmp_path):
    files = {".docs/instructions.md": "See ![a map](map.png).\n", ".docs/introduction.md": ""}
    found = only(
        tmp_path,
        example="def f(n):\n    return n\n",
        tests=body("self.assertEqual(f(1), 1)"),
        **files,
    )
    assert found.flags == ("image",)
    assert found.text.strip() == "See [image: map.png]."


def test_notes_stand_without_their_fences(tmp_path):
    text = "Walk.\n\n~~~~exercism/note\nIt is cold.\n~~~~\n\n```text\nNS\n```\n"
    files = {".docs/instructions.md": text, ".docs/introduction.md": ""}
    example, tests = "def f(n):\n    return n\n", body("self.assertEqual(f(1), 1)")
    found = only(tmp_path, example=example, tests=tests, **files)
    assert found.text.strip().startswith("Walk.\n\nIt is cold.\n\n```text\nNS\n```")


CLASS = "class Clock:\n    pass\n"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (
            {"example": CLASS, "tests": body("self.assertEqual(Clock(1).read(), 1)")},
            "class-under-test",
        ),
        (
            {
                "example": "def f(n):\n    pass\n",
                "tests": body("self.assertEqual(f(lambda: 1), 1)"),
            },
            "no-plain-calls",
        ),
        (
            {
                "example": "def f(n):\n    pass\n",
                "tests": body("self.assertEqual(f(1), 1)\nself.check(f(2))\nself.check(f(3))"),
            },
            "few-plain-calls",
        ),
        (
            {"example": "def f(n):\n    pass\n", "tests": body("self.assertEqual(f(1, 2), 1)")},
            "few-plain-calls",
        ),
        (
            {"example": "def f(*n):\n    pass\n", "tests": body("self.assertEqual(f(1), 1)")},
            "variadic",
        ),
        (
            {
                "example": "def f(n):\n    pass\n",
                "tests": body("self.assertCountEqual(f(1), [])\nself.assertAlmostEqual(f(1), .1)"),
            },
            "mixed-validation",
        ),
        ({".docs/instructions.md": "Refactor the walk to the pole.\n"}, "refactoring"),
        ({"example": "def f(:\n"}, "no-python"),
        ({"tests": "print 1\n"}, "no-python"),
        ({".meta/config.json": "{"}, "bad-config"),
        ({".meta/config.json": "[]"}, "bad-config"),
        ({".meta/config.json": '{"files": {"solution": 1}}'}, "bad-config"),
        ({".meta/config.json": "[" * 100_000}, "bad-config"),
        ({".meta/example.py": b"\xff"}, "no-text"),
        ({".docs/instructions.md": b"x" * (1 << 21)}, "too-large"),
        ({"tests": body("x = " + "-" * 20000 + "1\n")}, "no-python"),
        ({"tests": body("x = " + "+".join(["1"] * 20000) + "\n")}, "too-deep"),
    ],
)
def test_what_cant_be_used_is_set_aside_by_name(tmp_path, files, reason):
    found = only(tmp_path, **files)
    assert isinstance(found, SourceError)
    assert found.reason in (reason, "no-python" if reason == "too-deep" else reason)


@pytest.mark.parametrize("name", ["../../../../outside.py", "/etc/hostname"])
def test_files_outside_of_the_exercise_are_not_read(tmp_path, name):
    put(tmp_path, {"outside.py": "SECRET = 1\n"})
    files = {"solution": ["a.py"], "test": ["pole_walk_test.py"], "example": [name]}
    found = only(tmp_path / "track", **{".meta/config.json": json.dumps({"files": files})})
    assert found.reason == "outside-package"


def test_a_bad_exercise_stops_no_other(tmp_path):
    bad = exercise(**{".meta/config.json": "{"})
    found = read(track(tmp_path, {"a": bad, "b": exercise()}))
    assert found["a"].reason == "bad-config"
    assert isinstance(found["b/walk"], Statement)


def test_the_bytes_that_were_read_are_kept(tmp_path):
    root = track(tmp_path, {"pole-walk": exercise()})
    first, second = COLLECTION.read(root)
    assert first.raw == second.raw
    assert EXAMPLE.encode() in first.raw
    assert [found.raw for found in COLLECTION.read(root)] == [first.raw, second.raw]


def test_nothing_is_executed(tmp_path):
    trap = f"open({str(tmp_path / 'trap')!r}, 'w')\n"
    found = only(
        tmp_path / "track",
        example=trap + "def f(n=" + trap.strip() + "):\n    return 1\n",
        tests=trap + body("self.assertEqual(f(1), 1)") + "\n" + trap,
    )
    assert isinstance(found, Statement)
    assert not (tmp_path / "trap").exists()


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(exercise())), st.data())
def test_broken_files_raise_nothing(tmp_path, name, data):
    content = exercise()[name].encode()
    at = data.draw(st.integers(0, len(content)))
    junk = data.draw(st.binary(max_size=4) | st.sampled_from([b"(" * 500, b"[", b"\n\n", b"*"]))
    end = data.draw(st.integers(at, min(len(content), at + 40)))
    broken = exercise() | {name: content[:at] + junk + content[end:]}
    for found in COLLECTION.read(put(tmp_path / "pole-walk", broken)):
        assert isinstance(found.statement, (Statement, SourceError))
