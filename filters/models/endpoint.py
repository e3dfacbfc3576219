"""Any OpenAI-compatible completions endpoint as a reference model."""

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from thresher.errors import ModelDown, ModelError, UsageError
from thresher.filters.models import Completion, Sampling, answers, seed_of

if TYPE_CHECKING:
    import httpx2

KEYS = ("THRESHER_API_KEY", "OPENAI_API_KEY")
TRIES = 5
LONGEST_WAIT = 60.0
MOST_STOPS = 4  # the original API refuses more; the others are cut on our side
HINTS = {
    401: f"set {KEYS[0]} to a valid key",
    403: f"set {KEYS[0]} to a key that may use this model",
    404: "check the URL (the part before /completions) and the model's name",
}


def open_endpoint(spec: str) -> "Endpoint":
    """Make the model of a specification `URL#NAME`, the key taken from the environment.

    Raises:
        UsageError: the URL has no host or no name.
    """
    try:
        parts = urlsplit(spec)
        complete = bool(parts.hostname and parts.fragment and parts.port != 0)
    except ValueError:
        complete = False
    if not complete:
        raise UsageError(
            f"The model {spec!r} isn't URL#NAME: write for example http://localhost:8000/v1#NAME."
        )
    base = parts._replace(path=parts.path.rstrip("/") or "/v1", fragment="").geturl()
    key = next((value for name in KEYS if (value := os.environ.get(name, "").strip())), None)
    return Endpoint(base, parts.fragment, key)


class Endpoint:
    """A server that answers POST `url`/completions.

    Args:
        url: everything before ``/completions``.
        model: the name the server knows the model by.
        key: sent as bearer token, if any.
        parallel: requests in flight at once.
        sleep: waits that many seconds between tries.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: str | None = None,
        parallel: int = 8,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        parts = urlsplit(url)
        public = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        self.name = f"{public}#{model}"
        self.parallel = parallel
        self._url = parts._replace(path=f"{parts.path}/completions").geturl()
        self._model, self._key = model, key
        self._sleep = sleep

    def __enter__(self) -> Self:
        """Nothing needs to be started."""
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing needs to be stopped."""

    def complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        """Sample `prompt` once per index; see `Model.complete`."""
        return asyncio.run(self._complete(task_id, prompt, indices, sampling))

    async def _complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        stem, tail = answers.split(prompt)
        request = {
            "model": self._model,
            "prompt": stem,
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "stop": sampling.stop[:MOST_STOPS],
            "logprobs": 1,
        }
        async with self._client() as http:

            async def one(index: int) -> Completion:
                body = await self._ask(http, request | {"seed": seed_of(task_id, index)})
                return answers.read(body, tail, sampling.stop, self.name)

            return await answers.gather(one, indices, self.parallel)

    def _client(self) -> "httpx2.AsyncClient":
        try:
            import httpx2
        except ImportError as error:
            raise ModelError(
                f"Asking {self.name} needs httpx2: run `pip install 'thresher[model]'`."
            ) from error
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        return httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(600, connect=10))

    async def _ask(self, http: "httpx2.AsyncClient", request: dict[str, Any]) -> bytes:
        """Post until it works, waiting longer each time; only faults that may pass are retried."""
        import httpx2

        for attempt in range(TRIES):
            wait = None
            try:
                answer = await http.post(self._url, json=request)
            except (httpx2.RequestError, httpx2.InvalidURL) as error:
                problem = f"can't be reached ({error or type(error).__name__})"
            else:
                if answer.is_success:
                    return answer.content
                problem = answers.refusal(answer)
                if answer.status_code != 429 and answer.status_code < 500:
                    hint = HINTS.get(answer.status_code, "change the request or use another model")
                    kind = ModelDown if answer.status_code in HINTS else ModelError
                    raise kind(f"The model {self.name} {problem}; {hint}.")
                wait = _retry_after(answer)
            if attempt < TRIES - 1:
                await self._sleep(_backoff(attempt) if wait is None else wait)
        raise ModelDown(
            f"The model {self.name} {problem}, {TRIES} times; start it or wait, then run the same"
            " command again: it goes on where it stopped."
        )


def _retry_after(answer: "httpx2.Response") -> float | None:
    """Return the seconds the server asks to wait, at most a minute; None if it doesn't say."""
    value = answer.headers.get("Retry-After", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return min(max(0.0, seconds), LONGEST_WAIT)


def _backoff(attempt: int) -> float:
    """Return 1, 2, 4, … seconds, give or take half, so that many clients don't march in step."""
    return float(min(2.0**attempt, LONGEST_WAIT) * random.SystemRandom().uniform(0.5, 1.5))
