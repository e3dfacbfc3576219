"""The ledger: an append-only list of what was stored, each entry carrying the hash before it."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thresher.store.records import canonical_json

GENESIS = "0" * 64


class Entry(NamedTuple):
    """One line of the ledger; `content` is the sha256 of the record's canonical JSON."""

    seq: int
    kind: str
    subject: str
    content: str
    previous: str
    hash: str


def entry(last: Entry | None, kind: str, subject: str, record: bytes) -> Entry:
    """Make the entry that follows `last` for a record's canonical JSON."""
    seq, previous = (last.seq + 1, last.hash) if last else (1, GENESIS)
    content = hashlib.sha256(record).hexdigest()
    return Entry(seq, kind, subject, content, previous, link(seq, kind, subject, content, previous))


def link(seq: int, kind: str, subject: str, content: str, previous: str) -> str:
    """Return the hash of an entry, which covers all its fields and so the whole past."""
    return hashlib.sha256(canonical_json([seq, kind, subject, content, previous])).hexdigest()


def first_break(entries: Iterable[Entry], stored: Sequence[tuple[int, bytes]]) -> str | None:
    """Check a chain in order of `seq` against the stored records.

    A chain whose last entries went together with their records looks whole: only a hash noted
    elsewhere shows that.

    Args:
        entries: the whole ledger.
        stored: each stored record with its `seq`, in any order.

    Returns:
        What is wrong with the first bad entry, or None where nothing is.
    """
    contents = dict(stored)
    last: Entry | None = None
    seen = 0
    for found in entries:
        record = contents.get(found.seq)
        if record is None:
            return f"entry {found.seq} ({found.kind} {found.subject}): its record is gone"
        if found != entry(last, found.kind, found.subject, record):
            return f"entry {found.seq} ({found.kind} {found.subject}) was changed"
        last, seen = found, seen + 1
    if extra := len(stored) - seen:
        return f"{extra} stored records have no ledger entry"
    return None
