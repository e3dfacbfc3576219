"""The warm server: runs inside the wall and clones one cell per program.

Standard library only. It connects a socket for each cell and never reads from it, so that what one
program is given or answers is never in the memory of the next. When a cell's first process ends,
the kernel ends all others of its PID namespace. What cells may write to is as good as new for each:
it is made anew after every cell that changed it.

A page that the server writes to is copied while a cell shares it, so it does little in a cell's
time: it waits for the end. The guard, a second process, kills the cell when the trusted side says
so.

Usage: ``python -m thresher.sandbox.server``, where `thresher.sandbox.frames.CHANNEL` holds the
sockets of the trusted side.
"""

import _socket  # without the wrapper, which costs a cell 0.1 ms
import contextlib
import ctypes
import importlib
import mmap
import os
import platform
import resource
import signal
import socket
import time
from types import ModuleType

from thresher.sandbox import cell, seccomp
from thresher.sandbox.frames import CHANNEL, CONTROL_BYTES, CURRENT, KILL, READY, REPORT, START
from thresher.sandbox.libc import call
from thresher.sandbox.warm import warm

CODEC = "values"  # the module's name inside the wall
SCRATCH = (b"/tmp", b"/dev/shm")  # noqa: S108 - two names of one tmpfs of our own
SCRATCH_BYTES = 32 << 20
NEW_MOUNTS, MS_NOSUID, MS_NODEV, MS_BIND, MNT_DETACH = 0x20000, 2, 4, 4096, 2
REALTIME_COARSE = 5  # the clock that files are stamped by; Python has no name for it
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
LIMITS = (
    (resource.RLIMIT_CORE, 1),  # 0 would still feed a piped core_pattern, see core(5)
    (resource.RLIMIT_NOFILE, cell.MOST_DESCRIPTORS),
    (resource.RLIMIT_SIGPENDING, 256),  # counted per user of the host
)
end = os._exit  # a program may replace the one that it finds


def serve(codec: ModuleType, control: socket.socket, current: mmap.mmap) -> None:
    """Run a cell whenever the trusted side asks, until that is gone.

    Args:
        codec: the module that cells encode and decode values with.
        control: the socket to the trusted side.
        current: memory shared with the guard, which is told of each cell here.
    """
    lay_scratch()
    unchanged = state_of_scratch()
    channel = connect_cell()
    control.send(READY)
    while packet := control.recv(CONTROL_BYTES):
        number, *limits = START.unpack(packet)
        pid = start_cell(codec, limits, channel.fileno())
        CURRENT.pack_into(current, 0, pid, number)
        channel.close()  # or the trusted side would not hear that the cell hung up
        _, status, usage = os.wait4(pid, 0)
        channel = connect_cell()
        control.send(REPORT.pack(status, usage.ru_utime + usage.ru_stime))
        if state_of_scratch() != unchanged:
            clear_scratch()
            lay_scratch()
            unchanged = state_of_scratch()


def start_cell(codec: ModuleType, limits: list[int], channel: int) -> int:
    """Clone a cell into fresh namespaces; `channel` is its socket."""
    # No PyOS_AfterFork_Child: it mends threads and locks, and there is one thread here.
    arguments = (seccomp.clone_number(), seccomp.CELL_FLAGS, 0, 0, 0, 0)
    pid = call("syscall", *map(ctypes.c_long, arguments))
    if pid == 0:
        try:
            cell.run(codec, limits, channel)
        finally:
            end(0)
    return pid


def lay_scratch() -> None:
    """Mount a new tmpfs where cells may write; from its return on, no change of it goes unseen."""
    inodes = b"" if os.getuid() == 0 else b",nr_inodes=4096"  # gVisor has no such limit
    options = b"mode=1777,size=%d" % SCRATCH_BYTES + inodes
    call("mount", b"tmpfs", SCRATCH[0], b"tmpfs", MS_NOSUID | MS_NODEV, options)
    for name in SCRATCH[1:]:
        call("mount", SCRATCH[0], name, None, MS_BIND, None)
    while time.clock_gettime_ns(REALTIME_COARSE) <= state_of_scratch()[0]:
        time.sleep(time.clock_getres(REALTIME_COARSE))


def state_of_scratch() -> tuple[int, int]:
    """Return when the tmpfs was last changed and looked through, its only folder being its root.

    Whatever a program makes, alters or removes there changes the first: nobody can set it.
    """
    root = os.stat(SCRATCH[0])  # noqa: PTH116 - pathlib is no module that cells have warm
    return root.st_ctime_ns, root.st_atime_ns


def clear_scratch() -> None:
    """Unmount the tmpfs, which nobody uses any more."""
    for name in reversed(SCRATCH):
        call("umount2", name, MNT_DETACH)


def connect(name: str) -> socket.socket:
    """Connect to one of the sockets of the trusted side that keep packets whole."""
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    channel.connect(name)
    return channel


def connect_cell() -> _socket.socket:
    """Connect the socket of the next cell."""
    channel = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    channel.connect("cells")
    return channel


def start_guard(current: mmap.mmap) -> None:
    """Start the process that kills cells: when told to, or when the trusted side is gone."""
    server = os.getpid()
    if os.fork() == 0:
        call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        guard = connect("guard")
        while packet := guard.recv(CONTROL_BYTES):
            pid, number = CURRENT.unpack_from(current)
            if KILL.unpack(packet)[0] == number and pid:
                kill(pid)
        kill(CURRENT.unpack_from(current)[0] or server)
        end(0)


def kill(pid: int) -> None:
    """End a cell's first process, and so all of its namespace, if it hasn't ended."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def main() -> None:
    """Warm the interpreter, then serve until the control socket closes."""
    os.chdir(CHANNEL)  # where the scratch folder will hide it from all paths
    current = mmap.mmap(-1, mmap.PAGESIZE)  # shared
    start_guard(current)
    current.madvise(mmap.MADV_DONTFORK)  # no cell may reach it
    codec = importlib.import_module(CODEC)
    warm(codec)
    control = connect("control")
    if os.getuid() != 0:  # in gVisor all mounts are the server's
        call("unshare", NEW_MOUNTS)
        call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for kind, most in LIMITS:
        with contextlib.suppress(ValueError, OSError):  # gVisor hasn't all of them
            resource.setrlimit(kind, (most, most))
    call("malloc_trim", 0)
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    seccomp.install(seccomp.build(platform.machine()))
    serve(codec, control, current)


if __name__ == "__main__":
    main()
