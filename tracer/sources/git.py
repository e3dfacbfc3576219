"""Git, told to do nothing but fetch: no hooks, filters, prompts, or configuration but ours.

Nothing is ever checked out: what a repository holds is read from its object database.
"""

import contextlib
import os
import re
import resource
import selectors
import signal
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from thresher.errors import SourceError, UsageError
from thresher.sandbox.wall import Limits
from thresher.sandbox.watch import Output, Watch
from thresher.tracer.sources.targets import SCHEMES, redacted

if TYPE_CHECKING:
    from git import Commit, Repo

LIMITS = Limits(wall_seconds=600, disk_bytes=1 << 30, output_bytes=4096)
MEMORY = 4 << 30  # addresses of git itself: a small pack can stand for huge objects
CHUNK = 65536
EVERYTHING = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*", "+HEAD:refs/head")
SHORT = re.compile(r"[0-9a-f]{4,39}")
CONFIGURATION = """\
[core]
    hooksPath = /dev/null
    attributesFile = /dev/null
    fsmonitor = false
    symlinks = false
    protectHFS = true
    protectNTFS = true
    bigFileThreshold = 16m
[credential]
    helper =
[protocol "ext"]
    allow = never
[transfer]
    fsckObjects = true
[fetch]
    unpackLimit = 1
    recurseSubmodules = false
[fetch "fsck"]  # what old tools wrote, and does no harm
    badTimezone = ignore
    missingEmail = ignore
    missingNameBeforeEmail = ignore
    missingSpaceBeforeDate = ignore
    missingSpaceBeforeEmail = ignore
    zeroPaddedFilemode = ignore
[gc]
    auto = 0
[maintenance]
    auto = false
[pack]
    threads = 1
[http]
    lowSpeedLimit = 1000
    lowSpeedTime = 60
"""
# What git says when a revision isn't there, or can't be had alone.
ABSENT = re.compile(
    r"couldn't find remote ref|not our ref|unadvertised object|does not support shallow"
    r"|bad revision|Needed a single revision|ambiguous|unknown revision"
)
# What passes, or may: the network, its servers, a proxy.
PASSING = re.compile(
    r"Could not resolve|unable to look up|Failed to connect|Couldn't connect|timed out|too slow"
    r"|Connection (refused|reset|closed)|early EOF|hung up|unexpected disconnect"
    r"|error: (408|429|5\d\d)|Network is unreachable|Operation too slow"
)


@contextlib.contextmanager
def fetched(url: str, revision: str, scratch: Path) -> Iterator["Commit"]:
    """Fetch one commit of a repository, without its history where the server can do so.

    Args:
        url: its address.
        revision: a branch, tag, commit or the start of one; empty for its default branch.
        scratch: a folder for the objects, gone when the block ends.

    Yields:
        The commit, whose trees and blobs can be read within the block.

    Raises:
        SourceError: the repository can't be reached or isn't there, has no such revision, is
            too large, or holds objects that no git should take.
        UsageError: git isn't installed.
    """
    with _bare(url, scratch) as repo, _damage_named(url):
        yield repo.commit(_fetch(repo, url, revision, scratch))


@contextlib.contextmanager
def _damage_named(url: str) -> Iterator[None]:
    """Tell what GitPython raises where objects are damaged, or meant to harm."""
    from git import GitError, ODBError

    try:
        yield
    except (GitError, ODBError, ValueError) as error:
        raise SourceError(
            "unsafe-repository", f"{redacted(url)}: holds what can't be read ({str(error)!r:.200})"
        ) from None


@contextlib.contextmanager
def _bare(url: str, scratch: Path) -> Iterator["Repo"]:
    """Make an empty repository in which git sees our configuration and nobody else's."""
    try:
        from git import Git, GitError, Repo
    except ImportError as error:
        raise UsageError(
            f"git can't be used ({str(error).splitlines()[0]}): install it with "
            "`apt-get install git` and `pip install 'thresher[trace]'`"
        ) from None
    with tempfile.TemporaryDirectory(dir=scratch.absolute()) as folder:
        path = Path(folder, "repository")
        environment = _environment(Path(folder), path, url)
        starter = Git(folder)
        starter.update_environment(**environment)
        try:
            starter.execute(["git", "init", "--quiet", "--bare", "--template=", str(path)])
        except GitError as error:
            said = f"{str(error)!r:.200}"
            raise SourceError("no-git", f"{redacted(url)}: git can't be used ({said})") from None
        with Repo(path) as repo:
            repo.git.update_environment(**environment)
            yield repo


def _environment(home: Path, repository: Path, url: str) -> dict[str, str]:
    configuration = home / "gitconfig"
    parts = urlsplit(url)
    # The repository's owner may be somebody else: it was named by the user, and is only read.
    path = unquote(parts.path).rstrip("/").replace("\\", "\\\\").replace('"', '\\"')
    trusted = [path, f"{path}/.git", f"{path}.git"] if parts.scheme == "file" else []
    lines = "".join(f'    directory = "{each}"\n' for each in trusted)
    configuration.write_text(f"{CONFIGURATION}[safe]\n{lines}")
    return {
        "HOME": str(home),  # no .netrc
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(configuration),
        "GIT_CONFIG_COUNT": "0",
        "GIT_CONFIG_PARAMETERS": "",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_DIR": str(repository),
        "GIT_OBJECT_DIRECTORY": str(repository / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
        "GIT_ALLOW_PROTOCOL": ":".join(SCHEMES),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
    }


def _fetch(repo: "Repo", url: str, revision: str, scratch: Path) -> str:
    """Fetch a revision, alone where that can be done, and return its commit's full id."""
    for name in _names(url, revision, scratch):
        with _absence_passed_over():
            _run(repo, url, "--depth=1", "--", url, name)
            return _commit(repo, "FETCH_HEAD", url)
    _run(repo, url, "--", url, *EVERYTHING)
    return _commit(repo, revision or "refs/head", url)


def _names(url: str, revision: str, scratch: Path) -> Iterator[str]:
    """Yield the names a server may know a revision by; the second takes its list of commits."""
    yield revision or "HEAD"
    if SHORT.fullmatch(revision):
        with _bare(url, scratch) as history:
            _run(history, url, "--filter=tree:0", "--", url, *EVERYTHING)
            yield _commit(history, revision, url)


@contextlib.contextmanager
def _absence_passed_over() -> Iterator[None]:
    try:
        yield
    except SourceError as error:
        if error.reason != "no-revision":
            raise


def _commit(repo: "Repo", name: str, url: str) -> str:
    argv = ["git", "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}"]
    code, found, said = repo.git.execute(argv, with_extended_output=True, with_exceptions=False)
    if code:
        raise _refused(url, said)
    return str(found)


def _run(repo: "Repo", url: str, *arguments: str) -> None:
    """Run ``git fetch`` within limits of time, disk and memory; nothing of it is left running."""
    argv = ["git", "fetch", "--no-progress", "--no-tags", *arguments]
    running = repo.git.execute(argv, as_process=True, start_new_session=True)
    process: Any = running.proc  # which `running` ends when it is gone
    watch = Watch(LIMITS, [Path(repo.git_dir)])
    output = Output(LIMITS.output_bytes)
    pipes = [process.stdout, process.stderr]
    try:
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        breach = _attend(pipes, watch, output)
        if not breach:
            process.wait()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
        for pipe in pipes:
            pipe.close()
    if breach or watch.disk_full():
        raise SourceError(
            "fetch-timeout" if breach == "timeout" else "too-large",
            f"{redacted(url)}: fetching it takes over {LIMITS.wall_seconds:.0f} s or "
            f"{LIMITS.disk_bytes >> 20} MiB, left out",
        )
    if code:
        raise _refused(url, output.text())


def _attend(pipes: Sequence[IO[bytes]], watch: Watch, output: Output) -> str | None:
    """Read until all ends are closed, or a limit is reached: then return which."""
    with selectors.DefaultSelector() as waiting:
        for pipe in pipes:
            waiting.register(pipe, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select(watch.seconds()):
                data = os.read(key.fd, CHUNK)
                output.feed(data)
                if not data:
                    waiting.unregister(key.fileobj)
            if breach := watch.breach():
                return breach
    return None


def _refused(url: str, said: str) -> SourceError:
    """Make the error for what git said, by who can do something about it."""
    lines = [line.strip() for line in said.replace(url, redacted(url)).splitlines()]
    told = [line for line in lines if line.startswith(("fatal:", "error:", "remote:"))] or lines
    why = "".join(c for c in " | ".join(told[-3:])[:300] if c.isprintable()) or "nothing"
    name = redacted(url)
    if ABSENT.search(said):
        return SourceError("no-revision", f"{name}: it has no such branch, tag or commit ({why})")
    if PASSING.search(said):
        return SourceError(
            "host-unreachable", f"{name}: it can't be reached now ({why}); run the command again"
        )
    return SourceError(
        "no-repository", f"{name}: git can't fetch it ({why}); check that it exists and is public"
    )
