"""Run one command behind the wall, within limits, with or without a package index."""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from thresher.errors import InfrastructureError
from thresher.sandbox import walls
from thresher.sandbox.cgroup import Cgroup
from thresher.sandbox.egress import Connection, Egress
from thresher.sandbox.firewall import Denied, Policy
from thresher.sandbox.index import PackageIndex
from thresher.sandbox.wall import (
    NO_VARIABLES,
    OWN_PYTHON,
    Entry,
    Inside,
    Limits,
    Mount,
    Wall,
    python_mounts,
)
from thresher.sandbox.watch import Output, Watch

Outcome = Literal["exit", "timeout", "out_of_memory", "disk", "killed"]
DEFAULT_LIMITS = Limits()
HELPERS = 2  # the launcher and the relay
CHUNK_BYTES = 65536
RELAY = Path(__file__).resolve().parent / "relay.py"
SIGNALLED = 128


class Completed(NamedTuple):
    """What became of a command.

    Attributes:
        returncode: its exit code, or 128 and the number of the signal that ended it.
        output: the end of its output and errors, in one, up to `Limits.output_bytes`.
        outcome: ``exit`` when it ended by itself; else which limit ended it; ``killed`` when
            something else did.
        cpu_seconds: processor time of its processes; where no control group counts it, without
            those that a limit killed.
        wall_seconds: time from start to end.
        connections: every attempt to get out through the proxy.
        denied: what the firewall stopped, where one is in force.
        level: the wall in force.
    """

    returncode: int
    output: str
    outcome: Outcome
    cpu_seconds: float
    wall_seconds: float
    connections: tuple[Connection, ...]
    denied: Denied | None
    level: str


def run(
    argv: Sequence[str],
    *,
    mounts: Sequence[Mount] = (),
    env: Mapping[str, str] = NO_VARIABLES,
    cwd: str = "/tmp",  # noqa: S108 - a private tmpfs inside the wall
    limits: Limits = DEFAULT_LIMITS,
    network: PackageIndex | None = None,
    on_output: Callable[[str], None] | None = None,
    wall: Wall | None = None,
) -> Completed:
    """Run `argv` in a fresh sandbox and wait for its end; nothing of it is left running.

    Args:
        argv: the command, looked up inside.
        mounts: what it sees besides the system; only writable ones can keep anything.
        env: its variables; nothing of the host's environment is passed on.
        cwd: its working directory.
        limits: what it may use; `disk_bytes` is how much the writable mounts may grow.
        network: the package index it may reach; nothing at all by default.
        on_output: called with each line of output as it comes, without its end.
        wall: what keeps it in; by default the strongest that works here.

    Raises:
        SandboxUnavailable: no wall works on this host.
        InfrastructureError: this sandbox could not be set up, or was killed from outside.
    """
    wall = wall or walls.in_force()
    with contextlib.ExitStack() as stack:
        egress: Egress | None = None
        if network is not None:
            egress = stack.enter_context(Egress(network.hosts, network.private))
            mounts = (*_network_mounts(network, egress), *mounts)
            env = {**network.env, **env}
            argv = (OWN_PYTHON, "-I", "/egress/relay.py", "/egress/proxy/proxy", "--", *argv)
        processes = wall.host_processes(limits.processes + HELPERS)
        group = stack.enter_context(Cgroup(limits.memory_bytes, processes, Policy()))
        writable = [mount.source for mount in mounts if mount.writable]
        watch = Watch(limits, writable, group.cpu_seconds)
        output = Output(limits.output_bytes, on_output)
        argv = [*_limiter(limits, group), *argv]
        tmp_bytes = min(limits.disk_bytes, limits.memory_bytes // 2)
        inside = Inside(argv, mounts, env, cwd, tmp_bytes)
        entry = stack.enter_context(wall.enter(inside, group.procs))
        process = stack.enter_context(_Process(entry, group))
        breach = _attend(process, watch, output)
        code, reaped = process.wait()
        cpu_seconds = group.cpu_seconds() or reaped
        wall_seconds = time.monotonic() - watch.began
        returncode = SIGNALLED + signal.SIGKILL if code is None else code
        outcome = breach or _outcome(returncode, group, watch)
        if code is None and outcome not in ("timeout", "disk", "out_of_memory"):
            said = output.text().strip() or "it was killed from outside"
            raise InfrastructureError(f"the sandbox for {argv[-1]!r} failed: {said}")
    return Completed(
        returncode,
        output.text(),
        outcome,
        cpu_seconds,
        wall_seconds,
        connections=tuple(egress.log) if egress else (),
        denied=group.firewall.denied() if group.firewall else None,
        level=walls.probe(wall),
    )


class _Process:
    """One running sandbox, from outside."""

    def __init__(self, entry: Entry, group: Cgroup) -> None:
        self._entry = entry
        self._group = group
        self._process = subprocess.Popen(
            entry.argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=entry.descriptors,
            start_new_session=True,
        )
        self.ended = os.pidfd_open(self._process.pid)  # readable when it has

    def __enter__(self) -> "_Process":
        return self

    def __exit__(self, *error: object) -> None:
        if self._process.returncode is None:
            self.kill(hard=True)
            self.wait()
        os.close(self.ended)
        if self._process.stdout:
            self._process.stdout.close()

    @property
    def output(self) -> int:
        """The descriptor to read the command's output from."""
        if self._process.stdout is None:
            raise InfrastructureError("the sandbox was started without a pipe for its output")
        return self._process.stdout.fileno()

    def kill(self, *, hard: bool) -> None:
        """Kill everything inside; `hard` kills the wall too, which then can't tell of its child."""
        first = self._entry.first_process()
        if first is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(first, signal.SIGKILL)
        if (hard or first is None) and self._process.returncode is None:
            os.kill(self._process.pid, signal.SIGKILL)  # Popen.kill would reap it, and lose its CPU
            self._group.kill()

    def wait(self) -> tuple[int | None, float]:
        """Return the command's exit code (None when the wall failed) and its CPU seconds."""
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        code = self._entry.exit_code(self._process.returncode)
        return code, usage.ru_utime + usage.ru_stime


def _attend(process: _Process, watch: Watch, output: Output) -> Literal["timeout", "disk"] | None:
    """Read until the sandbox has ended, killing it at a breach; return the breach."""
    breach: Literal["timeout", "disk"] | None = None
    with selectors.DefaultSelector() as selector:
        selector.register(process.output, selectors.EVENT_READ)
        selector.register(process.ended, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select(watch.seconds()):
                data = b"" if key.fd == process.ended else os.read(key.fd, CHUNK_BYTES)
                output.feed(data)
                if not data:
                    selector.unregister(key.fd)
            if breach is None and (breach := watch.breach()):
                process.kill(hard=False)
            elif breach and watch.overdue():
                process.kill(hard=True)
    return breach


def _network_mounts(network: PackageIndex, egress: Egress) -> tuple[Mount, ...]:
    relay = (Mount(egress.socket.parent, "/egress/proxy"), Mount(RELAY, "/egress/relay.py"))
    return (*python_mounts(), *network.mounts, *relay)


def _limiter(limits: Limits, group: Cgroup) -> list[str]:
    """Return the command prefix that sets resource limits, from inside the user namespace.

    Set outside, the process limit would count all the user's processes on the host. The limit
    on addresses is a poor stand-in for the memory cgroup, for hosts without one, and that on CPU
    time, of each process alone, for its clock; gVisor's own clock runs fast on a busy host.
    """
    counted = group.cpu_seconds() is not None
    cpu = limits.cpu_seconds * (limits.processes if counted else 1)
    words = [
        f"--cpu={cpu}:{cpu + 5}",
        f"--fsize={limits.disk_bytes}",
        "--core=1",
    ]
    words.append(f"--nproc={limits.processes}")
    if not group.limited:
        words.append(f"--as={limits.memory_bytes}")
    return ["prlimit", *words, "--"]


def _outcome(returncode: int, group: Cgroup, watch: Watch) -> Outcome:
    """Say what ended a command that the watch didn't end."""
    if watch.disk_full():
        return "disk"
    if returncode != 0 and group.memory_kills():
        return "out_of_memory"
    if returncode == SIGNALLED + signal.SIGXCPU:
        return "timeout"
    return "killed" if returncode == SIGNALLED + signal.SIGKILL else "exit"
