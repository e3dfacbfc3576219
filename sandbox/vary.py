"""Run a program under other conditions, in an interpreter of its own and in several rounds."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from thresher.sandbox.conditions import Conditions, Seen, plain
from thresher.sandbox.judge import DEFAULT_LIMITS, Call, Judge, Outcome, read_outcome
from thresher.sandbox.remote import CellLimits, Ended

MOST, LONGEST = 20, 60  # names of one kind, and their characters


class Answered(NamedTuple):
    """An answer that its case hadn't had before, and in which round of calls."""

    case: int
    round: int
    outcome: Outcome


class Varied(NamedTuple):
    """Answers under changed conditions; without `seen` the rounds didn't come to their end."""

    answers: tuple[Answered, ...]
    failure: Outcome | None
    ended: Ended
    seen: Seen | None


def vary(
    judge: Judge,
    program: str,
    entry_point: str,
    calls: Sequence[Call],
    conditions: Conditions,
    limits: CellLimits = DEFAULT_LIMITS,
    mode: str = "returns",
) -> Varied:
    """Load `program` in a fresh cell under other conditions and make `calls`, round by round.

    Raises:
        InfrastructureError: the server ended or stopped answering.
    """
    setup: dict[str, Any] = {
        "role": "calls",
        "program": program,
        "entry_point": entry_point,
        "mode": mode,
        "calls": [call._asdict() for call in calls],
        "conditions": plain(conditions, limits),
    }
    answers: list[Answered] = []
    with judge.server().cell(setup, limits) as cell:
        cell.leave_alone()
        loaded = cell.receive()
        if loaded is None or loaded.get("loaded") is not True:
            return Varied((), read_outcome(loaded), cell.stop(), None)
        while (reply := cell.receive()) is not None and "rounds" not in reply:
            answers.append(_answered(reply, len(calls)))
        ended = cell.stop()
    return Varied(tuple(answers), None, ended, _seen(reply))


def _answered(reply: dict[str, Any], cases: int) -> Answered:
    case, number = reply.get("case"), reply.get("round")
    if type(case) is not int or type(number) is not int or not 0 <= case < cases:
        return Answered(0, 0, Outcome(refused="the program broke the protocol"))
    return Answered(case, number, read_outcome(reply))


def _seen(reply: dict[str, Any] | None) -> Seen | None:
    """Read the last message; its words are a stranger's."""
    try:
        seen = msgspec.convert(reply, Seen)
    except (ValueError, RecursionError):
        return None
    words = {
        name: _words(getattr(seen, name)) for name in ("seen", "changed", "mutated", "missing")
    }
    return msgspec.structs.replace(seen, **words)


def _words(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(ascii(word[:LONGEST])[1:-1] for word in said[:MOST])
