"""Names of classes and functions in a traced process: ``module:Qual.Name``.

A name is given where it leads back to that very object, from a module of the standard library or
of the project. No code of the program runs: what classes and modules say of themselves is read as
the interpreter has it.

This file stands alone and runs on Python 3.6 and later; `attach.py` lays it beside the recorder.
"""
# ruff: noqa: PTH100, PTH118, PTH120  (pathlib would cost start-up time)

import os
import sys
from types import FunctionType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Mapping, Optional, Tuple

_MODULE, _QUALNAME, _SPACE, _FLAGS = (
    type.__dict__["__%s__" % name].__get__ for name in ("module", "qualname", "dict", "flags")
)
_GLOBALS: "Any" = ModuleType.__dict__["__dict__"].__get__  # type: ignore[index]
_HEAP = 1 << 9  # of a class's flags: it was made by a program
_BUILTIN, _DESCRIPTORS = type(len), (type(str.lower), type(str.__len__))
_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_NOT_STANDARD = ("site-packages", "dist-packages")


class Names:
    """The names given so far; `is_project` tells whether a file is one of the project's."""

    def __init__(self, is_project: "Callable[[str], bool]") -> None:
        self.is_project = is_project
        self.known: "Dict[int, Tuple[Any, str]]" = {}

    def __call__(self, thing: "Any") -> "Optional[str]":
        """Return the name of a class or function, or None."""
        if id(thing) in self.known:
            return self.known[id(thing)][1]
        module, path = _claimed(thing)
        if type(module) is not str or type(path) is not str or "<" in path:
            return None
        for place in (module.lstrip("_"), module):  # operator.add says that it is of _operator
            if self._is_of_interest(place) and _found(place, path) is thing:
                name = "%s:%s" % (place, path)
                self.known[id(thing)] = (thing, name)  # alive, its id isn't given to another
                return name
        return None

    def _is_of_interest(self, module: str) -> bool:
        if module in sys.builtin_module_names:
            return True
        file = _globals(module).get("__file__")
        if module == "__main__" or type(file) is not str:
            return False
        standard = file.startswith(_LIBRARY) and not any(part in file for part in _NOT_STANDARD)
        return standard or self.is_project(file)


def _claimed(thing: "Any") -> "Tuple[Any, Any]":
    """Return the module and the qualified name that a class or function says it has."""
    kind = type(thing)
    if kind is FunctionType:
        return thing.__module__, thing.__qualname__
    if kind in _DESCRIPTORS and not _FLAGS(thing.__objclass__) & _HEAP:
        owner = thing.__objclass__
        return _MODULE(owner), "%s.%s" % (_QUALNAME(owner), thing.__name__)
    if kind is _BUILTIN:
        of_module = type(thing.__self__) is ModuleType
        return (thing.__module__, thing.__name__) if of_module else (None, None)
    return (_MODULE(thing), _QUALNAME(thing)) if issubclass(kind, type) else (None, None)


def _found(module: str, path: str) -> object:
    """Return what a path leads to, through modules and classes only."""
    space: "Mapping[str, Any]" = _globals(module)
    found: "Any" = None
    for part in path.split("."):
        found = space.get(part)
        if type(found) in (staticmethod, classmethod):
            found = found.__func__
        space = _SPACE(found) if issubclass(type(found), type) else {}
    return found


def _globals(module: str) -> "Dict[str, Any]":
    loaded = sys.modules.get(module)
    return _GLOBALS(loaded) if issubclass(type(loaded), ModuleType) else {}
