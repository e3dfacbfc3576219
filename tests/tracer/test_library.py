"""Calls of library functions become problems, or are lost by reason."""

from collections import Counter

import pytest

from tests.store.builders import source as source_record
from tests.tracer import recorded
from thresher.judging import Judges
from thresher.store.records import Decision, Problem, Source
from thresher.store.values import encode
from thresher.tracer.library import callees, make
from thresher.tracer.problems import Traced
from thresher.tracer.recording.spool import Function, Parameter, RecordedCall

PARAMETERS = (Parameter("args", "VAR_POSITIONAL"), Parameter("kwargs", "VAR_KEYWORD"))


@pytest.fixture(scope="module")
def judges():
    with Judges(1) as pool:
        yield pool


def called(*args, result=None, raises=None, after=None, **kwargs):
    return RecordedCall(
        file="m.py",
        line=1,
        name="",
        qualname="",
        parameters=PARAMETERS,
        args={
            "args": list(map(encode, args)),
            "kwargs": {name: encode(value) for name, value in kwargs.items()},
        },
        result=encode(result),
        raises=raises,
        after={} if after is None else {"args": list(map(encode, after))},
    )


def function(name, *calls, line=1, file="m.py", **more):
    counts = {"seen": len(calls), "duplicates": 0, "lost": Counter()} | more
    return Function(
        file=file, line=line, name=name, qualname=name, calls=calls, stopped=frozenset(), **counts
    )


def made(tmp_path, judges, *functions, licence="MIT"):
    """Return the source of the problems, they themselves and the reasons by subject."""
    traced = Traced(
        "pypi/demo/1.0", source_record(licence=licence), recorded.project(tmp_path, "x = 1\n")
    )
    records = list(make(traced, functions, judges))
    decisions = [record for record in records if isinstance(record, Decision)]
    problems = [record for record in records if isinstance(record, Problem)]
    reasons = {each.subject: each.reason for each in decisions}
    return (
        [record for record in records if isinstance(record, Source)],
        problems,
        reasons,
        [each.evidence for each in decisions],
    )


SPLITS = (
    called("a b", result=["a", "b"]),
    called("a,b", ",", result=["a", "b"]),
    called("a b c", maxsplit=1, result=["a", "b c"]),
    called("", "", raises="ValueError"),
)


def test_a_method_becomes_a_problem(tmp_path, judges):
    first = function("builtins:str.split", *SPLITS[:3], line=7, duplicates=2)
    second = function("builtins:str.split", *SPLITS[2:], line=3, lost=Counter({"cyclic": 1}))
    (source,), (problem,), reasons, evidence = made(tmp_path, judges, first, second)
    assert problem.entry_point == "split"
    assert problem.task_id.startswith("pypi/demo/1.0/builtins.str.split-")
    assert (problem.tags, problem.source) == (("built-in",), source.id)
    assert (problem.derivation.file, problem.derivation.line) == ("m.py", 3)
    assert problem.derivation.function == "builtins:str.split"
    assert problem.derivation.how == (
        "4 distinct calls recorded while its tests ran, made at m.py:3, m.py:7"
    )
    assert {(case.args, case.raises) for case in problem.cases} == {
        (("a b",), None),
        (("a,b", ","), None),
        (("a b c",), None),
        (("", ""), "ValueError"),
    }
    assert reasons == {"pypi/demo/1.0/builtins.str.split": "kept"}
    assert evidence == [
        f"{problem.task_id}: 4 cases of 8 calls (1 cyclic, 3 repeated); made at m.py:3, m.py:7"
    ]


def test_what_a_call_changes_is_asked_for(tmp_path, judges):
    calls = [called([n], n, result=None, after=([n, n], n)) for n in range(3)]
    _, (problem,), _, _ = made(tmp_path, judges, function("builtins:list.append", *calls))
    assert [case.after for case in problem.cases] == [{"0": [n, n]} for n in range(3)]


def test_the_licence_of_the_documentation_comes_beside_the_projects(tmp_path, judges):
    plain = source_record()
    (source,), _, _, _ = made(tmp_path, judges, function("builtins:str.split", *SPLITS))
    assert source.licence == "(MIT) AND PSF-2.0"
    assert source.licence_evidence.endswith("; Python's documentation: PSF-2.0")
    assert (source.id != plain.id, source.sha256) == (True, plain.sha256)
    (source,), _, _, _ = made(tmp_path, judges, function("math:gcd"), licence="unknown")
    assert source.licence == "unknown"
    assert made(tmp_path, judges) == ([], [], {}, [])


def test_what_makes_no_task_is_lost_by_reason(tmp_path, judges):
    functions = [
        function("builtins:str.strip", *(called(t, result=t) for t in "abc")),
        function("builtins:bool", *(called(n, result=True) for n in (1, 2, 3))),
        function("builtins:int", *(called(t, raises="ValueError") for t in "abc")),
        function("builtins:len", called("a", result=1), called("b", result=1)),
        function("builtins:abs", *(called(n, result=n + 1) for n in (1, 2, 3))),
        function("builtins:sum", lost=Counter({"type:builtins.generator": 4})),
        function("os:system", called("true", result=0)),
        function("builtins:max", called(1, 2, result=2), file="elsewhere.py"),
    ]
    _, problems, reasons, _ = made(tmp_path, judges, *functions)
    assert problems == []
    assert {subject.rpartition("/")[2]: reason for subject, reason in reasons.items()} == {
        "builtins.str.strip": "echo",
        "builtins.bool": "always-the-same",
        "builtins.int": "only-exceptions",
        "builtins.len": "too-few-examples",
        "builtins.abs": "differs-standalone",
        "builtins.sum": "argument-is-no-data",
        "os.system": "unknown-callee",
    }


def test_calls_that_give_an_argument_back_are_no_majority(tmp_path, judges):
    echoing = [called(f"a{n}", "b", "c", result=f"a{n}") for n in range(20)]
    others = [called(f"b{n}", "b", "c", result=f"c{n}") for n in range(20)]
    _, (problem,), _, (evidence,) = made(
        tmp_path, judges, function("builtins:str.replace", *echoing, *others[:4])
    )
    assert sum(case.args[0] == case.expected for case in problem.cases) == 4
    assert "8 cases of 24 calls (16 echo)" in evidence


def test_equal_calls_of_several_places_are_one(tmp_path):
    found = callees(
        [
            function("math:gcd", called(4, 6, result=2), line=2),
            function("math:gcd", called(4, 6, result=2), called(3, 6, result=3), line=1),
        ],
        frozenset({"m.py"}),
    )
    (callee,) = found
    assert [call.args["args"] for call in callee.calls] == [[4, 6], [3, 6]]
    assert (callee.places, callee.repeated) == ((("m.py", 1), ("m.py", 2)), 1)
