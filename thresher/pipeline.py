"""The main job's stages with everything they need: what the command line and quickstart call."""

import contextlib
import datetime
import re
from collections.abc import Iterator, Sequence

import msgspec

from thresher import plugins
from thresher.errors import UsageError
from thresher.filters import chain
from thresher.filters.filter import Filter, Tools
from thresher.filters.models import Sampling, open_model
from thresher.filters.sampler import Sampler
from thresher.filters.stable import ENVIRONMENTS
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.sandbox import walls
from thresher.sandbox.index import package_index
from thresher.store.records import Problem, Sample
from thresher.store.workspace import Workspace
from thresher.tracer import trace
from thresher.tracer.sources.targets import Target

FILTERS = ("reference", "trivial", "stable", "solvable")


class FilterOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to filter.

    Attributes:
        model: ``embedded``, ``URL#NAME`` or ``recorded:FILE``.
        samples: the most samples per problem.
        all_samples: draw all of them instead of stopping at the first pass.
        candidates: sample only for this many problems, shortest programs first.
        require: the weakest sandbox wall to be content with, by name.
    """

    model: str = "embedded"
    samples: int = 100
    all_samples: bool = False
    candidates: int | None = None
    require: str | None = None


class TraceOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to trace.

    Attributes:
        retry: try targets again that failed before.
        jobs: how many to trace at the same time.
        as_of: install packages as they were on a date (``2019-05-31``, a whole day), or on each
            source's own (``commit``).
        python: the version of Python to replay with, such as ``3.9``.
        require: the weakest sandbox wall to be content with, by name.
    """

    retry: bool = False
    jobs: int = 1
    as_of: str | None = None
    python: str | None = None
    require: str | None = None

    def __post_init__(self) -> None:
        moment(self.as_of)
        if self.python is not None and not re.fullmatch(r"\d+\.\d+", self.python):
            raise UsageError(f"{self.python!r} is no version of Python: write for example 3.9")


def moment(as_of: str | None) -> trace.AsOf:
    """Return the moment that `TraceOptions.as_of` means.

    Raises:
        UsageError: it is neither a date nor ``commit``.
    """
    if as_of is None:
        return None
    if as_of == "commit":
        return "commit"
    try:
        day = datetime.date.fromisoformat(as_of)
    except ValueError:
        raise UsageError(f"{as_of!r} is no date: write for example 2019-05-31, or commit") from None
    return datetime.datetime.combine(day, datetime.time(23, 59, 59), datetime.UTC)


def trace_targets(
    workspace: Workspace, targets: Sequence[Target], options: TraceOptions, report: Reporter
) -> trace.Outcome:
    """Trace sources into problems.

    Args:
        workspace: where they are stored.
        targets: what to trace.
        options: how to.
        report: is told of every step.

    Raises:
        SandboxUnavailable: no wall that is strong enough works on this host.
    """
    wall = walls.in_force(options.require)
    report.say(f"sandbox: {walls.probe(wall)}")
    with Judges(wall=wall) as judges:
        tracer = trace.Tracer(
            workspace,
            package_index(),
            judges,
            wall,
            report,
            retry=options.retry,
            jobs=options.jobs,
            as_of=moment(options.as_of),
            python=options.python,
        )
        return tracer.run(targets)


def filter_problems(
    workspace: Workspace, options: FilterOptions, report: Reporter
) -> chain.Outcome:
    """Run the filter chain over every problem in the workspace.

    Raises:
        ModelError: the reference model can't be started.
        SandboxUnavailable: no wall that is strong enough works on this host.
    """
    problems = workspace.current(Problem)
    report.say(f"starting the reference model: {options.model}")
    with _tools(workspace, options, report) as (tools, identity):
        return chain.run(workspace, problems, _steps(options, identity), tools, report)


@contextlib.contextmanager
def _tools(
    workspace: Workspace, options: FilterOptions, report: Reporter
) -> Iterator[tuple[Tools, str]]:
    """Start the sandboxes and the model, and give them with the model's identity."""
    wall = walls.in_force(options.require)
    level = walls.probe(wall)
    report.say(f"sandbox: {level}")
    with contextlib.ExitStack() as stack:
        judges = stack.enter_context(Judges(wall=wall))
        elsewhere = [stack.enter_context(Judges(1, env, wall)) for env in ENVIRONMENTS]
        model = stack.enter_context(open_model(options.model))
        sampler = Sampler(workspace, model, Sampling())

        def samples(problem: Problem, indices: range) -> list[Sample]:
            report.step(f"{problem.entry_point}: samples {indices.start} to {indices.stop - 1}")
            return sampler.samples(problem, indices)

        tools = Tools(
            judges=judges,
            elsewhere=elsewhere,
            samples=samples,
            limit=options.samples,
            batch=model.parallel,
            stop_at_first_pass=not options.all_samples,
            wall=level,
        )
        yield tools, model.name


def _steps(options: FilterOptions, model: str) -> list[chain.Step]:
    """Give each filter the part of the configuration that decides what it finds."""
    configurations: dict[str, object] = {
        "stable": ENVIRONMENTS,
        "solvable": [model, Sampling(), options.samples, options.all_samples],
    }
    steps = []
    for name in FILTERS:
        found: Filter = plugins.load("thresher.filters", name)
        most = options.candidates if name == "solvable" else None
        steps.append(chain.Step(found, configurations.get(name), most))
    return steps
