"""The trusted side's ends of the Unix sockets to a server: made, taken, and who is at the other."""

import select
import socket
from pathlib import Path

from thresher.errors import InfrastructureError

PEER = 3 * 4  # struct ucred: process, user, group


def listen(path: Path, kind: socket.SocketKind) -> socket.socket:
    """Return a socket that takes connections at a path."""
    listener = socket.socket(socket.AF_UNIX, kind)
    listener.bind(str(path))
    listener.listen()
    return listener


def accept(listener: socket.socket, ended: int, seconds: float) -> socket.socket:
    """Take the server's next connection, unless it ends.

    Args:
        listener: where the server connects.
        ended: a descriptor that is readable when it has ended.
        seconds: how long to wait.
    """
    readable, _, _ = select.select([listener.fileno(), ended], [], [], seconds)
    if listener.fileno() in readable:
        return listener.accept()[0]
    raise InfrastructureError(
        "the sandbox server ended on its own" if readable else "the sandbox server did not start"
    )


def send(channel: socket.socket, packet: bytes) -> None:
    """Send a packet to the server."""
    try:
        channel.send(packet)
    except OSError:
        raise InfrastructureError("the sandbox server ended on its own") from None


def peer(channel: socket.socket) -> bytes:
    """Return who connected a socket: process, user and group, as the kernel tells."""
    return channel.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER)
