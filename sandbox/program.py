"""Inside a cell: run a program that reads text and prints text, as the interpreter itself would.

What it prints goes to the trusted side as it comes, without any message around it. A program that
fails says why behind it: a zero byte, then {raises, message} as JSON; its exit status is then 1.

Standard library only: this file runs inside the wall.
"""

import atexit
import contextlib
import os
import sys
import types
from typing import Any

from thresher.sandbox.calls import Answer, guarded
from thresher.sandbox.frames import encode
from thresher.sandbox.names import Names

NAME = "main.py"  # what the program is called, not a file
FAILED = 1
NO_NAMES = Names({})
end = os._exit  # a program may replace the one that it finds


def serve_program(setup: dict[str, Any], channel: int) -> None:
    """Run the setup's ``program`` with the bytes of ``stdin`` to read; don't return if it fails.

    The descriptor of the channel stays open beside standard output: what is closed of the two is
    no end, but the process's is.
    """
    connect(setup["stdin"], channel)
    failure = guarded(run, NO_NAMES, setup["program"])
    if failure:
        with contextlib.suppress(OSError):  # it may have closed everything
            os.write(channel, f"\0{''.join(encode(failure, 0))}".encode())
        end(FAILED)


def connect(stdin: bytes, channel: int) -> None:
    """Make descriptor 0 a file with the input and 1 the channel, and open the streams anew."""
    source = nameless()
    view = memoryview(stdin)
    while view:
        view = view[os.write(source, view) :]
    os.lseek(source, 0, os.SEEK_SET)
    os.dup2(source, 0)
    os.close(source)
    os.dup2(channel, 1)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        mode = "w" if number else "r"
        errors = "backslashreplace" if name == "stderr" else "strict"
        stream = open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: PTH123, SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def nameless() -> int:
    """Open a new file that has no name; what never had one leaves the folder as it was."""
    try:
        return os.open(".", os.O_TMPFILE | os.O_RDWR)
    except OSError:  # gVisor has none
        source = os.open(NAME, os.O_CREAT | os.O_RDWR)
        os.unlink(NAME)  # noqa: PTH108
        return source


def run(program: str) -> Answer:
    """Run a program as the module ``__main__``, and end it as the interpreter's end does."""
    module = types.ModuleType("__main__")
    module.__file__ = NAME
    sys.modules["__main__"] = module
    sys.argv = [NAME]
    printed = sys.stdout
    try:
        exec(compile(program, NAME, "exec"), module.__dict__)  # noqa: S102 - its purpose
    except SystemExit as error:
        if error.code not in (None, 0):
            raise
    finish(module)
    flush(printed)
    return {}


def finish(module: types.ModuleType) -> None:
    """Wait for the threads, call what was registered, and let go of files that weren't closed."""
    if "threading" in sys.modules:
        sys.modules["threading"]._shutdown()
    atexit._run_exitfuncs()
    flush(sys.stdout)
    module.__dict__.clear()
    flush(sys.stdout)


def flush(stream: Any) -> None:
    """Write out what a stream holds, whatever the program took for one."""
    if stream is not None and not getattr(stream, "closed", False):
        stream.flush()
