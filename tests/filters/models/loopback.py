"""A server on the loopback interface that answers as a test wants it."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes]


def text(content: str, **more: object) -> Answer:
    """Make a good answer of a completions endpoint."""
    choice = {"text": content, "finish_reason": "stop"}
    return 200, {}, json.dumps({"choices": [choice], **more}).encode()


def chat(content: str, **more: object) -> Answer:
    """Make a good answer of a chat endpoint."""
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return 200, {}, json.dumps({"choices": [choice], **more}).encode()


def error(status: int, message: str = "no", **headers: str) -> Answer:
    """Make an answer that says what is wrong."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps({"error": {"message": message}}).encode()


def usage(prompt: int, completion: int) -> dict[str, int]:
    """Make what an answer says of tokens."""
    return {"prompt_tokens": prompt, "completion_tokens": completion}


class Quiet(ThreadingHTTPServer):
    """Says nothing when a client gives up on its request."""

    def handle_error(self, *args: object) -> None:
        pass


class Server:
    """Answers each request with what `answer` makes of it, and remembers the requests.

    Where that is None, the connection is closed without an answer. `most` is the highest number
    of requests that were being answered at once.
    """

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Any] = []
        self.paths: list[str] = []
        self.answer: Callable[[dict[str, Any]], Answer | None] = lambda request: text(
            "\n    return 1"
        )
        self.most = self._now = 0
        self._lock = threading.Lock()

    def answered(self, request: dict[str, Any]) -> Answer | None:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            return self.answer(request)
        finally:
            with self._lock:
                self._now -= 1

    def handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(request)
                outer.headers.append(self.headers)
                outer.paths.append(self.path)
                answer = outer.answered(request)
                if answer is None:
                    self.connection.close()
                    return
                status, headers, content = answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: object) -> None:
                pass

        return Handler


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """Run a server for as long as the block takes."""
    state = Server()
    with Quiet(("127.0.0.1", 0), state.handler()) as http:
        state.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield state
        http.shutdown()
        thread.join()
