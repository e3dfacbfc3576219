"""Writes the program whose only function does what a function of the standard library does."""

import ast
import builtins
import importlib
import inspect
import keyword
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from thresher.tracer.extraction.modules import NotStandalone
from thresher.tracer.extraction.standalone import Parameter, Standalone
from thresher.tracer.recording import pure

TAG = "built-in"
MAX_DOCUMENTATION = 2_000  # characters
# What a method's own object is called, by its class.
OBJECTS = {
    "bytes": "data",
    "bytearray": "data",
    "complex": "number",
    "dict": "mapping",
    "float": "number",
    "frozenset": "members",
    "int": "number",
    "list": "items",
    "set": "members",
    "str": "text",
    "tuple": "items",
}
Kind = inspect.Parameter
ARGUMENTS = Kind("arguments", Kind.VAR_POSITIONAL)
OPTIONS = Kind("options", Kind.VAR_KEYWORD)
FORMS = {"VAR_POSITIONAL": "*{0}", "VAR_KEYWORD": "**{0}", "KEYWORD_ONLY": "{0}={0}"}


class _Callee(NamedTuple):
    """A function: where it is found, and the class whose objects it is a method of."""

    module: str
    path: str
    function: Any
    owner: type | None

    @property
    def place(self) -> str:
        """Its name as code writes it."""
        return self.path if self.module == "builtins" else f"{self.module}.{self.path}"


def program_of(name: str, has_keywords: bool) -> Standalone:
    """Write the program for a function, with Python's own documentation as its docstring.

    Args:
        name: the function, as ``math:gcd`` or ``builtins:str.split``.
        has_keywords: whether some calls have keyword arguments; it matters where the function
            doesn't tell its parameters.

    Raises:
        NotStandalone: it is none of `thresher.tracer.recording.pure`, or has no documentation.
    """
    callee = _find(name)
    parameters = _parameters(callee, has_keywords)
    entry_point = _entry_point(callee)
    head = "" if callee.module == "builtins" else f"import {callee.module}\n\n\n"
    signature = inspect.Signature(parameters)
    return Standalone(
        prompt=f'{head}def {entry_point}{signature}:\n    """{_docstring(callee)}\n    """\n',
        solution=f"    return {_call(callee, parameters)}\n",
        entry_point=entry_point,
        start_line=1,
        end_line=1,
        parameters=tuple(
            Parameter(each.name, each.kind.name, each.default is not Kind.empty)
            for each in parameters
        ),
        returns=None,
        tags=(TAG,),
    )


def _find(name: str) -> _Callee:
    module, _, path = name.partition(":")
    if module in pure.PURE:
        importlib.import_module(module)
    function = pure.find(name)
    if function is None:
        raise NotStandalone("unknown-callee", f"{name} is no function that is recorded")
    if not function.__doc__:
        raise NotStandalone("undocumented", f"{name} has no documentation")
    owner = pure.find(name.rpartition(".")[0]) if "." in path else None
    return _Callee(module, path, function, None if _is_bound(function) else owner)


def _is_bound(function: Any) -> bool:
    """Tell whether a function found in a class takes no object of it, as ``dict.fromkeys``."""
    return isinstance(getattr(function, "__self__", None), type)


def _entry_point(callee: _Callee) -> str:
    name = callee.path.rpartition(".")[2].lower()
    is_taken = hasattr(builtins, name) or keyword.iskeyword(name)
    return f"{name}_" if is_taken or name == callee.module.partition(".")[0] else name


def _parameters(callee: _Callee, has_keywords: bool) -> list[Kind]:
    own = _own(callee)
    try:
        found = list(inspect.signature(callee.function).parameters.values())
    except (TypeError, ValueError):
        return [*own, ARGUMENTS, *([OPTIONS] if has_keywords else [])]
    told = [
        each.replace(annotation=Kind.empty)
        for each in found[len(own) :]
        if not each.name.startswith("_")
    ]
    names = [each.name for each in [*own, *told]]
    is_plain = len(set(names)) == len(names) and callee.module.partition(".")[0] not in names
    if is_plain and all(map(_is_literal, told)):
        return [*own, *told]
    return [*own, ARGUMENTS, *([OPTIONS] if has_keywords else [])]


def _own(callee: _Callee) -> list[Kind]:
    """Return the parameter for the object that a method is called on."""
    if callee.owner is None:
        return []
    kind = callee.owner.__name__
    name = OBJECTS.get(kind, kind.lower())
    name = "value" if name == callee.module else name
    return [Kind(name, Kind.POSITIONAL_ONLY, annotation=callee.owner)]


def _is_literal(parameter: Kind) -> bool:
    if parameter.default is Kind.empty:
        return True
    try:
        return bool(ast.literal_eval(repr(parameter.default)) == parameter.default)
    except (SyntaxError, ValueError):
        return False


def _docstring(callee: _Callee) -> str:
    documentation = inspect.cleandoc(callee.function.__doc__).replace("\\", "\\\\")
    text = "\n\n".join(_within(documentation.replace('"""', '\\"""').split("\n\n")))
    said = f"Do what Python's {callee.place} does. Its documentation:\n\n{text}"
    return textwrap.indent(said, "    ").lstrip()


def _within(paragraphs: Sequence[str]) -> Iterator[str]:
    """Yield as many paragraphs as there is room for, at least the first."""
    room = MAX_DOCUMENTATION
    for number, paragraph in enumerate(paragraphs):
        room -= len(paragraph)
        if number and room < 0:
            return
        yield paragraph


def _call(callee: _Callee, parameters: Sequence[Kind]) -> str:
    function = callee.place
    if callee.owner is not None:
        own, *parameters = parameters
        function = f"{own.name}.{callee.path.rpartition('.')[2]}"
    arguments = (FORMS.get(each.kind.name, "{0}").format(each.name) for each in parameters)
    return f"{function}({', '.join(arguments)})"
