"""Recorded calls as test cases."""

import pytest

from tests.tracer.recorded import call
from thresher.store.records import TestCase
from thresher.tracer.cases import arguments, case_of, classes_of, unusable
from thresher.tracer.recording.spool import Parameter

POINT = {"instance": ["pkg.shapes:Point", [["x", 1]], None]}
KINDS = ("POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD")
PARAMETERS = tuple(map(Parameter, ("a", "rest", "key", "more"), KINDS))


def test_arguments_by_name_become_places_and_keywords():
    recorded = call(
        parameters=PARAMETERS,
        args={"a": 1, "rest": [2, [3]], "key": 4, "more": {"x": 5, "global": 6}},
        after={"rest": [2, [3, 9]], "more": {"x": 7, "global": 6}},
        closure={"free": 8},
        result=0,
    )
    assert case_of(recorded, {}) == TestCase(
        args=(1, 2, [3]),
        kwargs={"free": 8, "key": 4, "x": 5, "global": 6},
        expected=0,
        raises=None,
        origin="traced",
        shown=False,
        after={"2": [3, 9], "x": 7},
    )
    assert list(arguments(case_of(recorded, {}))) == ["0", "1", "2", "free", "global", "key", "x"]


def test_classes_have_the_programs_names_and_the_standard_librarys_their_own():
    recorded = call(
        args={"a": POINT, "b": {"global": "operator:add"}},
        after={"a": {"instance": ["pkg.shapes:Point", [["x", 2]], None]}},
        tree={"enum": ["pkg:Color", "RED"]},
        raises="pkg.errors.Odd",
    )
    assert classes_of(recorded) == {"pkg.shapes:Point", "operator:add", "pkg:Color"} | {
        "pkg.errors:Odd"
    }
    names = {"pkg.shapes:Point": "Point", "pkg:Color": "Hue", "pkg.errors:Odd": "Odd"}
    case = case_of(recorded, names)
    assert case.args == ({"instance": ["Point", [["x", 1]], None]}, {"global": "operator:add"})
    assert case.after == {"0": {"instance": ["Point", [["x", 2]], None]}}
    assert (case.expected, case.raises) == ({"enum": ["Hue", "RED"]}, "Odd")


def test_keywords_of_any_name_are_no_classes():
    recorded = call(
        parameters=(Parameter("more", "VAR_KEYWORD"),), args={"more": {"global": "x", "enum": 1}}
    )
    assert classes_of(recorded) == frozenset()


@pytest.mark.parametrize(
    ("recorded", "reason"),
    [
        (call(1, result=2), None),
        (call(1, raises="ValueError"), None),
        (call(1, raises="struct.error"), None),
        (call(1, raises="SystemExit"), "raises-no-error"),
        (call(1, raises="KeyboardInterrupt"), "raises-no-error"),
        (call("/thresher/x"), "holds-sandbox-path"),
        (call(1, result="/thresher/x"), "holds-sandbox-path"),
        (call("x" * 1000), "too-large"),
        (call(1, after={"a": "x" * 1000}), "too-large"),
        (call(args={"a": {"global": "check"}}), "name-clash"),
        (call(args={"a": {"instance": ["key.Inner", [], None]}}), "name-clash"),
        (call(args={"a": {"global": "datetime"}, "b": {"date": [2000, 1, 1]}}), "name-clash"),
        (call(args={"a": {"global": "operator:add"}}), None),
    ],
)
def test_some_calls_are_no_cases(recorded, reason):
    assert unusable(case_of(recorded, {})) == reason
