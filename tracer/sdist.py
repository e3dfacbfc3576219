"""PyPI sdists: found through the package index, fetched as plain files, unpacked, never built."""

import datetime
import email.message
import email.parser
import hashlib
import io
import shutil
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple

from thresher.errors import SourceError
from thresher.store.records import Source, content_id
from thresher.tracer.licence import from_metadata

if TYPE_CHECKING:
    from unearth import Link, PackageFinder

MAX_ARCHIVE = 64 << 20
MAX_UNPACKED = 512 << 20
MAX_MEMBERS = 20_000


class Sdist(NamedTuple):
    """A fetched sdist: project name, version, raw archive and its provenance."""

    name: str
    version: str
    archive: bytes
    source: Source


def fetch(requirement: str, index_urls: Sequence[str], find_links: Sequence[str] = ()) -> Sdist:
    """Find the newest sdist that satisfies a requirement and read it into memory.

    Args:
        requirement: for example ``inflection==0.5.1`` or ``humanize``.
        index_urls: simple index pages (PEP 503 or 691).
        find_links: further folders or pages holding archives.

    Raises:
        SourceError: no such package, no sdist, too large, damaged, or the index can't be reached.
    """
    import httpx2
    from packaging.requirements import InvalidRequirement
    from unearth import PackageFinder

    finder = PackageFinder(index_urls=index_urls, find_links=find_links, no_binary=[":all:"])
    try:
        best = finder.find_best_match(requirement).best
        if best is None or best.version is None:
            raise SourceError(
                "no-sdist",
                f"{requirement}: the package index has no such package, version or source archive: "
                "check the spelling, and that the release's files hold a .tar.gz or .zip",
            )
        archive = _download(finder, best.link)
    except (httpx2.HTTPError, OSError) as error:
        raise SourceError(
            "index-unreachable",
            f"{requirement}: the package index didn't answer ({error}): check the network and "
            "`pip config list`, then run the command again",
        ) from None
    except InvalidRequirement:
        raise SourceError(
            "bad-requirement", f"{requirement}: not a requirement; write NAME or NAME==VERSION"
        ) from None
    return Sdist(best.name, best.version, archive, _source(best.link, best.version, archive))


def _download(finder: "PackageFinder", link: "Link") -> bytes:
    """Read an archive and check it against the hash its index page gives."""
    if link.is_file:
        archive = link.file_path.read_bytes()
    else:
        response = finder.session.get(link.normalized)
        response.raise_for_status()
        archive = response.content
    if len(archive) > MAX_ARCHIVE:
        raise SourceError("too-large", f"{link.filename}: over {MAX_ARCHIVE >> 20} MiB, left out")
    for name, digest in (link.hashes or {}).items():
        if hashlib.new(name, archive).hexdigest() != digest:
            raise SourceError(
                "bad-hash", f"{link.filename}: its bytes don't have the {name} its index states"
            )
    return archive


def _source(link: "Link", version: str, archive: bytes) -> Source:
    digest = hashlib.sha256(archive).hexdigest()
    licence = from_metadata(metadata(archive, link.filename))
    url = link.url_without_fragment
    return Source(
        id=content_id(["sdist", url, digest])[:16],
        kind="sdist",
        url=url,
        revision=f"{version} sha256:{digest}",
        licence=licence.expression,
        licence_evidence=licence.evidence,
        robots="package index API",
        sha256=digest,
        fetched_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    )


class Member(NamedTuple):
    """A regular file of an archive, its path relative to the archive's one top folder."""

    path: PurePosixPath
    size: int
    data: IO[bytes]


def members(archive: bytes, name: str) -> Iterator[Member]:
    """Yield the regular files of a .tar.* or .zip sdist; links and devices are passed over.

    Raises:
        SourceError: the archive is damaged, too large, or names a path outside its folder.
    """
    try:
        yield from _bounded(_zip(archive) if archive[:2] == b"PK" else _tar(archive), name)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        raise SourceError("bad-archive", f"{name}: can't be unpacked ({error})") from None


def _bounded(found: Iterator[Member], name: str) -> Iterator[Member]:
    total = 0
    for count, member in enumerate(found):
        total += member.size
        if count >= MAX_MEMBERS or total > MAX_UNPACKED:
            raise SourceError("too-large", f"{name}: unpacks to too much, left out")
        parts = member.path.parts
        if member.path.is_absolute() or ".." in parts or "\0" in str(member.path):
            raise SourceError("bad-archive", f"{name}: holds the path {member.path}")
        if len(parts) > 1:
            yield member._replace(path=PurePosixPath(*parts[1:]))


def _tar(archive: bytes) -> Iterator[Member]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for info in tar:
            data = tar.extractfile(info) if info.isreg() else None
            if data is not None:
                yield Member(PurePosixPath(info.name), info.size, data)


def _zip(archive: bytes) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(archive)) as bundle:
        for info in bundle.infolist():
            if not info.is_dir():
                with bundle.open(info) as data:
                    yield Member(PurePosixPath(info.filename), info.file_size, data)


def unpack(archive: bytes, name: str, folder: Path) -> None:
    """Write the regular files of an sdist below `folder`, made anew.

    Raises:
        SourceError: see `members`.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for member in members(archive, name):
        target = folder / member.path
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            shutil.copyfileobj(member.data, file)


def metadata(archive: bytes, name: str) -> email.message.Message:
    """Return the core metadata in an sdist's top PKG-INFO, empty where there is none."""
    for member in members(archive, name):
        if member.path == PurePosixPath("PKG-INFO"):
            text = member.data.read().decode("utf-8", "replace")
            return email.parser.HeaderParser().parsestr(text)
    return email.message.Message()
