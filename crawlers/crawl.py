"""Make problems of what sources hold: collections, fetched pages, saved pages; each once."""

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

from thresher.crawlers import assemble, own
from thresher.crawlers.plain import plain
from thresher.crawlers.site import Collection, Found, Page, Site
from thresher.crawlers.statement import Statement
from thresher.errors import InfrastructureError, SourceError, ThresherError
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.store import blobs, sources, values
from thresher.store.records import Decision, Record, Source, Tree, content_id
from thresher.store.workspace import Unit, Workspace, unit_key

STAGE = "crawl"
LONGEST_KEY = 200  # characters of what a page may call its problem
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
    _decided: dict[str, str] = field(init=False)  # the last unit of each name and place
    _places: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        rows = self.workspace.query(
            "SELECT subject, key FROM units WHERE stage = $1 ORDER BY rowid", STAGE
        )
        object.__setattr__(self, "_decided", dict(rows))

    def collection(self, collection: Collection, place: Place) -> None:
        """Make problems of everything in a collection.

        Raises:
            SourceError: ``nothing-there``, or whatever reading the place raises.
        """
        self.report.stage(collection.name, None)
        reading = _read(collection, place.path)
        first = next(reading, None)
        if first is None:
            raise _nothing(f"{collection.name} finds no problems at {place.url}")
        for found in itertools.chain([first], reading):
            self._collected(collection, place, found)
            self.report.advance(plain(found.name))

    def _collected(self, collection: Collection, place: Place, found: Found) -> None:
        name = plain(found.name)
        source = self._source(found.raw, f"{place.url}#{name}", place.allowed)
        source = msgspec.structs.replace(
            source,
            kind="problem package" if place.path.is_dir() else "file",
            revision=place.revision or source.revision,
            licence_evidence=collection.terms,
        )
        statement = found.statement
        if isinstance(statement, Statement):
            statement = own.with_solutions(statement, self.solutions)
        self.item(f"{collection.name}/{name}", statement, source)

    def saved(self, site: Site, folder: Path) -> None:
        """Make problems of the pages of a site that were saved in a folder.

        Raises:
            SourceError: ``nothing-there``.
        """
        files = list(_files(folder))
        if not files:
            raise _nothing(f"no pages of {site.name} are in {folder}")
        self.report.stage(f"{site.name}: saved pages", len(files))
        for path in files:
            name = path.relative_to(folder).as_posix()
            try:
                self._saved_page(site, path, name)
            except OSError as error:
                self._undecided(f"{site.name}/{name}", f"{path} can't be read: {error.strerror}")
            self.report.advance(name)

    def _saved_page(self, site: Site, path: Path, name: str) -> None:
        if path.stat().st_size > MAX_PAGE:
            self._undecided(f"{site.name}/{name}", f"{path} has more than {MAX_PAGE >> 20} MiB")
            return
        raw = path.read_bytes()
        source = self._source(raw, path.resolve().as_uri(), "a page that the user saved")
        self.page(site, Page(""), raw, source, name)

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
        except Exception as error:  # a plug-in's, perhaps: the crawl goes on without the page
            found = SourceError("parse-failed", f"{site.name} fails on it ({error!r:.200})")
        stated = msgspec.structs.replace(source, licence_evidence=site.terms)
        self.item(f"{site.name}/{name}", found, stated)

    def item(self, name: str, found: Statement | SourceError, source: Source) -> None:
        """Make a problem of a statement, or set it aside with the reason; once."""
        try:
            name, found = self._named(plain(name), found, source)
            key = unit_key(
                STAGE, assemble.VERSION, None, f"{name} {source.sha256} {_identity(found)}"
            )
            unit = Unit(key, STAGE, f"{name} at {source.url}")
            if self._decided.get(unit.subject) == key:
                self.tally.known += 1
                return
            records = assemble.make(name, found, source, self.judges)
        except InfrastructureError as error:
            self._undecided(name, str(error))
        except (ThresherError, OSError):
            raise
        except Exception as error:  # a plug-in's, or of what nobody thought that a page may hold
            self._undecided(name, f"thresher fails on it ({error!r:.200})")
        else:
            self._commit(unit, records)

    def _named(
        self, name: str, found: Statement | SourceError, source: Source
    ) -> tuple[str, Statement | SourceError]:
        """Make its words plain, and set it aside where another of this run has its name."""
        found, subject = _plain(found, name), name
        if isinstance(found, Statement):
            subject = f"{found.site}/{found.key}"
        first = self._places.setdefault(subject, source.url)
        if first == source.url:
            return name, found
        if isinstance(found, Statement):
            message = f"{source.url} is called {subject} as {first} is: give it a name of its own"
            found = SourceError("name-taken", message)
        return f"{name} of {source.url}", found

    def _commit(self, unit: Unit, records: Sequence[Record]) -> None:
        self.workspace.commit(unit, records)
        self._decided[unit.subject] = unit.key
        kept = any(isinstance(record, Decision) and record.keep for record in records)
        self.tally.made += kept
        self.tally.aside += not kept

    def _undecided(self, name: str, why: str) -> None:
        self.tally.pending[name] = why
        self.report.say(f"not decided: {name}: {why}")

    def _source(self, raw: bytes, url: str, allowed: str) -> Source:
        digest = blobs.put(self.workspace.blobs, raw)
        return sources.arrived([url, digest], digest, kind="page", url=url, robots=allowed)


def _read(collection: Collection, path: Path) -> Iterator[Found]:
    try:
        yield from collection.read(path)
    except ThresherError:
        raise
    except Exception as error:  # a plug-in's, perhaps, or a folder that can't be read
        message = f"{collection.name} fails on {path} ({error!r:.200})"
        raise SourceError("read-failed", message) from error


def _nothing(what: str) -> SourceError:
    return SourceError("nothing-there", f"{what}: name the folder or file that holds them")


def _name(site: Site, page: Page) -> str:
    """Name a page by its address, and by what is sent to it where that tells it from others."""
    path = page.url.removeprefix(site.home).strip("/")
    return f"{path}-{hashlib.sha256(page.body).hexdigest()[:8]}" if page.body else path


def _plain(found: Statement | SourceError, name: str) -> Statement | SourceError:
    """Make the words that are shown plain; of a statement without a name, `name` gives it one."""
    if isinstance(found, SourceError):
        return SourceError(found.reason, plain(str(found).replace("\n", " ")))
    key = plain(found.key)[:LONGEST_KEY] or name.partition("/")[2]
    stated = plain(found.licence_evidence.replace("\n", " "))
    found = msgspec.structs.replace(found, key=key, licence_evidence=stated)
    try:
        _identity(found)
    except UnicodeEncodeError as error:
        return SourceError("no-text", f"{name} has characters that are no text: {error.reason}")
    return found


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
