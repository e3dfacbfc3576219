"""The program of a recorded function, with the classes that its calls need."""

from collections import Counter
from typing import NamedTuple

from thresher.tracer.cases import classes_of
from thresher.tracer.extraction.standalone import NotStandalone, Project, Standalone, extract
from thresher.tracer.recording.spool import Function, RecordedCall


class Fitted(NamedTuple):
    """A program, the calls whose classes it has, and how many others are lost, by reason."""

    standalone: Standalone
    calls: tuple[RecordedCall, ...]
    lost: Counter[str]


def fit(project: Project, function: Function) -> Fitted:
    """Make the program of a function, and leave out the calls that it can't be made for.

    Raises:
        NotStandalone: it can't be made for any.
    """
    needed = [(call, classes_of(call)) for call in function.calls]
    uses = Counter(name for _, names in needed for name in names)
    try:
        return Fitted(_extract(project, function, frozenset(uses)), function.calls, Counter())
    except NotStandalone:
        standalone = _extract(project, function, frozenset())
    taken: frozenset[str] = frozenset()
    refused: dict[str, str] = {}
    for name in sorted(uses, key=lambda name: (-uses[name], name)):
        try:
            standalone = _extract(project, function, taken | {name})
            taken |= {name}
        except NotStandalone as error:
            refused[name] = f"class:{error.reason}"
    calls = tuple(call for call, names in needed if names <= taken)
    lost = Counter(refused[min(names - taken)] for _, names in needed if names - taken)
    return Fitted(standalone, calls, lost)


def _extract(project: Project, function: Function, classes: frozenset[str]) -> Standalone:
    variables = sorted({name for call in function.calls for name in call.closure})
    return extract(project, function.file, function.line, function.name, classes, variables)
