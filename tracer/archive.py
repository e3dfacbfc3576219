"""Source archives are read in memory and unpacked, however they are damaged or meant to harm."""

import bz2
import email.message
import email.parser
import errno
import functools
import gzip
import io
import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from thresher.errors import SourceError

MAX_UNPACKED = 512 << 20
MAX_MEMBERS = 20_000
# What reading a damaged archive can raise; RuntimeError where it is encrypted or nested too deep.
DAMAGE = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, ValueError, OverflowError, RuntimeError),
)
# How writing fails when members clash; a full disk is none of the archive's doing.
CLASHES = {errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG}


class Member(NamedTuple):
    """A regular file of an archive, its path relative to the archive's one top folder."""

    path: PurePosixPath
    content: bytes


class _Entry(NamedTuple):
    """Anything an archive lists: `read` gives its bytes, None where it's no regular file."""

    name: str
    size: int
    read: Callable[[], bytes] | None


def members(archive: bytes, name: str) -> Iterator[Member]:
    """Yield the regular files of a .tar.gz, .tar.bz2 or .zip sdist; other entries are passed over.

    Raises:
        SourceError: the archive is damaged, too large, or names a path outside its folder.
    """
    try:
        yield from _files(_zip(archive) if archive[:2] == b"PK" else _tar(archive, name), name)
    except DAMAGE as error:
        raise SourceError("bad-archive", f"{name}: can't be unpacked ({error})") from None


def _files(entries: Iterator[_Entry], name: str) -> Iterator[Member]:
    total = 0
    for count, entry in enumerate(entries):
        total += max(entry.size, 0)  # headers may well say less than nothing
        if count >= MAX_MEMBERS or total > MAX_UNPACKED:
            raise _too_large(name)
        path = PurePosixPath(entry.name)
        if entry.read is None:
            continue
        if path.is_absolute() or ".." in path.parts or "\0" in entry.name:
            raise SourceError("bad-archive", f"{name}: holds the path {entry.name!r}")
        if len(path.parts) > 1:
            yield Member(PurePosixPath(*path.parts[1:]), entry.read())


def _too_large(name: str) -> SourceError:
    return SourceError("too-large", f"{name}: unpacks to too much, left out")


def _tar(archive: bytes, name: str) -> Iterator[_Entry]:
    opener = bz2.open if archive[:3] == b"BZh" else gzip.open
    # All at once: headers can ask for any length, which tarfile would read without a limit.
    with opener(io.BytesIO(archive)) as file:
        plain = file.read(MAX_UNPACKED + 1)
    if len(plain) > MAX_UNPACKED:
        raise _too_large(name)
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as tar:
        for info in tar:
            data = tar.extractfile(info) if info.isreg() else None
            yield _Entry(info.name, info.size, data.read if data else None)


def _zip(archive: bytes) -> Iterator[_Entry]:
    with zipfile.ZipFile(io.BytesIO(archive)) as bundle:
        for info in bundle.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            regular = not info.filename.endswith("/") and kind in (0, stat.S_IFREG)
            read = functools.partial(bundle.read, info) if regular else None
            yield _Entry(info.filename, info.file_size, read)


def unpack(archive: bytes, name: str, folder: Path) -> None:
    """Write the regular files of an sdist below `folder`, made anew.

    Raises:
        SourceError: see `members`; also where one path is both a file and a folder.
        OSError: the disk is full or can't be written.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for member in members(archive, name):
        target = folder / member.path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(member.content)
        except OSError as error:
            if error.errno not in CLASHES:
                raise
            why = f"holds {str(member.path)!r:.100}, which can't be written ({error.strerror})"
            raise SourceError("bad-archive", f"{name}: {why}") from None


def metadata(archive: bytes, name: str) -> email.message.Message:
    """Return the core metadata in an sdist's top PKG-INFO, empty where there is none.

    Raises:
        SourceError: see `members`.
    """
    for member in members(archive, name):
        if member.path == PurePosixPath("PKG-INFO"):
            text = member.content.decode("utf-8", "replace")
            return email.parser.HeaderParser().parsestr(text)
    return email.message.Message()
