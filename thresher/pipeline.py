"""The main job's stages with everything they need: what the command line and quickstart call."""

import contextlib
import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import msgspec

from thresher import plugins
from thresher.errors import UsageError
from thresher.filters import chain, sampler
from thresher.filters.filter import Filter, Tools
from thresher.filters.models import Limited, Sampling, cleaning, default_sampling, open_model
from thresher.filters.models.endpoint import public
from thresher.filters.models.terms import Terms
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.sandbox import walls
from thresher.sandbox.index import package_index
from thresher.store.records import Problem, Run, Sample, Source
from thresher.store.workspace import Workspace
from thresher.tracer import trace
from thresher.tracer.sources.targets import Target

FILTERS = (  # cheap ones first
    "heuristics",
    "licence",
    "docstring",
    "secrets",
    "reference",
    "trivial",
    "contamination",
    "alignment",
    "comparator",
    "stable",
    "duplicates",
    "strength",
    "solvable",
)
VERSIONS = (sampler.VERSION, cleaning.VERSION)  # of how an answer is drawn and read
SAMPLING = "solvable"  # the filter that needs the reference model


class FilterOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to filter.

    Attributes:
        model: ``embedded``, ``URL#NAME``, ``chat+URL#NAME``, ``vllm:NAME`` or ``recorded:FILE``.
        terms: limits, prices and budget of an endpoint.
        candidates: sample only for this many problems, shortest programs first.
        require: the weakest sandbox wall to be content with, by name.
        filters: their names, in order.
        settings: by filter, what differs from its defaults.
    """

    model: str = "embedded"
    terms: Terms = Terms()
    candidates: int | None = None
    require: str | None = None
    filters: tuple[str, ...] = FILTERS
    settings: Mapping[str, Mapping[str, Any]] = {}

    def shown(self) -> Self:
        """Return them without what the model's URL may keep secret: to be stored and printed."""
        return msgspec.structs.replace(self, model=public(self.model))


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


def last_filters(workspace: Workspace) -> tuple[str, ...]:
    """Return the names of the filters of the last run that came to its end, in order."""
    runs = [run for run in workspace.select(Run) if run.outcome == "done"]
    filtered = [run for run in runs if run.command in ("filter", "quickstart")]
    configuration = msgspec.json.decode(filtered[-1].configuration) if filtered else None
    known = configuration.get("filters") if isinstance(configuration, dict) else None
    return tuple(known or FILTERS)


def filter_problems(
    workspace: Workspace, options: FilterOptions, report: Reporter
) -> chain.Outcome:
    """Run the filter chain over every problem in the workspace.

    Raises:
        UsageError: there is no such filter, or it has no such setting.
        ModelError: the reference model can't be started.
        SandboxUnavailable: no wall that is strong enough works on this host.
    """
    steps = _steps(options)
    problems = workspace.current(Problem)
    decides = default_sampling(options.model)
    with _tools(workspace, options, report) as (tools, identity):
        steps = [_with_model(step, identity, decides, options.candidates) for step in steps]
        return chain.run(workspace, problems, steps, tools, report)


@contextlib.contextmanager
def _tools(
    workspace: Workspace, options: FilterOptions, report: Reporter
) -> Iterator[tuple[Tools, str]]:
    """Start the sandboxes and the model where it is needed; give them with its identity."""
    wall = walls.in_force(options.require)
    level = walls.probe(wall)
    report.say(f"sandbox: {level}")
    with contextlib.ExitStack() as stack:
        judges = stack.enter_context(Judges(wall=wall))
        sources = {source.id: source for source in workspace.select(Source)}
        tools = Tools(
            judges=judges,
            source=lambda problem: sources[problem.source],
            samples=_no_samples,
            batch=1,
            wall=level,
        )
        if SAMPLING not in options.filters:
            yield tools, ""
            return
        report.say(f"starting the reference model: {options.shown().model}")
        model = stack.enter_context(open_model(options.model, options.terms))
        drawer = sampler.Sampler(workspace, model, default_sampling(options.model))

        def samples(problem: Problem, indices: range) -> list[Sample]:
            report.step(f"{problem.entry_point}: samples {indices.start} to {indices.stop - 1}")
            return drawer.samples(problem, indices)

        try:
            yield tools._replace(samples=samples, batch=model.parallel), model.name
        finally:
            if isinstance(model, Limited) and model.meter.requests:
                report.say(f"{model.name}: {model.meter}")


def _no_samples(problem: Problem, indices: range) -> list[Sample]:
    raise UsageError(f"only the filter {SAMPLING!r} has the model's samples")


def _steps(options: FilterOptions) -> list[chain.Step]:
    """Load the filters and give each its options."""
    if not options.filters or len(set(options.filters)) < len(options.filters):
        raise UsageError("name at least one filter, and each only once")
    if options.candidates is not None and options.candidates < 1:
        raise UsageError("the number of candidates must be 1 or more")
    for name in options.settings:
        if name not in options.filters:
            raise UsageError(f"there are settings for {name!r}, which is none of the filters")
    return [_step(name, options.settings.get(name, {})) for name in options.filters]


def _step(name: str, settings: Mapping[str, Any]) -> chain.Step:
    found: Filter = plugins.load("thresher.filters", name)
    for setting, value in settings.items():
        if isinstance(value, int | float) and not 0 <= value < float("inf"):
            raise UsageError(f"the setting {setting!r} of the filter {name!r} must be 0 or more")
    try:
        chosen = msgspec.convert(
            {**msgspec.structs.asdict(found.options), **settings}, type(found.options)
        )
    except msgspec.ValidationError as error:
        raise UsageError(f"the settings of the filter {name!r} are wrong: {error}") from None
    return chain.Step(found, chosen)


def _with_model(
    step: chain.Step, model: str, sampling: Sampling, candidates: int | None
) -> chain.Step:
    if step.filter.name != SAMPLING:
        return step
    return step._replace(configuration=[model, sampling, *VERSIONS], most=candidates)
