"""The server's start: what it does before its first cell, so that no cell does it again.

Cells are clones of the server: what is imported, allocated and specialised here is theirs for
nothing. But a page of memory that a cell writes to is copied, and Python writes to all that it
looks at. So the modules that serve cells come last, into pages of their own, and what cells make
does not lie among the objects that are there.

Standard library only: this file runs inside the wall.

Usage: ``python -m thresher.sandbox.warm``, where `thresher.sandbox.frames.CHANNEL` holds the
sockets of the trusted side.
"""

import ctypes
import gc
import importlib
import marshal
import site
import socket
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

CODEC = "values"  # the module's name inside the wall
ROUNDS = 4  # the interpreter specialises code that has run several times
MODULES = (
    "atexit json.encoder keyword mmap platform resource "  # for what serves cells
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
# Blocks of up to 512 bytes lie in pools of one size, see Objects/obmalloc.c; others in the C heap.
SMALL, LARGE = range(16, 513, 16), range(528, 8193, 16)
POOL, FIRST = 1 << 14, 48  # a pool's size, and where its first block lies
FAR, MOST = 100_000, 1 << 20  # a piece that no gap holds; bytes to use up of one size


def main() -> None:
    """Import what programs import, then what serves them, and serve."""
    for name in MODULES.split():
        importlib.import_module(name)
    site.setquit()  # as every interpreter has them that isn't started with -S
    pack()
    from thresher.sandbox import server

    server.main(warm)


def warm() -> ModuleType:
    """Serve a sample program as a cell does, and return the module that encodes values."""
    codec = importlib.import_module(CODEC)
    for _ in range(ROUNDS):
        _serve_sample(codec)
    del sys.modules["solution"]
    pack()
    return codec


def pack() -> None:
    """Use up the gaps between objects: what is made from now on lies together, in new pages."""
    gc.collect()
    for size in SMALL:
        _use_up(size, lambda block: block % POOL == FIRST)
    end = _allocate(FAR)
    for size in LARGE:
        _use_up(size, lambda block: block > end)
    _release(end)
    ctypes.pythonapi.malloc_trim(0)


def _use_up(size: int, is_new: Callable[[int], bool]) -> None:
    for _ in range(MOST // size):
        block = _allocate(size)
        if is_new(block):
            _release(block)
            break


def _serve_sample(codec: ModuleType) -> None:
    from thresher.sandbox import cell
    from thresher.sandbox.frames import CONTROL_BYTES, LENGTH, messages

    ours, theirs = socket.socketpair()
    with ours, theirs:
        setup: dict[str, Any] = {"role": "calls", "program": SAMPLE, "entry_point": "f"}
        for message in (setup, *({"args": args, "kwargs": {}} for args in ARGUMENTS)):
            data = marshal.dumps(message)
            ours.sendall(LENGTH.pack(len(data)) + data)
        ours.shutdown(socket.SHUT_WR)
        cell.serve(codec, messages(theirs.fileno()), theirs.fileno())
        ours.recv(CONTROL_BYTES)


_allocate, _release = ctypes.pythonapi.PyObject_Malloc, ctypes.pythonapi.PyObject_Free
_allocate.argtypes, _allocate.restype = [ctypes.c_size_t], ctypes.c_size_t
_release.argtypes = [ctypes.c_size_t]

if __name__ == "__main__":
    main()
