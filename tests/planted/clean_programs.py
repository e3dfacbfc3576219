"""Clean programs that read and print, and problems in the manner of HumanEval."""

from tests.planted.build import CLEAN, LINES, Planted, function, program


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


def printing(name, statement, text, cases, **more) -> Planted:
    return program(CLEAN, name, statement, text, cases, **more)


PROBLEMS = [
    printing(
        "ferry_trips",
        """
A ferry carries at most k cars at once. The first line has n and k (1 <= n, k <= 1000), where n is
the number of waiting cars. Print how many trips are needed.

Input:
7 3
Output:
3
""",
        "n, k = map(int, input().split())\nprint(-(-n // k))\n",
        [("7 3\n", "3\n"), ("1 1\n", "1\n"), ("1000 7\n", "143\n"), ("6 3\n", "2\n")],
    ),
    printing(
        "lanterns",
        """
The first line has the number of lanterns n (1 <= n <= 100). The second has n integers, each the
brightness of a lantern. Print the difference between the brightest and the dimmest.
""",
        "input()\nlights = list(map(int, input().split()))\nprint(max(lights) - min(lights))\n",
        [("3\n4 9 1\n", "8\n"), ("1\n5\n", "0\n"), ("2\n-3 3\n", "6\n"), ("4\n7 7 8 7\n", "1\n")],
    ),
    printing(
        "echo_upper",
        """
Read lines until the end of the input and print each with its number, counted from 1, a colon and a
blank before it. An empty line is printed like any other.
""",
        """
import sys

for number, line in enumerate(sys.stdin.read().splitlines(), 1):
    print(f"{number}: {line}")
""",
        [
            ("one\ntwo\n", "1: one\n2: two\n"),
            ("\nx\n", "1: \n2: x\n"),
            ("a b  c\n", "1: a b  c\n"),
            ("q\nr\ns\n", "1: q\n2: r\n3: s\n"),
        ],
        comparator=LINES,
    ),
    printing(
        "queue_gaps",
        """
On the first line is n (2 <= n <= 1000), on the second the arrival times of n visitors in ascending
order. Print the longest time between two visitors who arrived one after the other.
""",
        """
def main():
    input()
    times = [int(word) for word in input().split()]
    print(max(b - a for a, b in zip(times, times[1:])))


if __name__ == "__main__":
    main()
""",
        [
            ("3\n1 4 6\n", "3\n"),
            ("2\n5 5\n", "0\n"),
            ("5\n0 10 20 31 40\n", "11\n"),
            ("2\n-8 1\n", "9\n"),
        ],
    ),
    printing(
        "stairs_drawn",
        """
Read a number n (1 <= n <= 20) and draw stairs of number signs: n lines, of which the first has one
sign, the second two, and so on, each set to the right of n columns.
""",
        """
n = int(input())
for k in range(1, n + 1):
    print(" " * (n - k) + "#" * k)
""",
        [
            ("1\n", "#\n"),
            ("3\n", "  #\n ##\n###\n"),
            ("2\n", " #\n##\n"),
            ("4\n", "   #\n  ##\n ###\n####\n"),
        ],
        comparator=LINES,
    ),
    printing(
        "votes_counted",
        """
Each line of the input has a name. Print the names with how often they come, a blank between, sorted
by the number downwards and then by the name.
""",
        """
import sys
from collections import Counter

counted = Counter(sys.stdin.read().split())
for name, count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
    print(name, count)
""",
        [
            ("ann\nbob\nann\n", "ann 2\nbob 1\n"),
            ("z\ny\n", "y 1\nz 1\n"),
            ("q\n", "q 1\n"),
            ("b\na\nb\na\nc\n", "a 2\nb 2\nc 1\n"),
        ],
        comparator=LINES,
    ),
    printing(
        "river_crossing",
        """
Stones lie in a river at given distances from the bank. The first line has the number of stones n
(1 <= n <= 200) and the longest leap d (1 <= d <= 10000); the second has the distances in ascending
order. Print "dry" if each stone can be reached from the one before, the first from the bank at 0,
and else "wet".
""",
        """
n, d = map(int, input().split())
places = [0, *map(int, input().split())]
print("dry" if all(b - a <= d for a, b in zip(places, places[1:])) else "wet")
""",
        [
            ("3 5\n4 8 13\n", "dry\n"),
            ("3 4\n4 8 13\n", "wet\n"),
            ("1 2\n3\n", "wet\n"),
            ("1 3\n3\n", "dry\n"),
            ("2 10\n1 11\n", "dry\n"),
        ],
    ),
    printing(
        "binary_sum",
        """
Read two binary numbers, one a line, and print their sum in binary without leading zeros.
""",
        "print(bin(int(input(), 2) + int(input(), 2))[2:])\n",
        [("1\n1\n", "10\n"), ("0\n0\n", "0\n"), ("1011\n110\n", "10001\n"), ("0001\n10\n", "11\n")],
    ),
    printing(
        "map_walk",
        """
The input is a line of the letters N, E, S and W: steps to the north, east, south and west from the
place (0, 0). Print the coordinates at the end, x before y; east and north are positive.
""",
        """
steps = input().strip()
print(steps.count("E") - steps.count("W"), steps.count("N") - steps.count("S"))
""",
        [("NNE\n", "1 2\n"), ("NS\n", "0 0\n"), ("WWSS\n", "-2 -2\n"), ("E\n", "1 0\n")],
    ),
    printing(
        "cheapest_pair",
        """
There are n prices (2 <= n <= 500): n on the first line, the prices on the second. You buy two
things. Print the least that you can pay.
""",
        """
input()
prices = sorted(int(price) for price in input().split())
print(prices[0] + prices[1])
""",
        [
            ("3\n5 2 9\n", "7\n"),
            ("2\n1 1\n", "2\n"),
            ("4\n10 40 30 20\n", "30\n"),
            ("5\n3 3 8 1 6\n", "4\n"),
        ],
    ),
    clean(
        '''
from typing import List, Optional


def first_repeated(items: List[int]) -> Optional[int]:
    """ Given a list of integers, return the first one that has already appeared before it.
    If all of them are different, return None.
    >>> first_repeated([1, 2, 1, 2])
    1
    >>> first_repeated([3, 4])

    """
    seen = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None
''',
        [
            (([1, 2, 1, 2],), 1),
            (([3, 4],), None),
            (([],), None),
            (([5, 6, 6, 5],), 6),
            (([0, 0],), 0),
        ],
    ),
    clean(
        '''
def odd_one_out(words):
    """
    You're given a list of at least three words. All but one of them have the same length.
    Write a function that finds the word whose length differs from the others.

    Examples:
    odd_one_out(["cat", "dog", "horse"]) ➞ "horse"
    odd_one_out(["a", "bb", "cc"]) ➞ "a"
    """
    lengths = [len(word) for word in words]
    for word in words:
        if lengths.count(len(word)) == 1:
            return word
''',
        [
            ((["cat", "dog", "horse"],), "horse"),
            ((["a", "bb", "cc"],), "a"),
            ((["xyz", "q", "uvw", "rst"],), "q"),
            ((["five", "four", "", "nine"],), ""),
        ],
    ),
    clean(
        '''
def cake_slices(guests, slices_per_cake):
    """
    Every guest eats two slices of cake. Given the number of guests and the number of slices
    that a cake is cut into, return a list of two numbers:
    [ how many whole cakes must be baked, how many slices are left over ]

    Example:
    * cake_slices(3, 4) -> [2, 2]
    * cake_slices(0, 8) -> [0, 0]

    Constraints:
    * 0 <= guests <= 1000
    * 1 <= slices_per_cake <= 100
    """
    needed = 2 * guests
    cakes = -(-needed // slices_per_cake)
    return [cakes, cakes * slices_per_cake - needed]
''',
        [
            ((3, 4), [2, 2]),
            ((0, 8), [0, 0]),
            ((1000, 100), [20, 0]),
            ((5, 12), [1, 2]),
            ((1, 1), [2, 0]),
        ],
    ),
    clean(
        '''
def swap_ends(text: str) -> str:
    """ Exchange the first and the last character of a text with at least two characters.
    >>> swap_ends('abcd')
    'dbca'
    >>> swap_ends('xy')
    'yx'
    """
    return text[-1] + text[1:-1] + text[0]
''',
        [
            (("abcd",), "dbca"),
            (("xy",), "yx"),
            (("aba",), "aba"),
            (("12345",), "52341"),
            (("a b",), "b a"),
        ],
    ),
    clean(
        '''
def domino_fits(first, second):
    """
    A domino is a tuple of two numbers of dots. Two dominoes may lie side by side when one end of
    the first has as many dots as one end of the second. Return True if they may, else False.

    domino_fits((1, 2), (2, 5)) = True
    domino_fits((1, 2), (3, 5)) = False
    """
    return bool(set(first) & set(second))
''',
        [
            (((1, 2), (2, 5)), True),
            (((1, 2), (3, 5)), False),
            (((0, 0), (0, 6)), True),
            (((4, 1), (5, 4)), True),
            (((6, 3), (2, 1)), False),
        ],
    ),
    clean(
        '''
def tide_changes(levels):
    """Count how many times the water turns from rising to falling or from falling to rising.

    Levels that stay the same neither rise nor fall.

    For example, tide_changes([1, 3, 2, 4]) returns 2, and tide_changes([1, 1, 1]) returns 0.
    """
    turns, last = 0, 0
    for before, after in zip(levels, levels[1:]):
        now = (after > before) - (after < before)
        if now and last and now != last:
            turns += 1
        last = now or last
    return turns
''',
        [
            (([1, 3, 2, 4],), 2),
            (([1, 1, 1],), 0),
            (([],), 0),
            (([1, 2, 2, 1],), 1),
            (([5, 4, 3],), 0),
            (([0, 1, 0, 1, 0],), 3),
        ],
    ),
]
