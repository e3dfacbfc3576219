"""What tests say of calls is read from their source."""

import ast
import textwrap

import pytest

from thresher.crawlers.packages.expressions import Invocation
from thresher.crawlers.packages.unittests import Check, checks

HEAD = "import unittest\nfrom datetime import date\nfrom darts import score, Bad, RING as INNER\n"


def read(body, top="", head=HEAD, constants=None):
    """Return what one test says, given its body."""
    test = textwrap.indent(textwrap.dedent(body), " " * 8)
    source = f"{head}{top}\nclass A(unittest.TestCase):\n    def test_it(self):\n{test}"
    return list(checks(ast.parse(source), "darts", constants or {}))


def call(*args, **kwargs):
    """Return a call of the tested function."""
    return Invocation("score", args, kwargs)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("self.assertEqual(score(1, 2), 10)", Check(call(1, 2), 10)),
        ("self.assertEqual(10, score(1, 2))", Check(call(1, 2), 10)),
        ("self.assertEqual(score(x=1), [1], 'message')", Check(call(x=1), [1])),
        ("self.assertEqual(score(1), 5, msg=something())", Check(call(1), 5)),
        ("self.assertIs(score(1), True)", Check(call(1), True)),
        ("self.assertTrue(score(1))", Check(call(1), True)),
        ("self.assertFalse(score(1))", Check(call(1), False)),
        ("self.assertIsNone(score(1))", Check(call(1), None)),
        ("self.assertMultiLineEqual(score(1), 'a\\nb')", Check(call(1), "a\nb")),
        ("self.assertDictEqual(score(1), {'a': 1})", Check(call(1), {"a": 1})),
        (
            "self.assertCountEqual(score(1), ('b', 'a'))",
            Check(call(1), ["b", "a"], how="unordered"),
        ),
        (
            "self.assertAlmostEqual(score(1), 0.5)",
            Check(call(1), 0.5, how="close", tolerance=5e-8),
        ),
        (
            "self.assertAlmostEqual(score(1), 0.5, places=2)",
            Check(call(1), 0.5, how="close", tolerance=0.005),
        ),
        (
            "self.assertAlmostEqual(score(1), 0.5, 1)",
            Check(call(1), 0.5, how="close", tolerance=0.05),
        ),
        (
            "self.assertAlmostEqual(score(1), 0.5, delta=0.25)",
            Check(call(1), 0.5, how="close", tolerance=0.25),
        ),
        (
            "with self.assertRaises(ValueError) as err:\n    score(-1)",
            Check(call(-1), None, raises="ValueError"),
        ),
        (
            "with self.assertRaises(Bad):\n    x = score(-1)",
            Check(call(-1), None, raises="Bad"),
        ),
        (
            "with self.assertRaisesWithMessage(ValueError):\n    score(-1)",
            Check(call(-1), None, raises="ValueError"),
        ),
    ],
)
def test_assertions_are_read(body, expected):
    assert read(body) == [expected]


def test_names_stand_for_the_values_that_they_were_given():
    body = """
        value = [3, 1]
        other = value
        expected = [1, 3]
        self.assertEqual(score(other), expected)
        found = score(value, INNER)
        self.assertEqual(found, LONG)
    """
    found = read(body, top="LONG = 'x' * 3", constants={"RING": 5})
    assert found == [Check(call([3, 1]), [1, 3]), Check(call([3, 1], 5), "xxx")]


def test_a_name_that_got_an_unknown_value_stands_for_nothing():
    body = """
        value = 3
        value = compute()
        self.assertEqual(score(value), 1)
        a, value = 1, 2
        self.assertEqual(score(value), 1)
        self.assertEqual(score(4), 4)
    """
    assert read(body) == [Check(call(4), 4)]


def test_nothing_is_read_after_a_statement_whose_effect_is_unknown():
    body = """
        value = [1]
        self.assertEqual(score(value), 1)
        value.append(2)
        self.assertEqual(score(value), 2)
    """
    assert read(body) == [Check(call([1]), 1)]


def test_what_is_said_of_an_exception_is_passed_over():
    body = '''
        """A sentence."""
        with self.assertRaises(ValueError) as err:
            score(0)
        self.assertEqual(type(err.exception), ValueError)
        self.assertEqual(err.exception.args[0], "too small")
        self.assertEqual(score(1), 1)
    '''
    assert read(body) == [Check(call(0), None, raises="ValueError"), Check(call(1), 1)]


@pytest.mark.parametrize(
    "body",
    [
        "self.assertEqual(sorted(score(1)), [1])",
        "self.assertEqual(score(1).value, 1)",
        "self.assertEqual(score(1)[0], 1)",
        "self.assertEqual(score(1), score(2))",
        "self.assertEqual(score(1))",
        "self.assertNotEqual(score(1), 2)",
        "self.assertIn(score(1), [1, 2])",
        "self.assertCountEqual(score(1), 'ab')",
        "self.assertAlmostEqual(score(1), 0.5, places=99)",
        "self.check(score(1), 2)",
        "with self.assertRaises((ValueError, TypeError)):\n    score(1)",
        "with self.assertRaises(ValueError):\n    list(score(1))",
        "with self.assertRaises(ValueError):\n    score(1)\n    score(2)",
        "with self.subTest(1):\n    score(1)",
        "for n in [1]:\n    self.assertEqual(score(n), 1)",
        "self.assertEqual(other(1), 1)",
    ],
)
def test_everything_else_is_passed_over(body):
    assert read(body) == []


def test_the_module_may_be_named_before_the_function():
    found = read(
        "self.assertEqual(darts.score(1, darts.RING), 2)",
        head="import darts\n",
        constants={"RING": 5},
    )
    assert found == [Check(call(1, 5), 2)]


def test_imports_may_stand_in_a_try():
    head = "try:\n    from darts import score\nexcept ImportError:\n    raise\n"
    assert read("self.assertEqual(score(1), 2)", head=head) == [Check(call(1), 2)]


def test_tests_with_mock_objects_are_passed_over():
    source = f"""{HEAD}
class First(unittest.TestCase):
    @mock.patch("x")
    def test_a(self):
        self.assertEqual(score(1), 1)

    def test_b(self, mocked):
        self.assertEqual(score(2), 2)

    def helper(self):
        self.assertEqual(score(3), 3)

@mock.patch("y")
class Second(unittest.TestCase):
    def test_c(self):
        self.assertEqual(score(4), 4)
"""
    assert list(checks(ast.parse(source), "darts", {})) == []


def test_a_test_doesnt_see_the_names_of_another():
    source = f"""{HEAD}
class First(unittest.TestCase):
    def test_a(self):
        value = 1

    def test_b(self):
        self.assertEqual(score(value), 1)
"""
    assert list(checks(ast.parse(source), "darts", {})) == []
