import inspect
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thresher.errors import SandboxUnavailable, UsageError
from thresher.sandbox import bubblewrap, gvisor, walls
from thresher.sandbox.wall import Inside, Mount, python_mounts

BWRAP = walls.find("bubblewrap")


def enter(wall, *argv: str, **options) -> subprocess.CompletedProcess[str]:
    """Run a command of ours in the wall, as the judge and the command runner do."""
    with wall.enter(Inside(argv, **options), ()) as entry:
        return subprocess.run(
            entry.argv,
            pass_fds=entry.descriptors,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )


def shell(wall, script: str, **options) -> str:
    done = enter(wall, "sh", "-c", script, **options)
    return done.stdout + done.stderr


def test_probe_names_the_level(wall):
    assert walls.probe(wall).startswith(f"{wall.name} ")
    assert any(digit.isdigit() for digit in walls.probe(wall))


@pytest.mark.parametrize(("module", "package"), [(bubblewrap, "bubblewrap"), (gvisor, "runsc")])
def test_a_missing_program_says_how_to_get_it(monkeypatch, module, package):
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    with pytest.raises(SandboxUnavailable, match=f"apt-get install {package}"):
        module.version()


@pytest.mark.parametrize("name", ["bubblewrap", "gvisor"])
def test_a_wall_that_cannot_start_says_what_it_said(monkeypatch, tmp_path, name):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 'No permissions to create a namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    for module in (bubblewrap, gvisor):
        monkeypatch.setattr(module.shutil, "which", lambda name: str(broken))
    with pytest.raises(
        SandboxUnavailable, match=rf"{name} does not .*No permissions.* user namespaces"
    ):
        walls.probe.__wrapped__(walls.find(name))


def test_an_old_bubblewrap_is_told_from_a_broken_host():
    assert "0.8 or newer" in bubblewrap.remedy("bwrap: Unknown option --disable-userns")


def test_a_switched_off_setting_is_named(monkeypatch, tmp_path):
    setting = tmp_path / "max_user_namespaces"
    setting.write_text("0\n")
    known = ((str(setting), "0", "user.max_user_namespaces=10000"),)
    monkeypatch.setattr(bubblewrap, "SYSCTLS", known)
    assert bubblewrap.remedy("denied").endswith("sysctl -w user.max_user_namespaces=10000")


def test_the_strongest_wall_that_works_is_in_force(monkeypatch):
    choose = inspect.unwrap(walls.in_force)
    monkeypatch.setattr(walls, "probe", lambda wall: f"{wall.name} 1")
    assert choose().name == "gvisor"
    monkeypatch.setattr(walls, "probe", _only_bubblewrap)
    assert choose().name == "bubblewrap"
    with pytest.raises(SandboxUnavailable, match="gvisor is out of order"):
        choose("gvisor")


def test_the_fastest_wall_that_is_strong_enough_is_taken_when_one_is_asked_for(monkeypatch):
    monkeypatch.setattr(walls, "probe", lambda wall: f"{wall.name} 1")
    choose = inspect.unwrap(walls.in_force)
    assert [choose(name).name for name in ("bubblewrap", "gvisor")] == ["bubblewrap", "gvisor"]


def _only_bubblewrap(wall):
    if wall.name != "bubblewrap":
        raise SandboxUnavailable(f"{wall.name} is out of order")
    return "bubblewrap 0"


def test_an_unknown_level_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="'hypervisor' .*bubblewrap, gvisor"):
        walls.in_force("hypervisor")


def test_this_python_runs_inside(wall):
    code = "import ssl, msgspec; print(6 * 7)"
    done = enter(wall, sys.executable, "-c", code, mounts=python_mounts())
    assert (done.stdout, done.stderr) == ("42\n", "")


def test_python_mounts_never_lie_in_each_other_or_in_usr():
    targets = [Path(mount.target) for mount in python_mounts()]
    assert not any(a != b and a.is_relative_to(b) for a in targets for b in targets)
    assert not any(target.is_relative_to("/usr") for target in targets)


def test_exit_codes_and_output_pass(wall):
    with wall.enter(Inside(["sh", "-c", "echo out; echo err >&2; exit 7"]), ()) as entry:
        done = subprocess.run(
            entry.argv, pass_fds=entry.descriptors, capture_output=True, text=True, timeout=60
        )
        assert entry.exit_code(done.returncode) == 7
    assert (done.stdout, done.stderr) == ("out\n", "err\n")


def test_no_host_variable_gets_in(wall, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    assert "hunter2" not in shell(wall, "env; cat /proc/*/environ | tr '\\0' '\\n'")


def test_only_the_variables_asked_for_are_set(wall):
    lines = shell(wall, "env", env={"A": "b c"}).split("\n")
    names = {line.partition("=")[0] for line in lines if line}
    assert "A=b c" in lines
    assert names == {"A", "HOME", "LANG", "PATH", "PWD", "USER"}


def test_home_and_host_files_are_absent(wall):
    assert shell(wall, "cat /etc/shadow /root/.bashrc /var/log/dpkg.log").count("No such file") == 3
    seen = enter(wall, sys.executable, "-c", LIST, mounts=[Mount(Path(sys.base_prefix), "/py")])
    system = {"bin", "dev", "etc", "lib", "lib64", "proc", "py", "sbin", "sys", "tmp", "usr"}
    assert set(seen.stdout.split()) <= system


LIST = "import os; print(*os.listdir('/'))"


def test_local_configuration_is_covered(wall, monkeypatch):
    monkeypatch.setattr(bubblewrap, "LOCAL_ETC", Path("/usr/lib/locale"))
    monkeypatch.setattr(gvisor, "LOCAL_ETC", Path("/usr/lib/locale"))
    code = "import os; print(os.listdir('/usr/lib/locale'))"
    assert enter(wall, sys.executable, "-c", code, mounts=python_mounts()).stdout == "[]\n"
    assert list(Path("/usr/lib/locale").iterdir())


def test_the_user_is_an_ordinary_one_with_a_fixed_host_name(wall):
    seen = shell(wall, "id -un; id -u; hostname; cat /etc/hostname 2>/dev/null")
    assert seen == "user\n1000\nsandbox\n"


def test_there_is_no_capability_and_no_way_to_one(wall):
    status = shell(wall, "cat /proc/self/status")
    assert "CapEff:\t0000000000000000\nCapBnd:\t0000000000000000" in status
    assert "not permitted" in shell(wall, "unshare --mount true")
    assert "ermission" in shell(wall, "mount -t tmpfs none /tmp 2>&1 || echo permission")


def test_bubblewrap_forbids_new_privileges_and_user_namespaces():
    assert "NoNewPrivs:\t1" in shell(BWRAP, "cat /proc/self/status")
    assert "unshare failed" in shell(BWRAP, "unshare --user true")


def test_only_the_server_may_mount(wall):
    code = (
        "import ctypes; libc = ctypes.CDLL(None); libc.unshare(0x20000);"
        "print(libc.mount(b'x', b'/tmp', b'tmpfs', 0, b'size=4096'))"
    )
    told = [
        enter(wall, sys.executable, "-c", code, mounts=python_mounts(), server=server).stdout
        for server in (False, True)
    ]
    assert told == ["-1\n", "0\n"]


@pytest.mark.parametrize("path", ["/x", "/usr/x", "/etc/x", "/dev/x", "/proc/sys/kernel/printk"])
def test_nothing_of_the_system_is_writable(wall, path):
    said = shell(wall, f"cat /dev/null > {path}")
    assert "Read-only file system" in said or "ermission denied" in said


@pytest.mark.parametrize("name", ["null", "zero", "full", "random", "urandom", "tty"])
def test_the_hosts_device_nodes_keep_their_permissions(wall, name):
    before = Path(f"/dev/{name}").stat().st_mode
    shell(wall, f"chmod 600 /dev/{name}")
    assert Path(f"/dev/{name}").stat().st_mode == before


def test_an_inherited_null_device_keeps_its_permissions(wall):
    before = Path("/dev/null").stat().st_mode
    code = "import os; os.fchmod(0, 0o600)"
    enter(wall, sys.executable, "-c", code, mounts=python_mounts())
    assert Path("/dev/null").stat().st_mode == before


def test_devices_work(wall):
    assert shell(wall, "echo lost > /dev/null; head -c 3 /dev/urandom | wc -c") == "3\n"


def test_scratch_is_private_bounded_and_empty(wall):
    code = "import os; print([os.listdir(d) for d in ('/tmp', '/dev/shm')])"
    for _ in range(2):
        seen = enter(
            wall, sys.executable, "-c", f"{code}; open('/tmp/a', 'w')", mounts=python_mounts()
        )
        assert (seen.stdout, seen.stderr) == ("[[], []]\n", "")
    for folder in ("/tmp", "/dev/shm"):
        full = shell(wall, f"head -c 2M /dev/zero > {folder}/a", tmp_bytes=1 << 20)
        assert "No space left" in full


def test_mounts_are_read_only_unless_asked(wall, tmp_path):
    (tmp_path / "f").write_text("text")
    kept = shell(wall, "cat /in/f; touch /in/g", mounts=[Mount(tmp_path, "/in")])
    assert kept.startswith("texttouch:")
    shell(wall, "echo new > /in/g", mounts=[Mount(tmp_path, "/in", writable=True)])
    assert (tmp_path / "g").read_text() == "new\n"
    assert (tmp_path / "g").stat().st_uid == tmp_path.stat().st_uid


def test_a_later_mount_lies_on_an_earlier_one(wall, tmp_path):
    (tmp_path / "outer/inner").mkdir(parents=True)
    (tmp_path / "cover").mkdir()
    (tmp_path / "outer/inner/secret").touch()
    mounts = [Mount(tmp_path / "outer", "/o"), Mount(tmp_path / "cover", "/o/inner")]
    assert "No such file" in shell(wall, "cat /o/inner/secret", mounts=mounts)


@pytest.mark.parametrize("address", ["1.1.1.1", "::1:1"])
def test_there_is_no_network(wall, address):
    assert "eth" not in shell(wall, "cat /proc/net/dev")
    code = f"import socket; socket.create_connection(({address!r}, 53), 5)"
    done = enter(wall, sys.executable, "-c", code, mounts=python_mounts())
    assert "unreachable" in done.stderr or "No route to host" in done.stderr


def test_the_server_sees_no_processes(wall):
    assert "cannot" in shell(wall, "cat /proc/1/status", server=True) or "No such file" in shell(
        wall, "cat /proc/1/status", server=True
    )


def test_other_processes_are_invisible(wall):
    assert shell(wall, "echo /proc/[0-9]* | wc -w").strip() in {"1", "2", "3", "4"}


def test_the_sandbox_dies_with_its_starter(wall, tmp_path):
    script = ["sh", "-c", "touch /w/up; sleep 2; touch /w/late"]
    with wall.enter(Inside(script, [Mount(tmp_path, "/w", writable=True)]), ()) as entry:
        process = subprocess.Popen(entry.argv, pass_fds=entry.descriptors)
        while not (tmp_path / "up").exists():
            assert process.poll() is None
        process.kill()
        process.wait()
        assert not _running_with(entry.argv[-1])


def _running_with(word: str) -> list[str]:
    """The command lines on this host that hold a word, once the kernel has done its killing."""
    for _ in range(200):
        found = []
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found.append(process.read_bytes().decode(errors="replace"))
            except OSError:
                continue
        found = [line for line in found if word in line]
        if not found:
            return []
        subprocess.run(["sleep", "0.01"], check=True)
    return found


def test_a_python_named_by_a_path_that_goes_up_runs_inside(wall):
    python = Path(sys.executable)
    up = python.parent / ".." / python.parent.name / python.name
    code = "import sys; from thresher.sandbox import walls; walls.probe(walls.find(sys.argv[1]))"
    subprocess.run([str(up), "-c", code, wall.name], check=True)


def test_nothing_outlives_a_process_that_is_killed_while_it_starts_a_wall():
    code = """
import os, subprocess
from thresher.sandbox.wall import launch
argv = launch(["/bin/sleep", "60"], ())
print(subprocess.Popen(argv, stdout=subprocess.DEVNULL).pid, flush=True)
os.kill(os.getpid(), 9)
"""
    said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False).stdout
    stat = Path("/proc", said.decode().strip(), "stat")
    deadline = time.monotonic() + 20
    while stat.exists() and stat.read_text().rpartition(") ")[2][0] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.05)
