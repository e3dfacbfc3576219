"""Names in a solution: what gives them a meaning, what reads them, and the imports they need."""

import ast
import builtins
import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence

from thresher.errors import SourceError

# What LeetCode has imported for every solution; of names that several have, the first counts.
MODULES = (
    *("collections", "typing", "heapq", "bisect", "functools", "itertools", "math", "string"),
    *("operator", "random", "re", "datetime", "copy", "sys", "json", "time", "os", "statistics"),
)


def refused(why: str) -> SourceError:
    """Return the error for a solution that can't complete its prompt."""
    return SourceError(
        "solution-not-a-function", f"The solution can't complete the prompt: {why}; give another."
    )


def parameters(given: ast.arguments) -> list[ast.arg]:
    """Return all parameters of a function, in order."""
    more = [given.vararg, given.kwarg]
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [*named, *(each for each in more if each is not None)]


def bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every name that some scope in the nodes gives a meaning."""
    for each in (inner for node in nodes for inner in ast.walk(node)):
        match each:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0]
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def used(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every name that the nodes read."""
    for each in (inner for node in nodes for inner in ast.walk(node)):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            yield each.id


def imports(tree: ast.Module, kept: Sequence[ast.AST], known: Iterable[str]) -> list[str]:
    """Return sorted lines that import what the kept code needs.

    Raises:
        SourceError: it needs a library, or a name that is nowhere.
    """
    needed = set(used(kept)) - set(known)
    written: dict[str, str] = {}
    for each in tree.body:
        if isinstance(each, ast.Import | ast.ImportFrom):
            written |= {name: line for name, line in _lines(each) if name in needed}
    if "" in written.values():
        raise _needing(sorted(name for name in written if not written[name]))
    missing = needed - written.keys() - set(bound(kept)) - set(dir(builtins))
    modules = {
        each.value.id
        for each in (inner for node in kept for inner in ast.walk(node))
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
    }
    found = [_importing(name, name in modules) for name in missing]
    return sorted({*written.values(), *found}, key=lambda line: (line.startswith("from"), line))


def _lines(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield the names that a statement imports, each with a line for it alone."""
    for alias in node.names:
        module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
        root = module.partition(".")[0]
        name = alias.asname or alias.name.partition(".")[0]
        if root == "__future__" or alias.name == "*":
            continue
        if root not in sys.stdlib_module_names:
            yield name, ""
            continue
        line = ast.unparse(
            ast.ImportFrom(module, [alias], 0)
            if isinstance(node, ast.ImportFrom)
            else ast.Import([alias])
        )
        yield name, line


def _importing(name: str, is_module: bool) -> str:
    if is_module and name in MODULES:
        return f"import {name}"
    for module in MODULES:
        found = importlib.import_module(module)
        if name in getattr(found, "__all__", dir(found)) and not name.startswith("_"):
            return f"from {module} import {name}"
    if name.startswith("Sorted"):
        raise _needing([name])  # of sortedcontainers, which LeetCode has
    raise refused(f"nothing defines {name}")


def _needing(names: Sequence[str]) -> SourceError:
    shown = ", ".join(names)
    return SourceError("solution-needs-library", f"The solution needs a library for {shown}.")
