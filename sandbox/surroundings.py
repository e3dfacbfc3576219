"""Inside a cell: what a program may look at or depend on is changed in the process itself.

These are facts of one machine and one moment, so nothing promises a program any of them. Standard
library only: this file runs inside the wall.
"""

import _socket
import gc
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

now, processors_of = time.time, os.sched_getaffinity  # the true ones
FAR = 3600.0  # seconds; a changed clock is further from the true one
SWITCH_SECONDS = 1e-6
LATE_SECONDS, LATE_OFTEN, LATE_STEPS = 0.002, 0.3, 40  # of each thread that begins
READ = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
KNOWN_BEFORE = (queue, threading)  # they have the true timers
kept: list[Any] = []  # so that what is next has another address


def change(conditions: dict[str, Any]) -> None:
    """Change what has no variable or file of its own; before the program is loaded."""
    if conditions["machine"]:
        change_machine(conditions["machine"], conditions["number"])
    if conditions["listing"]:
        change_listing()
    if conditions["memory"]:
        change_memory(conditions["memory"])
    if conditions["load"]:
        change_load(conditions["load"])


def change_machine(name: str, number: int) -> None:
    """Give the machine another name and other numbers, the command line another program."""
    there = os.uname()
    others = os.uname_result((there.sysname, name, there.release, there.version, there.machine))
    identities = dict.fromkeys(("getuid", "geteuid", "getgid", "getegid", "getppid"), number)
    processors = number % 7 + 2
    facts = {"uname": others, "cpu_count": processors, "sched_getaffinity": set(range(processors))}
    for key, value in (*identities.items(), *facts.items()):
        setattr(os, key, _giving(value))
    vars(_socket)["gethostname"] = _giving(name)
    loads = (number % 5 + 0.25, number % 3 + 0.5, 0.75)
    os.getloadavg = _giving(loads)
    sys.argv[:] = [f"/opt/{name}/run.py", f"--{name}"]
    sys.path.insert(0, f"/opt/{name}")
    sys.executable = f"/opt/{name}/python"


def _giving(value: Any) -> Callable[..., Any]:
    def give(*_arguments: object, kind: str = "environment") -> Any:  # see `watching`
        return value

    return give


def change_listing() -> None:
    """Give the entries of folders in another order: none is promised."""
    listdir, scandir = os.listdir, os.scandir

    class Reversed:
        def __init__(self, *path: Any) -> None:
            with scandir(*path) as entries:
                self.entries = iter(list(entries)[::-1])

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> Any:
            return next(self.entries)

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def close(self) -> None:
            pass

    vars(os)["listdir"] = lambda *path: listdir(*path)[::-1]
    vars(os)["scandir"] = Reversed


def change_memory(number: int) -> None:
    """Collect garbage seldom or often, and count one reference more."""
    if number % 2:
        gc.disable()
    else:
        gc.set_threshold(50)
    counted = sys.getrefcount
    vars(sys)["getrefcount"] = lambda value: counted(value) + number
    shift(number, number)


def shift(number: int, rounds: int) -> None:
    """Take up some memory of all small sizes, where `number` isn't 0."""
    if number:
        kept.extend([bytearray(size) for size in range(1, 512, 8)] * (1 + rounds % 3))
        kept.extend(object() for _ in range(7 * number + rounds))
        del kept[: len(kept) // 3 : 2]


def deeper(depth: int, call: Callable[[], Any]) -> Any:
    """Make a call from so many frames further down."""
    return deeper(depth - 1, call) if depth > 0 else call()


def change_load(seconds: float) -> None:
    """Let threads be late and change often, and more time pass between looks at a timer.

    Waiting with a limit goes by the true time: that something came too late is no other answer.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    sleep, late = time.sleep, random.Random()  # noqa: S311

    def begin(*_event: object) -> None:
        steps = iter(range(LATE_STEPS))

        def delay(*_event: object) -> None:
            if next(steps, None) is None:
                sys.setprofile(None)
            elif late.random() < LATE_OFTEN:
                sleep(late.random() * LATE_SECONDS)

        sys.setprofile(delay)
        delay()

    threading.setprofile(begin)
    passed = [0.0]
    for name in READ:
        kind = "clock" if name == "time" else "timers"
        vars(time)[name] = _slow(getattr(time, name), passed, seconds, 1, kind)
        name_ns = f"{name}_ns"
        vars(time)[name_ns] = _slow(getattr(time, name_ns), passed, seconds, 10**9, kind)


def _slow(clock: Any, passed: list[float], seconds: float, unit: int, kind: str) -> Any:
    def read(kind: str = kind) -> Any:
        passed[0] += seconds
        extra = passed[0] * unit
        return clock() + (int(extra) if unit > 1 else extra)

    return read


def missing(conditions: dict[str, Any]) -> list[str]:
    """Name what could not be changed here, as seen from inside."""
    found = []
    if conditions["moments"] and abs(now() - conditions["now"]) < FAR:
        found.append("clock")
    if conditions["processes"] and os.getpid() == 1:
        found.append("process id")
    if conditions["processors"] and len(processors_of(0)) < 2:  # noqa: PLR2004
        found.append("processors")
    return found
