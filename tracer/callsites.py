"""Record the calls that a project's files make to built-in and library functions.

Profile functions see no arguments of functions written in C. So the project's files are compiled
with each call ``f(x)`` written as ``__thresher_callee__(f)(x)``, whose first part gives back `f`
itself, or what records the call where `f` is a pure function of the standard library.

This file stands alone and runs on Python 3.6 and later. `attach.py` lays it beside the recorder,
which starts it instead of its own hook where the configuration says so. No ``.pyc`` file is read
or written for the files that it compiles.
"""
# ruff: noqa: SIM905, UP006, UP031, UP035, UP037, UP045  (lists of names; Python 3.6)

import ast
import builtins
import json
import sys
import warnings
from importlib.machinery import SourceFileLoader
from types import FunctionType, MethodType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Dict, FrozenSet, List, Optional, Set, Tuple

    from thresher.store import values
    from thresher.tracer import recorder

    Call = Tuple[str, List[Any]]  # the arguments at entry as text, and themselves
else:
    import thresher_recorder as recorder
    import thresher_values as values

HELPER = "__thresher_callee__"
# What looks at its caller, or gives nothing worth recording: left as written, for the speed of it.
LEFT_ALONE = frozenset(
    "super locals globals vars dir eval exec compile type isinstance issubclass getattr setattr "
    "delattr hasattr callable iter next print open input id hash __import__ NotImplementedError "
    "staticmethod classmethod property object zip map filter enumerate reversed".split()
)
# Functions whose results depend on their arguments alone, by module; None stands for all.
PURE: "Dict[str, Optional[FrozenSet[str]]]" = dict.fromkeys(
    "base64 binascii bisect calendar cmath codecs colorsys copy datetime decimal difflib fnmatch "
    "fractions heapq html ipaddress json math operator quopri re shlex statistics string struct "
    "textwrap unicodedata urllib.parse zlib".split()
)
PURE["builtins"] = frozenset(
    "abs all any ascii bin bool bytearray bytes chr complex dict divmod float format frozenset hex "
    "int len list max min oct ord pow range repr round set slice sorted str sum tuple".split()
)
PURE["collections"] = frozenset("Counter OrderedDict defaultdict deque".split())
PURE["functools"] = frozenset(["reduce"])
PURE["posixpath"] = frozenset(
    "basename commonpath commonprefix dirname isabs join normcase normpath split splitext".split()
)
_NONE: "FrozenSet[str]" = frozenset()
_BUILTIN: "Any" = type(len)
_DESCRIPTOR: "Any" = type(str.lower)


class Rewriter(ast.NodeTransformer):
    """Sends the function of each call through the helper, where that changes nothing."""

    def visit_Call(self, node: ast.Call) -> ast.AST:  # noqa: N802
        """Rewrite a call, and those within."""
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in LEFT_ALONE):
            name = ast.copy_location(ast.Name(HELPER, ast.Load()), node.func)
            node.func = ast.copy_location(ast.Call(name, [node.func], []), node.func)
        return node

    def visit_FunctionDef(self, node: "Any") -> ast.AST:  # noqa: N802
        """Leave the decorators and annotations of a function alone."""
        node.body = [self.visit(statement) for statement in node.body]
        arguments = node.args
        arguments.defaults = [self.visit(default) for default in arguments.defaults]
        arguments.kw_defaults = [each and self.visit(each) for each in arguments.kw_defaults]
        return node  # type: ignore[no-any-return]

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: N802
        """Leave the decorators and bases of a class alone."""
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:  # noqa: N802
        """Leave an annotation alone."""
        node.value = node.value and self.visit(node.value)
        return node


def rewritten(source: bytes, path: str) -> "CodeType":
    """Compile the source of a module with its call sites rewritten.

    Raises:
        SyntaxError: it is no module.
        RecursionError: it is nested too deeply.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the program has its .pyc files, and sees none
        tree = Rewriter().visit(ast.parse(source, path))
        return compile(tree, path, "exec", dont_inherit=True)


class Callee:
    """One built-in or library function, by its name: what became of its calls.

    Its lines are those of a function with the parameters ``*args`` and ``**kwargs``, whose place is
    where it was called.
    """

    parameters = [("args", "VAR_POSITIONAL"), ("kwargs", "VAR_KEYWORD")]

    def __init__(self, name: str, callees: "Callees") -> None:
        self.name, self.callees = name, callees
        self.place: "Dict[str, Any]" = {"file": "", "line": 0}
        self.seen: "Set[int]" = set()
        self.stopped: "Optional[str]" = None
        self.restart()

    def restart(self) -> None:
        """Count from zero."""
        self.calls = self.examples = self.duplicates = self.failures = self.repeats = 0
        self.lost: "Dict[str, int]" = {}

    def recording(self, function: "Any", first: "Tuple[Any, ...]") -> "Callable[..., Any]":
        """Return what calls `function` and records it; `first` is the object of a bound method."""

        def recorded(*args: "Any", **kwargs: "Any") -> "Any":
            call = self.begin([first + args, kwargs])
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                self.end(call, sys._getframe(1), None, error)
                raise
            self.end(call, sys._getframe(1), result, None)
            return result

        return recorded

    def begin(self, given: "List[Any]") -> "Optional[Call]":
        """Take in the arguments, before the call can change them; None for one not to record."""
        try:
            self.calls += 1
            if recorder._is_deep(sys._getframe()):
                self.lose("recursion")
                return None
            text = _text(given)
        except values.Unencodable as error:
            self.lose(error.reason)
            return None
        except Exception:
            return None
        if hash(text) not in self.seen:
            self.seen.add(hash(text))
            return text, given
        self.duplicates, self.repeats = self.duplicates + 1, self.repeats + 1
        if self.repeats >= recorder.MAX_REPEATS:
            self.stopped = "repeating"
        return None

    def end(self, call: "Optional[Call]", caller: "FrameType", result: "Any", error: "Any") -> None:
        """Make an example of a call that ended."""
        if call is None or self.stopped:
            return
        try:
            self.write(call, caller, result, error)
        except values.Unencodable as unencodable:
            self.lose("result:" + unencodable.reason)
        except Exception:
            self.callees.spool.errors += 1

    def write(self, call: "Call", caller: "FrameType", result: "Any", error: "Any") -> None:
        """Write an example, with what became of the arguments."""
        text, given = call
        raised = None if error is None else values.type_name(type(error))
        outcome = {
            "result": json.loads(_text(result)),
            "raises": raised[9:] if raised and raised.startswith("builtins.") else raised,
            "mutated": _text(given) != text,
        }
        args, kwargs = json.loads(text)
        outcome["args"] = {"args": args["tuple"], "kwargs": dict(kwargs["dict"])}
        file = self.callees.files[caller.f_code.co_filename]
        place = {"file": file.name, "line": caller.f_lineno}
        if not self.examples:
            self.place = place
        self.callees.spool.write(self.line("call", place, parameters=self.parameters, **outcome))
        self.examples += 1
        self.failures = self.repeats = 0
        if self.examples >= self.callees.limit:
            self.stopped = "full"

    def lose(self, reason: str) -> None:
        """Count a call that can't be an example."""
        if reason not in self.lost and len(self.lost) >= recorder.MAX_REASONS:
            reason = "other"
        self.lost[reason] = self.lost.get(reason, 0) + 1
        self.failures += 1
        if self.failures >= recorder.MAX_FAILURES:
            self.stopped = "unencodable"

    def line(self, kind: str, place: "Dict[str, Any]", **more: "Any") -> "Dict[str, Any]":
        """Return a line of the spool; `place` is where the function was called."""
        return dict(more, kind=kind, name=self.name, qualname=self.name, **place)

    def summary(self) -> "Dict[str, Any]":
        """Return the function's line at exit."""
        counts = ("calls", "examples", "duplicates", "lost", "stopped")
        return self.line("function", self.place, **{name: getattr(self, name) for name in counts})


def _text(given: object) -> str:
    tree = values.encode(given, recorder.MAX_NODES, recorder.MAX_TEXT, callee_name)
    text: str = recorder._own.dumps(tree)
    return text


def callee_name(function: "Any") -> "Optional[str]":
    """Return the NAME of a pure function, method or class of the standard library, else None."""
    function = function.__func__ if type(function) is MethodType else function
    if type(function) is not _BUILTIN or type(function.__self__) is ModuleType:
        return _public_name(function)
    name = _public_name(_class_of(function))
    return name and "%s.%s" % (name, function.__name__)


def _class_of(method: "Any") -> type:
    owner = method.__self__
    return owner if issubclass(type(owner), type) else type(owner)


def _public_name(obj: "Any") -> "Optional[str]":
    """Name a class or function that its module has under the name that it says it has."""
    if issubclass(type(obj), type):
        said = values._MODULE(obj), values._QUALNAME(obj)
    elif type(obj) is _DESCRIPTOR:
        said = values._MODULE(obj.__objclass__), obj.__qualname__
    elif type(obj) in (FunctionType, _BUILTIN):
        said = obj.__module__, obj.__qualname__
    else:
        return None
    module, qualname = (text if type(text) is str else "" for text in said)
    module, parts = module.lstrip("_"), qualname.split(".")  # _heapq has what heapq gives out
    allowed = PURE.get(module, _NONE)
    if allowed is not None and parts[0] not in allowed or any(part[:1] == "_" for part in parts):
        return None
    found: "Any" = sys.modules.get(module)
    for part in parts:
        found = getattr(found, part, None)
    return "%s:%s" % (module, qualname) if getattr(found, "__func__", found) is obj else None


class Callees(dict):  # type: ignore[type-arg]
    """What is known of functions: a `Callee` by a key for the function, or None.

    The key is the id of what lives as long as the program does: of a function's code, of a class
    of the standard library; for a method bound to an object, that of its class, and its name.
    """

    def __init__(self, config: "Dict[str, Any]", spool: "recorder.Spool") -> None:
        super().__init__()
        self.limit, self.spool = config["examples_per_function"], spool
        self.files = recorder.Files(config, spool)
        self.named: "Dict[str, Callee]" = {}
        self.alive: "List[Any]" = []

    def add(self, key: object, function: "Any") -> "Optional[Callee]":
        """Decide what to do with a function: once, where it stays."""
        name = callee_name(function)
        if name is None:
            kept = _lasting(function)
            if kept is not None:
                self.alive.append(kept)
                self[key] = None
            return None
        if name not in self.named:
            self.named[name] = Callee(name, self)
            self.spool.functions.append(self.named[name])  # type: ignore[arg-type]
        self.alive.append(function)
        self[key] = self.named[name]
        return self[key]  # type: ignore[no-any-return]


def _lasting(function: "Any") -> "Any":
    """Return what must live on so that the function's key stays its own; None for classes."""
    if type(function) is MethodType:
        return function.__func__.__code__
    if type(function) is not _BUILTIN:
        return getattr(function, "__code__", None) if type(function) is FunctionType else None
    if type(function.__self__) is ModuleType:
        return function
    cls = _class_of(function)
    return None if values._FLAGS(cls) & values._HEAP else cls


def helper(callees: Callees) -> "Callable[[Any], Any]":
    """Return what the call sites ask for the function to call."""

    def callee(function: "Any") -> "Any":
        first: "Tuple[Any, ...]" = ()
        key: "Any" = None
        kind = type(function)
        try:
            if kind is FunctionType:
                key = id(function.__code__)
            elif kind is _BUILTIN:
                owner = function.__self__
                if type(owner) is ModuleType:
                    key = id(function)
                elif type(owner) is type:
                    key = id(owner), function.__name__
                else:
                    key, first = (id(type(owner)), function.__name__), (owner,)
            elif kind is MethodType and type(function.__func__) is FunctionType:
                key = id(function.__func__.__code__)
                if not issubclass(type(function.__self__), type):
                    first = (function.__self__,)
            elif kind is type or kind is _DESCRIPTOR:
                key = id(function)
            else:
                return function
            found = callees[key] if key in callees else callees.add(key, function)
            return function if found is None or found.stopped else found.recording(function, first)
        except Exception:
            return function

    return callee


def start(config: "Dict[str, Any]", spool: "recorder.Spool") -> "Callable[[], bool]":
    """Record from now on; return what tells whether all modules were rewritten until the end."""
    callees = Callees(config, spool)
    setattr(builtins, HELPER, helper(callees))
    get_code = SourceFileLoader.get_code

    def get_rewritten_code(self: SourceFileLoader, fullname: str) -> "Optional[CodeType]":
        try:
            if callees.files[self.path] is not None:
                return rewritten(self.get_data(self.path), self.path)
        except Exception:
            spool.errors += 1
        return get_code(self, fullname)

    loader: "Any" = SourceFileLoader
    loader.get_code = get_rewritten_code
    return lambda: loader.get_code is get_rewritten_code
