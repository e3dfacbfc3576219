"""The bubblewrap wall: namespaces and limits of the host's own kernel."""

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from thresher.errors import SandboxUnavailable
from thresher.sandbox import command_filter
from thresher.sandbox.wall import (
    HOST_NAME,
    LOCAL_ETC,
    SYSTEM_LINKS,
    USER_ID,
    Entry,
    Inside,
    Mount,
    Wall,
    etc_mounts,
    launch,
)

STATUS_BYTES = 4096
SYSCTLS = (
    ("/proc/sys/user/max_user_namespaces", "0", "user.max_user_namespaces=10000"),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)


@contextlib.contextmanager
def enter(inside: Inside, cgroups: Sequence[Path] = ()) -> Iterator[Entry]:
    """Give the bwrap command for a world; see `Wall.enter`."""
    with _Status() as status, contextlib.ExitStack() as stack:
        # The server installs a filter of its own before it runs a stranger's code.
        filters = () if inside.server else stack.enter_context(command_filter.opened())
        command = [executable(), *options(inside, status.write, filters)]
        yield Entry(
            launch(command, cgroups, "--lock-devices"),
            (status.write, *filters),
            status.first_process,
            status.exit_code,
        )


def options(inside: Inside, status: int, filters: Sequence[int]) -> list[str]:
    """Return bwrap's arguments.

    Args:
        inside: the world.
        status: the descriptor it tells its child's id and end on.
        filters: the descriptors it reads the system-call filters of its child from.
    """
    return [
        *("--unshare-all", "--unshare-user", "--uid", str(USER_ID), "--gid", str(USER_ID)),
        *("--die-with-parent", "--new-session", "--hostname", HOST_NAME, "--cap-drop", "ALL"),
        *(("--cap-add", "CAP_SYS_ADMIN") if inside.server else ("--disable-userns",)),
        *("--json-status-fd", str(status), "--clearenv"),
        *(word for descriptor in filters for word in ("--seccomp", str(descriptor))),
        *(word for pair in inside.variables.items() for word in ("--setenv", *pair)),
        *_system(),
        *(() if inside.server else ("--proc", "/proc", "--remount-ro", "/proc")),
        *_scratch(inside.tmp_bytes),
        *(word for mount in inside.mounts for word in _bind(mount)),
        # All cells share this one: what one of them changed there would stay.
        *(("--remount-ro", "/dev/pts") if inside.server else ()),
        *("--remount-ro", "/dev", "--remount-ro", "/"),
        *("--chdir", inside.cwd, "--", *inside.argv),
    ]


def executable() -> str:
    """Return the path of bwrap; raise SandboxUnavailable when it isn't installed."""
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxUnavailable("bubblewrap is not installed: apt-get install bubblewrap")
    return found


def version() -> str:
    """Return the name and version of the installed program, such as ``bubblewrap 0.8.0``."""
    done = subprocess.run([executable(), "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def host_processes(inside: int) -> int:
    """Count bwrap and its init in."""
    return inside + 2


def remedy(said: str) -> str:
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


class _Status:
    """The pipe on which bwrap tells the id and the exit code of its child."""

    def __enter__(self) -> "_Status":
        self._read, self.write = os.pipe()
        os.set_blocking(self._read, False)
        self._told = b""
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._read)
        os.close(self.write)

    def first_process(self) -> int | None:
        """Return the child's id while it runs."""
        return None if self._fact("exit-code") is not None else self._fact("child-pid")

    def exit_code(self, _returncode: int) -> int | None:
        """Return the child's exit code; bwrap's own can't be told from its failures'."""
        return self._fact("exit-code")

    def _fact(self, name: str) -> int | None:
        with contextlib.suppress(BlockingIOError):
            self._told += os.read(self._read, STATUS_BYTES)
        for line in self._told.splitlines():
            with contextlib.suppress(ValueError):  # not written to its end yet
                facts = json.loads(line)
                if name in facts:
                    return int(facts[name])
        return None


def _system() -> Iterator[str]:
    """Give the host's programs, libraries and the parts of /etc that programs need."""
    yield from ("--ro-bind", "/usr", "/usr")
    if LOCAL_ETC.is_dir():
        yield from ("--size", "4096", "--tmpfs", str(LOCAL_ETC))
        yield from ("--remount-ro", str(LOCAL_ETC))
    for name in SYSTEM_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    for mount in etc_mounts():
        yield from _bind(mount)


def _scratch(size: int) -> Iterator[str]:
    """Give /dev and the two places where anyone may write, both bounded."""
    yield from ("--dev", "/dev")
    for target in ("/dev/shm", "/tmp"):  # noqa: S108 - paths inside the wall
        yield from ("--perms", "1777", "--size", str(size), "--tmpfs", target)


def _bind(mount: Mount) -> tuple[str, str, str]:
    return ("--bind" if mount.writable else "--ro-bind", str(mount.source), mount.target)


BUBBLEWRAP = Wall("bubblewrap", 1, host_processes, version, remedy, enter)
