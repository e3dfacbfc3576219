"""Known solutions as completions of a prompt: the class around a method dropped, imports added.

A completion of a function is its body; the methods that it calls stand in it as functions, and
what stood beside the class follows it. A completion of a class is its body. Text is cut and moved,
not written anew, so that comments stay.
"""

import ast
import builtins
import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thresher.crawlers.signatures import syntax
from thresher.errors import SourceError

# What LeetCode has imported for every solution; of names that several have, the first counts.
MODULES = (
    *("typing", "collections", "heapq", "bisect", "functools", "itertools", "math", "string"),
    *("operator", "random", "re", "datetime", "copy", "sys", "json", "time", "os", "statistics"),
)
_FUNCTION = ast.FunctionDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Completion(NamedTuple):
    """What completes a prompt, and lines that import what it needs and that can't stand in it."""

    text: str
    imports: tuple[str, ...] = ()


class _Edit(NamedTuple):
    """Bytes of a source to replace."""

    start: int
    end: int
    new: bytes = b""


def of_function(
    code: str, name: str, parameters: Sequence[str], known: Iterable[str]
) -> Completion:
    """Return the body that completes a prompt which ends with a function's docstring.

    Args:
        code: a class ``Solution`` with the method `name`, or a function of that name.
        name: of the function.
        parameters: their names in the prompt.
        known: the names that the prompt defines or imports.

    Raises:
        SourceError: ``solution-not-a-function``, ``solution-needs-library``.
    """
    code = _plain(code)
    owner = _find(_parsed(code), ast.ClassDef, "Solution")
    if owner is not None:
        code = _without_self(code, owner)
    tree = _parsed(code)
    owner = _find(tree, ast.ClassDef, "Solution")
    members = [each for each in (owner or tree).body if isinstance(each, _FUNCTION)]
    function = next((each for each in members if each.name == name), None)
    if function is None or function.decorator_list:
        raise _refused(f"it has no function {name} without decorators")
    helpers = [each for each in members if each is not function] if owner else []
    beside = _beside(tree, owner or function, known)
    needed = _imports(tree, [function.args, *function.body, *helpers, *beside], known)
    lines = code.split("\n")
    first = [*_indented([] if beside else needed), *_renamed(function, parameters)]
    nested = [_cut(lines, tree, each, 4) for each in helpers]
    body = _body(lines, tree, function)
    tail = _tail(lines, tree, beside, needed)
    return Completion("".join(f"{part}\n" for part in [*first, *nested]) + body + tail)


def of_class(code: str, name: str, known: Iterable[str]) -> Completion:
    """Return the body that completes a prompt which ends with a class's docstring.

    Args:
        code: the class, and whatever it needs.
        name: of the class.
        known: the names that the prompt defines or imports.

    Raises:
        SourceError: ``solution-not-a-function``, ``solution-needs-library``.
    """
    code = _plain(code)
    tree = _parsed(code)
    owner = _find(tree, ast.ClassDef, name)
    if owner is None or owner.decorator_list or any(map(_is_real_base, owner.bases)):
        raise _refused(f"it has no class {name} that stands on its own")
    later = set(_bound(_beside(tree, owner, known)))
    tree = _parsed(code := _edited(code, _quoted(code, owner, later)))
    owner = _find(tree, ast.ClassDef, name)
    if owner is None or later & set(_used(_at_once(owner))):
        raise _refused(f"its class {name} needs what comes after it")
    beside = _beside(tree, owner, known)
    lines = code.split("\n")
    imports = _imports(tree, [*owner.body, *beside], known)
    return Completion(_body(lines, tree, owner) + _tail(lines, tree, beside, []), tuple(imports))


def _refused(why: str) -> SourceError:
    return SourceError(
        "solution-not-a-function", f"The solution can't complete the prompt: {why}; give another."
    )


def _plain(code: str) -> str:
    return code.replace("\r\n", "\n").replace("\t", "    ").replace("\f", "")


def _parsed(code: str) -> ast.Module:
    try:
        return syntax(code)
    except ValueError:
        raise _refused("it is not Python 3") from None


def _find(tree: ast.Module, kind: type[ast.ClassDef], name: str) -> ast.ClassDef | None:
    return next((e for e in tree.body if isinstance(e, kind) and e.name == name), None)


def _is_real_base(base: ast.expr) -> bool:
    return not (isinstance(base, ast.Name) and base.id == "object")


def _without_self(code: str, owner: ast.ClassDef) -> str:
    """Make a class's methods functions in the text: without the first parameter.

    Raises:
        SourceError: an instance holds anything but these methods, or their names mean more.
    """
    methods = [each for each in owner.body if isinstance(each, _FUNCTION)]
    others = [each for each in owner.body if each not in methods and not _is_text(each)]
    firsts = [each.args.args[0] for each in methods if each.args.args]
    if others or len(firsts) < len(methods) or {first.arg for first in firsts} != {"self"}:
        raise _refused("its class has more than methods with self")
    names = {each.name for each in methods}
    inside = [each for method in methods for each in ast.walk(method)]
    used = [each for each in inside if isinstance(each, ast.Attribute) and _is_self(each.value)]
    if any(each.attr not in names for each in used):
        raise _refused("its instance keeps a state")
    if len(used) < sum(map(_is_self, inside)) or "Solution" in _used(methods):
        raise _refused("it hands its instance on")
    called = {each.attr for each in used} | (names if len(names) > 1 else set())
    if called & {*_used(methods), *_bound(each for one in methods for each in one.body)}:
        raise _refused("the name of a method also means something else in it")
    starts = _starts(code)
    edits = []
    for first in firsts:
        start = starts[first.lineno - 1] + first.col_offset
        after = code.encode()[start:]
        rest = after.removeprefix(b"self").lstrip(b" ").removeprefix(b",").lstrip(b" ")
        edits.append(_Edit(start, start + len(after) - len(rest)))
    for each in used:
        end = starts[(each.end_lineno or 0) - 1] + (each.end_col_offset or 0) - len(each.attr)
        edits.append(_Edit(starts[each.value.lineno - 1] + each.value.col_offset, end))
    return _edited(code, edits)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _quoted(code: str, owner: ast.ClassDef, later: set[str]) -> list[_Edit]:
    """Put annotations in quotes that name what is defined later."""
    starts = _starts(code)
    edits = []
    for annotation in _annotations(owner):
        if later & set(_used([annotation])):
            start = starts[annotation.lineno - 1] + annotation.col_offset
            end = starts[(annotation.end_lineno or 0) - 1] + (annotation.end_col_offset or 0)
            edits.append(_Edit(start, end, repr(ast.unparse(annotation)).encode()))
    return edits


def _annotations(owner: ast.ClassDef) -> Iterator[ast.expr]:
    for each in owner.body:
        if isinstance(each, _FUNCTION):
            found = [argument.annotation for argument in _arguments(each.args)]
            yield from filter(None, [*found, each.returns])


def _at_once(owner: ast.ClassDef) -> Iterator[ast.AST]:
    """Yield what runs when a class is defined."""
    for each in owner.body:
        if isinstance(each, _FUNCTION):
            yield from each.decorator_list
            yield each.args
            yield from filter(None, [each.returns])
        else:
            yield each


def _starts(code: str) -> list[int]:
    starts = [0]
    for line in code.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _edited(code: str, edits: Iterable[_Edit]) -> str:
    source = code.encode()
    for edit in sorted(edits, reverse=True):
        source = source[: edit.start] + edit.new + source[edit.end :]
    return source.decode()


def _beside(tree: ast.Module, owner: ast.AST, known: Iterable[str]) -> list[ast.stmt]:
    """Return the statements of a module that its solution may need, but for imports."""
    names = set(known)
    return [
        each
        for each in tree.body
        if each is not owner
        and not isinstance(each, ast.Import | ast.ImportFrom)
        and not _is_text(each)
        and not (isinstance(each, ast.ClassDef) and each.name in names)
    ]


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    more = [arguments.vararg, arguments.kwarg]
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [*named, *(each for each in more if each is not None)]


def _bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
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


def _used(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every name that the nodes read."""
    for each in (inner for node in nodes for inner in ast.walk(node)):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            yield each.id


def _imports(tree: ast.Module, kept: Sequence[ast.AST], known: Iterable[str]) -> list[str]:
    """Return sorted lines that import what the kept code needs.

    Raises:
        SourceError: it needs a library, or a name that is nowhere.
    """
    used = set(_used(kept)) - set(known)
    written: dict[str, str] = {}
    for each in tree.body:
        if isinstance(each, ast.Import | ast.ImportFrom):
            written |= {name: line for name, line in _lines(each) if name in used}
    if "" in written.values():
        raise _needing(sorted(name for name in written if not written[name]))
    missing = used - written.keys() - set(_bound(kept)) - set(dir(builtins))
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
        if name in dir(importlib.import_module(module)) and not name.startswith("_"):
            return f"from {module} import {name}"
    if name.startswith("Sorted"):
        raise _needing([name])  # of sortedcontainers, which LeetCode has
    raise _refused(f"nothing defines {name}")


def _needing(names: Sequence[str]) -> SourceError:
    shown = ", ".join(names)
    return SourceError("solution-needs-library", f"The solution needs a library for {shown}.")


def _indented(lines: Sequence[str]) -> list[str]:
    return [*(f"    {line}" for line in lines), ""] if lines else []


def _renamed(function: ast.FunctionDef, parameters: Sequence[str]) -> list[str]:
    """Return the line that gives the parameters the names that the solution has for them."""
    own = [argument.arg for argument in _arguments(function.args)]
    if len(own) != len(parameters):
        raise _refused(f"its function {function.name} has other parameters")
    other = [(a, b) for a, b in zip(own, parameters, strict=True) if a != b]
    if not other:
        return []
    left, right = (", ".join(names) for names in zip(*other, strict=True))
    return [f"    {left} = {right}"]


def _body(lines: list[str], tree: ast.Module, owner: ast.FunctionDef | ast.ClassDef) -> str:
    """Return the body of a function or class without its docstring, indented by four blanks."""
    body = owner.body[1:] if _is_text(owner.body[0]) else owner.body
    if not body:
        return "    pass\n"
    if body[0].lineno == owner.lineno:  # all on one line
        return "".join(f"    {ast.unparse(each)}\n" for each in body)
    start = _first_line(body[0]) - 1
    floor = owner.body[0].end_lineno or 0 if len(body) < len(owner.body) else owner.lineno
    while start > floor and lines[start - 1].lstrip()[:1] in ("", "#"):
        start -= 1
    shown = _moved(lines, tree, start, body[-1].end_lineno or 0, 4 - body[0].col_offset)
    return shown.lstrip("\n")


def _cut(lines: list[str], tree: ast.Module, node: ast.stmt, column: int) -> str:
    start = _first_line(node) - 1
    return _moved(lines, tree, start, node.end_lineno or 0, column - node.col_offset)


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _moved(lines: list[str], tree: ast.Module, start: int, end: int, shift: int) -> str:
    """Return lines moved to the right, or left, but for those that are inside a text."""
    fixed = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }
    moved = []
    for number, line in enumerate(lines[start:end], start + 1):
        if number not in fixed and line.strip():
            kept = line.lstrip(" ")
            line = " " * max(len(line) - len(kept) + shift, 0) + kept
        moved.append(line)
    return "\n".join(moved) + "\n"


def _tail(
    lines: list[str], tree: ast.Module, beside: Sequence[ast.stmt], imports: Sequence[str]
) -> str:
    """Return what follows a function or class: the imports first."""
    if not beside:
        return ""
    blocks = ["\n".join(imports) + "\n"] if imports else []
    before: ast.stmt | None = None
    for each in beside:
        block = _cut(lines, tree, each, 0)
        if before is not None and not isinstance(each, _SCOPES) and not isinstance(before, _SCOPES):
            blocks[-1] += block
        else:
            blocks.append(block)
        before = each
    return "".join(f"\n\n{block}" for block in blocks)
