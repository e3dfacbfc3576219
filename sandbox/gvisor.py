"""The gVisor wall: a kernel of its own in user space (`runsc`), run from an OCI bundle.

The bundle follows the OCI runtime specification, v1.0 (config.json, "Linux container
configuration"). `runsc do` would show the whole host tree; a bundle shows what it lists.
"""

import contextlib
import functools
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from thresher.errors import InfrastructureError, SandboxUnavailable
from thresher.sandbox.leftovers import scratch_folder
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

SERVER_CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_KILL")
NOBODY = 65534
NAMESPACES = ("user", "pid", "network", "ipc", "uts", "mount")
# systrap handles a system call 20 times faster; ptrace starts a process twice as fast.
COMMAND_PLATFORMS, SERVER_PLATFORMS = ("systrap", "ptrace"), ("ptrace", "systrap")
TRIAL_SECONDS = 20
# The first process inside gets everybody's orphans and ignores signals: no task for a stranger.
INIT = ("sh", "-c", '"$@"; exit $?', "init")


@contextlib.contextmanager
def enter(inside: Inside, cgroups: Sequence[Path] = ()) -> Iterator[Entry]:
    """Lay a bundle and give the runsc command for it; see `Wall.enter`."""
    platform = _platform(SERVER_PLATFORMS if inside.server else COMMAND_PLATFORMS)
    with scratch_folder("gvisor") as folder:
        write_bundle(inside, folder)
        yield Entry(
            launch(_command(folder, platform), cgroups),
            (),
            functools.partial(_first_process, folder),
            functools.partial(_exit_code, folder),
        )


def _command(folder: Path, platform: str) -> list[str]:
    return [
        executable(),
        *("--root", str(folder / "state"), "--platform", platform, "--network", "none"),
        *("--ignore-cgroups", "--host-uds", "open", "--overlay2", "none"),
        *("--log", str(folder / "log"), "--log-format", "json"),
        *(() if os.geteuid() == 0 else ("--rootless",)),
        *("run", "--bundle", str(folder), "--pid-file", str(folder / "pid"), folder.name),
    ]


def write_bundle(inside: Inside, folder: Path) -> None:
    """Write the bundle's config.json, and the root folder with a place for every mount."""
    root = folder / "rootfs"
    mounts = [*_system(root), *etc_mounts(), *inside.mounts]
    for name in ("dev", "proc", "sys", "tmp"):
        (root / name).mkdir(parents=True)
    for number, mount in enumerate(mounts):
        _make_place(root, mount, mounts[:number])
    (folder / "config.json").write_text(json.dumps(configuration(inside, mounts)))


def configuration(inside: Inside, mounts: Sequence[Mount]) -> dict[str, Any]:
    """Return an OCI runtime configuration.

    The ordinary user inside owns what the user of thresher owns outside. The server is root
    inside, so that its cells can be somebody else. Without root outside there can be no other
    user inside, so that commands are run by a root without capabilities.
    """
    user = USER_ID if os.geteuid() == 0 and not inside.server else 0
    capabilities = SERVER_CAPABILITIES if inside.server else ()
    sets = ("bounding", "effective", "permitted", "inheritable")
    return {
        "ociVersion": "1.0.2",
        "hostname": HOST_NAME,
        "root": {"path": "rootfs", "readonly": True},
        "process": {
            "user": {"uid": user, "gid": user},
            "args": [*INIT, *inside.argv],
            "env": [f"{name}={value}" for name, value in inside.variables.items()],
            "cwd": inside.cwd,
            "capabilities": {kind: list(capabilities) for kind in sets},
            "noNewPrivileges": True,
        },
        "mounts": [*_own_mounts(inside), *map(_oci_mount, mounts), *_covers()],
        "linux": {
            "namespaces": [{"type": kind} for kind in NAMESPACES],
            "uidMappings": _identities(user),
            "gidMappings": _identities(user),
        },
    }


def _own_mounts(inside: Inside) -> Iterator[dict[str, Any]]:
    if inside.server:
        yield _tmpfs("/proc", "size=4096", "ro")
    else:
        yield {"destination": "/proc", "type": "proc", "source": "proc"}
    for target in ("/tmp", "/dev/shm"):  # noqa: S108 - paths inside the wall
        yield _tmpfs(target, f"size={inside.tmp_bytes}", "mode=1777", "nosuid", "nodev")


def _covers() -> Iterator[dict[str, Any]]:
    if LOCAL_ETC.is_dir():
        yield _tmpfs(str(LOCAL_ETC), "size=4096", "ro")


def _tmpfs(target: str, *options: str) -> dict[str, Any]:
    return {"destination": target, "type": "tmpfs", "source": "tmpfs", "options": list(options)}


def _oci_mount(mount: Mount) -> dict[str, Any]:
    access = "rw" if mount.writable else "ro"
    return {
        "destination": mount.target,
        "type": "bind",
        "source": str(mount.source),
        "options": ["bind", access, "nosuid", "nodev"],
    }


def _identities(inside: int) -> list[dict[str, int]]:
    """Map the user of thresher, whom rootless runsc makes root first, to the one inside."""
    mapped = {inside: 0}
    mapped.setdefault(0, NOBODY)  # runsc needs a root there
    return [{"containerID": a, "hostID": b, "size": 1} for a, b in mapped.items()]


def _system(root: Path) -> list[Mount]:
    """Give the host's programs and libraries; links among them are laid at once."""
    root.mkdir()
    mounts = [Mount(Path("/usr"), "/usr")]
    for name in SYSTEM_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            (root / name).symlink_to(path.readlink())
        elif path.exists():
            mounts.append(Mount(path, str(path)))
    return mounts


def _make_place(root: Path, mount: Mount, before: Sequence[Mount]) -> None:
    """Make what a mount lies on, unless it lies in an earlier mount, which has it."""
    target = Path(mount.target)
    if not mount.source.exists():
        raise InfrastructureError(f"{mount.source} does not exist, to be mounted at {target}")
    if any(target.is_relative_to(other.target) for other in before):
        return
    place = root / target.relative_to("/")
    if mount.source.is_dir():
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()


def _first_process(folder: Path) -> int | None:
    try:
        return int((folder / "pid").read_text())
    except (FileNotFoundError, ValueError):
        return None


def _exit_code(folder: Path, returncode: int) -> int | None:
    """Trust runsc's exit code only when the command was started and runsc complains of nothing."""
    with contextlib.suppress(FileNotFoundError):
        if '"level":"error"' in (folder / "log").read_text():
            return None
    return returncode if (folder / "pid").exists() else None


def executable() -> str:
    """Return the path of runsc; raise SandboxUnavailable when it isn't installed."""
    found = shutil.which("runsc")
    if found is None:
        raise SandboxUnavailable(
            "gVisor is not installed: apt-get install runsc, or gvisor.dev/docs/user_guide/install"
        )
    return found


def version() -> str:
    """Return ``gvisor`` and the version of the installed runsc, such as ``gvisor 20221219.0``."""
    done = subprocess.run([executable(), "--version"], capture_output=True, text=True, check=True)
    return f"gvisor {done.stdout.split()[2].removeprefix('release-').removeprefix('0.0~')}"


def host_processes(inside: int) -> int:
    """Count its own threads in (130 seen when idle, with ptrace), and 7 to 8 per process inside."""
    return 200 + 10 * inside


def remedy(_said: str) -> str:
    """Say what makes the wall work."""
    return "in a container, allow ptrace and user namespaces (docker run --cap-add SYS_PTRACE)"


def _platform(preferred: tuple[str, ...]) -> str:
    """Return the first platform that works here; the last when none does, to say why."""
    works = functools.partial(_works, executable())
    return next(filter(works, preferred[:-1]), preferred[-1])


@functools.cache
def _works(_executable: str, platform: str) -> bool:
    with scratch_folder("gvisor") as folder:
        write_bundle(Inside(["true"]), folder)
        argv = launch(_command(folder, platform), ())
        try:
            done = subprocess.run(
                argv,
                stdin=subprocess.DEVNULL,  # runsc would leave ours non-blocking
                capture_output=True,
                timeout=TRIAL_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:  # as kvm does on some hosts
            return False
    return done.returncode == 0


GVISOR = Wall("gvisor", 2, host_processes, version, remedy, enter)
