"""What the crawl and its child process say to each other over a socket.

A message is a frame as `multiprocessing.connection` writes it: four bytes of length, most
significant first, and MessagePack.
"""

import struct
from dataclasses import dataclass
from typing import Any

import msgspec

LENGTH = struct.Struct("!i")


@dataclass(frozen=True)
class Polite:
    """How considerate a crawl is.

    Attributes:
        delay: the least seconds between two requests to a host; a host's own word may raise it.
        concurrency: how many requests to a site may be unanswered.
        throttle: wait longer where a host answers slowly.
        timeout: seconds until a page that hasn't come whole is given up.
        most_bytes: the largest page, packed or unpacked.
        retries: how often a page is asked for again that a fault of the server or network lost.
        back_off: seconds before the first of these, twice as long before each further one.
        longest_wait: a host that asks for a wait or delay of more seconds is left alone.
        give_up: a site is left alone when so many pages in a row couldn't be had.
        listing_age: a stored page that only leads to others is asked for again after so many
            seconds.
    """

    delay: float = 1.0
    concurrency: int = 2
    throttle: bool = True
    timeout: float = 60.0
    most_bytes: int = 16 << 20
    retries: int = 3
    back_off: float = 2.0
    longest_wait: float = 600.0
    give_up: int = 10
    listing_age: float = 86400.0


@dataclass(frozen=True)
class Begin:
    """The first message: the name to give, and how to behave."""

    agent: str
    polite: Polite


@dataclass(frozen=True)
class Ask:
    """Ask a host for a page, with POST where there is a body; `number` is the answer's."""

    number: int
    url: str
    body: bytes = b""


@dataclass(frozen=True)
class Got:
    """The bytes of a page, and what robots.txt said of it."""

    number: int
    url: str
    body: bytes
    robots: str


@dataclass(frozen=True)
class Lost:
    """Why a page can't be had: a reason code and a sentence."""

    number: int
    reason: str
    why: str


@dataclass(frozen=True)
class Rules:
    """A robots.txt that was read."""

    url: str
    body: bytes


@dataclass(frozen=True)
class Note:
    """Something that went wrong in the child itself."""

    line: str


Message = Begin | Ask | Got | Lost | Rules | Note
KINDS: dict[str, type[Message]] = {
    kind.__name__: kind for kind in (Begin, Ask, Got, Lost, Rules, Note)
}


def encode(message: Message) -> bytes:
    """Return a message as bytes, without the length."""
    return msgspec.msgpack.encode((type(message).__name__, message))


def decode(data: bytes) -> Any:
    """Return the message in a frame's bytes."""
    kind, content = msgspec.msgpack.decode(data, type=tuple[str, msgspec.Raw])
    return msgspec.msgpack.decode(content, type=KINDS[kind])
