"""Signatures of the functions that sites ask for, as Python source.

They are read from LeetCode's ``metaData``, a JSON text with the site's own names of types, or from
Python: a starting point such as ``class Solution: def f(self, n: int) -> int:`` without a body, its
older form with the types in a docstring (``:type n: int``), or a whole solution.
"""

import ast
import json
import re
import warnings
from typing import Any

from thresher.crawlers.statement import Parameter, Signature
from thresher.errors import SourceError

MAX_CODE = 500_000  # characters

_TYPES = {
    **dict.fromkeys(("integer", "long", "int", "Integer", "Long"), "int"),
    **dict.fromkeys(("double", "float", "Double", "Float"), "float"),
    **dict.fromkeys(("string", "character", "char", "String", "Character"), "str"),
    **dict.fromkeys(("boolean", "bool", "Boolean"), "bool"),
    "void": "None",
    "ListNode": "Optional[ListNode]",
    "TreeNode": "Optional[TreeNode]",
}
_LIST = re.compile(r"(?:list|List|vector)<(.*)>", re.S)
_EMPTY = re.compile(r"^([ \t]*)((?:async )?(?:def|class)\b.*:)[ \t]*$(?!\s*(?:\"\"\"|'''))", re.M)
_NOTHING = re.compile(r"(?:void|None)\b.*", re.S)  # "void Do not return anything, modify …"
_DOCUMENTED = re.compile(r":(?:type[ \t]+(\w+)|(rtype)):[ \t]*(.*)")


def parts(annotation: str) -> tuple[str, str]:
    """Return the outer name of an annotation and what stands in its brackets, if anything.

    ``X | None`` is an ``Optional``.
    """
    annotation = annotation.strip()
    if annotation.endswith("| None"):
        return "Optional", annotation.removesuffix("| None")
    outer, _, inner = annotation.removesuffix("]").partition("[")
    return outer.rpartition(".")[2], inner


def python_type(name: str) -> str:
    """Return the annotation for a type as LeetCode names it: ``list<integer[]>``.

    A name that isn't known stays as it is.
    """
    name = name.strip()
    if name.endswith("[]"):
        return f"List[{python_type(name[:-2])}]"
    if match := _LIST.fullmatch(name):
        return f"List[{python_type(match[1])}]"
    return _TYPES.get(name, name)


def from_metadata(text: str) -> Signature | None:
    """Return the signature that a ``metaData`` text describes, or None where it describes none."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    if isinstance(found.get("classname"), str):
        constructor = found.get("constructor")
        first = {**(constructor if isinstance(constructor, dict) else {}), "name": "__init__"}
        rest = found.get("methods")
        methods = [_described(each) for each in [first, *(rest if isinstance(rest, list) else [])]]
        if any(method is None for method in methods):
            return None
        return Signature(found["classname"], methods=tuple(filter(None, methods)))
    return _described(found)


def _described(found: Any) -> Signature | None:
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return None
    parameters, result = found.get("params") or [], found.get("return")
    if not isinstance(parameters, list) or not all(map(_is_typed, parameters)):
        return None
    returns = result.get("type") if isinstance(result, dict) else ""
    return Signature(
        found["name"],
        tuple(Parameter(each["name"], python_type(each["type"])) for each in parameters),
        python_type(returns) if isinstance(returns, str) else "",
    )


def _is_typed(parameter: Any) -> bool:
    return isinstance(parameter, dict) and all(
        isinstance(parameter.get(key), str) for key in ("name", "type")
    )


def from_python(code: str, name: str = "") -> Signature:
    """Return the signature that Python source asks for or has.

    Args:
        code: a class ``Solution`` with a method, a class to be designed, or a function.
        name: of the method, class or function; the first public one where it isn't given.

    Raises:
        SourceError: ``no-signature``.
    """
    tree = _parsed(code)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    owner = classes.get(name) or classes.get("Solution")
    if owner is None and not _methods(tree) and classes:
        owner = list(classes.values())[-1]
    methods = _methods(owner or tree)
    if owner is not None and (owner.name != "Solution" or _has_constructor(methods)):
        return Signature(owner.name, methods=tuple(_signature(each) for each in methods))
    public = [node for node in methods if not node.name.startswith("_")]
    function = next((node for node in public if not name or node.name == name), None)
    if function is None:
        raise SourceError("no-signature", f"The Python code has no function {name}; add its name.")
    return _signature(function)


def filled(written: Signature, stated: Signature | None) -> Signature:
    """Return a signature with the types that it lacks from another one of the same function."""
    if stated is None:
        return written
    types = {parameter.name: parameter.annotation for parameter in stated.parameters}
    methods = {method.name: method for method in stated.methods}
    return Signature(
        written.name,
        tuple(
            Parameter(p.name, p.annotation or types.get(p.name, ""), p.default)
            for p in written.parameters
        ),
        written.returns or stated.returns,
        tuple(filled(method, methods.get(method.name)) for method in written.methods),
    )


def node_flags(signature: Signature | None) -> frozenset[str]:
    """Return the flags, as in `Statement`, for nodes among the parameters and results."""
    every = [signature, *signature.methods] if signature else []
    types = [each.returns for each in every]
    types += [parameter.annotation for each in every for parameter in each.parameters]
    flags = {"ListNode": "linked_list", "TreeNode": "tree"}
    return frozenset(flag for name, flag in flags.items() if name in " ".join(types))


def syntax(source: str) -> ast.Module:
    """Parse a stranger's Python source, without the warnings that it may be worth.

    Raises:
        ValueError: it is not Python, nested too deeply, or larger than `MAX_CODE` characters.
    """
    if len(source) > MAX_CODE:
        raise ValueError(f"over {MAX_CODE} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"not Python 3: {error}") from None


def _parsed(code: str) -> ast.Module:
    """Parse Python source in which functions and classes may lack their bodies."""
    code = code.replace("\r\n", "\n").replace("\t", "    ")
    for source in (code, _EMPTY.sub(r"\1\2\n\1    pass", code)):
        try:
            return syntax(source)
        except ValueError:
            continue
    raise SourceError("no-signature", "The code that came with the statement is not Python 3.")


def _has_constructor(methods: list[ast.FunctionDef]) -> bool:
    return any(method.name == "__init__" for method in methods)


def _methods(owner: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in getattr(owner, "body", []) if isinstance(node, ast.FunctionDef)]


def _signature(function: ast.FunctionDef) -> Signature:
    documented = {
        name or rtype: python_type(_NOTHING.sub("None", kind.strip()))
        for name, rtype, kind in _DOCUMENTED.findall(ast.get_docstring(function) or "")
    }
    given = function.args
    named = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(named) - len(given.defaults)) + list(map(ast.unparse, given.defaults))
    return Signature(
        function.name,
        tuple(
            Parameter(a.arg, _source(a.annotation) or documented.get(a.arg, ""), default or "")
            for a, default in zip(named, defaults, strict=True)
            if a.arg != "self"
        ),
        _source(function.returns) or documented.get("rtype", ""),
    )


def _source(annotation: ast.expr | None) -> str:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value  # in quotes, because the class comes later
    return "" if annotation is None else ast.unparse(annotation)
