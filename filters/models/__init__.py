"""Reference models: one small interface, found by the scheme of a specification.

A specification is `embedded`, `http(s)://…#NAME` or `recorded:FILE.jsonl`; the part before the
first colon names an entry point of the group `thresher.models`, so plug-ins add their own.
Every sample is one request with a seed of its own, made from task and index: stopping, resuming
and extending give the same samples as one undisturbed run.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple, Protocol, Self

import msgspec

from thresher import plugins

GROUP = "thresher.models"
PAPER_STOPS = ("\nclass", "\ndef", "\n#", "\nif", "\nprint")


class Completion(NamedTuple):
    """One answer of a model: `prompt + text` is the program.

    `tokens` counts what was generated. The log-probabilities are natural logarithms summed and
    averaged over the tokens of `text`; None where the model doesn't tell or `text` is empty.
    """

    text: str
    tokens: int
    logprob_sum: float | None
    logprob_mean: float | None
    finish_reason: str


class Sampling(msgspec.Struct, frozen=True):
    """How to sample; the defaults are the paper's, with 160 new tokens at most."""

    temperature: float = 0.8
    top_p: float = 0.95
    max_tokens: int = 160
    stop: tuple[str, ...] = PAPER_STOPS


class Model(Protocol):
    """A reference model. Use it as a context manager: entering starts what it needs to run.

    Attributes:
        name: stable id with the revision, for provenance.
        parallel: how many samples are worth asking for at once.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - described above

    @property
    def parallel(self) -> int: ...  # noqa: D102 - described above

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        """Sample `prompt` once per index.

        Args:
            task_id: the problem; with the index it makes the seed.
            prompt: the beginning of a program.
            indices: which samples of the task, each 0 or more.
            sampling: temperature, nucleus, length and stop sequences.

        Returns:
            One completion per index, in the order of `indices`.

        Raises:
            ModelError: the model can't be used.
            SourceError: this prompt can't be sampled (``prompt-too-long``); others can.
        """
        ...


def seed_of(task_id: str, index: int) -> int:
    """Return the seed of a sample, from 0 to 2**31 - 1, the same on every machine."""
    digest = hashlib.sha256(f"{task_id}\0{index}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def open_model(spec: str) -> Model:
    """Make the model a specification names; nothing is started before it is entered.

    Args:
        spec: `embedded`, `http(s)://HOST…#NAME`, `recorded:FILE.jsonl`, or a plug-in's. The
            entry point is called with the whole of it.

    Raises:
        UsageError: nothing is known by that name, or the rest of it can't be understood.
        ModelError: the model isn't installed.
    """
    model: Model = plugins.load(GROUP, spec.partition(":")[0])(spec)
    return model
