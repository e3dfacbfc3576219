"""The messages between the trusted side, the warm server and its cells.

Frames go between the trusted side and the server: a kind byte, the payload's length, the payload.

    to the server    S  start a cell; JSON limits {cpu, wall, memory, processes, file, output}
                     D  bytes for the cell's input
                     K  kill the cell
    from the server  R  ready (once)
                     D  bytes from the cell's output
                     X  the cell ended; JSON {reason, status, cpu, wall}

The bytes in D frames are messages between the trusted side and the cell: a length, then JSON.
The server passes them on and never looks into them.

Standard library only: this file is used on both sides of the wall.
"""

import json
import os
import struct
from typing import Any

HEADER = struct.Struct(">cI")
LENGTH = struct.Struct(">I")
CHUNK = 1 << 16


def pack(message: object) -> bytes:
    """Turn plain data into a length-prefixed JSON message."""
    data = json.dumps(message).encode()
    return LENGTH.pack(len(data)) + data


def take(inbox: bytearray) -> bytes | None:
    """Remove the first whole message from `inbox` and return its JSON, or None."""
    if len(inbox) < LENGTH.size:
        return None
    end = LENGTH.size + LENGTH.unpack_from(inbox)[0]
    if len(inbox) < end:
        return None
    message = bytes(inbox[LENGTH.size : end])
    del inbox[:end]
    return message


def take_frame(inbox: bytearray) -> tuple[bytes, bytes] | None:
    """Remove the first whole frame from `inbox` and return its kind and payload, or None."""
    if len(inbox) < HEADER.size:
        return None
    kind, size = HEADER.unpack_from(inbox)
    end = HEADER.size + size
    if len(inbox) < end:
        return None
    payload = bytes(inbox[HEADER.size : end])
    del inbox[:end]
    return kind, payload


def read_message(fd: int) -> Any:
    """Read one message from a blocking pipe; raise EOFError at its end."""
    return json.loads(_exactly(fd, LENGTH.unpack(_exactly(fd, LENGTH.size))[0]))


def write_message(fd: int, message: object) -> None:
    """Write one message to a blocking pipe."""
    data = memoryview(pack(message))
    while data:
        data = data[os.write(fd, data) :]


def _exactly(fd: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(fd, min(size, CHUNK))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
