"""Names of classes and functions inside a cell: found by name, and named by what they are.

A name is ``Outer.Inner`` for what the program defines and ``module:Outer.Inner`` for what the
standard library has. An object's own word for its name is only where the search begins: it has the
name under which it itself is found, and no code of the program runs to find it.

Standard library only: this file runs inside the wall.
"""

import functools
import importlib
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any

_dict_of = type.__dict__["__dict__"].__get__
_MODULE, _QUALNAME = (type.__dict__[name].__get__ for name in ("__module__", "__qualname__"))
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType)
METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType)  # of built-in classes


class Names:
    """The names of one program.

    Args:
        space: its namespace, as it was when the program had loaded.
    """

    def __init__(self, space: Mapping[str, Any]) -> None:
        self._space = space

    def find(self, name: str) -> Any:
        """Return the class or function of a name; LookupError, ImportError or AttributeError."""
        module, _, path = name.rpartition(":")
        first, *rest = path.split(".")
        found = getattr(importlib.import_module(module), first) if module else self._space[first]
        return functools.reduce(getattr, rest, found)

    def name(self, obj: object) -> str | None:
        """Return the name of a class or function, None for one that can't be found by any."""
        return _standard(obj) or self._own.get(id(obj))

    def exception(self, kind: type) -> str:
        """Return the name of an exception's class; a built-in's is plain where that is unique.

        What can't be found is called ``module.Class`` as it claims, which is no name of any.
        """
        name = self.name(kind)
        if name is None:
            return ".".join(part if type(part) is str else "?" for part in _said(kind))
        plain = name.removeprefix("builtins:")
        return plain if ":" not in plain and self._space.get(plain, kind) is kind else name

    @functools.cached_property
    def _own(self) -> dict[int, str]:
        """Names by identity; the name that a class or function was defined by comes first."""
        found: dict[int, str] = {}
        for path, obj in _within(self._space, ""):
            if found.setdefault(id(obj), path) != path and path == _said(obj)[1]:
                found[id(obj)] = path
        return found


def _within(space: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in space.items():
        value = value.__func__ if type(value) is staticmethod else value
        if type(key) is not str or not (isinstance(value, type) or type(value) in FUNCTIONS):
            continue
        yield prefix + key, value
        if isinstance(value, type) and _said(value)[1] == prefix + key:
            yield from _within(_dict_of(value), f"{prefix}{key}.")


def _said(obj: Any) -> tuple[Any, Any]:
    """Return the module and qualified name that a class or function claims to have."""
    if issubclass(type(obj), type):  # isinstance would ask the class of the class
        return _MODULE(obj), _QUALNAME(obj)
    if type(obj) in METHODS:
        return _MODULE(obj.__objclass__), obj.__qualname__
    return (obj.__module__, obj.__qualname__) if type(obj) in FUNCTIONS else (None, None)


def _standard(obj: object) -> str | None:
    """Return the name of what the standard library has under the name that it claims."""
    module, path = _said(obj)
    if type(module) is not str or type(path) is not str:
        return None
    for place in (module.lstrip("_"), module):  # operator.add says that it is of _operator
        if _found(place, path) is obj:
            return f"{place}:{path}"
    return None


def _found(module: str, path: str) -> object:
    """Return what a path leads to in the standard library, through modules and classes only."""
    is_standard = module.partition(".")[0] in sys.stdlib_module_names
    found: Any = sys.modules.get(module) if is_standard else None
    for part in path.split("."):
        if type(found) is types.ModuleType:
            found = found.__dict__.get(part)
        else:
            found = _dict_of(found).get(part) if issubclass(type(found), type) else None
    return found.__func__ if type(found) is staticmethod else found
