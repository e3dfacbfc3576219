"""The workspace: one DuckDB file and a blob folder. One process writes, any number read.

A writer publishes snapshots beside its file; a reader that finds the file taken opens the last
one, so that nobody is ever told about a lock.
"""

import contextlib
import functools
import hashlib
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import duckdb
import msgspec

from thresher.store import blobs, ledger
from thresher.store.connection import (
    DATABASE,
    SNAPSHOT,
    connect_reader,
    connect_writer,
    damage_named,
    log_of,
    migrate,
    nothing_there,
    quoted,
    schema_version_of,
)
from thresher.store.records import Record, Source, canonical_json
from thresher.store.tables import TABLES

PUBLISH_SECONDS = 5.0
R = TypeVar("R", bound=Record)
P = ParamSpec("P")
T = TypeVar("T")


class Unit(NamedTuple):
    """A piece of work that is done once: `outcome` is ``done`` or the reason it failed for."""

    key: str
    stage: str
    subject: str
    outcome: str = "done"


def unit_key(stage: str, version: int, configuration: object, input_id: str) -> str:
    """Name a unit by all that decides its result."""
    content = canonical_json([stage, version, configuration, input_id])
    return hashlib.sha256(content).hexdigest()


@contextlib.contextmanager
def _interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt where DuckDB has it end a query with an error of its own."""
    try:
        yield
    except RuntimeError as error:
        if "Query interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None


def _alone(method: Callable[P, T]) -> Callable[P, T]:
    """Let one thread at a time use the connection, whose transaction is everybody's."""

    @functools.wraps(method)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        with args[0]._lock, _interrupts():  # type: ignore[attr-defined]
            return method(*args, **kwargs)

    return wrapped


class Workspace:
    """An open workspace; made by `open_writer` and `open_reader`, used from any thread.

    Attributes:
        folder: where it is.
        blobs: the content-addressed folder of raw bytes (see `thresher.store.blobs`).
        scratch: a writer's private folder, empty when it opens and gone when it closes.
    """

    def __init__(self, folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.folder = folder
        self.blobs = folder / "blobs"
        self.scratch = folder / "scratch"
        self._db = connection
        self._lock = threading.RLock()
        self._last = self._last_entry()
        self._published = 0.0

    def _last_entry(self) -> ledger.Entry | None:
        row = self._db.execute("SELECT * FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
        return ledger.Entry(*row) if row else None

    @_alone
    def outcome(self, key: str) -> str | None:
        """Return how a unit ended, or None where it wasn't done."""
        row = self._db.execute(
            "SELECT outcome FROM units WHERE key = $1 ORDER BY outcome = 'done' DESC LIMIT 1", [key]
        ).fetchone()
        return row[0] if row else None

    def commit(self, unit: Unit | None, records: Sequence[Record]) -> None:
        """Store records, their ledger entries and the unit that made them, all or nothing.

        Raises:
            duckdb.Error: the database can't be written; nothing of this was stored.
        """
        self.commit_units([unit] if unit else [], records)

    @_alone
    def commit_units(self, units: Sequence[Unit], records: Sequence[Record]) -> None:
        """Do for several units what `commit` does for one: far cheaper where they are small.

        Raises:
            duckdb.Error: the database can't be written; nothing of this was stored.
        """
        last, entries = self._last, list[ledger.Entry]()
        rows: dict[type[Record], list[tuple[Any, ...]]] = {}
        for record in records:
            table = TABLES[type(record)]
            content = canonical_json(record)
            last = ledger.entry(last, type(record).__name__, table.subject(record), content)
            entries.append(last)
            row = (last.seq, *table.keys(record), content.decode())
            rows.setdefault(type(record), []).append(row)
        with self._transaction():
            for kind, made in rows.items():
                self._insert(TABLES[kind].name, made)
            self._insert("ledger", entries)
            self._insert("units", units)
        self._last = last
        if time.monotonic() - self._published > PUBLISH_SECONDS:
            self.publish()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.begin()
            yield
        except BaseException:
            with contextlib.suppress(duckdb.Error):
                self._db.rollback()
            raise
        self._db.commit()

    def _insert(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert rows column by column: hundreds of times faster than row by row."""
        if rows:
            columns = [list(column) for column in zip(*rows, strict=True)]
            slots = ", ".join(f"unnest(${n})" for n in range(1, len(columns) + 1))
            self._db.execute(f"INSERT INTO {table} SELECT {slots}", columns)  # noqa: S608

    @_alone
    def publish(self) -> None:
        """Write the snapshot that readers open while this process writes."""
        fresh = self.folder / f".{SNAPSHOT}.part"
        fresh.unlink(missing_ok=True)
        # COPY, not a file copy: closing a second descriptor would drop the database's file lock.
        try:
            self._db.execute(f"ATTACH '{quoted(fresh)}' AS snapshot")
            try:
                self._db.execute("COPY FROM DATABASE workspace TO snapshot")
            finally:
                self._db.execute("DETACH snapshot")
        except duckdb.Error:
            for part in (fresh, log_of(fresh)):  # the disk may be full: give the space back
                part.unlink(missing_ok=True)
            raise
        fresh.replace(self.folder / SNAPSHOT)
        self._published = time.monotonic()

    def select(self, kind: type[R], where: str = "true", *values: object) -> list[R]:
        """Return the records of a kind in the order they were stored.

        Args:
            kind: the record type.
            where: an SQL condition on the table's key columns, with $1, $2… for `values`.
            values: its parameters.
        """
        return self._select(kind, TABLES[kind].name, where, values)

    def current(self, kind: type[R], where: str = "true", *values: object) -> list[R]:
        """Return the last word on each subject: of problems, decisions and refinements only."""
        return self._select(kind, f"current_{TABLES[kind].name}", where, values)

    @_alone
    def _select(self, kind: type[R], table: str, where: str, values: Sequence[object]) -> list[R]:
        query = f"SELECT record FROM {table} WHERE {where} ORDER BY seq"  # noqa: S608
        rows = self._db.execute(query, list(values)).fetchall()
        return [msgspec.json.decode(text, type=kind) for (text,) in rows]

    @_alone
    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a read-only query of our own and return its rows."""
        return self._db.execute(sql, list(values)).fetchall()

    def verify(self) -> str | None:
        """Check the whole ledger; return the first thing wrong, or None."""
        entries = self.query("SELECT * FROM ledger ORDER BY seq")
        stored = [row for kind in TABLES for row in self._stored(kind)]
        contents = [(row.seq, row.record) for row in stored]
        broken = ledger.first_break((ledger.Entry(*row) for row in entries), contents)
        return broken or next(filter(None, map(_misfiled, stored)), None)

    def verify_blobs(self) -> str | None:
        """Check the raw bytes of every source; return the first that is gone or changed."""
        for source in self.select(Source):
            try:
                data = blobs.get(self.blobs, source.sha256)
            except OSError:
                return f"the raw bytes of {source.url} are gone from blobs/ ({source.sha256})"
            if hashlib.sha256(data).hexdigest() != source.sha256:
                return f"the raw bytes of {source.url} in blobs/ were changed ({source.sha256})"
        return None

    def _stored(self, kind: type[Record]) -> Iterator["_Stored"]:
        table = TABLES[kind]
        names = ", ".join(("seq", *table.columns, "record"))
        for seq, *keys, text in self.query(f"SELECT {names} FROM {table.name}"):  # noqa: S608
            yield _Stored(kind, seq, tuple(keys), text.encode())

    def close(self) -> None:
        """Close the database."""
        self._db.close()


@contextlib.contextmanager
def open_writer(folder: Path, create: bool = True) -> Iterator[Workspace]:
    """Open a workspace for writing; make it where there is none and `create` says so.

    Raises:
        UsageError: there is none, and none is to be made.
        WorkspaceBusy: another process is writing it.
        WorkspaceError: it is corrupt, or was made by a newer thresher.
    """
    path = folder / DATABASE
    if not create and not path.exists():
        raise nothing_there(folder)
    folder.mkdir(parents=True, exist_ok=True)
    connection = connect_writer(path)
    try:
        with damage_named(path):
            migrate(connection, path)
            workspace = Workspace(folder, connection)
            shutil.rmtree(workspace.scratch, ignore_errors=True)  # of one that was killed
            workspace.scratch.mkdir(mode=0o700, exist_ok=True)
            workspace.publish()
            yield workspace
            workspace.publish()
            shutil.rmtree(workspace.scratch, ignore_errors=True)
    finally:
        connection.close()


@contextlib.contextmanager
def open_reader(folder: Path) -> Iterator[Workspace]:
    """Open a workspace for reading, or its last snapshot while another process writes.

    Raises:
        UsageError: there is none.
        WorkspaceError: it is corrupt, or was made by a newer thresher.
    """
    path = folder / DATABASE
    if not path.exists():
        raise nothing_there(folder)
    connection = connect_reader(folder)
    try:
        with damage_named(path):
            if schema_version_of(connection, path) == 0:
                raise nothing_there(folder)
            yield Workspace(folder, connection)
    finally:
        connection.close()


class _Stored(NamedTuple):
    """A row as it is: the key columns stand beside the record they were copied from."""

    kind: type[Record]
    seq: int
    keys: tuple[Any, ...]
    record: bytes


def _misfiled(row: _Stored) -> str | None:
    """Say when a row isn't under its record's own keys, so that queries miss or invent it."""
    try:
        record = msgspec.json.decode(row.record, type=row.kind)
    except msgspec.ValidationError:
        return f"record {row.seq} is no {row.kind.__name__} but stands among them"
    if row.keys != TABLES[row.kind].keys(record):
        return f"record {row.seq} ({row.kind.__name__}): its key columns were changed"
    return None
