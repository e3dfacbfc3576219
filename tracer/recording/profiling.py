"""Trace by a profile function, where Python has no `sys.monitoring`.

This file runs on Python 3.6 and later; `attach.py` lays it beside the recorder.
"""
# ruff: noqa: PTH100, PTH123  (pathlib would cost start-up time)

import os
import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Callable, List, Optional, Tuple

    from thresher.tracer.recording import calls
    from thresher.tracer.recording.recorder import Files, Spool, Use

    Raised = List[Tuple[int, calls.Function, int, calls.Call]]  # thread, id of the frame
else:
    import thresher_calls as calls

MAX_IDLE = 2500  # calls and returns without one of interest, after which it sleeps
MAX_QUIET = 8  # times as many without a new example or function, after which it does too


class Phases(dict):  # type: ignore[type-arg]
    """The functions of pytest's runner at whose end there is nothing to trace until the next.

    Stands in for a `File` and for its functions.
    """

    def __init__(self, runner: "Any", sleep: "Callable[[], None]") -> None:
        names = ["pytest_runtest_" + phase for phase in ("setup", "call", "teardown")]
        codes = [getattr(runner, name).__code__ for name in names]
        super().__init__({id(code): code for code in codes})
        self.path, self.sleep = codes[0].co_filename, sleep

    def get(self, key: int, default: object = None) -> "Optional[Phases]":
        """Return what acts for a function, given the id of its code; None for others."""
        return self if key in self else None

    def function(self, code: object) -> "Phases":
        """Return what acts for a function."""
        return self

    def enter(self, frame: object) -> None:
        """Do nothing as it begins."""

    def leave(self, frame: object, result: object, raised: object) -> None:
        """Sleep as it ends."""
        self.sleep()


class Profile:
    """Tracing by a profile function, which sleeps until a file of the project is imported or run.

    Under pytest, which sets a variable of the environment as each phase of a test begins, it also
    sleeps when that has ended, or after a while without a call of interest or news.
    """

    TEST = b"PYTEST_CURRENT_TEST"

    def __init__(self, files: "Files", spool: "Spool") -> None:
        self.spool = spool
        self.files, self.roots = files, {ending.split("/")[1] for ending, _ in files.files}
        self.asleep = self.announced = False
        self.news = self.quiet = 0
        self.raised: "Raised" = []
        self.profile = self._function(files)

    def start(self) -> "Use":
        """Trace from now on; return what ends it and tells whether it was still on."""
        self._watch_tests()
        sys.meta_path.insert(0, self)
        threading.setprofile(self.profile)
        self.asleep = True
        if any(self.files[os.path.abspath(word)] is not None for word in _command()):
            self.wake()
        return self.remove

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Find no module, as part of `sys.meta_path`, but wake where it is the project's."""
        if self.asleep and not self.roots.isdisjoint([*name.split("."), name + ".py"]):
            self.wake()

    def _watch_tests(self) -> None:
        put = os.putenv

        def putenv(name: "Any", value: "Any") -> None:
            if type(name) is bytes and name == self.TEST:
                self.begin_phase()
            put(name, value)

        os.putenv = putenv
        environ: "Any" = os.environ
        if hasattr(environ, "putenv"):  # before Python 3.9
            environ.putenv = putenv

    def begin_phase(self) -> None:
        """Go on, as a test is set up, called or torn down."""
        runner = sys.modules.get("_pytest.runner")
        if runner is not None and not self.announced:
            phases = Phases(runner, self.sleep)
            self.files[phases.path] = phases
        self.announced = True
        self.wake()

    def _function(self, files: "Files") -> "Callable[[FrameType, str, Any], None]":  # noqa: C901
        raised, spool, hidden = self.raised, self.spool, self.spool.hidden
        open_calls, signs = spool.open, hidden.NAMES
        idle, active = 0, False

        def profile(frame: "FrameType", event: str, arg: "Any") -> None:  # noqa: C901
            nonlocal idle, active  # these first lines are what every call of the program pays
            if event == "c_return" or (event == "c_call" and not open_calls and not raised):
                return
            try:
                if raised and event in ("call", "c_call"):
                    _settle(raised, frame)
                if event == "c_call":
                    if arg.__name__ in signs:
                        hidden.called(arg)
                    return
                file = files[frame.f_code.co_filename]
                if file is None or file.get(id(frame.f_code), file) is None:
                    idle += 1
                    if idle > MAX_IDLE:
                        self.doze(active)
                        idle, active = 0, False
                    return
                active = True
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

    def doze(self, active: bool) -> None:
        """Sleep after a while without a call of interest, or a longer one without news."""
        news = self.spool.lines + len(self.spool.functions)
        running = active or any(not call.function.suspends for call in self.spool.open.values())
        self.quiet = self.quiet + 1 if news == self.news else 0
        self.news = news
        if not running or self.quiet >= MAX_QUIET:
            self.sleep()

    def sleep(self) -> None:
        """Stop in this thread, where pytest will say when to go on."""
        runner = sys.modules.get("_pytest.runner")
        if self.announced or hasattr(runner, "_update_current_test_var"):
            sys.setprofile(None)
            self.asleep = True
            self.quiet = 0
            self.raised.clear()
            self.spool.abandon()

    def wake(self) -> None:
        """Go on."""
        if self.asleep and sys.getprofile() is None:
            sys.setprofile(self.profile)
        self.asleep = False

    def remove(self) -> bool:
        """End tracing; tell whether nobody else did."""
        present = self.asleep or sys.getprofile() is self.profile
        sys.setprofile(None)
        self.spool.abandon()
        return present


def _command() -> "List[str]":
    """Return the first words of the command that started this process, as the system has them."""
    try:
        with open("/proc/self/cmdline", "rb") as stream:
            return [os.fsdecode(word) for word in stream.read(1000).split(b"\0")[:9] if word]
    except OSError:
        return []


def _settle(raised: "Raised", frame: "FrameType") -> None:
    """Make examples of this thread's calls whose exception is now being handled."""
    if calls.is_deep(frame):
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
