"""Any OpenAI-compatible endpoint as a reference model: completions, or chat."""

import asyncio
import contextlib
import os
import random
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

from thresher.errors import ModelDown, ModelError, SourceError, UsageError
from thresher.filters.models import CHAT, Completion, Sampling, answers, forms, replies, seed_of
from thresher.filters.models.terms import Meter, Sleep, Terms, Usage, likely

KEYS = ("THRESHER_API_KEY", "OPENAI_API_KEY")
TRIES = 6
LONGEST_WAIT = 60.0
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 600.0
PASSING = {408, 409, 425, 429}  # besides 500 and above
HINTS = {
    401: f"set {KEYS[0]} to a valid key",
    403: f"set {KEYS[0]} to a key that may use this model",
    404: "check the URL and the model's name",
    **dict.fromkeys((301, 302, 303, 307, 308), "give the URL that it leads to"),
}
NO_MONEY = "insufficient_quota"
# How OpenAI, llama.cpp, vLLM, TGI and others say that a prompt is too long.
TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length"
    r"|exceeds? the (?:available |model's )?context (?:size|length|window)"
    r"|(?:prompt|input) is too long|`inputs` (?:tokens|must have less than)",
    re.IGNORECASE,
)
SECRET = re.compile(r"key|token|secret|sig|pass|auth|code", re.IGNORECASE)
HIDDEN = "..."
LEAST_SECRET = 6  # characters; what is shorter stands for no key, and is in any text
# What servers may not know: without it samples are as good, but less is known of them.
OPTIONAL = {"logprobs": None, "seed": None, "stop": None, "max_tokens": "max_completion_tokens"}
_UNKNOWN = re.compile(
    r"support|unrecogni[sz]ed|unknown|unexpected|extra|not permitted|not allowed|invalid param",
    re.IGNORECASE,
)


def open_endpoint(spec: str) -> "Endpoint":
    """Make the model of `URL#NAME`, or of `chat+URL#NAME`, the key taken from the environment.

    Raises:
        UsageError: the URL has no host or no name, or the key is none that can be sent.
    """
    address = spec.removeprefix(CHAT)
    try:
        parts = urlsplit(address)
        complete = bool(parts.hostname and parts.fragment and parts.port != 0)
    except ValueError:
        complete = False
    if not complete:
        raise UsageError(
            f"The model {spec!r} isn't URL#NAME: write for example http://localhost:8000/v1#NAME,"
            f" or {CHAT}http://localhost:8000/v1#NAME for a chat endpoint."
        )
    base = parts._replace(path=parts.path.rstrip("/") or "/v1", fragment="").geturl()
    found = ((name, os.environ.get(name, "").strip()) for name in KEYS)
    name, key = next(((name, value) for name, value in found if value), ("", None))
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        raise UsageError(f"{name} holds what no key can hold, such as a blank: set it again")
    form = forms.CHAT if spec != address else forms.COMPLETIONS
    return Endpoint(base, parts.fragment, key, form)


def public(url: str) -> str:
    """Return a URL without user and password, and without what its query may keep secret."""
    parts = urlsplit(url)
    query = [
        (name, HIDDEN if SECRET.search(name) else value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
    ]
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, query=urlencode(query)).geturl()


class Endpoint:
    """A server that answers POST `url`/completions or `url`/chat/completions.

    Requests are made in an event loop of the model's own, which all threads share.

    Args:
        url: everything before that.
        model: the name the server knows the model by.
        key: sent as bearer token, if any.
        form: completions or chat.
        terms: limits, prices, budget.
        sleep: waits that many seconds.
        seconds: to wait for an answer.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: str | None = None,
        form: forms.Form = forms.COMPLETIONS,
        terms: Terms = Terms(),  # noqa: B008 - frozen
        sleep: Sleep = asyncio.sleep,
        seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.limited = partial(Endpoint, url, model, key, form, sleep=sleep, seconds=seconds)
        parts = urlsplit(url)
        prefix = CHAT if form is forms.CHAT else ""
        self.name = f"{prefix}{public(url)}#{model}"
        self.parallel = terms.parallel
        self.meter = Meter(terms, sleep=sleep)
        self._url = parts._replace(path=f"{parts.path}/{form.name}").geturl()
        self._model, self._key, self._form = model, key, form
        secrets = (key, parts.password, *_hidden(parts.query))
        self._secrets = [each for each in secrets if each and len(each) >= LEAST_SECRET]
        self._sleep, self._seconds = sleep, seconds
        self._unknown: set[str] = set()  # fields that the server has refused

    def __enter__(self) -> Self:
        """Start the event loop and the client; nothing is asked yet.

        Raises:
            ModelError: a package is missing.
        """
        try:
            import httpx2
            from anyio.from_thread import start_blocking_portal
        except ImportError as error:
            raise ModelError(
                f"Asking {self.name} needs httpx2: run `pip install 'thresher[model]'`."
            ) from error
        client = httpx2.AsyncClient(
            headers=replies.HEADERS | self._authorization(),
            timeout=httpx2.Timeout(self._seconds, connect=CONNECT_SECONDS),
            limits=httpx2.Limits(max_connections=self.parallel),
        )
        with contextlib.ExitStack() as stack:
            self._portal = stack.enter_context(start_blocking_portal())
            self._http = stack.enter_context(self._portal.wrap_async_context_manager(client))
            self._gate = asyncio.Semaphore(self.parallel)
            self._stack = stack.pop_all()
        return self

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def __exit__(self, *error: Any) -> None:
        """Close the client; an interrupt ends what is in flight."""
        self._stack.__exit__(*error)

    def complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        """Sample `prompt` once per index; see `Model.complete`."""
        return self._portal.call(self._complete, task_id, prompt, indices, sampling)

    async def _complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        most = likely(prompt, sampling.max_tokens)

        async def one(index: int) -> Completion:
            seed = seed_of(task_id, index)
            request = self._form.request(self._model, prompt, sampling, seed)
            async with self.meter.request(most) as bill:
                body = await self._ask(request, most)
                bill.used = most  # whatever it is, it has been paid for
                found = self._form.read(body, prompt, sampling, self.name)
                counted = found.prompt_tokens or most.prompt, found.tokens or most.completion
                bill.used = Usage(*counted)
            return found

        return await answers.gather(one, indices, self._gate)

    async def _ask(self, request: forms.Request, most: Usage) -> bytes:
        """Post until it works, waiting longer each time; only faults that may pass are retried."""
        import httpx2

        for attempt in range(TRIES):
            wait = None
            await self.meter.pace(most)
            try:
                answer = await self._post(request)
            except (httpx2.RequestError, httpx2.InvalidURL, TimeoutError) as error:
                problem = f"can't be reached ({str(error) or type(error).__name__})"
            else:
                if answer.is_success:
                    return self._without_secrets(answer.text).encode()
                problem = answers.refusal(answer.status, answer.reason, answer.text)
                passing = answer.status in PASSING or answer.status >= 500
                if not passing or NO_MONEY in answer.text:
                    raise self._refused(answer, problem)
                wait = _retry_after(answer)
            if attempt < TRIES - 1:
                await self._sleep(_backoff(attempt) if wait is None else wait)
        raise ModelDown(
            self._without_secrets(
                f"The model {self.name} {problem}, {TRIES} times; start it or wait, then run the"
                " same command again: it goes on where it stopped."
            )
        )

    async def _post(self, request: forms.Request) -> replies.Reply:
        """Post a request, again without the fields that the server says it doesn't know."""
        while True:
            fields = {
                sent: value
                for name, value in request.items()
                if (sent := OPTIONAL[name] if name in self._unknown else name) is not None
            }
            answer = await replies.post(self._http, self._url, fields, self._seconds, self.name)
            refused = _unknown_field(answer.text) if answer.status in {400, 422} else None
            if refused is None or refused not in fields:
                return answer
            self._unknown.add(refused)

    def _refused(self, answer: replies.Reply, problem: str) -> ModelError | SourceError:
        status = answer.status
        if status not in HINTS and TOO_LONG.search(answer.text):
            said = f"The prompt is too long for {self.name}, which {problem}"
            return SourceError("prompt-too-long", self._without_secrets(said))
        hint = HINTS.get(status, "change the request or use another model")
        if status == 429:
            hint = "pay, or use another key"
        kind = ModelDown if status in HINTS or status == 429 else ModelError
        return kind(self._without_secrets(f"The model {self.name} {problem}; {hint}."))

    def _without_secrets(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text


def _hidden(query: str) -> list[str]:
    return [value for name, value in parse_qsl(query) if SECRET.search(name)]


def _unknown_field(said: str) -> str | None:
    """Return the field that a server says it doesn't know, if samples can be had without."""
    named = [name for name in OPTIONAL if re.search(rf"\b{name}\b", said)]
    return named[0] if named and _UNKNOWN.search(said) else None


def _retry_after(answer: replies.Reply) -> float | None:
    """Return the seconds the server asks to wait, at most a minute; None if it doesn't say."""
    value = answer.headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(0.0, seconds), LONGEST_WAIT)


def _backoff(attempt: int) -> float:
    """Return anything up to 1, 2, 4, … seconds, so that many clients don't march in step."""
    return random.SystemRandom().uniform(0.0, min(2.0**attempt, LONGEST_WAIT))
