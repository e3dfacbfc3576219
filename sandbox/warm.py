"""What the server does before its first cell, so that no cell does it again.

Cells are clones of the server: what is imported, allocated and specialised here is theirs for
nothing. Standard library only: this file runs inside the wall.
"""

import importlib
import marshal
import site
import socket
import sys
from types import ModuleType
from typing import Any

from thresher.sandbox import cell
from thresher.sandbox.frames import CONTROL_BYTES, LENGTH, messages

ROUNDS = 4  # the interpreter specialises code that has run several times
MODULES = (
    "abc bisect calendar cmath collections contextlib copy dataclasses datetime decimal enum "
    "fractions functools heapq io itertools math numbers operator os pprint random re "
    "statistics string struct textwrap time traceback types typing unicodedata warnings"
)
ARGUMENTS = ([[1.0, 2.5, 4.0], 0.5], [["b", "a"], "c"], [{"object": None}, 10**6])
SAMPLE = '''
import math
from typing import Dict, List, Optional, Tuple


class Point:
    def __init__(self, x, y=0):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Point({self.x!r}, {self.y:>3})"


def words(text: str) -> List[str]:
    """Return the words of a text.

    >>> words("b, a")
    ['a', 'b']
    """
    found = [word.strip(",.").lower() for word in text.split() if word]
    return sorted(set(found), key=lambda word: (len(word), word))


def f(numbers: List[float], limit: Optional[float] = None) -> Dict[str, Tuple]:
    total, counts = 0, {}
    for index, number in enumerate(numbers):
        for other in numbers[index + 1 :]:
            if abs(number - other) < limit and number != other:
                return True
    while total < 10:
        total += 1
        if total % 2 == 0 or total // 3 > 2:
            continue
        counts[str(total)] = counts.get(str(total), 0) + 1
    try:
        return {"a": "".join(reversed(str(Point(*numbers)))), "b": words("B, a"), "c": (1, math.pi)}
    except (TypeError, ValueError) as error:
        raise KeyError(str(error)) from error
'''


def warm(codec: ModuleType) -> None:
    """Import what programs import, and serve a sample program as a cell does."""
    for name in MODULES.split():
        importlib.import_module(name)
    site.setquit()  # as every interpreter has them that isn't started with -S
    for _ in range(ROUNDS):
        _serve_sample(codec)
    del sys.modules["solution"]


def _serve_sample(codec: ModuleType) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        setup: dict[str, Any] = {"role": "calls", "program": SAMPLE, "entry_point": "f"}
        for message in (setup, *({"args": args, "kwargs": {}} for args in ARGUMENTS)):
            data = marshal.dumps(message)
            ours.sendall(LENGTH.pack(len(data)) + data)
        ours.shutdown(socket.SHUT_WR)
        cell.serve(codec, messages(theirs.fileno()), theirs.fileno())
        ours.recv(CONTROL_BYTES)
