"""The pure parts of a replay."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.sandbox.command import Completed
from thresher.sandbox.egress import Connection
from thresher.sandbox.firewall import Denied
from thresher.tracer.replay import differences, network_log
from thresher.tracer.results import Results
from thresher.tracer.stage import tail


def test_the_tail_is_the_last_three_lines():
    assert tail("a\nb\n\n c \n\n\x1b[31md\x1b[0m\n") == "b | c | d"
    assert tail("a") == "a"
    assert tail(" \n") == ""


def test_a_long_tail_keeps_its_end():
    assert tail(f"{'x' * 1000}\nthe cause") == f"{'x' * 388} | the cause"


@given(st.text(max_size=600))
def test_a_tail_cannot_steer_the_terminal(text):
    assert tail(text).isprintable()
    assert len(tail(text)) <= 400


def completed(*connections: Connection, denied: Denied | None = None) -> Completed:
    return Completed(0, "", "exit", 0.0, 0.0, connections, denied, "wall 1")


def connection(host: str, allowed: bool, size: int, port: int = 443) -> Connection:
    return Connection(host=host, port=port, allowed=allowed, bytes=size)


def test_the_network_log_has_a_line_per_host():
    install = completed(
        connection("pypi.org", True, 100),
        connection("files.example", True, 5),
        connection("evil.example", False, 0),
        denied=Denied(1, 2, 0, 0),
    )
    tests = completed(
        connection("pypi.org", True, 20),
        connection("pypi.org", False, 0, port=80),
        denied=Denied(0, 0, 0, 4),
    )
    assert network_log([install, tests]) == (
        "evil.example:443 refused: 1 connections, 0 bytes",
        "files.example:443 allowed: 1 connections, 5 bytes",
        "pypi.org:80 refused: 1 connections, 0 bytes",
        "pypi.org:443 allowed: 2 connections, 120 bytes",
        "firewall: 7 attempts and packets stopped",
    )
    assert network_log([completed(denied=Denied(0, 0, 0, 0)), completed()]) == ()
    assert network_log([]) == ()


def test_runs_that_differ_are_told():
    same = Results(5, 0, 1)
    assert list(differences([same, same, same])) == []
    assert list(differences([same, same, Results(4, 1, 1)])) == [
        "runs of the tests differ: 5 passed, 0 failed, 1 skipped untraced, then "
        "5 passed, 0 failed, 1 skipped, then 4 passed, 1 failed, 1 skipped"
    ]
