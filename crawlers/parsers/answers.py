"""JSON answers of sites' interfaces: read into typed structs, refused by name where they differ."""

from typing import TypeVar

import msgspec

from thresher.crawlers.text import markup
from thresher.errors import SourceError

Answer = TypeVar("Answer")


def is_json(page: bytes) -> bool:
    """Tell an interface's answer from a page."""
    return page.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))


def read(page: bytes, kind: type[Answer]) -> Answer:
    """Return an answer as a struct; numbers may be given as strings, unknown fields are skipped.

    Raises:
        SourceError: ``page-too-large``, ``broken-json``, or ``not-a-problem`` where fields are
            missing or of another type.
    """
    if len(page) > markup.MAX_PAGE:
        raise SourceError(
            "page-too-large", f"The answer has {len(page)} bytes, more than {markup.MAX_PAGE}."
        )
    try:
        return msgspec.json.decode(page.removeprefix(b"\xef\xbb\xbf"), type=kind, strict=False)
    except msgspec.ValidationError as error:
        raise SourceError("not-a-problem", f"The answer is no problem: {error}.") from None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise SourceError(
            "broken-json", f"The answer is no JSON: {error}; fetch it again."
        ) from None


def read_list(page: bytes, kind: type[Answer]) -> Answer | None:
    """Return an answer that lists problems as a struct, None where it is anything else."""
    try:
        return read(page, kind)
    except SourceError:
        return None
