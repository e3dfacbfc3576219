"""More clean problems about dictionaries and sets."""

from tests.planted.build import CLEAN, Call, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def stock_after(stock: dict[str, int], orders: list[tuple[str, int]]) -> dict[str, int]:
    """Take orders out of a stock, in turn, and return what is left.

    An order (name, amount) for more than there is, or for something unknown, is passed over.
    What runs out stays listed with 0. The given stock isn't changed.

    >>> stock_after({"nut": 5}, [("nut", 2), ("nut", 9)])
    {'nut': 3}
    """
    left = dict(stock)
    for name, amount in orders:
        if left.get(name, -1) >= amount:
            left[name] -= amount
    return left
''',
        [
            (({"nut": 5}, [("nut", 2), ("nut", 9)]), {"nut": 3}),
            (({"bolt": 1}, [("bolt", 1)]), {"bolt": 0}),
            (({}, [("gear", 1)]), {}),
            (({"a": 2, "b": 2}, [("b", 1), ("a", 2), ("b", 1)]), {"a": 0, "b": 0}),
        ],
    ),
    clean(
        '''
def best_by_group(entries: list[tuple[str, str, int]]) -> dict[str, str]:
    """Name the best entry of each group; an entry is (group, name, points).

    With equal points, the name that was listed first wins.
    """
    best = {}
    for group, name, points in entries:
        if group not in best or points > best[group][1]:
            best[group] = (name, points)
    return {group: name for group, (name, _) in best.items()}
''',
        [
            (([("x", "ann", 3), ("x", "bob", 5), ("y", "cid", 1)],), {"x": "bob", "y": "cid"}),
            (([],), {}),
            (([("g", "one", 2), ("g", "two", 2)],), {"g": "one"}),
            (([("g", "low", -5), ("g", "lower", -9)],), {"g": "low"}),
        ],
    ),
    clean(
        '''
def friends_of_friends(links: dict[str, set[str]], person: str) -> set[str]:
    """Return the friends of a person's friends who are neither the person nor friends already.

    Everybody has an entry.
    """
    near = links[person]
    far = set()
    for friend in near:
        far |= links[friend]
    return far - near - {person}
''',
        [
            (({"a": {"b"}, "b": {"a", "c"}, "c": {"b"}}, "a"), {"c"}),
            (({"a": set()}, "a"), set()),
            (({"a": {"b", "c"}, "b": {"a", "c"}, "c": {"a", "b"}}, "a"), set()),
            (
                ({"a": {"b", "c"}, "b": {"a", "d"}, "c": {"a", "e"}, "d": {"b"}, "e": {"c"}}, "a"),
                {"d", "e"},
            ),
            (({"m": {"n"}, "n": {"m", "o"}, "o": {"n"}}, "n"), set()),
        ],
    ),
    clean(
        '''
def tally_votes(ballots: list[list[str]]) -> dict[str, int]:
    """Count points of ranked ballots: the last choice gets 1, the one before it 2, and so on."""
    points = {}
    for ballot in ballots:
        for worth, name in enumerate(reversed(ballot), 1):
            points[name] = points.get(name, 0) + worth
    return points
''',
        [
            (([["a", "b"], ["b", "a"]],), {"a": 3, "b": 3}),
            (([],), {}),
            (([["x", "y", "z"]],), {"x": 3, "y": 2, "z": 1}),
            (([["p"], [], ["q", "p"]],), {"p": 2, "q": 2}),
        ],
    ),
    clean(
        '''
def parse_query(query: str) -> dict[str, list[str]]:
    """Read a query such as "a=1&b=2&a=3" into the values of each name, in order.

    A part without an equals sign is a name with the empty value; empty parts are passed over.
    Nothing is decoded.

    >>> parse_query("a=1&b=2&a=3")
    {'a': ['1', '3'], 'b': ['2']}
    """
    found = {}
    for part in query.split("&"):
        if part:
            name, _, value = part.partition("=")
            found.setdefault(name, []).append(value)
    return found
''',
        [
            (("a=1&b=2&a=3",), {"a": ["1", "3"], "b": ["2"]}),
            (("",), {}),
            (("flag",), {"flag": [""]}),
            (("x=&&y==",), {"x": [""], "y": ["="]}),
        ],
    ),
    clean(
        '''
def power_set(items: set[int]) -> set[frozenset[int]]:
    """Return the set of all subsets of a small set, as frozen sets."""
    subsets = {frozenset()}
    for item in items:
        subsets |= {subset | {item} for subset in subsets}
    return subsets
''',
        [
            (({1, 2},), {frozenset(), frozenset({1}), frozenset({2}), frozenset({1, 2})}),
            ((set(),), {frozenset()}),
            (({7},), {frozenset(), frozenset({7})}),
            (
                ({0, 3, 9},),
                {
                    frozenset(),
                    frozenset({0}),
                    frozenset({3}),
                    frozenset({9}),
                    frozenset({0, 3}),
                    frozenset({0, 9}),
                    frozenset({3, 9}),
                    frozenset({0, 3, 9}),
                },
            ),
        ],
    ),
    clean(
        '''
def update_scores(board: dict[str, int], name: str, points: int) -> int:
    """Record points on a score board, in place, if they beat what the name has; return its score.

    A name that isn't on the board yet is entered.
    """
    if points > board.get(name, points - 1):
        board[name] = points
    return board[name]
''',
        [
            Call(({"ann": 5}, "ann", 9), 9, after={"0": {"ann": 9}}),
            Call(({"ann": 5}, "ann", 2), 5, after={"0": {"ann": 5}}),
            Call(({}, "bob", 0), 0, after={"0": {"bob": 0}}),
            Call(({"cid": 1}, "dee", -3), -3, after={"0": {"cid": 1, "dee": -3}}),
        ],
    ),
    clean(
        '''
def closest_key(table: dict[int, str], wanted: int) -> str:
    """Return the value of the key that is nearest to `wanted`; of two equally near, the smaller.

    Raises:
        KeyError: the table is empty.
    """
    if not table:
        raise KeyError(wanted)
    return table[min(table, key=lambda key: (abs(key - wanted), key))]
''',
        [
            (({1: "one", 10: "ten"}, 4), "one"),
            (({1: "one", 10: "ten"}, 7), "ten"),
            (({2: "two", 6: "six"}, 4), "two"),
            (({6: "six", 2: "two"}, 4), "two"),
            (({}, 3), Raises("KeyError")),
            (({5: "five"}, 5), "five"),
        ],
    ),
    clean(
        '''
def symmetric_pairs(pairs: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """List the pairs (a, b) with a < b for which (b, a) is present too, in ascending order."""
    return sorted((a, b) for a, b in pairs if a < b and (b, a) in pairs)
''',
        [
            (({(1, 2), (2, 1), (3, 4)},), [(1, 2)]),
            ((set(),), []),
            (({(5, 5)},), []),
            (({(9, 1), (1, 9), (0, 4), (4, 0)},), [(0, 4), (1, 9)]),
        ],
    ),
    clean(
        '''
def timetable(trains: list[tuple[str, str]], after: str) -> dict[str, str]:
    """For each destination, find the first train at or after a time of day written as HH:MM.

    A train is (time, destination). Destinations without one are left out.

    >>> timetable([("09:10", "Rome"), ("08:00", "Rome")], "07:30")
    {'Rome': '08:00'}
    """
    first = {}
    for time, town in trains:
        if time >= after and (town not in first or time < first[town]):
            first[town] = time
    return first
''',
        [
            (([("09:10", "Rome"), ("08:00", "Rome")], "07:30"), {"Rome": "08:00"}),
            (([("09:10", "Rome")], "09:11"), {}),
            (
                ([("10:00", "Bonn"), ("10:00", "Linz"), ("11:00", "Bonn")], "10:00"),
                {"Bonn": "10:00", "Linz": "10:00"},
            ),
            (([], "00:00"), {}),
        ],
    ),
    clean(
        '''
def bingo(card: list[list[int]], drawn: set[int]) -> bool:
    """Tell whether a whole row or a whole column of a square card has been drawn."""
    lines = card + [list(column) for column in zip(*card)]
    return any(set(line) <= drawn for line in lines)
''',
        [
            (([[1, 2], [3, 4]], {1, 2}), True),
            (([[1, 2], [3, 4]], {1, 3}), True),
            (([[1, 2], [3, 4]], {1, 4}), False),
            (([[5]], set()), False),
            (([[1, 2, 3], [4, 5, 6], [7, 8, 9]], {2, 5, 8, 1}), True),
            (([[1, 2, 3], [4, 5, 6], [7, 8, 9]], {1, 5, 9}), False),
        ],
    ),
]
