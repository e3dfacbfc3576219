"""The connection to a workspace's database: opened, migrated, and what stands in the way named."""

import contextlib
import importlib.resources
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import duckdb

from thresher.errors import UsageError, WorkspaceBusy, WorkspaceError

SCHEMA = 4
BUSY_SECONDS = 2.0
DATABASE = "workspace.duckdb"
SNAPSHOT = "snapshot.duckdb"
BUSY = ("Could not set lock", "already attached")  # in another process, in this one
Mode = Literal["read", "write"]


def connect_writer(path: Path) -> duckdb.DuckDBPyConnection:
    """Open a database for writing, made where there is none; wait a little for readers.

    Raises:
        WorkspaceBusy: another process has it.
        WorkspaceError: it is damaged or can't be written.
    """
    is_new = not path.exists()
    patience = time.monotonic() + BUSY_SECONDS
    try:
        while True:
            try:
                return _connect(path, "write")
            except WorkspaceBusy:  # a reader is soon done
                if time.monotonic() > patience:
                    raise
                time.sleep(0.1)
    except duckdb.Error:  # the disk is full
        if is_new:
            path.unlink(missing_ok=True)  # the start of a file would pass for a damaged one
        raise


def connect_reader(folder: Path) -> duckdb.DuckDBPyConnection:
    """Open a workspace's database for reading, or the snapshot that its writer published.

    Raises:
        UsageError: its first writer has yet to publish one.
        WorkspaceError: it is damaged.
    """
    try:
        return _connect(folder / DATABASE, "read")
    except WorkspaceBusy:
        if not (folder / SNAPSHOT).exists():
            raise nothing_there(folder) from None  # its first writer has yet to publish it
        return _connect(folder / SNAPSHOT, "read")


def _connect(path: Path, mode: Mode) -> duckdb.DuckDBPyConnection:
    try:
        return _open(path, mode)
    except duckdb.Error as error:
        if "No space left" in str(error):
            raise
        if "replaying WAL" not in str(error):
            raise _unusable(path, error) from None
    if mode == "read":  # the next writer mends it
        return _connect(path.with_name(SNAPSHOT), mode)
    log = log_of(path)
    log.replace(log.with_name(f"{log.name}.set-aside-{int(time.time())}"))
    return _connect(path, mode)  # the ledger of units redoes what the log held


def _open(path: Path, mode: Mode) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    # the type is named because DuckDB would download a reader for another kind of database
    options = "TYPE DUCKDB, READ_ONLY" if mode == "read" else "TYPE DUCKDB"
    try:
        connection.execute(f"ATTACH '{quoted(path)}' AS workspace ({options})")
        connection.execute("USE workspace")
    except duckdb.Error as error:
        connection.close()
        if not any(sign in str(error) for sign in BUSY):
            raise
        raise WorkspaceBusy(
            f"another thresher is using {path.parent}: wait for it to end, or give this command "
            "a workspace of its own with --workspace"
        ) from None
    return connection


@contextlib.contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Say of a damaged file which one it is; DuckDB may come upon the damage at any query."""
    try:
        yield
    except duckdb.Error as error:
        if "Corrupt" not in str(error):
            raise
        raise _unusable(path, error) from None


def _unusable(path: Path, error: duckdb.Error) -> WorkspaceError:
    if "Permission denied" in str(error) or "Read-only file system" in str(error):
        return WorkspaceError(
            f"{path} can't be opened for writing ({_first_line(error)}): make it and its folder "
            "writable, or name another workspace with --workspace"
        )
    return WorkspaceError(
        f"the workspace file {path} can't be read ({_first_line(error)}). It is damaged or "
        "not a workspace: move it away and run the command again; blobs/ stays as it is"
    )


def nothing_there(folder: Path) -> UsageError:
    """Return the error that says that there is no workspace."""
    return UsageError(
        f"there is no workspace in {folder}: make one with `thresher trace pypi:NAME`, "
        "or name another with --workspace"
    )


def schema_version_of(connection: duckdb.DuckDBPyConnection, path: Path) -> int:
    """Return the version of the schema, 0 where there is none yet; refuse a newer one."""
    known = connection.execute(
        "SELECT 1 FROM duckdb_tables() "
        "WHERE database_name = 'workspace' AND table_name = 'schema_version'"
    ).fetchone()
    versions = connection.execute("SELECT version FROM schema_version").fetchall() if known else []
    version = max((number for (number,) in versions), default=0)
    if version > SCHEMA:
        raise WorkspaceError(
            f"{path} has schema {version}, this thresher knows up to {SCHEMA}: install a newer one"
        )
    return version


def migrate(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Bring the schema to the present version, each step in a transaction of its own."""
    version = schema_version_of(connection, path)
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER)")
    for number in range(version + 1, SCHEMA + 1):
        script = importlib.resources.files("thresher.store") / "migrations" / f"{number:04}.sql"
        connection.begin()
        connection.execute(script.read_text())
        connection.execute("INSERT INTO schema_version VALUES ($1)", [number])
        connection.commit()
        connection.execute("CHECKPOINT")


def log_of(path: Path) -> Path:
    """Return the database's write-ahead log."""
    return path.with_name(f"{path.name}.wal")


def quoted(path: Path) -> str:
    """Return a path as it stands in an SQL text."""
    return os.fspath(path).replace("'", "''")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:200]
