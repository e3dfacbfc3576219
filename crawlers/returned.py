"""Answers as a solution gives them, where the tests it came with take them for the stated ones.

Such tests compare with Python's ``==``, for which 800.0 is 800 and a Counter a dict; our own judge
tells types apart. What can't be told apart by the source is then shown, and expected, as it is.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from thresher.crawlers.statement import Call, Statement
from thresher.sandbox.judge import Outcome
from thresher.store import values

NUMBERS = (int, float)  # of which bool is none here
SITES = {"exercism", "humaneval"}  # whose tests compare in Python


def restated(statement: Statement, outcomes: Sequence[Outcome]) -> Statement | None:
    """Return a statement with the answers of its solution, None where one isn't the stated one.

    Args:
        statement: a function's, with one solution.
        outcomes: what the solution gave for all its calls, those that are shown first.
    """
    every = [*statement.calls, *statement.hidden_calls]
    if len(outcomes) != len(every):
        return None
    try:
        made = tuple(map(_call, every, outcomes))
    except ValueError:
        return None
    shown = len(statement.calls)
    return msgspec.structs.replace(statement, calls=made[:shown], hidden_calls=made[shown:])


def _call(stated: Call, outcome: Outcome) -> Call:
    """Return a call with the answer that was given; raises ValueError where it is another one."""
    if stated.raises:
        return stated  # the judge looks at it once more
    given = values.decode(outcome.value)
    if not _equal(stated.out, given):
        raise ValueError("another answer")
    return msgspec.structs.replace(stated, out=given)


def _equal(stated: Any, given: Any) -> bool:
    """Say whether two values are the same but for the types of numbers and dictionaries."""
    if type(stated) in NUMBERS and type(given) in NUMBERS:
        return bool(stated == given)
    if isinstance(stated, dict) and isinstance(given, dict):
        return stated.keys() == given.keys() and all(_equal(stated[k], given[k]) for k in stated)
    if type(stated) is type(given) and isinstance(stated, list | tuple):
        return len(stated) == len(given) and all(map(_equal, stated, given))
    return type(stated) is type(given) and bool(stated == given)
