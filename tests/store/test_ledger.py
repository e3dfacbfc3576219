import hashlib
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store import builders
from thresher.store.connection import DATABASE
from thresher.store.ledger import GENESIS, Entry, entry, first_break
from thresher.store.workspace import open_reader

Chain = list[Entry]
Stored = list[tuple[int, bytes]]


def chain(records: list[bytes]) -> tuple[Chain, Stored]:
    entries: Chain = []
    for record in records:
        entries.append(entry(entries[-1] if entries else None, "Kind", "subject", record))
    return entries, list(enumerate(records, 1))


def test_an_entry_carries_the_hash_before_it() -> None:
    first = entry(None, "Source", "one", b"{}")
    second = entry(first, "Problem", "two", b"[]")
    assert first == Entry(
        seq=1,
        kind="Source",
        subject="one",
        content=hashlib.sha256(b"{}").hexdigest(),
        previous=GENESIS,
        hash=hashlib.sha256(
            f'[1,"Source","one","{hashlib.sha256(b"{}").hexdigest()}","{GENESIS}"]'.encode()
        ).hexdigest(),
    )
    assert (second.seq, second.previous) == (2, first.hash)


@given(st.lists(st.binary(max_size=5), max_size=5))
def test_an_untouched_chain_is_whole(records: list[bytes]) -> None:
    entries, stored = chain(records)
    assert first_break(entries, stored) is None
    assert first_break(entries, stored[::-1]) is None


@given(st.lists(st.binary(max_size=5), min_size=1, max_size=5), st.data())
def test_any_one_edit_is_found(records: list[bytes], data: st.DataObject) -> None:
    entries, stored = chain(records)
    at = data.draw(st.integers(0, len(records) - 1), "at")
    edit = data.draw(st.sampled_from(sorted(EDITS)), "edit")
    EDITS[edit](entries, stored, at)
    assert first_break(entries, stored) is not None


def _change_field(field: str) -> Callable[[Chain, Stored, int], None]:
    def change(entries: Chain, stored: Stored, at: int) -> None:
        value = getattr(entries[at], field)
        other = value + 1 if isinstance(value, int) else f"{value}x"
        entries[at] = entries[at]._replace(**{field: other})

    return change


def _change_record(entries: Chain, stored: Stored, at: int) -> None:
    stored[at] = (stored[at][0], stored[at][1] + b"x")


def _remove_entry(entries: Chain, stored: Stored, at: int) -> None:
    del entries[at]


def _remove_record(entries: Chain, stored: Stored, at: int) -> None:
    del stored[at]


def _add_record(entries: Chain, stored: Stored, at: int) -> None:
    stored.append((len(stored) + 1, b"more"))


def _add_record_at_a_taken_place(entries: Chain, stored: Stored, at: int) -> None:
    stored.insert(0, (stored[at][0], b"more"))


def _repeat_entry(entries: Chain, stored: Stored, at: int) -> None:
    entries.insert(at, entries[at])


def _add_unchained_entry(entries: Chain, stored: Stored, at: int) -> None:
    entries.append(entry(None, "Kind", "subject", b"more")._replace(seq=len(entries) + 1))
    stored.append((len(entries), b"more"))


EDITS: dict[str, Callable[[Chain, Stored, int], None]] = {
    **{f"{field} changed": _change_field(field) for field in Entry._fields},
    "record changed": _change_record,
    "entry removed": _remove_entry,
    "record removed": _remove_record,
    "record added": _add_record,
    "record added at a taken place": _add_record_at_a_taken_place,
    "entry repeated": _repeat_entry,
    "entry added": _add_unchained_entry,
}


@given(st.lists(st.binary(max_size=5), min_size=3, max_size=6, unique=True), st.data())
def test_two_records_that_changed_places_are_found(
    records: list[bytes], data: st.DataObject
) -> None:
    entries, stored = chain(records)
    one, other = data.draw(st.permutations(range(len(records))))[:2]
    stored[one], stored[other] = (one + 1, records[other]), (other + 1, records[one])
    assert first_break(entries, stored) == f"entry {min(one, other) + 1} (Kind subject) was changed"


def test_a_past_written_anew_is_found_at_its_end() -> None:
    entries, stored = chain([b"a", b"b", b"c"])
    entries[0] = entry(None, "Kind", "subject", b"forged")
    stored[0] = (1, b"forged")
    assert first_break(entries, stored) == "entry 2 (Kind subject) was changed"


# What a person with the DuckDB command line could do to a workspace, and what `verify` says.
TASK = "pypi/demo/1.0/demo.double-00000001"
EDITED = [
    (
        "UPDATE problems SET record = replace(record, '2 * x', '3 * x')",
        f"entry 2 (Problem {TASK}) was changed",
    ),
    (
        "UPDATE ledger SET subject = 'other' WHERE seq = 2",
        "entry 2 (Problem other) was changed",
    ),
    ("DELETE FROM ledger WHERE seq = 2", f"entry 3 (Decision {TASK} filters) was changed"),
    ("DELETE FROM ledger WHERE seq = 3", "1 stored records have no ledger entry"),
    ("DELETE FROM problems", f"entry 2 (Problem {TASK}): its record is gone"),
    (
        "INSERT INTO decisions SELECT 4, subject, 'forged', keep, reason, record FROM decisions",
        "1 stored records have no ledger entry",
    ),
    ("INSERT INTO decisions FROM decisions", "1 stored records have no ledger entry"),
    (
        "UPDATE decisions SET keep = NOT keep",
        "record 3 (Decision): its key columns were changed",
    ),
    (
        "INSERT INTO runs SELECT seq, id, record FROM sources; DELETE FROM sources",
        "record 1 is no Run but stands among them",
    ),
]


@pytest.mark.parametrize(("statement", "said"), EDITED, ids=[said for _, said in EDITED])
def test_an_edited_workspace_is_found(tmp_path: Path, statement: str, said: str) -> None:
    records = [builders.source(), builders.problem(), builders.decision(TASK)]
    folder = builders.store(tmp_path, records)
    with duckdb.connect(str(folder / DATABASE)) as connection:
        connection.execute(statement)
    with open_reader(folder) as workspace:
        assert workspace.verify() == said


def test_an_unedited_workspace_is_whole(tmp_path: Path) -> None:
    folder = builders.store(
        tmp_path,
        [
            builders.source(),
            builders.problem(),
            builders.decision(TASK),
            builders.sample(TASK),
            builders.execution(TASK),
        ],
    )
    with open_reader(folder) as workspace:
        assert workspace.verify() is None
