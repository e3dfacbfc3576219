import json
from collections.abc import Iterator

import pytest

from tests.crawlers.judges.loopback import SESSION, TOKEN, Answer, Loopback, serving
from tests.crawlers.judges.problems import PROMPT, SOLUTION, case, problem
from thresher.crawlers.judges import leetcode
from thresher.crawlers.judges.collect import Budget, collect
from thresher.crawlers.judges.judge import Report
from thresher.crawlers.judges.leetcode import LeetCode, Limits, open_leetcode, report
from thresher.errors import InfrastructureError, UsageError
from thresher.judging import Judges
from thresher.store import data
from thresher.store.records import TestCase

WRONG = Report("wrong", "[4]\n4", "0")
SUBMIT, CHECK = "/submit/", "/check/"
ENTRY = "\n\ndef ask(*given):\n    return Solution().countBelow(*given)\n"


class Clock:
    """Time that passes only where somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if seconds:
            self.waits.append(seconds)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving(lambda program: WRONG) as loopback:
        yield loopback


def judge_of(server: Loopback, clock: Clock, session: str = SESSION) -> LeetCode:
    limits = Limits(between=30.0, look=2.0)
    return LeetCode(
        *("count-below", "countBelow", session, TOKEN, server.home, limits),
        sleep=clock.sleep,
        clock=lambda: clock.now,
    )


def submitted(server: Loopback, clock: Clock | None = None, session: str = SESSION) -> Report:
    return judge_of(server, clock or Clock(), session).submit("program", "python3")


def test_a_program_is_sent_as_the_judge_wants_it(server: Loopback) -> None:
    assert submitted(server) == Report("wrong", "[4]\n4", "0", "Wrong Answer (3 of 57 right)")
    asked = server.asked[1]
    assert (asked.method, asked.path) == ("POST", "/problems/count-below/submit/")
    assert asked.sent["lang"] == "python3"
    assert asked.sent["question_id"] == "4321"
    assert asked.sent["typed_code"].startswith(
        "program\n\nclass Solution:\n    def countBelow(self"
    )
    assert asked.headers["referer"] == f"{server.home}/problems/count-below/"
    assert asked.headers["x-csrftoken"] == TOKEN
    assert [each.path for each in server.asked] == [
        *("/graphql/", "/problems/count-below/submit/", "/submissions/detail/1/check/")
    ]


def test_a_verdict_that_is_pending_is_looked_at_again(server: Loopback) -> None:
    server.pending = 4
    clock = Clock()
    assert submitted(server, clock).verdict == "wrong"
    assert clock.waits == [2.0, 2.0, 2.0, 2.0]


def test_a_verdict_that_never_comes_is_given_up(server: Loopback) -> None:
    server.pending = 10_000
    with pytest.raises(InfrastructureError, match="no verdict after 60 looks"):
        submitted(server)
    assert server.count(CHECK) == 60


def test_the_users_pause_between_submissions_is_kept(server: Loopback) -> None:
    clock = Clock()
    judge = judge_of(server, clock)
    judge.submit("a", "python3")
    clock.now += 12
    judge.submit("b", "python3")
    clock.now += 100
    judge.submit("c", "python3")
    assert clock.waits == [18.0]
    assert server.count("/graphql/") == 1


def test_retry_after_is_kept_on_too_many_requests(server: Loopback) -> None:
    clock = Clock()
    server.play(SUBMIT, Answer(429, headers={"Retry-After": "77"}), Answer(429))
    assert submitted(server, clock).verdict == "wrong"
    assert clock.waits == [77.0, 2.0]
    assert server.count(SUBMIT) == 3


def test_too_long_a_wait_is_an_end(server: Loopback) -> None:
    clock = Clock()
    server.play(SUBMIT, Answer(429, headers={"Retry-After": "86400"}))
    with pytest.raises(InfrastructureError, match="asks to wait 86400 s"):
        submitted(server, clock)
    assert clock.waits == []


def test_failures_of_the_server_pass(server: Loopback) -> None:
    clock = Clock()
    server.play(SUBMIT, Answer(502), Answer(503))
    server.play(CHECK, Answer(500))
    assert submitted(server, clock).verdict == "wrong"
    assert clock.waits == [1.0, 2.0, 1.0]


def test_failures_that_stay_are_told(server: Loopback) -> None:
    server.play(SUBMIT, *[Answer(500)] * 9)
    with pytest.raises(InfrastructureError, match=r"answers 500, 5 times; try it later"):
        submitted(server)
    assert server.count(SUBMIT) == 5


def test_a_server_that_is_not_there_is_told() -> None:
    with serving(lambda program: WRONG) as gone:
        pass
    clock = Clock()
    with pytest.raises(InfrastructureError, match="can't be reached"):
        submitted(gone, clock)
    assert clock.waits == [1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(401),
        Answer(403, b"forbidden"),
        Answer(302, headers={"Location": "/accounts/login/"}),
        Answer(200, b"<html><title>Sign in</title></html>"),
    ],
)
def test_a_session_that_expired_is_told_and_how_to_get_one(
    server: Loopback, answer: Answer
) -> None:
    server.play(SUBMIT, answer)
    with pytest.raises(UsageError) as caught:
        submitted(server)
    assert f"your session at {server.home} has expired" in str(caught.value)
    assert "set THRESHER_LEETCODE_SESSION and THRESHER_LEETCODE_CSRF anew" in str(caught.value)
    assert server.count(SUBMIT) == 1
    assert not any(each.path.startswith("/accounts") for each in server.asked)


def test_no_message_shows_the_session(server: Loopback) -> None:
    with pytest.raises(UsageError) as caught:
        submitted(server, session="another-session")
    assert "another-session" not in str(caught.value)
    assert TOKEN not in str(caught.value)


def test_a_challenge_stops_it(server: Loopback) -> None:
    server.play(SUBMIT, Answer(403, b"<title>Just a moment...</title>"))
    with pytest.raises(UsageError, match="wants to see a person"):
        submitted(server)
    assert server.count(SUBMIT) == 1


def test_a_problem_that_is_not_there(server: Loopback) -> None:
    other = LeetCode("other", "f", SESSION, TOKEN, server.home, Limits())
    with pytest.raises(UsageError, match="has no problem 'other'"):
        other.submit("program", "python3")


@pytest.mark.parametrize(
    "said", [b'{"error": "You must wait."}', b"[]", b'{"submission_id": null}']
)
def test_a_program_that_is_not_taken(server: Loopback, said: bytes) -> None:
    server.play(SUBMIT, Answer(200, said))
    with pytest.raises(InfrastructureError, match="didn't take the program"):
        submitted(server)


def test_an_unknown_address_is_no_verdict(server: Loopback) -> None:
    server.play(SUBMIT, Answer(404, b"<html>"))
    with pytest.raises(InfrastructureError, match="/problems/count-below/submit/ answers 404"):
        submitted(server)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"status_code": 10, "status_msg": "Accepted"}, Report("accepted", said="Accepted")),
        (
            {"status_code": 11, "last_testcase": "1", "expected_output": "2"},
            Report("wrong", "1", "2", "nothing"),
        ),
        (
            {
                "status_code": 15,
                "status_msg": "Runtime Error",
                "input": "5",
                "expected_output": "6",
            },
            Report("wrong", "5", "6", "Runtime Error"),
        ),
        (
            {"status_code": 14, "status_msg": "Time Limit Exceeded", "last_testcase": "1"},
            Report("failed", said="Time Limit Exceeded"),
        ),
        (
            {"status_code": 11, "input": ["1"], "expected_output": "2"},
            Report("failed", said="nothing"),
        ),
        ({}, Report("failed", said="nothing")),
    ],
)
def test_verdicts(answer: dict[str, object], expected: Report) -> None:
    assert report(answer) == expected


def test_the_session_comes_from_the_environment(
    server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(leetcode.SESSION, f" {SESSION}\n")
    monkeypatch.setenv(leetcode.TOKEN, TOKEN)
    judge = open_leetcode("count-below", "countBelow", server.home)
    assert judge.submit("program", "python3").verdict == "wrong"


@pytest.mark.parametrize("session", ["", "  ", "sess\u00efon", "two\nlines"])
def test_without_a_session_nothing_is_asked(monkeypatch: pytest.MonkeyPatch, session: str) -> None:
    monkeypatch.setenv(leetcode.SESSION, session)
    monkeypatch.setenv(leetcode.TOKEN, TOKEN)
    with pytest.raises(
        UsageError, match="sign in with a browser and set THRESHER_LEETCODE_SESSION"
    ):
        open_leetcode("count-below", "countBelow")


def secret_judge(judges: Judges, secret: list[TestCase]) -> Iterator[Loopback]:
    made = problem(cases=secret, entry_point="ask")
    judges.verdict(made, "")  # starts here: the server's threads end, and with them what they start

    def verdict(program: str) -> Report:
        judged = judges.verdict(made, program + ENTRY)
        if judged.failing_case is None:
            return Report("accepted" if judged.verdict == "pass" else "failed")
        failed = secret[judged.failing_case]
        given = "\n".join(map(json.dumps, failed.args))
        return Report("wrong", given, data.render(failed.expected))

    with serving(verdict) as loopback:
        yield loopback


def test_cases_come_from_a_judge_that_is_busy_and_slow() -> None:
    secret = [case([1, 5], 3, expected=1), case([2, 2], 2, expected=0), case([], 5, expected=0)]
    clock = Clock()
    with Judges(1) as judges:
        for server in secret_judge(judges, secret):
            server.pending = 2
            server.play(SUBMIT, Answer(429, headers={"Retry-After": "5"}), Answer(503))
            judge = judge_of(server, clock)
            right = judge.submit(PROMPT + SOLUTION, "python3")
            found = list(collect(problem(), judge, Budget(submissions=12), clock=lambda: clock.now))
    assert right.verdict == "accepted"
    assert [(each.args, each.expected) for each in found] == [
        (([2, 2], 2), 0),
        (([], 5), 0),
    ]


def test_what_was_found_before_the_session_expired_is_there() -> None:
    reports = iter([WRONG, Report("wrong", "[5]\n5", "0")])
    with serving(lambda program: next(reports)) as server:
        judge = judge_of(server, Clock())
        found = []
        with pytest.raises(UsageError, match="has expired"):
            for each in collect(problem(), judge):
                found.append(each)
                if len(found) == 2:
                    server.play(SUBMIT, Answer(302, headers={"Location": "/accounts/login/"}))
    assert [each.args for each in found] == [([4], 4), ([5], 5)]


def test_an_answer_without_end_is_not_read_to_it(
    server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leetcode, "MOST_BYTES", 1000)
    server.play(SUBMIT, Answer(200, b" " * 1001))
    with pytest.raises(InfrastructureError, match="/submit/ answers without end"):
        submitted(server)


def test_words_of_a_judge_steer_no_terminal() -> None:
    said = report({"status_code": 15, "status_msg": "\x1b]0;mine\x07 \u202e\x9b2J"}).said
    assert said.isprintable()
