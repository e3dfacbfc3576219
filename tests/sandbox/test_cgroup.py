import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from thresher.sandbox import cgroup, leftovers
from thresher.sandbox.cgroup import Cgroup
from thresher.sandbox.firewall import Policy

MEMORY, PROCESSES = 64 << 20, 16


@pytest.fixture
def parent() -> Iterator[Path]:
    """Give the folder that new groups are made in."""
    with Cgroup(MEMORY, PROCESSES) as group:
        if not group.limited:
            pytest.skip("this host lets us make no cgroup")
        yield group.procs[0].parent.parent


def make(parent: Path, process: int, started: str, namespace: str) -> Path:
    folder = parent / f"thresher-{process}-{started}-{namespace}-0badcafe"
    folder.mkdir()
    return folder


def ended() -> int:
    done = subprocess.Popen(["true"])
    done.wait()
    return done.pid


def sweep() -> None:
    with Cgroup(MEMORY, PROCESSES):
        pass


def test_the_group_of_a_process_that_is_gone_is_removed(parent):
    folder = make(parent, ended(), "1", leftovers.namespace())
    sweep()
    assert not folder.exists()


def test_a_process_that_took_over_the_number_protects_nothing(parent):
    folder = make(parent, os.getpid(), "1", leftovers.namespace())
    sweep()
    assert not folder.exists()


@pytest.mark.parametrize("who", ["alive", "elsewhere", "stranger"])
def test_the_groups_of_others_are_left_alone(parent, who):
    process, namespace = os.getppid(), leftovers.namespace()
    folder = {
        "alive": lambda: make(parent, process, leftovers.started(process), namespace),
        "elsewhere": lambda: make(parent, ended(), "1", "42"),  # another PID namespace
        "stranger": lambda: make(parent, ended(), "1", "x"),
    }[who]()
    sweep()
    assert folder.exists()
    folder.rmdir()


def test_a_group_with_a_process_in_it_is_left_alone(parent):
    folder = make(parent, ended(), "1", leftovers.namespace())
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        (folder / "cgroup.procs").write_text(f"{process.pid}\n")
        sweep()
        assert folder.exists()
    sweep()
    assert not folder.exists()


def test_many_can_be_made_and_swept_at_once(parent):
    stale = [make(parent, ended(), str(number), leftovers.namespace()) for number in range(20)]
    limited = []

    def use() -> None:
        for _ in range(10):
            with Cgroup(MEMORY, PROCESSES) as group:
                limited.append(group.limited and all(p.exists() for p in group.procs))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert limited == [True] * 80
    assert not any(folder.exists() for folder in stale)


def test_a_killed_owner_leaves_no_group_once_the_next_begins(parent):
    script = (
        "import os; from thresher.sandbox.cgroup import Cgroup\n"
        f"group = Cgroup({MEMORY}, {PROCESSES}).__enter__()\n"
        "print(*group.procs, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    folders = [Path(path).parent for path in done.stdout.split()]
    assert done.returncode == -9
    assert folders and all(folder.exists() for folder in folders)
    sweep()
    assert not any(folder.exists() for folder in folders)


def test_without_a_policy_there_is_no_firewall(parent):
    with Cgroup(MEMORY, PROCESSES) as group:
        assert (group.firewall, group.no_firewall) == (None, "")


def test_where_all_is_version_2_one_folder_does_for_limits_and_firewall(monkeypatch, tmp_path):
    own = tmp_path / "slice" / "own"
    own.mkdir(parents=True)
    (own / "cgroup.subtree_control").write_text("")
    (own.parent / "cgroup.subtree_control").write_text("memory pids\n")
    controllers = frozenset({"memory", "pids"})
    hierarchy = cgroup.Hierarchy(own, tmp_path, controllers, 2)
    guarded = []
    monkeypatch.setattr(cgroup, "_hierarchies", lambda: iter([hierarchy]))
    monkeypatch.setattr(cgroup, "Firewall", lambda folder, policy: guarded.append(folder))
    group = Cgroup(MEMORY, PROCESSES, Policy()).__enter__()
    assert [procs.parent for procs in group.procs] == guarded
    assert guarded[0].parent == own.parent
    assert (guarded[0] / "pids.max").read_text() == "16\n"
    assert group.limited


def test_without_version_2_the_limits_hold_and_the_reason_is_told(parent, monkeypatch):
    seen = [found for found in cgroup._hierarchies() if found.version == 1]
    if not seen:
        pytest.skip("this host has no cgroup version 1")
    monkeypatch.setattr(cgroup, "_hierarchies", lambda: iter(seen))
    with Cgroup(MEMORY, PROCESSES, Policy()) as group:
        assert (group.limited, group.firewall) == (True, None)
        assert group.no_firewall == "no cgroup version 2 is mounted here"
