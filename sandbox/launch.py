"""Standalone: prepare this process for a sandbox, then become bwrap.

Usage: ``python launch.py [CGROUP_PROCS_FILE ...] -- BWRAP_COMMAND ...``. The process enters the
cgroups first, so that nothing it starts is ever outside them.

A sandbox started by root runs, for the kernel, as the owner of the host's device nodes: it could
take the permissions of /dev/null away from everybody. So root first gets its own view of the
mounts in which the devices are read-only, which nothing inside can undo; reading and writing
the devices goes on working.
"""

import ctypes
import os
import sys

DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
NEW_MOUNTS_AND_USERS = 0x10020000  # CLONE_NEWNS | CLONE_NEWUSER
MS_BIND = 4096
MOUNT_SETATTR = 442  # the same on every architecture
AT_FDCWD = -100
READ_ONLY = (ctypes.c_uint64 * 4)(1, 0, 0, 0)  # struct mount_attr: set MOUNT_ATTR_RDONLY
LIBC = ctypes.CDLL(None, use_errno=True)


def main(arguments: list[str]) -> None:
    """Enter the cgroups, lock the devices when root, and replace this process by the command."""
    end = arguments.index("--")
    for procs in arguments[:end]:
        write(procs, "0")
    if os.geteuid() == 0:
        lock_devices()
    os.execv(arguments[end + 1], arguments[end + 1 :])  # noqa: S606 - an argument list


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
    main(sys.argv[1:])
