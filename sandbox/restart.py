"""Inside a cell: begin anew under other conditions, in a fresh interpreter with another hash seed.

What is varied comes as plain data, `thresher.sandbox.judge.Conditions`. Here the cell lays folders
and files and becomes a new interpreter, which runs `thresher.sandbox.varied`.

Standard library only: this file runs inside the wall.
"""

import contextlib
import marshal
import os
import sys
from typing import Any

CHANNEL, SETUP = 3, 4  # descriptors
SETUP_FILE = "/tmp/.setup"  # noqa: S108 - the cell's own
CLOCK = "/server/clock.so"
MOST_PROCESSORS = 64
KILLED = 128  # what shells add a signal to
# Threads that wait for a time go by the monotonic clock, and hang or spin where it is faked.
FAKED = {
    "LD_PRELOAD": CLOCK,
    "FAKETIME_NO_CACHE": "1",
    "DONT_FAKE_MONOTONIC": "1",
    "FAKETIME_FORCE_MONOTONIC_FIX": "0",
}
COMMAND = "-s -S -B -P -m thresher.sandbox.varied"


def restart(setup: dict[str, Any], channel: int) -> None:
    """Become a fresh interpreter under the setup's ``conditions``; a program runs there first.

    Args:
        setup: the first message, whole.
        channel: the descriptor of the socket to the trusted side.
    """
    conditions: dict[str, Any] = setup["conditions"]
    env = {**os.environ, **conditions["env"]}
    if conditions["moments"] and os.access(CLOCK, os.R_OK):
        env |= {**FAKED, "FAKETIME": conditions["moments"][0]}
    lay(conditions)
    for _ in range(conditions["processes"]):
        step_down(channel)
    if conditions["processors"]:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, range(MOST_PROCESSORS))
    if setup["role"] == "program" and conditions["rounds"] > 1:
        run_before(setup, env)
    become(setup, channel, env)


def lay(conditions: dict[str, Any]) -> None:
    """Make the folders and files, and go where the program is to run."""
    for folder in conditions["folders"]:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - pathlib costs each cell its import
    for path in conditions["files"]:
        with open(path, "w") as file:  # noqa: PTH123
            file.write(path)
    if conditions["folders"]:
        os.chdir(conditions["folders"][0])
        os.umask(0o077)


def step_down(channel: int) -> None:
    """Go on in a child, whose process id is another; this process only waits for its end."""
    child = os.fork()
    if child:
        os.close(channel)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os._exit(status if status >= 0 else KILLED - status)


def run_before(setup: dict[str, Any], env: dict[str, str]) -> None:
    """Run a program once, for what it leaves behind."""
    child = os.fork()
    if child == 0:
        become(setup, os.open("/dev/null", os.O_RDWR), env)
    os.waitpid(child, 0)


def become(setup: dict[str, Any], channel: int, env: dict[str, str]) -> None:
    """Turn into a fresh interpreter that runs `main`."""
    with open(SETUP_FILE, "wb+") as file:  # noqa: PTH123
        os.unlink(SETUP_FILE)  # noqa: PTH108
        marshal.dump({**setup, "argv": sys.argv}, file)
        file.seek(0)
        os.dup2(channel, CHANNEL)
        os.dup2(file.fileno(), SETUP)
        os.set_inheritable(CHANNEL, True)
        os.set_inheritable(SETUP, True)
        _execute(env)


def _execute(env: dict[str, str]) -> None:
    os.execve(  # noqa: S606 - an argument list
        sys.executable, [sys.executable, *COMMAND.split()], env
    )
