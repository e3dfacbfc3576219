"""Replay a project's tests in the sandbox, by the first plan under which any pass."""

import datetime
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from thresher.errors import SourceError
from thresher.sandbox.index import PackageIndex
from thresher.sandbox.wall import Wall
from thresher.tracer.ci import default, tox, travis
from thresher.tracer.ci.plan import PYTHONS, Plan, Site
from thresher.tracer.replays import checkout, interpreters
from thresher.tracer.replays.attempt import Attempt, Replay
from thresher.tracer.replays.stage import Stage

# What no other plan can mend.
FINAL = {"disk-full", "tests-timeout"}


@dataclass(frozen=True)
class Replayer:
    """A project on disk and what its commands may reach; `note` is told of each step.

    `scratch` is a folder for what is made and recorded. No package released after `as_of` is
    used; `python` is the version to prefer, such as ``3.9``. `library_calls` asks for a further
    run of the tests, which records the calls of built-in and library functions.
    """

    name: str
    project: Path
    scratch: Path
    index: PackageIndex
    wall: Wall
    note: Callable[[str], None]
    as_of: datetime.datetime | None = None
    python: str | None = None
    library_calls: bool = True

    def run(self, files: Sequence[str]) -> Replay:
        """Replay the project's tests by the first plan under which any pass.

        They run once as they are, then twice under different hash seeds with the recorder: calls
        that hold the time, random numbers or addresses don't come back the second time, so that
        they become no examples.

        Args:
            files: the import-relative project files whose functions are recorded.

        Raises:
            SourceError: no plan made an environment in which a test passed; its reason is that of
                the first plan.
        """
        site, stage, wants_git = self._prepared()
        # All is read now: once the project's code has run, its files may be links to anywhere.
        plans = _plans(site, stage)
        if wants_git:
            stage.need(checkout.GIT, "no-git")
        attempt = Attempt(stage, self.scratch, files, self.library_calls)
        failed = []
        for plan in plans:
            if isinstance(plan, SourceError):
                failed.append(plan)
                continue
            try:
                replay = attempt.replay(plan)
            except SourceError as error:
                named = f"{plan.name} on Python {plan.interpreter.text}: {error}"
                failed.append(SourceError(error.reason, named))
                if error.reason in FINAL:
                    break
            else:
                return replay._replace(tried=tuple(map(str, failed)))
        raise SourceError(failed[0].reason, f"{self.name}: {'; '.join(map(str, failed))}")

    def _prepared(self) -> tuple[Site, Stage, bool]:
        available = interpreters.usable(interpreters.survey().working)
        day = self.as_of.date() if self.as_of else None
        own = interpreters.preferred(available, self.python, day, sys.version_info[:2])
        facts = checkout.facts(self.project)
        made = Path(tempfile.mkdtemp(dir=self.scratch))
        interpreters.link(available.values(), made / Path(PYTHONS).name)
        stage = Stage(
            self.name,
            self.project,
            made,
            self.index,
            self.wall,
            self.note,
            tuple(available.values()),
            facts.variables,
            self.as_of,
        )
        return Site(self.project, available, own, self.python is not None), stage, facts.wants_git


def _plans(site: Site, stage: Stage) -> Iterator[Plan | SourceError]:
    """Return the plans in the order to try them; an error stands for those that can't be made."""
    found: list[Iterator[Plan | SourceError]] = []
    if travis.is_configured(site.project):
        found.append(_read(travis.plans(site)))
    if tox.is_configured(site.project):
        found.append(tox.plans(site, lambda step: stage.need(step, "broken-tox").output))
        found.append(_read(tox.plans_of_tox3(site)))
    found.append(_read(default.plans(site)))
    return itertools.chain.from_iterable(map(_errors_as_items, found))


def _read(plans: Iterator[Plan]) -> Iterator[Plan | SourceError]:
    return iter(list(_errors_as_items(plans)))


def _errors_as_items(plans: Iterator[Plan | SourceError]) -> Iterator[Plan | SourceError]:
    try:
        yield from plans
    except SourceError as error:
        yield error
