import importlib.resources
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store import builders
from thresher.errors import UsageError, WorkspaceBusy, WorkspaceError
from thresher.store import connection as connecting
from thresher.store import workspace as module
from thresher.store.connection import DATABASE, SCHEMA, SNAPSHOT
from thresher.store.records import (
    Decision,
    Problem,
    Record,
    Sample,
    Source,
    TestCase,
    canonical_json,
)
from thresher.store.tables import TABLES
from thresher.store.workspace import (
    Unit,
    Workspace,
    open_reader,
    open_writer,
    unit_key,
)

LOG = f"{DATABASE}.wal"
# Commits units 0 to N that aren't there yet, and says so after each; then kills itself or closes.
COMMITTER = """
import os, signal, sys
from pathlib import Path
from tests.store import builders
from thresher.store import connection as connecting
from thresher.store import connection as connecting
from thresher.store import workspace as module

folder, count, end, module.PUBLISH_SECONDS = sys.argv[1], int(sys.argv[2]), sys.argv[3], 0.01
with module.open_writer(Path(folder)) as workspace:
    print("open", flush=True)
    for number in range(count):
        if workspace.outcome(str(number)) is None:
            records = [builders.decision(f"{number} {part}") for part in "ab"]
            workspace.commit(module.Unit(str(number), "stage", "subject"), records)
            print(number, flush=True)
    if end == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if end == "waits":
        sys.stdin.read()
"""


def committer(folder: Path, count: int, end: str) -> "subprocess.Popen[str]":
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", COMMITTER, str(folder.absolute()), str(count), end],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def run_committer(folder: Path, count: int, end: str) -> None:
    with committer(folder, count, end) as process:
        process.communicate()
    assert process.returncode == (-signal.SIGKILL if end == "killed" else 0)


def decisions(folder: Path) -> list[str]:
    with open_reader(folder) as workspace:
        assert workspace.verify() is None
        return [decision.subject for decision in workspace.select(Decision)]


def commit(folder: Path, *subjects: str) -> Path:
    return builders.store(folder, map(builders.decision, subjects))


# commits


def test_records_come_back_equal_and_in_order(tmp_path: Path) -> None:
    records: list[Record] = [
        builders.source(),
        builders.problem("b"),
        builders.problem("a"),
        builders.sample("a", 1),
        builders.execution("a"),
        builders.decision("a"),
    ]
    folder = builders.store(tmp_path, records)
    with open_reader(folder) as workspace:
        found = [record for kind in TABLES for record in workspace.select(kind)]
        assert found == records
        assert workspace.query("SELECT kind, subject FROM ledger ORDER BY seq") == [
            ("Source", "demo"),
            ("Problem", "b"),
            ("Problem", "a"),
            ("Sample", "a model 1"),
            ("Execution", "a reference"),
            ("Decision", "a filters"),
        ]


def test_any_text_is_stored_as_it_is(tmp_path: Path) -> None:
    with open_writer(tmp_path) as workspace:

        @given(st.text())
        def holds(text: str) -> None:
            made = builders.sample(text, 0, text)
            workspace.commit(None, [made])
            assert workspace.select(Sample, "task_id = $1", text)[-1] == made

        holds()
        assert workspace.verify() is None


def test_select_narrows_by_key_columns(tmp_path: Path) -> None:
    folder = builders.store(tmp_path, [builders.sample("a", n) for n in range(4)])
    with open_reader(folder) as workspace:
        found = workspace.select(Sample, "task_id = $1 AND index >= $2", "a", 2)
        assert [sample.index for sample in found] == [2, 3]
        assert workspace.select(Sample, "task_id = $1", "b") == []


def test_current_is_the_last_word(tmp_path: Path) -> None:
    old, new = builders.decision("a", "one", False, "bad"), builders.decision("a", "one")
    other = builders.decision("a", "two")
    folder = builders.store(tmp_path, [old, other, new, builders.problem(), builders.problem()])
    with open_reader(folder) as workspace:
        assert workspace.current(Decision) == [other, new]
        assert workspace.current(Decision, "filter = $1", "one") == [new]
        assert workspace.current(Decision, "NOT keep") == []
        assert workspace.current(Problem) == [builders.problem()]


def named(digest: str, line: int = 12, name: str = "double") -> Problem:
    made = builders.problem(f"{builders.ORIGIN}/demo.{name}-{digest}")
    where = msgspec.structs.replace(made.derivation, line=line)
    return msgspec.structs.replace(made, derivation=where)


def test_a_function_that_is_made_differently_or_lost_leaves_no_problem_behind(
    tmp_path: Path,
) -> None:
    twice, elsewhere, other = named("2"), named("3", line=50), named("4", name="double-ended")
    subject = f"{builders.ORIGIN}/demo.double:12"
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [named("1"), builders.traced(subject), elsewhere, other])
        assert workspace.current(Problem) == [named("1"), elsewhere, other]
        workspace.commit(None, [twice, builders.traced(subject)])
        assert workspace.current(Problem) == [elsewhere, other, twice]
        workspace.commit(None, [builders.traced(subject, "example-disagrees")])
        assert workspace.current(Problem) == [elsewhere, other]
        workspace.commit(None, [named("1"), builders.traced(subject)])
        assert workspace.current(Problem) == [elsewhere, other, named("1")]
        assert len(workspace.select(Problem)) == 5


@pytest.mark.parametrize("failing", ["decisions", "ledger", "units"])
def test_an_error_in_the_middle_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    insert = Workspace._insert

    def broken(self: Workspace, table: str, rows: list[tuple[object, ...]]) -> None:
        if table == failing:
            raise KeyboardInterrupt
        insert(self, table, rows)

    unit, records = Unit("key", "stage", "a"), [builders.source(), builders.decision("a")]
    with open_writer(tmp_path) as workspace:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Workspace, "_insert", broken)
            workspace.commit(unit, records)
        assert workspace.select(Source) == []
        assert workspace.select(Decision) == []
        assert workspace.query("FROM ledger") == []
        assert workspace.outcome("key") is None
        workspace.commit(unit, records)
        assert workspace.verify() is None
        assert workspace.outcome("key") == "done"


def test_a_record_that_cannot_be_text_stores_nothing(tmp_path: Path) -> None:
    with open_writer(tmp_path) as workspace:
        with pytest.raises(UnicodeEncodeError):
            workspace.commit(None, [builders.decision("a"), builders.decision("\ud800")])
        assert workspace.select(Decision) == []
        workspace.commit(None, [builders.decision("b")])
        assert workspace.verify() is None


def test_the_chain_goes_on_where_the_last_writer_stopped(tmp_path: Path) -> None:
    commit(tmp_path, "a")
    commit(tmp_path, "b")
    assert decisions(tmp_path) == ["a", "b"]
    with open_reader(tmp_path) as workspace:
        assert workspace.query("SELECT seq FROM ledger ORDER BY seq") == [(1,), (2,)]


# units


def test_a_unit_is_named_by_all_that_decides_its_result() -> None:
    key = unit_key("filter", 1, {"a": 1, "b": 2}, "input")
    assert key == "b309d13ff6a74b64391d587b70f9653a3b532770b88ad4f0abb4e7430af5e0ab"
    assert key == unit_key("filter", 1, {"b": 2, "a": 1}, "input")
    others = [
        unit_key("trace", 1, {"a": 1, "b": 2}, "input"),
        unit_key("filter", 2, {"a": 1, "b": 2}, "input"),
        unit_key("filter", 1, {"a": 1, "b": 3}, "input"),
        unit_key("filter", 1, {"a": 1, "b": 2}, "other"),
    ]
    assert len({key, *others}) == 5


def test_units_say_how_they_ended(tmp_path: Path) -> None:
    with open_writer(tmp_path) as workspace:
        workspace.commit(Unit("good", "stage", "a"), [])
        workspace.commit(Unit("bad", "stage", "b", "no-sdist"), [])
    with open_reader(tmp_path) as workspace:
        assert workspace.outcome("good") == "done"
        assert workspace.outcome("bad") == "no-sdist"
        assert workspace.outcome("never") is None


def test_a_retried_unit_that_succeeds_is_done(tmp_path: Path) -> None:
    with open_writer(tmp_path) as workspace:
        workspace.commit(Unit("key", "stage", "a", "no-sdist"), [])
        workspace.commit(Unit("key", "stage", "a"), [])
        assert workspace.outcome("key") == "done"


# kill -9


def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    disturbed, count = tmp_path / "disturbed", 24
    acknowledged: set[str] = set()
    for after in (0, 1, 2, 4, 7):
        with committer(disturbed, count, "waits") as process:
            assert process.stdout is not None
            said = [process.stdout.readline() for _ in range(after)]
            time.sleep(random.random() / 50)
            process.kill()
            said += process.stdout.readlines()
        acknowledged |= {line.strip() for line in said} - {"open", ""}
        with open_writer(disturbed) as workspace:
            keys = {key for (key,) in workspace.query("SELECT key FROM units")}
            assert keys >= acknowledged
            assert len(workspace.select(Decision)) == 2 * len(keys)
            assert workspace.verify() is None
    run_committer(disturbed, count, "closes")
    run_committer(tmp_path / "undisturbed", count, "closes")
    assert decisions(disturbed) == decisions(tmp_path / "undisturbed")


def test_a_reader_sees_what_a_killed_writer_committed(tmp_path: Path) -> None:
    run_committer(tmp_path, 3, "killed")
    assert (tmp_path / LOG).stat().st_size > 0
    assert decisions(tmp_path) == ["0 a", "0 b", "1 a", "1 b", "2 a", "2 b"]


# one writer, any number of readers


def test_a_reader_gets_the_last_snapshot_of_a_living_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PUBLISH_SECONDS", float("inf"))
    with open_writer(tmp_path) as workspace:
        assert decisions(tmp_path) == []
        workspace.commit(None, [builders.decision("a")])
        assert decisions(tmp_path) == []
        workspace.publish()
        assert decisions(tmp_path) == ["a"]
        with open_reader(tmp_path) as reader:
            workspace.commit(None, [builders.decision("b")])
            workspace.publish()
            assert len(reader.select(Decision)) == 1
            assert decisions(tmp_path) == ["a", "b"]
    assert decisions(tmp_path) == ["a", "b"]


def test_a_commit_publishes_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PUBLISH_SECONDS", -1.0)
    with open_writer(tmp_path) as workspace:
        workspace.commit(None, [builders.decision("a")])
        assert decisions(tmp_path) == ["a"]


def test_half_a_snapshot_left_by_a_killed_writer_is_no_trouble(tmp_path: Path) -> None:
    commit(tmp_path, "a")
    for name in (f".{SNAPSHOT}.part", f".{SNAPSHOT}.part.wal"):
        (tmp_path / name).write_bytes(b"half" * 9999)
    with open_writer(tmp_path):
        assert decisions(tmp_path) == ["a"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["blobs", SNAPSHOT, DATABASE]


def test_readers_of_another_process_never_fail(tmp_path: Path) -> None:
    with committer(tmp_path, 10**9, "waits") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        counts = []
        while len(counts) < 10 or counts[-1] == counts[0]:
            counts.append(len(decisions(tmp_path)))
        process.kill()
        process.communicate()
    assert counts == sorted(counts)
    assert all(count % 2 == 0 for count in counts)


def test_a_second_writer_is_told_to_wait(tmp_path: Path) -> None:
    said = (
        f"another thresher is using {tmp_path}: wait for it to end, or give this command a "
        "workspace of its own with --workspace"
    )
    with committer(tmp_path, 0, "waits") as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(WorkspaceBusy) as caught, open_writer(tmp_path):
            pass
        process.communicate()
    assert str(caught.value) == said
    with open_writer(tmp_path):
        with pytest.raises(WorkspaceBusy) as caught, open_writer(tmp_path):
            pass
        assert str(caught.value) == said


def test_a_quote_in_the_path_is_only_a_quote(tmp_path: Path) -> None:
    folder = commit(tmp_path / "it's lock, WAL", "a")
    assert decisions(folder) == ["a"]


# what isn't a workspace


@pytest.mark.parametrize("made", [False, True])
def test_reading_nothing_says_how_to_make_one(tmp_path: Path, made: bool) -> None:
    if made:  # killed before the schema was there
        duckdb.connect(str(tmp_path / DATABASE)).close()
    with pytest.raises(UsageError) as caught, open_reader(tmp_path):
        pass
    assert str(caught.value) == (
        f"there is no workspace in {tmp_path}: make one with `thresher trace pypi:NAME`, "
        "or name another with --workspace"
    )


def test_reading_before_the_first_snapshot_says_the_same(tmp_path: Path) -> None:
    with open_writer(tmp_path):
        (tmp_path / SNAPSHOT).unlink()
        with pytest.raises(UsageError, match="there is no workspace in"), open_reader(tmp_path):
            pass


@pytest.mark.parametrize(
    "content", [b"", b"lock WAL " * 999, b"SQLite format 3\0" + bytes(9999)], ids=["0", "x", "sql"]
)
@pytest.mark.parametrize("opened", [open_reader, open_writer])
def test_a_file_of_another_kind_is_named(tmp_path: Path, content: bytes, opened: type) -> None:
    path = tmp_path / DATABASE
    path.write_bytes(content)
    with pytest.raises(WorkspaceError) as caught, opened(tmp_path):
        pass
    assert f"the workspace file {path} can't be read" in str(caught.value)
    assert "not a workspace: move it away and run the command again" in str(caught.value)
    assert "extension" not in str(caught.value)  # DuckDB offers to download a reader for SQLite
    assert path.read_bytes() == content


@pytest.mark.parametrize("opened", [open_reader, open_writer])
def test_damage_inside_the_file_is_named(tmp_path: Path, opened: type) -> None:
    commit(tmp_path, *map(str, range(20_000)))
    path = tmp_path / DATABASE
    content = path.read_bytes()
    middle = len(content) // 3
    path.write_bytes(content[:middle] + bytes(3000) + content[middle + 3000 :])
    with pytest.raises(WorkspaceError) as caught, opened(tmp_path) as workspace:
        workspace.verify()
    assert str(caught.value).startswith(f"the workspace file {path} can't be read (Corrupt")


@pytest.mark.parametrize("opened", [open_reader, open_writer])
def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path, opened: type) -> None:
    commit(tmp_path, "a")
    path = tmp_path / DATABASE
    with duckdb.connect(str(path)) as connection:
        connection.execute("INSERT INTO schema_version VALUES (99)")
    before = path.read_bytes()
    with pytest.raises(WorkspaceError) as caught, opened(tmp_path):
        pass
    assert str(caught.value) == (
        f"{path} has schema 99, this thresher knows up to {SCHEMA}: install a newer one"
    )
    assert path.read_bytes() == before


def test_a_workspace_of_the_first_schema_is_read_and_brought_up_to_date(tmp_path: Path) -> None:
    scripts = importlib.resources.files("thresher.store") / "migrations"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connecting, "SCHEMA", 1)
        builders.store(tmp_path, [builders.source(), named("1"), named("2")])
    assert len(list(scripts.iterdir())) == SCHEMA
    with open_reader(tmp_path) as workspace:
        assert workspace.current(Problem) == [named("1"), named("2")]
    with open_writer(tmp_path) as workspace:
        assert workspace.current(Problem) == [named("2")]
        assert workspace.verify() is None
    with open_reader(tmp_path) as workspace:
        assert workspace.current(Problem) == [named("2")]


def test_fields_that_came_later_change_no_content() -> None:
    first = b'{"args":[2],"kwargs":{},"expected":4,"raises":null,"origin":"traced","shown":false}'
    old = msgspec.json.decode(first, type=TestCase)
    assert (old.after, old.ended) == ({}, True)
    assert canonical_json(old) == first
    made = canonical_json(builders.problem())
    assert b"mode" not in made
    assert b"tags" not in made
    assert msgspec.json.decode(made, type=Problem) == builders.problem()


# a damaged log


@pytest.fixture
def damaged_log(tmp_path: Path) -> bytes:
    """Leave a workspace with unit 0 in the file and units 1 and 2 in a log that won't replay."""
    run_committer(tmp_path, 1, "closes")
    run_committer(tmp_path, 3, "killed")
    log = tmp_path / LOG
    content = bytearray(log.read_bytes())
    content[60] ^= 0xFF
    log.write_bytes(content)
    return bytes(content)


def test_a_damaged_log_is_set_aside_and_done_again(tmp_path: Path, damaged_log: bytes) -> None:
    with open_writer(tmp_path) as workspace:
        assert [workspace.outcome(str(n)) for n in range(3)] == ["done", None, None]
    (aside,) = tmp_path.glob(f"{LOG}.set-aside-*")
    assert aside.read_bytes() == damaged_log
    run_committer(tmp_path, 3, "closes")
    assert decisions(tmp_path) == ["0 a", "0 b", "1 a", "1 b", "2 a", "2 b"]


def test_a_reader_leaves_a_damaged_log_to_the_next_writer(
    tmp_path: Path, damaged_log: bytes
) -> None:
    assert decisions(tmp_path)[:2] == ["0 a", "0 b"]
    assert (tmp_path / LOG).read_bytes() == damaged_log


@pytest.mark.parametrize(("cut", "left"), [(1, 4), (100, 4), (10**9, 0)])
def test_a_log_cut_short_loses_only_its_end(tmp_path: Path, cut: int, left: int) -> None:
    run_committer(tmp_path, 3, "killed")
    log = tmp_path / LOG
    content = log.read_bytes()
    log.write_bytes(content[: max(0, len(content) - cut)])
    with open_writer(tmp_path):
        pass
    assert (
        decisions(tmp_path) == ["0 a", "0 b", "1 a", "1 b", "2 a", "2 b"][: 0 if cut > 999 else 4]
    )


# a full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount an almost full disk; the test fills or grows it."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(folder)]).returncode:
        pytest.skip("this host can't mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def resize(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


@pytest.mark.parametrize("size", ["4k", "16k", "200k", "700k", "2m"])
@pytest.mark.parametrize("publish_seconds", [-1.0, 5.0])
def test_a_full_disk_loses_nothing_stored(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch, size: str, publish_seconds: float
) -> None:
    monkeypatch.setattr(module, "PUBLISH_SECONDS", publish_seconds)
    resize(small_disk, size)
    folder, stored = small_disk / "workspace", list[str]()
    with pytest.raises(duckdb.Error, match="No space left"), open_writer(folder) as workspace:
        while True:
            subject = f"{len(stored)} {os.urandom(20_000).hex()}"
            workspace.commit(None, [builders.decision(subject)])
            stored.append(subject)
    assert list(folder.glob(".*.part*")) == []
    resize(small_disk, "50m")
    with open_writer(folder) as workspace:
        # the last one may be stored though its snapshot couldn't be published
        assert [d.subject for d in workspace.select(Decision)][: len(stored)] == stored
        workspace.commit(None, [builders.decision("more")])
        assert workspace.verify() is None
    assert decisions(folder)[-1] == "more"


def test_ctrl_c_in_a_query_is_no_error_of_the_database(tmp_path):
    with open_writer(tmp_path) as workspace:
        threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            workspace.query("SELECT count(*) FROM range(10_000_000_000)")
