"""Where the steps of a replay run: the sandbox with a project, its environments and its Pythons."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from thresher.errors import SourceError
from thresher.sandbox import command
from thresher.sandbox.index import PackageIndex
from thresher.sandbox.wall import Limits, Mount, Wall, python_mounts
from thresher.tracer.ci.plan import MADE, PROJECT, PYTHONS, Step
from thresher.tracer.replays import dated_index
from thresher.tracer.replays.interpreters import Interpreter
from thresher.tracer.replays.results import COLOUR

DATED_INDEX = Path(dated_index.__file__)
INSTALL_LIMITS = Limits(wall_seconds=600)
PATH = "/usr/local/bin:/usr/bin:/bin"
COMMON = {
    "NO_COLOR": "1",
    "CI": "true",
    "PIP_CACHE_DIR": f"{MADE}/cache/pip",
    "UV_CACHE_DIR": f"{MADE}/cache/uv",
    "UV_LINK_MODE": "copy",
    "UV_PYTHON_DOWNLOADS": "never",
}
# Without a network there is no use in trying again.
OFFLINE = {"PIP_RETRIES": "0"}
Note = Callable[[str], None]


@dataclass(frozen=True)
class Stage:
    """What every step of one replay sees.

    Attributes:
        name: the project, for messages.
        project: its folder on the host, writable.
        made: a folder on the host for environments and caches, writable.
        index: the package index that installing steps may reach.
        wall: what keeps the steps in.
        note: told of each step and of each line it prints.
        pythons: the interpreters that are there.
        variables: what the project's build wants to know.
        as_of: the time after which no package may have been released.
        done: what has run.
    """

    name: str
    project: Path
    made: Path
    index: PackageIndex
    wall: Wall
    note: Note
    pythons: Sequence[Interpreter]
    variables: Mapping[str, str]
    as_of: datetime.datetime | None
    done: list[command.Completed] = field(default_factory=list)

    def need(self, step: Step, reason: str) -> command.Completed:
        """Run a step that has to succeed, unless it says that it need not.

        Raises:
            SourceError: it failed, with `reason`; or the disk is full.
        """
        done = self.run(step, INSTALL_LIMITS)
        if "No space left on device" in done.output:
            raise SourceError("disk-full", f"{step.name}: the disk is full")
        if step.needed and (done.returncode or done.outcome != "exit"):
            raise SourceError(
                reason,
                f"{step.name} failed ({done.outcome} {done.returncode}): {tail(done.output)}",
            )
        return done

    def run(self, step: Step, limits: Limits, *mounts: Mount) -> command.Completed:
        """Run a step with further mounts, whatever comes of it."""
        self.note(step.name)
        done = command.run(
            self._argv(step),
            mounts=[*self._mounts(step), *mounts],
            env=self._env(step),
            cwd=PROJECT,
            limits=limits,
            network=self.index if step.installs else None,
            wall=self.wall,
            on_output=lambda line: self.note(f"{step.name}: {COLOUR.sub('', line)[:80]}"),
        )
        self.done.append(done)
        return done

    def _argv(self, step: Step) -> Sequence[str]:
        if self.as_of is None or not step.installs:
            return step.argv
        return dated_index.wrapped(step.argv, self.as_of)

    def _mounts(self, step: Step) -> list[Mount]:
        ours = python_mounts()
        targets = {mount.target for mount in ours}
        others = (mount for python in self.pythons for mount in python.mounts)
        return [
            *ours,
            *(() if step.installs else self.index.mounts),  # variables name files in there
            *(mount for mount in others if mount.target not in targets),
            Mount(self.project, PROJECT, writable=True),
            Mount(self.made, MADE, writable=True),
            *((Mount(DATED_INDEX, dated_index.INSIDE),) if self.as_of else ()),
        ]

    def _env(self, step: Step) -> dict[str, str]:
        return {
            # Offline too: tools compare them with those of the time of installing.
            **self.index.env,
            **({} if step.installs else OFFLINE),
            **(dated_index.variables(self.index.env) if self.as_of else {}),
            **COMMON,
            "PATH": f"{PATH}:{PYTHONS}",
            **self.variables,
            **step.env,
        }


def tail(output: str) -> str:
    """Return the last few telling lines of a command's output, as one line without controls."""
    lines = [line.strip() for line in COLOUR.sub("", output).splitlines() if line.strip()]
    # Untrusted text must not steer the user's terminal.
    return "".join(c for c in " | ".join(lines[-3:])[-400:] if c.isprintable())
