"""Record the calls that a Python process makes to some files' functions, as examples.

This file runs on Python 3.6 and later. `attach.py` lays it into a traced environment as
``thresher_recorder.py``, with those it works with and a ``.pth`` line that imports it in every
process. It must never raise into the program, change its results, run its methods or be traced
itself.

Each process writes its own file of JSON lines into the spool folder: a line per example, soon
after it is made; at exit a line per function, and one for the process.
Python before 3.12 shows a profile function all calls; `sys.monitoring` leaves other files out.
"""
# ruff: noqa: PTH100, PTH118, PTH120, PTH123, SIM105, SIM905  (these imports would cost start-up time)

import atexit
import json
import os
import sys
import threading
from contextlib import suppress
from types import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from thresher.tracer.recording import calls, naming

    Use = Callable[[], bool]
else:
    import thresher_calls as calls
    import thresher_naming as naming

CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "thresher_recorder_config.json")
MAX_NODES: int = calls.MAX_NODES
MAX_TEXT: int = calls.MAX_TEXT
MAX_FAILURES: int = calls.MAX_FAILURES
MAX_REPEATS: int = calls.MAX_REPEATS
MAX_REASONS: int = calls.MAX_REASONS
MAX_SPOOL = 64 << 20  # bytes per process
MAX_WAITING = 1 << 14  # characters, which a killed process may lose
MAX_FILES = 20000

_OPTIMISED = 0x1
_MODULE = type.__dict__["__module__"].__get__
_is_deep = calls.is_deep
# Kept where test tools that replace the functions of modules don't find them.
_own = SimpleNamespace(
    open=os.open,
    write=os.write,
    close=os.close,
    getpid=os.getpid,
    dumps=calls.dumps,
)


class Hidden:
    """What was touched besides arguments and results, as far as the interpreter tells."""

    SIGNS = {
        "file": "open shutil tempfile glob sqlite3 os.listdir os.scandir os.mkdir os.remove "
        "os.rename os.rmdir os.link os.symlink os.chdir os.chmod os.chown os.truncate os.utime",
        "network": "socket",
        "process": "subprocess pty os.system os.exec os.fork os.forkpty os.posix_spawn os.spawn "
        "os.kill os.killpg",
        "environment": "os.putenv os.unsetenv",
    }
    KINDS = {sign: kind for kind, signs in SIGNS.items() for sign in signs.split()}
    # Functions written in C that do such things: by their names, then by where they are.
    NAMES = {sign.rpartition(".")[2] for sign in KINDS} | set(
        "fork_exec unlink replace connect connect_ex bind sendto getaddrinfo gethostbyname".split()
    )
    MODULES = {
        "io": "file",
        "_io": "file",
        "posix": "file",
        "_posixsubprocess": "process",
        "_socket": "network",
        "socket": "network",
    }
    CODE = (".pyc", ".py", ".so")  # most often read because a module is imported

    def __init__(self) -> None:
        self.count = 0
        self.last: "Dict[Tuple[int, str], int]" = {}
        self.kinds: "Dict[str, Optional[str]]" = {}

    def note(self, kind: str) -> None:
        """Remember that this thread touched something now."""
        self.count += 1
        self.last[threading.get_ident(), kind] = self.count

    def since(self, began: int) -> "List[str]":
        """Return what this thread touched since `count` was `began`."""
        if self.count == began:
            return []
        mine = threading.get_ident()
        found = list(self.last.items())
        return sorted(kind for (thread, kind), when in found if thread == mine and when > began)

    def called(self, function: "Any") -> None:
        """Note a call of a function written in C that has one of the `NAMES`."""
        owner = function.__module__ or _MODULE(type(function.__self__))
        if type(owner) is str and owner in self.MODULES:
            self.note(self.KINDS.get("os." + function.__name__) or self.MODULES[owner])

    def listen(self, own: "Spool") -> None:
        """Note audit events (Python 3.8) from now on; what writes the spool doesn't count."""
        kinds = self.kinds

        def hook(event: str, args: "Any") -> None:
            try:
                kind = kinds[event] if event in kinds else self.kind(event)
                if kind is None:
                    return
                name = args[0] if args else None
                if type(name) is not str or (name is not own.path and not name.endswith(self.CODE)):
                    self.note(kind)
            except Exception:
                own.errors += 1

        sys.addaudithook(hook)

    def kind(self, event: str) -> "Optional[str]":
        """Return what an audit event is a sign of, or None."""
        kind = self.KINDS.get(event) or self.KINDS.get(event.partition(".")[0])
        if len(self.kinds) < 1000:  # a program may have events of its own
            self.kinds[event] = kind
        return kind


class Spool:
    """The file this process writes, by the path: the program may close or reuse descriptors."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.functions: "List[Any]" = []
        self.open: "Dict[int, calls.Call]" = {}  # by the id of the frame
        self.hidden = Hidden()
        self.name: "Callable[[Any], Optional[str]]" = lambda thing: None
        self.errors = self.lines = 0
        self.restart()
        self.forked = False

    def restart(self) -> None:
        """Begin a new file, as a forked child does, and count from zero."""
        self.pid, self.forked = _own.getpid(), True
        self.path = "%s/calls-%d-%s.jsonl" % (self.folder, self.pid, os.urandom(8).hex())
        self.size = 0
        self.waiting: "List[str]" = []
        self.waiting_size = 0
        for function in self.functions:
            function.restart()

    def write(self, record: "Dict[str, Any]") -> None:
        """Append one line."""
        self.write_line(_own.dumps(record))

    def write_line(self, text: str) -> None:
        """Append one line of JSON."""
        if self.pid != _own.getpid():
            self.restart()  # Python 3.6 doesn't tell of forks
        self.lines += 1
        self.size += len(text) + 1  # it is ASCII
        if self.size > MAX_SPOOL:
            return
        self.waiting.append(text)
        self.waiting_size += len(text)
        # Workers are often killed; it is in the process that runs the tests that time counts.
        if self.forked or self.waiting_size > MAX_WAITING or "_pytest.runner" not in sys.modules:
            self.flush()

    def flush(self) -> None:
        """Write what waits to be written."""
        if self.pid != _own.getpid() or not self.waiting:
            return
        lines, self.waiting, self.waiting_size = self.waiting, [], 0
        flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW
        try:
            descriptor = _own.open(self.path, flags)
        except FileNotFoundError:
            descriptor = _own.open(self.path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _own.write(descriptor, ("\n".join(lines) + "\n").encode())
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
            self.flush()
        except Exception:
            self.errors += 1

    def abandon(self) -> None:
        """Make examples of what the generators that are still suspended gave so far."""
        for call in [call for call in self.open.values() if call.outputs]:
            call.function.abandon(call)
        self.open.clear()


class File(dict):  # type: ignore[type-arg]
    """The functions of one project file by the id of their code; None once they don't matter."""

    def __init__(self, name: str, limit: int, spool: Spool) -> None:
        super().__init__()
        self.name, self.limit, self.spool = name, limit, spool
        self.codes: "List[CodeType]" = []

    def function(self, code: "CodeType") -> "Optional[calls.Function]":
        """Return the function to record, or None."""
        return self[id(code)] if id(code) in self else self.add(code)

    def add(self, code: "CodeType") -> "Optional[calls.Function]":
        """Decide once what to do with a code object: only named functions are recorded."""
        self.codes.append(code)  # alive, its id isn't given to another
        self[id(code)] = None
        if code.co_flags & _OPTIMISED and not code.co_name.startswith("<"):
            self[id(code)] = calls.Function(code, self)
            self.spool.functions.append(self[id(code)])
        return self[id(code)]  # type: ignore[no-any-return]


class Files(dict):  # type: ignore[type-arg]
    """What each `co_filename` is: a project file, or None."""

    def __init__(self, config: "Dict[str, Any]", spool: Spool) -> None:
        super().__init__()
        limit = config["examples_per_function"]
        ordered = sorted(config["files"], key=len, reverse=True)
        self.files = [("/" + name, File(name, limit, spool)) for name in ordered]

    def __missing__(self, path: str) -> "Optional[File]":
        found = [file for ending, file in self.files if ("/" + path).endswith(ending)]
        file = found[0] if found else None
        if len(self) < MAX_FILES:  # a program may make up names for code that it generates
            self[path] = file
        return file


class Monitoring:
    """Tracing by `sys.monitoring`, with the same outcome; ValueError where it has no room."""

    def __init__(self, files: Files, spool: Spool) -> None:
        self.files, self.spool = files, spool
        self.monitoring: "Any" = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self.tool = 3 if self.monitoring.get_tool(3) is None else 4

    def start(self) -> "Use":
        """Trace from now on; return what ends it and tells whether it was still on."""
        events = self.monitoring.events
        self.spool.hidden.listen(self.spool)
        self.monitoring.use_tool_id(self.tool, "thresher")
        self._watch(events.PY_START, lambda function, frame, _: function.enter(frame))
        self._watch(events.PY_RETURN, calls.Function.returns)
        self._watch(events.PY_YIELD, calls.Function.yields)
        self._watch(events.PY_UNWIND, calls.Function.unwinds)
        self._watch(events.PY_THROW, calls.Function.thrown)
        everywhere = events.PY_START | events.PY_UNWIND | events.PY_THROW
        self.monitoring.set_events(self.tool, everywhere)
        return self.remove

    def _watch(self, event: int, act: "Callable[[calls.Function, FrameType, Any], None]") -> None:
        files, spool, monitoring, tool = self.files, self.spool, self.monitoring, self.tool
        events = monitoring.events
        within = events.PY_RETURN | events.PY_YIELD
        off = None if event in (events.PY_UNWIND, events.PY_THROW) else monitoring.DISABLE

        def callback(code: "CodeType", offset: int, value: object = None) -> object:
            try:
                file = files[code.co_filename]
                if file is None:
                    return off
                if id(code) not in file and file.add(code):
                    monitoring.set_local_events(tool, code, within)
                function = file.get(id(code))
                if not function:
                    return off
                act(function, sys._getframe(1), value)
            except Exception:
                spool.errors += 1
            return None

        monitoring.register_callback(tool, event, callback)

    def remove(self) -> bool:
        """End tracing; tell whether nobody else did."""
        present = bool(self.monitoring.get_tool(self.tool) == "thresher")
        if present:
            self.monitoring.free_tool_id(self.tool)
        self.spool.abandon()
        return present


def _use(config: "Dict[str, Any]", files: Files, spool: Spool) -> "Use":
    if config.get("library"):
        import thresher_callees as callees  # type: ignore[import-not-found]

        return callees.start(config, spool)  # type: ignore[no-any-return]
    if hasattr(sys, "monitoring"):
        return Monitoring(files, spool).start()
    import thresher_profiling as profiling  # type: ignore[import-not-found]

    return profiling.Profile(files, spool).start()  # type: ignore[no-any-return]


def start(path: str) -> None:
    """Record this process from now on, as the configuration at `path` says."""
    with open(path, encoding="utf-8") as stream:
        config = json.load(stream)
    spool = Spool(config["spool"])
    files = Files(config, spool)
    spool.name = naming.Names(lambda file: files[file] is not None)
    remove = _use(config, files, spool)

    atexit.register(lambda: spool.finish(remove()))
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=spool.restart)
    leave = os._exit

    def flush_and_leave(status: int) -> None:
        with suppress(Exception):
            spool.flush()
        leave(status)

    os._exit = flush_and_leave  # type: ignore[assignment]


try:
    start(CONFIG)
except Exception:
    pass
