"""What a workspace holds of pages: asked for once, answered from there ever after."""

import datetime
import hashlib
import time
from collections.abc import Sequence
from typing import NamedTuple

from thresher.crawlers.site import Page
from thresher.store import blobs, sources
from thresher.store.records import Decision, Record, Source
from thresher.store.workspace import Unit, Workspace, unit_key

VERSION = 1
FETCH = "fetch"
BATCH, BATCH_SECONDS = 32, 0.5  # a commit costs more than a page, whatever there is in it
# A page that is lost for one of these is lost for good; any other is asked for by the next run.
LASTING = {"http-404", "http-410", "http-451", "too-large"}


class Had(NamedTuple):
    """The bytes of a page and the record of where they came from."""

    body: bytes
    source: Source


class Stored:
    """The pages of a workspace. What is added is stored in batches, each all or nothing."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        rows = workspace.query(
            "SELECT key, subject, outcome FROM units WHERE stage = $1 ORDER BY rowid", FETCH
        )
        self._known = {key: (subject, outcome) for key, subject, outcome in rows}
        lost = workspace.current(Decision, "filter = $1 AND NOT keep", FETCH)
        self._lost = {decision.subject for decision in lost}
        self._units: list[Unit] = []
        self._records: list[Record] = []
        self._since = 0.0

    def find(self, page: Page) -> Had | str | None:
        """Return a page, the reason for which it is lost for good, or None where it's unknown."""
        subject, outcome = self._known.get(_key(page), ("", ""))
        if outcome != "done":
            return outcome or None
        source = self._workspace.select(Source, "id = $1", subject)[-1]
        try:
            return Had(blobs.get(self._workspace.blobs, source.sha256), source)
        except FileNotFoundError:
            return None

    def add(self, page: Page, url: str, body: bytes, robots: str) -> Had:
        """Take a page that came from `url`; it is stored with the next batch."""
        source = self._source(url, body, robots, page.body)
        unit = Unit(_key(page), FETCH, source.id)
        self._known[unit.key] = (source.id, "done")
        records: list[Record] = [source]
        if label(page) in self._lost:
            self._lost.discard(label(page))
            records.append(_decision(page, "fetched", url, keep=True))
        self._take([unit], records)
        return Had(body, source)

    def add_rules(self, url: str, body: bytes) -> None:
        """Take a robots.txt, which decisions name by its sha256."""
        self._take([], [self._source(url, body, "robots.txt itself", b"")])

    def lose(self, page: Page, reason: str, why: str) -> None:
        """Take note of why a page can't be had."""
        self._lost.add(label(page))
        lasting = [Unit(_key(page), FETCH, label(page), reason)] if reason in LASTING else []
        self._take(lasting, [_decision(page, reason, why, keep=False)])

    def _source(self, url: str, body: bytes, robots: str, asked: bytes) -> Source:
        digest = blobs.put(self._workspace.blobs, body)
        parts = ["page", url, digest, *([hashlib.sha256(asked).hexdigest()] if asked else [])]
        return sources.arrived(parts, digest, kind="page", url=url, robots=robots)

    def _take(self, units: Sequence[Unit], records: Sequence[Record]) -> None:
        if not self._records:
            self._since = time.monotonic()
        self._units += units
        self._records += records

    def wait(self) -> float | None:
        """Return the seconds until a batch is due, None where nothing waits for one."""
        if not self._records:
            return None
        if len(self._records) >= BATCH:
            return 0.0
        return max(self._since + BATCH_SECONDS - time.monotonic(), 0.0)

    def flush(self) -> None:
        """Store what waits, all or nothing.

        Raises:
            duckdb.Error: the database can't be written.
        """
        if self._records:
            self._workspace.commit_units(self._units, self._records)
        self._units, self._records = [], []


def age(source: Source) -> float:
    """Return the seconds since a page was fetched."""
    then = datetime.datetime.fromisoformat(source.fetched_at)
    return (datetime.datetime.now(datetime.UTC) - then).total_seconds()


def label(page: Page) -> str:
    """Name a page for people: its address and what was sent to it."""
    return f"{page.url} {page.body.decode(errors='replace')}".strip()


def _key(page: Page) -> str:
    return unit_key(FETCH, VERSION, None, f"{page.url} {hashlib.sha256(page.body).hexdigest()}")


def _decision(page: Page, reason: str, evidence: str, keep: bool) -> Decision:
    return Decision(
        subject=label(page),
        filter=FETCH,
        version=VERSION,
        keep=keep,
        reason=reason,
        evidence=evidence,
    )
