"""Inside a cell: which sources of varying values a program reads, and what it keeps of its calls.

Standard library only: this file runs inside the wall.
"""

import contextlib
import os
import random
import sys
import types
from collections.abc import Iterator
from typing import Any

from thresher.sandbox import surroundings

VARYING = frozenset({"clock", "random", "identity", "threads", "timers", "listing"})
BUILT_IN = {
    "clock": "time.time time.time_ns time.localtime time.gmtime time.ctime time.asctime "
    "time.strftime time.clock_gettime",
    "timers": "time.monotonic time.perf_counter time.process_time time.monotonic_ns "
    "time.perf_counter_ns posix.times posix.getloadavg resource.getrusage",
    "random": "posix.urandom posix.getrandom _uuid.generate_time_safe",
    "identity": "builtins.id _thread.get_ident gc.get_count gc.get_objects sys.getrefcount "
    "sys._getframe gc.collect",
    "threads": "_thread.start_new_thread posix.fork time.sleep",
    "listing": "posix.listdir posix.scandir",
    "environment": "posix.getcwd posix.getpid posix.getppid posix.uname posix.getuid "
    "_socket.gethostname posix.cpu_count posix.sched_getaffinity",
    "files": "io.open posix.open posix.stat",
    "locale": "_locale.setlocale _locale.localeconv",
}
NOW = ("now", "utcnow", "today")
MOST_TEXT = 20_000
OURS = ("/server/", "<frozen importlib")  # importing looks into folders, encoding at identities
NOT_STATE = (types.ModuleType, types.BuiltinFunctionType, types.GenericAlias)


@contextlib.contextmanager
def sources(seen: set[str]) -> Iterator[None]:
    """Note the kinds of sources that are read meanwhile."""
    kinds = {name: kind for kind, names in BUILT_IN.items() for name in names.split()}
    environ, changed = os._Environ.__getitem__.__code__, surroundings.__file__
    seeded = random.Random.__init__.__code__

    def watch(frame: types.FrameType, event: str, called: Any) -> None:
        file = frame.f_code.co_filename
        if event == "c_call" and not file.startswith(OURS):
            kind = kinds.get(f"{called.__module__}.{called.__name__}") or _of_method(called)
            if kind:
                seen.add(kind)
        elif event == "call":
            if frame.f_code is environ:
                seen.add("environment")
            elif frame.f_code is seeded and frame.f_locals.get("x") is None:
                seen.add("random")
            elif file == changed:
                seen.update(filter(None, [frame.f_locals.get("kind")]))

    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(None)


def _of_method(called: Any) -> str | None:
    owner = getattr(called, "__self__", None)
    if called.__name__ in NOW and isinstance(owner, type) and owner.__module__ == "datetime":
        return "clock"
    shared = getattr(sys.modules.get("random"), "_inst", called)
    return "random" if owner is shared else None


def state(codec: types.ModuleType, space: dict[str, Any]) -> dict[str, str]:
    """Return what a module keeps, as text by name: globals, what functions and classes hold."""
    found: dict[str, str] = {}
    for name, value in list(space.items()):
        if isinstance(value, types.FunctionType):
            held = (value.__defaults__, value.__kwdefaults__, value.__dict__, _cells(value))
            found[name] = _text(codec, held)
        elif hasattr(value, "cache_info"):
            found[name] = str(value.cache_info())
        elif isinstance(value, type) and value.__module__ == "solution":
            found |= {f"{name}.{key}": _text(codec, held) for key, held in vars(value).items()}
        elif not name.startswith("__") and not isinstance(value, (*NOT_STATE, type)):
            found[name] = _text(codec, value)
    return found


def _cells(function: types.FunctionType) -> list[Any]:
    held = []
    for each in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # an empty one
            held.append(each.cell_contents)
    return held


def _text(codec: types.ModuleType, value: Any) -> str:
    """Return a text that changes with the value; of what is no data, parts are looked at."""
    if isinstance(value, (tuple, list)):
        return str([_text(codec, each) for each in value[:MOST_TEXT]])
    try:
        return str(codec.encode(value))[:MOST_TEXT]
    except Exception:
        return f"{type(value).__name__} {_length(value)}"


def _length(value: Any) -> str:
    if isinstance(value, (dict, set, frozenset, bytearray)):
        return str(len(value))
    with contextlib.suppress(Exception):
        return str(value) if type(value).__module__ in ("itertools", "builtins") else ""
    return ""


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Name what differs."""
    return sorted(name for name in after if before.get(name) != after[name])
