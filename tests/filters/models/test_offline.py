"""vLLM's adapter, against a stand-in: vLLM itself needs a graphics card and isn't run here."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from thresher.errors import ModelError, UsageError
from thresher.filters.models import Completion, Sampling, seed_of
from thresher.filters.models.offline import Offline, open_vllm

PROMPT = 'def add(a, b):\n    """Add."""\n'


class StandIn(ModuleType):
    """Has the two classes of vLLM that are used, with the same calls and results."""

    def __init__(self) -> None:
        super().__init__("vllm")
        self.loaded: list[dict[str, Any]] = []
        self.asked: list[Any] = []
        stand_in = self

        class SamplingParams:
            def __init__(self, **settings: Any) -> None:
                self.settings = settings

        class LLM:
            def __init__(self, model: str, **settings: Any) -> None:
                if model == "none":
                    raise OSError("none is not a local folder")
                stand_in.loaded.append({"model": model, **settings})

            def generate(
                self, prompts: list[str], sampling_params: list[Any], *, use_tqdm: bool = True
            ) -> list[Any]:
                for prompt, params in zip(prompts, sampling_params, strict=True):
                    stand_in.asked.append((prompt, params.settings))
                return [self._output(params) for params in sampling_params]

            def _output(self, params: Any) -> Any:
                answer = SimpleNamespace(
                    text=f"\n    return {params.settings['seed']}",
                    token_ids=(5, 6, 7, 8),
                    cumulative_logprob=-2.0,
                    finish_reason="length",
                )
                return SimpleNamespace(outputs=[answer], prompt_token_ids=[1, 2, 3])

        self.SamplingParams, self.LLM = SamplingParams, LLM


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn()
    monkeypatch.setitem(sys.modules, "vllm", stand_in)
    return stand_in


def test_each_sample_has_its_seed(vllm: StandIn):
    with open_vllm("vllm:org/m@main") as model:
        found = model.complete("t", PROMPT, [4, 2], Sampling())
    assert model.name == "vllm:org/m@main"
    assert vllm.loaded == [{"model": "org/m", "revision": "main"}]
    assert found == [
        Completion(f"    return {seed_of('t', index)}", 4, -2.0, -0.5, "length", 3)
        for index in (4, 2)
    ]
    assert vllm.asked[0] == (
        'def add(a, b):\n    """Add."""',
        {
            "temperature": 0.8,
            "top_p": 0.95,
            "max_tokens": 160,
            "stop": ["\nclass", "\ndef", "\n#", "\nif", "\nprint"],
            "seed": seed_of("t", 4),
            "logprobs": 0,
        },
    )


def test_a_model_that_cannot_be_loaded(vllm: StandIn):
    with pytest.raises(ModelError, match="can't load none"), Offline("none"):
        pass


def test_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(ModelError, match=r"pip install 'thresher\[vllm\]'"), open_vllm("vllm:m"):
        pass


def test_needs_a_name():
    with pytest.raises(UsageError, match="vllm:NAME"):
        open_vllm("vllm:")
