"""Trace sources: fetch, replay in the sandbox, read the calls, make problems; once per source."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from thresher.errors import InfrastructureError, SourceError, UsageError
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.sandbox.index import PackageIndex
from thresher.sandbox.wall import Wall
from thresher.store import blobs
from thresher.store.funnel import SOURCE
from thresher.store.records import Decision, Record
from thresher.store.workspace import Unit, Workspace, unit_key
from thresher.tracer import archive, problems, sdist
from thresher.tracer.replay import Replay, Replayer
from thresher.tracer.standalone import read_project

VERSION = 1
PYPI = "pypi:"
# Faults of this host or the network, not of the source: tried again by the next run.
PASSING = {"index-unreachable", "disk-full"}


class Outcome(NamedTuple):
    """How a trace run ended: every target is done, failed (with the sentence why) or pending."""

    done: list[str]
    failed: dict[str, str]
    pending: dict[str, str]


@dataclass(frozen=True)
class Tracer:
    """What tracing works with; `retry` tries targets again that failed before."""

    workspace: Workspace
    index: PackageIndex
    judges: Judges
    wall: Wall
    report: Reporter
    retry: bool = False

    def run(self, targets: Sequence[str]) -> Outcome:
        """Trace every target that an earlier run didn't trace; one that fails stops no other.

        Raises:
            UsageError: a target isn't of a kind that can be traced; nothing was traced then.
        """
        for target in targets:
            check_target(target)
        outcome = Outcome([], {}, {})
        self.report.stage("trace", len(targets))
        for target in dict.fromkeys(targets):
            self._one(target, outcome)
        return outcome

    def _one(self, target: str, outcome: Outcome) -> None:
        unit = Unit(unit_key("trace", VERSION, problems.VERSION, target), "trace", target)
        known = self.workspace.outcome(unit.key)
        if known == "done" or (known and not self.retry):
            self._known(target, known, outcome)
            return
        try:
            records = self._trace(target)
        except SourceError as error:
            if error.reason in PASSING:
                outcome.pending[target] = str(error)
                self.report.say(f"not decided: {error}")
                self.report.advance(target)
                return
            decision = self._decision(target, error.reason, str(error))
            self.workspace.commit(unit._replace(outcome=error.reason), [decision])
            outcome.failed[target] = str(error)
            self.report.say(f"left out: {error}")
        except InfrastructureError as error:
            outcome.pending[target] = str(error)
            self.report.say(f"not decided: {target}: {error}")
        else:
            self.workspace.commit(unit, records)
            outcome.done.append(target)
        self.report.advance(target)

    def _known(self, target: str, known: str, outcome: Outcome) -> None:
        if known == "done":
            outcome.done.append(target)
        else:
            why = f"failed before ({known}); --retry tries it again"
            outcome.failed[target] = why
            self.report.say(f"left out: {target}: {why}")
        self.report.advance(f"{target}: {known} before")

    def _trace(self, target: str) -> list[Record]:
        self.report.step(f"{target}: fetching")
        index = self.index
        found = sdist.fetch(
            target.removeprefix(PYPI),
            index.urls,
            index.find_links,
            index.trusted_hosts,
            index.certificate,
        )
        blobs.put(self.workspace.blobs, found.archive)
        origin = f"pypi/{found.name}/{found.version}"
        with tempfile.TemporaryDirectory(dir=self.workspace.scratch) as folder:
            root = Path(folder, "project")
            archive.unpack(found.archive, origin, root)
            project = read_project(root)
            replay = self._replay(origin, root, Path(folder), project.files)
        traced = problems.Traced(origin, found.source, project)
        records: list[Record] = [found.source]
        for function in replay.calls.functions:
            self.report.step(f"{origin}: {function.name}")
            records += problems.make(traced, function, self.judges)
        evidence = _evidence(replay)
        return [*records, self._decision(target, None, f"{origin}: {evidence}")]

    def _replay(self, origin: str, root: Path, scratch: Path, files: Sequence[str]) -> Replay:
        def note(step: str) -> None:
            self.report.step(f"{origin}: {step}")

        return Replayer(origin, root, scratch, self.index, self.wall, note).run(files)

    def _decision(self, target: str, loss: str | None, evidence: str) -> Decision:
        return Decision(
            subject=target,
            filter=SOURCE,
            version=VERSION,
            keep=loss is None,
            reason=loss or "traced",
            evidence=evidence,
        )


def check_target(target: str) -> None:
    """Raise UsageError where a target isn't of a kind that can be traced."""
    if not target.startswith(PYPI) or not target.removeprefix(PYPI).strip():
        raise UsageError(
            f"{target!r} can't be traced: write pypi:NAME or pypi:NAME==VERSION, "
            "for example pypi:inflection==0.5.1"
        )


def _evidence(replay: Replay) -> str:
    calls = replay.calls
    recorded = sum(len(function.calls) for function in calls.functions)
    partial = f"; recording is partial: {calls.partial}" if calls.partial else ""
    refused = f"; {calls.rejected.total()} spool lines rejected" if calls.rejected else ""
    return (
        f"{replay.tests} tests ran in {replay.environment} (tox ended with {replay.returncode}), "
        f"{len(calls.functions)} functions called, {recorded} distinct calls recorded"
        f"{partial}{refused}; network: {'; '.join(replay.network) or 'none'}"
    )
