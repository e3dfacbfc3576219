"""The reference model's samples, drawn once and kept: a rerun reads them from the workspace."""

import hashlib
from collections.abc import Mapping

from thresher.errors import ModelError
from thresher.filters.models import Completion, Incomplete, Limited, Model, Sampling, seed_of
from thresher.filters.models.cleaning import VERSION as CLEANING
from thresher.filters.models.cleaning import cleaned
from thresher.filters.models.terms import Usage, likely
from thresher.store.records import Problem, Sample
from thresher.store.workspace import Unit, Workspace, unit_key

VERSION = 2


class Sampler:
    """Draws samples of problems; asking again for the same ones gives the stored.

    A sample's key holds the model, the sampling settings, the prompt and the sample's index, so
    that runs which stop, resume or extend get exactly the same samples.
    """

    def __init__(self, workspace: Workspace, model: Model, sampling: Sampling) -> None:
        self._workspace = workspace
        self._model = model
        self._sampling = sampling
        self._verbatim: bool = getattr(model, "verbatim", False)
        if isinstance(model, Limited):
            model.meter.earlier = used(workspace, model.name)

    def samples(self, problem: Problem, indices: range) -> list[Sample]:
        """Return the samples at `indices`, in order.

        Raises:
            ModelError: the model failed or gave fewer samples than asked for; what it gave is
                kept.
        """
        stored = {
            sample.index: sample
            for sample in self._workspace.select(
                Sample,
                "task_id = $1 AND model = $2 AND index >= $3 AND index < $4",
                problem.task_id,
                self._identity(problem),
                indices.start,
                indices.stop,
            )
        }
        missing = [index for index in indices if index not in stored]
        if missing:
            stored |= self._draw(problem, missing)
        return [stored[index] for index in indices]

    def _identity(self, problem: Problem) -> str:
        """Name the model together with all else that decides a sample but its index."""
        cleaning = None if self._verbatim else CLEANING
        settings = unit_key("sampling", VERSION, [cleaning, self._sampling], problem.prompt)
        return f"{self._model.name} {settings[:12]}"

    def _unit(self, problem: Problem, indices: list[int]) -> Unit:
        key = unit_key("sample", VERSION, [self._identity(problem), indices], problem.task_id)
        return Unit(key, "sample", problem.task_id)

    def _draw(self, problem: Problem, indices: list[int]) -> dict[int, Sample]:
        try:
            drawn = self._model.complete(problem.task_id, problem.prompt, indices, self._sampling)
        except Incomplete as stopped:
            if stopped.done:
                self._keep(problem, stopped.done)
            raise stopped.error from stopped
        if len(drawn) != len(indices):
            raise ModelError(
                f"{problem.task_id}: {self._model.name} gave {len(drawn)} samples "
                f"where {len(indices)} were asked for"
            )
        return self._keep(problem, dict(zip(indices, drawn, strict=True)))

    def _keep(self, problem: Problem, drawn: Mapping[int, Completion]) -> dict[int, Sample]:
        made = {index: self._sample(problem, index, each) for index, each in drawn.items()}
        self._workspace.commit(self._unit(problem, list(made)), list(made.values()))
        return made

    def _sample(self, problem: Problem, index: int, completion: Completion) -> Sample:
        if not self._verbatim:
            completion = cleaned(problem.prompt, problem.entry_point, completion)
        return Sample(
            task_id=problem.task_id,
            model=self._identity(problem),
            index=index,
            seed=seed_of(problem.task_id, index),
            temperature=self._sampling.temperature,
            top_p=self._sampling.top_p,
            text=completion.text,
            tokens=completion.tokens,
            logprob_sum=completion.logprob_sum,
            logprob_mean=completion.logprob_mean,
            finish_reason=completion.finish_reason,
            raw=completion.raw,
            prompt_tokens=completion.prompt_tokens,
            prompt_hash=prompt_hash(problem.prompt),
            max_tokens=self._sampling.max_tokens,
            revision=completion.revision,
        )


def prompt_hash(prompt: str) -> str:
    """Return the sha256 of a prompt's text."""
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


def used(workspace: Workspace, model: str) -> Usage:
    """Return how many tokens all the stored samples of a model took; the most where it isn't told.

    Args:
        workspace: with the samples, and the problems they are of.
        model: its name.
    """
    prompts = {problem.task_id: problem.prompt for problem in workspace.current(Problem)}
    total = Usage()
    for sample in workspace.select(Sample, "starts_with(model, $1)", f"{model} "):
        most = likely(prompts.get(sample.task_id, ""), sample.max_tokens)
        told = sample.prompt_tokens or most.prompt, sample.tokens or most.completion
        total = total.plus(Usage(*told))
    return total
