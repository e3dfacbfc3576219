"""A real HTTP server on 127.0.0.1 that answers as a test says and logs what it was asked."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

HTML = "text/html; charset=utf-8"


class Asked(NamedTuple):
    """One request: when it came (monotonic seconds), and what it was; header names are lower."""

    at: float
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Answer(NamedTuple):
    """What to answer: after `wait` seconds, and with a body cut short where `cut` says so."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = {}
    wait: float = 0.0
    cut: bool = False


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of crawlers that were killed."""


Answers = Callable[[Asked], Answer | bytes | None]


class Loopback:
    """A running server: its address and everything it was asked."""

    def __init__(self, answers: Answers) -> None:
        self.log: list[Asked] = []
        self.answers = answers
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self.home = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def paths(self, but: str = "/robots.txt") -> list[str]:
        """Return the paths that were asked for in order, all but one."""
        return [asked.path for asked in self.log if asked.path != but]

    def times(self, path: str = "") -> list[float]:
        """Return when a path was asked for, or when anything was."""
        return [asked.at for asked in self.log if path in ("", asked.path)]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.log.append(asked)
            found = self.answers(asked)
        if found is None:
            return Answer(b"not here", 404)
        return Answer(found) if isinstance(found, bytes) else found

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                length = int(self.headers.get("content-length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(length)
                asked = Asked(time.monotonic(), self.command, self.path, headers, body)
                with contextlib.suppress(OSError):  # the crawler may be gone
                    self._give(loopback._answer(asked))

            do_POST = do_GET  # noqa: N815

            def _give(self, answer: Answer) -> None:
                time.sleep(answer.wait)
                self.send_response(answer.status)
                headers = {"Content-Type": HTML, **answer.headers}
                headers["Content-Length"] = str(len(answer.body) + answer.cut)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)
                self.wfile.flush()
                self.close_connection = answer.cut

            def log_message(self, *args: object) -> None:
                pass

        return Handler


@contextlib.contextmanager
def serve(answers: Answers) -> Iterator[Loopback]:
    """Run a server; None for an answer is a 404, bytes are a page with status 200."""
    loopback = Loopback(answers)
    loopback.start()
    try:
        yield loopback
    finally:
        loopback.stop()


def site(pages: Mapping[str, Answer | bytes], robots: Answer | bytes | None = None) -> Answers:
    """Return the answers of a site with fixed pages by path, and its robots.txt."""
    known = {"/robots.txt": robots, **pages}
    return lambda asked: known.get(asked.path)
