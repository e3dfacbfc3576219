"""The messages between the trusted side, the warm server and its cells.

The trusted side listens on three Unix sockets in a folder that the wall shows as `CHANNEL`: a wall
such as gVisor passes no descriptors in, but lets its server connect out.

``control`` is connected once. Its messages are one packet each, of packed numbers: READY from the
server, then in turns START (a cell, on the oldest connection to ``cells``) and, when it has ended,
its REPORT. ``guard`` is connected once by the process that kills cells, and takes KILL.

``cells`` is connected by the server once per cell, which alone reads and writes that connection:
what programs are given and answer never is in the memory that later cells are cloned from. To the
cell go its LIMITS, then messages; a message is a length, then plain data: marshalled to the cell,
as JSON from it, since that side is trusted and this one is not.

Standard library only: this file is used on both sides of the wall.
"""

import json.encoder
import marshal
import os
import struct
from collections.abc import Iterator
from typing import Any

CHANNEL = "/tmp/channel"  # noqa: S108 - the /tmp of cells hides it
LENGTH = struct.Struct(">I")
CHUNK = 1 << 16
CONTROL_BYTES = 4096
READY = b"R"
START = struct.Struct("<iQ")  # 0, where the cell's process will stand, and its number
LIMITS = struct.Struct("=8Q")  # CPU seconds, bytes of memory and of a file, processes; each twice
REPORT = struct.Struct("<i4x4q")  # wait status; seconds and microseconds of user and of system time
KILL = struct.Struct("<Q")  # the cell's number, since it may have ended by itself
# What json.dumps uses in the end; cells are many and short.
encode = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, None, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, True
)


def take(inbox: bytearray) -> list[bytes]:
    """Remove the whole messages from `inbox` and return their contents."""
    found, end = [], 0
    while len(inbox) >= (start := end + LENGTH.size):
        after = start + LENGTH.unpack_from(inbox, end)[0]
        if len(inbox) < after:
            break
        found.append(bytes(inbox[start:after]))
        end = after
    del inbox[:end]
    return found


def messages(fd: int) -> Iterator[Any]:
    """Yield the messages of a blocking descriptor until its end."""
    inbox = bytearray()
    while data := os.read(fd, CHUNK):
        inbox += data
        for message in take(inbox):
            yield marshal.loads(message)  # noqa: S302 - the trusted side's


def write_message(fd: int, message: object) -> None:
    """Write one message to a blocking descriptor."""
    text = "".join(encode(message, 0))
    data = LENGTH.pack(len(text)) + text.encode()
    while data:
        data = data[os.write(fd, data) :]
