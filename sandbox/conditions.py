"""What is changed where a program runs, and what is seen of it there."""

import time
from typing import Any

import msgspec

from thresher.sandbox.remote import CellLimits


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """What is changed where a program runs; without arguments a fresh interpreter alone.

    Attributes:
        env: variables, PYTHONHASHSEED among them.
        moments: what the clock shows at the start of each round, as libfaketime reads it.
        folders: what is made, the first to run in.
        files: paths of what lies there before.
        processes: how many processes there are before the program's.
        processors: whether it may run on all processors, not on one.
        machine: another name for the machine and the command line, `number` for its ids.
        listing: whether folders are listed in another order.
        memory: how much is shifted; 0 is nothing.
        load: seconds that pass more whenever a timer is read, while threads begin late.
        rounds: how often all calls are made; a program runs twice at most.
        reverse: whether the calls are made from the last to the first.
    """

    env: dict[str, str] = {}
    moments: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    processes: int = 0
    processors: bool = False
    machine: str = ""
    number: int = 0
    listing: bool = False
    memory: int = 0
    load: float = 0.0
    rounds: int = 1
    reverse: bool = False


class Seen(msgspec.Struct, frozen=True):
    """What a cell says of its rounds of calls.

    Attributes:
        rounds: how many there were.
        calls: how many calls in all.
        seen: kinds of sources of varying values that were read.
        changed: names of what the program keeps, where that changed.
        mutated: arguments that a call changed.
        missing: what could not be varied here.
    """

    rounds: int = 1
    calls: int = 1
    seen: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    mutated: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def plain(conditions: Conditions, limits: CellLimits) -> dict[str, Any]:
    """Return conditions as the cell reads them, with the time now and what it may use."""
    return {**msgspec.structs.asdict(conditions), "now": time.time(), "cpu": limits.cpu}
