"""The reference model's samples, drawn once and kept: a rerun reads them from the workspace."""

from thresher.errors import ModelError
from thresher.filters.models import Completion, Model, Sampling, seed_of
from thresher.store.records import Problem, Sample
from thresher.store.workspace import Unit, Workspace, unit_key

VERSION = 1


class Sampler:
    """Draws samples of problems; asking again for the same ones gives the stored.

    A sample's key holds the model, the sampling settings, the prompt and the sample's index, so
    that runs which stop, resume or extend get exactly the same samples.
    """

    def __init__(self, workspace: Workspace, model: Model, sampling: Sampling) -> None:
        self._workspace = workspace
        self._model = model
        self._sampling = sampling

    def samples(self, problem: Problem, indices: range) -> list[Sample]:
        """Return the samples at `indices`, in order.

        Raises:
            ModelError: the model failed or gave fewer samples than asked for.
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
            drawn = self._draw(problem, missing)
            self._workspace.commit(self._unit(problem, missing), drawn)
            stored |= {sample.index: sample for sample in drawn}
        return [stored[index] for index in indices]

    def _identity(self, problem: Problem) -> str:
        """Name the model together with all else that decides a sample but its index."""
        settings = unit_key("sampling", VERSION, self._sampling, problem.prompt)
        return f"{self._model.name} {settings[:12]}"

    def _unit(self, problem: Problem, indices: list[int]) -> Unit:
        key = unit_key("sample", VERSION, [self._identity(problem), indices], problem.task_id)
        return Unit(key, "sample", problem.task_id)

    def _draw(self, problem: Problem, indices: list[int]) -> list[Sample]:
        drawn = self._model.complete(problem.task_id, problem.prompt, indices, self._sampling)
        if len(drawn) != len(indices):
            raise ModelError(
                f"{problem.task_id}: {self._model.name} gave {len(drawn)} samples "
                f"where {len(indices)} were asked for"
            )
        pairs = zip(indices, drawn, strict=True)
        return [self._sample(problem, index, completion) for index, completion in pairs]

    def _sample(self, problem: Problem, index: int, completion: Completion) -> Sample:
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
        )
