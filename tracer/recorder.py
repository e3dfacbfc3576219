"""Record the calls that a Python process makes to some files' functions, as examples.

This file stands alone and runs on Python 3.6 and later. `attach.py` lays it into a traced
environment as ``thresher_recorder.py``, with a ``.pth`` line that imports it in every process. It
must never raise into the program, change its results, run its methods or be traced itself.

Each process writes its own file of JSON lines into the spool folder: a line per example as it is
made, so that a killed process loses none; at exit a line per function, and one for the process.
Python before 3.12 shows a profile function all calls; `sys.monitoring` leaves other files out.
"""
# ruff: noqa: PTH100, PTH118, PTH120, PTH123, SIM105  (these imports would cost start-up time)

import atexit
import json
import os
import sys
import threading
from opcode import opmap
from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Dict, List, Optional, Set, Tuple

    from thresher.store import values

    Raised = List[Tuple[int, "Function", int, Any]]  # thread, function, id of the frame, call
else:
    import thresher_values as values

CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "thresher_recorder_config.json")
MAX_NODES, MAX_TEXT = 2000, 20000  # of the arguments of a call, and of its result
MAX_FAILURES = 200  # calls in a row that are no examples, after which a function is given up
MAX_REPEATS = 1000  # calls in a row with arguments seen before, after which it is too
MAX_REASONS = 20  # different reasons counted per function
MAX_SPOOL = 64 << 20  # bytes per process

_OPTIMISED, _VARARGS, _KWARGS, _NOT_PLAIN = 0x1, 0x4, 0x8, 0x20 | 0x80 | 0x100 | 0x200
_RETURNS = {opmap.get("RETURN_VALUE"), opmap.get("RETURN_CONST")}
_EITHER = opmap.get("END_FINALLY")  # Pythons before 3.8 also end this way when they return
_ATOMS = {type(None), bool, int, float, str, bytes}
_OVERFLOW_IS_FATAL = sys.version_info < (3, 10)
# Kept where test tools that replace the functions of modules don't find them.
_own = SimpleNamespace(
    open=os.open,
    write=os.write,
    close=os.close,
    getpid=os.getpid,
    dumps=json.JSONEncoder(separators=(",", ":")).encode,
)


class Spool:
    """The file this process writes, by the path: the program may close or reuse descriptors."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.functions: "List[Function]" = []
        self.errors = 0
        self.restart()

    def restart(self) -> None:
        """Begin a new file, as a forked child does, and count from zero."""
        self.pid = _own.getpid()
        self.path = "%s/calls-%d-%s.jsonl" % (self.folder, self.pid, os.urandom(8).hex())
        self.size = 0
        for function in self.functions:
            function.restart()

    def write(self, record: "Dict[str, Any]") -> None:
        """Append one line."""
        if self.pid != _own.getpid():
            self.restart()  # Python 3.6 doesn't tell of forks
        line = _own.dumps(record).encode() + b"\n"
        self.size += len(line)
        if self.size > MAX_SPOOL:
            return
        flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW
        try:
            descriptor = _own.open(self.path, flags)
        except FileNotFoundError:
            descriptor = _own.open(self.path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _own.write(descriptor, line)
        finally:
            _own.close(descriptor)

    def finish(self, present: bool) -> None:
        """Write what was seen of each function, then of the process; `present`: seen to its end."""
        partial = None if present else "the program removed the recorder's hook"
        version = "%d.%d.%d" % sys.version_info[:3]
        try:
            for function in self.functions:
                self.write(function.summary())
            last = {"python": version, "partial": partial, "errors": self.errors}
            self.write(dict(last, kind="process"))
        except Exception:
            self.errors += 1


class Function:
    """One function of interest: its open calls, and what became of those that ended."""

    def __init__(self, code: "CodeType", file: "File") -> None:
        self.code, self.file = code, file
        self.operations = code.co_code
        self.parameters = _parameters(code)
        self.seen: "Set[int]" = set()
        self.open: "Dict[int, Tuple[Any, str, Optional[List[Any]]]]" = {}
        self.stopped: "Optional[str]" = None
        self.restart()

    def restart(self) -> None:
        """Count from zero."""
        self.calls = self.examples = self.duplicates = self.failures = self.repeats = 0
        self.lost: "Dict[str, int]" = {}

    def enter(self, frame: "FrameType") -> None:
        """Take in the arguments, before the call can change them."""
        self.calls += 1
        if _is_deep(frame):
            self.lose("recursion")
            return
        held = frame.f_locals
        given = [held[name] for name, _ in self.parameters]
        if self.code.co_flags & _KWARGS:
            given[-1] = dict(given[-1])  # the call's own: taking from it changes no caller's
        try:
            tree = values.encode(given, MAX_NODES, MAX_TEXT)
        except values.Unencodable as error:
            self.lose(error.reason)
            return
        text = _own.dumps(tree)
        if hash(text) in self.seen:
            self.duplicates, self.repeats = self.duplicates + 1, self.repeats + 1
            if self.repeats >= MAX_REPEATS:
                self.stop("repeating")
            return
        self.seen.add(hash(text))
        unchanging = all(type(value) in _ATOMS for value in given)
        self.open[id(frame)] = (tree, text, None if unchanging else given)

    def leave(self, frame: "FrameType", result: object, raised: "Raised") -> None:
        """Make an example of a call that ended; one that seems to have raised joins `raised`."""
        operation = self.operations[frame.f_lasti]
        if result is not None or operation in _RETURNS:
            self.returns(frame, result)
            return
        call = self.open.pop(id(frame), None)
        if call and operation == _EITHER:
            self.lose("return-or-raise")
        elif call:
            raised.append((threading.get_ident(), self, id(frame), call))

    def returns(self, frame: "FrameType", result: object) -> None:
        """Make an example of a call that returned."""
        call = self.open.pop(id(frame), None)
        if call is None:
            return
        try:
            tree = values.encode(result, MAX_NODES, MAX_TEXT)
        except values.Unencodable as error:
            self.lose("result:" + error.reason)
        else:
            self.write(call, tree, None)

    def raises(self, call: "Any", error: "Any") -> None:
        """Make an example of a call, if it was recorded, that this exception ended."""
        name = values.type_name(type(error))
        if call:
            self.write(call, None, name[9:] if name.startswith("builtins.") else name)

    def write(self, call: "Any", result: "Any", raises: "Optional[str]") -> None:
        """Write an example; the arguments are compared with what they were at entry."""
        tree, text, given = call
        args = {}
        for (name, kind), argument in zip(self.parameters, tree):
            if kind == "VAR_POSITIONAL":
                argument = argument["tuple"]
            elif kind == "VAR_KEYWORD":
                argument = dict(argument["dict"])
            args[name] = argument
        outcome = {"result": result, "raises": raises, "mutated": _is_changed(given, text)}
        self.file.spool.write(self._line("call", parameters=self.parameters, args=args, **outcome))
        self.examples += 1
        self.failures = self.repeats = 0
        if self.examples >= self.file.limit:
            self.stop("full")

    def lose(self, reason: str) -> None:
        """Count a call that can't be an example."""
        if reason not in self.lost and len(self.lost) >= MAX_REASONS:
            reason = "other"
        self.lost[reason] = self.lost.get(reason, 0) + 1
        self.failures += 1
        if self.failures >= MAX_FAILURES:
            self.stop("unencodable")

    def stop(self, why: str) -> None:
        """From now on the function costs one look-up."""
        self.stopped = why
        self.open.clear()
        self.file[id(self.code)] = None

    def _line(self, kind: str, **more: "Any") -> "Dict[str, Any]":
        return dict(
            more,
            kind=kind,
            file=self.file.name,
            line=self.code.co_firstlineno,
            name=self.code.co_name,
            qualname=getattr(self.code, "co_qualname", None),
        )

    def summary(self) -> "Dict[str, Any]":
        """Return the function's line at exit."""
        counts = ("calls", "examples", "duplicates", "lost", "stopped")
        return self._line("function", **{name: getattr(self, name) for name in counts})


def _is_deep(frame: "Optional[FrameType]") -> bool:
    """Tell whether a Python that aborts after recovering from an overflow may be near to one."""
    room = (sys.getrecursionlimit() - 150) // 3  # each frame may count for three, with C calls
    while _OVERFLOW_IS_FATAL and frame is not None and room > 0:
        frame, room = frame.f_back, room - 1
    return room <= 0


def _parameters(code: "CodeType") -> "List[Tuple[str, str]]":
    kinds = ["POSITIONAL_OR_KEYWORD"] * code.co_argcount + ["KEYWORD_ONLY"] * code.co_kwonlyargcount
    kinds += ["VAR_POSITIONAL"] * bool(code.co_flags & _VARARGS)
    kinds += ["VAR_KEYWORD"] * bool(code.co_flags & _KWARGS)
    return list(zip(code.co_varnames, kinds))


def _is_changed(given: "Optional[List[Any]]", text: str) -> bool:
    try:
        return given is not None and _own.dumps(values.encode(given, MAX_NODES, MAX_TEXT)) != text
    except values.Unencodable:
        return True


def _settle(raised: "Raised", frame: "FrameType") -> None:
    """Make examples of this thread's calls whose exception is now being handled."""
    if _is_deep(frame):
        return
    _, error, trace = sys.exc_info()
    passed = set()
    while trace is not None:
        passed.add((id(trace.tb_frame), id(trace.tb_frame.f_code)))
        trace = trace.tb_next
    for entry in [entry for entry in raised if entry[0] == threading.get_ident()]:
        raised.remove(entry)
        _, function, left, call = entry
        if (left, id(function.code)) not in passed:
            function.lose("raises-unseen")
        elif not function.stopped:
            function.raises(call, error)


class File(dict):  # type: ignore[type-arg]
    """The functions of one project file by the id of their code; None once they don't matter."""

    def __init__(self, name: str, limit: int, spool: Spool) -> None:
        super().__init__()
        self.name, self.limit, self.spool = name, limit, spool
        self.codes: "List[CodeType]" = []

    def function(self, code: "CodeType") -> "Optional[Function]":
        """Return the function to record, or None."""
        return self[id(code)] if id(code) in self else self.add(code)

    def add(self, code: "CodeType") -> "Optional[Function]":
        """Decide once what to do with a code object: only plain named functions are recorded."""
        self.codes.append(code)  # alive, its id isn't given to another
        self[id(code)] = None
        if not code.co_flags & _OPTIMISED or code.co_name.startswith("<"):
            return None
        function = Function(code, self)
        self.spool.functions.append(function)
        if code.co_flags & _NOT_PLAIN:
            function.calls, function.stopped = 1, "generator"
            function.lose("generator")
            return None
        self[id(code)] = function
        return function


class Files(dict):  # type: ignore[type-arg]
    """What each `co_filename` is: a project file, or None."""

    def __init__(self, config: "Dict[str, Any]", spool: Spool) -> None:
        super().__init__()
        limit = config["examples_per_function"]
        ordered = sorted(config["files"], key=len, reverse=True)
        self.files = [("/" + name, File(name, limit, spool)) for name in ordered]

    def __missing__(self, path: str) -> "Optional[File]":
        if path.startswith("<"):
            return None
        found = [file for ending, file in self.files if ("/" + path).endswith(ending)]
        self[path] = found[0] if found else None
        return self[path]  # type: ignore[no-any-return]


def profiler(files: Files, spool: Spool) -> "Callable[[FrameType, str, Any], None]":
    """Return the profile function; its first lines are what every call of the program pays."""
    raised: "Raised" = []

    def profile(frame: "FrameType", event: str, arg: "Any") -> None:
        if not raised and (event == "c_call" or event == "c_return"):
            return
        try:
            if raised and event in ("call", "c_call"):
                _settle(raised, frame)
            file = files[frame.f_code.co_filename]
            if file is None or file.get(id(frame.f_code), file) is None:
                return
            function = file.function(frame.f_code)
            if function is not None and event == "call":
                function.enter(frame)
            elif function is not None and event == "return":
                function.leave(frame, arg, raised)
        except RecursionError:
            raise  # the program's own, a few calls early
        except Exception:
            spool.errors += 1

    return profile


def use_profile(files: Files, spool: Spool) -> "Callable[[], bool]":
    """Trace by a profile function; return what takes it off and tells whether it was still on."""
    profile = profiler(files, spool)

    def remove() -> bool:
        present = sys.getprofile() is profile
        sys.setprofile(None)
        return present

    threading.setprofile(profile)
    sys.setprofile(profile)
    return remove


def use_monitoring(files: Files, spool: Spool) -> "Callable[[], bool]":
    """Do what `use_profile` does, by `sys.monitoring`; raise ValueError where it has no room."""
    monitoring: "Any" = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool = 3 if monitoring.get_tool(3) is None else 4
    events = monitoring.events

    def watch(event: int, act: "Callable[[Function, FrameType, Any], None]") -> None:
        off = None if event == events.PY_UNWIND else monitoring.DISABLE

        def callback(code: "CodeType", offset: int, value: object = None) -> object:
            try:
                file = files[code.co_filename]
                function = None if file is None else file.function(code)
                if not function:
                    return off
                act(function, sys._getframe(1), value)
            except Exception:
                spool.errors += 1
            return None

        monitoring.register_callback(tool, event, callback)

    def remove() -> bool:
        present = bool(monitoring.get_tool(tool) == "thresher")
        if present:
            monitoring.free_tool_id(tool)
        return present

    monitoring.use_tool_id(tool, "thresher")
    watch(events.PY_START, lambda it, frame, _: it.enter(frame))
    watch(events.PY_RETURN, Function.returns)
    watch(events.PY_UNWIND, lambda it, frame, error: it.raises(it.open.pop(id(frame), 0), error))
    monitoring.set_events(tool, events.PY_START | events.PY_RETURN | events.PY_UNWIND)
    return remove


def start(path: str) -> None:
    """Record this process from now on, as the configuration at `path` says."""
    with open(path, encoding="utf-8") as stream:
        config = json.load(stream)
    spool = Spool(config["spool"])
    use = use_monitoring if hasattr(sys, "monitoring") else use_profile

    remove = use(Files(config, spool), spool)

    atexit.register(lambda: spool.finish(remove()))
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=spool.restart)


try:
    start(CONFIG)
except Exception:
    pass
