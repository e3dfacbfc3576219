"""Which branches of a program its calls take: told to choose examples by, never for a verdict.

A branch is one of the two ways to go on after a conditional jump of the byte code, so that those
inside a line count too. Standard library only: this file runs inside the wall.
"""

import dis
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

Jumps = dict[int, tuple[int, int]]  # offset of the jump: number of its first branch, what follows


class Branches:
    """Numbers the branches of the code compiled from one file name, the entry point's first.

    Args:
        entry: the entry point's code.

    Attributes:
        total: how many branches the entry point has, with the functions defined in it.
    """

    def __init__(self, entry: CodeType) -> None:
        self._file = entry.co_filename
        self._known: dict[CodeType, Jumps] = {}
        self._next = 0
        for code in _with_inner(entry):
            self._jumps(code)
        self.total = self._next

    def _jumps(self, code: CodeType) -> Jumps:
        if code not in self._known:
            steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
            places = [
                (step.offset, following.offset)
                for step, following in zip(steps, steps[1:], strict=False)
                if "_IF_" in step.opname or step.opname == "FOR_ITER"
            ]
            numbers = range(self._next, self._next + 2 * len(places), 2)
            self._known[code] = {
                place: (number, after)
                for number, (place, after) in zip(numbers, places, strict=True)
            }
            self._next += 2 * len(places)
        return self._known[code]

    @contextmanager
    def watch(self) -> Iterator[set[int]]:
        """Give a set that holds, in the end, the numbers of the branches that were taken."""
        taken: set[int] = set()

        def enter(frame: FrameType, event: str, arg: object) -> Any:
            if frame.f_code.co_filename != self._file:
                return None
            jumps = self._jumps(frame.f_code)
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
            return _stepper(jumps, taken) if jumps else None

        sys._getframe().f_trace_opcodes = True  # Python 3.12 looks for the wish before it traces
        sys.settrace(enter)
        try:
            yield taken
        finally:
            sys.settrace(None)


def _stepper(jumps: Jumps, taken: set[int]) -> Any:
    last, jump = -1, None

    def step(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal last, jump
        if event == "opcode":
            place = frame.f_lasti
            if jump is not None:
                number, following = jump
                taken.add(number if last < place <= following else number + 1)
            last, jump = place, jumps.get(place)
        return step

    return step


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)
