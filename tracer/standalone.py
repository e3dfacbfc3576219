"""Turns one function of a project into a program of its own, by slicing source text.

Nothing of the project is imported or executed. What can't stand alone is refused with a reason.
"""

import ast
import inspect
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from thresher.tracer.closure import slice_of
from thresher.tracer.imports import imported, origin
from thresher.tracer.modules import Module, NotStandalone, first_line
from thresher.tracer.names import bound_name
from thresher.tracer.programs import preamble
from thresher.tracer.projects import Project, read_project

__all__ = ["NotStandalone", "Parameter", "Project", "Standalone", "extract", "read_project"]

MAX_PROMPT = 20_000

Mode = Literal["returns", "generates", "awaits", "async-generates"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# These change neither what a call is given nor what it returns.
_HARMLESS = frozenset(["functools.lru_cache", "functools.cache"])


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
    try:
        return _extract(project, file, line, name.rpartition(".")[2])
    except RecursionError as error:
        raise NotStandalone("too-large", f"{name} in {file} is nested too deeply") from error


def _extract(project: Project, file: str, line: int, name: str) -> Standalone:
    module = project.module(file)
    node = _find(module, line, name)
    _check_shape(node)
    _check_decorators(project, file, node)
    split = _docstring_end(node)
    index = module.tree.body.index(node)
    _check_rebound(project, file, index, node.name)
    head = preamble(slice_of(project, file, index))
    lines = module.text.split("\n")
    start, end = first_line(node), node.end_lineno or node.lineno
    prompt = head + "\n".join(lines[start - 1 : split]) + "\n"
    if len(prompt) > MAX_PROMPT:
        raise NotStandalone("too-large", f"{name} in {file} needs {len(prompt)} characters")
    return Standalone(
        prompt=prompt,
        solution="\n".join(lines[split:end]) + "\n",
        entry_point=node.name,
        start_line=start,
        end_line=end,
        parameters=_parameters(node.args),
        returns=None if node.returns is None else ast.unparse(node.returns),
    )


def _find(module: Module, line: int, name: str) -> ast.FunctionDef:
    """Return the top-level function that begins on `line`, or say why there is none."""
    pending: list[tuple[ast.AST, str]] = [(node, "") for node in module.tree.body]
    while pending:
        node, inside = pending.pop()
        if isinstance(node, ast.Lambda) and name == "<lambda>" and node.lineno == line:
            raise NotStandalone("lambda", f"line {line} is a lambda")
        if isinstance(node, _FUNCTIONS) and node.name == name and first_line(node) == line:
            if isinstance(node, ast.AsyncFunctionDef):
                raise NotStandalone("async", f"{name} is a coroutine function")
            if inside:
                raise NotStandalone(inside, f"{name} on line {line} is not at the top level")
            return node
        pending += [(child, _place(node, inside)) for child in ast.iter_child_nodes(node)]
    raise NotStandalone("not-found", f"no function {name} begins on line {line}")


def _place(node: ast.AST, outside: str) -> str:
    """Return the reason why a function directly inside `node` isn't taken."""
    if isinstance(node, ast.ClassDef):
        return "method"
    if isinstance(node, (*_FUNCTIONS, ast.Lambda)):
        return "nested"
    return outside or ("conditional" if isinstance(node, ast.stmt) else "")


def _check_shape(node: ast.FunctionDef) -> None:
    reason = ""
    if node.name.startswith("__") and node.name.endswith("__"):
        reason = "dunder"
    elif _yields(node):
        reason = "generator"
    elif not _parameters(node.args):
        reason = "no-parameters"
    if reason:
        raise NotStandalone(reason, f"{node.name} on line {node.lineno}")


def _yields(node: ast.AST) -> bool:
    """Tell whether calling the function makes a generator; inner functions don't count."""
    inner = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)
    return any(
        isinstance(child, ast.Yield | ast.YieldFrom)
        or (not isinstance(child, inner) and _yields(child))
        for child in ast.iter_child_nodes(node)
    )


def _check_decorators(project: Project, file: str, node: ast.FunctionDef) -> None:
    for decorator in node.decorator_list:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = ast.unparse(function)
        if _full_name(project, file, function) not in _HARMLESS:
            raise NotStandalone(f"decorated:{name}", f"{node.name} in {file} has @{name}")


def _full_name(project: Project, file: str, node: ast.expr) -> str:
    """Return ``functools.cache`` however the standard library's function was imported."""
    root = node.value if isinstance(node, ast.Attribute) else node
    if not isinstance(root, ast.Name):
        return ""
    module = project.module(file)
    for index in module.bindings.get(root.id, []):
        for item in imported(module.statements[index].node):
            source = origin(project, file, item)
            if bound_name(item.alias) == root.id and source.kind == "stdlib":
                is_module = isinstance(item.node, ast.Import)
                last = getattr(node, "attr", "") if is_module else item.alias.name
                return f"{source.name}.{last}"
    return ""


def _docstring_end(node: ast.FunctionDef) -> int:
    """Return the last line of the docstring, after which the solution begins."""
    if ast.get_docstring(node, clean=False) is None:
        raise NotStandalone("no-docstring", f"{node.name} on line {node.lineno}")
    if len(node.body) == 1:
        raise NotStandalone("no-body", f"{node.name} on line {node.lineno} is only a docstring")
    first, second = node.body[0], node.body[1]
    end = first.end_lineno or first.lineno
    if first.lineno == node.lineno or first_line(second) <= end:
        raise NotStandalone("one-line", f"{node.name} on line {node.lineno} shares its lines")
    return end


def _check_rebound(project: Project, file: str, index: int, name: str) -> None:
    """Raise if the module gives `name` another meaning, but for its typing overloads."""
    module = project.module(file)
    for other in module.bindings[name]:
        decorators: list[ast.expr] = getattr(module.statements[other].node, "decorator_list", [])
        names = {ast.unparse(decorator).rpartition(".")[2] for decorator in decorators}
        if other != index and "overload" not in names:
            start = module.statements[other].start
            raise NotStandalone("name-clash", f"{name} is bound again on line {start} of {file}")


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
