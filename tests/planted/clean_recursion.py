"""More clean problems with recursion, classes and generators."""

from tests.planted.build import CLEAN, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
class Overdrawn(Exception):
    """More was spent than there was."""


def spend(purse: int, prices: list[int]) -> int:
    """Pay prices from a purse one after the other and return what remains.

    Raises:
        Overdrawn: the purse has less than the next price.
    """
    for price in prices:
        if price > purse:
            raise Overdrawn(price)
        purse -= price
    return purse
''',
        [
            ((10, [3, 4]), 3),
            ((0, []), 0),
            ((5, [5]), 0),
            ((5, [2, 4]), Raises("Overdrawn")),
            ((1, [0, 0]), 1),
        ],
    ),
    clean(
        '''
def safe_divide(pairs: list[tuple[int, int]]) -> list[int | str]:
    """Divide each pair of integers, rounding down; where the divisor is 0 put the word "none"."""
    out = []
    for top, bottom in pairs:
        try:
            out.append(top // bottom)
        except ZeroDivisionError:
            out.append("none")
    return out
''',
        [
            (([(7, 2), (1, 0)],), [3, "none"]),
            (([],), []),
            (([(-7, 2)],), [-4]),
            (([(0, 5), (0, 0), (9, -3)],), [0, "none", -3]),
        ],
    ),
    clean(
        '''
def tree_paths(tree: dict) -> list[list[str]]:
    """List all ways from the root of a tree to its leaves.

    A tree is a dictionary from names to the trees below them; a leaf has an empty dictionary.

    >>> tree_paths({"a": {"b": {}, "c": {}}})
    [['a', 'b'], ['a', 'c']]
    """
    paths = []
    for name, below in tree.items():
        paths += [[name, *path] for path in tree_paths(below)] or [[name]]
    return paths
''',
        [
            (({"a": {"b": {}, "c": {}}},), [["a", "b"], ["a", "c"]]),
            (({},), []),
            (({"x": {}},), [["x"]]),
            (({"r": {"s": {"t": {}}}, "u": {}},), [["r", "s", "t"], ["u"]]),
        ],
    ),
    clean(
        '''
def evaluate(tokens: list[str]) -> int:
    """Evaluate an expression in reverse Polish notation with +, - and * over integers.

    The expression is well formed: evaluate(["2", "3", "+", "4", "*"]) is 20.
    """
    stack = []
    for token in tokens:
        if token in ("+", "-", "*"):
            right, left = stack.pop(), stack.pop()
            stack.append({"+": left + right, "-": left - right, "*": left * right}[token])
        else:
            stack.append(int(token))
    return stack[0]
''',
        [
            ((["2", "3", "+", "4", "*"],), 20),
            ((["5"],), 5),
            ((["7", "9", "-"],), -2),
            ((["-3", "-4", "*"],), 12),
            ((["1", "2", "3", "-", "+"],), 0),
        ],
    ),
    clean(
        '''
class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None


def _insert(node, key):
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = _insert(node.left, key)
    elif key > node.key:
        node.right = _insert(node.right, key)
    return node


def tree_levels(keys: list[int]) -> list[list[int]]:
    """Insert keys into a binary search tree, in turn, and return its levels from the top.

    Each level is listed from the left; a key that is present already isn't inserted again.
    """
    root = None
    for key in keys:
        root = _insert(root, key)
    level, levels = [root] if root else [], []
    while level:
        levels.append([node.key for node in level])
        level = [child for node in level for child in (node.left, node.right) if child]
    return levels
''',
        [
            (([5, 3, 8, 4],), [[5], [3, 8], [4]]),
            (([],), []),
            (([1, 1],), [[1]]),
            (([1, 2, 3],), [[1], [2], [3]]),
            (([4, 6, 2, 7, 5, 3, 1],), [[4], [2, 6], [1, 3, 5, 7]]),
        ],
    ),
    clean(
        '''
def permutations_of(letters: str) -> list[str]:
    """List all different arrangements of some letters in alphabetical order.

    >>> permutations_of("aba")
    ['aab', 'aba', 'baa']
    """
    if not letters:
        return [""]
    out = []
    for letter in sorted(set(letters)):
        rest = letters.replace(letter, "", 1)
        out += [letter + tail for tail in permutations_of(rest)]
    return out
''',
        [
            (("aba",), ["aab", "aba", "baa"]),
            (("",), [""]),
            (("z",), ["z"]),
            (("cab",), ["abc", "acb", "bac", "bca", "cab", "cba"]),
        ],
    ),
    clean(
        '''
def flood(grid: list[str], row: int, column: int) -> int:
    """Count the fields of the area around a place: those with its character, joined side by side.

    The grid is a list of equally long texts; the place lies within it.
    """
    wanted, seen, waiting = grid[row][column], set(), [(row, column)]
    while waiting:
        r, c = waiting.pop()
        inside = 0 <= r < len(grid) and 0 <= c < len(grid[0])
        if inside and (r, c) not in seen and grid[r][c] == wanted:
            seen.add((r, c))
            waiting += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return len(seen)
''',
        [
            ((["aab", "abb"], 0, 0), 3),
            ((["aab", "abb"], 1, 2), 3),
            ((["x"], 0, 0), 1),
            ((["ab", "ba"], 0, 0), 1),
            ((["...", ".#.", "..."], 0, 1), 8),
        ],
    ),
    clean(
        '''
def knight_moves(square: str) -> list[str]:
    """List the squares of a chess board that a knight reaches in one move, in alphabetical order.

    Squares are written as usual, from a1 to h8.
    """
    column, row = ord(square[0]) - ord("a"), int(square[1]) - 1
    found = []
    for dc, dr in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
        if 0 <= column + dc < 8 and 0 <= row + dr < 8:
            found.append(f"{chr(ord('a') + column + dc)}{row + dr + 1}")
    return sorted(found)
''',
        [
            (("a1",), ["b3", "c2"]),
            (("h8",), ["f7", "g6"]),
            (("d4",), ["b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"]),
            (("b1",), ["a3", "c3", "d2"]),
        ],
    ),
    clean(
        '''
def pour(jugs: tuple[int, int], goal: int) -> int:
    """Return the fewest steps to have `goal` litres in one of two jugs, or -1 if it can't be done.

    Both jugs begin empty. A step fills a jug, empties it, or pours it into the other one until
    that is full or this is empty.
    """
    (a, b), seen, level, steps = jugs, {(0, 0)}, [(0, 0)], 0
    while level:
        if any(goal in state for state in level):
            return steps
        following = []
        for x, y in level:
            move, back = min(x, b - y), min(y, a - x)
            for state in (
                (a, y), (x, b), (0, y), (x, 0), (x - move, y + move), (x + back, y - back)
            ):
                if state not in seen:
                    seen.add(state)
                    following.append(state)
        level, steps = following, steps + 1
    return -1
''',
        [(((3, 5), 4), 6), (((3, 5), 0), 0), (((2, 4), 3), -1), (((3, 5), 5), 1), (((4, 9), 6), 8)],
    ),
    clean(
        '''
class Matrix:
    def __init__(self, a, b, c, d):
        self.cells = a, b, c, d

    def __matmul__(self, other):
        a, b, c, d = self.cells
        e, f, g, h = other.cells
        return Matrix(a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)


def lucas(index: int) -> int:
    """Return a Lucas number: the sequence begins 2, 1 and each later one is the sum of two before.

    `index` isn't negative. Large indices are reached by squaring matrices.

    >>> lucas(5)
    11
    """
    power, base = Matrix(1, 0, 0, 1), Matrix(1, 1, 1, 0)
    n = index
    while n:
        if n % 2:
            power = power @ base
        base = base @ base
        n //= 2
    return power.cells[2] + 2 * power.cells[3]
''',
        [((5,), 11), ((0,), 2), ((1,), 1), ((2,), 3), ((10,), 123), ((90,), 6440026026380244498)],
    ),
    clean(
        '''
def interleave_generators(first: list, second: list):
    """Yield items of two lists in turn, the first list's first; what is left of one comes last."""
    iterators = [iter(first), iter(second)]
    while iterators:
        current = iterators.pop(0)
        try:
            yield next(current)
        except StopIteration:
            continue
        iterators.append(current)
''',
        [
            (([1, 2], ["a", "b"]), [1, "a", 2, "b"]),
            (([], []), []),
            (([1, 2, 3], ["x"]), [1, "x", 2, 3]),
            (([], [5, 6]), [5, 6]),
        ],
        mode="generates",
    ),
    clean(
        '''
def brackets_depth_at(text: str, place: int) -> int:
    """Say how many round brackets are open just before a place of a text.

    A closing bracket without an open one counts for nothing. `place` may be as large as the text
    is long.
    """
    depth = 0
    for char in text[:place]:
        if char == "(":
            depth += 1
        elif char == ")" and depth:
            depth -= 1
    return depth
''',
        [
            (("(a(b))", 4), 2),
            (("(a(b))", 0), 0),
            (("(a(b))", 6), 0),
            ((")((", 3), 2),
            (("abc", 2), 0),
            (("())(", 4), 1),
        ],
    ),
    clean(
        '''
from dataclasses import dataclass, field


@dataclass(order=True)
class Job:
    due: int
    name: str = field(compare=False)
    cost: int = field(compare=False)


def late_jobs(jobs: list[tuple[str, int, int]]) -> list[str]:
    """Do jobs (name, cost, due) one after the other, the earliest due first, and name the late.

    Work begins at time 0; a job is late when it is finished after it was due. Of jobs that are
    due at the same time, the one listed first is done first.
    """
    time, late = 0, []
    for job in sorted(Job(due, name, cost) for name, cost, due in jobs):
        time += job.cost
        if time > job.due:
            late.append(job.name)
    return late
''',
        [
            (([("a", 3, 5), ("b", 2, 2)],), []),
            (([("a", 3, 4), ("b", 2, 2)],), ["a"]),
            (([],), []),
            (([("x", 1, 0), ("y", 1, 1), ("z", 1, 9)],), ["x", "y"]),
            (([("p", 2, 3), ("q", 2, 3)],), ["q"]),
        ],
    ),
]
