"""Git repositories: the files of one commit and of its submodules, read without a checkout."""

import datetime
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from thresher.errors import SourceError, UsageError
from thresher.tracer.sources import git
from thresher.tracer.sources.archive import Kind, Member, check_size, pack
from thresher.tracer.sources.fetched import Fetched
from thresher.tracer.sources.targets import redacted, target

if TYPE_CHECKING:
    from git import Blob, Commit, Submodule, Tree

MAX_SUBMODULES = 20  # those of submodules too
LINK, PROGRAM = 0o120000, 0o100755
POINTER = b"version https://git-lfs.github.com/spec/v1\n"
LONGEST_POINTER = 1024
SHORT_ID = 12


@dataclass
class _Walk:
    """What reading a repository and its submodules leads to, besides files."""

    scratch: Path
    notes: list[str] = field(default_factory=list)
    submodules: int = 0


def fetch(url: str, revision: str, scratch: Path) -> Fetched:
    """Fetch the files of a repository at a revision, with those of its submodules.

    Symbolic links and Git LFS pointers come as what they are; submodules that can't be had are
    left out, and named in the notes.

    Args:
        url: its address, as in a `Target`.
        revision: a branch, tag, commit or the start of one; empty for its default branch.
        scratch: a folder to work in; nothing is left there.

    Raises:
        SourceError: see `thresher.tracer.sources.git.fetched`; also where its files are too large.
        UsageError: git isn't installed.
    """
    walk = _Walk(scratch)
    with git.fetched(url, revision, scratch) as commit:
        parts = _parts(url)
        archive = pack(_counted(_members(commit, url, walk), walk.notes), parts[-1])
        return Fetched(
            origin="/".join(["git", *parts, commit.hexsha[:SHORT_ID]]),
            kind="repository",
            url=redacted(url),
            revision=commit.hexsha,
            archive=archive,
            allowed="named by the user; fetched by git",
            date=_date(commit),
            notes=tuple(walk.notes),
        )


def _parts(url: str) -> list[str]:
    """Return the host and path of a URL as plain words; of a path on this host its last alone."""
    parts = urlsplit(url)
    names = [name for name in parts.path.removesuffix("/").removesuffix(".git").split("/") if name]
    words = ["local", *names[-1:]] if parts.scheme == "file" else [parts.hostname or "", *names]
    return [re.sub(r"[^\w.-]", "-", word, flags=re.ASCII).strip(".") or "-" for word in words]


def _date(commit: "Commit") -> datetime.datetime | None:
    try:
        return datetime.datetime.fromtimestamp(commit.committed_date, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _counted(files: Iterator[Member], notes: list[str]) -> Iterator[Member]:
    """Pass files on, and note how many stand for others that Git LFS keeps elsewhere."""
    pointers = 0
    for file in files:
        pointers += len(file.content) < LONGEST_POINTER and file.content.startswith(POINTER)
        yield file
    if pointers:
        notes.append(f"{pointers} Git LFS pointers stand for their files")


def _members(commit: "Commit", url: str, walk: _Walk) -> Iterator[Member]:
    """Yield the files of a commit, those of a submodule in its place."""
    stated: dict[str, str] | None = None
    for item in _entries(commit.tree, url):
        path = _checked(str(item.path), url)
        if item.type == "blob":
            yield _member(item, path, url)
            continue
        stated = _modules(commit) if stated is None else stated
        try:
            files = _submodule(item.hexsha, submodule_url(url, stated.get(str(path), "")), walk)
        except SourceError as error:
            walk.notes.append(f"the submodule {str(path)!r:.100} was left out: {error}")
        else:
            yield from (file._replace(path=path / file.path) for file in files)


def _submodule(revision: str, url: str, walk: _Walk) -> list[Member]:
    walk.submodules += 1
    if walk.submodules > MAX_SUBMODULES:
        raise SourceError("too-many", f"there are over {MAX_SUBMODULES}")
    with git.fetched(url, revision, walk.scratch) as commit:
        return list(_members(commit, url, walk))


def _entries(tree: "Tree", url: str) -> Iterator["Blob | Submodule"]:
    """Yield what isn't a folder, from all folders; a few of them can name millions of files."""
    waiting, count = [tree], 0
    while waiting:
        for item in waiting.pop():
            count += 1
            check_size(redacted(url), count, 0)
            if item.type == "tree":
                waiting.append(item)
            else:
                yield item


def _checked(name: str, url: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or not {"..", ".git"}.isdisjoint(part.lower() for part in path.parts):
        raise SourceError("unsafe-repository", f"{redacted(url)}: holds the path {name!r:.100}")
    return path


def _member(blob: "Blob", path: PurePosixPath, url: str) -> Member:
    kinds: dict[int, Kind] = {LINK: "link", PROGRAM: "program"}
    # Asked for before, since a stream must be read to its end.
    check_size(redacted(url), 0, blob.size)
    content = blob.repo.odb.stream(blob.binsha).read()
    return Member(path, content, kinds.get(blob.mode, "file"))


def _modules(commit: "Commit") -> dict[str, str]:
    """Return the URL of each submodule by its path, as .gitmodules has them."""
    from git import GitCommandError

    where = ("--no-includes", "--blob", f"{commit.hexsha}:.gitmodules")
    try:
        said = commit.repo.git.config("-z", *where, "--get-regexp", r"^submodule\..*\.(path|url)$")
    except GitCommandError:  # there is no such file, or it isn't one of git's
        return {}
    stated = dict(entry.partition("\n")[::2] for entry in str(said).split("\0"))
    paths = {
        key.removesuffix(".path"): path for key, path in stated.items() if key.endswith("path")
    }
    return {path: stated.get(f"{name}.url", "") for name, path in paths.items()}


def submodule_url(parent: str, stated: str) -> str:
    """Return the address of a submodule.

    Args:
        parent: the address of the repository that has it.
        stated: what .gitmodules says, which may be relative to `parent`.

    Raises:
        SourceError: there is none, or it isn't https nor on its parent's own host: what a
            repository says must not make us ask or read somewhere else.
    """
    home = urlsplit(parent)
    if stated.startswith(("./", "../")):
        path = posixpath.normpath(posixpath.join(home.path, stated))
        return home._replace(path=path).geturl()
    try:
        found = target(f"git:{stated}")
    except UsageError:
        found = None
    if found is None or found.revision or "://" not in stated:
        raise SourceError("unsafe-submodule", f"{stated!r:.100} is no address of a repository")
    url = urlsplit(found.place)
    if url.scheme != "https" and (url.scheme, url.netloc) != (home.scheme, home.netloc):
        raise SourceError(
            "unsafe-submodule", f"{found.name:.100} is neither https nor on its parent's host"
        )
    return found.place
