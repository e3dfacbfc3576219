import contextlib
import dataclasses
import json
from collections import Counter, deque
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.crawlers.engine.toy import Listener, links, problem, toy
from tests.crawlers.server import Asked, serve
from thresher.crawlers.engine import stored
from thresher.crawlers.engine.crawl import Fetched, Polite, Summary, Wanted, agent, crawl
from thresher.crawlers.engine.messages import Ask, Got, Lost
from thresher.crawlers.site import Page, Seen
from thresher.errors import UsageError
from thresher.store import blobs
from thresher.store.records import Decision, Source
from thresher.store.workspace import open_writer

POLITE = Polite(delay=0, throttle=False)
OLD = Polite(delay=0, throttle=False, listing_age=-1)
MAIL = "tests@example.org"


@pytest.mark.parametrize(
    "contact", ["me@example.org", "https://example.org/bot", "Jo, mailto:jo@lab.example"]
)
def test_the_agent_has_the_contact(contact):
    assert agent(contact) == f"thresher/0.1.0 (+{contact})"


@pytest.mark.parametrize(
    "contact",
    ["", "me", "example.org", "me@example.org\nX: y", "jörg@example.org", "@", "https://"],
)
def test_nobody_crawls_without_a_contact(contact, tmp_path):
    with open_writer(tmp_path) as workspace, pytest.raises(UsageError, match="is no contact"):
        crawl([], workspace, contact, Listener(), print)


@pytest.mark.parametrize(
    "home",
    [
        *("127.0.0.1:80", "ftp://example.org", "https://", "file:///tmp", "http://[::1"),
        *("http://127.0.0.1:99999", "http://me:word@127.0.0.1", "http://127.0.0.1/?a"),
    ],
)
def test_a_copy_has_an_address(home, tmp_path):
    with open_writer(tmp_path) as workspace, pytest.raises(UsageError, match="is no address"):
        crawl([Wanted(toy(), home=home)], workspace, MAIL, Listener(), print)


def run(folder: Path, wanted: list[Wanted], polite=POLITE, refresh=False):
    kept: list[Fetched] = []
    with open_writer(folder) as workspace:
        summary = crawl(wanted, workspace, MAIL, Listener(), kept.append, polite, refresh)
        assert workspace.verify() is None
    return kept, summary


class Answering:
    """A fetcher that answers from a table of pages by path, without a process and a network."""

    def __init__(self, pages: dict[str, bytes]) -> None:
        self._pages = pages
        self._answers = deque[Got | Lost]()

    def send(self, ask: Ask) -> None:
        body = self._pages.get(urlsplit(ask.url).path)
        got = Lost(ask.number, "http-404", "") if body is None else None
        self._answers.append(got or Got(ask.number, ask.url, body, "allowed"))

    def receive(self, timeout: float | None) -> Got | Lost | None:
        return self._answers.popleft() if self._answers else None


def test_an_old_list_is_asked_for_again_and_a_statement_only_to_refresh_it(tmp_path, monkeypatch):
    pages = {"/": links("/p/1"), "/p/1": problem("old"), "/p/2": problem("two")}
    fetching = lambda begin, folder: contextlib.nullcontext(Answering(pages))  # noqa: E731
    monkeypatch.setattr("thresher.crawlers.engine.crawl.fetching", fetching)
    wanted = [Wanted(toy())]
    assert run(tmp_path, wanted)[1] == Summary(fetched=2)
    pages |= {"/": links("/p/1", "/p/2"), "/p/1": problem("new")}
    assert run(tmp_path, wanted)[1] == Summary(known=2)
    kept, summary = run(tmp_path, wanted, OLD)
    assert summary == Summary(fetched=2, known=1)
    assert sorted(one.body for one in kept) == [problem("old"), problem("two")]
    kept, summary = run(tmp_path, wanted, refresh=True)
    assert summary == Summary(fetched=3)
    kept, summary = run(tmp_path, wanted)
    assert sorted(one.body for one in kept) == [problem("new"), problem("two")]
    assert len({one.source.id for one in kept}) == 2
    with open_writer(tmp_path) as workspace:
        versions = [one.sha256 for one in workspace.select(Source) if one.url.endswith("/p/1")]
        assert [blobs.get(workspace.blobs, one) for one in versions] == [
            problem("old"),
            problem("new"),
        ]


def test_pages_are_told_apart_by_what_is_sent_and_a_failing_site_stops_no_other(tmp_path):
    queries = [json.dumps({"slug": slug}).encode() for slug in ("one", "two")]
    start = [Page("https://toy.test/graphql", query) for query in queries]
    odd = Page("https://toy.test/\ud800")  # as JSON may have it
    posts = dataclasses.replace(
        toy(), start=lambda keys: start, look=lambda page, body: Seen([odd], is_statement=True)
    )

    def look(page: Page, body: bytes) -> Seen:
        raise KeyError("next")

    def answer(asked: Asked) -> bytes | None:
        return None if asked.path == "/robots.txt" else b"<h1>" + asked.body

    with serve(answer) as server:
        broken = dataclasses.replace(toy("broken"), look=look)
        wanted = [Wanted(broken, home=server.home), Wanted(posts, home=server.home)]
        kept, summary = run(tmp_path, wanted)
        asked = [asked for asked in server.log if asked.path == "/graphql"]
    assert summary == Summary(fetched=3, failed=Counter(["look-failed", "off-site"]))
    assert {one.headers["content-type"] for one in asked} == {"application/json"}
    assert {one.method for one in asked} == {"POST"}
    assert sorted(one.body for one in kept) == [b"<h1>" + query for query in queries]
    assert sorted(one.page for one in kept) == start
    assert len({one.source.id for one in kept}) == 2
    assert run(tmp_path, wanted[1:])[1] == Summary(known=2, failed=Counter(["off-site"]))


def test_bytes_that_are_gone_are_fetched_again(tmp_path):
    with open_writer(tmp_path) as workspace:
        pages = stored.Stored(workspace)
        page = Page("https://site.test/p/1")
        had = pages.add(page, page.url, b"bytes", "allowed")
        assert pages.find(Page("https://site.test/p/2")) is None
        pages.flush()
        assert pages.find(page) == had
        assert stored.Stored(workspace).find(page) == had
        blobs.path(workspace.blobs, had.source.sha256).unlink()
        assert pages.find(page) is None


def test_a_batch_is_due_when_it_is_full_or_old(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "BATCH", 2)
    with open_writer(tmp_path) as workspace:
        pages = stored.Stored(workspace)
        assert pages.wait() is None
        pages.add(Page("https://site.test/1"), "https://site.test/1", b"1", "allowed")
        assert 0 < pages.wait() <= stored.BATCH_SECONDS
        pages.add(Page("https://site.test/2"), "https://site.test/2", b"2", "allowed")
        assert pages.wait() == 0
        assert workspace.select(Source) == []
        pages.flush()
        assert pages.wait() is None
        assert len(workspace.select(Source)) == 2


def test_what_is_lost_is_kept_with_its_reason_until_it_comes(tmp_path):
    page, gone = Page("https://site.test/1"), Page("https://site.test/2", b"{}")
    with open_writer(tmp_path) as workspace:
        pages = stored.Stored(workspace)
        pages.lose(page, "timeout", "too slow")
        pages.lose(gone, "http-404", "not there")
        pages.flush()
        lost = {one.subject: one.reason for one in workspace.current(Decision)}
        assert lost == {"https://site.test/1": "timeout", "https://site.test/2 {}": "http-404"}
        pages = stored.Stored(workspace)
        assert pages.find(page) is None  # the next run tries it again
        assert pages.find(gone) == "http-404"
        pages.add(page, page.url, b"", "allowed")
        pages.flush()
        words = [(one.keep, one.reason) for one in workspace.current(Decision)]
        assert sorted(words) == [(False, "http-404"), (True, "fetched")]
