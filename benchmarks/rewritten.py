"""Every ninth of HumanEval's tasks twice: solved in another way, and changed in what it asks.

These were written before the filter was tried on them, and nothing was tuned with them.
"""

import math
import re
from collections.abc import Callable
from typing import Any

INPUTS: dict[str, list[tuple[Any, ...]]] = {}  # of both functions of a task
SAME: dict[str, str] = {}  # function: the task that it solves
OTHER: dict[str, str] = {}  # function: the task that it resembles
FLOATS = [([1.5, 2.5],), ([4.0, 4.0, 1.0],), ([0.5],), ([9.0, -3.0, 2.0, 2.0],), ([7.0, 8.5],)]
LISTS = [
    ([4, 8, 3, 6, 2],),
    ([1],),
    ([2, 2, 2, 2],),
    ([9, 10, 11, 12, 13],),
    ([7, 4, 5],),
    ([5, 5],),
]
TRIPLES = [([1, 2, -3],), ([5, 1, 2],), ([0, 4, 4, -4],), ([],), ([3, -1, -1, -2],), ([6, 6, 6],)]


def same(task: int, *inputs: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Note that a function solves a task, with inputs of its own."""
    return lambda function: _note(SAME, task, function, inputs)


def other(task: int, *inputs: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Note that a function only resembles a task."""
    return lambda function: _note(OTHER, task, function, inputs)


def _note(kind: dict[str, str], task: int, function: Any, inputs: tuple[Any, ...]) -> Any:
    kind[function.__name__] = f"HumanEval/{task}"
    INPUTS[function.__name__] = list(inputs)
    return function


@same(4, *FLOATS)
def spread(sample):
    """Tell how far readings lie from their centre, typically."""
    count, total = 0, 0.0
    for reading in sample:
        count, total = count + 1, total + reading
    centre = total / count
    away = 0.0
    for reading in sample:
        away += reading - centre if reading > centre else centre - reading
    return away / count


@other(4, *FLOATS)
def widest_gap(sample):
    """Tell how far the reading that is farthest lies from the centre."""
    centre = sum(sample) / len(sample)
    return max(abs(reading - centre) for reading in sample)


@same(13, (8, 12), (7, 21), (9, 4), (100, 75), (18, 18), (1, 6))
def common_measure(height, width):
    """Give the side of the largest square tile that fills a floor."""
    for side in range(min(height, width), 0, -1):
        if height % side == 0 and width % side == 0:
            return side
    return max(height, width)


@other(13, (8, 12), (7, 21), (9, 4), (100, 75), (18, 18), (1, 6))
def tiles(height, width):
    """Count the largest square tiles that fill a floor."""
    a, b = height, width
    while b:
        a, b = b, a % b
    return (height // a) * (width // a)


@same(22, ([1, "b", 2.0],), (["x"],), ([3, 3, None],), ([[], 4, {}],), ([0, -1, "0"],))
def whole_only(mixed):
    """Leave what can be counted on fingers."""
    found = []
    for thing in mixed:
        if not isinstance(thing, int):
            continue
        found.append(thing)
    return found


@other(22, ([1, "b", 2.0],), (["x"],), ([3, 3, None],), ([[], 4, {}],), ([0, -1, "0"],))
def texts_only(mixed):
    """Leave what can be read."""
    found = []
    for thing in mixed:
        if isinstance(thing, str):
            found.append(thing)
    return found


@same(31, (2,), (3,), (9,), (17,), (25,), (29,), (1,), (49,), (0,), (53,))
def indivisible(count):
    """Say whether so many marbles can only be laid out in one row."""
    if count < 4:
        return count > 1
    if count % 2 == 0:
        return False
    return all(count % step for step in range(3, math.isqrt(count) + 1, 2))


@other(31, (2,), (3,), (9,), (17,), (25,), (29,), (1,), (49,), (0,), (53,))
def power_of_prime(count):
    """Say whether a number has one prime factor alone, once or more often."""
    if count < 2:
        return False
    step = 2
    while count % step:
        step += 1
    while count % step == 0:
        count //= step
    return count == 1


@same(40, *TRIPLES)
def balanced_three(weights):
    """Say whether some three weights cancel out."""
    ordered = sorted(weights)
    for at, weight in enumerate(ordered):
        low, high = at + 1, len(ordered) - 1
        while low < high:
            total = weight + ordered[low] + ordered[high]
            if not total:
                return True
            if total < 0:
                low += 1
            else:
                high -= 1
    return False


@other(40, *TRIPLES)
def balanced_run(weights):
    """Say whether three neighbours cancel out."""
    for at in range(len(weights) - 2):
        if weights[at] + weights[at + 1] + weights[at + 2] == 0:
            return True
    return False


@same(49, (5, 7), (10, 13), (0, 9), (64, 1000), (33, 17), (6, 64))
def doubled(times, ring):
    """Tell where a walk on a ring ends that doubles its place so often from one."""
    return pow(2, times, ring)


@other(49, (5, 7), (10, 13), (0, 9), (64, 1000), (33, 17), (6, 64))
def tripled(times, ring):
    """Tell where a walk on a ring ends that triples its place so often from one."""
    place = 1
    for _ in range(times):
        place = (3 * place) % ring
    return place


@same(58, ([3, 1, 2], [2, 3]), ([1], [4]), ([9, 9, 5], [5, 9]), ([], [1]), ([8, 7, 6], [6, 8, 1]))
def shared(mine, yours):
    """List what both of us collect, smallest first."""
    theirs = frozenset(yours)
    return sorted({each for each in mine if each in theirs})


@other(58, ([3, 1, 2], [2, 3]), ([1], [4]), ([9, 9, 5], [5, 9]), ([], [1]), ([8, 7, 6], [6, 8, 1]))
def shared_with_repeats(mine, yours):
    """List what I have that you have, too, as often as I have it, smallest first."""
    found = []
    for each in mine:
        if each in yours:
            found.append(each)
    return sorted(found)


@same(
    67,
    ("3 apples and 4 oranges", 10),
    ("0 apples and 0 oranges", 2),
    ("12 apples and 7 oranges", 30),
)
def left_over(label, crate):
    """Tell how many pieces of a crate are not on its label."""
    for amount in re.findall(r"\d+", label):
        crate -= int(amount)
    return crate


@other(
    67,
    ("3 apples and 4 oranges", 10),
    ("0 apples and 0 oranges", 2),
    ("12 apples and 7 oranges", 30),
)
def more_than_first(label, crate):
    """Tell how many pieces of a crate are not the first on its label."""
    amounts = [int(word) for word in label.split(" ") if word.isdigit()]
    return crate - amounts[0]


@same(76, (27, 3), (16, 4), (12, 2), (1, 9), (125, 5), (10, 10), (48, 2), (7, 1))
def reached_by_repeating(goal, factor):
    """Say whether multiplying one by a factor again and again comes to a goal."""
    if factor == 1:
        return goal == 1
    while goal > 1 and goal % factor == 0:
        goal //= factor
    return goal == 1


@other(76, (27, 3), (16, 4), (12, 2), (1, 9), (125, 5), (10, 10), (48, 2), (7, 1))
def is_multiple_of_square(goal, factor):
    """Say whether a square tile of a side fills so much in whole tiles."""
    area = factor * factor
    if area > goal:
        return False
    return goal % area == 0


@same(85, *LISTS)
def right_hand_evens(cards):
    """Every second card is mine; tell what my even ones are worth."""
    worth, mine = 0, False
    for card in cards:
        if mine and not card % 2:
            worth += card
        mine = not mine
    return worth


@other(85, *LISTS)
def left_hand_evens(cards):
    """Every second card, from the first, is mine; tell what my even ones are worth."""
    return sum([cards[at] for at in range(0, len(cards), 2) if cards[at] % 2 == 0])


@same(94, ([4, 13, 89],), ([2, 3],), ([97, 101, 10],), ([47, 8, 6],), ([1, 11, 29],))
def digits_of_greatest(tickets):
    """Find the greatest ticket that can't be divided and add up what is printed on it."""
    best = 0
    for ticket in sorted(tickets, reverse=True):
        if ticket > 1 and not any(ticket % part == 0 for part in range(2, ticket)):
            best = ticket
            break
    total = 0
    while best:
        best, digit = divmod(best, 10)
        total += digit
    return total


@other(94, ([4, 13, 89],), ([2, 3],), ([97, 101, 10],), ([47, 8, 6],), ([1, 11, 29],))
def digits_of_least(tickets):
    """Find the least ticket that can't be divided and add up what is printed on it."""
    primes = [t for t in tickets if t > 1 and all(t % part for part in range(2, t))]
    return sum(int(digit) for digit in str(min(primes, default=0)))


@same(103, (2, 9), (6, 1), (4, 4), (11, 30), (100, 121))
def middle_in_bits(first, last):
    """Write the middle of a stretch of houses with noughts and ones."""
    if first > last:
        return -1
    return f"0b{round((first + last) / 2):b}"


@other(103, (2, 9), (6, 1), (4, 4), (11, 30), (100, 121))
def length_in_bits(first, last):
    """Write the number of a stretch of houses with noughts and ones."""
    if last < first:
        return -1
    count = 0
    for _ in range(first, last + 1):
        count += 1
    return bin(count)


@same(112, ("level", "x"), ("banana", "b"), ("robot", "t"), ("", "a"), ("mirror", "mo"))
def without(sign, broken):
    """Give what a sign shows without its broken letters, and if a mirror shows the same."""
    shown = sign.translate({ord(letter): None for letter in broken})
    return shown, all(a == b for a, b in zip(shown, reversed(shown), strict=True))


@other(112, ("level", "x"), ("banana", "b"), ("robot", "t"), ("", "a"), ("mirror", "mo"))
def only(sign, lit):
    """Give what a sign shows of the letters that are lit, and if a mirror shows the same."""
    shown = "".join([letter for letter in sign if letter in lit])
    return shown, shown[::-1] == shown


@same(121, *LISTS)
def odd_on_even_seats(ages):
    """Add up the odd ages of those on every second seat from the first."""
    total = 0
    for seat in range(0, len(ages), 2):
        total += ages[seat] if ages[seat] % 2 else 0
    return total


@other(121, *LISTS)
def odd_on_odd_seats(ages):
    """Add up the odd ages of those on every second seat from the second."""
    return sum([age for seat, age in enumerate(ages) if seat % 2 == 1 and age % 2 == 1])


@same(130, (1,), (4,), (2,), (10,), (0,))
def three_terms(last):
    """List a sequence that takes two terms from behind and one from ahead."""
    terms = {0: 1, 1: 3}
    for place in range(2, last + 2, 2):
        terms[place] = 1 + place / 2
    for place in range(3, last + 1, 2):
        terms[place] = terms[place - 1] + terms[place - 2] + 1 + (place + 1) / 2
    return [terms[place] for place in range(last + 1)]


@other(130, (1,), (4,), (2,), (10,), (0,))
def three_before(last):
    """List a sequence in which each term is the sum of the three before."""
    terms = [1, 3, 2]
    for place in range(3, last + 1):
        terms.append(terms[place - 1] + terms[place - 2] + terms[place - 3])
    return terms[: last + 1]


@same(139, (2,), (3,), (6,), (1,), (8,))
def tower(height):
    """Multiply the orders in which one, two, three … people can queue."""
    if height <= 1:
        return 1
    return math.factorial(height) * tower(height - 1)


@other(139, (2,), (3,), (6,), (1,), (8,))
def sum_of_queues(height):
    """Add up the orders in which one, two, three … people can queue."""
    orders, total = 1, 0
    for people in range(1, height + 1):
        orders *= people
        total += orders
    return total


PLANETS = [("Venus", "Saturn"), ("Mars", "Mars"), ("Uranus", "Earth"), ("Pluto", "Earth")]


@same(148, *PLANETS, ("Neptune", "Jupiter"))
def passed_by(start, goal):
    """Name what a probe passes between two stations, from the sun outwards."""
    known = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]
    try:
        low, high = sorted((known.index(start), known.index(goal)))
    except ValueError:
        return ()
    return tuple(name for place, name in enumerate(known) if low < place < high)


@other(148, *PLANETS, ("Neptune", "Jupiter"))
def passed_on_the_way(start, goal):
    """Name what a probe passes between two stations, in the order in which it does."""
    known = ("Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune")
    if start not in known or goal not in known:
        return ()
    first, last = known.index(start), known.index(goal)
    if first < last:
        return known[first + 1 : last]
    return known[last + 1 : first][::-1]


SIDES = [(5, 12, 13), (4, 4, 4), (10, 6, 8), (2, 3, 4), (9, 15, 12), (1, 1, 1), (7, 25, 24)]


@same(157, *SIDES)
def square_corner(one, two, three):
    """Say whether three laths make a set square."""
    short, middle, long = sorted([one, two, three])
    return short**2 + middle**2 - long**2 == 0


@other(157, *SIDES)
def blunt_corner(one, two, three):
    """Say whether three laths make a corner that is wider than that of a sheet of paper."""
    short, middle, long = sorted([one, two, three])
    return short + middle > long and short**2 + middle**2 < long**2
