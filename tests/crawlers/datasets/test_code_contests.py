from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.crawlers.datasets.files import reason, statement, written
from thresher import plugins
from thresher.crawlers.datasets.code_contests import COLLECTION
from thresher.crawlers.site import GROUP, Found
from thresher.crawlers.statement import Sample, Solution, Statement
from thresher.store.records import Comparator

DESCRIPTION = """\
Say whether n is even, YES or NO, in any case.

Input

One number n.

Output

The answer. You can print each letter in any case.

Example

Input

4

Output

YES

Note

Zero is even."""
ROW: dict[str, Any] = {
    "name": "9001_B. Even or Not",
    "description": DESCRIPTION,
    "public_tests": {"input": ["4\n"], "output": ["YES\n"]},
    "private_tests": {"input": ["123\n", "4\n"], "output": ["NO\n", "YES\n"]},
    "generated_tests": {"input": ["12\n"], "output": ["YES\n"]},
    "source": 2,
    "difficulty": 8,
    "solutions": {
        "language": [1, 2, 3, 4],
        "solution": ["print 'NO'", "int main(){}", "print('NO')", "class A {}"],
    },
    "incorrect_solutions": {"language": [3], "solution": ["print('YES')"]},
    "cf_contest_id": 9001,
    "cf_index": "B",
    "cf_points": 500.0,
    "cf_rating": 800,
    "cf_tags": ["math", ""],
    "is_description_translated": False,
    "untranslated_description": "",
    "time_limit": {"seconds": 1, "nanos": 500000000},
    "memory_limit_bytes": 256000000,
    "input_file": "",
    "output_file": "",
}


def one(path: Path, **changes: Any) -> Found:
    (found,) = COLLECTION.read(written(path / "a.jsonl", ROW | changes))
    return found


def made(path: Path, **changes: Any) -> Statement:
    return statement(one(path, **changes))


def test_a_row_becomes_a_statement(tmp_path: Path) -> None:
    found = made(tmp_path)
    assert (found.key, found.title) == ("9001_B. Even or Not", "Even or Not")
    assert found.kind == "stdio"
    assert found.url == "https://codeforces.com/problemset/problem/9001/B"
    assert found.text.endswith("in any case.\n\nNote\n\nZero is even.")
    assert found.samples == (Sample("4\n", "YES\n"),)
    assert (found.time_limit, found.memory_limit) == (1.5, 244)
    assert (found.tags, found.flags) == (("math",), ("case_insensitive",))
    assert found.comparator == Comparator(kind="tokens-ignoring-case")
    assert "any case" in found.comparator_evidence


def test_hidden_cases_come_once_and_smallest_first(tmp_path: Path) -> None:
    assert made(tmp_path).hidden == (Sample("123\n", "NO\n"), Sample("12\n", "YES\n"))


def test_python_3_is_kept_of_the_solutions_right_and_wrong(tmp_path: Path) -> None:
    assert made(tmp_path).solutions == (
        Solution("python", "print('NO')"),
        Solution("python", "print('YES')", right=False),
    )


def test_the_licence_is_that_of_the_set_with_what_is_not_known(tmp_path: Path) -> None:
    found = made(tmp_path)
    assert found.licence == "CC-BY-4.0"
    assert "nor does it say what CODEFORCES allows" in found.licence_evidence


def test_cases_and_solutions_as_lists_of_pairs_and_numbers_as_texts(tmp_path: Path) -> None:
    found = made(
        tmp_path,
        public_tests=[{"input": "4\n", "output": "YES\n"}],
        private_tests=[{"input": "5\n", "output": "NO\n"}],
        generated_tests=None,
        solutions=[{"language": "PYTHON3", "solution": "print(1)"}],
        incorrect_solutions=None,
        source="CODEFORCES",
        cf_contest_id="9001",
        time_limit={"seconds": "2", "nanos": 0},
        memory_limit_bytes="268435456",
    )
    assert found.samples == (Sample("4\n", "YES\n"),)
    assert found.hidden == (Sample("5\n", "NO\n"),)
    assert found.solutions == (Solution("python", "print(1)"),)
    assert (found.url[-7:], found.time_limit, found.memory_limit) == ("/9001/B", 2.0, 256)


def test_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"name": "comm", "description": "Do.", "time_limit": None})
    (found,) = COLLECTION.read(path)
    bare = statement(found)
    assert (bare.title, bare.url, bare.time_limit, bare.memory_limit) == ("comm", "", None, None)
    assert (bare.samples, bare.hidden, bare.solutions, bare.tags) == ((), (), (), ())


@pytest.mark.parametrize(
    ("source", "url"), [(1, ""), (5, ""), (0, ""), (99, ""), ("AIZU", ""), (None, "")]
)
def test_only_codeforces_has_addresses(tmp_path: Path, source: object, url: str) -> None:
    assert made(tmp_path, source=source).url == url


def test_images_and_several_answers_are_flagged(tmp_path: Path) -> None:
    found = made(tmp_path, description="Look: <image>. If there are several, print any of them.")
    assert found.flags == ("image", "multiple_answers")


def test_interactive_problems_are_told(tmp_path: Path) -> None:
    assert (
        made(tmp_path, description="This is an interactive problem. Guess.").kind == "interactive"
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"description": " "}, "no-statement"),
        ({"input_file": "even.in"}, "file-io"),
        ({"output_file": "even.out"}, "file-io"),
        ({"public_tests": {"input": ["1"], "output": []}}, "samples-unpaired"),
        ({"public_tests": {"input": [1], "output": [2]}}, "bad-row"),
        ({"public_tests": "x"}, "bad-row"),
        ({"memory_limit_bytes": "much"}, "bad-row"),
        ({"time_limit": {"seconds": "long"}}, "bad-row"),
        ({"name": None}, "bad-row"),
    ],
)
def test_what_cannot_be_used_is_counted_by_its_reason(
    tmp_path: Path, changes: dict[str, Any], expected: str
) -> None:
    assert reason(one(tmp_path, **changes)) == expected


def test_standard_input_may_be_named(tmp_path: Path) -> None:
    assert made(tmp_path, input_file="stdin", output_file="stdout").kind == "stdio"


def test_parquet_gives_the_same(tmp_path: Path) -> None:
    rows = written(tmp_path / "a.jsonl", ROW, ROW | {"name": "second"})
    packed = tmp_path / "train-00000-of-00001.parquet"
    with duckdb.connect() as database:
        database.execute(f"COPY (SELECT * FROM read_json('{rows}')) TO '{packed}'")
    first, second = COLLECTION.read(packed)
    assert statement(first) == made(tmp_path)
    assert (second.name, statement(second).key) == ("train-00000-of-00001.parquet:2", "second")


def test_the_parts_to_measure_with_are_flagged(tmp_path: Path) -> None:
    for name in ("valid", "test"):
        (found,) = COLLECTION.read(written(tmp_path / f"{name}.jsonl.gz", ROW, packed=True))
        assert "benchmark" in statement(found).flags


def test_it_is_found_by_its_name() -> None:
    assert plugins.load(GROUP, "code-contests") is COLLECTION


anything = st.none() | st.integers() | st.text() | st.lists(st.text(), max_size=2)
pairs = st.fixed_dictionaries({}, optional={"input": anything, "output": anything})


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(ROW, anything | pairs | st.lists(pairs))),
    st.text(),
)
def test_no_fields_raise(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any], description: str
) -> None:
    one(tmp_path_factory.mktemp("any"), **{"description": description, **changes})
