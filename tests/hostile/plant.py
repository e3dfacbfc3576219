"""What hostile bodies look for: secrets planted on this host, and listeners that count callers."""

import contextlib
import os
import secrets
import selectors
import socket
import sysconfig
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

VARIABLE = "THRESHER_HOSTILE_SECRET"
REPOSITORY = Path(__file__).resolve().parents[2]
IPV4, IPV6 = "127.0.0.1", "::1"
WAIT_SECONDS = 5.0


class Planted(NamedTuple):
    """The planted things by name, whoever called a listener, and a file that must never appear."""

    names: Mapping[str, str]
    callers: list[str]
    canary: Path


class Listeners:
    """A thread that answers every caller with the secret and notes it; a context manager.

    Args:
        secret: what callers are told.
        folder: where the named Unix socket is.
    """

    def __init__(self, secret: str, folder: Path) -> None:
        self.callers: list[str] = []
        self.names: dict[str, str] = {}
        self._secret = secret.encode()
        self._abstract = f"thresher-{secrets.token_hex(6)}"
        self._folder = folder
        self._selector = selectors.DefaultSelector()
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> "Listeners":
        """Open every socket and listen."""
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        path = str(self._folder / "socket")
        self.names = {"ABSTRACT": self._abstract, "SOCKET": path}
        self._port("TCP", socket.AF_INET, socket.SOCK_STREAM, IPV4)
        self._port("UDP", socket.AF_INET, socket.SOCK_DGRAM, IPV4)
        with socket.socket() as free:  # a port for a body to listen on
            free.bind((IPV4, 0))
            self.names["LISTEN"] = str(free.getsockname()[1])
        self._port("TCP6", socket.AF_INET6, socket.SOCK_STREAM, IPV6)
        self._port("UDP6", socket.AF_INET6, socket.SOCK_DGRAM, IPV6)
        self._open("abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self._abstract}")
        datagram = f"\0{self._abstract}-datagram"
        self._open("abstract datagram", socket.AF_UNIX, socket.SOCK_DGRAM, datagram)
        self._open("socket file", socket.AF_UNIX, socket.SOCK_STREAM, path)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop listening and close every socket."""
        self._wake.send(b"x")
        self._thread.join(WAIT_SECONDS)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._wake.close()
        self._selector.close()

    def _port(self, name: str, family: int, kind: int, host: str) -> None:
        self.names[name] = "9"
        with contextlib.suppress(OSError):  # a host without IPv6 has nobody to reach there
            listener = self._open(name, family, kind, (host, 0))
            self.names[name] = str(listener.getsockname()[1])

    def _open(self, name: str, family: int, kind: int, address: object) -> socket.socket:
        listener = socket.socket(family, kind)
        try:
            listener.bind(address)  # type: ignore[arg-type]
        except OSError:
            listener.close()
            raise
        if kind == socket.SOCK_STREAM:
            listener.listen(64)
        self._selector.register(listener, selectors.EVENT_READ, name)
        return listener

    def _serve(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    return
                listener = key.fileobj
                self.callers.append(key.data)
                with contextlib.suppress(OSError):
                    self._answer(listener)  # type: ignore[arg-type]

    def _answer(self, listener: socket.socket) -> None:
        if listener.type == socket.SOCK_STREAM:
            with listener.accept()[0] as caller:
                caller.sendall(self._secret)
            return
        _, address = listener.recvfrom(999)
        if address:
            listener.sendto(self._secret, address)


@contextlib.contextmanager
def plant() -> Iterator[Planted]:
    """Plant secrets in the environment, in files and behind sockets; take them away again."""
    secret = f"planted-{secrets.token_hex(8)}"
    os.environ[VARIABLE] = secret
    with contextlib.ExitStack() as stack:
        stack.callback(os.environ.pop, VARIABLE, None)
        tmp, home = (
            Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=".hostile-", dir=folder)))
            for folder in (None, _home())
        )
        for folder in (tmp, home):
            (folder / "secret").write_text(secret)
        listeners = stack.enter_context(Listeners(secret, tmp))
        names = {
            **listeners.names,
            "SECRET": secret,
            "FILE": str(tmp / "secret"),
            "HOME_FILE": str(home / "secret"),
            "HOME": str(Path.home()),
            "CANARY": str(tmp / "canary"),
            "PID": str(os.getpid()),
            "REPOSITORY": str(REPOSITORY),
            "SITE": sysconfig.get_path("purelib"),
        }
        yield Planted(names, listeners.callers, tmp / "canary")


def _home() -> Path | None:
    """Return the home folder, or None (for /tmp) where it can't be written."""
    return Path.home() if os.access(Path.home(), os.W_OK) else None
