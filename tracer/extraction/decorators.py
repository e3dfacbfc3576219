"""What becomes of a function's decorators: calls are recorded below them, so few matter."""

import ast
from typing import NamedTuple

from thresher.tracer.extraction.definitions import Function
from thresher.tracer.extraction.imports import imported, origin
from thresher.tracer.extraction.names import bound_name
from thresher.tracer.extraction.projects import Project

# These change neither what a call is given nor what it returns.
_KEPT = frozenset(["functools.lru_cache", "functools.cache"])
# These say how a class finds a method, which a function has no use for.
_GONE = frozenset(
    ["property", "staticmethod", "classmethod", "functools.cached_property",
     "abc.abstractmethod", "typing.final", "typing.override", "setter", "getter", "deleter"]
)  # fmt: skip


class Decorators(NamedTuple):
    """The decorators of a function, sorted out.

    Attributes:
        kept: those that a top-level function can have as well.
        dropped: the text of those that did something, which is lost.
        kind: ``function``, ``staticmethod`` or ``classmethod``, as a class would see it.
    """

    kept: list[ast.expr]
    dropped: list[str]
    kind: str


def sorted_out(project: Project, file: str, node: Function) -> Decorators:
    """Sort out the decorators of a function of the project's `file`."""
    kept, dropped, kind = [], [], "function"
    for decorator in node.decorator_list:
        name = _full_name(project, file, decorator)
        if name in _KEPT:
            kept.append(decorator)
        elif name in ("staticmethod", "classmethod"):
            kind = name
        elif name not in _GONE:
            dropped.append(ast.unparse(decorator))
    return Decorators(kept, dropped, kind)


def _full_name(project: Project, file: str, decorator: ast.expr) -> str:
    """Return ``functools.cache`` however the standard library's function was imported."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    last = node.attr if isinstance(node, ast.Attribute) else ""
    root = node.value if isinstance(node, ast.Attribute) else node
    if not isinstance(root, ast.Name):
        return ""
    module = project.module(file)
    for index in module.bindings.get(root.id, []):
        for item in imported(module.statements[index].node):
            source = origin(project, file, item)
            if bound_name(item.alias) == root.id and source.kind == "stdlib":
                name = last if isinstance(item.node, ast.Import) else item.alias.name
                return f"{source.name}.{name}"
    return last or root.id
