"""What a user may ask to be crawled: sites, their problems, and collections on disk or in git."""

from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from typing import NamedTuple

from thresher import plugins
from thresher.crawlers.site import GROUP, Collection, Site
from thresher.errors import UsageError


class Wanted(NamedTuple):
    """A source with what is wanted of it: problem keys of a site, or places of a collection."""

    source: Site | Collection
    what: tuple[str, ...] = ()


def parse(written: Sequence[str]) -> list[Wanted]:
    """Understand the arguments of a command: ``NAME``, ``SITE:KEY`` or ``COLLECTION:PLACE``.

    What is named for one source by several arguments is put together; nothing named means every
    source that is on by default.

    Raises:
        UsageError: there is no source of such a name, or it needs a place that wasn't named.
    """
    asked: dict[str, list[str]] = {}
    for text in written:
        name, colon, what = text.partition(":")
        if colon and not what:
            raise UsageError(f"{text!r}: write what is wanted behind the colon, or leave it out")
        asked.setdefault(name, []).extend([what] if colon else [])
    if not asked:
        return list(_on())
    return [_wanted(name, what) for name, what in asked.items()]


def listed() -> Iterator[tuple[str, str, str]]:
    """Yield each source's name, when it is crawled (``always``, ``when named``), and its terms."""
    for name in known():
        source = plugins.load(GROUP, name)
        yield name, "always" if _is_on(source) else "when named", source.terms


def known() -> list[str]:
    """Return the names of all sources, sorted."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def _on() -> Iterator[Wanted]:
    for name in known():
        source = plugins.load(GROUP, name)
        if _is_on(source):
            yield Wanted(source, _places(source))


def _is_on(source: Site | Collection) -> bool:
    return bool(source.git) if isinstance(source, Collection) else source.on


def _wanted(name: str, what: Sequence[str]) -> Wanted:
    if name not in known():
        raise UsageError(
            f"there is no source {name!r}: write one of {', '.join(known())}, with a problem or "
            "place behind a colon, for example codeforces:1234A or problem-packages:./folder"
        )
    source: Site | Collection = plugins.load(GROUP, name)
    if isinstance(source, Site):
        _check_keys(source, what)
    places = tuple(what) or _places(source)
    if isinstance(source, Collection) and not places:
        raise UsageError(f"{name}: name the place of its files, for example {name}:./folder")
    return Wanted(source, places)


def _check_keys(site: Site, keys: Sequence[str]) -> None:
    """Refuse what names no problem: a site would take it for everything, or for nothing."""
    everything = list(site.start(()))
    for key in keys:
        if not key.isprintable() or list(site.start([key])) in ([], everything):
            raise UsageError(f"{key!r} names no problem of {site.name}: see docs/sources.md")


def _places(source: Site | Collection) -> tuple[str, ...]:
    return (f"git:{source.git}",) if isinstance(source, Collection) and source.git else ()
