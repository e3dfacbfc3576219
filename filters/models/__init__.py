"""Reference models: one small interface, found by the scheme of a specification.

A specification is `embedded`, `http(s)://…#NAME` (completions), `chat+http(s)://…#NAME`,
`vllm:NAME` or `recorded:FILE.jsonl`; the part before the first colon names an entry point of the
group `thresher.models`, so plug-ins add their own.
Every sample is one request with a seed of its own, made from task and index: stopping, resuming
and extending give the same samples as one undisturbed run.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, Self, runtime_checkable

import msgspec

from thresher import plugins
from thresher.errors import ModelError, UsageError
from thresher.filters.models.terms import Meter, Terms

GROUP = "thresher.models"
PAPER_STOPS = ("\nclass", "\ndef", "\n#", "\nif", "\nprint")
CHAT = "chat+"  # specifications of models that answer begin with it, the others go on
CHAT_TOKENS = 1024  # an answer says more than the body


class Completion(NamedTuple):
    """One answer of a model to a prompt: it goes on with it, or says in any way what does.

    `tokens` counts what was generated, `prompt_tokens` what was read; 0 where the model doesn't
    tell. The log-probabilities are natural logarithms summed and averaged over the tokens of
    `text`; None where the model doesn't tell or `text` is empty. `raw` is what was said where
    `text` is less, `revision` what the model calls itself.
    """

    text: str
    tokens: int
    logprob_sum: float | None
    logprob_mean: float | None
    finish_reason: str
    prompt_tokens: int = 0
    raw: str | None = None
    revision: str = ""


class Incomplete(ModelError):
    """A model failed before all samples were there.

    Attributes:
        done: those that were, by index.
        error: why there are no more.
    """

    def __init__(self, done: Mapping[int, Completion], error: ModelError) -> None:
        super().__init__(str(error))
        self.done, self.error = done, error


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
        verbatim: may be left out; true where what it gives is taken as it stands.
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
            ModelError: the model can't be used; `Incomplete` where some samples are there.
            SourceError: this prompt can't be sampled (``prompt-too-long``); others can.
        """
        ...


def seed_of(task_id: str, index: int) -> int:
    """Return the seed of a sample, from 0 to 2**31 - 1, the same on every machine."""
    digest = hashlib.sha256(f"{task_id}\0{index}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


@runtime_checkable
class Limited(Protocol):
    """A model that costs: `limited` gives the same under other terms, `meter` counts."""

    @property
    def meter(self) -> Meter: ...  # noqa: D102 - described above

    def limited(self, terms: Terms) -> Model: ...  # noqa: D102 - described above


def default_sampling(spec: str) -> Sampling:
    """Return how a model is sampled unless it is said otherwise: by the paper, but answers longer.

    Args:
        spec: of the model.
    """
    return Sampling(max_tokens=CHAT_TOKENS) if spec.startswith(CHAT) else Sampling()


def open_model(spec: str, terms: Terms | None = None) -> Model:
    """Make the model a specification names; nothing is started before it is entered.

    Args:
        spec: as the module says, or a plug-in's. The entry point is called with the whole of it.
        terms: limits, prices and budget of an endpoint.

    Raises:
        UsageError: nothing is known by that name, the rest of it can't be understood, or it is
            no model that terms are for.
        ModelError: the model isn't installed.
    """
    model: Model = plugins.load(GROUP, spec.partition(":")[0])(spec)
    if terms is None or terms == Terms():
        return model
    if not isinstance(model, Limited):
        raise UsageError(f"limits, prices and budgets are for endpoints, which {spec!r} isn't")
    return model.limited(terms)
