"""The crawl's end of the socket, and the child process behind it."""

import contextlib
import multiprocessing.connection
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thresher.crawlers.engine.messages import Begin, Message, decode, encode
from thresher.errors import InfrastructureError

PATIENCE = 5.0  # seconds that the child has to end of itself


class Fetcher:
    """Asks the child for pages; it is started with the first message."""

    def __init__(self, begin: Begin, errors: Path) -> None:
        self._begin, self._errors = begin, errors
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: multiprocessing.connection.Connection | None = None

    def send(self, message: Message) -> None:
        """Send a message.

        Raises:
            InfrastructureError: the child has ended.
        """
        connection = self._connection or self._start()
        with self._end_named():
            connection.send_bytes(encode(message))

    def receive(self, timeout: float | None) -> Any:
        """Return the next message, None where there is none for `timeout` seconds.

        Raises:
            InfrastructureError: the child has ended.
        """
        connection = self._connection or self._start()
        with self._end_named():
            return decode(connection.recv_bytes()) if connection.poll(timeout) else None

    def _start(self) -> multiprocessing.connection.Connection:
        ours, theirs = socket.socketpair()
        number = theirs.fileno()
        # -P: nothing of the folder that the user works in is imported.
        command = [sys.executable, "-P", "-m", "thresher.crawlers.engine.child", str(number)]
        with theirs, self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                pass_fds=[number],
                start_new_session=True,  # Ctrl-C is for us alone
            )
        self._connection = multiprocessing.connection.Connection(ours.detach())
        self._connection.send_bytes(encode(self._begin))
        return self._connection

    @contextlib.contextmanager
    def _end_named(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError):
            lines = self._errors.read_text(errors="replace").split("\n")
            last = next((line for line in reversed(lines) if line.strip()), "it left no word")
            raise InfrastructureError(
                f"the crawler's process has ended ({last.strip()}): run the same command again to "
                "go on where it was"
            ) from None

    def close(self, patience: float) -> None:
        """End the child, by force after `patience` seconds."""
        if self._connection:
            self._connection.close()
        if self._process:
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


@contextlib.contextmanager
def fetching(begin: Begin, folder: Path) -> Iterator[Fetcher]:
    """Give a fetcher; its child writes what goes wrong to a file in `folder`."""
    fetcher = Fetcher(begin, folder / f"crawler-{os.getpid()}.log")
    patience = 0.0  # whatever interrupts the crawl leaves nothing to wait for
    try:
        yield fetcher
        patience = PATIENCE
    finally:
        fetcher.close(patience)
