"""What the runner counts can be counted: it must be able to fail."""

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.hostile import traces
from tests.hostile.bench import Tried
from tests.hostile.run import SLOW_EVERY, again
from tests.hostile.suite import load
from tests.hostile.tally import Tally
from thresher.judging import Judged

CLEAN = Tally("a wall", bodies=1, runs=1)


def judged(verdict):
    return Judged(verdict, None, "why", 0.0, 0.0)


@pytest.fixture
def bodies(tmp_path):
    texts = (f"[[body]]\nid = '{n}'\nverdicts = ['fail']\nwhy = ''\nprogram = ''\n" for n in "ab")
    (tmp_path / "group.toml").write_text("about = ''\ncounts = 'forged pass'\n" + "".join(texts))
    return load({}, tmp_path)


def test_a_run_where_all_is_well_is_clean(bodies):
    tally = Tally("a wall")
    tally.add(Tried(bodies[0], judged("fail"), judged("pass")))
    assert tally.clean()
    assert dict(tally.rows())["verdicts right"] == "1"
    assert list(tally.faults()) == []


def test_a_forged_pass_and_a_harmed_sample_are_counted(bodies):
    tally = Tally("a wall")
    tally.add(Tried(bodies[0], judged("pass"), judged("crash")))
    assert not tally.clean()
    assert (tally.forged, tally.escapes) == (1, 0)
    assert list(tally.faults()) == [
        "a wall: wrong verdict, 1 times: a: pass (why)",
        "a wall: sample harmed, 1 times: after a: crash (why)",
    ]


@pytest.mark.parametrize(
    "fault",
    [
        {"escapes": 1},
        {"forged": 1},
        {"servers_lost": 1},
        {"orphans": ["7 (x) Z 1"]},
        {"packets": 1},
        {"files": ["/tmp/left"]},
        {"callers": ["TCP"]},
        {"wrong": Counter(x=1)},
        {"harmed": Counter(x=1)},
    ],
)
def test_each_fault_alone_makes_it_fail(fault):
    assert CLEAN.clean()
    assert not Tally("a wall", **fault).clean()


def test_slow_bodies_come_in_every_tenth_round(bodies):
    seconds = {"a": 1.0, "b": 1.0, "x": 1.0}
    assert Counter(body.id for body in again(bodies, seconds, 40)) == {"a": 20, "b": 20}
    seconds["b"] = 9.0
    counted = Counter(body.id for body in again(bodies, seconds, 2 * (SLOW_EVERY + 1)))
    assert counted == {"a": 2 * SLOW_EVERY, "b": 2}
    assert list(again(bodies, seconds, -1)) == []


def test_processes_left_behind_are_seen_and_zombies_too(monkeypatch):
    before = traces.descendants()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.pid in traces.descendants() - before
        child.kill()
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT) is None:
            time.sleep(0.01)
        assert child.pid in traces.descendants()
        monkeypatch.setattr(traces, "SETTLE_SECONDS", 0.0)
        assert [line.split()[0::2] for line in traces.remaining(before)] == [[str(child.pid), "Z"]]
    assert traces.remaining(before) == []
    assert child.pid not in traces.descendants()


def test_changes_of_files_are_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(traces, "places", lambda: [tmp_path])
    for name in ("kept", "written", "permitted", "removed"):
        (tmp_path / name).write_text("text")
    before = traces.fingerprint()
    assert traces.changes(before, traces.fingerprint()) == []
    (tmp_path / "written").write_text("other text")
    (tmp_path / "permitted").chmod(0o4755)
    (tmp_path / "removed").unlink()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link").symlink_to("/nowhere")
    changed = [
        path.removeprefix(f"{tmp_path}/") for path in traces.changes(before, traces.fingerprint())
    ]
    assert changed == ["folder", "folder/link", "permitted", "removed", "written"]


def test_the_files_looked_at_are_those_that_matter():
    places = {str(path) for path in traces.places()}
    assert {"/tmp", "/dev/shm", "/dev", "/etc", str(Path(os.__file__).parent)} <= places
