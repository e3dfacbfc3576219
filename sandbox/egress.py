"""The way out: an HTTP proxy on the trusted side that lets a sandbox reach listed hosts only.

It listens on a Unix socket in a private folder, which is mounted into the sandbox. It speaks
CONNECT (for https) and absolute-form GET and HEAD (for http), looks names up on the host, goes
through the host's own proxy where there is one, and logs every attempt.
"""

import asyncio
import base64
import contextlib
import ipaddress
import socket
import threading
import urllib.request
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import SplitResult, unquote, urlsplit

from thresher.sandbox.leftovers import scratch_folder

Host = tuple[str, int]
HEADER_BYTES = 16384
HEADER_SECONDS = 30.0
CONNECT_SECONDS = 30.0
IDLE_SECONDS = 300.0
CONNECTIONS_AT_ONCE = 128
LOGGED = 10_000
OWN_HEADERS = (
    *(b"host:", b"connection:", b"proxy-", b"keep-alive:", b"upgrade:", b"te:", b"expect:"),
    *(b"content-length:", b"transfer-encoding:", b"trailer:"),
)


class Connection(NamedTuple):
    """One attempt to get out: where to, whether it was allowed, bytes in both directions."""

    host: str
    port: int
    allowed: bool
    bytes: int
    error: str = ""


class RefusedError(Exception):
    """A request that isn't served; becomes the HTTP status line."""


@dataclass
class Request:
    """What the sandbox asked for: a tunnel to `host`, or one plain request to it."""

    method: str
    host: Host
    path: str
    headers: list[bytes]
    bytes: int = 0
    answered: bool = False


class Egress:
    """Context manager: the proxy runs in a thread of its own while the block lasts.

    Args:
        hosts: the (name, port) pairs that may be reached; names in any case.
        private: the names among them whose address may be private or on this host.

    Attributes:
        log: every attempt that has ended, in that order, up to `LOGGED`.
    """

    def __init__(self, hosts: Collection[Host], private: Collection[str] = ()) -> None:
        self._hosts = frozenset((_name(name), port) for name, port in hosts)
        # An address, or localhost, says itself that it is meant.
        literal = {name for name, _ in self._hosts if name == "localhost" or _is_address(name)}
        self._private = frozenset(map(_name, private)) | literal
        self._stack = contextlib.ExitStack()
        self._ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve()), name="egress", daemon=True
        )
        self.log: list[Connection] = []

    @property
    def socket(self) -> Path:
        """The Unix socket to mount into the sandbox."""
        return self._folder / "proxy"

    def __enter__(self) -> Self:
        """Start listening."""
        self._folder = self._stack.enter_context(scratch_folder("egress"))
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *error: object) -> None:
        """End all connections and remove the socket."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._stack.close()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        tasks: set[asyncio.Task[None]] = set()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if len(tasks) >= CONNECTIONS_AT_ONCE:
                writer.close()
                return
            task = asyncio.create_task(self._handle(reader, writer))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        server = await asyncio.start_unix_server(accept, self.socket, limit=HEADER_BYTES)
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of the sandbox; nothing it sends can raise out of here."""
        request: Request | None = None
        error = ""  # an HTTP status line
        try:
            request = await _read_request(reader)
            await self._forward(request, reader, writer)
        except RefusedError as refused:
            error = str(refused)
        # RuntimeError: Python ends, and starts no more threads to look names up.
        except (OSError, TimeoutError, EOFError, RuntimeError) as failure:
            error = " ".join(f"502 {type(failure).__name__}: {failure}".split())
        finally:
            if error and not (request and request.answered):
                writer.write(f"HTTP/1.1 {error}\r\nConnection: close\r\n\r\n".encode())
            self._note(request, error)
            await _close(writer)

    def _note(self, request: Request | None, error: str) -> None:
        if request is not None and len(self.log) < LOGGED:
            allowed = request.host in self._hosts and not error.startswith("403")
            self.log.append(Connection(*request.host, allowed, request.bytes, error))

    async def _forward(
        self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if request.host not in self._hosts:
            raise RefusedError(f"403 {request.host[0]}:{request.host[1]} is not on the allow-list")
        upstream = _host_proxy(request)
        there = await asyncio.wait_for(self._connect(request, upstream), CONNECT_SECONDS)
        try:
            if request.method == "CONNECT":
                await _open_tunnel(request, upstream, *there)
                request.answered = True
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await _pump_both(request, (reader, writer), there)
            else:
                # Only the answer is copied: what follows the header could be a second request.
                there[1].write(_plain_request(request, upstream))
                request.answered = True
                await _pump(request, there[0], writer)
        finally:
            await _close(there[1])

    async def _connect(
        self, request: Request, upstream: SplitResult | None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if upstream is not None:
            secure = upstream.scheme == "https"
            port = upstream.port or (443 if secure else 80)
            return await asyncio.open_connection(
                upstream.hostname, port, ssl=secure or None, limit=HEADER_BYTES
            )
        name, port = request.host
        found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
        addresses = [str(sockaddr[0]) for *_, sockaddr in found]
        if name not in self._private:
            addresses = [text for text in addresses if ipaddress.ip_address(text).is_global]
        if not addresses:
            raise RefusedError(f"403 {name} has an address in a private network only")
        for address in addresses[:-1]:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(address, port, limit=HEADER_BYTES)
        return await asyncio.open_connection(addresses[-1], port, limit=HEADER_BYTES)


async def _read_request(reader: asyncio.StreamReader) -> Request:
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEADER_SECONDS)
    except asyncio.LimitOverrunError as error:
        raise RefusedError("431 The header is too large") from error
    first, *headers = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    words = first.decode("ascii", "replace").split(" ")
    if len(words) != 3 or words[0] not in ("CONNECT", "GET", "HEAD"):
        raise RefusedError("405 Only CONNECT, and GET and HEAD of http addresses, are possible")
    try:
        host, path = _target(words[0], words[1])
    except ValueError as error:
        raise RefusedError("400 The address must be absolute and http") from error
    return Request(words[0], host, path, headers)


def _target(method: str, address: str) -> tuple[Host, str]:
    """Return the host and path of a request; raise ValueError when it's no plain address."""
    parts = urlsplit(f"//{address}" if method == "CONNECT" else address)
    if parts.scheme != ("" if method == "CONNECT" else "http") or not parts.hostname:
        raise ValueError(address)
    if not (address.isascii() and address.isprintable()):
        raise ValueError(address)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return (_name(parts.hostname), parts.port or (443 if method == "CONNECT" else 80)), path


def _plain_request(request: Request, upstream: SplitResult | None) -> bytes:
    """Return the request to send on: the Host is the one that was checked, nothing is kept."""
    name, port = request.host
    authority = (f"[{name}]" if ":" in name else name) + ("" if port == 80 else f":{port}")
    target = request.path if upstream is None else f"http://{authority}{request.path}"
    headers = [
        line
        for line in request.headers
        if b"\n" not in line and b"\r" not in line and not line.lower().startswith(OWN_HEADERS)
    ]
    lines = [
        f"{request.method} {target} HTTP/1.1".encode(),
        f"Host: {authority}".encode(),
        b"Connection: close",
        *_authorisation(upstream),
        *headers,
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n"


async def _open_tunnel(
    request: Request,
    upstream: SplitResult | None,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """Ask the host's own proxy for a tunnel, when there is one."""
    if upstream is None:
        return
    authority = "{}:{}".format(*request.host)
    lines = [f"CONNECT {authority} HTTP/1.1".encode(), f"Host: {authority}".encode()]
    writer.write(b"\r\n".join([*lines, *_authorisation(upstream), b"", b""]))
    answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), CONNECT_SECONDS)
    status = answer.split(b"\r\n")[0].split(b" ")
    if len(status) < 2 or status[1] != b"200":
        raise OSError(f"the proxy {upstream.hostname} answered {answer.splitlines()[0]!r}")


def _host_proxy(request: Request) -> SplitResult | None:
    """Return the proxy that the host itself uses for this request, from its environment."""
    kind = "https" if request.method == "CONNECT" else "http"
    proxy = urllib.request.getproxies_environment().get(kind)
    if not proxy or urllib.request.proxy_bypass("{}:{}".format(*request.host)):
        return None
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}")


def _authorisation(upstream: SplitResult | None) -> list[bytes]:
    if upstream is None or upstream.username is None:
        return []
    secret = f"{unquote(upstream.username)}:{unquote(upstream.password or '')}"
    return [b"Proxy-Authorization: Basic " + base64.b64encode(secret.encode())]


async def _pump_both(
    request: Request,
    here: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    there: tuple[asyncio.StreamReader, asyncio.StreamWriter],
) -> None:
    outward = asyncio.create_task(_pump(request, here[0], there[1]))
    try:
        await _pump(request, there[0], here[1])
    finally:
        outward.cancel()
        await asyncio.gather(outward, return_exceptions=True)


async def _pump(
    request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Copy until the end, counting; pass the end on."""
    while data := await asyncio.wait_for(reader.read(HEADER_BYTES), IDLE_SECONDS):
        request.bytes += len(data)
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError, asyncio.CancelledError):
        await writer.wait_closed()


def _name(host: str) -> str:
    return host.lower().strip("[]").removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
