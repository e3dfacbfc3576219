"""What a source of problems is: a web site that is crawled, or a collection that is read from disk.

Both are found by name in the entry-point group `thresher.sites`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from thresher.crawlers.statement import Statement
from thresher.errors import SourceError

GROUP = "thresher.sites"


class Page(NamedTuple):
    """What a spider asks for: an address, and the body where it is sent with POST."""

    url: str
    body: bytes = b""


class Seen(NamedTuple):
    """What a site makes of one page: pages to go on to, and whether it may be a statement."""

    follow: Sequence[Page] = ()
    is_statement: bool = False


@dataclass(frozen=True)
class Site:
    """A web site.

    Attributes:
        name: as in `Statement.site`.
        home: the address that its pages' addresses begin with, without a slash at the end.
        terms: what the site says of licences, in a sentence: for documentation and evidence.
        start: from what the user named (problem keys; none means everything) to the first pages.
        look: from a fetched page and its bytes to what it is. Must not raise.
        parse: from the bytes of a statement's page and its address to the statement; raises
            SourceError with a reason for anything else.
        on: crawled without being named: only where the licence is clear.
    """

    name: str
    home: str
    terms: str
    start: Callable[[Sequence[str]], Sequence[Page]]
    look: Callable[[Page, bytes], Seen]
    parse: Callable[[bytes, str], Statement]
    on: bool = False


class Found(NamedTuple):
    """One problem of a collection: its path or key, raw bytes, and the statement or why not."""

    name: str
    raw: bytes
    statement: Statement | SourceError


@dataclass(frozen=True)
class Collection:
    """Problems on disk or in a git repository.

    Attributes:
        name: as in `Statement.site`.
        terms: what it says of licences, in a sentence.
        read: from the folder or file to its problems in a fixed order; a bad one is a SourceError
            in its place and stops no other.
        git: the address of the repository that is read where no place is named, if there is one.
    """

    name: str
    terms: str
    read: Callable[[Path], Iterator[Found]]
    git: str = ""
