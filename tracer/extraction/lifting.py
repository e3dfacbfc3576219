"""Makes a function, wherever it is defined, a top-level statement of its project."""

import ast
from collections.abc import Collection

from thresher.tracer.extraction import methods, nested
from thresher.tracer.extraction.decorators import Decorators, sorted_out
from thresher.tracer.extraction.definitions import Definition, find, mode_of
from thresher.tracer.extraction.drafts import decorated, draft
from thresher.tracer.extraction.modules import NotStandalone, statement_of
from thresher.tracer.extraction.projects import Project
from thresher.tracer.extraction.slices import Entry
from thresher.tracer.extraction.source import last_line

_MODE_TAGS = {
    "generates": ("generator",),
    "awaits": ("coroutine",),
    "async-generates": ("coroutine", "generator"),
}


def lift(
    project: Project, file: str, line: int, name: str, closure: Collection[str], prefixed: bool
) -> Entry:
    """Return the function that begins on `line` of `file` as a statement of its own.

    Args:
        project: the function's project.
        file: its module.
        line: where it begins, decorators included.
        name: its plain name.
        closure: the free variables that become keyword-only parameters.
        prefixed: whether a method takes its class's name into its own.

    Raises:
        NotStandalone: there is no such function, or it means nothing where it doesn't stand.
    """
    definition = find(project.module(file), line, name)
    decorators = sorted_out(project, file, definition.node)
    scopes = definition.scopes
    if not scopes:
        entry = _top_level(project, file, definition, decorators)
    elif isinstance(scopes[-1], ast.ClassDef):
        entry = methods.lift(project, file, definition, decorators, prefixed)
    else:
        entry = nested.lift(project, file, definition, closure)
    dropped = ("decorators-dropped",) if decorators.dropped else ()
    modes = _MODE_TAGS.get(mode_of(definition.node), ())
    return entry._replace(tags=(*entry.tags, *dropped, *modes))


def _top_level(
    project: Project, file: str, definition: Definition, decorators: Decorators
) -> Entry:
    module, node, index = project.module(file), definition.node, definition.place
    if node.name.startswith("__") and node.name.endswith("__"):
        raise NotStandalone("dunder", f"{node.name} on line {node.lineno}")
    _check_rebound(project, file, index, node.name)
    text = decorated(module, draft(module, node), decorators.kept)
    start = module.statements[index].start
    if not definition.inside:
        changed = module.changed({index: statement_of(text, start)})
        return Entry(project.changed(file, changed), file, index, last_line(node))
    place = len(module.statements)
    changed = module.changed({place: statement_of(text, node.lineno)}, {node.name: place})
    return Entry(
        project.changed(file, changed),
        file,
        place,
        last_line(node),
        original=(index, None),
        tags=("conditional",),
    )


def _check_rebound(project: Project, file: str, index: int, name: str) -> None:
    """Raise if the module gives `name` another meaning, but for its typing overloads."""
    module = project.module(file)
    for other in module.bindings.get(name, []):
        decorators: list[ast.expr] = getattr(module.statements[other].node, "decorator_list", [])
        names = {ast.unparse(decorator).rpartition(".")[2] for decorator in decorators}
        if other != index and "overload" not in names:
            start = module.statements[other].start
            raise NotStandalone("name-clash", f"{name} is bound again on line {start} of {file}")
