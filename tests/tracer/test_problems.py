"""Functions become problems, or are lost by reason; the evidence adds up."""

import re
from collections import Counter

import pytest

from tests.store.builders import source as source_record
from tests.tracer import recorded
from tests.tracer.recorded import call
from thresher.judging import Judges
from thresher.store.records import Decision, Problem
from thresher.tracer.problems import Traced, make
from thresher.tracer.recording.spool import Parameter


@pytest.fixture(scope="module")
def judges():
    with Judges(1) as pool:
        yield pool


def made(tmp_path, judges, source, *calls, **more):
    """Return the problem, if there is one, and the decision."""
    project = recorded.project(tmp_path, source)
    traced = Traced("pypi/demo/1.0", source_record(), project)
    records = make(traced, recorded.function(source, *calls, **more), judges)
    problem = next((r for r in records if isinstance(r, Problem)), None)
    (decision,) = (r for r in records if isinstance(r, Decision))
    assert decision.keep is (problem is not None)
    assert adds_up(decision.evidence) is not False
    return problem, decision


def adds_up(evidence):
    """Say whether calls + examples = cases + lost; None where nothing is counted."""
    found = re.search(r"(\d+) cases of (\d+) calls(?: and (\d+) examples.*?)? \((.*?)\)", evidence)
    if found is None:
        return None
    cases, calls, examples = (int(found[n] or 0) for n in (1, 2, 3))
    return cases + sum(map(int, re.findall(r"(\d+) [a-z]", found[4]))) == calls + examples


DOUBLE = '''
def f(a, b=1):
    """Double it.

    >>> f(21)
    42
    """
    if a == 0:
        return a
    return 2 * a
'''


def test_a_problem_says_where_its_cases_come_from(tmp_path, judges):
    calls = [call(n, 1, result=2 * n) for n in (0, 3, 4, "a")] + [call(5, 1, result=9)]
    problem, decision = made(
        tmp_path, judges, DOUBLE, *calls, seen=12, duplicates=2, lost=Counter({"cyclic": 3})
    )
    assert decision.evidence == (
        f"{problem.task_id}: 5 cases of 12 calls and 1 examples of the docstring (3 cyclic, "
        "1 differs-standalone, 2 not-recorded, 2 repeated); 2 of 2 branches taken"
    )
    assert (problem.mode, problem.tags) == ("returns", ())
    assert [c.origin for c in problem.cases].count("statement") == 1
    assert problem.derivation.line == 2


def test_a_docstring_that_contradicts_the_function_is_quarantined_with_the_line(tmp_path, judges):
    source = DOUBLE.replace("42", "49")
    calls = [call(n, 1, result=2 * n) for n in (0, 3, 4)]
    problem, decision = made(tmp_path, judges, source, *calls)
    assert (problem, decision.reason) == (None, "example-disagrees")
    assert decision.evidence.startswith(">>> f(21) gives 49, but returned 42; 3 cases of 3 calls")


def test_functions_that_only_echo_are_left_to_the_filters(tmp_path, judges):
    source = "def f(a):\n    return a\n"
    problem, decision = made(tmp_path, judges, source, *(call(n, result=n) for n in range(3)))
    assert decision.evidence.endswith("3 cases of 3 calls (none lost); echo: 3 cases return an "
                                      "argument")  # fmt: skip
    assert problem.tags == ("undocumented",)


@pytest.mark.parametrize(
    ("calls", "more", "reason"),
    [
        ([call(1, 1, result=2)], {}, "too-few-examples"),
        ([call(1, 1, result=2)], {"seen": 9, "duplicates": 8}, "too-few-examples"),
        ([call(1, 1, result=3), call(2, 1, result=5)], {}, "differs-standalone"),
        ([], {"seen": 5, "lost": Counter({"type:x.Y": 3, "cyclic": 2})}, "argument-is-no-data"),
        ([], {"seen": 5, "lost": Counter({"output:type:x.Y": 5})}, "result-is-no-data"),
        ([call(args={"a": {"global": "no:x"}, "b": 1})], {}, "class-not-standalone"),
        ([call(t, 1, raises="TypeError") for t in (None, {}, {"a": 1})], {}, "only-exceptions"),
    ],
)
def test_losses_have_the_reason_of_most_calls(tmp_path, judges, calls, more, reason):
    source = DOUBLE.replace(">>> f(21)\n    42", "It does.")
    problem, decision = made(tmp_path, judges, source, *calls, **more)
    assert (problem, decision.reason) == (None, reason)


CLASSES = '''
import enum
from dataclasses import dataclass


class Colour(enum.Enum):
    RED = 1


class Wrong(Exception):
    pass


@dataclass
class Point:
    """A place."""

    x: int
    colour: Colour = Colour.RED

    def moved(self, by):
        """Return a point further on, None if it isn't a point's place."""
        if by < 0:
            raise Wrong(by)
        return Point(self.x + by, self.colour)
'''


def point(x):
    return {"instance": ["m:Point", [["colour", {"enum": ["m:Colour", "RED"]}], ["x", x]], None]}


def test_a_method_is_a_problem_on_instances(tmp_path, judges):
    def moved(x, by, **more):
        parameters = (
            Parameter("self", "POSITIONAL_OR_KEYWORD"),
            Parameter("by", "POSITIONAL_OR_KEYWORD"),
        )
        return call(parameters=parameters, args={"self": point(x), "by": by}, **more)

    calls = [moved(1, 2, tree=point(3)), moved(1, 3, tree=point(4))]
    calls.append(moved(1, -1, raises="m.Wrong"))
    problem, decision = made(
        tmp_path, judges, CLASSES, *calls, name="moved", qualname="Point.moved"
    )
    assert decision.reason == "kept", decision.evidence
    assert problem.task_id.startswith("pypi/demo/1.0/m.Point.moved-")
    assert "method" in problem.tags
    assert {c.raises for c in problem.cases} == {None, "Wrong"}
    assert all(c.args[0]["instance"][0] == "Point" for c in problem.cases)
    verdict = judges.verdict(problem, problem.prompt + problem.canonical_solution).verdict
    assert verdict == "pass"


def test_a_nested_function_gets_its_free_variables_as_keywords(tmp_path, judges):
    source = '''
    def outer(n):
        def f(a):
            """Add n."""
            return a + n
        return f
    '''
    calls = [call(n, closure={"n": 10}, result=n + 10) for n in range(3)]
    problem, decision = made(tmp_path, judges, source, *calls, qualname="outer.<locals>.f")
    assert decision.reason == "kept", decision.evidence
    assert problem.task_id.startswith("pypi/demo/1.0/m.outer.f-")
    assert [c.kwargs for c in problem.cases] == [{"n": 10}] * 3
    assert decision.evidence.endswith("never varied: n")


@pytest.mark.parametrize(
    ("mode", "source"),
    [
        ("generates", 'def f(a):\n    """Count."""\n    yield from range(a)\n'),
        ("awaits", 'async def f(a):\n    """Count."""\n    return list(range(a))\n'),
        ("async-generates",
         'async def f(a):\n    """Count."""\n    for n in range(a):\n        yield n\n'),
    ],
)  # fmt: skip
def test_generators_and_coroutines_are_problems(tmp_path, judges, mode, source):
    calls = [call(n, mode=mode, result=list(range(n))) for n in range(3)]
    problem, decision = made(tmp_path, judges, source, *calls)
    assert decision.reason == "kept", decision.evidence
    assert problem.mode == mode
    assert [c.expected for c in problem.cases] == [[], [0], [0, 1]]
