import json
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thresher.tracer.recording import spool
from thresher.tracer.recording.spool import read

WHERE = {"file": "a.py", "line": 3, "name": "f", "qualname": "f"}


def call(n, result=None, **changes):
    return {
        "kind": "call",
        **WHERE,
        "parameters": [["n", "POSITIONAL_OR_KEYWORD"]],
        "args": {"n": n},
        "result": result,
        "raises": None,
        **changes,
    }


def summary(**changes):
    counts = {"calls": 3, "examples": 2, "duplicates": 1, "lost": {}, "stopped": None}
    return {"kind": "function", **WHERE, **counts, **changes}


def process(**changes):
    return {"kind": "process", "python": "3.11.7", "partial": None, "errors": 0, **changes}


def write(folder, name, *records):
    text = "".join(json.dumps(record) + "\n" for record in records)
    (folder / f"calls-{name}.jsonl").write_text(text)


def test_an_empty_folder_is_an_empty_recording(tmp_path):
    assert read(tmp_path) == spool.Spool((), {}, None, 0, 0)


def test_calls_and_summaries_of_all_processes_are_merged(tmp_path):
    lost = {"type:a.B": 2}
    write(tmp_path, "1", call(1, 2), call(2, 3), summary(lost=lost, stopped="full"), process())
    write(tmp_path, "2", call(1, 2), call(3, 4), summary(lost=lost), process())
    write(tmp_path, "3", call(5, 6, name="g", qualname=None))
    recorded = read(tmp_path)
    f, g = recorded.functions
    assert [(one.args, one.result) for one in f.calls] == [
        ({"n": 1}, 2),
        ({"n": 2}, 3),
        ({"n": 3}, 4),
    ]
    assert (f.file, f.line, f.name, f.qualname) == ("a.py", 3, "f", "f")
    assert (f.seen, f.duplicates, f.lost, f.stopped) == (6, 2, {"type:a.B": 4}, {"full"})
    assert (g.name, g.qualname, len(g.calls), g.seen) == ("g", "g", 1, 0)
    assert (recorded.processes, recorded.unfinished, recorded.rejected) == (3, 1, {})


def test_the_order_of_files_and_lines_changes_nothing(tmp_path):
    records = [call(n, n * n, name=name) for n in range(5) for name in "fgh"]
    results = []
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        shuffled = random.Random(seed).sample(records, len(records))
        write(folder, f"{seed}-a", *shuffled[:7])
        write(folder, f"{9 - seed}-b", *shuffled[7:])
        results.append(read(folder))
    assert results[0] == results[1] == results[2]


def test_equal_arguments_with_different_outcomes_are_left_out(tmp_path):
    write(tmp_path, "1", call(1, 2), call(2, 2), process())
    write(tmp_path, "2", call(1, 3), call(1, raises="ValueError"), process())
    (f,) = read(tmp_path).functions
    assert [one.args for one in f.calls] == [{"n": 2}]
    assert f.lost == {"unstable": 3}


def test_calls_with_other_free_variables_are_other_calls(tmp_path):
    write(tmp_path, "1", call(1, 2, closure={"m": 1}), call(1, 3, closure={"m": 2}), process())
    (f,) = read(tmp_path).functions
    assert [(one.closure, one.result) for one in f.calls] == [({"m": 1}, 2), ({"m": 2}, 3)]


def test_what_changed_and_whether_it_ended_are_part_of_the_outcome(tmp_path):
    write(tmp_path, "1", call([1], after={"n": [2]}), call([1]), process())
    write(tmp_path, "2", call(2, [1], mode="generates", ended=False))
    write(tmp_path, "3", call(2, [1], mode="generates"))
    (f,) = read(tmp_path).functions
    assert (f.calls, f.lost) == ((), {"unstable": 4})


def test_partial_recordings_say_why(tmp_path):
    write(tmp_path, "1", process(partial="removed"))
    write(tmp_path, "2", process(partial="removed"), process(partial="other"))
    assert read(tmp_path).partial == "other; removed"


REJECTED = [
    ("", "malformed-line"),
    ("{", "malformed-line"),
    (json.dumps(call(1, "DEEP")).replace('"DEEP"', "[" * 100000), "malformed-line"),
    (json.dumps(call(1, "DEEP")).replace('"DEEP"', "[" * 9000 + "]" * 9000), "malformed-line"),
    (call(1, "\ud800"), "malformed-line"),
    ("[]", "unknown-structure"),
    ("{}", "unknown-structure"),
    ({"kind": "other"}, "unknown-structure"),
    ({**process(), "more": 1}, "unknown-structure"),
    (process(errors=-1), "unknown-structure"),
    (call(1, mode="other"), "unknown-structure"),
    (call(1, state=["weather"]), "unknown-structure"),
    (call(1, mutated=True), "unknown-structure"),
    (call(1, after={"m": 1}), "malformed-value"),
    (call(1, after={"n": {"bad": 1}}), "malformed-value"),
    (call(1, closure={"free": {"bad": 1}}), "malformed-value"),
    (call(1, closure={"\x1b": 1}), "malformed-value"),
    (call(1, {"tuple": []}, mode="generates"), "malformed-value"),
    (summary(calls="many"), "unknown-structure"),
    (summary(stopped="never"), "unknown-structure"),
    (call(1, line="3"), "unknown-structure"),
    (call(1, parameters=[["n", "POSITIONAL_ONLY"]]), "unknown-structure"),
    (call(1, parameters=[]), "malformed-value"),
    (call(1, parameters=[["n", "KEYWORD_ONLY"]] * 2), "malformed-value"),
    (call(1, parameters=[["n", "VAR_POSITIONAL"]]), "malformed-value"),
    (call([1], parameters=[["n", "VAR_KEYWORD"]]), "malformed-value"),
    (call({"x": {"bad": 1}}, parameters=[["n", "VAR_KEYWORD"]]), "malformed-value"),
    (call({"set": [2, 1]}), "malformed-value"),
    (call(1, {"unknown": 1}), "malformed-value"),
    (call(1, 2**53 + 1), "malformed-value"),
    (call([0] * 20000), "malformed-value"),
    (call(1, file="a\n.py"), "malformed-value"),
    (call(1, name="x" * 1000), "malformed-value"),
    (call(1, raises="\x1b[31m"), "malformed-value"),
    (summary(lost={"\x07": 1}), "malformed-value"),
    (process(partial="\x1b]0;title"), "malformed-value"),
]


@pytest.mark.parametrize(("line", "reason"), REJECTED)
def test_a_bad_line_is_rejected_and_spoils_no_other(tmp_path, line, reason):
    text = line if isinstance(line, str) else json.dumps(line)
    good = json.dumps(call(1, 2)) + "\n"
    (tmp_path / "calls-1.jsonl").write_text(f"{good}{text}\n{json.dumps(process())}\n")
    recorded = read(tmp_path)
    assert recorded.rejected == {reason: 1}
    assert [len(function.calls) for function in recorded.functions] == [1]
    assert recorded.unfinished == 0


def test_a_torn_last_line_is_counted(tmp_path):
    torn = json.dumps(call(1, 2))[:-5]
    (tmp_path / "calls-1.jsonl").write_text(json.dumps(call(2, 3)) + "\n" + torn)
    recorded = read(tmp_path)
    assert recorded.rejected == {"malformed-line": 1}
    assert recorded.unfinished == 1


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path, monkeypatch):
    secret = tmp_path / "secret.jsonl"
    folder = tmp_path / "spool"
    folder.mkdir()
    write(tmp_path, "x", call(1, 2))
    (tmp_path / "calls-x.jsonl").rename(secret)
    (folder / "calls-link.jsonl").symlink_to(secret)
    (folder / "calls-folder.jsonl").mkdir()
    (folder / "other.txt").write_text("{}\n")
    os.mkfifo(folder / "calls-pipe.jsonl")
    (folder / "calls-big.jsonl").write_bytes(b"x" * 2000)
    monkeypatch.setattr(spool, "MAX_BYTES", 1000)
    write(folder, "good", call(3, 4), process())
    recorded = read(folder)
    assert recorded.rejected == {"not-a-spool-file": 5}
    assert [one.args for function in recorded.functions for one in function.calls] == [{"n": 3}]


def test_no_more_than_a_bounded_number_of_files_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(spool, "MAX_FILES", 2)
    for n in range(5):
        write(tmp_path, str(n), process())
    recorded = read(tmp_path)
    assert (recorded.processes, recorded.rejected) == (2, {"too-many-files": 3})


@given(st.binary(max_size=300), st.recursive(st.none() | st.integers() | st.text(), st.lists))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_bytes_there_are_reading_ends(tmp_path, noise, tree):
    good = json.dumps(call(tree)).encode()
    (tmp_path / "calls-1.jsonl").write_bytes(noise + b"\n" + good)
    recorded = read(tmp_path)
    assert recorded.rejected.total() + sum(len(f.calls) for f in recorded.functions) >= 1
