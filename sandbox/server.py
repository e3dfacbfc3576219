"""The warm server: runs inside the wall and clones one cell per program.

Standard library only. It connects a socket for each cell and never reads from it, so that what one
program is given or answers is never in the memory of the next. When a cell's first process ends,
the kernel ends all others of its PID namespace. What cells may write to is as good as new for each:
it is made anew after every cell that changed it.

A page that the server writes to is copied while a cell shares it, and Python writes to all that it
looks at: so in a cell's time the server makes a few prepared calls and waits for the end. The
guard, a second process, kills the cell when the trusted side says so.

It is started by `thresher.sandbox.warm`.
"""

import contextlib
import ctypes
import mmap
import os
import platform
import resource
import signal
import socket
import struct
import time
from collections.abc import Callable
from types import ModuleType

from thresher.sandbox import cell, seccomp
from thresher.sandbox.frames import CHANNEL, CONTROL_BYTES, KILL, READY, REPORT, START
from thresher.sandbox.libc import call, prepared

SCRATCH = (b"/tmp", b"/dev/shm")  # noqa: S108 - two names of one tmpfs of our own
SCRATCH_BYTES = 32 << 20
NEW_MOUNTS, MS_NOSUID, MS_NODEV, MS_BIND, MNT_DETACH = 0x20000, 2, 4, 4096, 2
AF_UNIX = int(socket.AF_UNIX)
CELLS = struct.pack("=H", AF_UNIX) + b"cells"  # struct sockaddr_un
RUSAGE_BYTES, REPORT_TIMES = 144, 8
STATX_BASIC, STATX_BYTES = 0x7FF, 256
REALTIME_COARSE = 5  # the clock that files are stamped by; Python has no name for it
CONTROL = cell.MOST_DESCRIPTORS - 1
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
LIMITS = (
    (resource.RLIMIT_CORE, 1),  # 0 would still feed a piped core_pattern, see core(5)
    (resource.RLIMIT_NOFILE, cell.MOST_DESCRIPTORS),
    (resource.RLIMIT_SIGPENDING, 256),  # counted per user of the host
)
end = os._exit  # a program may replace the one that it finds


def serve(codec: ModuleType, control: int, current: ctypes.Array[ctypes.c_char]) -> None:
    """Run a cell whenever the trusted side asks, until that is gone.

    Args:
        codec: the module that cells encode and decode values with.
        control: the socket to the trusted side.
        current: memory shared with the guard; the number of each cell comes to stand there, and
            then, written by the kernel, its process.
    """
    flags = map(ctypes.c_long, (seccomp.clone_number(), seccomp.CELL_FLAGS, 0))
    report = ctypes.create_string_buffer(REPORT.size + RUSAGE_BYTES)
    state, unchanged = (ctypes.create_string_buffer(STATX_BYTES) for _ in range(2))
    receive = prepared("recv", control, current, START.size, 0)
    # No PyOS_AfterFork_Child: it mends threads and locks, and there is one thread here.
    clone = prepared("syscall", *flags, current, None, None)
    close = prepared("close", cell.CHANNEL)
    wait, times = prepared("wait4"), ctypes.byref(report, REPORT_TIMES)
    open_next = prepared("socket", AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC, 0)
    connect_next = prepared("connect", cell.CHANNEL, CELLS, len(CELLS))
    send = prepared("send", control, report, REPORT.size, 0)
    look = prepared("statx", 0, SCRATCH[0], 0, STATX_BASIC, state)
    changed = prepared("memcmp", state, unchanged, STATX_BYTES)

    lay_scratch()
    if look() or open_next() != cell.CHANNEL or connect_next():
        raise OSError("the server can't begin")
    unchanged.raw = state.raw
    call("send", control, READY, len(READY), 0)
    while receive() > 0:
        pid = clone()
        if pid == 0:
            try:
                cell.run(codec)
            finally:
                end(0)
        # It closes the channel, or the trusted side would not hear that the cell hung up.
        if pid < 0 or close() or wait(pid, report, 0, times) != pid:
            raise OSError("the server can't run a cell")
        if open_next() != cell.CHANNEL or connect_next() or send() < 0:
            raise OSError("the server can't go on")
        if look() or changed():
            clear_scratch()
            lay_scratch()
            look()
            unchanged.raw = state.raw


def lay_scratch() -> None:
    """Mount a new tmpfs where cells may write; from its return on, no change of it goes unseen.

    Its root is its only folder. Whatever a program makes, alters or removes there changes the time
    of the last change, which nobody can set; looking through it changes that of the last access.
    """
    inodes = b"" if os.getuid() == 0 else b",nr_inodes=4096"  # gVisor has no such limit
    options = b"mode=1777,size=%d" % SCRATCH_BYTES + inodes
    call("mount", b"tmpfs", SCRATCH[0], b"tmpfs", MS_NOSUID | MS_NODEV, options)
    for name in SCRATCH[1:]:
        call("mount", SCRATCH[0], name, None, MS_BIND, None)
    while time.clock_gettime_ns(REALTIME_COARSE) <= os.stat(SCRATCH[0]).st_ctime_ns:  # noqa: PTH116
        time.sleep(time.clock_getres(REALTIME_COARSE))


def clear_scratch() -> None:
    """Unmount the tmpfs, which nobody uses any more."""
    for name in reversed(SCRATCH):
        call("umount2", name, MNT_DETACH)


def connect(name: str) -> socket.socket:
    """Connect to one of the sockets of the trusted side that keep packets whole."""
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    channel.connect(name)
    return channel


def start_guard(current: mmap.mmap) -> None:
    """Start the process that kills cells: when told to, or when the trusted side is gone."""
    server = os.getpid()
    if os.fork() == 0:
        call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        guard = connect("guard")
        while packet := guard.recv(CONTROL_BYTES):
            pid, number = START.unpack_from(current)
            if KILL.unpack(packet)[0] == number and pid:
                kill(pid)
        kill(START.unpack_from(current)[0] or server)
        end(0)


def kill(pid: int) -> None:
    """End a cell's first process, and so all of its namespace, if it hasn't ended."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def main(warm: Callable[[], ModuleType]) -> None:
    """Serve until the control socket closes.

    Args:
        warm: makes this process ready to be cloned, and returns the module that cells encode and
            decode values with.
    """
    os.chdir(CHANNEL)  # where the scratch folder will hide it from all paths
    current = mmap.mmap(-1, mmap.PAGESIZE)  # shared
    start_guard(current)
    current.madvise(mmap.MADV_DONTFORK)  # no cell may reach it
    codec = warm()
    control = connect("control")
    os.dup2(control.detach(), CONTROL, inheritable=False)
    os.closerange(cell.CHANNEL, CONTROL)
    if os.getuid() != 0:  # in gVisor all mounts are the server's
        call("unshare", NEW_MOUNTS)
        call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for kind, most in LIMITS:
        with contextlib.suppress(ValueError, OSError):  # gVisor hasn't all of them
            resource.setrlimit(kind, (most, most))
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    seccomp.install(seccomp.build(platform.machine()))
    serve(codec, CONTROL, (ctypes.c_char * mmap.PAGESIZE).from_buffer(current))
