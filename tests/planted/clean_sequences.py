"""More clean problems about lists."""

from tests.planted.build import CLEAN, CLOSE, UNORDERED, Call, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def anagram_groups(words: list[str]) -> list[list[str]]:
    """Group the words that are made of the same letters. The groups may come in any order.

    Within a group the words keep the order of the list.
    """
    groups = {}
    for word in words:
        groups.setdefault("".join(sorted(word)), []).append(word)
    return list(groups.values())
''',
        [
            ((["tea", "tan", "eat", "nat"],), [["tea", "eat"], ["tan", "nat"]]),
            (([],), []),
            ((["a"],), [["a"]]),
            ((["ab", "ba", "abc"],), [["ab", "ba"], ["abc"]]),
        ],
        comparator=UNORDERED,
    ),
    clean(
        '''
def rotate_in_place(items: list[int], by: int) -> None:
    """Move every item of a list `by` places to the right, in place, round the end to the front.

    The list itself is changed and nothing is returned. The list isn't empty.
    """
    by %= len(items)
    items[:] = items[-by:] + items[:-by]
''',
        [
            Call(([1, 2, 3, 4], 1), None, after={"0": [4, 1, 2, 3]}),
            Call(([1, 2, 3], 3), None, after={"0": [1, 2, 3]}),
            Call(([5, 6], -1), None, after={"0": [6, 5]}),
            Call(([1, 2, 3, 4, 5], 7), None, after={"0": [4, 5, 1, 2, 3]}),
        ],
    ),
    clean(
        '''
def bisect_first(items: list[int], value: int) -> int:
    """Return the first place where `value` could be put into a sorted list keeping it sorted."""
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
''',
        [
            (([1, 3, 5], 4), 2),
            (([1, 3, 3, 5], 3), 1),
            (([], 9), 0),
            (([1, 2], 0), 0),
            (([1, 2], 7), 2),
            (([2, 2, 2], 2), 0),
        ],
    ),
    clean(
        '''
def weighted_mean(values: list[float], weights: list[float]) -> float:
    """Return the mean of values, each counted with its weight.

    Both lists are equally long; the weights are positive.

    >>> weighted_mean([1.0, 3.0], [1.0, 1.0])
    2.0
    """
    total = sum(value * weight for value, weight in zip(values, weights))
    return total / sum(weights)
''',
        [
            (([1.0, 3.0], [1.0, 1.0]), 2.0),
            (([0.1, 0.2, 0.3], [3.0, 2.0, 1.0]), 0.16666666666666666),
            (([5.0], [0.25]), 5.0),
            (([10.0, -10.0, 2.5], [0.5, 0.1, 4.0]), 3.0434782608695654),
        ],
        comparator=CLOSE,
    ),
    clean(
        '''
def flatten_once(nested: list) -> list:
    """Open the lists directly inside a list; deeper ones and other items stay as they are.

    >>> flatten_once([1, [2, [3]], []])
    [1, 2, [3]]
    """
    out = []
    for item in nested:
        if isinstance(item, list):
            out.extend(item)
        else:
            out.append(item)
    return out
''',
        [
            (([1, [2, [3]], []],), [1, 2, [3]]),
            (([],), []),
            (([[[]]],), [[]]),
            ((["ab", ["c"]],), ["ab", "c"]),
            (([(1, 2), [3]],), [(1, 2), 3]),
        ],
    ),
    clean(
        '''
def longest_climb(values: list[int]) -> int:
    """Return the length of the longest stretch of neighbours that strictly increase.

    A single item is a stretch of length 1, no items make 0.
    """
    best = run = 0
    previous = None
    for value in values:
        run = run + 1 if previous is not None and value > previous else 1
        best = max(best, run)
        previous = value
    return best
''',
        [
            (([1, 2, 3, 1, 2],), 3),
            (([],), 0),
            (([5],), 1),
            (([3, 3, 3],), 1),
            (([9, 1, 4, 6, 8, 2],), 4),
            (([5, 4, 3],), 1),
        ],
    ),
    clean(
        '''
def majority(votes: list[str]) -> str | None:
    """Return the candidate with more than half of all votes, or None where there is none."""
    candidate, lead = None, 0
    for vote in votes:
        if lead == 0:
            candidate = vote
        lead += 1 if vote == candidate else -1
    if votes and votes.count(candidate) * 2 > len(votes):
        return candidate
    return None
''',
        [
            ((["x", "y", "x"],), "x"),
            ((["x", "y"],), None),
            (([],), None),
            ((["b"],), "b"),
            ((["a", "b", "c", "c", "c"],), "c"),
            ((["a", "a", "b", "c"],), None),
        ],
    ),
    clean(
        '''
def matrix_product(a: list[list[int]], b: list[list[int]]) -> list[list[int]]:
    """Multiply two matrices given as lists of rows.

    Raises:
        ValueError: the rows of `a` aren't as long as `b` has rows.
    """
    if any(len(row) != len(b) for row in a):
        raise ValueError("the shapes don't fit")
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]
''',
        [
            (([[1, 2], [3, 4]], [[5, 6], [7, 8]]), [[19, 22], [43, 50]]),
            (([[2]], [[3]]), [[6]]),
            (([[1, 0, 2]], [[1], [5], [3]]), [[7]]),
            (([[1, 2]], [[1, 2]]), Raises("ValueError")),
        ],
    ),
    clean(
        '''
def second_largest(numbers: list[int]) -> int:
    """Return the second largest of the different values in a list.

    Raises:
        ValueError: the list has fewer than two different values.
    """
    different = sorted(set(numbers))
    if len(different) < 2:
        raise ValueError("too few values")
    return different[-2]
''',
        [
            (([4, 9, 1],), 4),
            (([9, 9, 3],), 3),
            (([-1, -2],), -2),
            (([7, 7],), Raises("ValueError")),
            (([],), Raises("ValueError")),
        ],
    ),
    clean(
        '''
def mountain_water(heights: list[int]) -> int:
    """Count the units of water that stay on a profile of heights after rain.

    Over each place, water stands as high as the lower of the highest walls on both sides.

    >>> mountain_water([3, 0, 2])
    2
    """
    total = 0
    for place, height in enumerate(heights):
        level = min(max(heights[: place + 1]), max(heights[place:]))
        total += level - height
    return total
''',
        [
            (([3, 0, 2],), 2),
            (([],), 0),
            (([1, 2, 3],), 0),
            (([0, 1, 0, 2, 1, 0, 1, 3, 2, 1, 2, 1],), 6),
            (([4, 1, 1, 4],), 6),
        ],
    ),
    clean(
        '''
def split_on(items: list[int], separator: int) -> list[list[int]]:
    """Split a list at every item that equals `separator`, which is left out, like str.split.

    There is always one more piece than there are separators.
    """
    pieces = [[]]
    for item in items:
        if item == separator:
            pieces.append([])
        else:
            pieces[-1].append(item)
    return pieces
''',
        [
            (([1, 0, 2], 0), [[1], [2]]),
            (([0], 0), [[], []]),
            (([], 5), [[]]),
            (([3, 4], 5), [[3, 4]]),
            (([9, 1, 9, 9, 2], 9), [[], [1], [], [2]]),
        ],
    ),
    clean(
        '''
def nearest_smaller(numbers: list[int]) -> list[int | None]:
    """For each item give the nearest smaller one on its left, or None where there is none."""
    answer, stack = [], []
    for number in numbers:
        while stack and stack[-1] >= number:
            stack.pop()
        answer.append(stack[-1] if stack else None)
        stack.append(number)
    return answer
''',
        [
            (([2, 5, 3, 7],), [None, 2, 2, 3]),
            (([],), []),
            (([1, 1],), [None, None]),
            (([9, 4, 2],), [None, None, None]),
            (([1, 3, 2, 2, 4],), [None, 1, 1, 1, 2]),
        ],
    ),
    clean(
        '''
def pair_up(players: list[str]) -> list[tuple[str, str]]:
    """Pair the first player with the last, the second with the last but one, and so on.

    With an odd number of players the one in the middle sits out.

    >>> pair_up(["ann", "bob", "cid"])
    [('ann', 'cid')]
    """
    half = len(players) // 2
    return list(zip(players[:half], players[::-1]))
''',
        [
            ((["ann", "bob", "cid"],), [("ann", "cid")]),
            (([],), []),
            ((["solo"],), []),
            ((["a", "b", "c", "d"],), [("a", "d"), ("b", "c")]),
        ],
    ),
]
