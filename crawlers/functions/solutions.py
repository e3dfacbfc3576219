"""Known solutions as completions of a prompt: the class around a method dropped, imports apart.

A completion of a function is its body; the methods that it calls stand in it as functions, and
what stood beside the class follows it. A completion of a class is its body. What they import
belongs at the top of the prompt. Text is cut and moved, not written anew, so that comments stay.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thresher.crawlers.functions import cutting, names
from thresher.crawlers.functions.cutting import Edit, Source

_FUNCTION = ast.FunctionDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Completion(NamedTuple):
    """What completes a prompt, and lines for the prompt that import what it needs."""

    text: str
    imports: tuple[str, ...] = ()


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
    source = _read(code)
    if owner := _class(source, "Solution"):
        source = _without_self(source, owner)
    owner = _class(source, "Solution")
    members = [each for each in (owner or source.tree).body if isinstance(each, _FUNCTION)]
    function = next((each for each in members if each.name == name), None)
    if function is None or function.decorator_list:
        raise names.refused(f"it has no function {name} without decorators")
    helpers = [each for each in members if each is not function] if owner else []
    beside = _beside(source.tree, owner or function, known)
    kept = [function.args, *function.body, *helpers, *beside]
    needed = names.imports(source.tree, kept, known)
    first = [*_renamed(function, parameters)]
    first += [cutting.cut(source, each, 4) for each in helpers]
    text = "".join(f"{part}\n" for part in first) + cutting.body(source, function)
    return Completion(text + _tail(source, beside), tuple(needed))


def of_class(code: str, name: str, known: Iterable[str]) -> Completion:
    """Return the body that completes a prompt which ends with a class's docstring.

    Args:
        code: the class, and whatever it needs.
        name: of the class.
        known: the names that the prompt defines or imports.

    Raises:
        SourceError: ``solution-not-a-function``, ``solution-needs-library``.
    """
    source = _read(code)
    owner = _class(source, name)
    if owner is None or owner.decorator_list or any(map(_is_real_base, owner.bases)):
        raise names.refused(f"it has no class {name} that stands on its own")
    later = set(names.bound(_beside(source.tree, owner, known)))
    source = _edited(source, _quoted(source, owner, later))
    owner = _class(source, name)
    if owner is None or later & set(names.used(_at_once(owner))):
        raise names.refused(f"its class {name} needs what comes after it")
    beside = _beside(source.tree, owner, known)
    imports = names.imports(source.tree, [*owner.body, *beside], known)
    return Completion(cutting.body(source, owner) + _tail(source, beside), tuple(imports))


def _read(code: str) -> Source:
    try:
        return cutting.read(code.replace("\r\n", "\n").replace("\t", "    ").replace("\f", ""))
    except ValueError:
        raise names.refused("it is not Python 3") from None


def _edited(source: Source, edits: Sequence[Edit]) -> Source:
    try:
        return cutting.edited(source, edits)
    except ValueError:
        raise names.refused("it can't be rewritten") from None


def _class(source: Source, name: str) -> ast.ClassDef | None:
    classes = (each for each in source.tree.body if isinstance(each, ast.ClassDef))
    return next((each for each in classes if each.name == name), None)


def _is_real_base(base: ast.expr) -> bool:
    return not (isinstance(base, ast.Name) and base.id == "object")


def _without_self(source: Source, owner: ast.ClassDef) -> Source:
    """Make a class's methods functions in the text: without the first parameter.

    Raises:
        SourceError: an instance holds anything but these methods, or their names mean more.
    """
    methods = [each for each in owner.body if isinstance(each, _FUNCTION)]
    others = [each for each in owner.body if each not in methods and not cutting.is_text(each)]
    firsts = [each.args.args[0] for each in methods if each.args.args]
    if others or len(firsts) < len(methods) or {first.arg for first in firsts} != {"self"}:
        raise names.refused("its class has more than methods with self")
    inside = [each for method in methods for each in ast.walk(method)]
    through = [each for each in inside if isinstance(each, ast.Attribute) and _is_self(each.value)]
    _check_methods({each.name for each in methods}, methods, through)
    if len(through) < sum(map(_is_self, inside)):
        raise names.refused("it hands its instance on")
    code = source.code.encode()
    edits = [_first_parameter(code, *source.span(first)) for first in firsts]
    for each in through:
        start, end = source.span(each)
        if code[start:end].split(b".") != [b"self", each.attr.encode()]:
            raise names.refused("self stands in a text with formats")  # its place isn't known
        edits.append(Edit(start, end - len(each.attr.encode())))
    return _edited(source, edits)


def _check_methods(
    own: set[str], methods: list[ast.FunctionDef], through: list[ast.Attribute]
) -> None:
    """Raise SourceError where methods can't become functions of the same names."""
    called = {each.attr for each in through}
    if called - own:
        raise names.refused("its instance keeps a state")
    used = set(names.used(methods))
    if "Solution" in used:
        raise names.refused("it makes instances of its class")
    elsewhere = used.union(names.bound(each for method in methods for each in method.body))
    if (called if len(own) == 1 else own) & elsewhere:
        raise names.refused("the name of a method also means something else in it")


def _first_parameter(code: bytes, start: int, end: int) -> Edit:
    """Return the edit that removes a parameter, the comma behind it and blanks."""
    rest = code[end : end + 100]
    kept = rest.lstrip(b" ").removeprefix(b",").lstrip(b" ")
    return Edit(start, end + len(rest) - len(kept))


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _quoted(source: Source, owner: ast.ClassDef, later: set[str]) -> list[Edit]:
    """Put annotations in quotes that name what is defined later."""
    return [
        Edit(*source.span(annotation), repr(ast.unparse(annotation)).encode())
        for annotation in _annotations(owner)
        if later & set(names.used([annotation]))
    ]


def _annotations(owner: ast.ClassDef) -> Iterator[ast.expr]:
    for each in owner.body:
        if isinstance(each, _FUNCTION):
            found = [argument.annotation for argument in names.parameters(each.args)]
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


def _beside(tree: ast.Module, owner: ast.AST, known: Iterable[str]) -> list[ast.stmt]:
    """Return the statements of a module that its solution may need, but for imports."""
    own = set(known)
    return [
        each
        for each in tree.body
        if each is not owner
        and not isinstance(each, ast.Import | ast.ImportFrom)
        and not cutting.is_text(each)
        and not (isinstance(each, ast.ClassDef) and each.name in own)
    ]


def _renamed(function: ast.FunctionDef, parameters: Sequence[str]) -> list[str]:
    """Return the line that gives the parameters the names that the solution has for them."""
    own = [argument.arg for argument in names.parameters(function.args)]
    if len(own) != len(parameters):
        raise names.refused(f"its function {function.name} has other parameters")
    other = [(a, b) for a, b in zip(own, parameters, strict=True) if a != b]
    if not other:
        return []
    left, right = (", ".join(side) for side in zip(*other, strict=True))
    return [f"    {left} = {right}"]


def _tail(source: Source, beside: Sequence[ast.stmt]) -> str:
    """Return what follows a function or class."""
    blocks: list[str] = []
    apart = True
    for each in beside:
        block, was_apart = cutting.cut(source, each, 0), apart
        apart = isinstance(each, _SCOPES)
        if apart or was_apart:
            blocks.append(block)
        else:
            blocks[-1] += block
    return "".join(f"\n\n{block}" for block in blocks)
