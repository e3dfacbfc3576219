"""Samples are drawn once, cleaned, and stored with all that is known of them."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
import pytest

from tests.filters.models.loopback import serving, text, usage
from tests.store import builders
from thresher.errors import ModelDown, ModelError
from thresher.filters.models import Completion, Incomplete, Sampling, seed_of
from thresher.filters.models.endpoint import Endpoint
from thresher.filters.models.recorded import open_recorded
from thresher.filters.models.terms import Terms, Usage
from thresher.filters.sampler import Sampler, used
from thresher.store.export import export_samples
from thresher.store.records import Sample, canonical_json
from thresher.store.workspace import open_writer

PROBLEM = builders.problem()
FENCED = "Sure:\n```python\ndef double(x):\n    return 2 * x\n```"


class Says:
    """A model that says what it is told to, for the tests; `asked` has the indices."""

    parallel = 4
    name = "says:m@1"

    def __init__(self, *answers: Completion | ModelError) -> None:
        self._answers = list(answers)
        self.asked: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        self.asked += indices
        done = {}
        for index in indices:
            answer = self._answers.pop(0)
            if isinstance(answer, ModelError):
                raise Incomplete(done, answer)
            done[index] = answer
        return list(done.values())


def said(words: str, **more: Any) -> Completion:
    return Completion(words, 5, -2.0, -0.4, "stop", **more)


def test_all_of_a_sample_is_stored(tmp_path: Path):
    with open_writer(tmp_path) as workspace:
        model = Says(said(FENCED, prompt_tokens=30, revision="m-2026 fp"))
        (sample,) = Sampler(workspace, model, Sampling()).samples(PROBLEM, range(3, 4))
        stored = workspace.select(Sample)
    assert stored == [sample]
    assert sample.model.startswith("says:m@1 ")
    assert msgspec.structs.replace(sample, model="m") == Sample(
        task_id=PROBLEM.task_id,
        model="m",
        index=3,
        seed=seed_of(PROBLEM.task_id, 3),
        temperature=0.8,
        top_p=0.95,
        text="    return 2 * x\n",
        tokens=5,
        logprob_sum=-2.0,
        logprob_mean=-0.4,
        finish_reason="stop",
        raw=FENCED,
        prompt_tokens=30,
        prompt_hash=hashlib.sha256(PROBLEM.prompt.encode()).hexdigest(),
        max_tokens=160,
        revision="m-2026 fp",
    )


def test_raw_text_is_kept_only_where_it_says_more(tmp_path: Path):
    whole = "    return x\nprint(1)"
    with open_writer(tmp_path) as workspace:
        model = Says(
            said("    return 2 * x\n"),
            said("    return x", raw=whole),
            said("", raw="\ndef double(x):\n    return x + x\n"),
        )
        found = Sampler(workspace, model, Sampling()).samples(PROBLEM, range(3))
    assert [(each.text, each.raw) for each in found] == [
        ("    return 2 * x\n", None),
        ("    return x", whole),
        ("    return x + x\n", "\ndef double(x):\n    return x + x\n"),
    ]


def test_recorded_samples_are_taken_as_they_stand(tmp_path: Path):
    file = tmp_path / "samples.jsonl"
    whole = "    return x + x\n\nprint(double(2))\n"
    file.write_text(json.dumps({"task_id": PROBLEM.task_id, "completion": whole}))
    with open_writer(tmp_path / "w") as workspace:
        model = open_recorded(f"recorded:{file}")
        (sample,) = Sampler(workspace, model, Sampling()).samples(PROBLEM, range(1))
    assert (sample.text, sample.raw) == (whole, None)


def test_what_was_sampled_before_an_error_is_kept(tmp_path: Path):
    with open_writer(tmp_path) as workspace:
        model = Says(said("    return 1"), said("    return 2"), ModelDown("spent"))
        with pytest.raises(ModelDown, match="spent"):
            Sampler(workspace, model, Sampling()).samples(PROBLEM, range(4))
        more = Says(said("    return 3"), said("    return 4"))
        found = Sampler(workspace, more, Sampling()).samples(PROBLEM, range(4))
    assert more.asked == [2, 3]
    assert [each.text[-1] for each in found] == ["1", "2", "3", "4"]


def test_a_larger_budget_goes_on_where_a_smaller_one_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as server, open_writer(tmp_path) as workspace:
        server.answer = lambda request: text("\n    return x", usage=usage(20, 80))

        def draw(budget: int) -> int:
            with Endpoint(server.url, "m", terms=Terms(budget_tokens=budget)) as model:
                sampler = Sampler(workspace, model, Sampling())
                return len(sampler.samples(PROBLEM, range(10)))

        for _ in range(2):
            with pytest.raises(ModelDown, match="budget of 500 tokens is spent"):
                draw(500)
            assert len(server.requests) == 4
        assert used(workspace, f"{server.url}#m") == Usage(80, 320)
        assert draw(2000) == 10
        assert len(server.requests) == 10
        assert draw(1) == 10  # nothing is asked for


def test_a_budget_counts_earlier_runs_of_a_server_that_tells_no_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as server, open_writer(tmp_path) as workspace:
        workspace.commit(None, [PROBLEM])
        for _ in range(2):
            with Endpoint(server.url, "m", terms=Terms(budget_tokens=600)) as model:
                sampler = Sampler(workspace, model, Sampling())
                with pytest.raises(ModelDown, match="budget of 600 tokens is spent"):
                    sampler.samples(PROBLEM, range(10))
            assert len(server.requests) == 3
        assert used(workspace, f"{server.url}#m") == Usage(3 * (len(PROBLEM.prompt) // 3 + 1), 480)


def test_exported_samples_are_read_back_with_all_that_is_known(tmp_path: Path):
    file = tmp_path / "samples.jsonl"
    with open_writer(tmp_path / "w") as workspace:
        model = Says(said(FENCED, prompt_tokens=30, revision="m-2026 fp"))
        Sampler(workspace, model, Sampling()).samples(PROBLEM, range(1))
        assert export_samples(workspace, file) == {"says:m@1": 1}
    found = open_recorded(f"recorded:{file}").complete(PROBLEM.task_id, "", [0], Sampling())
    assert found == [
        Completion("    return 2 * x\n", 5, -2.0, -0.4, "stop", 30, FENCED, "m-2026 fp")
    ]


def test_rows_of_before_are_what_they_were():
    old = (
        b'{"task_id":"a","model":"m","index":0,"seed":7,"temperature":0.8,"top_p":0.95,'
        b'"text":"x","tokens":6,"logprob_sum":-1.5,"logprob_mean":null,"finish_reason":"stop"}'
    )
    sample = msgspec.json.decode(old, type=Sample)
    assert (sample.raw, sample.prompt_tokens, sample.revision) == (None, 0, "")
    assert canonical_json(sample) == old
