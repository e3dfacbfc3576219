"""The interface: seeds, and how a specification finds its model."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import UsageError
from thresher.filters.models import Sampling, open_model, seed_of


def test_defaults_are_the_papers():
    assert Sampling() == Sampling(0.8, 0.95, 160, ("\nclass", "\ndef", "\n#", "\nif", "\nprint"))


def test_seeds_never_change():
    assert [seed_of("HumanEval/0", index) for index in (0, 1, 99)] == [
        122225850,
        1785042642,
        1418347136,
    ]


@given(st.text(), st.integers(0, 10**6))
def test_seeds_have_31_bits(task_id: str, index: int):
    assert 0 <= seed_of(task_id, index) < 2**31


def test_each_scheme_finds_its_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "samples.jsonl"
    file.write_text('{"task_id": "a", "completion": "x"}\n')
    assert open_model(f"recorded:{file}").name.startswith("recorded:samples@")
    assert open_model("http://localhost:1/v1#m").name == "http://localhost:1/v1#m"
    assert open_model("https://example.org#m").name == "https://example.org/v1#m"
    assert open_model("chat+https://example.org/v1#m").name == "chat+https://example.org/v1#m"
    assert open_model("chat+http://localhost:1#m").name == "chat+http://localhost:1/v1#m"
    assert open_model("vllm:org/m@main").name == "vllm:org/m@main"
    assert open_model("embedded").name.startswith("embedded:SmolLM2-135M-Instruct.Q4_1@")


def test_unknown_scheme_lists_the_known():
    with pytest.raises(UsageError, match="embedded, http, https, recorded"):
        open_model("gpt:large")
