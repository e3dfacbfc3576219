"""The main job on embedded defaults: trace, filter, export and a page that explains the result."""

from pathlib import Path
from typing import NamedTuple

from thresher import pipeline
from thresher.progress import Reporter
from thresher.store.export import export
from thresher.store.files import write_whole
from thresher.store.summary import page
from thresher.store.workspace import Workspace
from thresher.tracer.sources import targets

# Small, permissively licensed, and their sdists carry a tox configuration and tests.
PACKAGES = ("pypi:boltons==26.2.0", "pypi:humanize==4.17.0", "pypi:jinja2==3.1.6")
CANDIDATES = 20
EXPORT, PAGE = "humaneval.jsonl.gz", "summary.md"


class Result(NamedTuple):
    """Where the page is, what it says, and whether no source or problem was left undecided."""

    page: Path
    text: str
    complete: bool


def options(model: str, require: str | None = None) -> pipeline.FilterOptions:
    """Return how it filters."""
    return pipeline.FilterOptions(model=model, candidates=CANDIDATES, require=require)


def run(workspace: Workspace, model: str, report: Reporter, require: str | None = None) -> Result:
    """Run the whole job in a workspace; what an interrupted run finished is not done again."""
    tracing = pipeline.TraceOptions(require=require)
    traced = pipeline.trace_targets(workspace, targets.parse(PACKAGES), tracing, report)
    filtered = pipeline.filter_problems(workspace, options(model, require), report)
    exported = export(workspace, workspace.folder / EXPORT)
    text = page(workspace, pipeline.FILTERS, exported.path)
    target = workspace.folder / PAGE
    write_whole(target, text.encode())
    complete = not (traced.failed or traced.pending or filtered.failed)
    return Result(target, text, complete)
