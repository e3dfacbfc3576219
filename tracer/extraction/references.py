"""Finds what recorded values name, as ``module:Qualified.name``, in a project."""

from typing import NamedTuple

from thresher.tracer.extraction.imports import STANDARD
from thresher.tracer.extraction.modules import NotStandalone
from thresher.tracer.extraction.projects import Project


class Reference(NamedTuple):
    """A class or function of a project: its file, its outermost name there and the whole one."""

    file: str
    name: str
    qualified: str

    @property
    def members(self) -> frozenset[str]:
        """The members of classes that its qualified name leads through."""
        return frozenset(self.qualified.split(".")[1:])


def find(project: Project, name: str) -> Reference | None:
    """Return what `name` refers to, None where it is of the standard library.

    Raises:
        NotStandalone: it is local to a function, or of another project.
    """
    module, _, qualified = name.partition(":")
    if "<" in qualified:
        raise NotStandalone("local-class", f"{name} is local to a function")
    path = module.replace(".", "/")
    for file in (f"{path}/__init__.py", f"{path}.py"):
        if file in project.texts:
            first, dot, rest = qualified.partition(".")
            first = project.renamed.get((file, first), first)
            return Reference(file, first, first + dot + rest)
    top = module.partition(".")[0]
    if top in STANDARD:
        return None
    raise NotStandalone(f"third-party:{top}", f"values hold {name}")
