"""A judge of LeetCode's shape on this host: a real server, whose answers may be played."""

import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from thresher.crawlers.judges.judge import Report

SESSION, TOKEN = "my-session", "my-token"


class Answer(NamedTuple):
    """What the server says instead of what it would."""

    status: int
    body: bytes = b"{}"
    headers: dict[str, str] = {}


class Asked(NamedTuple):
    """What the server was asked."""

    method: str
    path: str
    sent: dict[str, Any]
    headers: dict[str, str]


@dataclass
class Loopback:
    """Judges by a function; each played answer stands for one of its own, by the path's end."""

    judge: Callable[[str], Report]
    home: str = ""
    pending: int = 0  # looks at a verdict before it is there
    played: dict[str, deque[Answer]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    verdicts: list[Report] = field(default_factory=list)
    looks: int = 0

    def play(self, path: str, *answers: Answer) -> None:
        self.played.setdefault(path, deque()).extend(answers)

    def count(self, path: str) -> int:
        return sum(each.path.endswith(path) for each in self.asked)

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        for path, answers in self.played.items():
            if asked.path.endswith(path) and answers:
                return answers.popleft()
        cookie = f"LEETCODE_SESSION={SESSION}; csrftoken={TOKEN}"
        if asked.headers.get("cookie") != cookie or asked.headers.get("x-csrftoken") != TOKEN:
            return Answer(403, b"forbidden")
        return Answer(200, json.dumps(self.says(asked)).encode())

    def says(self, asked: Asked) -> dict[str, Any]:
        if asked.path == "/graphql/":
            known = asked.sent["variables"]["titleSlug"] == "count-below"
            return {"data": {"question": {"questionId": "4321"} if known else None}}
        if asked.path.endswith("/submit/"):
            self.verdicts.append(self.judge(asked.sent["typed_code"]))
            self.looks = 0
            return {"submission_id": len(self.verdicts)}
        self.looks += 1
        if self.looks <= self.pending:
            return {"state": "PENDING" if self.looks == 1 else "STARTED"}
        return shown(self.verdicts[int(asked.path.split("/")[-3]) - 1])


def shown(report: Report) -> dict[str, Any]:
    """Return a report as LeetCode gives it."""
    code = {"accepted": 10, "wrong": 11, "failed": 15}[report.verdict]
    words = {10: "Accepted", 11: "Wrong Answer", 15: "Runtime Error"}[code]
    found = {"state": "SUCCESS", "status_code": code, "status_msg": words}
    found |= {"total_correct": 3, "total_testcases": 57}
    if report.verdict == "wrong":
        found |= {"last_testcase": report.input, "expected_output": report.expected}
        found |= {"code_output": "0", "input": report.input}
    return found


@contextlib.contextmanager
def serving(judge: Callable[[str], Report]) -> Iterator[Loopback]:
    loopback = Loopback(judge)

    class Handler(BaseHTTPRequestHandler):
        def respond(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            sent = json.loads(content) if content else {}
            said = loopback.answer(Asked(self.command, self.path, sent, headers))
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(said.body)))
            self.end_headers()
            self.wfile.write(said.body)

        do_GET = do_POST = respond  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        loopback.home = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield loopback
        server.shutdown()
        thread.join()
