"""Read what the recorder wrote: lines that untrusted code could have written instead.

Whatever the files hold, reading ends, raises nothing, and accounts for each line: it is a call, a
summary, or rejected with a reason. The order of files and lines doesn't change the result.
"""

import os
import stat
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec

from thresher.store import values
from thresher.store.records import Record, Tree, canonical_json

MAX_FILES = 10_000
MAX_BYTES = 128 << 20  # of all files together
MAX_LINE = 1 << 20
MAX_NODES = 10_000  # of the JSON of one call: dicts with colliding keys stay harmless
MAX_NAME = 400
Mode = Literal["returns", "generates", "awaits", "async-generates"]
State = Literal["file", "network", "process", "environment", "time", "random"]
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class Parameter(NamedTuple):
    """A parameter of a function; `kind` is as in `inspect.Parameter`."""

    name: str
    kind: Literal["POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"]


class Line(Record, frozen=True, kw_only=True, tag_field="kind"):
    """What names the function in its lines; `line` is where its definition starts."""

    file: str
    line: int
    name: str
    qualname: str | None


class RecordedCall(Line, frozen=True, kw_only=True, tag="call"):
    """One call: arguments as at entry, and the result or the name of the exception.

    `args` has a tree per parameter, a list of trees for ``*args`` and an object of trees for
    ``**kwargs``. `after` has those that were another value when the call ended, in the same form,
    `closure` the free variables of a nested function, and `state` what else was touched. The
    result of a generator is the list of its outputs; `ended` is false where there are or could
    have been more.
    """

    parameters: tuple[Parameter, ...]
    args: dict[str, Tree]
    result: Tree
    raises: str | None
    mode: Mode = "returns"
    closure: dict[str, Tree] = {}
    after: dict[str, Tree] = {}
    state: tuple[State, ...] = ()
    ended: bool = True


class FunctionSummary(Line, frozen=True, kw_only=True, tag="function"):
    """What one process saw of a function until it exited or `stopped` recording it."""

    calls: Count
    examples: Count
    duplicates: Count
    lost: dict[str, Count]
    stopped: Literal["full", "unencodable", "repeating"] | None


class Process(Record, frozen=True, kw_only=True, tag_field="kind", tag="process"):
    """The last line of a process; `errors` counts what went wrong in the recorder."""

    python: str
    partial: str | None
    errors: Count


class Function(NamedTuple):
    """A function that was called.

    Attributes:
        qualname: its plain name where Python before 3.11 recorded it.
        calls: distinct calls, in an order that depends on nothing but themselves.
        seen: how many calls the processes counted; those killed or already full counted fewer.
        duplicates: how many of them had arguments seen before.
        lost: how many of them are no examples, by reason.
        stopped: why recording stopped before the program did, for example ``full``.
        replayed: how many of the calls gave the same when made alone with the project installed.
    """

    file: str
    line: int
    name: str
    qualname: str
    calls: tuple[RecordedCall, ...]
    seen: int
    duplicates: int
    lost: Counter[str]
    stopped: frozenset[str]
    replayed: int = 0


class Spool(NamedTuple):
    """What all processes recorded.

    Attributes:
        functions: sorted by file, line and name.
        rejected: how many files and lines were not used, by reason.
        partial: why some process's recording has gaps, or None.
        processes: how many processes wrote a file.
        unfinished: how many of them did not write their last line, being killed for example.
    """

    functions: tuple[Function, ...]
    rejected: Counter[str]
    partial: str | None
    processes: int
    unfinished: int


def read(folder: Path) -> Spool:
    """Read all spool files of a folder, whatever untrusted code has put there."""
    rejected: Counter[str] = Counter()
    names = sorted(path.name for path in folder.iterdir())
    rejected["too-many-files"] += len(names[MAX_FILES:])
    budget = MAX_BYTES
    lines: list[Line] = []
    processes: list[Process] = []
    files = 0
    for name in names[:MAX_FILES]:
        content = _content(folder / name, budget)
        if content is None:
            rejected["not-a-spool-file"] += 1
            continue
        files += 1
        budget -= len(content)
        for record in _records(content, rejected):
            processes.append(record) if isinstance(record, Process) else lines.append(record)
    partial = "; ".join(sorted({process.partial for process in processes if process.partial}))
    unfinished = max(0, files - len(processes))
    return Spool(_functions(lines), +rejected, partial or None, files, unfinished)


def reproduced(first: Spool, again: Spool) -> Spool:
    """Keep the calls of `first` that were recorded the same `again`; count the others as lost."""
    known = {(f.file, f.line, f.name): set(map(canonical_json, f.calls)) for f in again.functions}
    functions = []
    for function in first.functions:
        same = known.get((function.file, function.line, function.name), set())
        calls = tuple(call for call in function.calls if canonical_json(call) in same)
        lost = function.lost + Counter({"not-reproduced": len(function.calls) - len(calls)})
        functions.append(function._replace(calls=calls, lost=lost))
    return first._replace(functions=tuple(functions))


def _content(path: Path, budget: int) -> bytes | None:
    """Return the bytes of a regular file of at most `budget` bytes; None for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if path.suffix != ".jsonl" or not stat.S_ISREG(status.st_mode) or status.st_size > budget:
            return None
        with open(descriptor, "rb", closefd=False) as stream:  # noqa: PTH123  (not a path)
            return stream.read(budget)
    finally:
        os.close(descriptor)


def _records(content: bytes, rejected: Counter[str]) -> Iterator[Line | Process]:
    for text in content.splitlines():
        try:
            record = msgspec.json.decode(text[: MAX_LINE + 1], type=_LINES)
            _check(record)
        except msgspec.ValidationError:
            rejected["unknown-structure"] += 1
        except (msgspec.DecodeError, RecursionError):
            rejected["malformed-line"] += 1
        except ValueError:
            rejected["malformed-value"] += 1
        else:
            yield record


_LINES = RecordedCall | FunctionSummary | Process


def _check(record: RecordedCall | FunctionSummary | Process) -> None:
    """Raise ValueError where a record of the right structure still makes no sense."""
    if not all(name.isprintable() and len(name) <= MAX_NAME for name in _names(record)):
        raise ValueError("a name is too long or unprintable")
    if isinstance(record, RecordedCall):
        _check_call(record)


def _names(record: RecordedCall | FunctionSummary | Process) -> list[str]:
    """Return the texts of a record that people will see."""
    if isinstance(record, Process):
        return [record.python, record.partial or ""]
    texts = [record.file, record.name, record.qualname or ""]
    if isinstance(record, FunctionSummary):
        return [*texts, *record.lost]
    return [*texts, record.raises or "", *record.args, *record.closure]


def _check_call(call: RecordedCall) -> None:
    if [parameter.name for parameter in call.parameters] != list(call.args):
        raise ValueError("arguments and parameters differ")
    if not call.after.keys() <= call.args.keys():
        raise ValueError("what changed is no argument")
    if call.mode.endswith("generates") and call.raises is None and type(call.result) is not list:
        raise ValueError("outputs are not a list")
    trees = [call.result, *call.closure.values()]
    for parameter in call.parameters:
        trees += _trees(parameter, call.args[parameter.name])
        if parameter.name in call.after:
            trees += _trees(parameter, call.after[parameter.name])
    if _nodes(trees) > MAX_NODES:
        raise ValueError("too large")
    values.decode(trees)


def _trees(parameter: Parameter, argument: Tree) -> list[Tree]:
    if parameter.kind == "VAR_KEYWORD" and isinstance(argument, dict):
        return list(argument.values())
    if parameter.kind == "VAR_KEYWORD":
        raise ValueError("keywords are not an object")
    if parameter.kind == "VAR_POSITIONAL" and not isinstance(argument, list):
        raise ValueError("positional arguments are not a list")
    return [argument]


def _nodes(tree: Tree) -> int:
    if isinstance(tree, dict):
        return 1 + sum(map(_nodes, tree.values()))
    return 1 + sum(map(_nodes, tree)) if isinstance(tree, list) else 1


def _functions(lines: list[Line]) -> tuple[Function, ...]:
    groups: defaultdict[tuple[str, int, str], list[Line]] = defaultdict(list)
    for line in lines:
        groups[line.file, line.line, line.name].append(line)
    return tuple(_function(*key, groups[key]) for key in sorted(groups))


def _function(file: str, line: int, name: str, lines: list[Line]) -> Function:
    summaries = [record for record in lines if isinstance(record, FunctionSummary)]
    calls, unstable = _distinct([record for record in lines if isinstance(record, RecordedCall)])
    lost = Counter({"unstable": unstable})
    for summary in summaries:
        lost.update(summary.lost)
    return Function(
        file=file,
        line=line,
        name=name,
        qualname=min(record.qualname or name for record in lines),
        calls=calls,
        seen=sum(summary.calls for summary in summaries),
        duplicates=sum(summary.duplicates for summary in summaries),
        lost=+lost,
        stopped=frozenset(summary.stopped for summary in summaries if summary.stopped),
    )


def _distinct(calls: list[RecordedCall]) -> tuple[tuple[RecordedCall, ...], int]:
    """Merge equal calls; leave out, and count, those with equal arguments but other outcomes."""
    outcomes: defaultdict[bytes, dict[bytes, RecordedCall]] = defaultdict(dict)
    for call in sorted(calls, key=canonical_json):
        outcome = canonical_json([call.result, call.raises, call.after, call.ended])
        outcomes[canonical_json([call.args, call.closure])].setdefault(outcome, call)
    stable = [list(same.values())[0] for _, same in sorted(outcomes.items()) if len(same) == 1]
    return tuple(stable), sum(len(same) for same in outcomes.values() if len(same) > 1)
