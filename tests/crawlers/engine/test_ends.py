"""Crawls that are killed or interrupted, and what a rerun makes of them."""

import contextlib
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawlers.engine.toy import Listener, links, paths, problem, toy
from tests.crawlers.server import Answer, Asked, Loopback, serve, site
from thresher.crawlers.engine import stored
from thresher.crawlers.engine.child import MOST_MEMORY
from thresher.crawlers.engine.crawl import Fetched, Polite, Summary, Wanted, crawl
from thresher.errors import InfrastructureError
from thresher.store.workspace import open_writer

ROOT = Path(__file__).parents[3]
KILLS = 2
POLITE = Polite(delay=0, throttle=False, concurrency=4)
PROBLEMS = [f"/p/{number}" for number in range(40)]
# Crawls as a verb of the command line does.
DRIVER = """
import sys, click
from pathlib import Path
from tests.crawlers.engine.test_ends import POLITE
from tests.crawlers.engine.toy import toy
from thresher import cli
from thresher.crawlers.engine import stored
from thresher.crawlers.engine.crawl import Wanted, crawl
from thresher.progress import PlainReporter
from thresher.store.workspace import open_writer

stored.BATCH_SECONDS = 0.02

@click.command()
def command():
    with open_writer(Path(sys.argv[2])) as workspace:
        wanted = [Wanted(toy(), home=sys.argv[1])]
        crawl(wanted, workspace, "tests@example.org", PlainReporter(), print, POLITE)

cli.cli = lambda **options: command.main(args=[], **options)
cli.cli.main = cli.cli
cli.main()
"""


@pytest.fixture
def server() -> Iterator[Loopback]:
    lists = {f"/{n}": links(*PROBLEMS[n * 10 : n * 10 + 10], f"/{n + 1}") for n in range(4)}
    pages = {"/": links("/0"), "/4": links("/0"), **lists}
    slow = {path: Answer(problem(path), wait=0.02) for path in PROBLEMS}
    with serve(site({**pages, **slow})) as running:
        yield running


@contextlib.contextmanager
def drive(server: Loopback, folder: Path, count: int) -> Iterator[subprocess.Popen[bytes]]:
    """Give a crawl in a process of its own whose site answers so many requests, then no more."""
    whole, goal, ended = server.answers, len(server.log) + count, threading.Event()

    def held(asked: Asked) -> Answer | bytes | None:
        if len(server.log) > goal:
            ended.wait()
        return whole(asked)

    server.answers = held
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER, server.home, str(folder)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        try:
            wait_for(lambda: len(server.log) > goal or running.poll() is not None)
            yield running
        finally:
            running.kill()
            ended.set()
            server.answers = whole


def wait_for(condition) -> None:
    """Wait until something is so; a test that waits in vain is stopped by its time limit."""
    while not condition():
        time.sleep(0.005)


def settled(server: Loopback) -> int:
    """Return how often the server was asked, once what was on its way from a killed crawl is in."""
    asked = -1
    while asked != len(server.log):
        asked = len(server.log)
        time.sleep(0.5)
    return asked


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def finish(server: Loopback, folder: Path) -> tuple[list[str], Summary]:
    """Crawl to the end, and return the paths of what was handed on."""
    kept: list[Fetched] = []
    with open_writer(folder) as workspace:
        wanted = [Wanted(toy(), home=server.home)]
        summary = crawl(wanted, workspace, "tests@example.org", Listener(), kept.append, POLITE)
        assert workspace.verify() is None
        assert workspace.verify_blobs() is None
    return paths(kept), summary


def test_killed_at_any_moment_a_crawl_gives_the_same_each_once(server, tmp_path):
    moments = random.Random(5)
    for _ in range(KILLS):
        with drive(server, tmp_path / "killed", moments.randint(1, 10)) as running:
            time.sleep(moments.random() / 20)
            (child,) = children(running.pid)
        wait_for(lambda child=child: not alive(child))  # nobody asks on behind our back
    before = settled(server)
    with open_writer(tmp_path / "killed") as workspace:
        known = len(stored.Stored(workspace)._known)
    got, summary = finish(server, tmp_path / "killed")
    assert got == sorted(PROBLEMS)
    assert summary.known == known
    assert summary.fetched == 46 - known
    assert len(server.log) - before == 1 + 46 - known  # robots.txt, and what was missing
    # What is stored is never asked for again, not even robots.txt.
    asked = len(server.log)
    assert finish(server, tmp_path / "killed") == (got, Summary(known=46))
    assert len(server.log) == asked


def test_interrupted_it_ends_at_once_in_one_sentence_and_goes_on_later(server, tmp_path):
    with drive(server, tmp_path, 12) as running:
        (child,) = children(running.pid)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of its processes
        errors = running.stderr.read()
        assert running.wait() == 130
    *progress, last = errors.decode().strip().split("\n")
    assert last == "thresher: interrupted; run the same command again to go on where it was"
    assert all(line.startswith("pages ") for line in filter(None, progress))
    assert not alive(child)
    with open_writer(tmp_path) as workspace:
        assert workspace.verify() is None
        (run,) = workspace.query("SELECT count(*) FROM units")
    assert run[0] < 46


def test_a_dead_child_is_one_sentence_and_no_child_takes_all_memory(server, tmp_path):
    limits = []

    def keep(fetched: Fetched) -> None:
        (child,) = children(os.getpid())
        limits.append(resource.prlimit(child, resource.RLIMIT_AS)[0])
        os.kill(child, signal.SIGKILL)

    wanted = [Wanted(toy(), home=server.home)]
    with (
        open_writer(tmp_path) as workspace,
        pytest.raises(InfrastructureError, match="the crawler's process has ended .* run the same"),
    ):
        crawl(wanted, workspace, "tests@example.org", Listener(), keep, POLITE)
    assert set(limits) == {MOST_MEMORY}
