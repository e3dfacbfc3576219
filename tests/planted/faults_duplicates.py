"""Problems that are there twice: word for word, renamed, nearly, or by what they do.

One of each pair is a clean problem of its own; the fault is that its twin is there too.
"""

from tests.planted.build import CLEAN, Planted, function


def twice(kind, text, other, cases, cases_of_other=None, **more) -> list[Planted]:
    """Return a pair: the first is clean, the second is caught where exactly one of them stays."""
    first = function(CLEAN, text, cases)
    again = cases if cases_of_other is None else cases_of_other
    second = function(f"duplicate, {kind}", other, again, twin=first.problem.task_id, **more)
    return [first, second]


DEALT = '''
def deal(cards: list[str], players: int) -> list[list[str]]:
    """Deal cards to players in turn and return their hands; there is at least one player."""
    return [cards[first::players] for first in range(players)]
'''
LOCKER = '''
def open_lockers(count: int) -> list[int]:
    """There is a row of closed lockers, numbered from 1. The first pupil turns every locker, the
    second every second one, and so on, as many pupils as lockers. List the lockers that stay open.
    """
    turned = [False] * (count + 1)
    for pupil in range(1, count + 1):
        for locker in range(pupil, count + 1, pupil):
            turned[locker] = not turned[locker]
    return [locker for locker in range(1, count + 1) if turned[locker]]
'''
TYPED = '''
def typed(keys: str) -> str:
    """Return the text that is left after some keys were pressed; < deletes the last character."""
    text = []
    for key in keys:
        if key != "<":
            text.append(key)
        elif text:
            text.pop()
    return "".join(text)
'''
SEATS = '''
def best_block(row: str) -> int:
    """Return the size of the largest block of free seats in a row; free seats are dots."""
    best = current = 0
    for seat in row:
        current = current + 1 if seat == "." else 0
        best = max(best, current)
    return best
'''
KINDS = [
    twice(
        "exact",
        DEALT,
        DEALT,
        [
            ((["a", "b", "c"], 2), [["a", "c"], ["b"]]),
            (([], 2), [[], []]),
            ((["x"], 1), [["x"]]),
            ((["p", "q", "r", "s"], 2), [["p", "r"], ["q", "s"]]),
        ],
        licence="Apache-2.0",
    ),
    twice(
        "exact",
        LOCKER,
        LOCKER,
        [((0,), []), ((1,), [1]), ((10,), [1, 4, 9]), ((16,), [1, 4, 9, 16])],
        [((3,), [1]), ((8,), [1, 4]), ((0,), []), ((25,), [1, 4, 9, 16, 25])],
        licence="BSD-3-Clause",
    ),
    twice(
        "exact",
        TYPED,
        TYPED.replace("    text = []\n", "    text = []  # what stands there\n"),
        [(("abc<d",), "abd"), (("<<x",), "x"), (("",), ""), (("ab<<",), "")],
    ),
    twice(
        "exact",
        SEATS,
        SEATS.replace("best = current = 0", "best = current = 0\n"),
        [(("..x.",), 2), (("",), 0), (("xxx",), 0), (("x...x..",), 3)],
    ),
    twice(
        "renamed",
        '''
def coupons(prices: list[int], off: int) -> int:
    """Return what a purchase costs when a coupon takes `off` from each price, but never below 1.

    Prices are positive.
    """
    total = 0
    for price in prices:
        total += max(1, price - off)
    return total
''',
        '''
def discounted_sum(amounts: list[int], rebate: int) -> int:
    """Return what a purchase costs when a coupon takes `rebate` from each price, but never below 1.

    Prices are positive.
    """
    result = 0
    for amount in amounts:
        result += max(1, amount - rebate)
    return result
''',
        [(([5, 3], 2), 4), (([], 9), 0), (([1], 1), 1), (([10, 20, 3], 4), 23)],
    ),
    twice(
        "renamed",
        '''
def elevator_floors(moves: list[int]) -> int:
    """An elevator starts on floor 0 and makes moves, each so many floors up or, negative, down.

    Return on how many different floors it stops; where it starts counts too.
    """
    here, stops = 0, {0}
    for move in moves:
        here += move
        stops.add(here)
    return len(stops)
''',
        '''
def visited_levels(steps: list[int]) -> int:
    """A lift begins at level 0 and makes steps, each of so many levels up or, if negative, down.

    Give the number of different levels where it stops, the first one included.
    """
    level, seen = 0, {0}
    for step in steps:
        level += step
        seen.add(level)
    return len(seen)
''',
        [(([1, -1, 2],), 3), (([],), 1), (([0, 0],), 1), (([3, 4, -7, 3],), 3)],
        [(([2, 2, -4],), 3), (([5],), 2), (([],), 1), (([1, 1, -1, -1, -1],), 4)],
    ),
    twice(
        "renamed",
        '''
def hill_profile(text: str) -> int:
    """Return how high a walk of the letters u and d gets above where it begins, at the highest."""
    level = top = 0
    for letter in text:
        level += 1 if letter == "u" else -1
        top = max(top, level)
    return top
''',
        '''
def greatest_altitude(path: str) -> int:
    """Say what the greatest altitude of a path is: u goes up by one and d goes down by one.

    The path begins at altitude 0.
    """
    now = best = 0
    for char in path:
        now += 1 if char == "u" else -1
        best = max(best, now)
    return best
''',
        [(("uud",), 2), (("",), 0), (("dd",), 0), (("duuudu",), 2)],
    ),
    twice(
        "renamed",
        '''
def shelf_rows(widths: list[int], shelf: int) -> int:
    """Put things on shelves in order, each shelf as full as it gets; return the number of shelves.

    Nothing is wider than a shelf; no things need no shelf.
    """
    rows, left = 0, 0
    for width in widths:
        if width > left:
            rows, left = rows + 1, shelf
        left -= width
    return rows
''',
        '''
def pages_needed(heights: list[int], page: int) -> int:
    """Put pictures on pages in order, each page as full as it gets; return how many pages it takes.

    No picture is higher than a page.
    """
    pages, space = 0, 0
    for height in heights:
        if height > space:
            pages, space = pages + 1, page
        space -= height
    return pages
''',
        [(([3, 3, 3], 6), 2), (([], 5), 0), (([5], 5), 1), (([1, 4, 2, 5], 5), 3)],
    ),
]
PROBLEMS = [one for pair in KINDS for one in pair]
