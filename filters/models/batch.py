"""The OpenAI batch-file form: a file of requests to hand in, and the file of results read back.

Each request carries task and index in its `custom_id`, ``TASK_ID#INDEX``, as they are: only the
last ``#`` divides them. Results come in any order, the failed ones perhaps in a file of their own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

import msgspec

from thresher.errors import ModelError
from thresher.filters.models import Completion, Sampling, answers, forms, seed_of
from thresher.filters.models.cleaning import cleaned
from thresher.store.programs import asked
from thresher.store.records import Problem

MOST_REQUESTS = 50_000  # in a file, as OpenAI has it
MOST_BYTES = 200_000_000


class Failed(NamedTuple):
    """A line of results that gives no sample: its number, what it is of, and why."""

    line: int
    custom_id: str
    reason: str


class Results(NamedTuple):
    """What results hold: rows of samples for the ``recorded:`` model, and the failed lines."""

    rows: list[dict[str, object]]
    failed: list[Failed]


class _Reply(msgspec.Struct):
    body: msgspec.Raw = msgspec.Raw(b"null")
    status_code: int = 0


class _Line(msgspec.Struct):
    custom_id: str
    response: _Reply | None = None
    error: answers.Fault | None = None


def custom_id(task_id: str, index: int) -> str:
    """Return the name of a sample's request."""
    return f"{task_id}#{index}"


def sample_of(name: str) -> tuple[str, int] | None:
    """Return the task and index of a request's name, None where it isn't one of ours."""
    task_id, divider, index = name.rpartition("#")
    exact = index.isascii() and index.isdecimal() and str(int(index[:20])) == index
    return (task_id, int(index)) if divider and exact else None


def requests(
    problems: Iterable[Problem],
    model: str,
    indices: Sequence[int],
    sampling: Sampling,
    form: forms.Form,
    known: Set[tuple[str, int]] = frozenset(),
) -> Iterator[bytes]:
    """Yield the lines of a file of requests, one for each sample that isn't known yet.

    Args:
        problems: what to sample for.
        model: its name at the provider.
        indices: which samples of each problem.
        sampling: how.
        form: completions or chat.
        known: task and index of samples that are there.
    """
    for problem in problems:
        prompt = _function(problem).prompt
        for index in indices:
            if (problem.task_id, index) not in known:
                seed = seed_of(problem.task_id, index)
                line = {
                    "custom_id": custom_id(problem.task_id, index),
                    "method": "POST",
                    "url": f"/v1/{form.name}",
                    "body": form.request(model, prompt, sampling, seed),
                }
                yield msgspec.json.encode(line) + b"\n"


def files(
    lines: Iterable[bytes], most: int = MOST_REQUESTS, most_bytes: int = MOST_BYTES
) -> Iterator[list[bytes]]:
    """Yield the lines of one file after another, each within the provider's bounds."""
    held: list[bytes] = []
    size = 0
    for line in lines:
        if held and (len(held) == most or size + len(line) > most_bytes):
            yield held
            held, size = [], 0
        held.append(line)
        size += len(line)
    if held:
        yield held


def read(content: bytes, problems: Mapping[str, Problem], sampling: Sampling) -> Results:
    """Read results back into the form of recorded samples.

    Args:
        content: one or more files of results and errors, one behind the other.
        problems: those that were asked for, by task id.
        sampling: how they were.

    Returns:
        A row for each sample, its text cleaned, sorted by task and index; and every other line
        with its reason.
    """
    found: dict[tuple[str, int], dict[str, object]] = {}
    failed = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            result = msgspec.json.decode(line, type=_Line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            failed.append(Failed(number, "", f"isn't a result: {error}"))
            continue
        sample = sample_of(result.custom_id)
        problem = problems.get(sample[0]) if sample else None
        if sample is None or problem is None:
            reason = "there is no such problem"
        elif sample in found:
            reason = "is there twice; the first was taken"
        else:
            read_one = _completion(result, _function(problem), sampling)
            if isinstance(read_one, Completion):
                found[sample] = _row(*sample, read_one)
                continue
            reason = read_one
        failed.append(Failed(number, result.custom_id, reason))
    return Results([found[sample] for sample in sorted(found)], failed)


def _function(problem: Problem) -> Problem:
    return asked(problem) if problem.style == "stdio" else problem


def _completion(line: _Line, problem: Problem, sampling: Sampling) -> Completion | str:
    """Return the completion of a result, or why there is none."""
    if line.error is not None:
        return str(line.error) or "failed"
    if line.response is None:
        return "has no response"
    body = bytes(line.response.body)
    if line.response.status_code != 200:
        text = body.decode(errors="replace")
        return answers.refusal(line.response.status_code, "no reason", text)
    chat = b'"message"' in body
    form = forms.CHAT if chat else forms.COMPLETIONS
    try:
        found = form.read(body, problem.prompt, sampling, "the provider")
    except ModelError as error:
        return str(error)
    return cleaned(problem.prompt, problem.entry_point, found)


def _row(task_id: str, index: int, found: Completion) -> dict[str, Any]:
    fields = found._asdict()
    text = fields.pop("text")
    known = {name: value for name, value in fields.items() if value not in (None, "")}
    return {"task_id": task_id, "index": index, "completion": text, **known}


def joined(
    held: Mapping[tuple[str, int], bytes], rows: Iterable[dict[str, object]]
) -> list[dict[str, object]]:
    """Return the rows of a file of recorded samples, and those that it doesn't hold yet, in order.

    Args:
        held: the lines of the file by task and index.
        rows: those to add, as `read` gives them.
    """
    found = {key: {**msgspec.json.decode(line), "index": key[1]} for key, line in held.items()}
    for row in rows:
        found.setdefault((str(row["task_id"]), int(str(row["index"]))), row)
    return [found[key] for key in sorted(found)]
