"""A judge of LeetCode's shape, asked in the user's own session and within the user's limits.

A program is sent to ``/problems/SLUG/submit/``; the verdict is then at
``/submissions/detail/ID/check/`` once its state is ``SUCCESS``.
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thresher.crawlers.engine import challenge
from thresher.crawlers.engine.politeness import retry_after
from thresher.crawlers.judges.judge import Report
from thresher.crawlers.plain import plain
from thresher.errors import InfrastructureError, UsageError

if TYPE_CHECKING:
    import httpx2

HOME = "https://leetcode.com"
SESSION, TOKEN = "THRESHER_LEETCODE_SESSION", "THRESHER_LEETCODE_CSRF"  # noqa: S105  (their names)
TRIES = 5
MOST_BYTES = 16 << 20  # of an answer
LONGEST_ANSWER = 120.0  # seconds until one has come whole
LONGEST_WAIT = 600.0  # seconds that a judge may ask us to wait
LOOKS = 60  # at a verdict that is pending, before it is given up
ACCEPTED = 10  # its `status_code`
QUESTION = "query q($titleSlug: String!) { question(titleSlug: $titleSlug) { questionId } }"


@dataclass(frozen=True)
class Limits:
    """How often the judge is asked.

    Attributes:
        between: seconds from one submission to the next.
        look: seconds from one look at a pending verdict to the next.
    """

    between: float = 30.0
    look: float = 2.0


DEFAULT_LIMITS = Limits()


def open_leetcode(
    slug: str,
    name: str,
    home: str = HOME,
    limits: Limits = DEFAULT_LIMITS,
) -> "LeetCode":
    """Return the judge of one problem, in the session that the environment has.

    Args:
        slug: the problem in its address, such as ``two-sum``.
        name: of the function, such as ``twoSum``.
        home: the address that the problem's address begins with.
        limits: how often the judge is asked.

    Raises:
        UsageError: there is no session in the environment.
    """
    session, token = (os.environ.get(each, "").strip() for each in (SESSION, TOKEN))
    if not all(each.isascii() and each.isprintable() and each for each in (session, token)):
        raise UsageError(
            f"asking {home} needs your session: sign in with a browser and set {SESSION} and"
            f" {TOKEN} to its cookies LEETCODE_SESSION and csrftoken"
        )
    return LeetCode(slug, name, session, token, home, limits)


class LeetCode:
    """The judge of one problem; see `open_leetcode`. The session goes nowhere but to `home`."""

    def __init__(
        self,
        slug: str,
        name: str,
        session: str,
        token: str,
        home: str,
        limits: Limits,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._slug, self._name, self._home, self._limits = slug, name, home, limits
        self._cookies = {"LEETCODE_SESSION": session, "csrftoken": token}
        self._sleep, self._clock = sleep, clock
        self._next = 0.0
        self._question = ""

    def submit(self, program: str, language: str) -> Report:
        """Submit a program that defines the function, in the class that the judge wants.

        Raises:
            InfrastructureError: the judge fails, or asks us to wait for too long.
            UsageError: the session has expired, or the judge wants to see a person.
        """
        with self._client() as http:
            self._question = self._question or self._question_id(http)
            self._sleep(max(0.0, self._next - self._clock()))
            sent = {
                "lang": language,
                "question_id": self._question,
                "typed_code": f"{program}\n\nclass Solution:\n"
                f"    def {self._name}(self, *given):\n        return {self._name}(*given)\n",
            }
            answer = self._ask(http, "POST", f"/problems/{self._slug}/submit/", sent)
            self._next = self._clock() + self._limits.between
            number = answer.get("submission_id")
            if not isinstance(number, int | str):
                raise InfrastructureError(f"{self._home} didn't take the program: {_said(answer)}")
            return self._verdict(http, f"/submissions/detail/{number}/check/")

    def _question_id(self, http: "httpx2.Client") -> str:
        asked = {"query": QUESTION, "variables": {"titleSlug": self._slug}}
        answer = self._ask(http, "POST", "/graphql/", asked)
        try:
            return str(answer["data"]["question"]["questionId"])
        except (KeyError, TypeError):
            raise UsageError(
                f"{self._home} has no problem {self._slug!r}: check its name"
            ) from None

    def _verdict(self, http: "httpx2.Client", path: str) -> Report:
        for _ in range(LOOKS):
            answer = self._ask(http, "GET", path)
            if answer.get("state") == "SUCCESS":
                return report(answer)
            self._sleep(self._limits.look)
        raise InfrastructureError(f"{self._home} has no verdict after {LOOKS} looks; try it later")

    def _ask(
        self, http: "httpx2.Client", method: str, path: str, sent: object = None
    ) -> dict[str, Any]:
        """Ask until there is an answer, waiting as long as the judge says, or twice as long."""
        import httpx2

        problem = ""
        for attempt in range(TRIES):
            wait = 2.0**attempt
            try:
                with http.stream(method, path, json=sent) as answer:
                    body = self._body(answer)
            except httpx2.RequestError as error:
                problem = f"can't be reached ({str(error) or type(error).__name__})"
            else:
                self._refuse(answer, body)
                if answer.is_success:
                    return self._read(body)
                problem = f"answers {answer.status_code}"
                headers = answer.headers
                wait = retry_after(headers.get("retry-after", ""), headers.get("date", "")) or wait
            if wait > LONGEST_WAIT:
                raise InfrastructureError(f"{self._home} asks to wait {wait:.0f} s; try it later")
            if attempt < TRIES - 1:
                self._sleep(wait)
        raise InfrastructureError(f"{self._home} {problem}, {TRIES} times; try it later")

    def _body(self, answer: "httpx2.Response") -> bytes:
        """Return the body of an answer that comes to its end."""
        body, end = bytearray(), self._clock() + LONGEST_ANSWER
        for part in answer.iter_bytes():
            body += part
            if len(body) > MOST_BYTES or self._clock() > end:
                raise InfrastructureError(f"{self._home}{answer.url.path} answers without end")
        return bytes(body)

    def _refuse(self, answer: "httpx2.Response", body: bytes) -> None:
        """Stop where asking again can't help."""
        status = answer.status_code
        if mark := challenge.mark(status, answer.headers, body):
            raise UsageError(
                f"{self._home} wants to see a person ({mark}): open it in your browser; nothing is"
                " done to get around that"
            )
        if status in (401, 403) or answer.is_redirect:
            raise self._expired(f"it answers {status}")
        if 400 <= status < 500 and status not in (408, 425, 429):
            raise InfrastructureError(f"{self._home}{answer.url.path} answers {status}")

    def _read(self, body: bytes) -> dict[str, Any]:
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            raise self._expired("it shows a page instead of an answer") from None
        return found if isinstance(found, dict) else {}

    def _expired(self, why: str) -> UsageError:
        return UsageError(
            f"your session at {self._home} has expired ({why}): sign in with a browser and set"
            f" {SESSION} and {TOKEN} anew"
        )

    def _client(self) -> "httpx2.Client":
        try:
            import httpx2
        except ImportError as error:
            message = f"asking {self._home} needs httpx2: run `pip install 'thresher[model]'`"
            raise UsageError(message) from error
        headers = {
            "referer": f"{self._home}/problems/{self._slug}/",
            "x-csrftoken": self._cookies["csrftoken"],
            "cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
        }
        return httpx2.Client(base_url=self._home, headers=headers, timeout=60)


def report(answer: dict[str, Any]) -> Report:
    """Read a verdict: the JSON of a check whose state is ``SUCCESS``."""
    said = _said(answer)
    if answer.get("status_code") == ACCEPTED:
        return Report("accepted", said=said)
    given = answer.get("input") or answer.get("last_testcase")
    expected = answer.get("expected_output")
    if isinstance(given, str) and isinstance(expected, str) and given and expected:
        return Report("wrong", given, expected, said)
    return Report("failed", said=said)


def _said(answer: dict[str, Any]) -> str:
    words = answer.get("status_msg") or answer.get("error") or "nothing"
    counts = [answer.get(name) for name in ("total_correct", "total_testcases")]
    right = f" ({counts[0]} of {counts[1]} right)" if None not in counts else ""
    return plain(f"{str(words)[:100]}{right}")
