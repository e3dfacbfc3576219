"""Crawl web sites into a workspace: each page is fetched once, stored whole, and handed on."""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

import thresher
from thresher.crawlers.engine import stored
from thresher.crawlers.engine.fetcher import Fetcher, fetching
from thresher.crawlers.engine.messages import Ask, Begin, Got, Lost, Note, Polite, Rules
from thresher.crawlers.site import Page, Seen, Site
from thresher.errors import UsageError
from thresher.progress import Reporter
from thresher.store.records import Source
from thresher.store.workspace import Workspace

HOME = re.compile(r"https?://[^\s/@?#]+(?:/[^\s?#]*)?")
CONTACT = re.compile(r"[^\s@]+@[^\s@]+|https?://[^\s/]+")
DEFAULT = Polite()
FORBIDDEN, STOPPED = "robots-forbidden", "site-stopped"


class Wanted(NamedTuple):
    """A site to crawl: which problems (none means all), and where where it isn't the site itself.

    `home` is the address of a copy that stands in for `Site.home`.
    """

    site: Site
    keys: Sequence[str] = ()
    home: str = ""


class Fetched(NamedTuple):
    """A page that may be a statement: as the site names it, its bytes, and their source."""

    site: Site
    page: Page
    body: bytes
    source: Source


@dataclass
class Summary:
    """How a crawl ended.

    Attributes:
        fetched: pages that came over the network.
        known: pages that the workspace already had.
        forbidden: pages that robots.txt keeps us from.
        failed: pages that can't be had, by reason.
        stopped: the sites that were left before the end, with the sentence why.
        pending: pages of these that weren't asked for; the next run goes on with them.
    """

    fetched: int = 0
    known: int = 0
    forbidden: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    stopped: dict[str, str] = field(default_factory=dict)
    pending: int = 0


def agent(contact: str) -> str:
    """Return the user agent, which tells a site whom to write to.

    Raises:
        UsageError: `contact` has neither an e-mail address nor the address of a page.
    """
    if not CONTACT.search(contact) or not contact.isascii() or not contact.isprintable():
        raise UsageError(
            f"{contact!r} is no contact: give the sites your e-mail address or a page about what "
            "you do, in ASCII letters, for example --contact me@example.org"
        )
    return f"thresher/{thresher.__version__} (+{contact.strip()})"


def check(wanted: Sequence[Wanted], contact: str) -> list["_Visit"]:
    """Return the visits of a crawl; nothing is asked for yet.

    Raises:
        UsageError: the contact or the address of a copy can't be used.
    """
    agent(contact)
    return [_Visit(one) for one in wanted]


def crawl(
    wanted: Sequence[Wanted],
    workspace: Workspace,
    contact: str,
    report: Reporter,
    keep: Callable[[Fetched], None],
    polite: Polite = DEFAULT,
    refresh: bool = False,
) -> Summary:
    """Crawl sites, all at the same time, each page once.

    A page is stored before it is handed on. Killed at any moment and run again, pages that were
    stored are answered from the workspace and no other is missing: the same pages are handed on.

    Args:
        wanted: the sites.
        workspace: open for writing.
        contact: an e-mail address or page where a site's owner reaches the user.
        report: is told of progress and of sites that are left.
        keep: is given every page that may be a statement, in the order they came.
        polite: how considerate to be.
        refresh: ask for pages again that the workspace has.

    Raises:
        UsageError: the contact or the address of a copy can't be used.
        InfrastructureError: Scrapy's process has ended unasked.
        duckdb.Error: the workspace can't be written.
    """
    begin = Begin(agent(contact), polite)
    visits = check(wanted, contact)
    report.stage("pages", None)
    with fetching(begin, workspace.scratch) as fetcher:
        running = _Crawl(stored.Stored(workspace), fetcher, report, keep, polite, refresh)
        running.run(visits)
    return running.summary


class _Visit:
    """One site being crawled: its frontier, and what is open."""

    def __init__(self, wanted: Wanted) -> None:
        self.site = wanted.site
        self.home = (wanted.home or wanted.site.home).rstrip("/")
        if not is_address(self.home):
            raise UsageError(
                f"{self.home!r} is no address: write for example http://127.0.0.1:8000"
            )
        self.waiting: deque[Page] = deque()
        self.seen: set[Page] = set()
        self.open = 0
        self.handled = 0
        self.add(self.site.start(wanted.keys))

    def add(self, pages: Sequence[Page]) -> None:
        """Take pages that weren't seen before into the frontier."""
        fresh = [page for page in dict.fromkeys(pages) if page not in self.seen]
        self.seen.update(fresh)
        self.waiting += fresh

    def address(self, page: Page) -> Page | None:
        """Return a page as it is asked for on the network, None where it isn't of this site."""
        rest = page.url.removeprefix(self.site.home)
        if rest == page.url or rest[:1] not in ("", "/", "?") or not _is_text(rest):
            return None
        return page._replace(url=self.home + rest)


def is_address(home: str) -> bool:
    """Say whether pages can be asked for below an address."""
    try:
        return bool(HOME.fullmatch(home)) and urlsplit(home).port != 0
    except ValueError:  # a port or an IPv6 address that can't be
        return False


def _is_text(url: str) -> bool:
    """Say whether an address can be stored; what a site takes out of JSON may hold surrogates."""
    return url.encode(errors="ignore").decode() == url


class _Crawl:
    """The loop: pages out, answers in, batches stored and handed on."""

    def __init__(
        self,
        pages: stored.Stored,
        fetcher: Fetcher,
        report: Reporter,
        keep: Callable[[Fetched], None],
        polite: Polite,
        refresh: bool,
    ) -> None:
        self.summary = Summary()
        self._stored, self._fetcher, self._report = pages, fetcher, report
        self._keep, self._polite, self._refresh = keep, polite, refresh
        self._asked: dict[int, tuple[_Visit, Page, Page]] = {}
        self._ready: list[Fetched] = []
        self._number = 0

    def run(self, visits: Sequence[_Visit]) -> None:
        """Crawl until nothing is left to ask for."""
        for visit in visits:
            self._ask(visit)
        while self._asked:
            self._answer(self._fetcher.receive(self._stored.wait()))
            if self._stored.wait() == 0:
                self._hand_on()
        self._hand_on()

    def _ask(self, visit: _Visit) -> None:
        """Ask for as many pages of a site as may be open; what is stored needs no asking."""
        while visit.waiting and visit.open < self._polite.concurrency:
            page = visit.waiting.popleft()
            address = visit.address(page)
            if address is None:
                self.summary.failed["off-site"] += 1
            elif not self._from_store(visit, page, address):
                self._number += 1
                self._asked[self._number] = (visit, page, address)
                visit.open += 1
                self._fetcher.send(Ask(self._number, address.url, address.body))

    def _from_store(self, visit: _Visit, page: Page, address: Page) -> bool:
        found = None if self._refresh else self._stored.find(address)
        if isinstance(found, str):
            self.summary.failed[found] += 1
        elif found:
            seen = self._look(visit, page, found.body)
            old = stored.age(found.source) > self._polite.listing_age
            if old and not seen.is_statement:  # it may list more by now
                return False
            self.summary.known += 1
            for fetched in self._taken(visit, page, found, seen):
                self._keep(fetched)
        return found is not None

    def _look(self, visit: _Visit, page: Page, body: bytes) -> Seen:
        try:
            return visit.site.look(page, body)
        except Exception as error:  # a plug-in's, perhaps: the crawl goes on without the page
            self.summary.failed["look-failed"] += 1
            self._report.say(f"left out: {page.url}: {visit.site.name} fails on it ({error!r})")
            return Seen()

    def _taken(self, visit: _Visit, page: Page, had: stored.Had, seen: Seen) -> Iterator[Fetched]:
        """Go on to where a page leads; yield it if it may be a statement."""
        visit.add(seen.follow)
        visit.handled += 1
        self._report.advance(f"{visit.site.name}: {visit.handled} of {len(visit.seen)}")
        if seen.is_statement:
            yield Fetched(visit.site, page, had.body, had.source)

    def _answer(self, message: Got | Lost | Rules | Note | None) -> None:
        if isinstance(message, Rules):
            self._stored.add_rules(message.url, message.body)
        elif isinstance(message, Note):
            self._report.say(f"crawler: {message.line}")
        elif message is not None:
            visit, page, address = self._asked.pop(message.number)
            visit.open -= 1
            if isinstance(message, Got):
                had = self._stored.add(address, message.url, message.body, message.robots)
                self.summary.fetched += 1
                self._ready += self._taken(visit, page, had, self._look(visit, page, message.body))
            else:
                self._lose(visit, address, message)
            self._ask(visit)

    def _lose(self, visit: _Visit, address: Page, lost: Lost) -> None:
        if lost.reason == STOPPED:
            if visit.site.name not in self.summary.stopped:
                self._report.say(f"stopped: {visit.site.name}: {lost.why}")
                self.summary.stopped[visit.site.name] = lost.why
            self.summary.pending += 1 + len(visit.waiting)
            visit.waiting.clear()
            return
        self._stored.lose(address, lost.reason, lost.why)
        visit.handled += 1
        if lost.reason == FORBIDDEN:
            self.summary.forbidden += 1
        else:
            self.summary.failed[lost.reason] += 1

    def _hand_on(self) -> None:
        self._stored.flush()
        ready, self._ready = self._ready, []
        for fetched in ready:
            self._keep(fetched)
