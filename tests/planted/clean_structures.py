"""Clean problems with recursion, classes, generators, coroutines and exceptions."""

from tests.planted.build import CLEAN, Call, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def nested_depth(value: object) -> int:
    """Say how deep lists are nested: 0 for what is no list, 1 for a flat or empty list.

    >>> nested_depth([1, [2, [3]]])
    3
    """
    if not isinstance(value, list):
        return 0
    return 1 + max(map(nested_depth, value), default=0)
''',
        [(([1, [2, [3]]],), 3), ((7,), 0), (([],), 1), (([[], [[]]],), 3), ((["a"],), 1)],
    ),
    clean(
        '''
def hanoi(discs: int, source: str, target: str, spare: str) -> list[tuple[str, str]]:
    """List the moves (from, to) that bring a tower of discs from one peg to another.

    The fewest moves are used, and never is a larger disc put on a smaller one.
    """
    if discs == 0:
        return []
    return [
        *hanoi(discs - 1, source, spare, target),
        (source, target),
        *hanoi(discs - 1, spare, target, source),
    ]
''',
        [
            ((0, "a", "b", "c"), []),
            ((1, "a", "b", "c"), [("a", "b")]),
            ((2, "x", "z", "y"), [("x", "y"), ("x", "z"), ("y", "z")]),
            (
                (3, "l", "r", "m"),
                [
                    ("l", "r"),
                    ("l", "m"),
                    ("r", "m"),
                    ("l", "r"),
                    ("m", "l"),
                    ("m", "r"),
                    ("l", "r"),
                ],
            ),
        ],
    ),
    clean(
        '''
def ackermann(m: int, n: int) -> int:
    """Return the value of the Ackermann function for small arguments that aren't negative.

    A(0, n) = n + 1, A(m, 0) = A(m - 1, 1), and A(m, n) = A(m - 1, A(m, n - 1)) otherwise.
    """
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))
''',
        [((0, 0), 1), ((1, 2), 4), ((2, 3), 9), ((3, 3), 61), ((2, 0), 3)],
    ),
    clean(
        '''
import functools


@functools.lru_cache(maxsize=None)
def _ways(height, longest):
    if height == 0:
        return 1
    return sum(_ways(height - step, longest) for step in range(1, min(height, longest) + 1))


def stair_ways(height: int, longest: int) -> int:
    """Count the ways up a stair of some height with steps of 1 up to `longest`.

    The order of steps matters; a stair of height 0 has one way. `longest` is at least 1.

    >>> stair_ways(4, 2)
    5
    """
    return _ways(height, longest)
''',
        [((4, 2), 5), ((0, 3), 1), ((5, 1), 1), ((10, 3), 274), ((30, 2), 1346269)],
    ),
    clean(
        '''
class Stack:
    """A stack that knows its greatest item."""

    def __init__(self):
        self._items = []

    def push(self, item):
        best = item if not self._items else max(item, self._items[-1][1])
        self._items.append((item, best))

    def pop(self):
        return self._items.pop()[0]

    def greatest(self):
        return self._items[-1][1]


def greatest_after(steps: list[int | None]) -> list[int]:
    """Work on a stack: a number is pushed, None takes the last one off.

    Return after each step the greatest number on the stack; steps that leave it empty give no
    answer. Nothing is taken off an empty stack.
    """
    stack, answers, size = Stack(), [], 0
    for step in steps:
        if step is None:
            stack.pop()
            size -= 1
        else:
            stack.push(step)
            size += 1
        if size:
            answers.append(stack.greatest())
    return answers
''',
        [
            (([3, 1, None, 5],), [3, 3, 3, 5]),
            (([],), []),
            (([2, None, 1],), [2, 1]),
            (([1, 4, 2, None, None],), [1, 4, 4, 4, 1]),
        ],
    ),
    clean(
        '''
class Account:
    def __init__(self, balance=0):
        self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough money")
        self.balance -= amount


def replay(balance: int, withdrawals: list[int]) -> int:
    """Make withdrawals from an account and return what is left.

    Raises:
        ValueError: one of them is more than what is left then.
    """
    account = Account(balance)
    for amount in withdrawals:
        account.withdraw(amount)
    return account.balance
''',
        [
            ((100, [30, 20]), 50),
            ((5, []), 5),
            ((10, [10]), 0),
            ((10, [6, 5]), Raises("ValueError")),
            ((0, [1]), Raises("ValueError")),
        ],
    ),
    clean(
        '''
def windows(items: list[int], size: int):
    """Yield every run of `size` neighbours of a list as a tuple, from the left.

    `size` is positive; a list that is shorter has none.
    """
    for start in range(len(items) - size + 1):
        yield tuple(items[start : start + size])
''',
        [
            (([1, 2, 3], 2), [(1, 2), (2, 3)]),
            (([1, 2], 3), []),
            (([4], 1), [(4,)]),
            (([1, 2, 3, 4], 3), [(1, 2, 3), (2, 3, 4)]),
        ],
        mode="generates",
    ),
    clean(
        '''
def countdown(start: int):
    """Yield the numbers from `start` down to 1, then the word "go"."""
    for number in range(start, 0, -1):
        yield number
    yield "go"
''',
        [((3,), [3, 2, 1, "go"]), ((0,), ["go"]), ((1,), [1, "go"]), ((-4,), ["go"])],
        mode="generates",
    ),
    clean(
        '''
def swings(width: int):
    """Yield without end the places of a pendulum: 0 up to `width`, back to 0, and so on.

    `width` is positive; the ends come once at each turn: 0, 1, 2, 1, 0, 1 for a width of 2.
    """
    while True:
        yield from range(width)
        yield from range(width, 0, -1)
''',
        [
            Call((1,), [0, 1] * 25, ended=False),
            Call((2,), [0, 1, 2, 1] * 12 + [0, 1], ended=False),
            Call((60,), list(range(50)), ended=False),
            Call((5,), [0, 1, 2, 3, 4, 5, 4, 3, 2, 1] * 5, ended=False),
        ],
        mode="generates",
    ),
    clean(
        '''
async def double_later(numbers: list[int], limit: int) -> list[int]:
    """Double the numbers of a list, and stop before the first that would exceed `limit`."""
    out = []
    for number in numbers:
        if 2 * number > limit:
            break
        out.append(2 * number)
    return out
''',
        [
            (([1, 2, 3], 4), [2, 4]),
            (([], 10), []),
            (([9], 5), []),
            (([5, 1, 9, 1], 12), [10, 2]),
            (([3, 4], 8), [6, 8]),
        ],
        mode="awaits",
    ),
    clean(
        '''
import asyncio


async def _length(word):
    await asyncio.sleep(0)
    return len(word)


async def total_length(words: list[str]) -> int:
    """Ask for the lengths of all words at the same time and return their sum."""
    return sum(await asyncio.gather(*map(_length, words)))
''',
        [((["ab", "c"],), 3), (([],), 0), (([""],), 0), ((["four", "five", "xyzzy"],), 13)],
        mode="awaits",
    ),
    clean(
        '''
async def every_other(items: list[str]):
    """Give every second item of a list asynchronously, beginning with the first."""
    for place, item in enumerate(items):
        if place % 2 == 0:
            yield item
''',
        [
            ((["a", "b", "c"],), ["a", "c"]),
            (([],), []),
            ((["x"],), ["x"]),
            ((["p", "q", "r", "s"],), ["p", "r"]),
        ],
        mode="async-generates",
    ),
]
