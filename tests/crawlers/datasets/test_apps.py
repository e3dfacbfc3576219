import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.crawlers.datasets.files import reason, statement, written
from thresher import plugins
from thresher.crawlers.datasets.apps import COLLECTION, Row
from thresher.crawlers.datasets.apps import statement as made_of
from thresher.crawlers.site import GROUP, Found
from thresher.crawlers.statement import Call, Parameter, Sample, Signature, Solution
from thresher.errors import SourceError
from thresher.store.records import Comparator

QUESTION = """\
Sum up a line of numbers. Your answer is right within an absolute error of 10^-4.

-----Input-----
Some numbers.

-----Examples-----
Input
1 2

Output
3
"""
ADDING = "print(sum(map(float, input().split())))"


def folder(path: Path, question: str = QUESTION, **files: object) -> Path:
    """Write a problem's folder; files by the first part of their names."""
    path.mkdir(parents=True)
    (path / "question.txt").write_text(question)
    for name, content in files.items():
        if name == "starter_code":
            (path / "starter_code.py").write_text(str(content))
        else:
            (path / f"{name}.json").write_text(json.dumps(content))
    return path


def read(path: Path) -> list[Found]:
    return list(COLLECTION.read(path))


def test_folders_are_problems_in_order(tmp_path: Path) -> None:
    root = tmp_path / "train"
    folder(
        root / "0001",
        input_output={"inputs": ["5\n", "1 2\n"], "outputs": ["5\n", "3\n"]},
        solutions=["print raw_input()", ADDING],
        metadata={
            "difficulty": "interview",
            "url": "https://codeforces.com/problemset/problem/1/A",
        },
    )
    folder(root / "0000")
    first, second = read(root)
    assert (first.name, second.name) == ("train/0000", "train/0001")
    made = statement(second)
    assert (made.key, made.kind, made.tags, made.flags) == (
        "train/0001",
        "stdio",
        ("interview",),
        (),
    )
    assert made.url == "https://codeforces.com/problemset/problem/1/A"
    assert "Examples" not in made.text
    assert made.samples == (Sample("1 2\n", "3\n"),)
    assert made.hidden == (Sample("5\n", "5\n"),)
    assert made.solutions == (Solution("python", ADDING),)
    assert made.comparator == Comparator(kind="tokens", absolute=1e-4)
    assert "absolute error" in made.comparator_evidence


def test_a_problem_without_cases_or_solutions_is_a_statement_still(tmp_path: Path) -> None:
    (found,) = read(folder(tmp_path / "0000"))
    made = statement(found)
    assert (made.samples, made.hidden, made.solutions) == ((), (), ())
    assert "1 2" in made.text


def test_the_licence_is_not_guessed(tmp_path: Path) -> None:
    (found,) = read(folder(tmp_path / "0000", metadata={"url": "https://kattis.com/x"}))
    made = statement(found)
    assert made.licence == "unknown"
    assert made.licence_evidence == (
        "APPS itself is under MIT; what https://kattis.com/x allows for this text isn't stated"
    )


def test_the_bytes_that_are_kept_are_the_files(tmp_path: Path) -> None:
    one = read(folder(tmp_path / "a", solutions=[]))[0]
    other = read(folder(tmp_path / "b", solutions=[]))[0]
    assert one.raw == other.raw
    assert QUESTION.encode() in one.raw


def test_the_test_part_is_flagged(tmp_path: Path) -> None:
    folder(tmp_path / "APPS" / "test" / "0000")
    folder(tmp_path / "APPS" / "train" / "0000")
    flags = {found.name: statement(found).flags for found in read(tmp_path / "APPS")}
    assert flags == {"APPS/test/0000": ("benchmark",), "APPS/train/0000": ()}


ROW: dict[str, Any] = {
    "problem_id": 17,
    "question": QUESTION,
    "solutions": json.dumps([ADDING]),
    "input_output": json.dumps({"inputs": ["1 2\n"], "outputs": ["3\n"]}),
    "difficulty": "introductory",
    "url": "https://example.org/p",
    "starter_code": "",
}


def row(**changes: Any) -> Row:
    return msgspec.convert(ROW | changes, Row)


def test_rows_with_the_same_fields(tmp_path: Path) -> None:
    first, second = read(written(tmp_path / "a.jsonl", ROW, {"question": QUESTION, "id": 3}))
    assert (statement(first).key, statement(second).key) == ("17", "3")
    assert statement(first).samples == (Sample("1 2\n", "3\n"),)
    assert first.name == "a.jsonl:1"


def test_rows_whose_fields_are_no_texts_but_data(tmp_path: Path) -> None:
    io = {"inputs": [["1 2", ""]], "outputs": [["3"]]}
    made = made_of(row(solutions=[ADDING], input_output=io))
    assert made.samples == (Sample("1 2\n", "3\n"),)
    assert made.solutions == (Solution("python", ADDING),)


def test_a_row_without_a_number_has_a_stable_key(tmp_path: Path) -> None:
    (found,) = read(written(tmp_path / "a.jsonl", {"question": "What?"}))
    assert len(statement(found).key) == 12


def functional(outputs: list[Any], starter: str, **changes: Any) -> list[Any]:
    io = {"fn_name": "f", "inputs": [[n] for n in range(len(outputs))], "outputs": outputs}
    made = made_of(row(input_output=io, starter_code=starter, **changes))
    assert made.kind == "function"
    return [call.out for call in made.hidden_calls]


@pytest.mark.parametrize(
    ("outputs", "starter", "expected"),
    [
        ([[1], [2]], "def f(n):\n\t", [1, 2]),
        ([1, 2], "def f(n):\n\t", [1, 2]),
        ([[1], [1, 2]], "def f(n):\n\t", [[1], [1, 2]]),
        ([[[1]], [[2]]], "def f(n):\n\t", [[1], [2]]),
        (
            [[1], [2]],
            "class Solution:\n    def f(self, n: int) -> List[int]:\n        ",
            [[1], [2]],
        ),
        ([[[1]], [[2]]], "class Solution:\n    def f(self, n: int) -> List[int]:", [[1], [2]]),
        ([[1], [2]], "class Solution:\n    def f(self, n: int) -> int:\n        ", [1, 2]),
        ([[[1]]], "class Solution:\n    def f(self, n: int) -> List[List[int]]:", [[[1]]]),
    ],
)
def test_outputs_may_stand_in_lists_of_their_own(
    outputs: list[Any], starter: str, expected: list[Any]
) -> None:
    assert functional(outputs, starter) == expected


def test_a_function_is_known_from_its_starting_point_or_from_a_solution() -> None:
    io = {"fn_name": "f", "inputs": [[1, "a"]], "outputs": ["aa"]}
    solution = "def g(z):\n    return z\n\n\ndef f(n, text='x'):\n    return n * text\n"
    made = made_of(row(input_output=io, solutions=[solution]))
    assert made.signature is not None
    assert [each.name for each in made.signature.parameters] == ["n", "text"]
    assert made.hidden_calls == (Call({"n": 1, "text": "a"}, "aa"),)
    made = made_of(row(input_output=io, starter_code="def f(a, b):\n\t"))
    assert made.signature == Signature("f", (Parameter("a"), Parameter("b")))


def test_rules_of_leetcode_are_read_for_its_problems_alone() -> None:
    io = {"fn_name": "f", "inputs": [[1]], "outputs": [[[2, 1]]]}
    changes = {
        "input_output": io,
        "starter_code": "class Solution:\n    def f(self, n: int) -> List[int]:\n        ",
        "question": "Count down. You may return the answer in any order.",
    }
    assert made_of(row(**changes)).comparator == Comparator()
    made = made_of(row(url="https://leetcode.com/problems/x/", **changes))
    assert made.comparator == Comparator(kind="unordered")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"question": " \n"}, "no-statement"),
        ({"input_output": "{"}, "bad-json"),
        ({"input_output": "[" * 99_999}, "bad-json"),
        ({"input_output": "[1]"}, "bad-json"),
        ({"input_output": '{"inputs": 5}'}, "bad-row"),
        ({"input_output": '{"inputs": ["1"], "outputs": []}'}, "samples-unpaired"),
        ({"input_output": '{"inputs": [1], "outputs": ["1"]}'}, "bad-row"),
        ({"input_output": '{"inputs": [["1", 2]], "outputs": ["1"]}'}, "bad-row"),
        ({"input_output": '{"fn_name": "g", "inputs": [[1]], "outputs": [1]}'}, "no-signature"),
        ({"solutions": "nonsense"}, "bad-json"),
        ({"solutions": '{"a": 1}'}, "bad-json"),
    ],
)
def test_what_cannot_be_used_is_counted_by_its_reason(
    changes: dict[str, Any], expected: str
) -> None:
    with pytest.raises(SourceError) as caught:
        made_of(row(**changes))
    assert caught.value.reason == expected


@pytest.mark.parametrize("inputs", [[[1, 2]], [5], [{"n": 1}]])
def test_cases_that_are_no_calls_of_the_function(inputs: list[Any]) -> None:
    io = {"fn_name": "f", "inputs": inputs, "outputs": [1]}
    with pytest.raises(SourceError) as caught:
        made_of(row(input_output=io, starter_code="def f(n):\n\t"))
    assert caught.value.reason == "bad-call"


def test_a_bad_folder_stops_no_other(tmp_path: Path) -> None:
    (folder(tmp_path / "0000") / "metadata.json").write_text("{")
    (folder(tmp_path / "0001") / "question.txt").write_bytes(b"\xff\xfe\xff")
    (folder(tmp_path / "0002") / "solutions.json").symlink_to("/etc/hostname")
    folder(tmp_path / "0003")
    found = read(tmp_path)
    assert [reason(each) for each in found[:3]] == ["bad-json", "no-text", "outside-package"]
    assert statement(found[3]).text.startswith("Sum up")


def test_it_is_found_by_its_name() -> None:
    assert plugins.load(GROUP, "apps") is COLLECTION


data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
fields = {
    "inputs": data | st.lists(data, max_size=2),
    "outputs": data | st.lists(data, max_size=2),
    "fn_name": st.sampled_from(["f", "", None]),
}


@given(
    st.fixed_dictionaries({}, optional=fields),
    st.sampled_from(
        ["", "def f(n):\n\t", "class Solution:\n    def f(self, n: int) -> List[int]:"]
    ),
)
def test_no_cases_raise_anything_else(io: dict[str, Any], starter: str) -> None:
    try:
        made_of(row(input_output=io, starter_code=starter))
    except SourceError as error:
        assert error.reason
