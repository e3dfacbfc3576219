"""What the chain made of planted problems, compared with what should have become of them."""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from tests.planted.build import CLEAN, Planted
from tests.planted.kinds import CAUGHT
from thresher.store import values
from thresher.store.records import Problem

CHANGES_ARGUMENTS = "noted: changes arguments"
LEAST_RECALL, MOST_FALSE = 0.98, 0.01


@dataclass
class Kind:
    """The tally of one kind of fault; `how` counts what caught them."""

    planted: int = 0
    caught: int = 0
    how: Counter[str] = field(default_factory=Counter)
    otherwise: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


@dataclass
class Tally:
    """Everything counted: faults by kind, the clean, and what the sandbox failed on."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    clean: int = 0
    false: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def planted(self) -> int:
        return sum(kind.planted for kind in self.kinds.values())

    @property
    def recall(self) -> float:
        return sum(kind.caught for kind in self.kinds.values()) / max(self.planted, 1)

    @property
    def false_rate(self) -> float:
        return len(self.false) / max(self.clean, 1)

    def good(self) -> bool:
        """Say whether recall and false alarms are as they should be."""
        enough = self.recall >= LEAST_RECALL or not self.planted
        return enough and self.false_rate <= MOST_FALSE and not self.failed


def tally(
    all_planted: Sequence[Planted],
    kept: Mapping[str, Problem],
    dropped: Mapping[str, str],
    failed: Mapping[str, str],
    noted: Container[str] = (),
) -> Tally:
    """Count what became of each.

    Args:
        all_planted: as they went into the chain.
        kept: as it left them, by task id.
        dropped: ``filter: reason`` by task id.
        failed: why nothing was decided, by task id.
        noted: the tasks whose certificate says that arguments are changed.
    """
    counted = Tally()
    excused = {
        one.twin
        for one in all_planted
        if one.twin and one.problem.task_id in kept and _duplicate(dropped, one.twin)
    }
    for one in all_planted:
        task_id = one.problem.task_id
        if task_id in failed:
            counted.failed.append(f"{one.name}: {failed[task_id]}")
            continue
        events = list(_events(one, kept.get(task_id), dropped.get(task_id)))
        if task_id in noted:
            events.append(CHANGES_ARGUMENTS)
        if one.kind == CLEAN:
            _count_clean(counted, one, events, task_id in excused)
        else:
            if one.twin in excused:
                events = [dropped[one.twin]]
            _count_fault(counted.kinds.setdefault(one.kind, Kind()), one, events)
    return counted


def _duplicate(dropped: Mapping[str, str], task_id: str) -> bool:
    return dropped.get(task_id, "").startswith("duplicates: ")


def _events(one: Planted, after: Problem | None, reason: str | None) -> Iterator[str]:
    """Yield what happened to a problem, in the words of the patterns."""
    if reason is not None:
        yield reason
    if after is None:
        return
    before = one.problem
    if after.comparator != before.comparator:
        yield "mended: comparator"
    if (after.prompt, after.canonical_solution) != (before.prompt, before.canonical_solution):
        yield "mended: program"
    if any(case not in before.cases for case in after.cases):
        changed = len(after.cases) <= len(before.cases)
        yield "mended: cases changed" if changed else "mended: cases added"
    if one.allows is not None:
        added = [case for case in after.cases if case not in before.cases]
        outside = any(not one.allows(*map(values.decode, case.args)) for case in added)
        yield "noted: a case outside is added" if outside else "noted: no case outside is added"
    if one.bad is not None and before.cases[one.bad] not in after.cases:
        yield "mended: bad case gone"


def _count_clean(counted: Tally, one: Planted, events: Sequence[str], excused: bool) -> None:
    counted.clean += 1
    for event in events:
        if not event.startswith(("mended: ", "noted: ")):
            if not excused:
                counted.false.append(f"{one.name}: {event}")
        elif event not in ("mended: cases added", CHANGES_ARGUMENTS):
            counted.changed.append(f"{one.name}: {event}")


def _count_fault(kind: Kind, one: Planted, events: Sequence[str]) -> None:
    kind.planted += 1
    patterns = one.caught or CAUGHT[one.kind]
    right = [e for e in events if any(fnmatchcase(e, pattern) for pattern in patterns)]
    dropped = [event for event in events if not event.startswith(("mended: ", "noted: "))]
    if right:
        kind.caught += 1
        kind.how[right[0]] += 1
    elif dropped:
        kind.otherwise.append(f"{one.name}: {dropped[0]}")
    else:
        kind.missed.append(one.name)


def lines(counted: Tally) -> Iterator[str]:
    """Yield a table of kinds, then everything that went wrong by name, then the rates."""
    yield f"{'kind':<28} {'planted':>7} {'caught':>6}  by"
    for name, kind in counted.kinds.items():
        how = ", ".join(f"{reason} {count}" for reason, count in kind.how.most_common())
        yield f"{name:<28} {kind.planted:>7} {kind.caught:>6}  {how}"
    for kind in counted.kinds.values():
        yield from (f"missed: {name}" for name in kind.missed)
    for kind in counted.kinds.values():
        yield from (f"caught for another reason: {name}" for name in kind.otherwise)
    yield from (f"changed, though clean: {name}" for name in counted.changed)
    yield from (f"false alarm: {name}" for name in counted.false)
    yield from (f"not decided: {name}" for name in counted.failed)
    kinds = len(counted.kinds)
    yield f"faults: {counted.planted} of {kinds} kinds, {counted.recall:.1%} caught"
    yield f"clean: {counted.clean}, {len(counted.false)} false alarms ({counted.false_rate:.1%})"
