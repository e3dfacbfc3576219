"""How the engine behaves to hosts: real servers of many kinds, all crawled at the same time."""

import contextlib
import email.utils
import gzip
import hashlib
import socket
import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.crawlers.engine.toy import Listener, links, paths, problem, toy
from tests.crawlers.server import Answer, Answers, Asked, Loopback, serve, site
from thresher.crawlers.engine.crawl import Fetched, Polite, Summary, Wanted, crawl
from thresher.store import blobs
from thresher.store.records import Decision, Source
from thresher.store.workspace import Workspace, open_writer

POLITE = Polite(
    delay=0,
    throttle=False,
    concurrency=8,
    timeout=1.0,
    most_bytes=200_000,
    retries=2,
    back_off=0.1,
    longest_wait=5,
    give_up=6,
)
SECRET = b"User-agent: *\nDisallow: /secret\n"
MOMENT = b"<title>Just a moment...</title><script>window._cf_chl_opt = {}</script>"
TEN = [f"/p/{number}" for number in range(10)]
MANY = {path: problem(path) for path in TEN}


def first(count: int, answer: Answer, then: bytes, others: Answers) -> Answers:
    """Answer the first requests for /p/0 with `answer`, later ones with `then`."""
    left = [count]

    def answers(asked: Asked) -> Answer | bytes | None:
        if asked.path != "/p/0":
            return others(asked)
        left[0] -= 1
        return answer if left[0] >= 0 else then

    return answers


def date_in(seconds: float) -> dict[str, str]:
    """Return the headers of a host whose clock is a year behind."""
    now = time.time() - 365 * 86400
    return {
        "Date": email.utils.formatdate(now, usegmt=True),
        "Retry-After": email.utils.formatdate(now + seconds, usegmt=True),
    }


def robots_after(count: int) -> Answers:
    left = [count]

    def answers(asked: Asked) -> Answer | bytes | None:
        if asked.path != "/robots.txt":
            return problem()
        left[0] -= 1
        return Answer(status=503) if left[0] >= 0 else SECRET

    return answers


SITES: dict[str, tuple[Answers, list[str]]] = {
    "slow-robots": (
        site({**MANY, "/secret/1": problem()}, Answer(SECRET, wait=0.4)),
        ["secret/1", *(path[1:] for path in TEN), "secret/2", "secret/3"],
    ),
    "redirects": (
        site(
            {
                "/a": Answer(status=302, headers={"Location": "/secret/1"}),
                "/b": Answer(status=301, headers={"Location": "/p/1"}),
                "/c": Answer(status=302, headers={"Location": "/c"}),
                "/e": Answer(status=302, headers={"Location": "file:///etc/passwd"}),
                **MANY,
            },
            SECRET,
        ),
        ["a", "b", "c", "d", "e"],
    ),
    "delayed": (site(MANY, b"User-agent: thresher\nCrawl-delay: 0.6\n"), ["p/0", "p/1", "p/2"]),
    "rated": (site(MANY, b"User-agent: *\nRequest-rate: 2/1\n"), ["p/0", "p/1", "p/2"]),
    "endless-delay": (site(MANY, b"User-agent: *\nCrawl-delay: 86400\n"), ["p/0"]),
    "retry-after": (
        first(1, Answer(status=429, headers={"Retry-After": "2"}), problem(), site(MANY)),
        ["p/0", "p/1", "p/2", "p/3"],
    ),
    "retry-date": (
        first(1, Answer(status=503, headers=date_in(2)), problem(), site(MANY)),
        ["p/0"],
    ),
    "retry-never": (
        first(99, Answer(status=429, headers={"Retry-After": "3600"}), b"", site(MANY)),
        ["p/0", *(path[1:] for path in TEN[1:] * 2)],
    ),
    "robots-503": (site(MANY, Answer(status=503)), ["p/0", "p/1"]),
    "robots-late": (robots_after(2), ["p/0", "secret/1"]),
    "robots-cut": (site(MANY, Answer(SECRET, cut=True)), ["p/0", "p/1"]),
    "robots-403": (site(MANY, Answer(b"no", 403)), ["p/0"]),
    "robots-404": (site(MANY), ["p/0"]),
    "robots-huge": (
        site(MANY, SECRET + b"# filler\n" * 20_000 + b"Disallow: /p/1\n"),
        ["p/0", "secret/1"],
    ),
    "robots-moved": (
        site(
            {**MANY, "/r": SECRET, "/secret/1": problem()},
            Answer(status=301, headers={"Location": "/r"}),
        ),
        ["p/0", "secret/1"],
    ),
    "robots-away": (
        site(MANY, Answer(status=301, headers={"Location": "http://me:word@127.0.0.1/robots.txt"})),
        ["p/0", "p/1", "p/2"],
    ),
    "challenge-403": (
        first(99, Answer(MOMENT, 403, {"cf-mitigated": "challenge"}), b"", site(MANY)),
        ["p/0", *(path[1:] for path in TEN)],
    ),
    "challenge-503": (first(99, Answer(b"DDoS-Guard", 503), b"", site(MANY)), ["p/0"]),
    "challenge-200": (first(99, Answer(MOMENT), b"", site(MANY)), ["p/0"]),
    "challenge-robots": (site(MANY, Answer(b"captcha", 403)), ["p/0"]),
    "flaky": (first(2, Answer(status=502), problem(), site(MANY)), ["p/0"]),
    "broken": (first(99, Answer(status=500), b"", site(MANY)), ["p/0", "p/1"]),
    "hangs": (first(99, Answer(problem(), wait=1.6), b"", site(MANY)), ["p/0", "p/1"]),
    "cut": (first(99, Answer(problem(), cut=True), b"", site(MANY)), ["p/0"]),
    "huge": (site({"/p/0": b"x" * 300_000, **{"/p/1": problem()}}), ["p/0", "p/1"]),
    "bomb": (
        site({"/p/0": Answer(gzip.compress(bytes(9 << 20)), headers={"Content-Encoding": "gzip"})}),
        ["p/0"],
    ),
    "packed": (
        site({"/p/0": Answer(gzip.compress(problem()), headers={"Content-Encoding": "gzip"})}),
        ["p/0"],
    ),
    "gone": (site({"/p/0": Answer(status=410)}), ["p/0", "p/1"]),
    "refuses": (lambda asked: Answer(b"members only", 403), [path[1:] for path in TEN * 3]),
    "leads-away": (site({"/": links("/p/0", "https://elsewhere.test/p/1"), **MANY}), []),
    "cookies": (
        site(dict.fromkeys(TEN, Answer(problem(), headers={"Set-Cookie": "a=b"}))),
        ["p/0", "p/1"],
    ),
}


class Crawled(NamedTuple):
    """What came of crawling all sites once."""

    servers: dict[str, Loopback]
    kept: list[Fetched]
    summary: Summary
    lines: list[str]
    workspace: Workspace

    def paths(self, name: str) -> list[str]:
        """Return what was handed on of a site."""
        return paths([one for one in self.kept if one.site.name == name])

    def why(self, name: str) -> dict[str, str]:
        """Return the reason for which each page of a site was lost."""
        home = self.servers[name].home
        lost = self.workspace.current(Decision, "starts_with(subject, $1)", home + "/")
        return {one.subject.removeprefix(home): one.reason for one in lost if not one.keep}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    kept: list[Fetched] = []
    listener = Listener()
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(serve(SITES[name][0])) for name in SITES}
        elsewhere = servers["leads-away"].home
        inner = servers["redirects"].answers
        away = Answer(status=302, headers={"Location": f"{elsewhere}/p/7"})
        servers["redirects"].answers = lambda asked: away if asked.path == "/d" else inner(asked)
        wanted = [Wanted(toy(name), SITES[name][1], servers[name].home) for name in SITES]
        wanted.append(Wanted(toy("nobody"), ["p/0"], f"http://127.0.0.1:{closed_port()}"))
        folder = tmp_path_factory.mktemp("manners")
        with open_writer(folder / "workspace") as workspace:
            summary = crawl(wanted, workspace, "tests@example.org", listener, kept.append, POLITE)
            yield Crawled(servers, kept, summary, listener.lines, workspace)


def closed_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def gaps(times: list[float]) -> list[float]:
    return [round(after - before, 2) for before, after in zip(times, times[1:], strict=False)]


def test_no_page_is_asked_for_before_robots_txt_was_read(crawled):
    for name, server in crawled.servers.items():
        assert server.log[0].path == "/robots.txt", name
    slow = crawled.servers["slow-robots"]
    assert all(at - slow.times("/robots.txt")[0] >= 0.4 for at in slow.times()[1:])
    assert sorted(slow.paths()) == TEN
    assert [asked.path for asked in slow.log].count("/robots.txt") == 1


def test_nothing_forbidden_is_ever_asked_for(crawled):
    for server in crawled.servers.values():
        assert not [path for path in server.paths() if path.startswith("/secret")]
    forbidden = dict.fromkeys(["/secret/1", "/secret/2", "/secret/3"], "robots-forbidden")
    assert crawled.why("slow-robots") == forbidden
    assert crawled.paths("slow-robots") == TEN
    assert crawled.summary.forbidden == 7


def test_a_redirect_is_held_to_the_same_rules(crawled):
    assert crawled.paths("redirects") == ["/b"]
    assert crawled.why("redirects") == {
        "/a": "robots-forbidden",
        "/c": "redirects",
        "/d": "off-site",
        "/e": "http-302",
    }
    (had,) = [one for one in crawled.kept if one.site.name == "redirects"]
    assert had.page.url == "https://redirects.test/b"
    assert had.source.url == crawled.servers["redirects"].home + "/p/1"


def test_links_to_another_site_are_not_followed(crawled):
    assert crawled.servers["leads-away"].paths() == ["/", "/p/0"]
    assert crawled.summary.failed["off-site"] == 2


def test_a_crawl_delay_lies_between_all_requests(crawled):
    times = crawled.servers["delayed"].times()
    assert len(times) == 4
    assert min(gaps(times)) >= 0.4  # as they come in on a busy machine
    assert min(gaps(crawled.servers["rated"].times())) >= 0.3


def test_a_delay_of_a_day_is_not_waited_for(crawled):
    assert "asks for 86400 s between pages" in crawled.summary.stopped["endless-delay"]
    assert crawled.servers["endless-delay"].paths() == []


def test_retry_after_is_waited_for_by_every_request_to_the_host(crawled):
    server = crawled.servers["retry-after"]
    refused = server.times("/p/0")[0]
    waited = [at - refused for at in server.times() if at > refused + 1.0]
    assert waited
    assert min(waited) >= 1.98
    assert crawled.paths("retry-after") == ["/p/0", "/p/1", "/p/2", "/p/3"]


def test_retry_after_may_be_a_date_by_the_clock_of_the_host(crawled):
    before, after = crawled.servers["retry-date"].times("/p/0")
    assert after - before >= 1.98


def test_a_host_that_asks_for_an_hour_is_left(crawled):
    assert "asks to be left alone for 3600 s" in crawled.summary.stopped["retry-never"]
    assert crawled.servers["retry-never"].paths().count("/p/0") == 1


def test_without_robots_txt_nothing_is_fetched(crawled):
    for name in ("robots-503", "robots-cut"):
        assert crawled.servers[name].paths() == []
        assert len(crawled.servers[name].log) == 1 + POLITE.retries
        assert "gives no robots.txt" in crawled.summary.stopped[name]
    assert "is no address of a page" in crawled.summary.stopped["robots-away"]
    assert len(crawled.servers["robots-away"].log) == 1
    assert gaps(crawled.servers["robots-503"].times())[0] >= 0.1
    assert "Connection refused" in crawled.summary.stopped["nobody"]


def test_robots_txt_that_comes_late_is_obeyed(crawled):
    assert crawled.servers["robots-late"].paths() == ["/p/0"]
    assert crawled.why("robots-late") == {"/secret/1": "robots-forbidden"}


def test_where_robots_txt_is_missing_everything_may_be_fetched(crawled):
    said = {one.site.name: one.source.robots for one in crawled.kept}
    assert said["robots-404"] == "no robots.txt (404)"
    assert said["robots-403"] == "no robots.txt (403)"


def test_robots_txt_is_followed_when_it_has_moved(crawled):
    assert crawled.paths("robots-moved") == ["/p/0"]
    assert crawled.why("robots-moved") == {"/secret/1": "robots-forbidden"}


def test_a_page_says_which_robots_txt_allowed_it(crawled):
    (had,) = [one for one in crawled.kept if one.site.name == "robots-late"]
    assert (
        had.source.robots == f"allowed by robots.txt (sha256 {hashlib.sha256(SECRET).hexdigest()})"
    )
    url = crawled.servers["robots-late"].home + "/robots.txt"
    (rules,) = [one for one in crawled.workspace.select(Source) if one.url == url]
    assert blobs.get(crawled.workspace.blobs, rules.sha256) == SECRET


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("challenge-403", "cf-mitigated"),
        ("challenge-503", "ddos-guard"),
        ("challenge-200", "just a moment..."),
        ("challenge-robots", "captcha"),
    ],
)
def test_a_challenge_stops_the_site(crawled, name, mark):
    assert f"wants proof of a browser or a person ({mark})" in crawled.summary.stopped[name]
    server = crawled.servers[name]
    assert server.paths().count("/p/0") <= 1  # never tried again
    assert len(server.paths()) <= POLITE.concurrency  # no more than were on their way
    stored = [one.url for one in crawled.workspace.select(Source)]
    assert f"{server.home}/p/0" not in stored


def test_every_site_that_was_left_is_said_once(crawled):
    said = [line.split(": ")[1] for line in crawled.lines]
    assert sorted(said) == sorted(crawled.summary.stopped)
    assert all(line.startswith("stopped: ") for line in crawled.lines)


def test_passing_faults_are_tried_again_and_then_counted(crawled):
    assert crawled.paths("flaky") == ["/p/0"]
    assert gaps(crawled.servers["flaky"].times("/p/0"))[1] >= 0.2  # twice as long as before
    assert crawled.why("broken") == {"/p/0": "http-500"}
    assert crawled.paths("broken") == ["/p/1"]
    assert crawled.servers["broken"].paths().count("/p/0") == 1 + POLITE.retries
    assert crawled.why("hangs") == {"/p/0": "timeout"}
    assert crawled.why("cut") == {"/p/0": "cut-short"}


def test_large_pages_are_refused_packed_or_not(crawled):
    assert crawled.why("huge") == {"/p/0": "too-large"}
    assert crawled.why("bomb") == {"/p/0": "too-large"}
    (had,) = [one for one in crawled.kept if one.site.name == "packed"]
    assert had.body == problem()


def test_a_page_that_is_gone_is_not_tried_again(crawled):
    assert crawled.why("gone") == {"/p/0": "http-410", "/p/1": "http-404"}
    assert len(crawled.servers["gone"].paths()) == 2


def test_a_site_that_refuses_page_after_page_is_left(crawled):
    assert "6 pages in a row (last: status 403)" in crawled.summary.stopped["refuses"]
    assert len(crawled.servers["refuses"].log) <= 1 + POLITE.give_up + POLITE.concurrency


def test_the_contact_is_in_every_request_and_no_cookie_is(crawled):
    for server in crawled.servers.values():
        for asked in server.log:
            assert asked.headers["user-agent"] == "thresher/0.1.0 (+tests@example.org)"
            assert "cookie" not in asked.headers
            assert "referer" not in asked.headers


def test_what_is_stored_is_whole(crawled):
    assert crawled.workspace.verify() is None
    assert crawled.workspace.verify_blobs() is None
    ids = [one.source.id for one in crawled.kept]
    known = {one.id for one in crawled.workspace.select(Source)}
    assert set(ids) <= known
    assert crawled.summary.fetched == len(crawled.kept) + 1  # and one list


def test_the_next_run_asks_only_for_what_is_missing(crawled):
    names = ["challenge-403", "robots-404", "gone", "broken", "retry-never"]
    before = {name: len(crawled.servers[name].log) for name in names}
    for name in names:
        crawled.servers[name].answers = site({**MANY, "/p/0": problem("better")})
    kept: list[Fetched] = []
    wanted = [Wanted(toy(name), SITES[name][1], crawled.servers[name].home) for name in names]
    summary = crawl(wanted, crawled.workspace, "tests@example.org", Listener(), kept.append, POLITE)
    asked = {
        name: sorted(one.path for one in crawled.servers[name].log[before[name] :])
        for name in names
    }
    assert asked["robots-404"] == asked["gone"] == []
    assert asked["broken"] == ["/p/0", "/robots.txt"]
    assert "/p/0" in asked["challenge-403"]
    assert not set(crawled.paths("retry-never")) & set(asked["retry-never"])
    assert summary.stopped == {}
    assert summary.failed == {"http-410": 1, "http-404": 1}
    for name in ("challenge-403", "retry-never"):
        assert paths([one for one in kept if one.site.name == name]) == TEN
    assert [one.body for one in kept if one.page.url == "https://broken.test/p/0"] == [
        problem("better")
    ]
    assert crawled.why("broken") == {}  # the last word is that it came
