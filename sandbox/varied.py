"""Inside a cell: the fresh interpreter that a cell became, to run a program under other conditions.

It makes the calls in several rounds and sends each answer that a case hasn't had yet, and at the
end what it saw: which sources of varying values were read, and what the program keeps.

Standard library only: this file runs inside the wall.
"""

import contextlib
import importlib
import marshal
import os
import random
import sys
from collections.abc import Iterator
from time import monotonic, process_time
from types import ModuleType
from typing import Any

from thresher.sandbox import cell, surroundings, watching
from thresher.sandbox.calls import Answer, Program, guarded, respond
from thresher.sandbox.frames import encode, write_message
from thresher.sandbox.names import Names
from thresher.sandbox.program import serve_program
from thresher.sandbox.restart import CHANNEL, FAKED, SETUP

# Rounds of a program that reads something that varies, or keeps something: so many, as far as a
# quarter of the CPU limit goes, and more of one whose rounds cost next to nothing.
MANY_ROUNDS, MOST_ROUNDS = 24, 240
SPENT, CHEAP_SECONDS = 0.25, 0.2
# What makes the clock another is for the C library alone.
HIDDEN = ("FAKETIME", "FAKETIME_SHARED", *FAKED)
Conditions = dict[str, Any]


def main() -> None:
    """Read the setup, change what is changed in the process itself, and serve."""
    with open(SETUP, "rb") as file:  # noqa: PTH123
        setup = marshal.load(file)  # noqa: S302 - the trusted side's
    conditions: Conditions = setup["conditions"]
    sys.argv[:] = setup["argv"]
    surroundings.change(conditions)
    for name in HIDDEN:
        os.environ._data.pop(name.encode(), None)  # type: ignore[attr-defined]
    if setup["role"] == "program":
        serve_program(setup, CHANNEL)
    else:
        serve_rounds(importlib.import_module("values"), setup)
    os._exit(0)


def serve_rounds(codec: ModuleType, setup: dict[str, Any]) -> None:
    """Load the program and make its calls round by round; say what came and what was seen."""
    conditions: Conditions = setup["conditions"]
    seen: set[str] = set()
    loaded: list[Program] = []

    def prepare() -> Answer:
        with watching.sources(seen):
            space = dict(cell.load(setup["program"]))
        candidate = space[setup["entry_point"]]
        loaded.append(Program(codec, Names(space), candidate, setup["mode"]))
        return {"loaded": True}

    write_message(CHANNEL, guarded(prepare, cell.NO_NAMES))
    for program in loaded:
        space = vars(sys.modules["solution"])
        report = Rounds(program, space, setup["calls"], conditions, seen).run()
        write_message(CHANNEL, report)


class Rounds:
    """Rounds of calls of one program, and what was seen in them."""

    def __init__(
        self,
        program: Program,
        space: dict[str, Any],
        calls: list[dict[str, Any]],
        conditions: Conditions,
        seen: set[str],
    ) -> None:
        self.program, self.space, self.calls = program, space, calls
        self.conditions, self.seen = conditions, seen
        self.known: set[tuple[int, str]] = set()
        self.mutated: set[str] = set()
        self.made, self.begun, self.began_with = 0, monotonic(), process_time()

    def run(self) -> dict[str, Any]:
        """Make all rounds and return the report."""
        before = self.state()
        changed: list[str] = []
        rounds = 0
        for order in self.orders():
            moment = self.conditions["moments"]
            if moment:
                os.putenv("FAKETIME", moment[rounds % len(moment)])
            for number in order:
                surroundings.shift(self.conditions["memory"], rounds)
                self.call(number, rounds)
            rounds += 1
            if rounds == 1:
                changed = watching.changes(before, self.state())
            if rounds >= self.conditions["rounds"] and not self.wants_more(rounds, changed):
                break
        return {
            "rounds": rounds,
            "calls": self.made,
            "seen": sorted(self.seen),
            "changed": changed,
            "mutated": sorted(self.mutated),
            "missing": surroundings.missing(self.conditions),
        }

    def state(self) -> dict[str, str]:
        """Return what the program keeps; nothing where its objects don't let themselves be read."""
        with contextlib.suppress(Exception):
            return watching.state(self.program.codec, self.space)
        return {}

    def orders(self) -> Iterator[list[int]]:
        """Yield the cases of each round: as they are or reversed, then each twice, then mixed."""
        numbers = list(range(len(self.calls)))
        if self.conditions["reverse"]:
            numbers.reverse()
        yield numbers
        yield [number for number in numbers for _ in range(2)]
        shuffled = random.Random(0)  # noqa: S311 - only an order
        for _ in range(2, MOST_ROUNDS):
            if self.conditions["reverse"]:
                shuffled.shuffle(numbers)
            yield numbers

    def wants_more(self, rounds: int, changed: list[str]) -> bool:
        """Say whether what varies may not have shown yet, and there is time to look."""
        suspicious = bool(changed) or not self.seen.isdisjoint(watching.VARYING)
        cpu = self.conditions["cpu"]
        most = SPENT * cpu if rounds < MANY_ROUNDS else self.began_with + CHEAP_SECONDS
        spent = process_time() > most or monotonic() > self.begun + cpu
        return self.conditions["rounds"] > 1 and suspicious and not spent

    def call(self, number: int, rounds: int) -> None:
        """Make one call; send its answer if the case hasn't had it."""
        call = self.calls[number]
        decode = self.program.decode
        args = list(map(decode, call["args"]))
        kwargs = {name: decode(tree) for name, tree in call["kwargs"].items()}
        depth = self.conditions["memory"] and self.conditions["memory"] + rounds % 3
        with contextlib.nullcontext() if rounds else watching.sources(self.seen):
            reply = surroundings.deeper(
                depth, lambda: respond(self.program, args, kwargs, call["after"])
            )
        self.made += 1
        text = "".join(encode(reply, 0))
        if (number, text) not in self.known:
            self.known.add((number, text))
            write_message(CHANNEL, {"case": number, "round": rounds, **reply})
        self.compare(args, kwargs, call)

    def compare(self, args: list[Any], kwargs: dict[str, Any], call: dict[str, Any]) -> None:
        """Note which arguments are no longer what was given."""
        given = {**{str(n): (value, call["args"][n]) for n, value in enumerate(args)}}
        given |= {name: (value, call["kwargs"][name]) for name, value in kwargs.items()}
        for name, (value, tree) in given.items():
            if name not in self.mutated:
                with contextlib.suppress(Exception):
                    if self.program.encode(value) == tree:
                        continue
                self.mutated.add(name)


if __name__ == "__main__":
    main()
