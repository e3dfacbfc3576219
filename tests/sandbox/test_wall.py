import subprocess
import sys
from pathlib import Path

import pytest

from thresher.errors import SandboxUnavailable
from thresher.sandbox import wall
from thresher.sandbox.wall import Mount, bubblewrap, probe, python_mounts


def inside(*argv: str, **options) -> subprocess.CompletedProcess[str]:
    """Run a command of ours in the wall, as the judge and the command runner do."""
    options.setdefault("mounts", ())
    return subprocess.run(bubblewrap(argv, **options), capture_output=True, text=True, timeout=60)


def shell(script: str, **options) -> str:
    done = inside("sh", "-c", script, **options)
    return done.stdout + done.stderr


def test_probe_names_the_level():
    assert probe().startswith("bubblewrap 0.")


def test_a_missing_bubblewrap_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(wall.shutil, "which", lambda name: None)
    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        bubblewrap(["true"])


def test_a_wall_that_cannot_start_says_what_bwrap_said(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to creating new namespace' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    monkeypatch.setattr(wall.shutil, "which", lambda name: str(broken))
    with pytest.raises(SandboxUnavailable, match="No permissions .* user namespaces"):
        probe.__wrapped__()


def test_an_old_bubblewrap_is_told_from_a_broken_host():
    assert "0.8 or newer" in wall._remedy("bwrap: Unknown option --disable-userns")


def test_a_switched_off_setting_is_named(monkeypatch, tmp_path):
    setting = tmp_path / "max_user_namespaces"
    setting.write_text("0\n")
    monkeypatch.setattr(wall, "SYSCTLS", ((str(setting), "0", "user.max_user_namespaces=10000"),))
    assert wall._remedy("denied").endswith("sysctl -w user.max_user_namespaces=10000")


def test_this_python_runs_inside():
    done = inside(sys.executable, "-c", "import ssl, msgspec; print(6 * 7)", mounts=python_mounts())
    assert (done.stdout, done.stderr) == ("42\n", "")


def test_python_mounts_never_lie_in_each_other_or_in_usr():
    targets = [Path(mount.target) for mount in python_mounts()]
    assert not any(a != b and a.is_relative_to(b) for a in targets for b in targets)
    assert not any(target.is_relative_to("/usr") for target in targets)


def test_exit_codes_and_output_pass():
    done = inside("sh", "-c", "echo out; echo err >&2; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "out\n", "err\n")


def test_no_host_variable_gets_in(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    assert "hunter2" not in shell("env; cat /proc/*/environ | tr '\\0' '\\n'")


def test_only_the_variables_asked_for_are_set():
    lines = shell("env", env={"A": "b c"}).split("\n")
    names = {line.partition("=")[0] for line in lines if line}
    assert "A=b c" in lines
    assert names == {"A", "HOME", "LANG", "PATH", "PWD", "USER"}


def test_home_and_host_files_are_absent():
    seen = shell("ls -A / /home /root /etc /var 2>&1")
    assert "shadow" not in seen
    assert "ssh" not in seen
    assert shell("ls -A /") == "bin\ndev\netc\nlib\nlib64\nproc\nsbin\ntmp\nusr\n"


def test_the_user_is_an_ordinary_one_with_a_fixed_host_name():
    assert (
        shell("id -un; id -u; hostname; cat /etc/hostname 2>/dev/null") == "user\n1000\nsandbox\n"
    )


def test_there_is_no_capability_and_no_way_to_one():
    assert "CapEff:\t0000000000000000\nCapBnd:\t0000000000000000" in "\n".join(
        line
        for line in shell("cat /proc/self/status").split("\n")
        if line[:6] in ("CapEff", "CapBnd")
    )
    assert "NoNewPrivs:\t1" in shell("cat /proc/self/status")
    assert "unshare failed" in shell("unshare --user true")
    assert "ermission" in shell("mount -t tmpfs none /tmp 2>&1 || echo permission")


def test_capabilities_come_only_when_asked_for():
    assert "CapEff:\t0000000000200000" in shell(
        "cat /proc/self/status", capabilities=("CAP_SYS_ADMIN",)
    )


@pytest.mark.parametrize("path", ["/x", "/usr/x", "/etc/x", "/dev/x", "/proc/sys/kernel/printk"])
def test_nothing_of_the_system_is_writable(path):
    assert "Read-only file system" in shell(f"cat /dev/null > {path}")


@pytest.mark.parametrize("name", ["null", "zero", "full", "random", "urandom", "tty"])
def test_the_hosts_device_nodes_keep_their_permissions(name):
    before = Path(f"/dev/{name}").stat().st_mode
    assert "chmod" in shell(f"chmod 600 /dev/{name}")
    assert Path(f"/dev/{name}").stat().st_mode == before


def test_an_inherited_null_device_keeps_its_permissions():
    before = Path("/dev/null").stat().st_mode
    code = "import os; os.fchmod(0, 0o600)"
    argv = bubblewrap([sys.executable, "-c", code], mounts=python_mounts())
    subprocess.run(argv, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    assert Path("/dev/null").stat().st_mode == before


def test_devices_work():
    assert shell("echo lost > /dev/null; head -c 3 /dev/urandom | wc -c") == "3\n"


def test_scratch_is_private_bounded_and_empty():
    assert (
        shell("ls -A /tmp /dev/shm; touch /tmp/a /dev/shm/b && echo ok")
        == "/dev/shm:\n\n/tmp:\nok\n"
    )
    for folder in ("/tmp", "/dev/shm"):
        assert "No space left" in shell(f"head -c 2M /dev/zero > {folder}/a", tmp_bytes=1 << 20)


def test_mounts_are_read_only_unless_asked(tmp_path):
    (tmp_path / "f").write_text("text")
    assert shell("cat /in/f; touch /in/g", mounts=[Mount(tmp_path, "/in")]).startswith("texttouch:")
    shell("echo new > /in/g", mounts=[Mount(tmp_path, "/in", writable=True)])
    assert (tmp_path / "g").read_text() == "new\n"


def test_there_is_no_network():
    assert "lo" in shell("cat /proc/net/dev")
    code = "import socket; socket.create_connection(('1.1.1.1', 53), 5)"
    assert (
        "Network is unreachable"
        in inside(sys.executable, "-c", code, mounts=python_mounts()).stderr
    )


def test_proc_can_be_left_out():
    assert "No such file" in shell("ls /proc", proc=False)


def test_other_processes_are_invisible():
    assert shell("ls -d /proc/[0-9]* | wc -l").strip() in {"3", "4"}


def test_the_sandbox_dies_with_its_starter(tmp_path):
    argv = bubblewrap(
        ["sh", "-c", "touch /w/up; sleep 2; touch /w/late"],
        mounts=[Mount(tmp_path, "/w", writable=True)],
    )
    process = subprocess.Popen(argv)
    while not (tmp_path / "up").exists():
        assert process.poll() is None
    process.kill()
    process.wait()
    assert not _running_with(str(tmp_path))


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
