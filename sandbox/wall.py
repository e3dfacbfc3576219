"""What every wall gives: the world that a sandboxed command sees, and how it is entered.

Inside there are the host's programs and libraries (read-only), a few files of /etc, sized tmpfs
on /tmp and /dev/shm, and the mounts asked for. No network, no capabilities, no host
environment, no home directories; the root and /dev are read-only. `bubblewrap` and `gvisor` build
that world; `walls` finds the one in force.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

MIB = 1 << 20
# Inside there are no folders for ".." to lead through.
OWN_PYTHON = os.path.normpath(sys.executable)
HERE = Path(__file__).resolve().parent
SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
ETC = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "os-release",
    "pki/tls/certs",
    "protocols",
    "services",
    "ssl/certs",
    "ssl/openssl.cnf",
)
DEFAULT_ENV = {
    "HOME": "/tmp",  # noqa: S108 - a private tmpfs inside the wall
    "LANG": "C.UTF-8",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "USER": "user",
}
LOCAL_ETC = Path("/usr/local/etc")  # configuration, which may hold passwords: covered
HOST_NAME = "sandbox"
USER_ID = 1000
NO_VARIABLES: Mapping[str, str] = {}


class Mount(NamedTuple):
    """A host file or folder and the absolute path it has inside, read-only unless `writable`."""

    source: Path
    target: str
    writable: bool = False


class Limits(NamedTuple):
    """What one sandboxed command may use: seconds, bytes, and processes plus threads."""

    wall_seconds: float = 600.0
    cpu_seconds: int = 600
    memory_bytes: int = 2048 * MIB
    processes: int = 256
    disk_bytes: int = 1024 * MIB
    output_bytes: int = MIB


class Inside(NamedTuple):
    """A command and the world it sees.

    Attributes:
        argv: the command; its program is looked up on the PATH inside.
        mounts: what to add, in order; a later mount may lie on top of an earlier one.
        env: variables to set, added to `DEFAULT_ENV`; nothing comes from the host.
        cwd: the working directory inside.
        tmp_bytes: the size of /tmp and of /dev/shm, each.
        server: whether this is our own judging server. It holds the rights to mount and to make
            namespaces, with which it could undo the wall's read-only mounts, and must drop
            them before it runs a stranger's code; it sees no /proc.
    """

    argv: Sequence[str]
    mounts: Sequence[Mount] = ()
    env: Mapping[str, str] = NO_VARIABLES
    cwd: str = "/tmp"  # noqa: S108 - a private tmpfs inside the wall
    tmp_bytes: int = 256 * MIB
    server: bool = False

    @property
    def variables(self) -> dict[str, str]:
        """The whole environment inside."""
        return {**DEFAULT_ENV, **self.env}


class Entry(NamedTuple):
    """How to start a command that a wall has prepared, and how to learn of its end.

    Attributes:
        argv: what to run on the host; it ends when nothing is left inside.
        descriptors: what it must inherit.
        first_process: gives the host's id of a process whose death ends all inside, or None
            before there is one.
        exit_code: turns the exit code of `argv` into the command's own, or None where the wall
            failed or was killed.
    """

    argv: list[str]
    descriptors: tuple[int, ...]
    first_process: Callable[[], int | None]
    exit_code: Callable[[int], int | None]


class Wall(NamedTuple):
    """Something that keeps untrusted code in.

    Attributes:
        name: its name, as ``--require`` takes it.
        strength: a stronger wall has a higher one.
        host_processes: how many processes and threads so many inside cost on the host.
        version: gives its program's version; raises SandboxUnavailable without the program.
        remedy: says how to make it work, given what it said when it didn't.
        enter: prepares a world for one command, given the ``cgroup.procs`` files of the groups
            to run in; raises SandboxUnavailable when the program isn't installed.
    """

    name: str
    strength: int
    host_processes: Callable[[int], int]
    version: Callable[[], str]
    remedy: Callable[[str], str]
    enter: Callable[[Inside, Sequence[Path]], AbstractContextManager[Entry]]


def launch(command: Sequence[str], cgroups: Sequence[Path], *options: str) -> list[str]:
    """Return the argument list that runs a wall's own command through `launch.py`."""
    start = [sys.executable, "-ISs", str(HERE / "launch.py"), str(os.getpid()), *options]
    return [*start, *map(str, cgroups), "--", *command]


def etc_mounts() -> Iterator[Mount]:
    """Give the few files of /etc that programs need, some of them our own."""
    for name in ETC:
        if Path("/etc", name).exists():
            yield Mount(Path("/etc", name), f"/etc/{name}")
    for fake in sorted((HERE / "etc").iterdir()):
        yield Mount(fake, f"/etc/{fake.name}")


def python_mounts() -> tuple[Mount, ...]:
    """Return the read-only mounts that make `OWN_PYTHON` run inside the wall."""
    mounts: dict[str, Mount] = {}
    own = {Path(os.path.normpath(prefix)) for prefix in (sys.prefix, sys.base_prefix)}
    for prefix in sorted({*own, *_linked_prefixes()}):
        above = {str(folder) for folder in (prefix, *prefix.parents)}
        if above.isdisjoint({"/usr", *mounts}):
            mounts[str(prefix)] = Mount(prefix.resolve(), str(prefix))
    return tuple(mounts.values())


def _linked_prefixes() -> Iterator[Path]:
    """Yield the Python installations that the links from `OWN_PYTHON` lead through."""
    path = Path(OWN_PYTHON)
    library = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/os.py"
    while path.is_symlink():
        path = path.parent / path.readlink()
        prefix = path.parent.parent
        # A link in ~/.local/bin must not bring all of ~/.local into the sandbox.
        if (prefix / library).exists():
            yield prefix
