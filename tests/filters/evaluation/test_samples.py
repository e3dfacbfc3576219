"""Files of samples and of their verdicts."""

import gzip
import json

import pytest

from tests.store.builders import problem
from thresher.errors import UsageError
from thresher.filters.evaluation.samples import Rejected, Results, read
from thresher.filters.evaluation.tasks import Graded, Task

TASKS = {"a": Task(problem("a")), "b": Task(problem("b", "    return 0\n")), "c": "it is broken"}
PASSED = Graded("pass", shown=True, cpu_seconds=0.25)
FAILED = Graded("fail", 1, "returned 5")


def samples(folder, *lines):
    path = folder / "samples.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


def line(task, text, **more):
    return json.dumps({"task_id": task, "completion": text, **more}).encode()


def test_what_is_no_sample_is_named_and_the_rest_is_read(tmp_path):
    path = samples(
        tmp_path,
        line("a", "x", logprobs=[-1.0, -2.0], model="m"),
        b"",
        b"{",
        line("nowhere", "x"),
        line("c", "x"),
        b'{"task_id": "a"}',
        line("a", "y", index=0),
        b'{"task_id": "a", "completion": "\xff"}',
        b"[" * 5000,
        line("a", "\ud800"),
        line("b", "x"),
        line("a", "x")[:-9],
    )
    found = read(path, TASKS, "bubblewrap")
    assert [(s.task_id, s.text, s.logprob_sum, s.logprob_mean) for s in found.good] == [
        ("a", "x", -3.0, -1.5),
        ("b", "x", None, None),
    ]
    assert [rejected.line for rejected in found.rejected] == [3, 4, 5, 6, 7, 8, 9, 10, 12]
    assert found.rejected[1:5] == [
        Rejected(4, "is of nowhere: there is no such problem"),
        Rejected(5, "is of c: it is broken"),
        Rejected(6, "isn't a sample: it has neither `completion` nor `text`"),
        Rejected(7, "is sample 0 of a again"),
    ]


def test_a_packed_file_is_read(tmp_path):
    path = tmp_path / "samples.jsonl.gz"
    path.write_bytes(gzip.compress(line("a", "x")))
    assert [sample.text for sample in read(path, TASKS, "w").good] == ["x"]
    assert Results(path).path == tmp_path / "samples.jsonl.gz_results.jsonl"


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\x00torn", None])
def test_a_file_that_cannot_be_read_is_wrong_use(tmp_path, content):
    path = tmp_path / "samples.jsonl"
    if content:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"samples\.jsonl can't be read"):
        read(path, TASKS, "w")


def test_samples_are_alike_by_task_text_and_wall(tmp_path):
    path = samples(tmp_path, line("a", "x"), line("a", "x", n=1), line("a", "y"), line("b", "x"))
    keys = [sample.key for sample in read(path, TASKS, "w").good]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
    assert read(path, TASKS, "other").good[0].key != keys[0]


def test_verdicts_come_back_after_a_crash(tmp_path):
    path = samples(tmp_path, line("a", "x", more=1), line("b", "x"), line("a", "x"))
    first, second, third = read(path, TASKS, "w").good
    with Results(path) as results:
        results.add([first, third], PASSED)
        results.add([second], FAILED)
    content = results.path.read_bytes()
    for end in range(len(content)):
        results.path.write_bytes(content[:end])
        with Results(path) as again:
            rows = content[:end].count(b"}\n") + (content[end : end + 1] == b"\n" and end > 1)
            assert again.known == [{}, {first.key: PASSED}, {first.key: PASSED},
                                   {first.key: PASSED, second.key: FAILED}][rows]  # fmt: skip
            again.add([second], FAILED)
        with Results(path) as last:
            assert last.known[second.key] == FAILED


def test_the_whole_file_has_the_order_of_the_samples_and_their_fields(tmp_path):
    path = samples(tmp_path, line("a", "x", more=1), line("b", "x"), line("a", "y"), line("a", "x"))
    good = read(path, TASKS, "w").good
    with Results(path) as results:
        results.add([good[1]], FAILED)
        results.add([good[0], good[3]], PASSED)
        results.add([good[2]], Graded("timeout", 0, "over its limit"))
    results.finish(good)
    rows = [json.loads(row) for row in results.path.read_text().splitlines()]
    assert rows[0] == {
        "task_id": "a",
        "completion": "x",
        "more": 1,
        "passed": True,
        "result": "passed",
        "verdict": "pass",
        "failing_case": None,
        "detail": "",
        "shown": True,
        "cpu_seconds": 0.25,
        "key": good[0].key,
    }
    assert [(row["task_id"], row["passed"], row["result"]) for row in rows[1:]] == [
        ("b", False, "failed: fail: returned 5"),
        ("a", False, "timed out"),
        ("a", True, "passed"),
    ]


def test_rows_of_others_say_nothing(tmp_path):
    path = samples(tmp_path, line("a", "x"))
    results = Results(path)
    theirs = [{"task_id": "a", "passed": True}, {"key": "k", "verdict": "forged"}, 7]
    results.path.write_text("".join(f"{json.dumps(row)}\n" for row in theirs))
    with results:
        assert results.known == {}


def test_nothing_is_added_to_a_closed_file(tmp_path):
    path = samples(tmp_path, line("a", "x"))
    with pytest.raises(ValueError, match="isn't open"):
        Results(path).add(read(path, TASKS, "w").good, PASSED)
