"""The crawl stage with everything it needs: what the command line calls."""

import contextlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from thresher.crawlers.crawl import Crawler, Place
from thresher.crawlers.engine import crawl as engine
from thresher.crawlers.engine.messages import Polite
from thresher.crawlers.site import Collection, Site
from thresher.crawlers.wanted import Wanted
from thresher.errors import SourceError, UsageError
from thresher.judging import Judges
from thresher.progress import Reporter
from thresher.sandbox import walls
from thresher.store.workspace import Workspace
from thresher.tracer.sources import archive, repository
from thresher.tracer.sources.targets import target

IN_GIT = re.compile(r"git[:+]|\w+://")


class CrawlOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to crawl.

    Attributes:
        contact: an address that the sites' owners can write to; needed for web sites.
        saved: a folder of saved pages to read instead of the web.
        solutions: a folder of solutions that the user has, see `thresher.crawlers.own`.
        homes: addresses to crawl instead of the sites' own, by site.
        refresh: fetch again what an earlier run fetched.
        polite: how considerate to be of web sites.
        require: the weakest sandbox wall to be content with, by name.
    """

    contact: str = ""
    saved: Path | None = None
    solutions: Path | None = None
    homes: Mapping[str, str] = {}
    refresh: bool = False
    polite: Polite = Polite()
    require: str | None = None


class Outcome(NamedTuple):
    """How a crawl ended.

    Attributes:
        made: statements that became problems, `aside` those that were set aside with a reason, and
            `known` those that an earlier run had decided.
        pending: what the sandbox failed on, with the reason: the next run tries it again.
        failed: collections that couldn't be read, with the reason.
        pages: see `engine.Summary`.
    """

    made: int
    aside: int
    known: int
    pending: dict[str, str]
    failed: dict[str, str]
    pages: dict[str, Any]

    @property
    def complete(self) -> bool:
        """Say whether nothing failed or was left undecided."""
        lost = self.pages["stopped"] or self.pages["failed"]
        return not (self.pending or self.failed or lost)


def check(wanted: Sequence[Wanted], options: CrawlOptions) -> None:
    """Find wrong use before anything is fetched.

    Raises:
        UsageError: a place doesn't exist, a web site was named without a contact, or a copy of a
            site that wasn't named or has no address.
    """
    sites = [source for source, _ in wanted if isinstance(source, Site)]
    if other := sorted(options.homes.keys() - {site.name for site in sites}):
        raise UsageError(f"--mirror {other[0]}: that is no site that is asked for: name it too")
    if options.saved is None and sites:
        engine.check(_web_wanted(wanted, options), options.contact)
    for source, what in wanted if options.saved is None else ():
        for written in what if isinstance(source, Collection) else ():
            _check_place(written)


def lines(outcome: Outcome) -> Iterator[str]:
    """Yield what a person wants to know of a crawl besides the funnel."""
    pages = outcome.pages
    if any(pages.values()):
        yield (
            f"pages: {pages['fetched']} fetched, {pages['known']} had before, "
            f"{pages['forbidden']} forbidden by robots.txt, {pages['failed'].total()} failed"
        )
        yield from (f"  {count:>5}   {reason}" for reason, count in pages["failed"].most_common())
    for name, why in pages["stopped"].items():
        yield f"stopped: {name}: {why}"
    yield from (f"failed: {name}: {why}" for name, why in outcome.failed.items())
    yield from (f"not decided: {name}: {why}" for name, why in outcome.pending.items())
    yield (
        f"statements: {outcome.made} made problems, {outcome.aside} set aside, "
        f"{outcome.known} decided before"
    )


def crawl(
    workspace: Workspace, wanted: Sequence[Wanted], options: CrawlOptions, report: Reporter
) -> Outcome:
    """Crawl sources into problems; one that fails stops no other.

    Raises:
        UsageError: see `check`.
        SandboxUnavailable: no wall that is strong enough works on this host.
    """
    check(wanted, options)
    wall = walls.in_force(options.require)
    report.say(f"sandbox: {walls.probe(wall)}")
    failed: dict[str, str] = {}
    pages = engine.Summary()
    with Judges(wall=wall) as judges:
        crawler = Crawler(workspace, judges, report, options.solutions)
        if options.saved is not None:
            failed = _saved(crawler, wanted, options.saved)
        else:
            for source, what in wanted:
                if isinstance(source, Collection):
                    failed |= _collection(crawler, source, what)
            pages = _web(crawler, wanted, options)
        return Outcome(**vars(crawler.tally), failed=failed, pages=vars(pages))


def _web_wanted(wanted: Sequence[Wanted], options: CrawlOptions) -> list[engine.Wanted]:
    """Return the sites among what is wanted, with where they are."""
    return [
        engine.Wanted(source, what, options.homes.get(source.name, ""))
        for source, what in wanted
        if isinstance(source, Site)
    ]


def _web(crawler: Crawler, wanted: Sequence[Wanted], options: CrawlOptions) -> engine.Summary:
    """Crawl the sites among what is wanted."""
    asked = _web_wanted(wanted, options)
    if not asked:
        return engine.Summary()

    def keep(fetched: engine.Fetched) -> None:
        crawler.page(fetched.site, fetched.page, fetched.body, fetched.source)

    return engine.crawl(
        asked,
        crawler.workspace,
        options.contact,
        crawler.report,
        keep,
        options.polite,
        options.refresh,
    )


def _saved(crawler: Crawler, wanted: Sequence[Wanted], folder: Path) -> dict[str, str]:
    """Read saved pages: of the one site that was named, or each site's in a folder of its name.

    Returns:
        The sites that none were found of, with the sentence that says so.
    """
    sites = [source for source, _ in wanted if isinstance(source, Site)]
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: name one that holds saved pages")
    if len(sites) == 1 and not (folder / sites[0].name).is_dir():
        return _read_saved(crawler, sites[0], folder)
    present = [site for site in sites if (folder / site.name).is_dir()]
    if not present:
        raise UsageError(
            f"{folder} has no folder named after a site that was asked for: name the site whose "
            "pages it holds, for example thresher crawl codeforces --from-files ./pages"
        )
    failed: dict[str, str] = {}
    for site in present:
        failed |= _read_saved(crawler, site, folder / site.name)
    return failed


def _read_saved(crawler: Crawler, site: Site, folder: Path) -> dict[str, str]:
    try:
        crawler.saved(site, folder)
    except SourceError as error:
        return {site.name: str(error)}
    return {}


def _collection(crawler: Crawler, collection: Collection, places: Sequence[str]) -> dict[str, str]:
    """Read a collection's places; return those that failed, with the sentence why."""
    failed = {}
    for written in places:
        crawler.report.step(f"{collection.name}: {written}")
        try:
            with _place(written, crawler.workspace.scratch) as place:
                crawler.collection(collection, place)
        except (SourceError, UsageError) as error:
            failed[f"{collection.name}:{written}"] = str(error)
            crawler.report.say(f"left out: {error}")
    return failed


def _check_place(written: str) -> None:
    if IN_GIT.match(written):
        target(written)
    elif not _path(written).exists():
        raise UsageError(f"{written} does not exist: name the folder or file to read")


def _path(written: str) -> Path:
    return Path(written).expanduser().resolve()


@contextlib.contextmanager
def _place(written: str, scratch: Path) -> Iterator[Place]:
    """Give a place of this host, or a repository's files unpacked for as long as it is read."""
    if not IN_GIT.match(written):
        path = _path(written)
        yield Place(path, path.as_uri(), "", "named by the user; read from disk")
        return
    named = target(written)
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        fetched = repository.fetch(named.place, named.revision, Path(folder))
        root = Path(folder, _repository_name(fetched.url))
        archive.unpack(fetched.archive, fetched.origin, root)
        yield Place(root, fetched.url, fetched.revision, fetched.allowed)


def _repository_name(url: str) -> str:
    """Return the last word of a repository's address that is safe as the name of a folder."""
    words = [re.sub(r"[^\w.-]", "-", word) for word in url.removesuffix(".git").split("/")]
    return next((word for word in reversed(words) if word.strip(".")), "repository")
