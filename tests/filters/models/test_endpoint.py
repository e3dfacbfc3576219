"""Endpoints, against a real server on the loopback interface."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from thresher.errors import ModelError, UsageError
from thresher.filters.models import Completion, Sampling, seed_of
from thresher.filters.models.endpoint import Endpoint, open_endpoint

PROMPT = 'def add(a, b):\n    """Add."""\n'
Answer = tuple[int, dict[str, str], bytes]


def text(content: str) -> Answer:
    return 200, {}, json.dumps({"choices": [{"text": content, "finish_reason": "stop"}]}).encode()


def error(status: int, message: str = "no", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps({"error": {"message": message}}).encode()


class Quiet(ThreadingHTTPServer):
    """Says nothing when a client gives up on its request."""

    def handle_error(self, *args: object) -> None:
        pass


class Server:
    """Answers each request with what `answer` makes of it, and remembers the requests."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Any] = []
        self.paths: list[str] = []
        self.answer: Callable[[dict[str, Any]], Answer] = lambda request: text("\n    return 1")

    def handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(request)
                outer.headers.append(self.headers)
                outer.paths.append(self.path)
                status, headers, content = outer.answer(request)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: object) -> None:
                pass

        return Handler


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    state = Server()
    with Quiet(("127.0.0.1", 0), state.handler()) as http:
        state.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield state
        http.shutdown()
        thread.join()


class Waits(list[float]):
    """Stands in for sleeping: notes how long, and goes on at once."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def ask(
    server: Server, *indices: int, waits: Waits | None = None, **more: Any
) -> list[Completion]:
    sleep = Waits() if waits is None else waits
    with Endpoint(f"{server.url}/v1", "m", sleep=sleep, **more) as model:
        return model.complete("t", PROMPT, indices or (0,), Sampling())


def first(spec: str) -> Completion:
    with open_endpoint(spec) as model:
        return model.complete("t", PROMPT, [0], Sampling())[0]


def after(failures: list[Answer]) -> Callable[[dict[str, Any]], Answer]:
    """Answer with the failures first, then well."""
    return lambda request: failures.pop(0) if failures else text("\n    return 1")


def test_what_is_sent(server: Server):
    ask(server, 3)
    assert server.paths == ["/v1/completions"]
    assert server.requests == [
        {
            "model": "m",
            "prompt": 'def add(a, b):\n    """Add."""',
            "max_tokens": 160,
            "temperature": 0.8,
            "top_p": 0.95,
            "stop": ["\nclass", "\ndef", "\n#", "\nif"],
            "logprobs": 1,
            "seed": seed_of("t", 3),
        }
    ]


def test_answers_come_in_the_order_of_the_indices(server: Server):
    server.answer = lambda request: text(f"\n    return {request['seed']}")
    indices = [7, *range(20), 7]
    assert [each.text for each in ask(server, *indices)] == [
        f"    return {seed_of('t', index)}" for index in indices
    ]


def test_stops_that_the_server_ignores_are_cut(server: Server):
    server.answer = lambda request: text("\n    return a + b\nprint(add(1, 2))")
    raw = "    return a + b\nprint(add(1, 2))"
    assert ask(server) == [Completion("    return a + b", 0, None, None, "stop", raw=raw)]


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/"])
def test_url_with_or_without_version(server: Server, suffix: str):
    with open_endpoint(f"{server.url}{suffix}#org/m") as model:
        model.complete("t", PROMPT, [0], Sampling())
    assert model.name == f"{server.url}/v1#org/m"
    assert server.paths == ["/v1/completions"]
    assert server.requests[0]["model"] == "org/m"


def test_keys_come_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch):
    for name in ("THRESHER_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    spec = f"{server.url}#m"
    first(spec)
    monkeypatch.setenv("OPENAI_API_KEY", "second")
    first(spec)
    monkeypatch.setenv("THRESHER_API_KEY", "first\n")
    first(spec)
    sent = [headers["Authorization"] for headers in server.headers]
    assert sent == [None, "Bearer second", "Bearer first"]


def test_passwords_in_the_url_stay_out_of_the_name():
    assert Endpoint("http://me:secret@host/v1", "m").name == "http://host/v1#m"


def test_retry_after_is_honoured(server: Server):
    server.answer = after([error(429, Retry_After="3"), error(503, Retry_After="9999")])
    waits = Waits()
    assert ask(server, waits=waits)[0].text == "    return 1"
    assert waits == [3.0, 60.0]


def test_retry_after_may_be_a_date(server: Server):
    past = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    server.answer = after([error(429, Retry_After=past)])
    waits = Waits()
    ask(server, waits=waits)
    assert waits == [0.0]


def test_waits_grow_with_jitter(server: Server):
    server.answer = after([error(500)] * 4)
    waits = Waits()
    ask(server, waits=waits)
    assert all(0 <= wait <= most for wait, most in zip(waits, (1, 2, 4, 8), strict=True))
    assert len(set(waits)) == 4


def test_gives_up_with_the_servers_words(server: Server):
    server.answer = lambda request: error(500, "out of\nmemory")
    with pytest.raises(ModelError, match="answered 500: out of memory, 6 times"):
        ask(server)
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    ("status", "hint"),
    [(400, "change the request"), (401, "set THRESHER_API_KEY"), (404, "check the URL")],
)
def test_refusals_are_not_retried(server: Server, status: int, hint: str):
    server.answer = lambda request: error(status, "because")
    with pytest.raises(ModelError, match=f"answered {status}: because; {hint}"):
        ask(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize("junk", [b"not json", b'{"choices": []}', b"\xff"])
def test_malformed_answers(server: Server, junk: bytes):
    server.answer = lambda request: (200, {}, junk)
    with pytest.raises(ModelError, match="isn't a completion"):
        ask(server)


def test_error_that_is_not_json(server: Server):
    server.answer = lambda request: (400, {}, b"<h1>plain</h1>")
    with pytest.raises(ModelError, match="answered 400: <h1>plain</h1>"):
        ask(server)


def test_one_failure_among_many_is_one_error(server: Server):
    bad = seed_of("t", 5)
    server.answer = lambda request: error(400) if request["seed"] == bad else text("\n    pass")
    with pytest.raises(ModelError, match="answered 400"):
        ask(server, *range(10))


def test_unreachable():
    waits = Waits()
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as http:
        port = http.server_port
    with (
        Endpoint(f"http://127.0.0.1:{port}/v1", "m", sleep=waits) as model,
        pytest.raises(ModelError, match=rf"http://127.0.0.1:{port}/v1#m can't be reached"),
    ):
        model.complete("t", PROMPT, [0], Sampling())
    assert len(waits) == 5


@pytest.mark.parametrize(
    "spec", ["http://host/v1", "http://#m", "http:m", "http://[::1#m", "http://host:port#m"]
)
def test_what_is_not_url_and_name(spec: str):
    with pytest.raises(UsageError, match="isn't URL#NAME"):
        open_endpoint(spec)


def test_query_of_the_url_is_kept(server: Server):
    first(f"{server.url}/v1?version=2#m")
    assert server.paths == ["/v1/completions?version=2"]


def test_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with (
        pytest.raises(ModelError, match=r"pip install 'thresher\[model\]'"),
        Endpoint("http://host/v1", "m"),
    ):
        pass
