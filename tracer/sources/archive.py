"""Archives of sources: read in memory and unpacked, however they are damaged or meant to harm."""

import bz2
import errno
import functools
import gzip
import io
import lzma
import posixpath
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from thresher.errors import SourceError

MAX_UNPACKED = 512 << 20
MAX_MEMBERS = 20_000
MAX_LINKS = 500
MAX_CHAIN = 4  # links to links to links
Kind = Literal["file", "program", "link"]
# What reading a damaged archive can raise; RuntimeError where it is encrypted or nested too deep.
DAMAGE = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, ValueError, OverflowError, RuntimeError),
)
# How writing fails when members clash; a full disk is none of the archive's doing.
CLASHES = {errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG}


class Member(NamedTuple):
    """A file of an archive, its path relative to the archive's one top folder.

    The content of a symbolic link is where it leads; a `program` is a file that can be run.
    """

    path: PurePosixPath
    content: bytes
    kind: Kind = "file"


class _Entry(NamedTuple):
    """Anything an archive lists: `read` gives its bytes, None where it's neither file nor link."""

    name: str
    size: int
    kind: Kind
    read: Callable[[], bytes] | None


def members(archive: bytes, name: str) -> Iterator[Member]:
    """Yield the files and symbolic links of a .tar, .tar.gz, .tar.bz2 or .zip; no other entries.

    Raises:
        SourceError: the archive is damaged, too large, or names a path outside its folder.
    """
    try:
        yield from _files(_zip(archive) if archive[:2] == b"PK" else _tar(archive, name), name)
    except DAMAGE as error:
        raise SourceError("bad-archive", f"{name}: can't be unpacked ({error})") from None


def _files(entries: Iterator[_Entry], name: str) -> Iterator[Member]:
    total = 0
    for count, entry in enumerate(entries, 1):
        total += max(entry.size, 0)  # headers may well say less than nothing
        check_size(name, count, total)
        path = PurePosixPath(entry.name)
        if entry.read is None:
            continue
        if path.is_absolute() or ".." in path.parts or "\0" in entry.name:
            raise SourceError("bad-archive", f"{name}: holds the path {entry.name!r}")
        if len(path.parts) > 1:
            yield Member(PurePosixPath(*path.parts[1:]), entry.read(), entry.kind)


def check_size(name: str, count: int, size: int) -> None:
    """Raise SourceError where `count` entries of `size` bytes together are more than we take."""
    if count > MAX_MEMBERS or size > MAX_UNPACKED:
        raise SourceError(
            "too-large",
            f"{name}: unpacks to over {MAX_MEMBERS} files or {MAX_UNPACKED >> 20} MiB, left out",
        )


def _tar(archive: bytes, name: str) -> Iterator[_Entry]:
    plain = archive
    if archive[257:262] != b"ustar":
        opener = bz2.open if archive[:3] == b"BZh" else gzip.open
        # All at once: headers can ask for any length, which tarfile would read without a limit.
        with opener(io.BytesIO(archive)) as file:
            plain = file.read(MAX_UNPACKED + 1)
        check_size(name, 0, len(plain))
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as tar:
        for info in tar:
            kind: Kind = "program" if info.mode & stat.S_IXUSR else "file"
            data = tar.extractfile(info) if info.isreg() else None
            read = data.read if data else None
            if info.issym():
                kind, read = "link", functools.partial(_text, info.linkname)
            yield _Entry(info.name, info.size, kind, read)


def _text(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _zip(archive: bytes) -> Iterator[_Entry]:
    with zipfile.ZipFile(io.BytesIO(archive)) as bundle:
        for info in bundle.infolist():
            mode = info.external_attr >> 16
            kind: Kind = "program" if mode & stat.S_IXUSR else "file"
            kind = "link" if stat.S_ISLNK(mode) else kind
            known = stat.S_IFMT(mode) in (0, stat.S_IFREG, stat.S_IFLNK)
            regular = not info.filename.endswith("/") and known
            read = functools.partial(bundle.read, info) if regular else None
            yield _Entry(info.filename, info.file_size, kind, read)


def pack(files: Iterable[Member], name: str) -> bytes:
    """Return the same .tar for the same files, without times and owners, in the order given.

    Raises:
        SourceError: they are too large.
    """
    target = io.BytesIO()
    total = 0
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for count, member in enumerate(files, 1):
            total += len(member.content)
            check_size(name, count, total)
            info = tarfile.TarInfo(f"{name}/{member.path}")
            info.mode = 0o755 if member.kind == "program" else 0o644
            if member.kind == "link":
                info.type = tarfile.SYMTYPE
                info.linkname = member.content.decode("utf-8", "surrogateescape")
            else:
                info.size = len(member.content)
            tar.addfile(info, io.BytesIO(member.content))
    return target.getvalue()


def unpack(archive: bytes, name: str, folder: Path) -> int:
    """Write the files of an archive below `folder`, made anew.

    Links that stay inside become copies of what they lead to, so that nothing ever is a link.

    Returns:
        How many links were left out: they lead outside, round in a circle or nowhere.

    Raises:
        SourceError: see `members`; also where one path is both a file and a folder.
        OSError: the disk is full or can't be written.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    links: dict[str, str] = {}
    sizes: dict[str, int] = {}
    for member in members(archive, name):
        if member.kind == "link":
            links[str(member.path)] = member.content.decode("utf-8", "surrogateescape")
        else:
            sizes[str(member.path)] = len(member.content)
            _write(folder, member, name)
    return len(links) - _copy_linked(links, sizes, folder, name)


def _write(folder: Path, member: Member, name: str) -> None:
    target = folder / member.path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(member.content)
        if member.kind == "program":
            target.chmod(0o755)
    except OSError as error:
        if error.errno not in CLASHES:
            raise
        why = f"holds {str(member.path)!r:.100}, which can't be written ({error.strerror})"
        raise SourceError("bad-archive", f"{name}: {why}") from None


def _copy_linked(links: dict[str, str], sizes: dict[str, int], folder: Path, name: str) -> int:
    """Copy what links lead to, and return how many did; the copies join `sizes`."""
    waiting = dict(list(links.items())[:MAX_LINKS])
    copied = 0
    for _ in range(MAX_CHAIN):
        # What a link leads to may be a link's copy, made in the round before.
        for link, leads in list(waiting.items()):
            copies = _copies(link, leads, sizes)
            sizes |= {copy: sizes[original] for copy, original in copies.items()}
            check_size(name, len(sizes), sum(sizes.values()))
            for copy, original in copies.items():
                source = folder / original
                kind: Kind = "program" if source.stat().st_mode & stat.S_IXUSR else "file"
                _write(folder, Member(PurePosixPath(copy), source.read_bytes(), kind), name)
            if copies:
                del waiting[link]
                copied += 1
    return copied


def _copies(link: str, leads: str, sizes: dict[str, int]) -> dict[str, str]:
    """Map each path that a link stands for to the file in the archive that is there."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(link), leads))
    outside = target in (".", "..") or target.startswith(("/", "../"))
    if outside or f"{link}/".startswith(f"{target}/"):
        return {}
    if target in sizes:
        return {link: target}
    inside = f"{target}/"
    return {link + path[len(target) :]: path for path in sizes if path.startswith(inside)}
