"""One recorded call as a test case: its arguments by position and name, its classes renamed."""

import builtins
from collections.abc import Iterator, Mapping
from typing import Any

from thresher.store import data, humaneval
from thresher.store.records import TestCase, Tree
from thresher.tracer.recording.spool import RecordedCall

MAX_CASE_SOURCE = 1_000  # characters of a call and its answer
SANDBOX_PATH = "/thresher/"


def classes_of(call: RecordedCall) -> frozenset[str]:
    """Return the NAMEs, ``module:Class``, of what a call's values hold and of what it raises."""
    trees = [tree for _, *pair in _recorded(call) for tree in pair]
    found = data.names([*trees, *call.closure.values(), call.result])
    return (
        found if call.raises is None or "." not in call.raises else found | {_raised(call.raises)}
    )


def case_of(call: RecordedCall, names: Mapping[str, str]) -> TestCase:
    """Rebuild a call from its arguments by name: keyword-only and free variables are keywords.

    Args:
        call: as it was recorded.
        names: what the program calls the classes of the project.
    """
    args: list[Tree] = []
    kwargs: dict[str, Tree] = dict(call.closure)
    after: dict[str, Tree] = {}
    for keyword, at_entry, at_exit in _recorded(call):
        if at_exit != at_entry:
            after[keyword or str(len(args))] = at_exit
        if keyword:
            kwargs[keyword] = at_entry
        else:
            args.append(at_entry)
    return TestCase(
        args=tuple(data.renamed(args, names)),
        # In the order that the store gives back, which a function may make something of.
        kwargs={name: data.renamed(tree, names) for name, tree in sorted(kwargs.items())},
        expected=data.renamed(call.result, names),
        raises=_in_program(call.raises, names),
        origin="traced",
        shown=False,
        after={place: data.renamed(tree, names) for place, tree in after.items()},
        ended=call.ended,
    )


def arguments(case: TestCase) -> dict[str, Tree]:
    """Return the arguments of a case by place (``"0"``) or keyword, as its `after` names them."""
    return {**{str(place): tree for place, tree in enumerate(case.args)}, **case.kwargs}


def unusable(case: TestCase) -> str | None:
    """Say why a recorded call can't be a case, or None."""
    if case.raises is not None and ":" not in case.raises and _is_exit(case.raises):
        return "raises-no-error"
    if not humaneval.can_be_exported(case):
        return "name-clash"
    answers = [case.expected, *case.after.values()]
    source = humaneval.call_source(case) + "".join(map(data.render, answers))
    if SANDBOX_PATH in source:
        return "holds-sandbox-path"
    return "too-large" if len(source) > MAX_CASE_SOURCE else None


def _recorded(call: RecordedCall) -> Iterator[tuple[str | None, Tree, Tree]]:
    """Yield each argument: its keyword or None, its value at entry and after the call."""
    for parameter in call.parameters:
        value = call.args[parameter.name]
        changed: Any = call.after.get(parameter.name, value)
        if parameter.kind == "VAR_POSITIONAL":
            yield from ((None, *pair) for pair in zip(value, changed, strict=True))
        elif parameter.kind == "VAR_KEYWORD":
            yield from ((name, tree, changed.get(name, tree)) for name, tree in value.items())
        else:
            keyword = parameter.name if parameter.kind == "KEYWORD_ONLY" else None
            yield keyword, value, changed


def _raised(name: str) -> str:
    """Return ``module:Class`` for the ``module.Class`` of a recorded exception."""
    module, _, kind = name.rpartition(".")
    return f"{module}:{kind}"


def _in_program(raised: str | None, names: Mapping[str, str]) -> str | None:
    if raised is None or "." not in raised:
        return raised
    return names.get(_raised(raised), _raised(raised))


def _is_exit(name: str) -> bool:
    kind = getattr(builtins, name, Exception)
    return not (isinstance(kind, type) and issubclass(kind, Exception))
