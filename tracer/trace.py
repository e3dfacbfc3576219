"""Trace sources: fetch, replay in the sandbox, read the calls, make problems; once per source."""

import datetime
import queue
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from thresher.errors import InfrastructureError, SourceError, ThresherError
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.sandbox.index import PackageIndex
from thresher.sandbox.wall import Wall
from thresher.store import blobs
from thresher.store.funnel import SOURCE, decided
from thresher.store.records import Record
from thresher.store.workspace import Unit, Workspace, unit_key
from thresher.tracer import library, problems
from thresher.tracer.extraction.standalone import Project, read_project
from thresher.tracer.replays.attempt import Replay
from thresher.tracer.replays.replay import Replayer
from thresher.tracer.sources import archive, folder, licence, repository, sdist
from thresher.tracer.sources.fetched import Fetched
from thresher.tracer.sources.targets import Target

VERSION = 2
ENOUGH = 5  # calls that say what a function does
# Faults of this host or the network, not of the source: tried again by the next run.
PASSING = {"index-unreachable", "host-unreachable", "disk-full"}
AsOf = datetime.datetime | Literal["commit"] | None


class Outcome(NamedTuple):
    """How a trace run ended: every target is done, failed (with the sentence why) or pending."""

    done: list[str]
    failed: dict[str, str]
    pending: dict[str, str]


class _Traced(NamedTuple):
    """A target with the unit it is, and the records made of it or why there are none."""

    target: Target
    unit: Unit
    result: list[Record] | ThresherError


@dataclass(frozen=True)
class Tracer:
    """What tracing works with.

    Attributes:
        retry: try targets again that failed before.
        jobs: how many to trace at the same time.
        as_of: replay with packages as they were then; ``commit`` is the source's own date.
        python: the version of Python to replay with where it can be had, such as ``3.9``.
    """

    workspace: Workspace
    index: PackageIndex
    judges: Judges
    wall: Wall
    report: Reporter
    retry: bool = False
    jobs: int = 1
    as_of: AsOf = None
    python: str | None = None

    def run(self, targets: Sequence[Target]) -> Outcome:
        """Trace every target that an earlier run didn't trace; one that fails stops no other."""
        outcome = Outcome([], {}, {})
        self.report.stage("trace", len(targets))
        waiting = [target for target in targets if not self._known(target, outcome)]
        for traced in _each(self._traced, waiting, self.jobs):
            self._store(traced, outcome)
        return outcome

    def _unit(self, target: Target) -> Unit:
        as_of = self.as_of.isoformat() if isinstance(self.as_of, datetime.datetime) else self.as_of
        configuration = [problems.VERSION, as_of, self.python]
        content = ""
        if target.kind == "folder":  # what it holds may be something else today
            content = folder.fetch(Path(target.place)).revision
        key = unit_key("trace", VERSION, configuration, f"{target.name} {content}".strip())
        return Unit(key, "trace", target.name)

    def _known(self, target: Target, outcome: Outcome) -> bool:
        """Say whether an earlier run decided on a target, and how."""
        try:
            known = self.workspace.outcome(self._unit(target).key)
        except SourceError:
            return False  # it can't be read now; tracing it tells
        if known == "done":
            outcome.done.append(target.name)
        elif known and not self.retry:
            why = f"failed before ({known}); --retry tries it again"
            outcome.failed[target.name] = why
            self.report.say(f"left out: {target.name}: {why}")
        else:
            return False
        self.report.advance(f"{target.name}: {known} before")
        return True

    def _traced(self, target: Target) -> _Traced:
        """Trace one target; this may run in a thread, so that it stores no records."""
        unit = Unit("", "trace", target.name)
        try:
            unit = self._unit(target)
            return _Traced(target, unit, self._tried(target))
        except (SourceError, InfrastructureError) as error:
            return _Traced(target, unit, error)

    def _tried(self, target: Target) -> list[Record]:
        """Trace a target; once more where the sandbox failed, which says nothing of the target."""
        try:
            return self._trace(target)
        except InfrastructureError as error:
            self.report.say(f"tried again: {target.name}: {error}")
            return self._trace(target)

    def _store(self, traced: _Traced, outcome: Outcome) -> None:
        name, result = traced.target.name, traced.result
        if isinstance(result, SourceError) and result.reason not in PASSING:
            decision = decided(SOURCE, VERSION, name, result.reason, str(result))
            self.workspace.commit(traced.unit._replace(outcome=result.reason), [decision])
            outcome.failed[name] = str(result)
            self.report.say(f"left out: {result}")
        elif isinstance(result, ThresherError):
            outcome.pending[name] = str(result)
            self.report.say(f"not decided: {name}: {result}")
        else:
            self.workspace.commit(traced.unit, result)
            outcome.done.append(name)
        self.report.advance(name)

    def _trace(self, target: Target) -> list[Record]:
        self.report.step(f"{target.name}: fetching")
        with tempfile.TemporaryDirectory(dir=self.workspace.scratch) as scratch:
            root = Path(scratch, "project")
            found = fetch(target, self.index, Path(scratch))
            blobs.put(self.workspace.blobs, found.archive)
            lost_links = archive.unpack(found.archive, found.origin, root)
            project = read_project(root)
            # Before the project's code has run, and can have changed its files.
            whole = licence.detect(root)
            as_of = found.date if self.as_of == "commit" else self.as_of
            replay = self._replay(found.origin, root, Path(scratch), project.files, as_of)
        notes = [f"{lost_links} links left out"] if lost_links else []
        if self.as_of:
            notes.append(
                f"packages as of {as_of.date() if as_of else 'today, its date is unknown'}"
            )
        evidence = _evidence(replay, [*found.notes, *notes])
        decision = decided(SOURCE, VERSION, target.name, None, f"{found.origin}: {evidence}")
        return [*self._problems(found, whole, project, replay), decision]

    def _problems(
        self, found: Fetched, whole: licence.Licence, project: Project, replay: Replay
    ) -> Iterator[Record]:
        """Yield the sources, and the problems and decisions of each function called."""
        source = found.source(whole)
        own = {
            file: found.source(stated, file)
            for file, stated in licence.headers(project.texts, whole).items()
        }
        yield source
        yield from own.values()
        for function in replay.calls.functions:
            self.report.step(f"{found.origin}: {function.name}")
            traced = problems.Traced(found.origin, own.get(function.file, source), project)
            yield from problems.make(traced, function, self.judges)
        self.report.step(f"{found.origin}: calls of library functions")
        traced = problems.Traced(found.origin, source, project)
        # What happens in a file under a licence of its own is left to that licence.
        callees = [function for function in replay.library if function.file not in own]
        yield from library.make(traced, callees, self.judges)

    def _replay(
        self,
        origin: str,
        root: Path,
        scratch: Path,
        files: Sequence[str],
        as_of: datetime.datetime | None,
    ) -> Replay:
        def note(step: str) -> None:
            self.report.step(f"{origin}: {step}")

        made = Replayer(origin, root, scratch, self.index, self.wall, note, as_of, self.python)
        return made.run(files)


def fetch(target: Target, index: PackageIndex, scratch: Path) -> Fetched:
    """Fetch what a target names, whatever its kind.

    Args:
        target: what to fetch.
        index: where packages come from.
        scratch: a folder to work in; nothing is left there.

    Raises:
        SourceError: it can't be had.
        UsageError: a program that is needed isn't installed.
    """
    if target.kind == "git":
        return repository.fetch(target.place, target.revision, scratch)
    if target.kind == "folder":
        return folder.fetch(Path(target.place))
    return sdist.fetch(
        target.place, index.urls, index.find_links, index.trusted_hosts, index.certificate
    )


def _each(
    work: Callable[[Target], _Traced], targets: Sequence[Target], jobs: int
) -> Iterator[_Traced]:
    """Yield what `work` makes of each target, as it is done."""
    if jobs == 1:
        yield from map(work, targets)
        return
    waiting: queue.SimpleQueue[Target | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[_Traced | BaseException] = queue.SimpleQueue()

    def take() -> None:
        while (target := waiting.get()) is not None:
            try:
                done.put(work(target))
            except BaseException as error:  # the thread that stores shall raise it
                done.put(error)

    for item in (*targets, *[None] * jobs):
        waiting.put(item)
    for _ in range(jobs):
        # Nothing waits for them when the run is interrupted; their sandboxes end with the process.
        threading.Thread(target=take, daemon=True).start()
    for _ in targets:
        result = done.get()
        if isinstance(result, BaseException):
            raise result
        yield result


def _evidence(replay: Replay, notes: Sequence[str]) -> str:
    calls = replay.calls
    recorded = sum(len(function.calls) for function in calls.functions)
    replaying = sum(function.replayed >= ENOUGH for function in calls.functions)
    parts = [
        f"{replay.tests} tests ran in {replay.environment} (it ended with {replay.returncode}), "
        f"{len(calls.functions)} functions called, {recorded} distinct calls recorded",
        f"{replaying} of the functions give the same for {ENOUGH} calls or more made again alone "
        "where the project is installed",
        f"recording is partial: {calls.partial}" if calls.partial else "",
        f"{calls.rejected.total()} spool lines rejected" if calls.rejected else "",
        f"network: {'; '.join(replay.network) or 'none'}",
        *notes,
        *replay.notes,
        *(f"tried before: {failed}" for failed in replay.tried),
    ]
    return "; ".join(filter(None, parts))
