"""Run one command behind the wall, within limits, with or without a package index."""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from thresher.errors import InfrastructureError
from thresher.sandbox.cgroup import Cgroup
from thresher.sandbox.egress import Connection, Egress
from thresher.sandbox.index import PackageIndex
from thresher.sandbox.wall import Limits, Mount, bubblewrap, probe, python_mounts
from thresher.sandbox.watch import Output, Watch

Outcome = Literal["exit", "timeout", "out_of_memory", "disk", "killed"]
DEFAULT_LIMITS = Limits()
WALL_PROCESSES = 3  # bwrap, its init and the relay
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
        cpu_seconds: processor time of its processes, without those that a limit killed.
        wall_seconds: time from start to end.
        connections: every attempt to get out through the proxy.
        level: the wall in force.
    """

    returncode: int
    output: str
    outcome: Outcome
    cpu_seconds: float
    wall_seconds: float
    connections: tuple[Connection, ...]
    level: str


def run(
    argv: Sequence[str],
    *,
    mounts: Sequence[Mount] = (),
    env: Mapping[str, str] | None = None,
    cwd: str = "/tmp",  # noqa: S108 - a private tmpfs inside the wall
    limits: Limits = DEFAULT_LIMITS,
    network: PackageIndex | None = None,
    on_output: Callable[[str], None] | None = None,
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

    Raises:
        SandboxUnavailable: no wall works on this host.
        InfrastructureError: this sandbox could not be set up, or was killed from outside.
    """
    level = probe()
    with contextlib.ExitStack() as stack:
        egress: Egress | None = None
        if network is not None:
            egress = stack.enter_context(Egress(network.hosts, network.private))
            mounts = (*_network_mounts(network, egress), *mounts)
            env = {**network.env, **(env or {})}
            argv = (sys.executable, "-I", "/egress/relay.py", "/egress/proxy/proxy", "--", *argv)
        group = stack.enter_context(Cgroup(limits.memory_bytes, limits.processes + WALL_PROCESSES))
        watch = Watch(limits, [mount.source for mount in mounts if mount.writable])
        output = Output(limits.output_bytes, on_output)
        argv = [*_limiter(limits, group.limited), *argv]
        wall = stack.enter_context(_Wall(argv, mounts, env, cwd, limits, group))
        breach = _attend(wall, watch, output)
        code, cpu_seconds = wall.wait()
        wall_seconds = time.monotonic() - watch.began
        if code is None and breach is None:
            said = output.text().strip() or "it was killed from outside"
            raise InfrastructureError(f"the sandbox for {argv[-1]!r} failed: {said}")
        returncode = SIGNALLED + signal.SIGKILL if code is None else code
        outcome = breach or _outcome(returncode, group, watch)
    log = tuple(egress.log) if egress else ()
    return Completed(returncode, output.text(), outcome, cpu_seconds, wall_seconds, log, level)


class _Wall:
    """One running bwrap and the status lines that it writes about its child."""

    def __init__(
        self,
        argv: Sequence[str],
        mounts: Sequence[Mount],
        env: Mapping[str, str] | None,
        cwd: str,
        limits: Limits,
        group: Cgroup,
    ) -> None:
        self.status, write = os.pipe()
        try:
            self._process = subprocess.Popen(
                bubblewrap(
                    argv,
                    mounts=mounts,
                    env=env,
                    cwd=cwd,
                    tmp_bytes=min(limits.disk_bytes, limits.memory_bytes // 2),
                    cgroups=group.procs,
                    status_descriptor=write,
                ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(write,),
                start_new_session=True,
            )
        except BaseException:
            os.close(self.status)
            raise
        finally:
            os.close(write)
        self._group = group
        self._lines = b""

    def __enter__(self) -> "_Wall":
        return self

    def __exit__(self, *error: object) -> None:
        if self._process.returncode is None:
            self.kill(hard=True)
            self.wait()
        os.close(self.status)
        if self._process.stdout:
            self._process.stdout.close()

    @property
    def output(self) -> int:
        """The descriptor to read the command's output from."""
        if self._process.stdout is None:
            raise InfrastructureError("the sandbox was started without a pipe for its output")
        return self._process.stdout.fileno()

    def note(self, data: bytes) -> None:
        """Take what bwrap wrote on its status descriptor."""
        self._lines += data

    def kill(self, *, hard: bool) -> None:
        """Kill everything inside; `hard` kills bwrap too, which then can't tell of its child."""
        child = self._fact("child-pid")
        if child is not None and self._fact("exit-code") is None:
            # The first process inside takes its whole process namespace with it.
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        if (hard or child is None) and self._process.returncode is None:
            os.kill(self._process.pid, signal.SIGKILL)  # Popen.kill would reap it, and lose its CPU
            self._group.kill()

    def wait(self) -> tuple[int | None, float]:
        """Return the command's exit code (None when bwrap can't tell) and its CPU seconds."""
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return self._fact("exit-code"), usage.ru_utime + usage.ru_stime

    def _fact(self, name: str) -> int | None:
        for line in self._lines.splitlines():
            with contextlib.suppress(ValueError):  # not written to its end yet
                facts = json.loads(line)
                if name in facts:
                    return int(facts[name])
        return None


def _attend(wall: _Wall, watch: Watch, output: Output) -> Literal["timeout", "disk"] | None:
    """Read until the sandbox has ended, killing it at a breach; return the breach."""
    breach: Literal["timeout", "disk"] | None = None
    with selectors.DefaultSelector() as selector:
        selector.register(wall.output, selectors.EVENT_READ, output.feed)
        selector.register(wall.status, selectors.EVENT_READ, wall.note)
        while selector.get_map():
            for key, _ in selector.select(watch.seconds()):
                data = os.read(key.fd, CHUNK_BYTES)
                key.data(data)
                if not data:
                    selector.unregister(key.fd)
            if breach is None and (breach := watch.breach()):
                wall.kill(hard=False)
            elif breach and watch.overdue():
                wall.kill(hard=True)
    return breach


def _network_mounts(network: PackageIndex, egress: Egress) -> tuple[Mount, ...]:
    relay = (Mount(egress.socket.parent, "/egress/proxy"), Mount(RELAY, "/egress/relay.py"))
    return (*python_mounts(), *network.mounts, *relay)


def _limiter(limits: Limits, limited: bool) -> list[str]:
    """Return the command prefix that sets resource limits, from inside the user namespace.

    Set outside, the process limit would count all the user's processes on the host. The limit
    on addresses is a poor stand-in for the memory cgroup, for hosts without one.
    """
    cpu = limits.cpu_seconds
    words = [f"--cpu={cpu}:{cpu + 5}", f"--fsize={limits.disk_bytes}", "--core=0"]
    words.append(f"--nproc={limits.processes}")
    if not limited:
        words.append(f"--as={limits.memory_bytes}")
    return ["prlimit", *words, "--"]


def _outcome(returncode: int, group: Cgroup, watch: Watch) -> Outcome:
    """Say what ended a command that the watch didn't end."""
    if watch.disk_full():
        return "disk"
    if returncode != 0 and group.out_of_memory():
        return "out_of_memory"
    if returncode == SIGNALLED + signal.SIGXCPU:
        return "timeout"
    return "killed" if returncode == SIGNALLED + signal.SIGKILL else "exit"
