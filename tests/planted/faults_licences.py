"""Problems that nobody may use freely, or of which it isn't known whether one may."""

from tests.planted.build import Planted, function


def licensed(licence, text, cases) -> Planted:
    return function("bad licence", text, cases, licence=licence)


PROBLEMS = [
    licensed(
        "unknown",
        '''
def bricks_needed(width: int, height: int) -> int:
    """Return how many bricks of 2 by 1 fields cover a wall; half a brick may be wasted."""
    return -(-width * height // 2)
''',
        [((2, 2), 2), ((3, 3), 5), ((1, 1), 1), ((0, 7), 0)],
    ),
    licensed(
        "GPL-3.0-only",
        '''
def traffic_light(second: int) -> str:
    """Name the light of a crossing: from second 0 it is 30 seconds green, 5 yellow, 25 red, …"""
    phase = second % 60
    return "green" if phase < 30 else "yellow" if phase < 35 else "red"
''',
        [((0,), "green"), ((30,), "yellow"), ((35,), "red"), ((59,), "red"), ((60,), "green")],
    ),
    licensed(
        "AGPL-3.0-or-later",
        '''
def hops(start: int, forward: int, back: int, goal: int) -> int:
    """A frog hops forward by day and slips back by night. On which day does it reach its goal?

    Days count from 1; forward is greater than back, and the goal lies ahead of the start.
    """
    day = 1
    while start + forward < goal:
        start += forward - back
        day += 1
    return day
''',
        [((0, 3, 1, 3), 1), ((0, 3, 1, 4), 2), ((0, 5, 4, 10), 6), ((2, 4, 1, 20), 6)],
    ),
    licensed(
        "MIT AND GPL-2.0-only",
        '''
def score_darts(throws: list[tuple[int, int]]) -> int:
    """Add up darts: each throw is a field from 1 to 20 and how often it counts, 1 to 3 times."""
    return sum(field * times for field, times in throws)
''',
        [(([(20, 3), (5, 1)],), 65), (([],), 0), (([(1, 2)],), 2), (([(7, 1), (7, 1)],), 14)],
    ),
    licensed(
        "MIT OR OR Apache-2.0",
        '''
def checker_row(size: int, first: str, second: str) -> str:
    """Return a row of a board of so many fields on which two signs alternate."""
    return "".join(first if place % 2 == 0 else second for place in range(size))
''',
        [
            ((3, "x", "o"), "xox"),
            ((0, "a", "b"), ""),
            ((4, ".", "#"), ".#.#"),
            ((1, "w", "b"), "w"),
        ],
    ),
    licensed(
        "All rights reserved",
        '''
def tank_after(level: int, inflow: int, outflow: int, hours: int, size: int) -> int:
    """Return how full a tank is after some hours; it holds at most its size and at least 0."""
    for _ in range(hours):
        level = min(size, max(0, level + inflow - outflow))
    return level
''',
        [
            ((5, 2, 1, 3, 100), 8),
            ((0, 0, 9, 4, 10), 0),
            ((9, 5, 0, 1, 10), 10),
            ((7, 3, 3, 50, 8), 7),
        ],
    ),
    licensed(
        "CC-BY-NC-4.0",
        '''
def rope_knots(length: int, between: int) -> list[int]:
    """Return where knots are made in a rope: every so many metres, but not at its ends."""
    return list(range(between, length, between))
''',
        [((10, 3), [3, 6, 9]), ((4, 4), []), ((9, 3), [3, 6]), ((0, 1), [])],
    ),
    licensed(
        "",
        '''
def next_train(minute: int, every: int, first: int) -> int:
    """Return how many minutes there are to the next train; the first leaves at `first`."""
    if minute <= first:
        return first - minute
    return -(minute - first) % every
''',
        [((0, 10, 5), 5), ((7, 10, 5), 8), ((15, 10, 5), 0), ((5, 10, 5), 0)],
    ),
    licensed(
        "LGPL-2.1-only",
        '''
def mix_colours(first: tuple[int, int, int], second: tuple[int, int, int]) -> tuple[int, int, int]:
    """Mix two colours half and half, rounding each part down."""
    return tuple((a + b) // 2 for a, b in zip(first, second))
''',
        [
            (((0, 0, 0), (255, 255, 255)), (127, 127, 127)),
            (((1, 2, 3), (1, 2, 3)), (1, 2, 3)),
            (((10, 0, 7), (0, 10, 8)), (5, 5, 7)),
        ],
    ),
    licensed(
        "LicenseRef-Proprietary",
        '''
def toll(axles: int, night: bool) -> int:
    """Return the toll of a lorry in euros: 3 an axle, a third less at night."""
    return axles * (2 if night else 3)
''',
        [((2, False), 6), ((4, True), 8), ((0, True), 0), ((5, False), 15)],
    ),
    licensed(
        "Custom company licence v2",
        '''
def stacked(boxes: list[tuple[int, int]]) -> bool:
    """Tell whether boxes (width, depth), listed from below, each fit on the one under them."""
    return all(a >= c and b >= d for (a, b), (c, d) in zip(boxes, boxes[1:]))
''',
        [
            (([(3, 3), (2, 3)],), True),
            (([(2, 2), (3, 1)],), False),
            (([],), True),
            (([(5, 1), (4, 2)],), False),
        ],
    ),
    licensed(
        "MIT",
        '''
# Copyright (c) 2019 Somebody Ltd. All rights reserved.
# Unauthorised copying of this file, via any medium, is strictly prohibited.
# Proprietary and confidential.


def battery_left(percent: int, hours: int, per_hour: int) -> int:
    """Return the charge of a battery after some hours of use; it never goes below 0."""
    return max(0, percent - hours * per_hour)
''',
        [((100, 3, 10), 70), ((20, 5, 10), 0), ((50, 0, 99), 50), ((7, 1, 3), 4)],
    ),
    licensed(
        "MIT",
        '''
# This program is free software: you can redistribute it and/or modify it under the terms of the
# GNU General Public License as published by the Free Software Foundation, either version 3 of the
# License, or (at your option) any later version.


def lap_times(marks: list[int]) -> list[int]:
    """Return the time of each lap from the times on a stop watch, which starts at 0."""
    return [now - before for before, now in zip([0, *marks], marks)]
''',
        [(([60, 125, 180],), [60, 65, 55]), (([],), []), (([9],), [9]), (([5, 5],), [5, 0])],
    ),
]
