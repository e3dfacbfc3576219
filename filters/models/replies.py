"""What a server replies, whatever it sends: so many bytes and seconds at most, read as UTF-8."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from thresher.errors import ModelError

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 16 * 2**20  # of a reply; answers to prompts have some thousand
# A body is taken as it was sent: unpacking could make anything of a few bytes.
HEADERS = {"Accept-Encoding": "identity"}


class Reply(NamedTuple):
    """A reply that came whole; the names of `headers` are in small letters."""

    status: int
    reason: str
    headers: Mapping[str, str]
    text: str

    @property
    def is_success(self) -> bool:
        """Tell whether the server did what it was asked."""
        return 200 <= self.status < 300


async def post(
    http: "httpx2.AsyncClient", url: str, fields: Mapping[str, Any], seconds: float, origin: str
) -> Reply:
    """Post `fields` as JSON.

    Args:
        http: a client with `HEADERS`.
        url: where to.
        fields: the body.
        seconds: until the reply must be there, all of it.
        origin: who replies, for the error.

    Raises:
        TimeoutError: it wasn't.
        ModelError: it is too long.
        httpx2.RequestError: the server can't be reached, or speaks no HTTP.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(seconds), http.stream("POST", url, json=fields) as answer:
            async for part in answer.aiter_raw():
                body += part
                if len(body) > MOST_BYTES:
                    raise ModelError(
                        f"{origin} sent more than {MOST_BYTES:,} bytes; check that it is an"
                        " OpenAI-compatible endpoint."
                    )
    except TimeoutError:
        raise TimeoutError(f"no whole answer in {seconds:g} s") from None
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Reply(answer.status_code, answer.reason_phrase, headers, body.decode(errors="replace"))
