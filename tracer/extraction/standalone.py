"""Turns one function of a project into a program of its own, by slicing source text.

Nothing of the project is imported or executed. What can't stand alone is refused with a reason.
"""

import ast
import inspect
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from thresher.tracer.extraction import hidden, references
from thresher.tracer.extraction.closure import slice_of
from thresher.tracer.extraction.definitions import Mode, mode_of, signature_end
from thresher.tracer.extraction.lifting import lift
from thresher.tracer.extraction.modules import NameClash, NotStandalone
from thresher.tracer.extraction.programs import preamble
from thresher.tracer.extraction.projects import Project, read_project
from thresher.tracer.extraction.renames import renamed
from thresher.tracer.extraction.slices import Entry

__all__ = ["NotStandalone", "Parameter", "Project", "Standalone", "extract", "read_project"]

MAX_PROMPT = 20_000
MAX_RENAMES = 24


class Parameter(NamedTuple):
    """A parameter of a function; `kind` is the name of one of `inspect.Parameter`'s kinds."""

    name: str
    kind: str
    has_default: bool


class Standalone(NamedTuple):
    """A function as a program: `prompt + solution` runs with the standard library alone.

    `start_line` and `end_line` are those of the function in its file, decorators included,
    `returns` is the text of the return annotation, `mode` how it gives its results. `names` says
    what each of the `classes` asked for is called in the program; `tags` what is special, for
    example ``method`` or ``undocumented``.
    """

    prompt: str
    solution: str
    entry_point: str
    start_line: int
    end_line: int
    parameters: tuple[Parameter, ...]
    returns: str | None
    mode: Mode = "returns"
    names: Mapping[str, str] = MappingProxyType({})
    tags: tuple[str, ...] = ()


def extract(
    project: Project,
    file: str,
    line: int,
    name: str,
    classes: Collection[str] = frozenset(),
    closure: Collection[str] = (),
) -> Standalone:
    """Make a program of the function `name` of the import-relative `file`.

    Args:
        project: the function's project.
        file: where it is.
        line: its code object's first line, that is the first decorator's line if there is one.
        name: its plain or qualified name.
        classes: what its examples hold, as ``module:Qualified.name``: it comes along.
        closure: its free variables, which become keyword-only parameters.

    Raises:
        NotStandalone: it can't be done; the reason is a code that can be counted.
    """
    plain = name.rpartition(".")[2]
    try:
        return _extract(Wanted(project, file, line, plain, classes, closure))
    except RecursionError as error:
        raise NotStandalone("too-large", f"{name} in {file} is nested too deeply") from error
    except SyntaxError as error:
        raise NotStandalone("unparsable", f"{name} in {file}: {error}") from error


class Wanted(NamedTuple):
    """What `extract` is asked for."""

    project: Project
    file: str
    line: int
    name: str
    classes: Collection[str]
    closure: Collection[str]


def _extract(wanted: Wanted) -> Standalone:
    wanted, entry, head = _with_head(wanted)
    node, lines = entry.statement.node, entry.statement.text.split("\n")
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        raise NotStandalone("not-found", f"{wanted.name} is no function")
    split = signature_end(node, lines)
    prompt = head + "\n".join(lines[:split]) + "\n"
    parameters = _parameters(node.args)
    if not parameters:
        raise NotStandalone("no-parameters", f"{wanted.name} on line {wanted.line}")
    if len(prompt) > MAX_PROMPT:
        raise NotStandalone("too-large", f"{wanted.name} needs {len(prompt)} characters")
    solution = "\n".join(lines[split:]) + "\n"
    undocumented = ("undocumented",) if ast.get_docstring(node, clean=False) is None else ()
    return Standalone(
        prompt=prompt,
        solution=solution,
        entry_point=node.name,
        start_line=wanted.line,
        end_line=entry.end_line,
        parameters=parameters,
        returns=None if node.returns is None else ast.unparse(node.returns),
        mode=mode_of(node),
        names=_names(wanted),
        tags=(*undocumented, *entry.tags, *hidden.state(prompt + solution)),
    )


def _with_head(wanted: Wanted) -> tuple[Wanted, Entry, str]:
    """Return the function as a statement of its own, and the program text before it.

    A method whose name means something else to the program is given its class's name as well;
    of two things of the same name one is given another.
    """
    prefixed = False
    for _ in range(MAX_RENAMES):
        entry = _entry(wanted, prefixed)
        try:
            return wanted, entry, _head_either_way(entry)
        except NameClash as clash:
            own = entry.file, entry.statement.node.name  # type: ignore[attr-defined]
            places = sorted(clash.places, key=lambda place: place[0] == entry.file)
            place = next((each for each in places if each != own), None)
            if place is None and (prefixed or "method" not in entry.tags):
                raise
            if place is None:
                prefixed = True
            else:
                wanted = wanted._replace(project=_renamed(wanted.project, place))
    raise NotStandalone("name-clash", f"too many names of {wanted.name} mean two things")


def _renamed(project: Project, place: tuple[str, str]) -> Project:
    """Return the project with another name for what is at a place, found only once."""
    if place not in project.variants:
        project.variants[place] = renamed(project, *place)
    return project.variants[place]


def _entry(wanted: Wanted, prefixed: bool) -> Entry:
    project = wanted.project
    entry = lift(project, wanted.file, wanted.line, wanted.name, wanted.closure, prefixed)
    named = [found for name in sorted(wanted.classes) if (found := references.find(project, name))]
    return entry._replace(
        needs=(*entry.needs, *((each.file, each.name) for each in named)),
        asked=entry.asked.union(*(each.members for each in named)),
    )


def _head_either_way(entry: Entry) -> str:
    try:
        return _head(entry, lazy=False)
    except NotStandalone:  # without what only annotations need
        return _head(entry, lazy=True)


def _head(entry: Entry, lazy: bool) -> str:
    found = slice_of(entry, lazy)
    if entry.original:
        index, member = entry.original
        places = found.members.get((entry.file, index), set())
        is_taken = index in found.taken[entry.file] if member is None else member in places
        if is_taken:
            raise NotStandalone(entry.tags[0], f"{entry.file} shows it where it is defined")
    return preamble(found)


def _names(wanted: Wanted) -> dict[str, str]:
    found = {name: references.find(wanted.project, name) for name in wanted.classes}
    return {name: each.qualified for name, each in sorted(found.items()) if each}


def _parameters(arguments: ast.arguments) -> tuple[Parameter, ...]:
    kinds = inspect.Parameter
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    found = [
        Parameter(
            each.arg,
            (
                kinds.POSITIONAL_ONLY
                if place < len(arguments.posonlyargs)
                else kinds.POSITIONAL_OR_KEYWORD
            ).name,
            place >= required,
        )
        for place, each in enumerate(positional)
    ]
    if arguments.vararg:
        found.append(Parameter(arguments.vararg.arg, kinds.VAR_POSITIONAL.name, False))
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(each.arg, kinds.KEYWORD_ONLY.name, default is not None))
    if arguments.kwarg:
        found.append(Parameter(arguments.kwarg.arg, kinds.VAR_KEYWORD.name, False))
    return tuple(found)
