"""The record of bytes that came in from somewhere, just now."""

import datetime
from collections.abc import Sequence
from typing import Any

from thresher.store.licence import UNKNOWN
from thresher.store.records import Source, content_id


def arrived(identity: Sequence[str], sha256: str, **known: Any) -> Source:
    """Return the source of raw bytes that were fetched or read now.

    Args:
        identity: what tells it from every other source; its id is made from this.
        sha256: of the bytes: their name in the blob folder, and the revision where none is known.
        known: `kind`, `url`, `robots`, and any other fields of the source.
    """
    fields = {"revision": sha256, "licence": UNKNOWN, "licence_evidence": "", **known}
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return Source(id=content_id(list(identity))[:16], sha256=sha256, fetched_at=now, **fields)
