"""Functions of a small project with recorded calls, as the spool's reader would give them."""

import textwrap
from collections import Counter
from pathlib import Path

from thresher.store import values
from thresher.tracer.extraction.standalone import Project, read_project
from thresher.tracer.recording.spool import Function, Parameter, RecordedCall


def project(folder: Path, source: str) -> Project:
    """Write a project of one module, ``m``, and read it."""
    (folder / "m.py").write_text(textwrap.dedent(source))
    return read_project(folder)


def call(*args: object, result: object = None, tree: object = None, **more: object) -> RecordedCall:
    """Make a call with the parameters a, b, c…; of values, or of trees in `args` and `tree`."""
    names = "abcdefgh"[: len(args)]
    fields = {"args": dict(zip(names, map(values.encode, args), strict=True))} | more
    parameters = tuple(Parameter(name, "POSITIONAL_OR_KEYWORD") for name in fields["args"])
    given = {
        "parameters": parameters,
        "raises": None,
        "result": tree or values.encode(result),
    } | fields
    return RecordedCall(file="m.py", line=1, name="f", qualname="f", **given)


def function(source: str, *calls: RecordedCall, name: str = "f", **more: object) -> Function:
    """Make the function of a name in `source` with these calls."""
    lines = textwrap.dedent(source).split("\n")
    starts = (f"def {name}(", f"async def {name}(")
    line = next(n for n, text in enumerate(lines, 1) if text.lstrip().startswith(starts))
    counts = {"seen": len(calls), "duplicates": 0, "lost": Counter(), "qualname": name} | more
    return Function(file="m.py", line=line, name=name, calls=calls, stopped=frozenset(), **counts)
