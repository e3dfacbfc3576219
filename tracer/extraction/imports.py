"""Where an imported name comes from: the standard library, another project or this one."""

import ast
import sys
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple

from thresher.tracer.extraction.modules import Module
from thresher.tracer.extraction.names import bound_name, is_typing_guard

if TYPE_CHECKING:
    from thresher.tracer.extraction.projects import Project

# What other versions of Python have as well; code asks for their version before it imports these.
_OTHER_VERSIONS = ["annotationlib", "asynchat", "asyncore", "distutils", "imp", "smtpd", "tomllib"]
MAX_HOPS = 10
STANDARD = sys.stdlib_module_names | frozenset(_OTHER_VERSIONS)


class Origin(NamedTuple):
    """Where an import leads.

    `kind` is ``stdlib``, ``third-party``, ``name`` (the `name` of the project's `file`) or
    ``module`` (a module object of the project, or one that isn't there as Python text).
    """

    kind: Literal["stdlib", "third-party", "name", "module"]
    file: str
    name: str


class Imported(NamedTuple):
    """One alias of an import statement."""

    node: ast.Import | ast.ImportFrom
    alias: ast.alias

    def text(self) -> str:
        """Return the import of this alias alone, as a line of Python."""
        name, renamed = self.alias.name, self.alias.asname
        suffix = f" as {renamed}" if renamed else ""
        if isinstance(self.node, ast.Import):
            return f"import {name}{suffix}"
        path = "." * self.node.level + (self.node.module or "")
        return f"from {path} import {name}{suffix}"


def imported(node: ast.stmt) -> Iterator[Imported]:
    """Yield what an import statement, or an ``if TYPE_CHECKING:`` of imports, imports."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (Imported(node, alias) for alias in node.names)
    elif isinstance(node, ast.If) and is_typing_guard(node):
        for inner in node.body:
            yield from imported(inner)


def guarded_imports(node: ast.AST, guarded: bool = False) -> Iterator[tuple[Imported, bool]]:
    """Yield every import in `node` and whether an ``except ImportError`` catches its failure."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((Imported(node, alias), guarded) for alias in node.names)
    caught: list[ast.stmt] = []
    if isinstance(node, ast.Try) and any(map(catches_import_error, node.handlers)):
        caught = node.body
    for child in ast.iter_child_nodes(node):
        yield from guarded_imports(child, guarded or any(child is each for each in caught))


def origin(project: "Project", file: str, item: Imported) -> Origin:
    """Return where `item`, imported by the project's `file`, comes from."""
    node, name = item.node, item.alias.name
    if isinstance(node, ast.Import):
        return _outside(project, name) or Origin("module", "", name)
    path = "." * node.level + (node.module or "")
    outside = None if node.level else _outside(project, path)
    if outside:
        return outside
    target = _target(project, file, node)
    if target is None:
        return Origin("module", "", path)
    is_package = target.endswith("__init__.py")
    is_module = is_package and _module_file(project, target.removesuffix("__init__.py") + name)
    # A package that imports from itself means its module, as every other name would be a loop.
    if is_module and (target == file or not provides(project, target, name)):
        return Origin("module", "", f"{path}{'' if path.endswith('.') else '.'}{name}")
    return Origin("name", target, name)


def module_of(project: "Project", file: str, item: Imported) -> str | None:
    """Return the project's file whose module `item`, imported by `file`, means, if it does."""
    for _ in range(MAX_HOPS):
        if isinstance(item.node, ast.Import):
            path = item.alias.name if item.alias.asname else bound_name(item.alias)
            outside = path.partition(".")[0] in STANDARD
            return None if outside else _module_file(project, path.replace(".", "/"))
        source = origin(project, file, item)
        if source.kind != "name":
            path = _path(file, item.node) or ""
            return _module_file(project, f"{path}/{item.alias.name}".lstrip("/"))
        file = source.file
        found = project.parsed(file).bindings.get(source.name, [])
        items = [
            i for index in found for i in imported(project.parsed(file).statements[index].node)
        ]
        items = [each for each in items if bound_name(each.alias) == source.name]
        if len(items) != 1 or len(found) != 1:
            return None
        item = items[0]
    return None


def submodule(project: "Project", file: str, name: str) -> str | None:
    """Return the file of the module that `name` means in the module `file`, if it is one."""
    module = project.parsed(file)
    items = [
        i
        for index in module.bindings.get(name, [])
        for i in imported(module.statements[index].node)
    ]
    found = [each for each in items if bound_name(each.alias) == name]
    if len(found) == 1:
        return module_of(project, file, found[0])
    folder = file.removesuffix("__init__.py")
    is_known = folder == file or provides(project, file, name)
    return None if is_known else _module_file(project, folder + name)


def provides(project: "Project", file: str, name: str) -> bool:
    """Tell whether `file` binds `name` itself or through a star import of the project."""
    return name in project.parsed(file).bindings or star(project, file, name) is not None


def star(project: "Project", file: str, name: str) -> Origin | None:
    """Return where a ``from x import *`` of `file` takes `name` from, if one does."""
    return _star(project, file, name, set())


def foreign_star(project: "Project", file: str) -> str | None:
    """Return the module of a star import in `file` that leads outside the project, if any."""
    for node in project.parsed(file).stars:
        if _target(project, file, node) is None:
            return "." * node.level + (node.module or "")
    return None


def _star(project: "Project", file: str, name: str, seen: set[str]) -> Origin | None:
    seen.add(file)
    for node in reversed(project.parsed(file).stars):
        target = _target(project, file, node)
        if target is None or target in seen or not _is_public(project.parsed(target), name):
            continue
        if name in project.parsed(target).bindings:
            return Origin("name", target, name)
        deeper = _star(project, target, name, seen)
        if deeper:
            return deeper
    return None


def _outside(project: "Project", path: str) -> Origin | None:
    """Return the origin of an absolute import that leaves the project, None if it doesn't."""
    top = path.partition(".")[0]
    if top in STANDARD:
        return Origin("stdlib", "", top)
    return None if _module_file(project, top) else Origin("third-party", "", top)


def _target(project: "Project", file: str, node: ast.ImportFrom) -> str | None:
    """Return the project's file that ``from ... import`` reads, None if it has none."""
    path = _path(file, node)
    return None if path is None else _module_file(project, path)


def _path(file: str, node: ast.ImportFrom) -> str | None:
    """Return the path, without a suffix, of what is left of ``import``; None if it's outside."""
    path = tuple(filter(None, (node.module or "").split(".")))
    if not node.level:
        return None if path[0] in STANDARD else "/".join(path)
    package = PurePosixPath(file).parent.parts
    kept = len(package) - node.level + 1
    return "/".join(package[:kept] + path) if kept > 0 else None


def _is_public(module: Module, name: str) -> bool:
    """Tell whether a star import of `module` takes `name` along."""
    found = module.bindings.get("__all__", [])
    node = module.statements[found[0]].node if len(found) == 1 else None
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.Tuple):
        return any(isinstance(e, ast.Constant) and e.value == name for e in node.value.elts)
    return not name.startswith("_")


def _module_file(project: "Project", path: str) -> str | None:
    candidates = (f"{path}/__init__.py", f"{path}.py")
    return next((each for each in candidates if each in project.texts), None)


def catches_import_error(handler: ast.ExceptHandler) -> bool:
    """Say whether an ``except`` clause catches ImportError by name."""
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    caught = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
    return any(isinstance(kind, ast.Name) and kind.id in caught for kind in kinds)
