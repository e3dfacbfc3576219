"""Standalone: prepare for a sandbox, start its wall, and stay until all of it is gone.

Usage: ``python launch.py PARENT [--lock-devices] [CGROUP_PROCS_FILE ...] -- COMMAND ...``, where
PARENT is the process that starts this one: it may be gone before anything here runs. This process
enters the cgroups first, so that nothing it starts is ever outside them. bwrap leaves the first
process inside to be reaped by others; here it is, so that no zombie stays, the end of this process
is the end of everything, and its CPU time is that of everything. When this process or the one
that started it dies, the sandbox dies.

A bubblewrap sandbox started by root runs, for the kernel, as the owner of the host's device nodes:
it could take the permissions of /dev/null away from everybody. So with ``--lock-devices`` root
first gets its own view of the mounts in which the devices are read-only, which nothing inside
can undo; reading and writing the devices goes on working.
"""

import ctypes
import os
import resource
import signal
import sys

SIGNALS = 1024  # that may be pending; the kernel counts them per user of the host
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
NEW_MOUNTS_AND_USERS = 0x10020000  # CLONE_NEWNS | CLONE_NEWUSER
MS_BIND = 4096
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
MOUNT_SETATTR = 442  # the same on every architecture
AT_FDCWD = -100
READ_ONLY = (ctypes.c_uint64 * 4)(1, 0, 0, 0)  # struct mount_attr: set MOUNT_ATTR_RDONLY
LIBC = ctypes.CDLL(None, use_errno=True)


def main(arguments: list[str]) -> int:
    """Enter the cgroups, lock the devices when root, run the command; return its exit code."""
    die_with(int(arguments[0]))
    lock = arguments[1] == "--lock-devices"
    end = arguments.index("--")
    for procs in arguments[1 + lock : end]:
        write(procs, "0")
    if lock:
        resource.setrlimit(resource.RLIMIT_SIGPENDING, (SIGNALS, SIGNALS))
        if os.geteuid() == 0:
            lock_devices()
    check(LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
    die_with(int(arguments[0]))  # again: new users of the kernel's have forgotten it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    launcher = os.getpid()
    child = os.fork()
    if child == 0:
        die_with(launcher)
        # The first process inside is a copy of bwrap, whose environment can be read in /proc.
        os.execve(arguments[end + 1], arguments[end + 1 :], {})  # noqa: S606 - an argument list
    return reap(child)


def die_with(parent: int) -> None:
    """Have this process killed when its parent dies, also when it already has."""
    check(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def reap(child: int) -> int:
    """Wait for all descendants; return the exit code of `child`, 128 and more for a signal."""
    code = 0
    while True:
        try:
            process, status = os.wait()
        except ChildProcessError:
            return code
        if process == child:
            code = os.waitstatus_to_exitcode(status)
            code = code if code >= 0 else 128 - code


def lock_devices() -> None:
    """Make the device nodes read-only for this process and all that it starts."""
    check(LIBC.unshare(NEW_MOUNTS_AND_USERS))
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", "0 0 1")
    write("/proc/self/gid_map", "0 0 1")
    for name in DEVICES:
        path = b"/dev/" + name.encode()
        check(LIBC.mount(path, path, None, ctypes.c_ulong(MS_BIND), None))
        size = ctypes.sizeof(READ_ONLY)
        check(LIBC.syscall(MOUNT_SETATTR, AT_FDCWD, path, 0, ctypes.byref(READ_ONLY), size))
    reopen_null()


def reopen_null() -> None:
    """Replace inherited descriptors of the unlocked /dev/null by ones of the locked."""
    locked = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        if os.path.sameopenfile(locked, descriptor):
            os.dup2(locked, descriptor)
    os.close(locked)


def write(path: str, text: str) -> None:
    """Write `text` to the kernel file `path` in one call."""
    descriptor = os.open(path, os.O_WRONLY)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def check(result: int) -> None:
    """Raise OSError when a system call said no."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
