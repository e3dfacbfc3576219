"""The main job's stages with everything they need: what the command line and quickstart call."""

import contextlib
from collections.abc import Iterator, Sequence

import msgspec

from thresher import plugins
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


def trace_targets(
    workspace: Workspace,
    targets: Sequence[str],
    report: Reporter,
    retry: bool = False,
    require: str | None = None,
) -> trace.Outcome:
    """Trace sources into problems.

    Args:
        workspace: where they are stored.
        targets: what to trace.
        report: is told of every step.
        retry: try targets again that failed before.
        require: the weakest sandbox wall to be content with, by name.

    Raises:
        UsageError: a target can't be understood.
        SandboxUnavailable: no wall that is strong enough works on this host.
    """
    wall = walls.in_force(require)
    report.say(f"sandbox: {walls.probe(wall)}")
    with Judges(wall=wall) as judges:
        tracer = trace.Tracer(workspace, package_index(), judges, wall, report, retry)
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
