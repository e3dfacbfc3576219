"""Models that vLLM runs in this process; `vllm` is imported when the model is started."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, Self

from thresher.errors import ModelError, UsageError
from thresher.filters.models import Completion, Sampling, answers, seed_of

BATCH = 64  # vLLM is fast with many at once


def open_vllm(spec: str) -> "Offline":
    """Make the model of a specification `vllm:NAME`, or `vllm:NAME@REVISION`.

    NAME is a folder with weights, or a name that vLLM downloads.

    Raises:
        UsageError: there is no name.
    """
    name, _, revision = spec.partition(":")[2].partition("@")
    if not name:
        raise UsageError(f"The model {spec!r} has no name: write vllm:NAME or vllm:NAME@REVISION.")
    return Offline(name, revision or None)


class Offline:
    """A model that goes on with prompts, many at once.

    Args:
        model: its name or folder.
        revision: a branch, tag or commit of its repository.
    """

    parallel = BATCH

    def __init__(self, model: str, revision: str | None = None) -> None:
        self.name = f"vllm:{model}@{revision}" if revision else f"vllm:{model}"
        self._model, self._revision = model, revision
        self._lock = Lock()  # the engine takes one call at a time

    def __enter__(self) -> Self:
        """Load the weights.

        Raises:
            ModelError: vLLM is missing, or can't load them.
        """
        try:
            import vllm
        except ImportError as error:
            raise ModelError(
                f"The model {self.name} needs vllm ({error}): run `pip install 'thresher[vllm]'`."
            ) from error
        try:
            self._engine: Any = vllm.LLM(model=self._model, revision=self._revision)
        except (OSError, RuntimeError, ValueError) as error:
            raise ModelError(f"vLLM can't load {self._model} ({error}).") from error
        self._params: Any = vllm.SamplingParams
        return self

    def __exit__(self, *error: object) -> None:
        """Drop the engine."""
        self._engine = None

    def complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        """Sample `prompt` once per index; see `Model.complete`."""
        stem, tail = answers.split(prompt)
        settings = [
            self._params(
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                max_tokens=sampling.max_tokens,
                stop=list(sampling.stop),
                seed=seed_of(task_id, index),
                logprobs=0,  # of the tokens that were chosen alone
            )
            for index in indices
        ]
        try:
            with self._lock:
                found = self._engine.generate([stem] * len(settings), settings, use_tqdm=False)
        except (RuntimeError, ValueError) as error:
            raise ModelError(f"{self.name} can't sample {task_id} ({error}).") from error
        return [_completion(each, tail) for each in found]


def _completion(output: Any, tail: str) -> Completion:
    """Read what the engine says of one request; `tail` was taken off the prompt."""
    answer = output.outputs[0]
    tokens, total = len(answer.token_ids), answer.cumulative_logprob
    return Completion(
        text=answers.without_tail(answer.text, tail),
        tokens=tokens,
        logprob_sum=total,
        logprob_mean=total / tokens if tokens and total is not None else None,
        finish_reason=answer.finish_reason or "unknown",
        prompt_tokens=len(output.prompt_token_ids or ()),
    )
