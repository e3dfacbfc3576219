"""What filters work with: judges in the real sandbox, and samples given by the test."""

import pytest

from thresher.filters.filter import Tools
from thresher.judging import Judges
from thresher.store.records import Sample, Source


@pytest.fixture(scope="module")
def judges():
    with Judges(2) as pool:
        yield pool


@pytest.fixture
def make_tools(judges):
    """Return what makes tools, and the list of the sample indices that they were asked for."""

    def make(texts=(), batch=4):
        asked = []

        def samples(one, indices):
            asked.append(indices)
            return [sample(one, index, texts[index % len(texts)]) for index in indices]

        tools = Tools(
            judges=judges,
            source=source,
            samples=samples,
            batch=batch,
            wall="bubblewrap",
        )
        return tools, asked

    return make


def source(one):
    return Source(
        id=one.source,
        kind="file",
        url="file:///demo",
        revision="1",
        licence="MIT",
        licence_evidence="LICENSE",
        robots="",
        sha256="0" * 64,
        fetched_at="2026-01-01T00:00:00+00:00",
    )


def sample(one, index, text):
    return Sample(
        task_id=one.task_id,
        model="m",
        index=index,
        seed=index,
        temperature=0.8,
        top_p=0.95,
        text=text,
        tokens=1,
        logprob_sum=None,
        logprob_mean=None,
        finish_reason="stop",
    )
