"""Code of packages, models and pickles has no way to run outside the sandbox: no source can."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("thresher", "crawlers", "tracer", "filters", "store", "sandbox")
SOURCES = sorted(
    path.relative_to(ROOT)
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if not any(parent.is_symlink() for parent in path.parents)
)
UNPICKLERS = {"pickle", "cloudpickle", "dill", "marshal", "shelve", "joblib", "runpy", "code"}
RUNNERS = {"exec", "eval", "compile", "__import__"}
ALLOWED = {
    # Inside the wall: the cell runs programs, that is what it is for.
    Path("sandbox/cell.py"): {"exec", "compile"},
    Path("sandbox/program.py"): {"exec", "compile"},
    # Compiles a program's other form to see that it is Python, and runs nothing.
    Path("store/programs.py"): {"compile"},
    # Compiles a model's answer to see that it is Python, and runs nothing.
    Path("filters/models/asked.py"): {"compile"},
    # Compiles the modules of traced projects inside the wall, and runs none.
    Path("tracer/recording/callsites.py"): {"compile"},
    # The names come from a table of the standard library's value types, not from any data; the
    # text that is run is its own, which exports carry too.
    Path("store/values.py"): {"__import__", "exec"},
}
# The trusted side writes what cells, inside the wall, load; never the other way round.
MARSHALLERS = {
    Path("sandbox/remote.py"): {"dumps"},
    Path("sandbox/warm.py"): {"dumps"},
    Path("sandbox/frames.py"): {"loads"},
    # Both run inside the wall: what one writes, the other reads before any program runs.
    Path("sandbox/restart.py"): {"dump"},
    Path("sandbox/varied.py"): {"load"},
}
# These start a wall, pip's own `config list`, or (relay, launch) run inside or become a wall.
STARTERS = {
    Path("sandbox", f"{name}.py")
    for name in ["bubblewrap", "gvisor", "walls", "command", "remote", "index", "relay", "launch"]
}
# Runs inside the wall.
STARTERS.add(Path("tracer/replays/dated_index.py"))
# Starts Scrapy with our own code in a process of its own.
STARTERS.add(Path("crawlers/engine/fetcher.py"))
# Asks this host's Pythons, without anything of a project, for their version.
STARTERS.add(Path("tracer/replays/interpreters.py"))
# GitPython starts git, which is told here to do nothing but fetch.
GIT = {
    Path("tracer/sources/git.py"),
    Path("tracer/sources/repository.py"),
    Path("thresher/doctor.py"),
}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


def called(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def attributes_of(tree, name):
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=owner)) if owner == name:
                yield node.attr


def test_all_sources_are_looked_at():
    assert Path("tracer/trace.py") in SOURCES
    assert len(SOURCES) > 60


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_no_source_can_run_or_unpickle_what_it_is_given(path):
    tree = ast.parse((ROOT / path).read_text())
    names = set(imported(tree))
    assert names & UNPICKLERS == ({"marshal"} if path in MARSHALLERS else set())
    assert set(attributes_of(tree, "marshal")) == MARSHALLERS.get(path, set())
    assert set(called(tree)) & RUNNERS == ALLOWED.get(path, set())
    if path not in STARTERS:
        assert "subprocess" not in names
    assert "git" not in names or path in GIT
