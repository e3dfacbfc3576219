import http.server
import socket
import threading
from collections.abc import Iterator

import pytest

from thresher.sandbox import egress
from thresher.sandbox.egress import Connection, Egress


@pytest.fixture(autouse=True)
def _no_host_proxy(monkeypatch):
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


class Echo(threading.Thread):
    """A server on loopback that sends back what it gets, in capitals."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.heard: list[bytes] = []
        self.start()

    def run(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                while data := connection.recv(4096):
                    self.heard.append(data)
                    connection.sendall(data.upper())


@pytest.fixture
def echo() -> Iterator[Echo]:
    server = Echo()
    yield server
    server.listener.shutdown(socket.SHUT_RDWR)
    server.join(10)
    server.listener.close()


class Pages(http.server.BaseHTTPRequestHandler):
    """Answers with the request it got."""

    def do_GET(self) -> None:
        text = f"{self.requestline}\n{self.headers}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments: object) -> None:
        return


@pytest.fixture
def pages() -> Iterator[int]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def ask(proxy: Egress, request: bytes, then: bytes = b"") -> bytes:
    """Send bytes to the proxy, then more after its answer; return all that comes back."""
    answer = b""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(20)
        client.connect(str(proxy.socket))
        client.sendall(request)
        if then:
            answer = client.recv(4096)
            client.sendall(then)
            client.shutdown(socket.SHUT_WR)
        while data := client.recv(65536):
            answer += data
    return answer


def connect(host: str) -> bytes:
    return f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def test_an_allowed_host_gets_a_tunnel_and_bytes_are_counted(echo):
    with Egress([("127.0.0.1", echo.port)]) as proxy:
        answer = ask(proxy, connect(f"127.0.0.1:{echo.port}"), b"hello")
    assert answer == b"HTTP/1.1 200 Connection established\r\n\r\nHELLO"
    assert proxy.log == [Connection("127.0.0.1", echo.port, True, 10)]


def test_names_are_matched_in_any_case(echo):
    with Egress([("LocalHost", echo.port)]) as proxy:
        assert b" 200 " in ask(proxy, connect(f"LOCALHOST.:{echo.port}"), b"x")
    assert proxy.log == [Connection("localhost", echo.port, True, 2)]


@pytest.mark.parametrize(
    "target",
    ["example.com:443", "127.0.0.1:1", "127.0.0.1", "a127.0.0.1:80", "[::1]:443", "allowed.org:80"],
)
def test_everything_else_is_refused_and_logged(target, echo):
    with Egress([("127.0.0.1", echo.port), ("allowed.org", 443)]) as proxy:
        answer = ask(proxy, connect(target))
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert [(entry.allowed, entry.bytes) for entry in proxy.log] == [(False, 0)]
    assert echo.heard == []


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"POST http://localhost/ HTTP/1.1", b"405"),
        (b"GET / HTTP/1.1", b"400"),
        (b"GET https://localhost/ HTTP/1.1", b"400"),
        (b"GET file:///etc/passwd HTTP/1.1", b"400"),
        (b"CONNECT localhost:http HTTP/1.1", b"400"),
        (b"CONNECT localhost:99999 HTTP/1.1", b"400"),
        (b"GET http://local\x01host/ HTTP/1.1", b"400"),
        (b"nonsense", b"405"),
        (b"\xff\xfe", b"405"),
        (b"CONNECT " + b"a" * 40000 + b":443 HTTP/1.1", b"431"),
    ],
)
def test_a_wrong_request_gets_its_status(request_line, status):
    with Egress([("localhost", 80)]) as proxy:
        assert ask(proxy, request_line + b"\r\n\r\n").startswith(b"HTTP/1.1 " + status + b" ")


def test_a_half_request_leaves_the_proxy_working(echo):
    with Egress([("127.0.0.1", echo.port)]) as proxy:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(proxy.socket))
            client.sendall(b"CONN")
        assert b" 200 " in ask(proxy, connect(f"127.0.0.1:{echo.port}"), b"x")


def test_plain_http_is_passed_on_with_the_host_that_was_checked(pages):
    request = (
        f"GET http://127.0.0.1:{pages}/simple/?a=b HTTP/1.1\r\nHost: evil.example\r\n"
        "Proxy-Authorization: x\r\nX-A: b\nHost: evil.example\r\nAccept: text/html\r\n"
        "Content-Length: 5\r\n\r\nGET http://127.0.0.1/other HTTP/1.1\r\n\r\n"
    )
    with Egress([("127.0.0.1", pages)]) as proxy:
        answer = ask(proxy, request.encode()).decode()
    body = answer.partition("\r\n\r\n")[2]
    assert body.split() == [
        *("GET", "/simple/?a=b", "HTTP/1.1", "Host:", f"127.0.0.1:{pages}"),
        *("Connection:", "close", "Accept:", "text/html"),
    ]
    assert proxy.log[0].bytes == len(answer.encode())


def test_a_name_that_leads_to_this_host_is_refused(monkeypatch, echo):
    _resolve_to_loopback(monkeypatch)
    with Egress([("rebound.example", echo.port)]) as proxy:
        answer = ask(proxy, connect(f"rebound.example:{echo.port}"))
    assert answer.startswith(b"HTTP/1.1 403 rebound.example has an address in a private network")
    assert [entry.allowed for entry in proxy.log] == [False]
    assert echo.heard == []


def test_a_private_address_is_reached_where_it_is_meant(monkeypatch, echo):
    _resolve_to_loopback(monkeypatch)
    with Egress([("Index.example", echo.port)], private=["INDEX.example"]) as proxy:
        assert b" 200 " in ask(proxy, connect(f"index.example:{echo.port}"), b"x")


def _resolve_to_loopback(monkeypatch) -> None:
    real = socket.getaddrinfo

    def resolve(host, *arguments, **options):
        return real("127.0.0.1" if str(host).endswith(".example") else host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def test_a_host_that_does_not_answer_is_502():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with Egress([("127.0.0.1", port)]) as proxy:
        assert ask(proxy, connect(f"127.0.0.1:{port}")).startswith(b"HTTP/1.1 502 ")
    assert (proxy.log[0].allowed, proxy.log[0].bytes) == (True, 0)
    assert "ConnectionRefusedError" in proxy.log[0].error


def test_a_slow_header_ends(monkeypatch):
    monkeypatch.setattr(egress, "HEADER_SECONDS", 0.05)
    with Egress([("localhost", 80)]) as proxy, socket.socket(socket.AF_UNIX) as client:
        client.settimeout(20)
        client.connect(str(proxy.socket))
        assert client.recv(100).startswith(b"HTTP/1.1 502 TimeoutError")


def test_too_many_connections_are_closed(monkeypatch):
    monkeypatch.setattr(egress, "CONNECTIONS_AT_ONCE", 2)
    with Egress([]) as proxy:
        clients = [socket.socket(socket.AF_UNIX) for _ in range(3)]
        for client in clients:
            client.settimeout(20)
            client.connect(str(proxy.socket))
        assert clients[2].recv(10) == b""
        for client in clients:
            client.close()


def test_the_log_is_bounded(monkeypatch):
    monkeypatch.setattr(egress, "LOGGED", 2)
    with Egress([]) as proxy:
        for port in (1, 2, 3):
            ask(proxy, connect(f"example.com:{port}"))
    assert [entry.port for entry in proxy.log] == [1, 2]


def test_the_socket_is_gone_afterwards(echo):
    with Egress([("127.0.0.1", echo.port)]) as proxy:
        assert proxy.socket.parent.stat().st_mode & 0o777 == 0o700
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(proxy.socket))
        client.sendall(connect(f"127.0.0.1:{echo.port}"))
        assert b" 200 " in client.recv(100)
    assert client.recv(100) == b""
    client.close()
    assert not proxy.socket.parent.exists()


def test_the_hosts_own_proxy_is_used_with_its_password(monkeypatch, echo):
    with Egress([("127.0.0.1", echo.port)]) as outer:
        heard: list[bytes] = []
        port, thread = _bridge(outer, heard)
        monkeypatch.setenv("https_proxy", f"http://me:p%40ss@127.0.0.1:{port}")
        monkeypatch.setenv("no_proxy", "")
        with Egress([("127.0.0.1", echo.port)]) as inner:
            answer = ask(inner, connect(f"127.0.0.1:{echo.port}"))
        thread.join(10)
    assert answer.startswith(b"HTTP/1.1 502 ")
    assert heard[0].split(b"\r\n") == [
        *(
            f"CONNECT 127.0.0.1:{echo.port} HTTP/1.1".encode(),
            f"Host: 127.0.0.1:{echo.port}".encode(),
        ),
        *(b"Proxy-Authorization: Basic bWU6cEBzcw==", b"", b""),
    ]


def _bridge(outer: Egress, heard: list[bytes]) -> tuple[int, threading.Thread]:
    """A proxy that hears one request and says no."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, listener:
            heard.append(connection.recv(4096))
            connection.sendall(b"HTTP/1.1 407 Who are you?\r\n\r\n")

    thread = threading.Thread(target=serve)
    thread.start()
    return listener.getsockname()[1], thread
