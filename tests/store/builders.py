"""Small records for the tests of the store; each argument changes one thing of a plain one."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from thresher.store import blobs, values
from thresher.store.export import PIPELINE
from thresher.store.funnel import SOURCE, TRACE
from thresher.store.records import (
    Comparator,
    Decision,
    Derivation,
    Execution,
    Mode,
    Problem,
    Record,
    Sample,
    Source,
    TestCase,
)
from thresher.store.workspace import open_writer

ORIGIN = "pypi/demo/1.0"
RAW = b"raw bytes of a source"
EXACT = Comparator()
TOKENS = Comparator(kind="tokens")


def source(name: str = "demo", licence: str = "MIT") -> Source:
    """Make an sdist's source record; its id is its name."""
    return Source(
        id=name,
        kind="sdist",
        url=f"https://example.org/{name}-1.0.tar.gz",
        revision="1.0",
        licence=licence,
        licence_evidence=f"PKG-INFO License: {licence}",
        robots="not a crawl",
        sha256=hashlib.sha256(RAW).hexdigest(),
        fetched_at="2026-01-02T03:04:05+00:00",
    )


def case(
    *args: object, expected: object = None, raises: str | None = None, **kwargs: object
) -> TestCase:
    """Make a case from plain objects."""
    return TestCase(
        args=tuple(map(values.encode, args)),
        kwargs={name: values.encode(value) for name, value in kwargs.items()},
        expected=values.encode(expected),
        raises=raises,
        origin="traced",
        shown=False,
    )


def problem(
    task_id: str = f"{ORIGIN}/demo.double-00000001",
    body: str = "    return 2 * x\n",
    cases: Sequence[TestCase] = (case(2, expected=4),),
    prompt: str = 'def double(x):\n    """Return twice `x`."""\n',
    entry_point: str = "double",
    comparator: Comparator = EXACT,
    source: str = "demo",
    mode: Mode = "returns",
    tags: Sequence[str] = (),
) -> Problem:
    """Make a problem; the plain one doubles a number."""
    return Problem(
        task_id=task_id,
        entry_point=entry_point,
        prompt=prompt,
        canonical_solution=body,
        cases=tuple(cases),
        comparator=comparator,
        style="function",
        source=source,
        derivation=Derivation(
            file="demo.py", line=12, function=entry_point, how="3 distinct calls recorded"
        ),
        mode=mode,
        tags=tuple(tags),
    )


def program(
    body: str = "print(2 * int(input()))\n",
    cases: Sequence[tuple[str, str]] = (("2\n", "4\n"), ("21\n", "42\n")),
    prompt: str = '"""Print twice the number that is read.\n"""\n',
    comparator: Comparator = TOKENS,
) -> Problem:
    """Make a problem of style `stdio`; the plain one doubles a number."""
    made = problem("site/double-00000001", body, prompt=prompt, entry_point="solve")
    texts = [case(given, expected=printed) for given, printed in cases]
    return msgspec.structs.replace(made, style="stdio", cases=tuple(texts), comparator=comparator)


def decision(
    subject: str, filter: str = PIPELINE, keep: bool = True, reason: str = "kept"
) -> Decision:
    """Make a decision; the plain one is a kept problem's last word."""
    return Decision(
        subject=subject,
        filter=filter,
        version=1,
        keep=keep,
        reason=reason,
        evidence=f"evidence of {filter}",
    )


def traced(subject: str, reason: str = "kept") -> Decision:
    """Make the tracer's decision on a function; lost for any reason but ``kept``."""
    return decision(subject, TRACE, reason == "kept", reason)


def fetched(subject: str, reason: str = "traced") -> Decision:
    """Make the tracer's decision on a source; failed for any reason but ``traced``."""
    return decision(subject, SOURCE, reason == "traced", reason)


def sample(task_id: str, index: int = 0, text: str = "    return x + x\n") -> Sample:
    """Make a sample of a model called ``model``."""
    return Sample(
        task_id=task_id,
        model="model",
        index=index,
        seed=7,
        temperature=0.8,
        top_p=0.95,
        text=text,
        tokens=6,
        logprob_sum=-1.5,
        logprob_mean=-0.25,
        finish_reason="stop",
    )


def execution(task_id: str, verdict: str = "pass") -> Execution:
    """Make an execution of a reference."""
    return Execution(
        task_id=task_id,
        program="cd" * 32,
        purpose="reference",
        run=1,
        perturbation="none",
        verdict=verdict,
        failing_case=None,
        detail="",
        cpu_seconds=0.1,
        wall_seconds=0.2,
        sandbox="bubblewrap",
    )


def store(folder: Path, records: Iterable[Record]) -> Path:
    """Commit records to the workspace in `folder`, and close it."""
    with open_writer(folder) as workspace:
        blobs.put(workspace.blobs, RAW)
        workspace.commit(None, list(records))
    return folder
