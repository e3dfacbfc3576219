"""What works on this host, found by trying it, and how to get what doesn't."""

import platform
import sys
from collections.abc import Callable
from typing import NamedTuple

from thresher.errors import SourceError, ThresherError


class Finding(NamedTuple):
    """One thing that was tried: whether it works, and what was seen or what to do."""

    name: str
    works: bool
    detail: str


def examine() -> list[Finding]:
    """Try every part that thresher needs."""
    return [
        Finding("python", sys.version_info >= (3, 11), platform.python_version()),
        _try("sandbox wall", _wall),
        _try("sandbox cell", _cell),
        _try("sandbox limits", _limits),
        _try("package index", _index),
        _try("tox", _tox),
        _try("reference model", _model),
    ]


def _try(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, check())
    except (ThresherError, ImportError, OSError) as error:
        return Finding(name, False, str(error))


def _wall() -> str:
    from thresher.sandbox.wall import probe

    return f"{probe()} runs programs; gVisor is not supported yet"


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


def _index() -> str:
    from thresher.sandbox.index import package_index
    from thresher.tracer import sdist

    index = package_index()
    try:
        sdist.fetch("six", index.urls, index.find_links, index.trusted_hosts, index.certificate)
    except SourceError as error:
        if error.reason == "index-unreachable":
            raise
    return f"{', '.join(index.urls)} answers (from pip's configuration and the environment)"


def _tox() -> str:
    import tox

    return f"tox {tox.__version__}"


def _model() -> str:
    import xllamacpp

    from thresher.filters.models.embedded import find_weights

    return f"{find_weights().name}, run by xllamacpp {xllamacpp.__version__}"
