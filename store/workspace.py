"""The workspace: one DuckDB file and a blob folder. One process writes, any number read.

A writer publishes snapshots beside its file; a reader that finds the file taken opens the last
one, so that nobody is ever told about a lock.
"""

import contextlib
import hashlib
import importlib.resources
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import duckdb
import msgspec

from thresher.errors import UsageError, WorkspaceBusy, WorkspaceError
from thresher.store import ledger
from thresher.store.records import Record, canonical_json
from thresher.store.tables import TABLES

SCHEMA = 1
PUBLISH_SECONDS = 5.0
DATABASE = "workspace.duckdb"
SNAPSHOT = "snapshot.duckdb"
R = TypeVar("R", bound=Record)


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


class Workspace:
    """An open workspace; made by `open_writer` and `open_reader`.

    Attributes:
        folder: where it is.
        blobs: the content-addressed folder of raw bytes (see `thresher.store.blobs`).
    """

    def __init__(self, folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.folder = folder
        self.blobs = folder / "blobs"
        self._db = connection
        self._last = self._last_entry()
        self._published = 0.0

    def _last_entry(self) -> ledger.Entry | None:
        row = self._db.execute("SELECT * FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
        return ledger.Entry(*row) if row else None

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
        last, entries = self._last, list[ledger.Entry]()
        rows: dict[type[Record], list[tuple[Any, ...]]] = {}
        for record in records:
            table = TABLES[type(record)]
            content = canonical_json(record)
            last = ledger.entry(last, type(record).__name__, table.subject(record), content)
            entries.append(last)
            keys = tuple(getattr(record, column) for column in table.columns)
            rows.setdefault(type(record), []).append((last.seq, *keys, content.decode()))
        with self._transaction():
            for kind, made in rows.items():
                self._insert(TABLES[kind].name, made)
            self._insert("ledger", entries)
            self._insert("units", [unit] if unit else [])
        self._last = last
        if time.monotonic() - self._published > PUBLISH_SECONDS:
            self.publish()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.begin()
        try:
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

    def publish(self) -> None:
        """Write the snapshot that readers open while this process writes."""
        fresh = self.folder / f".{SNAPSHOT}.part"
        fresh.unlink(missing_ok=True)
        # COPY, not a file copy: closing a second descriptor would drop the database's file lock.
        self._db.execute(f"ATTACH '{_quoted(fresh)}' AS snapshot")
        try:
            self._db.execute("COPY FROM DATABASE workspace TO snapshot")
        finally:
            self._db.execute("DETACH snapshot")
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
        """Return the last word on each subject: of problems and decisions only."""
        return self._select(kind, f"current_{TABLES[kind].name}", where, values)

    def _select(self, kind: type[R], table: str, where: str, values: Sequence[object]) -> list[R]:
        query = f"SELECT record FROM {table} WHERE {where} ORDER BY seq"  # noqa: S608
        rows = self._db.execute(query, list(values)).fetchall()
        return [msgspec.json.decode(text, type=kind) for (text,) in rows]

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a read-only query of our own and return its rows."""
        return self._db.execute(sql, list(values)).fetchall()

    def verify(self) -> str | None:
        """Check the whole ledger; return the first thing wrong, or None."""
        contents: dict[int, bytes] = {}
        for table in TABLES.values():
            for seq, text in self.query(f"SELECT seq, record FROM {table.name}"):  # noqa: S608
                contents[seq] = text.encode()
        entries = self.query("SELECT * FROM ledger ORDER BY seq")
        return ledger.first_break((ledger.Entry(*row) for row in entries), contents)

    def close(self) -> None:
        """Close the database."""
        self._db.close()


@contextlib.contextmanager
def open_writer(folder: Path) -> Iterator[Workspace]:
    """Open or make a workspace for writing.

    Raises:
        WorkspaceBusy: another process is writing it.
        WorkspaceError: it is corrupt, or was made by a newer thresher.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / DATABASE
    connection = _connect(path, "write")
    try:
        _migrate(connection, path)
        workspace = Workspace(folder, connection)
        workspace.publish()
        yield workspace
        workspace.publish()
    finally:
        connection.close()


@contextlib.contextmanager
def open_reader(folder: Path) -> Iterator[Workspace]:
    """Open a workspace for reading, or its last snapshot while another process writes.

    Raises:
        WorkspaceError: there is none, or it is corrupt.
    """
    path = folder / DATABASE
    if not path.exists():
        raise UsageError(
            f"there is no workspace in {folder}: make one with `thresher trace pypi:NAME`, "
            "or name another with --workspace"
        )
    try:
        connection = _connect(path, "read")
    except WorkspaceBusy:
        connection = _connect(folder / SNAPSHOT, "read")
    try:
        yield Workspace(folder, connection)
    finally:
        connection.close()


def _connect(path: Path, mode: Literal["read", "write"]) -> duckdb.DuckDBPyConnection:
    try:
        return _open(path, mode)
    except duckdb.Error as error:
        log = path.with_name(path.name + ".wal")
        if mode == "write" and log.exists() and "WAL" in str(error):
            log.replace(log.with_name(f"{log.name}.set-aside-{int(time.time())}"))
            return _open(path, mode)  # the ledger of units redoes what the log held
        raise WorkspaceError(
            f"the workspace file {path} can't be opened ({_first_line(error)}). It is damaged or "
            "not a workspace: move it away and run the command again; blobs/ stays as it is"
        ) from None


def _open(path: Path, mode: Literal["read", "write"]) -> duckdb.DuckDBPyConnection:
    try:
        connection = duckdb.connect(":memory:")
        option = " (READ_ONLY)" if mode == "read" else ""
        connection.execute(f"ATTACH '{_quoted(path)}' AS workspace{option}")
        connection.execute("USE workspace")
    except duckdb.IOException as error:
        if "lock" not in str(error):
            raise
        raise WorkspaceBusy(
            f"another thresher is writing {path.parent}: wait for it to end, or give this command "
            "a workspace of its own with --workspace"
        ) from None
    return connection


def _migrate(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Bring the schema to the present version, each step in a transaction of its own."""
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER)")
    row = connection.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchone()
    version = row[0] if row else 0
    if version > SCHEMA:
        raise WorkspaceError(
            f"{path} has schema {version}, this thresher knows up to {SCHEMA}: install a newer one"
        )
    for number in range(version + 1, SCHEMA + 1):
        script = importlib.resources.files("thresher.store") / "migrations" / f"{number:04}.sql"
        connection.begin()
        connection.execute(script.read_text())
        connection.execute("INSERT INTO schema_version VALUES ($1)", [number])
        connection.commit()
        connection.execute("CHECKPOINT")


def _quoted(path: Path) -> str:
    return os.fspath(path).replace("'", "''")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:200]
