"""Samples read back from a file."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from thresher.errors import ModelError, UsageError
from thresher.filters.models import Completion, Sampling
from thresher.filters.models.recorded import open_recorded


def opened(folder: Path, *lines: str):
    file = folder / "samples.jsonl"
    file.write_text("\n".join(lines))
    return open_recorded(f"recorded:{file}")


def test_human_eval_lines_count_in_order(tmp_path: Path):
    with opened(
        tmp_path,
        '{"task_id": "a", "completion": "    return 1\\n"}',
        '{"task_id": "b", "completion": "x"}',
        "",
        '{"task_id": "a", "completion": "    return 2\\n", "passed": true}',
    ) as model:
        assert model.complete("a", "", [1, 0], Sampling()) == [
            Completion("    return 2\n", 0, None, None, "unknown"),
            Completion("    return 1\n", 0, None, None, "unknown"),
        ]


def test_index_and_details_are_kept(tmp_path: Path):
    model = opened(
        tmp_path,
        '{"task_id": "a", "index": 5, "text": "x", "tokens": 3, "logprob_sum": -3.0,'
        ' "logprob_mean": -1.0, "finish_reason": "stop"}',
        '{"task_id": "a", "index": 2, "text": "y", "logprobs": [-1.0, -2.0]}',
    )
    assert model.complete("a", "", [5, 2], Sampling()) == [
        Completion("x", 3, -3.0, -1.0, "stop"),
        Completion("y", 2, -3.0, -1.5, "unknown"),
    ]


def test_missing_sample_names_task_and_file(tmp_path: Path):
    model = opened(tmp_path, '{"task_id": "a", "completion": "x"}')
    with pytest.raises(ModelError, match=r"samples\.jsonl has no sample 1 of a"):
        model.complete("a", "", [0, 1], Sampling())


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[1]",
        '{"task_id": "b"}',
        '{"completion": "x"}',
        '{"task_id": "b", "completion": 1}',
        '{"task_id": "a", "index": 0, "completion": "x"}',
        '{"task_id": "a", "index": -1, "completion": "x"}',
        '{"task_id": "b", "completion": "x", "tokens": 99999999999999999999}',
        '{"task_id": "b", "completion": "x", "more": 1e999}',
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str):
    with pytest.raises(UsageError, match=r"Line 2 of .*samples\.jsonl"):
        opened(tmp_path, '{"task_id": "a", "completion": "x"}', line)


def test_bytes_that_are_not_text_are_named(tmp_path: Path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(b'{"task_id": "a", "completion": "\xff"}')
    with pytest.raises(UsageError, match="Line 1 of"):
        open_recorded(f"recorded:{file}")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_packed_files_and_byte_order_marks_are_read(tmp_path: Path, pack: Callable[[bytes], bytes]):
    file = tmp_path / "s.jsonl.gz"
    file.write_bytes(pack(b'\xef\xbb\xbf{"task_id": "a", "completion": "x"}\r\n'))
    model = open_recorded(f"recorded:{file}")
    assert [each.text for each in model.complete("a", "", [0], Sampling())] == ["x"]


def test_log_probabilities_that_no_number_holds_are_left_out(tmp_path: Path):
    model = opened(tmp_path, '{"task_id": "a", "text": "x", "logprobs": [-1e308, -1e308]}')
    assert model.complete("a", "", [0], Sampling()) == [Completion("x", 2, None, None, "unknown")]


def test_missing_file_is_wrong_use(tmp_path: Path):
    with pytest.raises(UsageError, match="No such file"):
        open_recorded(f"recorded:{tmp_path}/none.jsonl")


def test_name_follows_the_content(tmp_path: Path):
    first = opened(tmp_path, '{"task_id": "a", "completion": "x"}').name
    assert first == opened(tmp_path, '{"task_id": "a", "completion": "x"}').name
    assert first != opened(tmp_path, '{"task_id": "a", "completion": "y"}').name
