"""A fresh cgroup around a sandbox, where the host allows one: it bounds memory and processes.

Given a policy, it also bounds whom the sandbox can reach (see firewall.py).

The kernel exempts root from RLIMIT_NPROC, so a fork bomb in a sandbox that root started is
stopped by a cgroup alone; and only a memory cgroup counts what is written to tmpfs.
"""

import contextlib
import functools
import logging
import os
import secrets
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from thresher.sandbox.firewall import Firewall, Policy, reason
from thresher.sandbox.leftovers import abandoned, owner

KILL_SECONDS = 10.0
CLOCK_BYTES = 64
KILLS_BYTES = 512
REMOVE_TRIES = 100


class Hierarchy(NamedTuple):
    """One mounted cgroup tree: the folder this process is in, the mount point, the version."""

    own: Path
    top: Path
    controllers: frozenset[str]
    version: int


class Cgroup:
    """Context manager: a new cgroup below (or beside) our own, killed and removed at the end.

    Args:
        memory_bytes: the most memory that it may use, tmpfs included.
        processes: the most processes and threads in it.
        policy: whom it may reach; None leaves that to the wall alone.

    Attributes:
        limited: whether both limits are in force; without the right to make cgroups nothing is
            limited, and the caller must do with resource limits.
        firewall: what enforces the policy and counts; None where it isn't in force.
        no_firewall: why this host can't enforce the policy; empty where it does, or has none.
        procs: the ``cgroup.procs`` files that a process enters by writing ``0`` to each.
    """

    def __init__(self, memory_bytes: int, processes: int, policy: Policy | None = None) -> None:
        self._memory_bytes = memory_bytes
        self._processes = processes
        self._policy = policy
        self._name = f"thresher-{owner()}-{secrets.token_hex(4)}"
        self._folders: list[Path] = []
        self._clock: int | None = None
        self._count: int | None = None
        self._kills: int | None = None
        self.limited = False
        self.firewall: Firewall | None = None
        self.no_firewall = ""

    @property
    def procs(self) -> tuple[Path, ...]:
        """The files to write ``0`` to in order to enter."""
        return tuple(folder / "cgroup.procs" for folder in self._folders)

    def __enter__(self) -> Self:
        """Make the cgroup, or none when this host doesn't let us."""
        try:
            self._make()
            self.limited = bool(self._folders)
        except OSError:
            self._remove()
        if self._policy is not None:
            try:
                self.no_firewall = self._guard(self._policy)
            except BaseException:
                self._remove()
                raise
        self._clock = self._open_clock()
        self._count = self._open("pids.current") if self.limited else None
        self._kills = self._open("memory.events", "memory.oom_control")
        return self

    def __exit__(self, *error: object) -> None:
        """Kill what is left inside and remove the cgroup."""
        self.kill()
        if self.firewall is not None:
            self.firewall.close()
        for descriptor in (self._clock, self._count, self._kills):
            if descriptor is not None:
                os.close(descriptor)
        self._clock = self._count = self._kills = None
        self._remove()

    def kill(self) -> None:
        """Kill every process inside and wait until they are gone."""
        end = time.monotonic() + KILL_SECONDS
        while (left := _members(self._folders)) and time.monotonic() < end:
            for process in left:
                _kill(process)
            time.sleep(0.005)

    def cpu_seconds(self) -> float | None:
        """Return the processor time of all that ever ran inside, where this host counts it."""
        if self._clock is None:
            return None
        number = os.pread(self._clock, CLOCK_BYTES, 0).split()
        # Version 2 begins with "usage_usec N", version 1 has nanoseconds.
        return int(number[1]) / 1e6 if len(number) > 1 else int(number[0]) / 1e9

    def crowding(self) -> float:
        """Return which share of its processes the group has; 0 where they aren't limited."""
        if self._count is None:
            return 0.0
        return int(os.pread(self._count, CLOCK_BYTES, 0)) / self._processes

    def memory_kills(self) -> int:
        """Return how often the kernel killed something inside for using too much memory."""
        if self._kills is None:
            return 0
        words = os.pread(self._kills, KILLS_BYTES, 0).split()
        return int(words[words.index(b"oom_kill") + 1]) if b"oom_kill" in words else 0

    def _make(self) -> None:
        for controller in ("memory", "pids"):
            folder = _parent(controller) / self._name
            if folder not in self._folders:
                self._add(folder)
            self._limit(folder, controller)

    def _open_clock(self) -> int | None:
        """Open the file that counts processor time, in a folder of its own in version 1."""
        with contextlib.suppress(OSError):
            if not any((folder / "cgroup.controllers").exists() for folder in self._folders):
                self._add(_parent("cpuacct") / self._name)
        return self._open("cpuacct.usage", "cpu.stat")

    def _open(self, *names: str) -> int | None:
        """Open the first of some files of the group."""
        for folder in reversed(self._folders):
            for name in names:
                if (folder / name).exists():
                    return os.open(folder / name, os.O_RDONLY)
        return None

    def _add(self, folder: Path) -> None:
        _sweep(folder.parent)
        folder.mkdir()
        self._folders.append(folder)

    def _guard(self, policy: Policy) -> str:
        """Put a firewall around the group in version 2; return why not, or nothing."""
        before = len(self._folders)
        try:
            self.firewall = Firewall(self._version_2(), policy)
        except (OSError, NotImplementedError) as error:
            for folder in self._folders[before:]:
                _remove(folder)
            del self._folders[before:]
            _say_once(reason(error))
            return reason(error)
        return ""

    def _version_2(self) -> Path:
        """Return our folder in version 2, made where the limits are version 1's."""
        for hierarchy in _hierarchies():
            if hierarchy.version == 2:
                for folder in self._folders:
                    if folder.is_relative_to(hierarchy.top):
                        return folder
                self._add(hierarchy.own / self._name)
                return self._folders[-1]
        raise NotImplementedError("no cgroup version 2 is mounted here")

    def _limit(self, folder: Path, controller: str) -> None:
        if controller == "pids":
            _write(folder / "pids.max", self._processes)
            return
        version_1 = folder / "memory.limit_in_bytes"
        _write(version_1 if version_1.exists() else folder / "memory.max", self._memory_bytes)
        # Swap would let it use more than it was given; kernels without swap lack the files.
        for swap, size in (
            ("memory.memsw.limit_in_bytes", self._memory_bytes),
            ("memory.swap.max", 0),
        ):
            if (folder / swap).exists():
                _write(folder / swap, size)

    def _remove(self) -> None:
        for folder in self._folders:
            _remove(folder)
        self._folders.clear()


@functools.cache
def _say_once(why: str) -> None:
    logging.getLogger(__name__).warning("no second wall around the network: %s", why)


def _sweep(parent: Path) -> None:
    """Remove the empty groups of processes that were killed before they could."""
    for folder in parent.glob("thresher-*"):
        if abandoned(folder.name):
            with contextlib.suppress(OSError):  # not empty, or another has just swept it
                folder.rmdir()


def _parent(controller: str) -> Path:
    """Return the folder to make a cgroup with `controller` in; raise OSError when there's none."""
    for hierarchy in _hierarchies():
        if controller not in hierarchy.controllers:
            continue
        if hierarchy.version == 1:
            return hierarchy.own
        # In version 2 a group with processes can't hand controllers on, but one above it can.
        for folder in (hierarchy.own, *hierarchy.own.parents):
            handed_on = (folder / "cgroup.subtree_control").read_text().split()
            if {"memory", "pids"} <= set(handed_on) and os.access(folder, os.W_OK):
                return folder
            if folder == hierarchy.top:
                break
    raise FileNotFoundError(controller)


def _hierarchies() -> Iterator[Hierarchy]:
    """Yield the cgroup trees that this process can see, from /proc/self."""
    paths = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        paths[names] = path
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, filesystem = line.partition(" - ")
        root, top = mount.split()[3:5]
        kind, _, options = filesystem.split()[:3]
        if kind == "cgroup2" and "" in paths:
            own = _below(Path(top), root, paths[""])
            handed_down = (own / "cgroup.controllers").read_text().split()
            yield Hierarchy(own, Path(top), frozenset(handed_down), 2)
        elif kind == "cgroup":
            for names, path in paths.items():
                if names and set(names.split(",")) <= set(options.split(",")):
                    own = _below(Path(top), root, path)
                    yield Hierarchy(own, Path(top), frozenset(names.split(",")), 1)


def _below(top: Path, root: str, path: str) -> Path:
    """Return the folder of cgroup `path` in a mount at `top` that shows the tree from `root`."""
    inside = Path(path)
    return top / (inside.relative_to(root) if inside.is_relative_to(root) else Path())


def _members(folders: list[Path]) -> set[int]:
    found: set[int] = set()
    for folder in folders:
        found.update(map(int, (folder / "cgroup.procs").read_text().split()))
    return found - {0}


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def _remove(folder: Path) -> None:
    for _ in range(REMOVE_TRIES):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:  # the last process is dead but not yet taken out
            time.sleep(0.01)


def _write(path: Path, value: int) -> None:
    path.write_text(f"{value}\n")
