"""C library calls that Python doesn't offer. Standard library only: runs inside the wall."""

import ctypes
import functools
import os
from collections.abc import Callable
from typing import Any

_LIBC = ctypes.PyDLL(None, use_errno=True)  # PyDLL keeps the interpreter lock across clone


def call(name: str, *arguments: Any) -> int:
    """Call a C library function; raise OSError where it returns a negative number."""
    result: int = getattr(_LIBC, name)(*arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def prepared(name: str, *arguments: Any) -> Callable[..., int]:
    """Return a C library function with its arguments, found and made ready once for many calls.

    Clones of a process that call it touch few pages of the memory that they share. It returns a
    negative number where it fails.
    """
    return functools.partial(_LIBC[name], *arguments)
