"""What every kind of source gives: an archive of its files, and where they came from."""

import datetime
import hashlib
from typing import Literal, NamedTuple

from thresher.store import sources
from thresher.store.records import Source
from thresher.tracer.sources.licence import Licence


class Fetched(NamedTuple):
    """The files of a project as they were fetched.

    Attributes:
        origin: a readable and stable name that problems are named after.
        kind: what it was fetched from.
        url: its address, without passwords.
        revision: what pins its content: a version, commit or hash.
        archive: its files (see `thresher.tracer.sources.archive`), the raw bytes that are kept.
        allowed: why it may be fetched by a machine.
        date: when it was committed or published, None where that isn't known.
        notes: what was left out of it, and why.
    """

    origin: str
    kind: Literal["sdist", "repository", "file"]
    url: str
    revision: str
    archive: bytes
    allowed: str
    date: datetime.datetime | None = None
    notes: tuple[str, ...] = ()

    def source(self, licence: Licence, file: str = "") -> Source:
        """Return the source record; one of its own for a `file` under a licence of its own."""
        digest = hashlib.sha256(self.archive).hexdigest()
        return sources.arrived(
            [self.kind, self.url, digest, *([file] if file else [])],
            digest,
            kind=self.kind,
            url=self.url,
            revision=self.revision,
            licence=licence.expression,
            licence_evidence=licence.evidence,
            robots=self.allowed,
        )
