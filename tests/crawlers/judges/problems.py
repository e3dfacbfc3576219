"""Problems of a few cases, and judges that are played by a function."""

from collections.abc import Callable, Sequence
from typing import Any

from thresher.crawlers.judges.judge import Report
from thresher.store import values
from thresher.store.records import Comparator, Derivation, Problem, TestCase

PROMPT = 'def countBelow(nums: list[int], most: int) -> int:\n    """Count them."""\n'
SOLUTION = (
    "    count = 0\n    for n in nums:\n        if n < most:\n            count += 1\n"
    "    return count\n"
)
ADDING = "print(sum(map(int, input().split())))\n"


def case(*args: object, expected: object, origin: Any = "statement") -> TestCase:
    return TestCase(
        args=tuple(values.encode(arg) for arg in args),
        kwargs={},
        expected=values.encode(expected),
        raises=None,
        origin=origin,
        shown=origin == "statement",
    )


def problem(
    prompt: str = PROMPT,
    solution: str = SOLUTION,
    cases: Sequence[TestCase] = (case([1, 5], 3, expected=1),),
    style: Any = "function",
    entry_point: str = "countBelow",
) -> Problem:
    return Problem(
        task_id="own/1",
        entry_point=entry_point,
        prompt=prompt,
        canonical_solution=solution,
        cases=tuple(cases),
        comparator=Comparator(kind="exact" if style == "function" else "tokens"),
        style=style,
        source="own",
        derivation=Derivation(file="own.json", line=1, function=entry_point, how="made up"),
    )


def stdio(*cases: TestCase, solution: str = ADDING) -> Problem:
    first = cases or (case("1 2\n", expected="3\n"),)
    return problem('"""Add numbers."""\n', solution, first, "stdio", "solve")


class Played:
    """A judge that gives what a function says, and keeps what it was sent."""

    def __init__(self, answer: Callable[[str], Report]) -> None:
        self.answer = answer
        self.sent: list[str] = []

    def submit(self, program: str, language: str) -> Report:
        assert language == "python3"
        self.sent.append(program)
        return self.answer(program)
