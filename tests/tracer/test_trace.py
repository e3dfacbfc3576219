"""What is traced, once and again; projects are fetched for real, their replay is made up."""

import datetime
import threading
from collections import Counter
from dataclasses import replace

import pytest

from tests.tracer.repositories import commit, git, repository
from thresher.errors import InfrastructureError, SourceError
from thresher.progress import PlainReporter
from thresher.sandbox.index import PackageIndex
from thresher.store.records import Decision, Source
from thresher.store.workspace import open_writer
from thresher.tracer import trace
from thresher.tracer.recording.spool import Function, Spool
from thresher.tracer.replays.attempt import Replay
from thresher.tracer.sources.targets import parse

INDEX = PackageIndex({}, (), frozenset(), frozenset(), (), (), (), "")
CODE = {"LICENSES/MIT.txt": "", "demo.py": "def f(x): return x\n"}
OWN = {"own.py": "# SPDX-License-Identifier: GPL-3.0-only\ndef g(x): return x\n"}


def function(file):
    return Function(file, 1, "f", "f", (), 1, 0, Counter(), frozenset())


class Replays:
    """Stands for all replays: what was asked of them, and what they are to do."""

    def __init__(self):
        self.asked = []
        self.errors = {}
        self.passing = {}
        self.together = None

    def __call__(self, name, project, scratch, index, wall, note, as_of=None, python=None):
        self.asked.append((name.split("/")[-2], as_of, python))
        self.name = name.split("/")[-2]
        made = Replays.__new__(Replays)
        made.__dict__.update(self.__dict__)
        return made

    def run(self, files):
        if self.together:
            self.together.wait(20)
        if error := self.errors.get(self.name) or self.passing.pop(self.name, None):
            raise error
        functions = tuple(function(file) for file in sorted(files))
        return Replay("py", 3, 0, "", (), Spool(functions, Counter(), None, 1, 0))


@pytest.fixture
def replays(monkeypatch):
    def make(traced, function, judges):
        subject = f"{traced.origin}/{function.file}:1"
        yield Decision(
            subject=subject,
            filter="trace",
            version=1,
            keep=False,
            reason="made up",
            evidence=traced.source.id,
        )

    made = Replays()
    monkeypatch.setattr(trace, "Replayer", made)
    monkeypatch.setattr(trace.problems, "make", make)
    return made


@pytest.fixture
def tracer(tmp_path):
    with open_writer(tmp_path / "workspace") as workspace:
        yield trace.Tracer(workspace, INDEX, None, None, PlainReporter())


@pytest.fixture
def places(tmp_path):
    """Make a repository and two folders, and return what to write for them."""
    demo = repository(tmp_path / "demo", CODE)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "demo.py").write_text(CODE["demo.py"])
    return [f"git:{demo}", str(tmp_path / "one"), str(tmp_path / "two")]


def decisions(tracer, kind="source"):
    return tracer.workspace.current(Decision, "filter = $1", kind)


def test_each_kind_of_source(tracer, replays, places):
    names = [target.name for target in parse(places)]
    assert tracer.run(parse(places)) == trace.Outcome(names, {}, {})
    assert [name for name, *_ in replays.asked] == ["demo", "one", "two"]
    sources = tracer.workspace.select(Source)
    assert [source.kind for source in sources] == ["repository", "file", "file"]
    assert [source.licence for source in sources] == ["MIT", "unknown", "unknown"]
    assert sources[0].licence_evidence == "LICENSES/MIT.txt"
    assert tracer.workspace.verify_blobs() is None
    assert [decision.subject for decision in decisions(tracer)] == names
    assert decisions(tracer)[1].evidence.startswith("folder/one/")
    assert tracer.workspace.scratch.exists()
    assert list(tracer.workspace.scratch.iterdir()) == []


def test_what_was_traced_is_not_traced_again_unless_something_is_different(
    tracer, replays, places, tmp_path
):
    targets = parse(places)
    tracer.run(targets)
    assert tracer.run(targets).done == [target.name for target in targets]
    assert len(replays.asked) == 3
    (tmp_path / "one" / "more.py").write_text("")
    assert tracer.run(targets).done[-1] == targets[1].name
    assert [name for name, *_ in replays.asked[3:]] == ["one"]
    day = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    for other in (replace(tracer, as_of=day), replace(tracer, python="3.9")):
        assert len(other.run(targets).done) == len(other.run(targets).done) == 3
    assert len(replays.asked) == 4 + 2 * 3


def test_dates_and_interpreters_reach_the_replay(tracer, replays, places):
    replace(tracer, as_of="commit", python="3.9").run(parse(places[:2]))
    committed = datetime.datetime(2020, 2, 3, 4, 5, 6, tzinfo=datetime.UTC)
    assert replays.asked == [("demo", committed, "3.9"), ("one", None, "3.9")]
    first, second = decisions(tracer)
    assert "packages as of 2020-02-03" in first.evidence
    assert "packages as of today, its date is unknown" in second.evidence


def test_failures_stop_nothing_and_are_tried_again_when_asked_for(tracer, replays, places):
    targets = parse(places)
    replays.errors = {
        "demo": SourceError("no-tests", "demo: no test ran"),
        "one": InfrastructureError("the sandbox failed"),
    }
    names = [target.name for target in targets]
    expected = {names[0]: "demo: no test ran"}, {names[1]: "the sandbox failed"}
    assert tracer.run(targets) == trace.Outcome([names[2]], *expected)
    assert {d.subject: d.reason for d in decisions(tracer)} == {
        names[0]: "no-tests",
        names[2]: "traced",
    }
    replays.errors.clear()
    again = tracer.run(targets)
    assert again.failed == {names[0]: "failed before (no-tests); --retry tries it again"}
    assert sorted(again.done) == sorted(names[1:])
    assert len(replace(tracer, retry=True).run(targets).done) == 3
    assert tracer.workspace.verify() is None


def test_a_sandbox_that_failed_is_tried_once_more(tracer, replays, places):
    replays.passing = {"one": InfrastructureError("the sandbox failed")}
    target = parse(places[1:2])
    assert tracer.run(target).done == [target[0].name]
    assert [name for name, *_ in replays.asked] == ["one", "one"]


def test_what_cannot_be_reached_now_waits(tracer, places, tmp_path):
    target = f"git:file://{tmp_path}/none"
    failed = tracer.run(parse([target]))
    assert list(failed.failed) == [target]
    down = "git:http://127.0.0.1:9/none"
    assert list(tracer.run(parse([down])).pending) == [down]
    assert [decision.subject for decision in decisions(tracer)] == [target]


def test_several_at_the_same_time_give_the_same(tracer, replays, places):
    replays.together = threading.Barrier(3)
    targets = parse(places)
    outcome = replace(tracer, jobs=3).run(targets)
    assert sorted(outcome.done) == sorted(target.name for target in targets)
    assert len(decisions(tracer, "trace")) == 3
    assert tracer.workspace.verify() is None


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_ends_a_job_ends_the_run_and_keeps_what_was_done(tracer, replays, places, error):
    targets = parse(places)
    replays.errors = {"two": error()}
    with pytest.raises(error):
        replace(tracer, jobs=2).run(targets)
    replays.errors.clear()
    assert len(tracer.run(targets).done) == 3
    assert [name for name, *_ in replays.asked].count("two") == 2


def test_a_file_with_a_licence_of_its_own_is_a_source_of_its_own(tracer, replays, tmp_path):
    demo = repository(tmp_path / "demo", CODE | OWN)
    tracer.run(parse([f"git:{demo}"]))
    whole, own = tracer.workspace.select(Source)
    assert (whole.licence, own.licence) == ("MIT", "GPL-3.0-only")
    assert own.licence_evidence == "own.py:1 SPDX-License-Identifier: GPL-3.0-only"
    assert (own.url, own.revision, own.sha256) == (whole.url, whole.revision, whole.sha256)
    ids = [decision.evidence for decision in decisions(tracer, "trace")]
    assert ids == [whole.id, own.id]


def test_a_branch_is_traced_as_it_was_and_a_commit_as_it_is(tracer, replays, places, tmp_path):
    head = git(tmp_path / "demo", "rev-parse", "HEAD")
    commit(tmp_path / "demo", {"b": ""})
    tracer.run(parse([f"{places[0]}@main", f"{places[0]}@{head}"]))
    revisions = [source.revision for source in tracer.workspace.select(Source)]
    assert revisions == [git(tmp_path / "demo", "rev-parse", "HEAD"), head]
