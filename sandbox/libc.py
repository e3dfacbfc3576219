"""C library calls that Python doesn't offer. Standard library only: runs inside the wall."""

import ctypes
import os
from typing import Any

_LIBC = ctypes.PyDLL(None, use_errno=True)  # PyDLL keeps the interpreter lock across clone


def call(name: str, *arguments: Any) -> int:
    """Call a C library function; raise OSError where it returns a negative number."""
    result: int = getattr(_LIBC, name)(*arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def resolve(*names: str) -> None:
    """Look functions up, so that the clones of this process don't."""
    for name in names:
        getattr(_LIBC, name)
