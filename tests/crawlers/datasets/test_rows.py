import gzip
import json
from pathlib import Path

import duckdb
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.crawlers.datasets.files import lines, reason, statement, written
from thresher.crawlers.datasets import rows
from thresher.crawlers.site import Found
from thresher.crawlers.statement import Statement
from thresher.errors import SourceError, UsageError


class Row(msgspec.Struct):
    name: str
    size: int = 0


def read(row: Row) -> Statement:
    if not row.name:
        raise SourceError("no-statement", "it has no name")
    return Statement(site="own", key=row.name, title=row.name, kind="stdio", text=str(row.size))


def collected(path: Path) -> list[Found]:
    return list(rows.collect(path, Row, read))


def keys(found: list[Found]) -> list[str]:
    return [
        f.statement.reason if isinstance(f.statement, SourceError) else f.statement.key
        for f in found
    ]


def test_each_line_is_a_problem_in_order(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"name": "b", "size": 3, "more": [1]}, {"name": "a"})
    first, second = collected(path)
    assert (first.name, second.name) == ("a.jsonl:1", "a.jsonl:2")
    assert first.raw == b'{"name": "b", "size": 3, "more": [1]}\n'
    assert (statement(first).text, statement(second).key) == ("3", "a")


def test_gzip_is_known_by_its_bytes_not_by_its_name(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"name": "b"}, packed=True)
    assert keys(collected(path)) == ["b"]


def test_a_bad_line_stops_no_other_and_is_named_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'{"name": "a"}\n\nnonsense\n[1]\n{"name": 1}\n{"size": 1}\n{"name": ""}\n'
        b'\xff\n{"name": "\\ud800"}\n' + b"[" * 100_000 + b'\n{"name": "z"}\n'
    )
    found = collected(path)
    assert keys(found) == [
        *("a", "bad-json", "bad-row", "bad-row", "bad-row", "no-statement"),
        *("bad-json", "bad-json", "bad-row", "z"),
    ]
    assert str(found[1].statement).startswith("a.jsonl:3 isn't JSON")
    assert "Expected `str`, got `int` - at `$.name`" in str(found[3].statement)
    assert str(found[5].statement) == "a.jsonl:7: it has no name"
    assert found[-1].name == "a.jsonl:11"


def test_a_torn_last_line_is_named_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"name": "a"}\n{"name": "b", "si')
    whole, torn = collected(path)
    assert (statement(whole).key, reason(torn), torn.raw) == (
        "a",
        "torn-line",
        b'{"name": "b", "si',
    )
    assert "a.jsonl:2 ends in the middle" in str(torn.statement)


def test_a_last_line_without_its_end_may_be_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"name": "a"}')
    assert keys(collected(path)) == ["a"]


def test_a_torn_gzip_file_gives_what_it_holds_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    whole = gzip.compress(lines({"name": f"{n:x}" * 9} for n in range(9000)))
    path.write_bytes(whole[: len(whole) // 2])
    found = collected(path)
    assert statement(found[0]).key == "000000000"
    assert reason(found[-1]) == "torn-file"
    assert len(found) < 9000


def test_a_line_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "LONGEST_LINE", 64)
    path = written(tmp_path / "a.jsonl", {"name": "a" * 500}, {"name": "b"}, {"name": "c" * 500})
    found = collected(path)
    assert keys(found) == ["line-too-long", "b", "line-too-long"]
    assert [each.name for each in found] == ["a.jsonl:1", "a.jsonl:2", "a.jsonl:3"]


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    written(tmp_path / "b" / "x.jsonl.gz", {"name": "third"}, packed=True)
    written(tmp_path / "a.jsonl", {"name": "first"}, {"name": "second"})
    written(tmp_path / "README.md", {"name": "none"})
    assert keys(collected(tmp_path)) == ["first", "second", "third"]


def test_a_missing_place_is_wrong_use(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(UsageError, match="there is no data set at"):
            collected(path)


def test_a_huge_file_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines([{"name": "a"}]) * 3 + b"\0" * 5_000_000)
    found = rows.collect(path, Row, read)
    assert [statement(next(found)).key for _ in range(3)] == ["a", "a", "a"]


def test_parquet_gives_the_fields_that_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    with duckdb.connect() as database:
        database.execute(
            "COPY (SELECT 'p' || i AS name, i AS size, [i] AS other FROM range(40) t(i)"
            f" UNION ALL SELECT NULL, 1, [1]) TO '{path}'"
        )
    found = collected(path)
    assert [statement(each).text for each in found[:40]] == [str(n) for n in range(40)]
    assert (found[1].name, json.loads(found[1].raw)) == ("a.parquet:2", {"name": "p1", "size": 1})
    assert reason(found[40]) == "bad-row"


def test_what_is_no_parquet_is_named_so(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 torn")
    assert [reason(each) for each in collected(path)] == ["torn-file"]


@pytest.mark.parametrize(
    ("name", "is_held_out"),
    [
        ("test.jsonl", True),
        ("apps_test.jsonl", True),
        ("test-00000-of-00002.jsonl", True),
        ("validation.jsonl", True),
        ("train.jsonl", False),
        ("latest.jsonl", False),
        ("testing.jsonl", False),
    ],
)
def test_held_out_parts_are_flagged(tmp_path: Path, name: str, is_held_out: bool) -> None:
    (found,) = collected(written(tmp_path / name, {"name": "a"}))
    assert statement(found).flags == (("benchmark",) if is_held_out else ())


@given(st.binary(max_size=300))
def test_no_bytes_raise(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "a.jsonl"
    path.write_bytes(content)
    collected(path)
