"""Every hostile body once behind every wall, and an honest sample after each."""

import socket
from pathlib import Path

import pytest

from tests.hostile import suite
from tests.hostile.bench import Bench, Tried
from tests.hostile.plant import plant
from thresher.judging import Judged

# Bodies that found a hole which is not mended yet, and what it is.
KNOWN: dict[str, str] = {}
BODIES = [
    pytest.param(name, marks=[pytest.mark.xfail(reason=KNOWN[name])] if name in KNOWN else [])
    for name in suite.names()
]


@pytest.fixture(scope="module")
def planted():
    with plant() as found:
        yield found


@pytest.fixture(scope="module")
def bodies(planted):
    return {body.id: body for body in suite.load(planted.names)}


@pytest.fixture(scope="module")
def bench(wall):
    with Bench(wall) as opened:
        yield opened


@pytest.mark.parametrize("name", BODIES)
def test_the_verdict_is_right_and_the_next_sample_is_judged(bench, bodies, planted, name):
    tried = bench.try_body(bodies[name])
    assert tried.judged.verdict in tried.body.verdicts, (tried.judged.detail, tried.body.why)
    assert tried.later_sample_judged, tried.honest
    assert not planted.callers
    assert not planted.canary.exists()


def test_there_are_bodies_enough_and_each_has_a_name_of_its_own():
    names = suite.names()
    assert len(names) == len(set(names))
    assert len(names) >= 70


def test_every_known_hole_has_its_body():
    assert set(KNOWN) <= set(suite.names())


def body(tmp_path: Path, text: str) -> suite.Body:
    group = tmp_path / "group.toml"
    group.write_text(f"about = 'a test'\ncounts = 'escape'\n[[body]]\nid = 'it'\nwhy = ''\n{text}")
    return suite.load({"SECRET": "planted-1"}, tmp_path)[0]


def test_an_attack_that_works_is_counted(bench, tmp_path):
    text = "verdicts = ['fail']\nexpects = '@SECRET@'\nprogram = 'def f(x): return \"@SECRET@\"'\n"
    tried = bench.try_body(body(tmp_path, text))
    assert (tried.judged.verdict, tried.right, tried.wrong_pass) == ("pass", False, "escape")


def test_a_right_pass_is_no_escape(bench, tmp_path):
    tried = bench.try_body(
        body(tmp_path, "verdicts = ['pass']\nprogram = 'def f(x): return x * x + 1'\n")
    )
    assert (tried.judged.verdict, tried.right, tried.wrong_pass) == ("pass", True, None)


def test_a_sample_that_was_harmed_is_counted(tmp_path):
    fine = Judged("fail", 0, "", 0.0, 0.0)
    tried = Tried(body(tmp_path, "verdicts = ['fail']\nprogram = ''\n"), fine, fine)
    assert (tried.right, tried.later_sample_judged) == (True, False)


@pytest.mark.parametrize("kind", ["TCP", "UDP", "ABSTRACT"])
def test_whoever_reaches_a_listener_is_counted_and_learns_the_secret(kind):
    with plant() as planted:
        caller = reach(kind, planted.names[kind])
        with caller:
            caller.settimeout(10)
            assert caller.recv(99).decode() == planted.names["SECRET"]
        assert len(planted.callers) == 1


def reach(kind: str, name: str) -> socket.socket:
    if kind == "TCP":
        return socket.create_connection(("127.0.0.1", int(name)))
    if kind == "UDP":
        caller = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        caller.sendto(b"x", ("127.0.0.1", int(name)))
        return caller
    caller = socket.socket(socket.AF_UNIX)
    caller.connect(f"\0{name}")
    return caller


def test_what_is_planted_is_taken_away():
    with plant() as planted:
        files = [Path(planted.names[name]) for name in ("FILE", "HOME_FILE")]
        assert [path.read_text() for path in files] == [planted.names["SECRET"]] * 2
    assert not any(path.parent.exists() for path in files)
