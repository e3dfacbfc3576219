"""What works on this host, found by trying it, and how to get what doesn't."""

import platform
import sys
from collections.abc import Callable
from typing import NamedTuple

from thresher.errors import SourceError, ThresherError
from thresher.sandbox import walls
from thresher.sandbox.wall import Wall


class Finding(NamedTuple):
    """One thing that was tried: whether it works, what was seen or what to do, and the need."""

    name: str
    works: bool
    detail: str
    needed: bool = True


def examine() -> list[Finding]:
    """Try every part that thresher needs."""
    return [
        Finding("python", sys.version_info >= (3, 11), platform.python_version()),
        _try("sandbox wall", _wall),
        *map(_each_wall, walls.known()),
        _try("sandbox cell", _cell),
        _try("sandbox limits", _limits),
        _firewall(),
        _try("package index", _index),
        _try("git", _git),
        _try("tox", _tox),
        _try("scrapy", _scrapy),
        _try("reference model", _model),
    ]


def _try(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, check())
    except (ThresherError, ImportError, OSError) as error:
        return Finding(name, False, str(error))


def _wall() -> str:
    wall = walls.in_force()
    return f"{walls.probe(wall)} is in force, the strongest that runs programs here"


def _each_wall(wall: Wall) -> Finding:
    found = _try(f"- {wall.name}", lambda: f"ran a program: {walls.probe(wall)}")
    return found._replace(needed=False)


def _cell() -> str:
    from thresher.judging import Judges
    from thresher.sandbox.judge import Call

    with Judges(1) as judges:
        result = judges.run("def f(x):\n    return x + 1\n", "f", [Call([41], {})])
    if [outcome.value for outcome in result.outcomes] != [42]:
        raise OSError(f"a program that adds 1 to 41 gave {result}")
    return "a program ran in a cell and gave the right answer"


def _limits() -> str:
    from thresher.sandbox.cgroup import Cgroup

    with Cgroup(1 << 30, 64) as group:
        if group.limited:
            return "memory and process limits by cgroup"
    return (
        "by resource limits alone: no right to make cgroups here; as root, or delegated, they work"
    )


def _firewall() -> Finding:
    from thresher.sandbox.cgroup import Cgroup
    from thresher.sandbox.firewall import Policy

    with Cgroup(1 << 30, 64, Policy()) as group:
        works = group.firewall is not None
    detail = group.no_firewall or "eBPF programs stop packets that the proxy should carry"
    return Finding("sandbox firewall", works, detail, needed=False)


def _index() -> str:
    from thresher.sandbox.index import package_index
    from thresher.tracer.sources import sdist

    index = package_index()
    try:
        sdist.fetch("six", index.urls, index.find_links, index.trusted_hosts, index.certificate)
    except SourceError as error:
        if error.reason == "index-unreachable":
            raise
    return f"{', '.join(index.urls)} answers (from pip's configuration and the environment)"


def _git() -> str:
    import git

    version = ".".join(map(str, git.Git().version_info))
    return f"git {version} through GitPython {git.__version__}"


def _tox() -> str:
    import tox

    return f"tox {tox.__version__}"


def _scrapy() -> str:
    import scrapy

    return f"scrapy {scrapy.__version__}"


def _model() -> str:
    import xllamacpp

    from thresher.filters.models.embedded import find_weights

    return f"{find_weights().name}, run by xllamacpp {xllamacpp.__version__}"
