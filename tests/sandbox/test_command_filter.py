import os
import platform
import struct
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import SandboxUnavailable
from thresher.sandbox import command_filter, walls
from thresher.sandbox.command import run
from thresher.sandbox.command_filter import ABSENT, DENIED, build
from thresher.sandbox.wall import Inside, Limits, Mount, python_mounts

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
COLUMN = {"x86_64": 0, "aarch64": 1}
ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
LIMITS = Limits(wall_seconds=60, memory_bytes=512 << 20, processes=60)
BWRAP = walls.find("bubblewrap")
WORDS = st.integers(0, (1 << 32) - 1)


@pytest.fixture(scope="module")
def bubblewrap():
    try:
        walls.probe(BWRAP)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    if platform.machine() not in AUDIT:
        pytest.skip(f"there is no filter for {platform.machine()}")


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request) -> str:
    return request.param


def decide(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """Run the filter on a system call as the kernel does; return its verdict."""
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, AUDIT[machine] if audit is None else audit, 0, *words)
    program = list(struct.iter_unpack("<HBBI", build(machine)))
    loaded = place = 0
    while True:
        code, yes, no, operand = program[place]
        place += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            (loaded,) = struct.unpack_from("<I", data, operand)
            continue
        holds = {0x15: loaded == operand, 0x35: loaded >= operand, 0x45: bool(loaded & operand)}
        place += yes if holds[code] else no


def number(machine: str, x86_64: int, aarch64: int | None) -> int:
    found = (x86_64, aarch64)[COLUMN[machine]]
    if found is None:
        pytest.skip(f"{machine} has no such call")
    return found


# What the program says


def test_every_jump_stays_in_the_program(machine):
    program = list(struct.iter_unpack("<HBBI", build(machine)))
    for place, (code, yes, no, _) in enumerate(program):
        if code in (0x15, 0x35, 0x45):
            assert place + 1 + max(yes, no) < len(program)
    assert program[-1][0] == 0x06


def test_calls_of_other_machines_end_the_process(machine):
    assert decide(machine, 0, audit=0x40000003) == KILL  # i386
    assert decide("x86_64", 0x40000000 | 1) == EPERM  # x32


def test_ordinary_calls_pass(machine):
    ordinary = [(0, 63), (1, 64), (59, 221), (9, 222), (319, 279), (29, 194), (231, 94), (317, 277)]
    assert {decide(machine, number(machine, *pair)) for pair in ordinary} == {ALLOW}


def test_doors_of_the_kernel_are_shut(machine):
    numbers = [pair[COLUMN[machine]] for pair in DENIED.values()]
    assert {decide(machine, each) for each in numbers} == {EPERM}
    assert len(set(numbers)) == len(DENIED)
    absent = [pair[COLUMN[machine]] for pair in ABSENT.values()]
    assert [decide(machine, each) for each in absent] == [ENOSYS] * 3


@given(family=WORDS)
@pytest.mark.parametrize("call", [(41, 198), (53, 199)])
def test_only_four_socket_families_are_open(call, family):
    for machine in AUDIT:
        verdict = decide(machine, number(machine, *call), family, 1, 0)
        assert verdict == (ALLOW if family in (1, 2, 10, 16) else EPERM)


@pytest.mark.parametrize("call", [(56, 220), (272, 97)])  # clone, unshare
@pytest.mark.parametrize("bit", [7, 17, 25, 26, 27, 28, 29, 30])
def test_no_new_namespace(machine, call, bit):
    assert decide(machine, number(machine, *call), 1 << bit | 17) == EPERM


@pytest.mark.parametrize("flags", [17, 0x003D0F00, 0x01200011, 0x4111])  # fork, thread, vfork
def test_processes_and_threads_can_be_made(machine, flags):
    assert decide(machine, number(machine, 56, 220), flags) == ALLOW


@pytest.mark.parametrize(
    ("call", "second", "verdict"),
    [
        ((72, 25), 1024, EPERM),  # fcntl F_SETLEASE
        ((72, 25), 1026, EPERM),  # F_NOTIFY
        ((72, 25), 1 << 32 | 1024, EPERM),  # the kernel looks at the lower half, too
        ((72, 25), 1025, ALLOW),
        ((72, 25), 1030, ALLOW),  # F_DUPFD_CLOEXEC
        ((72, 25), 6, ALLOW),  # F_SETLK
        ((16, 29), 0x5412, EPERM),  # ioctl TIOCSTI
        ((16, 29), 0x541C, EPERM),  # TIOCLINUX
        ((16, 29), 0x5413, ALLOW),  # TIOCGWINSZ
    ],
)
def test_leases_and_typing_for_others_are_denied(machine, call, second, verdict):
    assert decide(machine, number(machine, *call), 0, second) == verdict


@given(word=WORDS)
def test_a_process_keeps_its_personality(word):
    for machine in AUDIT:
        verdict = decide(machine, number(machine, 135, 92), word)
        assert verdict == (ALLOW if word in (0, 0xFFFFFFFF) else EPERM)


MODE_CALLS = {
    "chmod": ((90, None), 1),
    "fchmod": ((91, 52), 1),
    "fchmodat": ((268, 53), 2),
    "creat": ((85, None), 1),
    "mknod": ((133, None), 1),
    "mknodat": ((259, 33), 2),
}


@given(mode=st.integers(0, 0o177777))
@pytest.mark.parametrize("name", MODE_CALLS)
def test_no_file_is_made_to_run_as_its_owner(name, mode):
    pair, position = MODE_CALLS[name]
    for machine in AUDIT:
        if (call := pair[COLUMN[machine]]) is not None:
            verdict = decide(machine, call, *[0] * position, mode)
            assert verdict == (EPERM if mode & 0o6000 else ALLOW)


@given(flags=WORDS, mode=WORDS)
@pytest.mark.parametrize(("pair", "before"), [((2, None), 1), ((257, 56), 2)])
def test_opening_looks_at_the_mode_of_new_files_only(pair, before, flags, mode):
    new = flags & (os.O_CREAT | os.O_TMPFILE & ~os.O_DIRECTORY)
    for machine in AUDIT:
        if (call := pair[COLUMN[machine]]) is not None:
            verdict = decide(machine, call, *[0] * before, flags, mode)
            assert verdict == (EPERM if new and mode & 0o6000 else ALLOW)


def test_an_unknown_machine_has_no_filter(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with command_filter.opened() as descriptors:
        assert descriptors == ()


def test_the_descriptor_gives_the_program_and_is_closed():
    with command_filter.opened() as (descriptor,):
        assert os.read(descriptor, 1 << 16) == build(platform.machine())
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


# What the kernel does with it


def inside(code: str, *mounts: Mount) -> list[str]:
    argv = [sys.executable, "-c", code]
    done = run(argv, mounts=(*python_mounts(), *mounts), limits=LIMITS, wall=BWRAP)
    assert done.returncode == 0, done.output
    return done.output.splitlines()


def test_commands_are_filtered_and_the_server_is_left_to_itself(bubblewrap):
    script = ["grep", "Seccomp:", "/proc/self/status"]
    assert run(script, limits=LIMITS, wall=BWRAP).output == "Seccomp:\t2\n"
    with BWRAP.enter(Inside(["true"], server=True), ()) as entry:
        assert "--seccomp" not in entry.argv
        assert len(entry.descriptors) == 1


def test_a_command_inherits_no_descriptor_of_the_filter(bubblewrap):
    assert inside("import os; print(len(os.listdir('/proc/self/fd')))") == ["4"]


def test_denied_calls_fail_with_a_reason(bubblewrap):
    code = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
for number in NUMBERS:
    ctypes.set_errno(0)
    libc.syscall(number, 0, 0, 0, 0, 0, 0)
    print(errno.errorcode[ctypes.get_errno()])
"""
    column = COLUMN[platform.machine()]
    denied = [pair[column] for pair in DENIED.values()]
    absent = [pair[column] for pair in ABSENT.values()]
    said = inside(f"NUMBERS = {denied + absent}\n{code}")
    assert said == ["EPERM"] * len(denied) + ["ENOSYS"] * len(absent)


def test_sockets_of_four_families(bubblewrap):
    code = """
import errno, socket
for family, kind in ((1, 1), (2, 1), (10, 2), (16, 3), (40, 1), (38, 5), (17, 3), (29, 3)):
    try:
        socket.socket(family, kind).close()
        print("made")
    except OSError as error:
        print(errno.errorcode[error.errno])
"""
    assert inside(code) == ["made"] * 4 + ["EPERM"] * 4


def test_nothing_that_runs_as_its_owner_is_left(bubblewrap, tmp_path):
    code = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
os.chdir("/w")
open("f", "w").close()
os.mkdir("d")
descriptor = os.open("f", os.O_WRONLY)
attempts = [
    lambda: os.chmod("f", 0o4755),
    lambda: os.chmod("d", 0o2755),
    lambda: os.fchmod(descriptor, 0o6755),
    lambda: os.open("new", os.O_CREAT | os.O_WRONLY, 0o4755),
    lambda: os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o4755),
    lambda: os.mknod("node", 0o104755),
]
for attempt in attempts:
    try:
        attempt()
        print("done")
    except PermissionError:
        print("denied")
print(libc.creat(b"created", 0o4755))
os.chmod("f", 0o777)
os.chmod("d", 0o1777)
os.open("plain", os.O_CREAT | os.O_WRONLY, 0o755)
print(sorted(os.listdir()))
"""
    said = inside(code, Mount(tmp_path, "/w", writable=True))
    assert said == ["denied"] * 6 + ["-1", "['d', 'f', 'plain']"]
    assert not any(path.stat().st_mode & 0o6000 for path in tmp_path.iterdir())


def test_leases_namespaces_and_traces_are_denied(bubblewrap):
    code = """
import ctypes, errno, fcntl
libc = ctypes.CDLL(None, use_errno=True)
def said(result):
    print("done" if result >= 0 else errno.errorcode[ctypes.get_errno()])
with open("/tmp/f", "w") as file:
    for command, argument in ((1024, 1), (1026, 1)):
        try:
            fcntl.fcntl(file, command, argument)
        except PermissionError:
            print("EPERM")
    print(fcntl.fcntl(file, 1025), fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 9) > 8)
said(libc.unshare(0x10000000))
said(libc.unshare(0x400))
said(libc.personality(0x40000))
said(libc.personality(0xffffffff))
"""
    assert inside(code) == ["EPERM", "EPERM", "2 True", "EPERM", "done", "EPERM", "done"]


def test_what_test_suites_do_goes_on_working(bubblewrap):
    code = """
import asyncio, multiprocessing, os, socket, subprocess, tarfile, tempfile, threading
from multiprocessing import shared_memory

def square(number):
    return number * number

async def serve():
    async def answer(reader, writer):
        writer.write(await reader.read(9))
        writer.close()
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"ping")
    print(await reader.read())
    writer.close()
    server.close()
    process = await asyncio.create_subprocess_exec("echo", "sub")
    await process.wait()

if __name__ == "__main__":
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(pool.map(square, [2, 3]))
    asyncio.run(serve())
    thread = threading.Thread(target=print, args=["thread"])
    thread.start(); thread.join()
    block = shared_memory.SharedMemory(create=True, size=9)
    block.close(); block.unlink()
    os.close(os.memfd_create("m"))
    parent, child = os.openpty()
    print(os.isatty(child), os.get_terminal_size(child).columns)
    os.chdir("/tmp")
    os.mkdir("tree"); open("tree/run", "w").close(); os.chmod("tree/run", 0o777)
    with tarfile.open("t.tar", "w") as archive:
        archive.add("tree")
    with tarfile.open("t.tar") as archive:
        archive.extractall("out")
    print(oct(os.stat("out/tree/run").st_mode))
"""
    script = f"open('/tmp/m.py', 'w').write({code!r})\nimport subprocess, sys\n"
    said = inside(f"{script}sys.exit(subprocess.call([sys.executable, '-u', '/tmp/m.py']))")
    assert said == [
        *["[4, 9]"] * 3,
        *("b'ping'", "sub", "thread", "True 0", "0o100777"),
    ]
