"""What a user may ask to be traced: packages, repositories, folders, and lists of them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import SplitResult, urlsplit

from thresher.errors import UsageError

SCHEMES = ("https", "http", "ssh", "git", "file")
# No option, refspec, range or reflog can be written with these.
REVISION = re.compile(r"[\w](?!.*(?:\.\.|//))[\w./+#=,@-]*", re.ASCII)
MAX_LIST = 1 << 20  # bytes
SHOWN = 20
EXAMPLES = (
    "write pypi:NAME, pypi:NAME==VERSION, git:URL@REVISION, ./FOLDER or @LIST, "
    "for example pypi:inflection==0.5.1"
)


class Target(NamedTuple):
    """One thing to trace.

    Attributes:
        kind: what it is.
        name: how it was written, without passwords: it is stored.
        place: a requirement, a URL that git understands, or the absolute path of a folder.
        revision: a branch, tag or commit of a repository, empty for its default branch.
    """

    kind: Literal["pypi", "git", "folder"]
    name: str
    place: str
    revision: str = ""


def parse(written: Sequence[str]) -> list[Target]:
    """Understand the arguments of a command, lists (``@FILE``) read out in their place.

    A list has a target a line; what follows a ``#`` that begins a line or stands behind a blank is
    a comment. Folders in it are relative to the current one, as on the command line. What is named
    twice is returned once.

    Raises:
        UsageError: some can't be understood; the message names each, with its file and line.
    """
    targets: dict[Target, None] = {}
    wrong: list[str] = []
    for where, text in _written(written):
        try:
            targets[target(text)] = None
        except UsageError as error:
            wrong.append(f"{where}{error}")
    if len(wrong) == 1:
        raise UsageError(wrong[0])
    if wrong:
        more = [f"and {len(wrong) - SHOWN} more"] if len(wrong) > SHOWN else []
        lines = "\n  ".join([*wrong[:SHOWN], *more])
        raise UsageError(f"{len(wrong)} targets can't be traced:\n  {lines}")
    return list(targets)


def _written(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each target as written, behind where it stands."""
    for argument in arguments:
        if not argument.startswith("@"):
            yield "", argument
            continue
        path = argument.removeprefix("@")
        for number, line in enumerate(_read(Path(path)).splitlines(), 1):
            if text := re.sub(r"(^|\s)#.*", "", line).strip():
                yield f"{path}:{number}: ", text


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_LIST + 1)
        if len(data) > MAX_LIST:
            raise UsageError(f"{path}: over {MAX_LIST >> 20} MiB is no list of targets")
        return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it isn't UTF-8 text"
        raise UsageError(
            f"the list {path} can't be read ({why}): name a text file with a target a line, "
            "for example @packages.txt"
        ) from None


def target(text: str) -> Target:
    """Understand one target.

    Raises:
        UsageError: it is of no kind that can be traced.
    """
    kind, colon, rest = text.partition(":")
    if kind == "pypi" and colon:
        return _package(rest.strip())
    if text.startswith("git+"):
        return _repository(text.removeprefix("git+"))
    if kind == "git" and colon and not rest.startswith("//"):
        return _local(rest) if _is_path(rest) else _repository(rest)
    if kind in SCHEMES and (kind not in ("https", "http") or re.search(r"\.git(@|/?$)", rest)):
        return _repository(text)
    if _is_path(text):
        return _folder(text)
    hint = f"did you mean git:{text}? Else " if kind in SCHEMES else ""
    raise UsageError(f"{text!r} can't be traced: {hint}{EXAMPLES}")


def _package(requirement: str) -> Target:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        wanted = Requirement(requirement)
    except InvalidRequirement:
        wanted = None
    if wanted is None or wanted.url or wanted.marker:
        raise UsageError(
            f"'pypi:{requirement}' can't be traced: write pypi:NAME, pypi:NAME==VERSION or "
            "a range, for example 'pypi:humanize>=4,<5'"
        )
    return Target("pypi", f"pypi:{requirement}", requirement)


def _is_path(text: str) -> bool:
    return text in (".", "..") or text.startswith(("./", "../", "/", "~"))


def _folder(text: str) -> Target:
    path = Path(text).expanduser().resolve()
    if not path.is_dir():
        raise UsageError(
            f"{text!r} is no folder: name one that holds a project, for example ./demo"
        )
    return Target("folder", str(path), str(path))


def _local(text: str) -> Target:
    """Understand the path of a repository: like its ``file://`` address."""
    path, at, revision = (text, "", "") if Path(text).is_dir() else text.rpartition("@")
    return _repository(Path(path or text).expanduser().resolve().as_uri() + at + revision)


def _repository(address: str) -> Target:
    try:
        parts = urlsplit(address)
        port = parts.port  # read only to be checked
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    path, at, revision = parts.path.rpartition("@")
    if not at:
        path, revision = parts.path, ""
    is_local = parts.scheme == "file"
    bad_host = bool(parts.netloc) if is_local else not _is_host(parts.hostname, port)
    plain = address.isprintable() and " " not in address and "\\" not in address
    if parts.scheme not in SCHEMES or bad_host or not plain or not path.strip("/"):
        raise UsageError(
            f"{redacted(address)!r} is no address of a git repository: write for example "
            "git:https://example.org/owner/name@v1.0 or git:./folder"
        )
    if parts.query or parts.fragment or (at and not REVISION.fullmatch(revision)):
        raise UsageError(
            f"{redacted(address)!r}: after the address comes @ and a branch, tag or commit, "
            "nothing else, for example git:https://example.org/owner/name@v1.0"
        )
    place = parts._replace(path=path).geturl()
    return Target("git", f"git:{redacted(place)}{at}{revision}", place, revision)


def _is_host(host: str | None, port: int | None) -> bool:
    return bool(host and re.fullmatch(r"[\w\[:][\w.:\]-]*", host)) and port != 0


def redacted(url: str) -> str:
    """Return a URL with ``***`` in place of a password, or of a token that stands for one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return re.sub(r"//[^/]*@", "//***@", url)
    secret, at, host = parts.netloc.rpartition("@")
    if not at or (parts.scheme == "ssh" and ":" not in secret):
        return url
    return parts._replace(netloc=f"***@{host}").geturl()
