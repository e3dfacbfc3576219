import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from thresher.errors import InfrastructureError
from thresher.sandbox import command, walls
from thresher.sandbox.cgroup import Cgroup
from thresher.sandbox.command import run
from thresher.sandbox.index import package_index
from thresher.sandbox.wall import Inside, Limits, Mount, python_mounts
from thresher.sandbox.watch import Output, disk_use

MIB = 1 << 20
MARK = f"9{os.getpid()}.5"  # seconds that only this run sleeps
SMALL = Limits(
    wall_seconds=30,
    cpu_seconds=20,
    memory_bytes=256 * MIB,
    processes=30,
    disk_bytes=8 * MIB,
    output_bytes=4096,
)


@pytest.fixture(autouse=True)
def _every_wall(wall, monkeypatch):
    monkeypatch.setattr(walls, "in_force", lambda: wall)


def python(code: str, *arguments: str, **options):
    options = {"limits": SMALL, **options}
    mounts = (*python_mounts(), *options.pop("mounts", ()))
    return run([sys.executable, "-c", code, *arguments], mounts=mounts, **options)


def alive_with(word: str) -> list[str]:
    """Return the command lines of this host's processes that hold a word."""
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(process.read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return [line for line in lines if word in line]


def test_exit_code_and_merged_output_pass(wall):
    done = run(["sh", "-c", "echo out; echo err >&2; exit 3"], limits=SMALL)
    assert (done.returncode, done.output, done.outcome) == (3, "out\nerr\n", "exit")
    assert done.level == walls.probe(wall)
    assert done.connections == ()
    assert 0 < done.wall_seconds < 30


def test_an_unknown_program_is_an_exit_code_with_a_reason():
    done = run(["no-such-program"], limits=SMALL)
    assert done.returncode == 127
    assert "no-such-program: No such file or directory" in done.output


def test_a_missing_mount_is_an_infrastructure_error(tmp_path):
    with pytest.raises(InfrastructureError, match="nowhere"):
        run(["true"], mounts=[Mount(tmp_path / "nowhere", "/in")], limits=SMALL)


def test_lines_come_live_and_bad_bytes_are_replaced():
    lines: list[str] = []
    code = "import os; os.write(1, b'one\\r\\ntwo \\xff\\nthree')"
    done = python(code, on_output=lines.append)
    assert lines == ["one", "two \ufffd", "three"]
    assert done.output == "one\r\ntwo \ufffd\nthree"


def test_a_line_is_told_before_the_end(tmp_path):
    def go_on(line: str) -> None:
        (tmp_path / line).write_text("")

    script = "echo ready; while [ ! -e /w/ready ]; do sleep 0.01; done; echo done"
    mounts = [Mount(tmp_path, "/w")]
    done = run(["sh", "-c", script], mounts=mounts, limits=SMALL, on_output=go_on)
    assert done.output == "ready\ndone\n"


def test_the_wall_limit_kills_the_whole_tree():
    script = f"(trap '' TERM; setsid sleep {MARK}) & sleep {MARK}"
    done = run(["sh", "-c", script], limits=SMALL._replace(wall_seconds=0.5))
    assert (done.returncode, done.outcome) == (137, "timeout")
    assert alive_with(MARK) == []


def test_a_daemon_does_not_outlive_its_command():
    done = run(["sh", "-c", f"setsid sleep {MARK} >/dev/null 2>&1 & echo started"], limits=SMALL)
    assert (done.returncode, done.output) == (0, "started\n")
    assert alive_with(MARK) == []


def test_the_cpu_time_of_all_processes_counts():
    script = 'for i in $(seq 50); do timeout 1 sh -c "while :; do :; done"; done'
    limits = SMALL._replace(cpu_seconds=2, wall_seconds=60)  # a busy host gives little of a second
    done = run(["sh", "-c", script], limits=limits)
    assert done.outcome == "timeout"


def test_the_cpu_limit_is_a_timeout():
    done = python("while True: pass", limits=SMALL._replace(cpu_seconds=1))
    assert (done.returncode, done.outcome) == (137, "timeout")
    assert done.cpu_seconds > 0.5


def test_endless_output_is_cut_and_ends_at_the_limit():
    done = run(["yes"], limits=SMALL._replace(wall_seconds=3))
    assert done.outcome == "timeout"
    assert done.output == "y\n" * 2048


def test_a_fork_bomb_stays_below_the_limit():
    code = """
import os, time
children = 0
try:
    while children < 200:
        if os.fork() == 0:
            time.sleep(60)
        children += 1
except OSError as error:
    print(children < 40, error.strerror)
"""
    done = python(code)
    assert done.output == "True Resource temporarily unavailable\n"


def test_memory_is_bounded():
    done = python("b = bytearray(1 << 30); print(len(b))")
    assert done.returncode != 0
    assert "1073741824" not in done.output


def test_memory_is_bounded_without_a_cgroup(monkeypatch):
    monkeypatch.setattr(Cgroup, "_make", _refuse)
    done = python("b = bytearray(1 << 30); print(len(b))")
    assert (done.returncode, done.outcome) == (1, "exit")
    assert "MemoryError" in done.output


def test_the_tree_dies_without_a_cgroup_too(monkeypatch):
    monkeypatch.setattr(Cgroup, "_make", _refuse)
    script = f"setsid sleep {MARK} & sleep {MARK}"
    done = run(["sh", "-c", script], limits=SMALL._replace(wall_seconds=0.5))
    assert done.outcome == "timeout"
    assert alive_with(MARK) == []


def _refuse(group: Cgroup) -> None:
    raise PermissionError("no cgroup here")


def test_a_memory_cgroup_tells_out_of_memory():
    with Cgroup(SMALL.memory_bytes, 5) as group:
        if not group.limited:
            pytest.skip("this host lets us make no cgroup")
    assert python("bytearray(1 << 30)").outcome == "out_of_memory"


def test_one_file_is_bounded(tmp_path):
    mounts = [Mount(tmp_path, "/w", writable=True)]
    done = python("open('/w/f', 'wb').write(bytes(100 << 20))", mounts=mounts)
    assert done.returncode != 0
    assert (tmp_path / "f").stat().st_size <= 8 * MIB


def test_many_files_are_bounded(tmp_path):
    code = "import time\nfor i in range(9): open(f'/w/{i}', 'wb').write(bytes(2 << 20))\n"
    mounts = [Mount(tmp_path, "/w", writable=True)]
    ended = python(code, mounts=mounts)
    assert ended.outcome == "disk"
    killed = python(code + "time.sleep(60)", mounts=[Mount(_new(tmp_path), "/w", writable=True)])
    assert (killed.outcome, killed.returncode) == ("disk", 137)


def _new(folder: Path) -> Path:
    path = folder / "new"
    path.mkdir()
    return path


def test_what_a_folder_held_before_does_not_count(tmp_path):
    (tmp_path / "old").write_bytes(bytes(16 * MIB))
    mounts = [Mount(tmp_path, "/w", writable=True)]
    assert run(["touch", "/w/new"], mounts=mounts, limits=SMALL).outcome == "exit"


def test_nothing_is_left_behind():
    children = Path("/proc/thread-self/children").read_text()
    assert run(["true"], limits=SMALL, network=package_index()).returncode == 0
    assert Path("/proc/thread-self/children").read_text() == children
    assert not list(Path("/sys/fs/cgroup").glob(f"**/thresher-{os.getpid()}-*"))
    assert "egress" not in {thread.name for thread in threading.enumerate()}
    assert not list(Path(tempfile.gettempdir()).glob(f"thresher-*-{os.getpid()}-*"))


def test_a_sandbox_killed_from_outside_is_no_verdict(monkeypatch):
    def killing(process, watch, output):
        os.kill(process._process.pid, 9)
        return

    monkeypatch.setattr(command, "_attend", killing)
    with pytest.raises(InfrastructureError, match="killed from outside"):
        run(["sleep", "60"], limits=SMALL)


def test_a_cgroup_kills_what_is_in_it_only(wall):
    script = ["sh", "-c", "echo up; sleep 60"]
    with (
        Cgroup(SMALL.memory_bytes, 300) as group,
        wall.enter(Inside(script), group.procs) as entry,
        _started(entry.argv, entry.descriptors) as inner,
        _started(script) as outer,
    ):
        group.kill()
        if group.limited:
            assert inner.wait(10) == -9
        assert outer.poll() is None


@contextlib.contextmanager
def _started(argv: list[str], descriptors=()) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        argv, stdout=subprocess.PIPE, start_new_session=True, pass_fds=descriptors
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"up\n"
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)


# Network


def test_without_a_policy_there_is_no_way_out():
    code = """
import socket
for family, address in ((socket.AF_INET, "1.1.1.1"), (socket.AF_INET6, "2606:4700:4700::1111")):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            socket.socket(family, kind).connect((address, 53))
        except OSError as error:
            print(error.strerror)
"""
    done = python(code)
    assert set(done.output.splitlines()) <= {
        "Network is unreachable",
        "No route to host",
        "Operation not permitted",
        "Cannot assign requested address",
    }
    assert len(done.output.splitlines()) == 4


def test_pip_reaches_the_index_and_nothing_else_is_reached(tmp_path):
    argv = [sys.executable, "-m", "pip", "download", "--no-deps", "-d", "/w", "six==1.16.0"]
    mounts = [*python_mounts(), Mount(tmp_path, "/w", writable=True)]
    done = run(argv, mounts=mounts, network=package_index())
    assert done.returncode == 0, done.output
    assert [path.name for path in tmp_path.iterdir()] == ["six-1.16.0-py2.py3-none-any.whl"]
    assert all(connection.allowed for connection in done.connections)


def test_other_hosts_are_refused_and_logged():
    code = """
import socket, urllib.request
for address in ("https://example.com/", "http://example.com:8080/", "http://127.0.0.1:1/"):
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler())
        opener.open(address, timeout=20)
    except OSError as error:
        print(type(error).__name__)
try:
    socket.create_connection(("1.1.1.1", 443), 5)
except OSError as error:
    print(error.strerror)
"""
    done = python(code, network=package_index())
    *refused, last = done.output.splitlines()
    assert refused == ["URLError", "HTTPError", "URLError"]
    assert last in ("Network is unreachable", "No route to host", "Operation not permitted")
    assert [tuple(connection[:4]) for connection in done.connections] == [
        ("example.com", 443, False, 0),
        ("example.com", 8080, False, 0),
    ]


def test_the_relay_is_no_child_of_the_command_and_passes_its_exit():
    code = "import os, sys\ntry: os.wait()\nexcept ChildProcessError: sys.exit(9)"
    assert python(code, network=package_index()).returncode == 9
    killed = python("import os; os.kill(os.getpid(), 15)", network=package_index())
    assert killed.returncode == 143


def test_an_unknown_program_behind_the_relay_is_127():
    done = run(["no-such-program"], limits=SMALL, network=package_index())
    assert (done.returncode, done.output) == (127, "no-such-program: No such file or directory\n")


# What the trusted side watches


def test_disk_use_counts_links_but_never_follows_them(tmp_path):
    (tmp_path / "up").symlink_to("/usr")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "f").write_bytes(bytes(100_000))
    assert 100_000 <= disk_use([tmp_path]) < 200_000


def test_a_tree_too_deep_to_measure_is_infinite(tmp_path):
    code = "import os\nos.chdir('/w')\nfor _ in range(60): os.mkdir('d' * 100); os.chdir('d' * 100)"
    done = python(code, mounts=[Mount(tmp_path, "/w", writable=True)])
    assert done.outcome == "disk"


def test_a_long_line_comes_in_pieces():
    lines: list[str] = []
    output = Output(10, lines.append)
    for _ in range(4):
        output.feed(b"x" * 5000)
    output.feed(b"")
    assert "".join(lines) == "x" * 20000
    assert len(lines) == 2
    assert output.text() == "x" * 10
