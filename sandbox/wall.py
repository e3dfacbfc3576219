"""The bubblewrap wall: what a sandboxed program can see, and nothing else.

Inside there are the host's programs and libraries (read-only), a few files of /etc, sized tmpfs
on /tmp and /dev/shm, and the mounts asked for. No network, no capabilities, no host
environment, no home directories; the root and /dev are read-only.
"""

import functools
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from thresher.errors import SandboxUnavailable

MIB = 1 << 20
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
SYSCTLS = (
    ("/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces=10000"),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)


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


def bubblewrap(
    argv: Sequence[str],
    *,
    mounts: Sequence[Mount] = (),
    env: Mapping[str, str] | None = None,
    cwd: str = "/tmp",  # noqa: S108 - a private tmpfs inside the wall
    capabilities: Sequence[str] = (),
    proc: bool = True,
    tmp_bytes: int = 256 * MIB,
    cgroups: Sequence[Path] = (),
    status_descriptor: int | None = None,
) -> list[str]:
    """Build the complete argument list that runs `argv` in bwrap (through `launch.py`).

    Args:
        argv: the command inside; its program is looked up on the PATH inside.
        mounts: what to add, in order; a later mount may lie on top of an earlier one.
        env: variables to set, added to `DEFAULT_ENV`; nothing comes from the host.
        cwd: the working directory inside.
        capabilities: capabilities (``CAP_SYS_ADMIN``) the command holds in its user namespace.
            With them it can undo the wall's read-only mounts, so only our own server may have
            any, and must drop them before it runs a stranger's code.
        proc: whether /proc is there.
        tmp_bytes: the size of /tmp and of /dev/shm, each.
        cgroups: the ``cgroup.procs`` files of the groups that it all runs in.
        status_descriptor: an inherited descriptor on which bwrap tells the id and the exit code
            of its child as JSON; the command inside never holds it.

    Raises:
        SandboxUnavailable: bubblewrap isn't installed.
    """
    variables = {**DEFAULT_ENV, **(env or {})}
    return [
        *(sys.executable, "-ISs", str(HERE / "launch.py"), *map(str, cgroups), "--"),
        executable(),
        *_namespaces(capabilities),
        *(() if status_descriptor is None else ("--json-status-fd", str(status_descriptor))),
        "--clearenv",
        *(word for pair in variables.items() for word in ("--setenv", *pair)),
        *_system(),
        *(("--proc", "/proc", "--remount-ro", "/proc") if proc else ()),
        *_scratch(tmp_bytes),
        *(word for mount in mounts for word in _bind(mount)),
        *("--remount-ro", "/dev", "--remount-ro", "/"),
        *("--chdir", cwd, "--", *argv),
    ]


def executable() -> str:
    """Return the path of bwrap; raise SandboxUnavailable when it isn't installed."""
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxUnavailable(
            "bubblewrap is not installed, so nothing can be run safely; "
            "install it: apt-get install bubblewrap"
        )
    return found


def python_mounts() -> tuple[Mount, ...]:
    """Return the read-only mounts that make `sys.executable` run inside the wall."""
    mounts: dict[str, Mount] = {}
    for prefix in sorted({Path(sys.prefix), Path(sys.base_prefix), *_linked_prefixes()}):
        above = {str(folder) for folder in (prefix, *prefix.parents)}
        if above.isdisjoint({"/usr", *mounts}):
            mounts[str(prefix)] = Mount(prefix.resolve(), str(prefix))
    return tuple(mounts.values())


@functools.cache
def probe() -> str:
    """Run this Python in the wall, once per process, and return the level in force.

    The level is a name and a version, such as ``bubblewrap 0.8.0``.

    Raises:
        SandboxUnavailable: bubblewrap is missing or doesn't work here; says what to do.
    """
    argv = bubblewrap([sys.executable, "-Ic", "print(6 * 7)"], mounts=python_mounts())
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired as error:
        raise SandboxUnavailable("bubblewrap hung for 60 s; run `thresher doctor`") from error
    if done.stdout != "42\n":
        said = done.stderr.strip() or f"exit code {done.returncode}"
        raise SandboxUnavailable(f"bubblewrap does not work on this host ({said}); {_remedy(said)}")
    return _version()


def _version() -> str:
    done = subprocess.run([executable(), "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _remedy(said: str) -> str:
    """Say what makes the wall work, from what bwrap said and the host's settings."""
    if "Unknown option" in said:
        return "version 0.8 or newer is needed: apt-get install bubblewrap"
    for path, bad, setting in SYSCTLS:
        if Path(path).exists() and Path(path).read_text().strip() == bad:
            return f"user namespaces are switched off: sysctl -w {setting}"
    return (
        "it needs user namespaces; in a container, allow them "
        "(docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined)"
    )


def _namespaces(capabilities: Sequence[str]) -> Iterator[str]:
    yield from ("--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000")
    yield from ("--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL")
    if not capabilities:
        yield "--disable-userns"
    for capability in capabilities:
        yield from ("--cap-add", capability)


def _system() -> Iterator[str]:
    """Give the host's programs, libraries and the parts of /etc that programs need."""
    yield from ("--ro-bind", "/usr", "/usr")
    if Path("/usr/local/etc").is_dir():  # configuration, which may hold passwords
        yield from ("--size", "4096", "--tmpfs", "/usr/local/etc")
        yield from ("--remount-ro", "/usr/local/etc")
    for name in SYSTEM_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    for name in ETC:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    for fake in sorted((HERE / "etc").iterdir()):
        yield from ("--ro-bind", str(fake), f"/etc/{fake.name}")


def _scratch(size: int) -> Iterator[str]:
    """Give /dev and the two places where anyone may write, both bounded."""
    yield from ("--dev", "/dev")
    for target in ("/dev/shm", "/tmp"):  # noqa: S108 - paths inside the wall
        yield from ("--perms", "1777", "--size", str(size), "--tmpfs", target)


def _bind(mount: Mount) -> tuple[str, str, str]:
    return ("--bind" if mount.writable else "--ro-bind", str(mount.source), mount.target)


def _linked_prefixes() -> Iterator[Path]:
    """Yield the Python installations that the links from `sys.executable` lead through."""
    path = Path(sys.executable)
    library = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/os.py"
    while path.is_symlink():
        path = path.parent / path.readlink()
        prefix = path.parent.parent
        # A link in ~/.local/bin must not bring all of ~/.local into the sandbox.
        if (prefix / library).exists():
            yield prefix
