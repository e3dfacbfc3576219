"""Endpoints, against a real server on the loopback interface."""

import contextlib
import gzip
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.filters.models.loopback import Answer, Server, chat, error, serving, text, usage
from thresher.errors import ModelDown, ModelError, SourceError, UsageError
from thresher.filters.models import Completion, Incomplete, Sampling, open_model, seed_of
from thresher.filters.models.endpoint import Endpoint, open_endpoint, public
from thresher.filters.models.forms import CHAT
from thresher.filters.models.terms import Terms

PROMPT = 'def add(a, b):\n    """Add."""\n'
KEY = "sk-loopback-0123456789"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as state:
        yield state


class Waits(list[float]):
    """Stands in for sleeping: notes how long, and goes on at once."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def ask(server: Server, *indices: int, waits: Waits | None = None, **more: Any) -> list[Completion]:
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


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 2048 tokens. However, you requested 2100 tokens.",
        "the request exceeds the available context size, try increasing it",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Input validation error: `inputs` must have less than 1024 tokens. Given: 1260",
    ],
)
def test_a_prompt_that_is_too_long_is_the_problems_fault(server: Server, message: str):
    server.answer = lambda request: error(400, message)
    with pytest.raises(SourceError, match="answered 400") as raised:
        ask(server, 0, 1, 2)
    assert raised.value.reason == "prompt-too-long"


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


# chat


def test_what_is_sent_to_a_chat(server: Server):
    server.answer = lambda request: chat("```python\n...\n```", model="m-1", usage=usage(30, 9))
    assert ask(server, 3, form=CHAT) == [
        Completion("```python\n...\n```", 9, None, None, "stop", 30, None, "m-1")
    ]
    assert server.paths == ["/v1/chat/completions"]
    (request,) = server.requests
    (message,) = request.pop("messages")
    assert message["role"] == "user"
    assert message["content"].endswith('\n\n```python\ndef add(a, b):\n    """Add."""\n```')
    assert request == {
        "model": "m",
        "max_tokens": 160,
        "temperature": 0.8,
        "top_p": 0.95,
        "logprobs": True,
        "seed": seed_of("t", 3),
    }


def test_specification_of_a_chat(server: Server):
    server.answer = lambda request: chat("pass")
    assert first(f"chat+{server.url}#org/m").text == "pass"
    assert server.paths == ["/v1/chat/completions"]
    assert open_endpoint("chat+https://host/v2/#m").name == "chat+https://host/v2#m"


# faults that pass, and others


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_passing_faults_are_tried_again(server: Server, status: int):
    server.answer = after([error(status)] * 5)
    assert ask(server)[0].text == "    return 1"
    assert len(server.requests) == 6


def test_a_connection_that_breaks_off_is_tried_again(server: Server):
    answers: list[Answer | None] = [None, None]
    server.answer = lambda request: answers.pop() if answers else text("\n    return 1")
    assert ask(server)[0].text == "    return 1"
    assert len(server.requests) == 3


def test_an_answer_that_does_not_come_is_asked_for_again(server: Server):
    late = threading.Event()
    server.answer = lambda request: (
        text("\n    return 1") if len(server.requests) > 1 else late.wait(30) and None
    )
    try:
        assert ask(server, seconds=0.2)[0].text == "    return 1"
    finally:
        late.set()


def test_an_answer_that_drips_is_asked_for_again():
    whole = json.dumps({"choices": [{"text": "\n    return 1"}]}).encode()

    class Dripping(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(1)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            pieces = [b" "] * 200 if len(asked) == 1 else [whole]
            with contextlib.suppress(OSError):
                for piece in pieces:
                    self.wfile.write(piece)
                    self.wfile.flush()
                    time.sleep(0.05)

        def log_message(self, *args: object) -> None:
            pass

    asked: list[int] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Dripping) as http:
        threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}).start()
        address = f"http://127.0.0.1:{http.server_port}/v1"
        with Endpoint(address, "m", sleep=Waits(), seconds=0.5) as model:
            found = model.complete("t", PROMPT, [0], Sampling())
        http.shutdown()
    assert ([each.text for each in found], len(asked)) == (["    return 1"], 2)


@pytest.mark.parametrize("status", [200, 400, 500])
def test_an_answer_without_end_is_an_error(server: Server, status: int):
    server.answer = lambda request: (status, {}, b"[" * 17_000_000)
    with pytest.raises(ModelError, match="m sent more than 16,777,216 bytes; check that it is"):
        ask(server)


def test_a_small_answer_is_not_unpacked_to_a_large_one(server: Server):
    packed = gzip.compress(b"[" * 50_000_000)
    server.answer = lambda request: (200, {"Content-Encoding": "gzip"}, packed)
    with pytest.raises(ModelError, match="isn't a completion"):
        ask(server)
    assert server.headers[0]["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("charset", ["hex", "undefined", "utf-16", "nonsense"])
def test_answers_are_utf_8_whatever_is_said(server: Server, charset: str):
    status, _, body = text("\n    return 1")
    kind = {"Content-Type": f"application/json; charset={charset}"}
    server.answer = lambda request: (status, kind, body)
    assert ask(server)[0].text == "    return 1"


def test_an_error_that_is_deeply_nested_is_told(server: Server):
    server.answer = lambda request: (400, {}, b"[" * 200_000)
    with pytest.raises(ModelError, match="answered 400: \\[\\[\\["):
        ask(server)


def test_where_a_server_sends_elsewhere_nothing_is_asked_there(server: Server):
    server.answer = lambda request: (307, {"Location": f"{server.url}/else"}, b"")
    with pytest.raises(ModelError, match="answered 307: .*give the URL that it leads to"):
        ask(server)
    assert server.paths == ["/v1/completions"]


@pytest.mark.parametrize("count", [-5, 10**25, 2**40])
def test_tokens_that_cannot_be_are_not_counted(server: Server, count: int):
    server.answer = lambda request: text("\n    return 1", usage=usage(count, count))
    with Endpoint(f"{server.url}/v1", "m") as model:
        (found,) = model.complete("t", PROMPT, [0], Sampling())
        assert (found.prompt_tokens, found.tokens) == (0, 0)
        assert model.meter.used == (11, 160)


@pytest.mark.parametrize(
    "wait", ["nan", "Mon, 99 Foo 99999999999999999999 00:00:00", "1e999", "-1", "soon"]
)
def test_a_wait_that_cannot_be_is_at_most_a_minute(server: Server, wait: str):
    server.answer = after([error(429, Retry_After=wait)])
    waits = Waits()
    ask(server, waits=waits)
    assert len(waits) == 1
    assert 0 <= waits[0] <= 60


def test_an_account_without_money_is_not_asked_again(server: Server):
    body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    server.answer = lambda request: (429, {}, json.dumps(body).encode())
    with pytest.raises(ModelError, match="exceeded your quota; pay, or use another key"):
        ask(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ("logprobs", "'logprobs' is not supported with this model"),
        ("seed", "Extra inputs are not permitted: seed"),
        ("stop", "Unsupported parameter: 'stop' is not supported with this model."),
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    ],
)
def test_fields_that_a_server_does_not_know_are_left_out(
    server: Server, refused: str, message: str
):
    server.answer = lambda request: (
        error(400, message) if refused in request else text("\n    return 1")
    )
    assert [each.text for each in ask(server, 0, 1)] == ["    return 1"] * 2
    assert refused not in server.requests[-1]
    assert server.requests[-1].get("max_completion_tokens") == (
        160 if refused == "max_tokens" else None
    )


def test_temperature_is_never_left_out(server: Server):
    server.answer = lambda request: error(400, "Unsupported value: 'temperature'")
    with pytest.raises(ModelError, match="Unsupported value: 'temperature'"):
        ask(server)


def test_what_was_sampled_before_an_error_is_told(server: Server):
    bad = seed_of("t", 5)
    server.answer = lambda request: error(400) if request["seed"] == bad else text("\n    pass")
    with pytest.raises(Incomplete) as caught:
        ask(server, *range(10), terms=Terms(parallel=1))
    assert sorted(caught.value.done) == [0, 1, 2, 3, 4]
    assert type(caught.value.error) is ModelError


# limits


def test_no_more_at_once_than_agreed(server: Server):
    together = threading.Barrier(3)

    def answer(request: dict[str, Any]) -> Answer:
        together.wait(30)
        return text("\n    pass")

    server.answer = answer
    with Endpoint(f"{server.url}/v1", "m", terms=Terms(parallel=3)) as model:
        tasks = [
            threading.Thread(target=model.complete, args=(name, PROMPT, range(6), Sampling()))
            for name in "ab"
        ]
        for task in tasks:
            task.start()
        for task in tasks:
            task.join()
    assert (len(server.requests), server.most) == (12, 3)


def test_requests_are_spaced(server: Server):
    waits = Waits()
    ask(server, 0, 1, 2, waits=waits, terms=Terms(requests_per_minute=60, parallel=1))
    assert len(waits) == 2
    assert 0 < waits[0] <= 1 < waits[1] <= 2


def test_tries_count_against_the_limit(server: Server):
    server.answer = after([error(429, Retry_After="0")])
    waits = Waits()
    ask(server, waits=waits, terms=Terms(requests_per_minute=1))
    assert waits[0] == 0
    assert 50 < waits[1] <= 60


def test_tokens_are_spaced_by_what_was_used(server: Server):
    server.answer = lambda request: text("\n    pass", usage=usage(40, 60))
    waits = Waits()
    ask(server, 0, 1, waits=waits, terms=Terms(tokens_per_minute=6000, parallel=1))
    assert len(waits) == 1
    assert 0 < waits[0] <= 1


# budgets


def spend(server: Server, terms: Terms, *indices: int) -> tuple[dict[int, Completion], str]:
    """Return what was sampled within a budget, and what was said of it."""
    with (
        pytest.raises(Incomplete) as caught,
        Endpoint(f"{server.url}/v1", "m", terms=terms) as model,
    ):
        model.complete("t", PROMPT, indices, Sampling())
    assert type(caught.value.error) is ModelDown
    return dict(caught.value.done), str(caught.value)


def test_a_budget_of_tokens_ends_asking(server: Server):
    server.answer = lambda request: text("\n    pass", usage=usage(20, 80))
    done, said = spend(server, Terms(budget_tokens=1000, parallel=1), *range(50))
    assert sorted(done) == list(range(9))  # a tenth may take 171, and 100 are left
    assert len(server.requests) == 9
    assert said == (
        "The model's budget of 1,000 tokens is spent (900 used, the next request may take 171):"
        " what was sampled is kept, run the same command with a larger budget to go on."
    )


def test_a_budget_is_kept_with_many_at_once(server: Server):
    server.answer = lambda request: text("\n    pass", usage=usage(20, 80))
    done, _ = spend(server, Terms(budget_tokens=1000, parallel=8), *range(50))
    assert len(done) == len(server.requests) == 9


def test_a_budget_of_money_ends_asking(server: Server):
    server.answer = lambda request: text("\n    pass", usage=usage(1000, 100))
    terms = Terms(budget_money=0.01, price_in=2.0, price_out=10.0, parallel=1)
    done, said = spend(server, terms, *range(50))
    assert len(done) == 3  # each costs 0.003
    assert "budget of 0.01 is spent (0.009 spent, the next request may cost 0.0016)" in said


def test_where_no_tokens_are_told_the_most_is_taken(server: Server):
    done, _ = spend(server, Terms(budget_tokens=400), *range(9))
    assert len(done) == 2


def test_usage_is_counted_and_said(server: Server):
    server.answer = lambda request: text("\n    pass", usage=usage(1000, 100))
    terms = Terms(price_in=2.0, price_out=10.0)
    with Endpoint(f"{server.url}/v1", "m", terms=terms) as model:
        model.complete("t", PROMPT, range(3), Sampling())
    assert str(model.meter) == (
        "3 requests used 3,000 prompt tokens and 300 completion tokens, which cost 0.009"
    )


def test_terms_are_for_endpoints():
    model = open_model("http://host/v1#m", Terms(parallel=3, budget_tokens=5))
    assert (model.name, model.parallel) == ("http://host/v1#m", 3)
    with pytest.raises(UsageError, match="are for endpoints"):
        open_model("embedded", Terms(budget_tokens=5))


# secrets


@pytest.mark.parametrize("status", [400, 401, 500])
def test_keys_are_never_said(server: Server, status: int, monkeypatch: pytest.MonkeyPatch):
    server.answer = lambda request: error(status, f"Incorrect API key provided: {KEY}.")
    with pytest.raises(ModelError, match=r"Incorrect API key provided: \.\.\.\.") as caught:
        ask(server, key=KEY)
    assert KEY not in repr(caught.value)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_a_key_that_is_echoed_is_not_stored(server: Server):
    server.answer = lambda request: text(f"\n    return '{KEY}'")
    assert ask(server, key=KEY)[0].text == "    return '...'"


def test_a_key_that_cannot_be_sent_is_not_shown(monkeypatch: pytest.MonkeyPatch):
    for key in ("sk-one two", "sk-schlüssel", "sk-a\nb"):
        monkeypatch.setenv("THRESHER_API_KEY", key)
        with pytest.raises(UsageError, match="THRESHER_API_KEY holds") as caught:
            open_endpoint("http://host/v1#m")
        assert key not in str(caught.value)


def test_secrets_of_the_url_stay_out_of_names_and_errors(server: Server):
    spec = server.url.replace("://", "://me:passw0rd@") + "/v1?api-version=2&key=s3cr3t-k3y#m"
    server.answer = lambda request: error(404, "no s3cr3t-k3y, no passw0rd")
    with pytest.raises(ModelError) as caught:
        first(spec)
    assert server.paths == ["/v1/completions?api-version=2&key=s3cr3t-k3y"]
    said = str(caught.value)
    assert f"{server.url}/v1?api-version=2&key=...#m answered 404: no ..., no ...;" in said
    assert public("https://h/v1") == "https://h/v1"
