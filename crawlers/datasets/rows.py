"""The rows of a data set on disk: JSON Lines, plain or gzip, and Parquet, one at a time.

A row is a struct that names the fields that are read; its other fields don't matter. Of JSON Lines
one line is in memory at a time, of Parquet the wanted columns of one file.
"""

import gzip
import itertools
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

import duckdb
import msgspec

from thresher.crawlers.site import Found
from thresher.crawlers.statement import Statement
from thresher.errors import SourceError, UsageError
from thresher.store.records import canonical_json

T = TypeVar("T", bound=msgspec.Struct)
LONGEST_LINE = 256 * 2**20  # bytes; rows of CodeContests have tens of millions
BATCH = 16  # rows of a Parquet file at once
HELD_OUT = re.compile(r"(?:^|[/_-])(?:test|valid|validation|eval)(?=$|[/_.-])")
GZIP = b"\x1f\x8b"
ENDINGS = (".jsonl", ".jsonl.gz", ".json.gz", ".ndjson", ".parquet")


class Row(NamedTuple):
    """One line or row: its file and number, its bytes, and what it says or why not."""

    name: str
    raw: bytes
    fields: msgspec.Struct | SourceError


def collect(path: Path, kind: type[T], read: Callable[[T], Statement]) -> Iterator[Found]:
    """Yield the problem of each row of a file, or of each file in a folder, in order.

    Args:
        path: a JSON Lines or Parquet file, or a folder with such files.
        kind: the struct with the fields that are read.
        read: makes a row a statement; raises SourceError.

    Raises:
        UsageError: there is no such file, or none in the folder.
    """
    for name, raw, fields in each(path, kind):
        yield marked(Found(name, raw, _statement(name, fields, read)))


def each(path: Path, kind: type[msgspec.Struct]) -> Iterator[Row]:
    """Yield the rows of a file, or of the files in a folder, in order; see `collect`."""
    for file in files(path):
        yield from _rows(file, kind)


def marked(found: Found) -> Found:
    """Flag a problem of the part of a data set that is held out to measure with."""
    if isinstance(found.statement, SourceError) or not HELD_OUT.search(found.name):
        return found
    flags = tuple(sorted({"benchmark", *found.statement.flags}))
    return found._replace(statement=msgspec.structs.replace(found.statement, flags=flags))


def files(path: Path) -> list[Path]:
    """Return the file itself, or the JSON Lines and Parquet files in a folder, sorted.

    Raises:
        UsageError: there is no such file, or none in the folder.
    """
    found = [path]
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.name.endswith(ENDINGS))
    if not found or not path.exists():
        raise UsageError(f"there is no data set at {path}: name a JSON Lines or Parquet file")
    return found


def _statement(
    name: str, fields: msgspec.Struct | SourceError, read: Callable[[T], Statement]
) -> Statement | SourceError:
    if isinstance(fields, SourceError):
        return fields
    try:
        return read(fields)  # type: ignore[arg-type]
    except SourceError as error:
        return SourceError(error.reason, f"{name}: {error}")


def _rows(file: Path, kind: type[msgspec.Struct]) -> Iterator[Row]:
    try:
        yield from (_parquet_rows if file.suffix == ".parquet" else _line_rows)(file, kind)
    except (OSError, EOFError, zlib.error, duckdb.Error) as error:
        message = f"{file} can't be read on ({error}): fetch it again"
        yield Row(file.name, b"", SourceError("torn-file", message))


def _line_rows(file: Path, kind: type[msgspec.Struct]) -> Iterator[Row]:
    with _opened(file) as lines:
        number = 0
        while line := lines.readline(LONGEST_LINE):
            number += 1
            name = f"{file.name}:{number}"
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(lines)
                message = f"{name} is a line of more than {LONGEST_LINE} bytes"
                yield Row(name, b"", SourceError("line-too-long", message))
            elif line.strip():
                text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                yield Row(name, line, _decoded(name, text, kind))


def _opened(file: Path) -> BinaryIO:
    with file.open("rb") as start:
        packed = start.read(len(GZIP)) == GZIP
    return gzip.open(file) if packed else file.open("rb")  # type: ignore[return-value]


def _skip_line(lines: BinaryIO) -> None:
    while (rest := lines.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def _decoded(name: str, line: bytes, kind: type[T]) -> T | SourceError:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError as error:
        return SourceError("bad-row", f"{name} has other fields than such a data set: {error}")
    except (msgspec.DecodeError, RecursionError) as error:
        if not line.endswith(b"\n"):
            message = f"{name} ends in the middle, as after a crash ({error}): fetch the file again"
            return SourceError("torn-line", message)
        return SourceError("bad-json", f"{name} isn't JSON: {error}")


def _parquet_rows(file: Path, kind: type[T]) -> Iterator[Row]:
    """Yield the rows of a Parquet file; DuckDB unpacks at least 2,048 of them at once anyway."""
    with duckdb.connect() as database:
        there = database.execute("DESCRIBE SELECT * FROM read_parquet($1)", [str(file)]).fetchall()
        names = sorted({column[0] for column in there}.intersection(kind.__struct_fields__))
        columns = ", ".join(names) or "NULL"
        query = f"SELECT {columns} FROM read_parquet($1)"  # noqa: S608  (the struct's own names)
        found = database.execute(query, [str(file)])
        batches = iter(lambda: found.fetchmany(BATCH), [])
        for number, values in enumerate(itertools.chain.from_iterable(batches), 1):
            fields = dict(zip(names, values, strict=False))
            yield _parquet_row(f"{file.name}:{number}", fields, kind)


def _parquet_row(name: str, values: dict[str, object], kind: type[T]) -> Row:
    raw = canonical_json(values)
    try:
        return Row(name, raw, msgspec.convert(values, kind))
    except msgspec.ValidationError as error:
        message = f"{name} has other fields than such a data set: {error}"
        return Row(name, raw, SourceError("bad-row", message))
