"""A system-call filter for commands: what no test suite needs of the host's kernel is shut.

Test suites need far more than cells do, so that this is a list of what is denied: doors that have
led out of sandboxes, and ways to leave a file behind that gives its runner the rights of its owner.
See seccomp(2).
"""

import contextlib
import errno
import os
import platform
import struct
from collections.abc import Iterator

from thresher.sandbox import seccomp
from thresher.sandbox.seccomp import (
    ARCHITECTURE,
    CLONE_ANY_NAMESPACE,
    FIRST_ARGUMENT,
    JUMP_AT_LEAST,
    JUMP_BITS,
    JUMP_EQUAL,
    LOAD,
    MACHINES,
    NUMBER,
    RET_ALLOW,
    RET_ERRNO,
    RET_KILL,
    RETURN,
    X32_BIT,
)

Step = tuple[int, int, int, int]
Numbers = tuple[int, int | None]  # of a system call on x86_64 and aarch64

# Denied to cells, too; they are denied more.
SHARED = (
    *("acct", "add_key", "bpf", "delete_module", "fanotify_init", "finit_module", "fsconfig"),
    *("fsmount", "fsopen", "fspick", "init_module", "io_uring_enter", "io_uring_register"),
    *("io_uring_setup", "kcmp", "kexec_file_load", "kexec_load", "keyctl", "memfd_secret"),
    *("mount_setattr", "move_mount", "open_by_handle_at", "open_tree", "open_tree_attr"),
    *("perf_event_open", "pidfd_getfd", "pivot_root", "process_vm_readv", "process_vm_writev"),
    *("ptrace", "quotactl", "quotactl_fd", "reboot", "request_key", "setns", "swapoff", "swapon"),
    *("syslog", "userfaultfd"),
)
DENIED: dict[str, Numbers] = {
    **{name: seccomp.DENIED[name] for name in SHARED},
    "mount": (165, 40),
    "umount2": (166, 39),
}
# They hide flags or modes behind pointers; where they are absent, libc uses older calls.
ABSENT: dict[str, Numbers] = {
    "clone3": (435, 435),
    "fchmodat2": (452, 452),
    "openat2": (437, 437),
}
NAMESPACE_FLAGS: dict[str, Numbers] = {"clone": (56, 220), "unshare": (272, 97)}
SOCKETS: dict[str, Numbers] = {"socket": (41, 198), "socketpair": (53, 199)}
FAMILIES = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK
FCNTL, LEASES = (72, 25), (1024, 1026)  # F_SETLEASE, F_NOTIFY
IOCTL, TYPING = (16, 29), (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
PERSONALITY, PLAIN = (135, 92), (0, 0xFFFFFFFF)  # PER_LINUX, and the question which it is
SET_ID = 0o6000
MODES: dict[str, tuple[Numbers, int]] = {  # and which argument the mode is
    "chmod": ((90, None), 1),
    "creat": ((85, None), 1),
    "fchmod": ((91, 52), 1),
    "fchmodat": ((268, 53), 2),
    "mknod": ((133, None), 1),
    "mknodat": ((259, 33), 2),
}
OPENS: dict[str, tuple[Numbers, int]] = {  # and which argument the flags are; the mode follows
    "open": ((2, None), 1),
    "openat": ((257, 56), 2),
}
MAKES_FILE = 0o100 | 0o20000000  # O_CREAT, __O_TMPFILE: without these a mode means nothing

ALLOW: Step = (RETURN, 0, 0, RET_ALLOW)
DENY: Step = (RETURN, 0, 0, RET_ERRNO | errno.EPERM)
HIDE: Step = (RETURN, 0, 0, RET_ERRNO | errno.ENOSYS)


@contextlib.contextmanager
def opened() -> Iterator[tuple[int, ...]]:
    """Give a descriptor to read this machine's filter from, or none on a machine not known."""
    if platform.machine() not in MACHINES:
        yield ()
        return
    descriptor = os.memfd_create("filter")
    try:
        os.write(descriptor, build(platform.machine()))
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield (descriptor,)
    finally:
        os.close(descriptor)


def build(machine: str) -> bytes:
    """Build the filter for ``x86_64`` or ``aarch64``."""
    architecture, column = MACHINES[machine][:2]
    steps: list[Step] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, RET_KILL),
        (LOAD, 0, 0, NUMBER),
        (JUMP_AT_LEAST, 0, 1, X32_BIT),
        DENY,
    ]
    for numbers, body in _rules():
        if (number := numbers[column]) is not None:
            steps += [(JUMP_EQUAL, 0, len(body), number), *body]
    return b"".join(struct.pack("<HBBI", *step) for step in [*steps, ALLOW])


def _rules() -> Iterator[tuple[Numbers, list[Step]]]:
    """Yield system calls and what decides about them, which always returns."""
    for numbers in DENIED.values():
        yield numbers, [DENY]
    for numbers in ABSENT.values():
        yield numbers, [HIDE]
    for numbers in NAMESPACE_FLAGS.values():
        yield numbers, _deny_bits(0, CLONE_ANY_NAMESPACE)
    for numbers in SOCKETS.values():
        yield numbers, _decide(0, FAMILIES, ALLOW, DENY)
    yield PERSONALITY, _decide(0, PLAIN, ALLOW, DENY)
    yield FCNTL, _decide(1, LEASES, DENY, ALLOW)
    yield IOCTL, _decide(1, TYPING, DENY, ALLOW)
    for numbers, mode in MODES.values():
        yield numbers, _deny_bits(mode, SET_ID)
    for numbers, flags in OPENS.values():
        makes = [_load(flags), (JUMP_BITS, 1, 0, MAKES_FILE), ALLOW]
        yield numbers, [*makes, *_deny_bits(flags + 1, SET_ID)]


def _load(argument: int) -> Step:
    """Load the lower half of an argument, which is all that the kernel looks at here."""
    return (LOAD, 0, 0, FIRST_ARGUMENT + 8 * argument)


def _deny_bits(argument: int, bits: int) -> list[Step]:
    return [_load(argument), (JUMP_BITS, 0, 1, bits), DENY, ALLOW]


def _decide(argument: int, values: tuple[int, ...], listed: Step, others: Step) -> list[Step]:
    tests = [(JUMP_EQUAL, len(values) - n, 0, value) for n, value in enumerate(values)]
    return [_load(argument), *tests, others, listed]
