"""Clean problems about lists and tuples."""

from tests.planted.build import CLEAN, UNORDERED, Planted, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def chunks(items: list, size: int) -> list[list]:
    """Cut a list into pieces of `size` items; the last may be shorter. `size` is positive.

    >>> chunks([1, 2, 3], 2)
    [[1, 2], [3]]
    """
    return [items[start : start + size] for start in range(0, len(items), size)]
''',
        [
            (([1, 2, 3], 2), [[1, 2], [3]]),
            (([], 4), []),
            (([1, 2, 3, 4], 4), [[1, 2, 3, 4]]),
            ((["a", "b"], 1), [["a"], ["b"]]),
            (([1, 2, 3, 4, 5], 3), [[1, 2, 3], [4, 5]]),
        ],
    ),
    clean(
        '''
def transpose(table: list[list[int]]) -> list[list[int]]:
    """Swap the rows and columns of a table whose rows are equally long.

    A table without rows stays empty.
    """
    return [list(column) for column in zip(*table)]
''',
        [
            (([[1, 2, 3], [4, 5, 6]],), [[1, 4], [2, 5], [3, 6]]),
            (([[7]],), [[7]]),
            (([],), []),
            (([[1], [2], [3]],), [[1, 2, 3]]),
        ],
    ),
    clean(
        '''
def merge_sorted(left: list[int], right: list[int]) -> list[int]:
    """Merge two lists in ascending order into one in ascending order, without sorting."""
    out = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]
''',
        [
            (([1, 4, 6], [2, 3, 9]), [1, 2, 3, 4, 6, 9]),
            (([], [1, 2]), [1, 2]),
            (([5], []), [5]),
            (([1, 1], [1]), [1, 1, 1]),
            (([7, 8], [1, 2]), [1, 2, 7, 8]),
        ],
    ),
    clean(
        '''
def peaks(heights: list[int]) -> list[int]:
    """Return the places of all inner items that are greater than both of their neighbours.

    >>> peaks([1, 3, 2, 5, 4])
    [1, 3]
    """
    return [
        place
        for place in range(1, len(heights) - 1)
        if heights[place - 1] < heights[place] > heights[place + 1]
    ]
''',
        [
            (([1, 3, 2, 5, 4],), [1, 3]),
            (([1, 2, 3],), []),
            (([2, 2, 2],), []),
            (([],), []),
            (([0, 9, 9, 0],), []),
            (([-5, -1, -5],), [1]),
        ],
    ),
    clean(
        '''
def rank_with_ties(scores: list[int]) -> list[int]:
    """Give each score its rank: 1 for the highest, the same rank for equal scores.

    After a tie ranks are skipped, as in sports: rank_with_ties([50, 70, 70]) is [3, 1, 1].
    """
    ordered = sorted(scores, reverse=True)
    return [ordered.index(score) + 1 for score in scores]
''',
        [
            (([50, 70, 70],), [3, 1, 1]),
            (([10],), [1]),
            (([],), []),
            (([3, 2, 1],), [1, 2, 3]),
            (([5, 5, 9, 5],), [2, 2, 1, 2]),
        ],
    ),
    clean(
        '''
def merge_intervals(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Unite overlapping or touching closed intervals and return them in ascending order.

    >>> merge_intervals([(5, 8), (1, 3), (3, 4)])
    [(1, 4), (5, 8)]
    """
    merged = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged
''',
        [
            (([(5, 8), (1, 3), (3, 4)],), [(1, 4), (5, 8)]),
            (([],), []),
            (([(1, 10), (2, 3)],), [(1, 10)]),
            (([(1, 2), (3, 4)],), [(1, 2), (3, 4)]),
            (([(0, 0), (0, 0)],), [(0, 0)]),
        ],
    ),
    clean(
        '''
def spiral(grid: list[list[int]]) -> list[int]:
    """Read a rectangular grid in a clockwise spiral from the top left corner inwards."""
    out = []
    rows = [list(row) for row in grid]
    while rows:
        out += rows.pop(0)
        rows = [list(row) for row in zip(*rows)][::-1]
    return out
''',
        [
            (([[1, 2], [3, 4]],), [1, 2, 4, 3]),
            (([[1, 2, 3], [4, 5, 6], [7, 8, 9]],), [1, 2, 3, 6, 9, 8, 7, 4, 5]),
            (([[1, 2, 3]],), [1, 2, 3]),
            (([[1], [2]],), [1, 2]),
            (([],), []),
        ],
    ),
    clean(
        '''
def pascal_row(index: int) -> list[int]:
    """Return a row of Pascal's triangle; the row with index 0 is [1].

    Each inner number is the sum of the two above it. `index` isn't negative.
    """
    row = [1]
    for _ in range(index):
        row = [left + right for left, right in zip([0] + row, row + [0])]
    return row
''',
        [((0,), [1]), ((1,), [1, 1]), ((4,), [1, 4, 6, 4, 1]), ((6,), [1, 6, 15, 20, 15, 6, 1])],
    ),
    clean(
        '''
def equilibrium(numbers: list[int]) -> int:
    """Return the first place at which the sum of all items before equals that of all after it.

    There may be no such place: then the answer is -1.
    """
    before, after = 0, sum(numbers)
    for place, number in enumerate(numbers):
        after -= number
        if before == after:
            return place
        before += number
    return -1
''',
        [
            (([1, 7, 3, 6, 5, 6],), 3),
            (([1, 2, 3],), -1),
            (([],), -1),
            (([9],), 0),
            (([2, -2, 0, 5],), 3),
            (([0, 0],), 0),
        ],
    ),
    clean(
        '''
def dedupe_by_key(pairs: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Keep of all pairs with the same first item only the last, at the place of the first.

    >>> dedupe_by_key([("a", 1), ("b", 2), ("a", 3)])
    [('a', 3), ('b', 2)]
    """
    latest = {}
    for name, value in pairs:
        latest[name] = value
    return list(latest.items())
''',
        [
            (([("a", 1), ("b", 2), ("a", 3)],), [("a", 3), ("b", 2)]),
            (([],), []),
            (([("x", 1)],), [("x", 1)]),
            (([("x", 1), ("x", 1), ("y", 0), ("x", 0)],), [("x", 0), ("y", 0)]),
        ],
    ),
    clean(
        '''
def stable_by_length(words: list[str]) -> list[str]:
    """Sort words by length, the longest first; equally long words keep their order."""
    return sorted(words, key=len, reverse=True)
''',
        [
            ((["bb", "a", "cc", "ddd"],), ["ddd", "bb", "cc", "a"]),
            (([],), []),
            ((["z", "y", "x"],), ["z", "y", "x"]),
            ((["one", "three", "two", "eleven"],), ["eleven", "three", "one", "two"]),
        ],
    ),
    clean(
        '''
def subset_sums(numbers: list[int], target: int) -> list[list[int]]:
    """Find all subsets of distinct positive numbers that sum up to `target`, in any order.

    Within a subset the numbers stand as in the list.
    """
    found = []

    def extend(start, chosen, left):
        if left == 0:
            found.append(chosen)
            return
        for place in range(start, len(numbers)):
            if numbers[place] <= left:
                extend(place + 1, chosen + [numbers[place]], left - numbers[place])

    extend(0, [], target)
    return found
''',
        [
            (([1, 2, 3, 4], 5), [[1, 4], [2, 3]]),
            (([5, 1], 7), []),
            (([2, 4, 6, 10], 16), [[2, 4, 10], [6, 10]]),
            (([3], 0), [[]]),
            (([7, 3, 2], 5), [[3, 2]]),
        ],
        comparator=UNORDERED,
    ),
]
