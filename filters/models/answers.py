"""What models share: the shapes of OpenAI-style answers, where they end, and asking at once.

Models continue a prompt best when it doesn't end in white space (its last line break belongs to
the token of the indentation that follows), so the prompt is sent without its tail, and the tail
is taken off the answer where the model repeats it.
"""

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Iterable, Sequence
from os.path import commonprefix
from typing import Any

import msgspec

from thresher.errors import ModelError, SourceError
from thresher.filters.models import Completion, Incomplete

MOST_TOKENS = 2**31  # what is said to be more is no count


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


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    text: str | None = None
    message: _Message | None = None
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None

    def said(self) -> str:
        if self.text is None and self.message is None:
            raise msgspec.ValidationError("it has neither `text` nor `message`")
        return self.text or (self.message.content if self.message else "") or ""


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Answer(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None
    model: str | None = None
    system_fingerprint: str | None = None


class Fault(msgspec.Struct):
    """What a server says is wrong, in words or as a code; as text, "" where it says nothing."""

    message: str | None = None
    code: Any = None

    def __str__(self) -> str:
        return self.message or str(self.code or "")


class _Refusal(msgspec.Struct):
    error: Fault


def split(prompt: str) -> tuple[str, str]:
    """Return the prompt without its trailing white space, and that white space."""
    stem = prompt.rstrip()
    return stem, prompt[len(stem) :]


def without_tail(text: str, tail: str) -> str:
    """Return `text` without as much of the prompt's tail as it begins with."""
    return text[len(commonprefix([text, tail])) :]


def cut(text: str, stops: Iterable[str]) -> str:
    """Return `text` up to the first place where any of `stops` begins."""
    return text[: min((at for stop in stops if (at := text.find(stop)) >= 0), default=None)]


def read(body: bytes, tail: str, stops: Iterable[str], origin: str) -> Completion:
    """Turn the body of a completions or chat answer into a Completion.

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
        said = choice.said()
    except (msgspec.MsgspecError, IndexError, UnicodeError, RecursionError) as error:
        raise ModelError(
            f"{origin} sent something that isn't a completion ({error}); check that it is an"
            " OpenAI-compatible endpoint."
        ) from error
    kept = cut(said, stops)
    logprobs = choice.logprobs.pairs() if choice.logprobs else []
    total, average = summed(_within(logprobs, len(kept)))
    usage = answer.usage or _Usage()
    counted = _count(usage.completion_tokens)
    return Completion(
        text=without_tail(kept, tail),
        tokens=len(logprobs) if counted is None else counted,
        logprob_sum=total,
        logprob_mean=average,
        finish_reason="stop" if kept != said else choice.finish_reason or "unknown",
        prompt_tokens=_count(usage.prompt_tokens) or 0,
        raw=without_tail(said, tail) if kept != said else None,
        revision=" ".join(filter(None, (answer.model, answer.system_fingerprint))),
    )


async def gather(
    one: Callable[[int], Awaitable[Completion]], indices: Sequence[int], gate: asyncio.Semaphore
) -> list[Completion]:
    """Await `one` for each index, as many at once as `gate` lets in; give the results in order.

    After the first error nothing more is begun, and what is in flight is waited for.

    Raises:
        Incomplete: with what was sampled before, and the error.
        SourceError: what `one` says of the prompt, which is no fault of the model.
    """
    done: dict[int, Completion] = {}
    errors: list[ModelError | SourceError] = []

    async def turn(index: int) -> None:
        async with gate:
            if not errors:
                try:
                    done[index] = await one(index)
                except (ModelError, SourceError) as error:
                    errors.append(error)

    async with asyncio.TaskGroup() as group:
        for index in dict.fromkeys(indices):
            group.create_task(turn(index))
    match errors:
        case [SourceError() as error, *_]:
            raise error
        case [ModelError() as error, *_]:
            raise Incomplete(done, error) from error
    return [done[index] for index in indices]


def refusal(status: int, reason: str, text: str) -> str:
    """Return in one line what an unsuccessful answer says, such as ``answered 400: …``.

    Args:
        status: the number.
        reason: the words that came with it.
        text: the body, which may be anything.
    """
    with contextlib.suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
        text = str(msgspec.json.decode(text.encode(), type=_Refusal).error)
    said = " ".join(text.split())[:300] or reason
    return f"answered {status}: {said}"


def summed(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return sum and mean of log-probabilities; None where there are none, or no float holds it."""
    total = sum(values)
    if not values or not math.isfinite(total):
        return None, None
    return total, total / len(values)


def _count(told: int | None) -> int | None:
    """Return how many tokens a server tells, None where that can't be so."""
    return told if told is not None and 0 <= told < MOST_TOKENS else None


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
