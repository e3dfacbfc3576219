"""Folders of this host: their files, without links out of them, version control and caches."""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from thresher.errors import SourceError
from thresher.tracer.sources.archive import Kind, Member, check_size, pack
from thresher.tracer.sources.fetched import Fetched

SKIPPED = frozenset([".git", ".hg", ".svn", ".bzr", ".tox", ".nox", ".eggs", "__pycache__"])
SKIPPED |= frozenset(["node_modules", "htmlcov"])
CACHE = re.compile(r"\.\w+_cache|\.hypothesis")
VIRTUAL = "pyvenv.cfg"
SHORT_HASH = 12


def fetch(folder: Path) -> Fetched:
    """Read the files of a local project; its revision is the hash of what was read.

    Raises:
        SourceError: a file can't be read, or they are too large.
    """
    try:
        archive = pack(_members(folder), folder.name or "root")
    except OSError as error:
        raise SourceError(
            "unreadable-folder",
            f"{error.filename or folder}: can't be read ({error.strerror}): make it readable, or "
            "copy what is to be traced to a folder of its own",
        ) from None
    digest = hashlib.sha256(archive).hexdigest()
    name = re.sub(r"[^\w.-]", "-", folder.name, flags=re.ASCII).strip(".") or "root"
    return Fetched(
        origin=f"folder/{name}/{digest[:SHORT_HASH]}",
        kind="file",
        url=folder.as_uri(),
        revision=f"sha256:{digest}",
        archive=archive,
        allowed="a folder of this host, named by the user",
    )


def _members(folder: Path) -> Iterator[Member]:
    total = 0
    for path, status in _paths(folder):
        total += status.st_size
        check_size(str(folder), 0, total)
        if stat.S_ISLNK(status.st_mode):
            content = os.fsencode(path.readlink())
            kind: Kind = "link"
        else:
            content = path.read_bytes()
            kind = "program" if status.st_mode & stat.S_IXUSR else "file"
        yield Member(PurePosixPath(path.relative_to(folder)), content, kind)


def _paths(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the files and links below a folder with their status, sorted; links aren't followed."""
    for place, folders, files in os.walk(folder, onerror=_fail):
        here = Path(place)
        linked = [name for name in folders if (here / name).is_symlink()]
        folders[:] = sorted(name for name in folders if name not in linked and _wanted(here / name))
        for path in sorted(here / name for name in (*files, *linked) if name not in SKIPPED):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
                yield path, status


def _fail(error: OSError) -> None:
    raise error


def _wanted(path: Path) -> bool:
    skipped = path.name in SKIPPED or CACHE.fullmatch(path.name)
    return not skipped and not (path / VIRTUAL).is_file()
