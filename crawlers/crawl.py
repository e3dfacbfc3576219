"""Make problems of what sources hold: collections, fetched pages, saved pages; each once."""

import datetime
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

from thresher.crawlers import assemble, own
from thresher.crawlers.site import Collection, Page, Site
from thresher.crawlers.statement import Statement
from thresher.errors import InfrastructureError, SourceError
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.store import blobs, values
from thresher.store.records import Decision, Source, Tree, content_id
from thresher.store.workspace import Unit, Workspace, unit_key

STAGE = "crawl"
MAX_PAGE = 64 << 20  # bytes of a saved file that is read at all


class Place(NamedTuple):
    """Where a collection is read: a path on this host, and where what is there came from."""

    path: Path
    url: str
    revision: str
    allowed: str


@dataclass
class Tally:
    """What became of statements: counted, and by name what the sandbox failed on."""

    made: int = 0
    aside: int = 0
    known: int = 0
    pending: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Crawler:
    """What making problems of statements works with.

    Attributes:
        solutions: a folder of solutions that the user has, see `thresher.crawlers.own`.
    """

    workspace: Workspace
    judges: Judges
    report: Reporter
    solutions: Path | None = None
    tally: Tally = field(default_factory=Tally)

    def collection(self, collection: Collection, place: Place) -> None:
        """Make problems of everything in a collection."""
        self.report.stage(collection.name, None)
        for found in collection.read(place.path):
            source = self._source(found.raw, f"{place.url}#{found.name}", place.allowed)
            source = msgspec.structs.replace(
                source,
                kind="problem package" if place.path.is_dir() else "file",
                revision=place.revision or source.revision,
                licence_evidence=collection.terms,
            )
            self.item(f"{collection.name}/{found.name}", found.statement, source)
            self.report.advance(found.name)

    def saved(self, site: Site, folder: Path) -> None:
        """Make problems of the pages of a site that were saved in a folder."""
        files = list(_files(folder))
        self.report.stage(f"{site.name}: saved pages", len(files))
        for path in files:
            name = path.relative_to(folder).as_posix()
            raw = path.read_bytes() if path.stat().st_size <= MAX_PAGE else b""
            source = self._source(raw, path.resolve().as_uri(), "a page that the user saved")
            self.page(site, Page(""), raw, source, name)
            self.report.advance(name)

    def page(self, site: Site, page: Page, raw: bytes, source: Source, name: str = "") -> None:
        """Make a problem of one page of a site; a saved one has a `name` instead of an address."""
        name = name or _name(site, page)
        found: Statement | SourceError
        try:
            found = site.parse(raw, page.url)
            if not found.key:  # neither an address nor the page tells
                found = msgspec.structs.replace(found, key=name.partition(".")[0])
            found = own.with_solutions(found, self.solutions)
        except SourceError as error:
            found = error
        stated = msgspec.structs.replace(source, licence_evidence=site.terms)
        self.item(f"{site.name}/{name}", found, stated)

    def item(self, name: str, found: Statement | SourceError, source: Source) -> None:
        """Make a problem of a statement, or set it aside with the reason; once."""
        key = unit_key(STAGE, assemble.VERSION, None, f"{name} {source.sha256} {_identity(found)}")
        if self.workspace.outcome(key):
            self.tally.known += 1
            return
        try:
            records = assemble.make(name, found, source, self.judges)
        except InfrastructureError as error:
            self.tally.pending[name] = str(error)
            self.report.say(f"not decided: {error}")
            return
        self.workspace.commit(Unit(key, STAGE, name), records)
        kept = any(isinstance(record, Decision) and record.keep for record in records)
        self.tally.made += kept
        self.tally.aside += not kept

    def _source(self, raw: bytes, url: str, allowed: str) -> Source:
        digest = blobs.put(self.workspace.blobs, raw)
        return Source(
            id=content_id([url, digest])[:16],
            kind="page",
            url=url,
            revision=digest,
            licence="unknown",
            licence_evidence="",
            robots=allowed,
            sha256=digest,
            fetched_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        )


def _name(site: Site, page: Page) -> str:
    """Name a page by its address, and by what is sent to it where that tells it from others."""
    path = page.url.removeprefix(site.home).strip("/")
    return f"{path}-{hashlib.sha256(page.body).hexdigest()[:8]}" if page.body else path


def _identity(found: Statement | SourceError) -> str:
    """Return a hash of all that a statement says."""
    if isinstance(found, SourceError):
        return content_id([found.reason, str(found)])
    calls = [
        [_tree(call.args), _tree(call.out), call.raises]
        for call in (*found.calls, *found.hidden_calls)
    ]
    return content_id([msgspec.structs.replace(found, calls=(), hidden_calls=()), calls])


def _tree(value: object) -> Tree:
    try:
        return values.encode(value)
    except values.Unencodable:  # no case is made of it
        return repr(value)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder, sorted; none that a link leads to."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path
