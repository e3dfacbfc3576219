"""What every completion model shares: the shape of an OpenAI-style answer, and where it ends.

Models continue a prompt best when it doesn't end in white space (its last line break belongs to
the token of the indentation that follows), so the prompt is sent without its tail, and the tail
is taken off the answer where the model repeats it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from os.path import commonprefix
from typing import TYPE_CHECKING

import msgspec

from thresher.errors import ModelError
from thresher.filters.models import Completion

if TYPE_CHECKING:
    import httpx2


class _Token(msgspec.Struct):
    token: str
    logprob: float | None = None


class _Logprobs(msgspec.Struct):
    """Both forms in use: OpenAI's two lists, and the list of tokens of llama.cpp."""

    tokens: list[str] | None = None
    token_logprobs: list[float | None] | None = None
    content: list[_Token] | None = None

    def pairs(self) -> list[tuple[str, float | None]]:
        if self.content is not None:
            return [(each.token, each.logprob) for each in self.content]
        return list(zip(self.tokens or [], self.token_logprobs or [], strict=False))


class _Choice(msgspec.Struct):
    text: str
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Usage(msgspec.Struct):
    completion_tokens: int | None = None


class _Answer(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


def split(prompt: str) -> tuple[str, str]:
    """Return the prompt without its trailing white space, and that white space."""
    stem = prompt.rstrip()
    return stem, prompt[len(stem) :]


def cut(text: str, stops: Iterable[str]) -> str:
    """Return `text` up to the first place where any of `stops` begins."""
    return text[: min((at for stop in stops if (at := text.find(stop)) >= 0), default=None)]


def read(body: bytes, tail: str, stops: Iterable[str], origin: str) -> Completion:
    """Turn the body of a completions answer into a Completion.

    Args:
        body: the JSON of one answer with one choice.
        tail: what `split` took off the prompt.
        stops: stop sequences, applied again because not every server honours them.
        origin: who answered, for the error.

    Raises:
        ModelError: the body isn't such an answer.
    """
    try:
        answer = msgspec.json.decode(body, type=_Answer)
        choice = answer.choices[0]
    except (msgspec.MsgspecError, IndexError) as error:
        raise ModelError(
            f"{origin} sent something that isn't a completion ({error}); check that it is an"
            " OpenAI-compatible completions endpoint."
        ) from error
    kept = cut(choice.text, stops)
    logprobs = choice.logprobs.pairs() if choice.logprobs else []
    values = _within(logprobs, len(kept))
    tokens = answer.usage.completion_tokens if answer.usage else None
    return Completion(
        text=kept[len(commonprefix([kept, tail])) :],
        tokens=len(logprobs) if tokens is None else tokens,
        logprob_sum=sum(values) if values else None,
        logprob_mean=sum(values) / len(values) if values else None,
        finish_reason="stop" if kept != choice.text else choice.finish_reason or "unknown",
    )


async def gather(
    one: Callable[[int], Awaitable[Completion]], indices: Sequence[int], parallel: int
) -> list[Completion]:
    """Await `one` for each index, `parallel` at once, and return the results in order.

    The first error ends it; like an interrupt, it cancels what is in flight.
    """
    gate = asyncio.Semaphore(parallel)

    async def turn(index: int) -> Completion:
        async with gate:
            return await one(index)

    return await asyncio.gather(*map(turn, indices))


def refusal(answer: "httpx2.Response") -> str:
    """Return in one line what an unsuccessful answer says, such as ``answered 400: …``."""
    try:
        text = answer.json()["error"]["message"]
    except (ValueError, LookupError, TypeError):
        text = answer.text
    said = " ".join(str(text).split())[:300] or answer.reason_phrase
    return f"answered {answer.status_code}: {said}"


def _within(logprobs: list[tuple[str, float | None]], length: int) -> list[float]:
    """Return the log-probabilities of the tokens that begin in the first `length` characters."""
    values, offset = [], 0
    for token, value in logprobs:
        if offset >= length:
            break
        offset += len(token)
        if value is not None:
            values.append(value)
    return values
