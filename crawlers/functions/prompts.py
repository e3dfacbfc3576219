"""Prompts of functions and classes: imports, node classes, signature, statement and examples.

The prompt of a class has a function above it that makes an instance and calls its methods, so that
the program still ends with the solution.
"""

import ast
import re
import textwrap
from collections.abc import Sequence

from thresher.crawlers.functions import nodes
from thresher.crawlers.functions.signatures import syntax
from thresher.crawlers.statement import Call, Parameter, Signature, Statement
from thresher.errors import SourceError

DRIVER = "operate"
_DRIVER = '''\
def {driver}(ops: List[str], params: List[list]) -> list:
    """Make a {name} with params[0], then call the method ops[i] with params[i] for each further i.

    Returns what each call gives, first None for the constructor.
    """
    made = {name}(*params[0])
    return [None] + [getattr(made, op)(*given) for op, given in zip(ops[1:], params[1:])]
'''
_TYPING = {
    *("Any", "Callable", "Deque", "Dict", "FrozenSet", "Generator", "Iterable", "Iterator"),
    *("List", "Mapping", "Optional", "Sequence", "Set", "Tuple", "Union"),
}
_BUILT_IN = {
    *("bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object"),
    *("set", "str", "tuple"),
}

_IN_ANNOTATIONS = (
    *(ast.Module, ast.Expr, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.Load),
    *(ast.BinOp, ast.BitOr),
)


def prompt(statement: Statement, signature: Signature, imports: Sequence[str]) -> str:
    """Return the prompt that a body completes.

    Args:
        statement: its text and calls are shown.
        signature: of the function or class, complete.
        imports: lines that the solution needs.

    Raises:
        SourceError: ``unsupported-type``.
    """
    names = defined(signature)
    typing = [name for name in names if name in _TYPING]
    lines = _together([*imports, *(f"from typing import {name}" for name in typing)])
    blocks = ["".join(f"{line}\n" for line in lines)] if lines else []
    blocks += [nodes.CLASSES[name] for name in names if name in nodes.CLASSES]
    if signature.methods:
        blocks.append(_DRIVER.format(driver=DRIVER, name=signature.name))
        blocks.append(f"class {signature.name}:\n{_docstring(statement, signature)}\n")
    else:
        blocks.append(f"{_header(signature)}\n{_docstring(statement, signature)}")
    return "\n\n".join(blocks)


def _together(lines: Sequence[str]) -> list[str]:
    """Return sorted imports, one line for all that is taken from a module."""
    taken: dict[str, set[str]] = {}
    for line in lines:
        before, _, name = line.partition(" import ")
        taken.setdefault(before, set()).add(name)
    whole = (f"{k} import {', '.join(sorted(v))}" if all(v) else k for k, v in taken.items())
    return sorted(whole, key=lambda line: (line.startswith("from"), line))


def defined(signature: Signature) -> list[str]:
    """Return the names in annotations that a prompt defines or imports.

    Raises:
        SourceError: ``unsupported-type``.
    """
    found = {"List"} if signature.methods else set()
    for annotation in _annotations(signature):
        found |= _names(annotation)
    if unknown := found - {*_TYPING, *_BUILT_IN, *nodes.CLASSES}:
        raise _unsupported(", ".join(sorted(unknown)))
    return sorted(found - _BUILT_IN)


def _annotations(signature: Signature) -> list[str]:
    every = [signature, *signature.methods]
    found = [each.returns for each in every]
    found += [parameter.annotation for each in every for parameter in each.parameters]
    return list(filter(None, found))


def _names(annotation: str) -> set[str]:
    """Return the names in an annotation, which may hold nothing that runs."""
    found = set()
    try:
        tree = syntax(f"({annotation})")
    except ValueError:
        raise _unsupported(annotation) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)  # a class that comes later
        elif not isinstance(node, _IN_ANNOTATIONS):
            raise _unsupported(annotation)
    return found


def _unsupported(name: str) -> SourceError:
    return SourceError(
        "unsupported-type", f"Values of the type {name[:80]} can't be made from text."
    )


def _header(signature: Signature, first: str = "") -> str:
    given = list(map(_written, signature.parameters))
    returns = f" -> {signature.returns}" if signature.returns else ""
    return f"def {signature.name}({', '.join([first] * bool(first) + given)}){returns}:"


def _written(parameter: Parameter) -> str:
    name, annotation, default = parameter.name, parameter.annotation, parameter.default
    if not annotation:
        return f"{name}={default}" if default else name
    return f"{name}: {annotation} = {default}" if default else f"{name}: {annotation}"


def _docstring(statement: Statement, signature: Signature) -> str:
    """Return the statement and its examples as a docstring, indented."""
    parts = [statement.text.strip()]
    if signature.methods and any(each.parameters for each in signature.methods):
        parts.append(
            "Methods:\n" + "\n".join(f"    {_header(m, 'self')}" for m in signature.methods)
        )
    for number, call in enumerate(statement.calls, 1):
        parts.append(f"Example {number}:\n{textwrap.indent(_example(call, signature), '    ')}")
    text = re.sub(r"[^\S\n]+$", "", "\n\n".join(filter(None, parts)), flags=re.M)
    text = text.encode("utf-8", "replace").decode().replace("\r", "").replace("\0", "")
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return textwrap.indent(f'"""{text}\n"""\n', "    ")


def _example(call: Call, signature: Signature) -> str:
    given = ", ".join(f"{name} = {value!r}" for name, value in call.args.items())
    if call.raises:
        return f"Input: {given}\nRaises: {call.raises}"
    place = "" if signature.returns != "None" else f"{next(iter(call.args), '')} = "
    return f"Input: {given}\nOutput: {place}{call.out!r}"
