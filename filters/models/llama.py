"""A llama.cpp server inside this process, reached through a Unix socket in a private folder.

No port is opened, and a key guards the socket. Two fast paths are off, flash attention and
repacked weights: they round differently with the number of samples in flight, and a sample must
depend on its seed alone.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thresher.errors import ModelError
from thresher.filters.models import answers

if TYPE_CHECKING:
    import httpx2

SLOTS = 16
SLOT_TOKENS = 2048
MOST_THREADS = 8  # the matrices are too small to feed more
CONTEXT = "exceed_context_size_error"
SOCKET = "socket.sock"


class TooLongError(Exception):
    """The server says that a prompt doesn't fit its context."""


async def post(http: "httpx2.AsyncClient", path: str, body: dict[str, Any]) -> bytes:
    """Post `body` and return the body of the answer.

    Raises:
        TooLongError: the prompt doesn't fit.
        ModelError: the server is gone or refuses.
    """
    import httpx2

    try:
        answer = await http.post(path, json=body)
    except httpx2.HTTPError as error:
        raise ModelError(
            f"The embedded model stopped answering ({error!r}); run the same command again."
        ) from error
    if answer.is_success:
        return answer.content
    said = answers.refusal(answer.status_code, answer.reason_phrase, answer.text)
    if CONTEXT in answer.text:
        raise TooLongError(said)
    raise ModelError(
        f"The embedded model refused a request ({said}); install another version of xllamacpp."
    )


def start(weights: Path, folder: Path, key: str) -> object:
    """Start a server on a socket in `folder`.

    Args:
        weights: a GGUF file.
        folder: an empty folder only we can enter; slots are saved there, too.
        key: what requests must bring as bearer token.

    Returns:
        The server; it stops when this object is dropped.

    Raises:
        ModelError: xllamacpp is missing, or the server doesn't start.
    """
    # Threads that spin for long cost busy cores 6 to 10 times, threads that don't spin at all
    # (OMP_WAIT_POLICY=passive) half the speed of idle ones: 92 against 47 tokens a second.
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    try:
        import xllamacpp
    except ImportError as error:
        raise _missing("xllamacpp", error) from error
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.hostnames = [str(folder / SOCKET)]
    params.api_keys = [key]
    params.slot_save_path = f"{folder}/"
    params.n_parallel, params.n_ctx = SLOTS, SLOTS * SLOT_TOKENS
    threads = min(len(os.sched_getaffinity(0)), MOST_THREADS)
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.no_extra_bufts = True
    params.cache_ram_mib, params.cache_idle_slots = 0, False  # slots must keep their prompt
    params.ui = params.warmup = False
    params.endpoint_metrics = True
    params.verbosity = 0
    try:
        server = xllamacpp.Server(params)
        # Dropped before its queue is served, it would wait for itself for ever.
        server.handle_metrics()
    except RuntimeError as error:
        raise ModelError(
            f"The embedded model can't start from {weights} ({error}): reinstall the weights, free"
            f" a gigabyte of memory, or set TMPDIR to a shorter path than {folder.parent}."
        ) from error
    return server


def client(folder: Path, key: str) -> "httpx2.AsyncClient":
    """Return a client for the server that was started with the same folder and key."""
    try:
        import httpx2
    except ImportError as error:
        raise _missing("httpx2", error) from error
    return httpx2.AsyncClient(
        transport=httpx2.AsyncHTTPTransport(uds=str(folder / SOCKET)),
        base_url="http://embedded",
        headers={"Authorization": f"Bearer {key}"},
        timeout=600,
    )


def _missing(package: str, error: ImportError) -> ModelError:
    return ModelError(
        f"The embedded model needs {package} ({error}): run `pip install 'thresher[model]'`."
    )
