"""Answers that aren't the only right ones: any order, several right answers, rounding."""

from tests.planted.build import Planted, function, program


def any_order(text, cases, **more) -> Planted:
    return function("any order", text, cases, **more)


def ambiguous(text, cases, **more) -> Planted:
    return function("ambiguous answer", text, cases, **more)


PROBLEMS = [
    any_order(
        '''
def common_hobbies(first: list[str], second: list[str]) -> list[str]:
    """Return the hobbies that two people share, each once, in any order."""
    shared = []
    for hobby in second:
        if hobby in first and hobby not in shared:
            shared.append(hobby)
    return shared
''',
        [
            ((["chess", "judo"], ["judo", "yoga", "chess"]), ["judo", "chess"]),
            (([], ["golf"]), []),
            ((["a", "b", "c"], ["c", "c", "a"]), ["c", "a"]),
            ((["x"], ["x"]), ["x"]),
        ],
    ),
    any_order(
        '''
def factor_pairs(number: int) -> list[tuple[int, int]]:
    """List all pairs (a, b) with a <= b and a * b equal to a positive number.

    The order of the pairs doesn't matter.
    """
    return [(a, number // a) for a in range(1, number + 1) if number % a == 0 and a * a <= number]
''',
        [
            ((12,), [(1, 12), (2, 6), (3, 4)]),
            ((1,), [(1, 1)]),
            ((7,), [(1, 7)]),
            ((16,), [(1, 16), (2, 8), (4, 4)]),
        ],
    ),
    any_order(
        '''
def letter_combinations(digits: str) -> list[str]:
    """Return all words that the keys 2, 3 and 4 of a telephone can mean. Any order is accepted.

    Key 2 stands for a, b, c; key 3 for d, e, f; key 4 for g, h, i. No keys mean one empty word.
    """
    words = [""]
    for digit in digits:
        letters = {"2": "abc", "3": "def", "4": "ghi"}[digit]
        words = [word + letter for word in words for letter in letters]
    return words
''',
        [
            (("2",), ["a", "b", "c"]),
            (("34",), ["dg", "dh", "di", "eg", "eh", "ei", "fg", "fh", "fi"]),
            (("",), [""]),
            (("4",), ["g", "h", "i"]),
        ],
    ),
    any_order(
        '''
def missing_tickets(sold: list[int], printed: int) -> list[int]:
    """Tickets are numbered from 1 to `printed`. Return those that aren't sold.

    You may return them in any order.
    """
    return [ticket for ticket in range(printed, 0, -1) if ticket not in sold]
''',
        [(([1, 3], 4), [4, 2]), (([], 2), [2, 1]), (([1], 1), []), (([5, 4], 5), [3, 2, 1])],
    ),
    any_order(
        '''
def islands_sizes(grid: list[str]) -> list[int]:
    """Return the sizes of all islands of a map, in no particular order.

    The map is a list of equally long texts in which # is land; land joins side by side.
    """
    left = {(r, c) for r, row in enumerate(grid) for c, field in enumerate(row) if field == "#"}
    sizes = []
    while left:
        waiting, size = [min(left)], 0
        while waiting:
            r, c = waiting.pop()
            if (r, c) in left:
                left.discard((r, c))
                size += 1
                waiting += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
        sizes.append(size)
    return sizes
''',
        [
            ((["#.#", "#.."],), [2, 1]),
            (([],), []),
            ((["..", ".."],), []),
            ((["#.##", "....", "###."],), [1, 2, 3]),
        ],
    ),
    any_order(
        '''
def possible_scores(points: list[int]) -> list[int]:
    """Return all different sums of some of a few positive numbers, or none, in arbitrary order."""
    sums = [0]
    for point in points:
        sums += [total + point for total in sums if total + point not in sums]
    return sums
''',
        [
            (([1, 2],), [0, 1, 2, 3]),
            (([],), [0]),
            (([5, 3],), [0, 5, 3, 8]),
            (([2, 2],), [0, 2, 4]),
        ],
    ),
    any_order(
        '''
def extreme_cities(temperatures: dict[str, int]) -> list[str]:
    """Return the names of all cities with the highest temperature.

    You can return the answer in any order.
    """
    top = max(temperatures.values(), default=0)
    return [city for city, value in temperatures.items() if value == top]
''',
        [
            (({"oslo": 1, "rome": 20, "nice": 20},), ["rome", "nice"]),
            (({},), []),
            (({"bern": -5},), ["bern"]),
            (({"q": 3, "p": 3, "o": 2},), ["q", "p"]),
        ],
    ),
    any_order(
        '''
def edges_of(neighbours: dict[str, list[str]]) -> list[tuple[str, str]]:
    """List the undirected edges of a graph, each once with its ends in alphabetical order.

    The edges themselves can be listed in whatever order.
    """
    edges = []
    for node, others in neighbours.items():
        for other in others:
            edge = (min(node, other), max(node, other))
            if edge not in edges:
                edges.append(edge)
    return edges
''',
        [
            (({"b": ["a", "c"], "a": ["b"]},), [("a", "b"), ("b", "c")]),
            (({},), []),
            (({"z": ["y", "x"]},), [("y", "z"), ("x", "z")]),
            (({"p": []},), []),
        ],
    ),
    ambiguous(
        '''
def topological(needs: dict[str, list[str]]) -> list[str]:
    """Return an order of tasks in which each comes after those it needs. Any valid order will do.

    There is always one.
    """
    order = []

    def visit(task):
        if task not in order:
            for before in needs.get(task, []):
                visit(before)
            order.append(task)

    for task in needs:
        visit(task)
    return order
''',
        [
            (({"b": ["a"], "c": ["a"]},), ["a", "b", "c"]),
            (({},), []),
            (({"x": [], "y": []},), ["x", "y"]),
            (({"m": ["o", "n"]},), ["o", "n", "m"]),
        ],
    ),
    ambiguous(
        '''
def two_that_sum(numbers: list[int], target: int) -> list[int]:
    """Return the places of two different items that add up to the target.

    If there are several such pairs, return any of them; if there is none, an empty list.
    """
    for i, a in enumerate(numbers):
        for j in range(i + 1, len(numbers)):
            if a + numbers[j] == target:
                return [i, j]
    return []
''',
        [
            (([1, 4, 2, 3], 5), [0, 1]),
            (([], 1), []),
            (([3, 3], 6), [0, 1]),
            (([7, 1, 2, 9, 8], 10), [1, 3]),
        ],
    ),
    ambiguous(
        '''
def rearranged(text: str) -> str:
    """Rearrange a text so that no two neighbours are equal. Any such rearrangement is right.

    Return an empty text where there is none.
    """
    ordered = sorted(sorted(set(text)), key=text.count, reverse=True)
    out = [""] * len(text)
    places = [*range(0, len(text), 2), *range(1, len(text), 2)]
    spread = "".join(char * text.count(char) for char in ordered)
    for place, char in zip(places, spread):
        out[place] = char
    made = "".join(out)
    return made if all(a != b for a, b in zip(made, made[1:])) else ""
''',
        [(("aab",), "aba"), (("aaa",), ""), (("abc",), "acb"), (("",), ""), (("vvlo",), "vlvo")],
    ),
    ambiguous(
        '''
def some_divisor(number: int) -> int:
    """Return one of the divisors of a number above 1 that is neither 1 nor the number itself.

    Return 0 for a prime.
    """
    for divisor in range(2, number):
        if number % divisor == 0:
            return divisor
    return 0
''',
        [((12,), 2), ((7,), 0), ((35,), 5), ((9,), 3)],
    ),
    ambiguous(
        '''
def a_longest_word(text: str) -> str:
    """Return the longest word of a text; if there is more than one longest word, any is fine."""
    return max(text.split(), key=len, default="")
''',
        [
            (("a fine day",), "fine"),
            (("",), ""),
            (("one two six",), "one"),
            (("be kind now here",), "kind"),
        ],
    ),
    program(
        "ambiguous answer",
        "split_in_two",
        """
Read an even number n (2 <= n <= 1000) and print two positive integers, a blank between, whose sum
is n. If there are multiple answers, print any of them.
""",
        "n = int(input())\nprint(1, n - 1)\n",
        [("2\n", "1 1\n"), ("10\n", "1 9\n"), ("1000\n", "1 999\n")],
    ),
    program(
        "ambiguous answer",
        "any_palindrome",
        """
Read a number k (1 <= k <= 50). Print any palindrome of k lower-case letters that uses at least two
different letters when k is at least 3, and any letter repeated otherwise.
""",
        """
k = int(input())
print("a" * k if k < 3 else "b" + "a" * (k - 2) + "b")
""",
        [("1\n", "a\n"), ("3\n", "bab\n"), ("5\n", "baaab\n"), ("2\n", "aa\n")],
    ),
    ambiguous(
        '''
def pick_team(skills: dict[str, int], needed: int) -> list[str]:
    """Choose players whose skills add up to at least `needed` and return their names.

    It doesn't matter which players are chosen, as long as the sum is enough; an empty list when
    even all of them together aren't enough.
    """
    chosen, total = [], 0
    for name, skill in skills.items():
        if total >= needed:
            break
        chosen.append(name)
        total += skill
    return chosen if total >= needed else []
''',
        [
            (({"ann": 3, "bob": 4, "cid": 5}, 6), ["ann", "bob"]),
            (({"dee": 1}, 5), []),
            (({"eve": 9, "fay": 9}, 9), ["eve"]),
            (({}, 0), []),
        ],
    ),
]
