"""Record the calls that a project's files make to built-in and library functions.

Profile functions see no arguments of functions written in C. So the project's files are compiled
with their call sites rewritten (see `callsites.py`), and what a call asks for is the function
itself or, where it is a pure one of the standard library (see `pure.py`), what records the call.

This file stands alone and runs on Python 3.6 and later. `attach.py` lays it beside the recorder,
which starts it instead of its own hook where the configuration says so. No ``.pyc`` file is read
or written for the files that it compiles.
"""
# ruff: noqa: UP006, UP031, UP035, UP037, UP045  (Python 3.6)

import builtins
import sys
from importlib.machinery import SourceFileLoader
from types import FunctionType, MethodType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from thresher.tracer.recording import calls, callsites, naming, pure, recorder
else:
    import thresher_calls as calls
    import thresher_callsites as callsites
    import thresher_naming as naming
    import thresher_pure as pure
    import thresher_recorder as recorder

MAX_KNOWN = 20000  # functions, which live on for it

_BUILTIN: "Any" = type(len)
_DESCRIPTOR: "Any" = type(str.lower)
_FLAGS: "Any" = type.__dict__["__flags__"].__get__
_MODULE: "Any" = type.__dict__["__module__"].__get__
_HEAP = 1 << 9  # of a class's flags: it may go away, and its id be given to another


def _any(*args, **kwargs):  # type: ignore[no-untyped-def]
    """Stand for all functions that are recorded: their arguments come in this form."""


class _Frame:
    """What a frame tells the recorder of a call, for functions that have none."""

    __slots__ = ("f_back", "f_locals")

    def __init__(self, args: "Tuple[Any, ...]", kwargs: "Dict[str, Any]", back: "FrameType"):
        self.f_locals, self.f_back = {"args": args, "kwargs": kwargs}, back


class Callee(calls.Function):
    """One built-in or library function, by its name: what became of its calls.

    Its lines are those of a function with the parameters ``*args`` and ``**kwargs``, whose place is
    where it was called.
    """

    def __init__(self, name: str, place: "Dict[str, Any]", callees: "Callees") -> None:
        self.name, self.place, self.callees = name, place, callees
        super().__init__(_any.__code__, callees)  # type: ignore[arg-type]

    def recording(self, function: "Any", first: "Tuple[Any, ...]") -> "Callable[..., Any]":
        """Return what calls `function` and records it; `first` is the object of a bound method."""

        def recorded(*args: "Any", **kwargs: "Any") -> "Any":
            frame: "Any" = _Frame(first + args, kwargs, sys._getframe(1))
            self.tell(self.enter, frame)
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                self.tell(self.ends, frame, error)
                raise
            self.tell(self.ends, frame, None, result)
            return result

        return recorded

    def tell(self, what: "Callable[..., None]", *news: "Any") -> None:
        """Let the recorder know; the program doesn't learn of what goes wrong there."""
        try:
            what(*news)
        except RecursionError:
            raise  # the program's own, a few calls early
        except Exception:
            self.callees.spool.errors += 1

    def ends(self, frame: "Any", error: "Any", result: object = None) -> None:
        """Make an example of a call that ended, in the place where it was made."""
        if id(frame) not in self.open:
            return
        line = dict(self._line("call"), **self.callees.place(frame.f_back))
        self.head = calls.dumps(dict(line, parameters=self.parameters, mode=self.mode))[:-1]
        if error is None:
            self.returns(frame, result)
        else:
            self.raises(self.open.pop(id(frame)), error)

    def _line(self, kind: str, **more: "Any") -> "Dict[str, Any]":
        return dict(more, kind=kind, name=self.name, qualname=self.name, **self.place)


class Callees(dict):  # type: ignore[type-arg]
    """What is known of functions: a `Callee` by a key for the function, or None for others.

    The key is the id of what lives as long as the program does: of a function's code, of a class
    of the standard library; for a method bound to an object, that of its class, and its name.
    """

    def __init__(self, config: "Dict[str, Any]", spool: "recorder.Spool") -> None:
        super().__init__({None: None})
        self.limit, self.spool = config["examples_per_function"], spool
        self.files = recorder.Files(config, spool)
        self.name_of = spool.name = naming.Names(lambda file: False)  # none of the project's
        self.named: "Dict[str, Callee]" = {}
        self.alive: "List[Any]" = []

    def place(self, caller: "FrameType") -> "Dict[str, Any]":
        """Return where a call is made."""
        file = self.files[caller.f_code.co_filename]
        return {"file": "" if file is None else file.name, "line": caller.f_lineno}

    def add(self, key: object, function: "Any") -> "Optional[Callee]":
        """Decide what to do with a function: once, where it stays."""
        if type(function) is type and not _may_be_pure(function):
            return None  # a class of the program may go away, so this is asked each time
        name = self.name(function)
        lasting = _lasting(function)
        if name is not None and pure.is_pure(name):
            found = self.named.get(name) or self.begin(name, sys._getframe(2))
        elif _is_of_program(lasting) or len(self) >= MAX_KNOWN:
            return None
        else:
            found = None
        self.alive.append(lasting)
        self[key] = found
        return found

    def begin(self, name: str, caller: "FrameType") -> Callee:
        """Record a function from now on."""
        self.named[name] = Callee(name, self.place(caller), self)
        self.spool.functions.append(self.named[name])
        return self.named[name]

    def name(self, function: "Any") -> "Optional[str]":
        """Return the NAME of a function of the standard library, bound or not, or None."""
        function = function.__func__ if type(function) is MethodType else function
        if type(function) is not _BUILTIN or type(function.__self__) is ModuleType:
            return self.name_of(function)
        name = self.name_of(_class_of(function))
        return name and "%s.%s" % (name, function.__name__)


def _may_be_pure(cls: type) -> bool:
    module = _MODULE(cls)
    return type(module) is str and module.lstrip("_") in pure.PURE


def _class_of(method: "Any") -> type:
    owner = method.__self__
    return owner if issubclass(type(owner), type) else type(owner)


def _lasting(function: "Any") -> "Any":
    """Return what must live on so that the function's key stays its own."""
    if type(function) is MethodType:
        return function.__func__.__code__
    if type(function) is FunctionType:
        return function.__code__
    is_bound = type(function) is _BUILTIN and type(function.__self__) is not ModuleType
    return _class_of(function) if is_bound else function


def _is_of_program(lasting: "Any") -> bool:
    """Tell whether this is a class that may go away."""
    return issubclass(type(lasting), type) and bool(_FLAGS(lasting) & _HEAP)


def helper(callees: Callees) -> "Callable[[Any], Any]":
    """Return what the call sites ask for the function to call."""

    def callee(function: "Any") -> "Any":
        try:
            key = id(function.__code__) if type(function) is FunctionType else _key(function)
            found = callees[key] if key in callees else callees.add(key, function)
            if found is None or found.stopped:
                return function
            return found.recording(function, _object_of(function))
        except RecursionError:
            raise  # the program's own, a few calls early
        except Exception:
            return function

    return callee


def _key(function: "Any") -> "Any":
    """Return the key of what is no plain function."""
    kind = type(function)
    if kind is MethodType:
        plain = function.__func__
        return id(plain.__code__) if type(plain) is FunctionType else None
    if kind is _BUILTIN and type(function.__self__) is not ModuleType:
        return id(_class_of(function)), function.__name__
    return id(function) if kind is _BUILTIN or kind is type or kind is _DESCRIPTOR else None


def _object_of(function: "Any") -> "Tuple[Any, ...]":
    """Return the object that a method is bound to, and nothing for others."""
    if type(function) not in (MethodType, _BUILTIN):
        return ()
    owner = function.__self__
    return () if type(owner) is ModuleType or issubclass(type(owner), type) else (owner,)


def start(config: "Dict[str, Any]", spool: "recorder.Spool") -> "Callable[[], bool]":
    """Record from now on; return what tells whether all modules were rewritten until the end."""
    callees = Callees(config, spool)
    setattr(builtins, callsites.HELPER, helper(callees))
    get_code = SourceFileLoader.get_code

    def get_rewritten_code(self: SourceFileLoader, fullname: str) -> "Optional[CodeType]":
        try:
            if callees.files[self.path] is not None:
                return callsites.rewritten(self.get_data(self.path), self.path)
        except Exception:
            spool.errors += 1
        return get_code(self, fullname)

    loader: "Any" = SourceFileLoader
    loader.get_code = get_rewritten_code
    return lambda: loader.get_code is get_rewritten_code
