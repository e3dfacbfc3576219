"""A system-call filter in classic BPF: namespaces, mounts, tracing and kernel doors are shut.

Standard library only: this file runs inside the wall. See seccomp(2) and bpf(4).
"""

import ctypes
import errno
import platform
import struct

from thresher.sandbox.libc import call

CLONE_ANY_NAMESPACE = 0x7E020080  # user, PID, IPC, UTS, network, cgroup, mount, time
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
RET_ALLOW, RET_ERRNO, RET_KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24  # in struct seccomp_data
X32_BIT = 0x40000000

AF_UNIX = 1
F_SETLEASE, F_SETPIPE_SZ = 1024, 1031
# Architecture as audit names it, column in DENIED, the numbers of clone, clone3, socket, socketpair
# and fcntl.
MACHINES = {
    "x86_64": (0xC000003E, 0, 56, 435, 41, 53, 72),
    "aarch64": (0xC00000B7, 1, 220, 435, 198, 199, 25),
}
# What the server clones a cell with: a new PID namespace, its process written to where the server
# says, SIGCHLD at its end. It needs no mount or IPC namespace, since nobody in it can make anything
# that these hold.
CELL_FLAGS = 0x20000000 | 0x00100000 | 17
DENIED = {  # system-call numbers on x86_64 and aarch64
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    # What others open shows here, and watches are counted per user of the host.
    "inotify_init": (253, 26),
    "inotify_init1": (294, 26),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "listmount": (458, 458),
    # Memory that no limit of one process counts.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "msgget": (68, 186),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "sendmmsg": (307, 269),
    # Descriptors in flight are counted per user of the host, and gVisor forgets to take them back.
    "sendmsg": (46, 211),
    "setns": (308, 268),
    "shmat": (30, 196),
    "shmget": (29, 194),
    "statmount": (457, 457),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}


def clone_number() -> int:
    """Return this machine's number of the clone system call."""
    return MACHINES[platform.machine()][2]


def build(machine: str) -> bytes:
    """Build the filter: DENIED calls, new namespaces and all but Unix sockets get EPERM.

    The server installs it and its cells inherit it, as installing it costs as much as a clone.
    So it lets through what the server needs: mounts and the clone of a cell. Both take a
    capability, and cells have none and can't get a user namespace that would give them any.
    """
    architecture, column, clone, clone3, socket, socketpair, fcntl = MACHINES[machine]
    deny, absent = RET_ERRNO | errno.EPERM, RET_ERRNO | errno.ENOSYS
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, RET_KILL),
        (LOAD, 0, 0, NUMBER),
        (JUMP_AT_LEAST, 0, 1, X32_BIT),
        (RETURN, 0, 0, deny),
        # clone3 hides its flags behind a pointer: where it is absent, libc uses clone.
        (JUMP_EQUAL, 0, 1, clone3),
        (RETURN, 0, 0, absent),
    ]
    for numbers in DENIED.values():
        steps += [(JUMP_EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, deny)]
    # A network namespace is shared by all cells of a server, and vsock has none at all.
    for number in (socket, socketpair):
        steps += [
            (JUMP_EQUAL, 0, 4, number),
            (LOAD, 0, 0, FIRST_ARGUMENT),
            (JUMP_EQUAL, 1, 0, AF_UNIX),
            (RETURN, 0, 0, deny),
            (RETURN, 0, 0, RET_ALLOW),
        ]
    # Leases are on the host's files; the sizes of pipes are summed up per user of the host.
    steps += [
        (JUMP_EQUAL, 0, 5, fcntl),
        (LOAD, 0, 0, SECOND_ARGUMENT),
        (JUMP_EQUAL, 2, 0, F_SETPIPE_SZ),
        (JUMP_EQUAL, 1, 0, F_SETLEASE),
        (RETURN, 0, 0, RET_ALLOW),
        (RETURN, 0, 0, deny),
        (JUMP_EQUAL, 0, 4, clone),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_EQUAL, 2, 0, CELL_FLAGS),
        (JUMP_BITS, 0, 1, CLONE_ANY_NAMESPACE),
        (RETURN, 0, 0, deny),
        (RETURN, 0, 0, RET_ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def install(program: bytes) -> None:
    """Filter this process and all its children from now on."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0)
