"""The warm server: runs inside the wall and forks one cell per program.

Standalone: standard library only, imports nothing of ours but the codec laid beside it.

It speaks frames on standard input and output: one kind byte, four length bytes (big endian),
then the payload.

    to the server    S  start a cell; JSON limits {cpu, wall, memory, processes, file, output}
                     D  bytes for the cell's input
                     K  kill the cell
    from the server  R  ready (once)
                     D  bytes from the cell's output
                     X  the cell ended; JSON {reason, status, cpu, wall}

The server never looks into what a cell writes, and never runs a program itself. A cell is a
clone with its own PID, mount and IPC namespaces, fresh tmpfs, no capabilities, rlimits and a
system-call filter; when its first process ends the kernel ends all the others.

Inside a cell the first message is the program, every further one a call (see `serve_calls`).
"""

import ctypes
import errno
import importlib
import json
import os
import platform
import resource
import select
import signal
import struct
import sys
import time
import types

HEADER = struct.Struct(">cI")
LENGTH = struct.Struct(">I")
POLL_SECONDS = 0.02
TMP_BYTES = 32 << 20
CHUNK = 1 << 16
# Imported once so that no program pays for them again; what interview-style programs use.
WARM = (
    "abc bisect calendar cmath collections contextlib copy dataclasses datetime decimal enum "
    "fractions functools hashlib heapq io itertools math numbers operator os pprint random re "
    "statistics string struct textwrap time traceback types typing unicodedata uuid warnings"
)

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID = 0x00020000, 0x08000000, 0x20000000
CLONE_ANY_NAMESPACE = 0x7E020080  # user, PID, IPC, UTS, network, cgroup, mount, time
MS_NOSUID, MS_NODEV = 2, 4
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_SET_DUMPABLE = 38, 22, 4
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
SECCOMP_MODE_FILTER, RET_ALLOW, RET_ERRNO, RET_KILL = 2, 0x7FFF0000, 0x00050000, 0x80000000
CAPABILITY_VERSION_3 = 0x20080522

# name: (x86_64, aarch64) system-call numbers; None where the call doesn't exist.
DENIED = {
    "ptrace": (101, 117),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "open_by_handle_at": (304, 265),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "mount_setattr": (442, 442),
    "acct": (163, 89),
    "swapon": (167, 224),
    "reboot": (169, 142),
    "personality": (135, 92),
}
MACHINES = {  # audit architecture, column in DENIED, clone, clone3
    "x86_64": (0xC000003E, 0, 56, 435),
    "aarch64": (0xC00000B7, 1, 220, 435),
}

libc = ctypes.PyDLL(None, use_errno=True)  # PyDLL keeps the interpreter lock across clone


def call(name, *arguments):
    """Call a C library function; raise OSError where it returns a negative number."""
    result = getattr(libc, name)(*arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, "%s: %s" % (name, os.strerror(code)))
    return result


# --- the system-call filter ------------------------------------------------------------------


def instruction(code, if_true, if_false, value):
    """Pack one classic BPF instruction."""
    return struct.pack("<HBBI", code, if_true, if_false, value)


def seccomp_filter(machine):
    """Build the filter: the calls of DENIED and new namespaces get EPERM, others pass."""
    load, jump_equal, jump_at_least, jump_bits, give = 0x20, 0x15, 0x35, 0x45, 0x06
    audit, column, clone, clone3 = MACHINES[machine]
    deny, absent = RET_ERRNO | errno.EPERM, RET_ERRNO | errno.ENOSYS
    program = [
        instruction(load, 0, 0, 4),  # seccomp_data.arch
        instruction(jump_equal, 1, 0, audit),
        instruction(give, 0, 0, RET_KILL),
        instruction(load, 0, 0, 0),  # seccomp_data.nr
        instruction(jump_at_least, 0, 1, 0x40000000),  # the x32 twins of the x86_64 calls
        instruction(give, 0, 0, deny),
        # clone3 hides its flags behind a pointer: say it doesn't exist, and libc uses clone.
        instruction(jump_equal, 0, 1, clone3),
        instruction(give, 0, 0, absent),
    ]
    for numbers in DENIED.values():
        program.append(instruction(jump_equal, 0, 1, numbers[column]))
        program.append(instruction(give, 0, 0, deny))
    program += [
        instruction(jump_equal, 0, 3, clone),
        instruction(load, 0, 0, 16),  # low half of the first argument
        instruction(jump_bits, 0, 1, CLONE_ANY_NAMESPACE),
        instruction(give, 0, 0, deny),
        instruction(give, 0, 0, RET_ALLOW),
    ]
    return b"".join(program)


def install_filter(program):
    """Install a seccomp filter for this process and all its children."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0)


# --- inside a cell ---------------------------------------------------------------------------


def enclose(limits, filter_program):
    """Shut this process into its cell: own tmpfs, limits, no capabilities, filtered calls."""
    os.setsid()
    for target in (b"/tmp", b"/dev/shm"):  # noqa: S108 - these are the cell's own
        options = b"size=%d,nr_inodes=4096,mode=1777" % TMP_BYTES
        call("mount", b"tmpfs", target, b"tmpfs", MS_NOSUID | MS_NODEV, options)
    os.chdir("/tmp")  # noqa: S108
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(limits["cpu"]) + 1),
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_NPROC, limits["processes"]),
    ):
        resource.setrlimit(kind, (value, value))
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    call("capset", struct.pack("<II", CAPABILITY_VERSION_3, 0), bytes(24))
    install_filter(filter_program)


def read_exactly(fd, size):
    """Read `size` bytes, or raise EOFError."""
    parts = []
    while size:
        part = os.read(fd, min(size, CHUNK))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_message(fd):
    """Read one length-prefixed JSON message."""
    return json.loads(read_exactly(fd, LENGTH.unpack(read_exactly(fd, 4))[0]))


def write_message(fd, message):
    """Write one length-prefixed JSON message."""
    data = json.dumps(message).encode()
    data = memoryview(LENGTH.pack(len(data)) + data)
    while data:
        data = data[os.write(fd, data) :]


def exception_name(error):
    """Name an exception's type as the recorder does: builtins without their module."""
    kind = type(error)
    if kind.__module__ == "builtins":
        return kind.__qualname__
    return "%s.%s" % (kind.__module__, kind.__qualname__)


def guarded(function):
    """Run `function`; return the answer it gives, or the exception it raises as a message."""
    try:
        return function()
    except BaseException as error:  # a program may raise anything, SystemExit included
        try:
            text = str(error)[:300]
        except BaseException:
            text = ""
        return {"raises": exception_name(error), "message": text}


def answer(codec, candidate, message):
    """Make one call and encode what it returns."""
    args = [codec.decode(tree) for tree in message["args"]]
    kwargs = {name: codec.decode(tree) for name, tree in message["kwargs"].items()}
    value = candidate(*args, **kwargs)
    try:
        return {"value": codec.encode(value)}
    except codec.Unencodable as error:
        return {"refused": str(error)[:300]}


def load(program, module_name="solution"):
    """Run a program as a fresh module and return its namespace."""
    module = types.ModuleType(module_name)
    sys.modules[module_name] = module
    exec(compile(program, "<program>", "exec"), module.__dict__)
    return module.__dict__


def serve_calls(codec, setup, source, sink):
    """Answer calls of the program's entry point until the input ends.

    Messages in: {args, kwargs} in encoded form. Messages out: first {"loaded": true} or
    {raises, message} where the program itself failed; then per call {"value": tree},
    {"raises": type, "message": text} or {"refused": why the result is no plain data}.
    """
    space = {}

    def prepare():
        space.update(load(setup["program"]))
        space[setup["entry_point"]]
        return {"loaded": True}

    loaded = guarded(prepare)
    write_message(sink, loaded)
    while "loaded" in loaded:
        message = read_message(source)
        candidate = space[setup["entry_point"]]
        write_message(sink, guarded(lambda m=message, c=candidate: answer(codec, c, m)))


def serve_check(codec, setup, source, sink):
    """Run opaque test code whose `candidate` lives in another cell, reached by messages.

    Messages out: {"call": {args, kwargs}}, answered as `serve_calls` answers; at the end
    {"passed": true} or {raises, message}.
    """

    def candidate(*args, **kwargs):
        encoded = {name: codec.encode(value) for name, value in kwargs.items()}
        write_message(sink, {"call": {"args": [codec.encode(a) for a in args], "kwargs": encoded}})
        reply = read_message(source)
        if "value" in reply:
            return codec.decode(reply["value"])
        builtins = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
        kind = builtins.get(reply.get("raises"), RuntimeError)
        raise kind(reply.get("message", "the answer is no plain data"))

    def check():
        load(setup["program"])["check"](candidate)
        return {"passed": True}

    write_message(sink, guarded(check))


def run_cell(codec, limits, filter_program, source, sink):
    """Be one cell: close all but its two pipes, shut the wall, then serve."""
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    low, high = sorted((source, sink))
    os.closerange(3, low)
    os.closerange(low + 1, high)
    os.closerange(high + 1, 1024)
    enclose(limits, filter_program)
    setup = read_message(source)
    serve = serve_check if setup["role"] == "check" else serve_calls
    serve(codec, setup, source, sink)


# --- the server ------------------------------------------------------------------------------


class Cell:
    """The server's side of one running cell."""

    def __init__(self, pid, limits, source, sink):
        self.pid, self.limits, self.source, self.sink = pid, limits, source, sink
        self.started = time.monotonic()
        self.pending = bytearray()
        self.written = 0
        self.reason = "exited"
        self.clock = (~pid << 3) | 2  # the kernel's clock id for that process's CPU time

    def overrun(self):
        """Say which limit is passed, or None."""
        try:
            used = time.clock_gettime(self.clock)
        except OSError:
            used = 0.0
        if used > self.limits["cpu"]:
            return "cpu"
        return "wall" if time.monotonic() - self.started > self.limits["wall"] else None

    def feed(self):
        """Give the cell what it can take of its pending input."""
        try:
            del self.pending[: os.write(self.sink, self.pending)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.pending.clear()

    def kill(self, reason):
        """End the cell's first process; the kernel ends the rest of its PID namespace."""
        self.reason = reason
        os.kill(self.pid, signal.SIGKILL)

    def reap(self):
        """Wait for the end, killing what closed its output but lives on; return the report."""
        patience = time.monotonic() + 0.2
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        while not pid:
            if time.monotonic() > patience:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.0005)
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        os.close(self.source)
        os.close(self.sink)
        return {
            "reason": self.reason,
            "status": status,
            "cpu": usage.ru_utime + usage.ru_stime,
            "wall": time.monotonic() - self.started,
        }


def start_cell(codec, limits, filter_program):
    """Clone a cell into fresh namespaces and return the server's side of it."""
    cell_in, feed = os.pipe()
    drain, cell_out = os.pipe()
    clone = MACHINES[platform.machine()][2]
    flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | signal.SIGCHLD
    pid = call("syscall", *[ctypes.c_long(v) for v in (clone, flags, 0, 0, 0, 0)])
    if pid == 0:
        try:
            ctypes.pythonapi.PyOS_AfterFork_Child()  # also gives `random` a fresh seed
            run_cell(codec, limits, filter_program, cell_in, cell_out)
        except BaseException:
            os._exit(99)
        os._exit(0)
    os.close(cell_in)
    os.close(cell_out)
    os.set_blocking(feed, False)
    return Cell(pid, limits, drain, feed)


class Server:
    """One loop over standard input, standard output and the pipes of one cell."""

    def __init__(self, codec):
        self.codec = codec
        self.filter = seccomp_filter(platform.machine())
        self.inbox = bytearray()
        self.outbox = bytearray()
        self.cell = None
        self.send(b"R", b"")

    def send(self, kind, payload):
        """Queue a frame for the trusted side."""
        self.outbox += HEADER.pack(kind, len(payload)) + payload

    def take(self):
        """Handle every whole frame that has arrived."""
        while len(self.inbox) >= HEADER.size:
            kind, size = HEADER.unpack_from(self.inbox)
            if len(self.inbox) < HEADER.size + size:
                return
            payload = bytes(self.inbox[HEADER.size : HEADER.size + size])
            del self.inbox[: HEADER.size + size]
            self.handle(kind, payload)

    def handle(self, kind, payload):
        """Do what one frame asks; a frame for a cell that has ended is dropped."""
        if kind == b"S":
            self.cell = start_cell(self.codec, json.loads(payload), self.filter)
        elif self.cell and kind == b"D":
            self.cell.pending += payload
        elif self.cell and kind == b"K":
            self.cell.kill("stopped")

    def relay(self):
        """Pass on the cell's output, and its end when the output is closed."""
        data = os.read(self.cell.source, CHUNK)
        if data:
            self.cell.written += len(data)
            self.send(b"D", data)
            if self.cell.written > self.cell.limits["output"]:
                self.cell.kill("output")
            return
        report, self.cell = self.cell.reap(), None
        self.send(b"X", json.dumps(report).encode())

    def turn(self):
        """Wait for something to do and do it; return False when the trusted side is gone."""
        readers = [0] + ([self.cell.source] if self.cell else [])
        writers = ([1] if self.outbox else []) + (
            [self.cell.sink] if self.cell and self.cell.pending else []
        )
        readable, writable, _ = select.select(
            readers, writers, [], POLL_SECONDS if self.cell else None
        )
        if 1 in writable:
            del self.outbox[: os.write(1, self.outbox)]
        if self.cell and self.cell.sink in writable:
            self.cell.feed()
        if self.cell and self.cell.source in readable:
            self.relay()
        if 0 in readable:
            data = os.read(0, CHUNK)
            self.inbox += data
            self.take()
            if not data:
                return False
        if self.cell and self.cell.reason == "exited" and (limit := self.cell.overrun()):
            self.cell.kill(limit)
        return True


def main(codec_folder):
    """Warm the interpreter, then serve until standard input closes."""
    sys.path.insert(0, codec_folder)
    codec = importlib.import_module("values")
    for name in WARM.split():
        importlib.import_module(name)
    codec.decode(codec.encode([1, 2.5, "a", {"b": (None, True)}]))
    os.set_blocking(1, False)
    server = Server(codec)
    while server.turn():
        pass


if __name__ == "__main__":
    main(sys.argv[1])
