"""Clean problems about dictionaries and sets."""

from tests.planted.build import CLEAN, Planted, Raises, function


def clean(text, cases, **more) -> Planted:
    return function(CLEAN, text, cases, **more)


PROBLEMS = [
    clean(
        '''
def invert(mapping: dict[str, int]) -> dict[int, list[str]]:
    """Turn a mapping round: every value leads to the sorted list of the keys that had it.

    >>> invert({"b": 1, "a": 1, "c": 2}) == {1: ["a", "b"], 2: ["c"]}
    True
    """
    turned = {}
    for key in sorted(mapping):
        turned.setdefault(mapping[key], []).append(key)
    return turned
''',
        [
            (({"b": 1, "a": 1, "c": 2},), {1: ["a", "b"], 2: ["c"]}),
            (({},), {}),
            (({"x": 0},), {0: ["x"]}),
            (({"q": 3, "p": 3, "r": 3},), {3: ["p", "q", "r"]}),
        ],
    ),
    clean(
        '''
def deep_get(tree: dict, path: str, default: object = None) -> object:
    """Look up a value in nested dictionaries by the keys in `path`, separated by dots.

    Where a key is missing, or something on the way is no dictionary, return `default`.
    """
    here = tree
    for key in path.split("."):
        if not isinstance(here, dict) or key not in here:
            return default
        here = here[key]
    return here
''',
        [
            (({"a": {"b": 5}}, "a.b"), 5),
            (({"a": {"b": 5}}, "a"), {"b": 5}),
            (({"a": 1}, "a.b"), None),
            (({}, "x", "none"), "none"),
            (({"a": {"": 2}}, "a."), 2),
        ],
    ),
    clean(
        '''
def merge_counts(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    """Add two tallies: names in both get the sum. Names whose sum is 0 are left out."""
    total = dict(first)
    for name, count in second.items():
        total[name] = total.get(name, 0) + count
    return {name: count for name, count in total.items() if count}
''',
        [
            (({"a": 1}, {"a": 2, "b": 3}), {"a": 3, "b": 3}),
            (({}, {}), {}),
            (({"x": 2}, {"x": -2}), {}),
            (({"y": 0}, {"z": 1}), {"z": 1}),
            (({"k": 7, "l": 1}, {}), {"k": 7, "l": 1}),
        ],
    ),
    clean(
        '''
def group_by_first(words: list[str]) -> dict[str, list[str]]:
    """Group words by their first letter, in lower case; words keep their order in a group.

    Empty words belong to no group.
    """
    groups = {}
    for word in words:
        if word:
            groups.setdefault(word[0].lower(), []).append(word)
    return groups
''',
        [
            ((["Ant", "bee", "ape"],), {"a": ["Ant", "ape"], "b": ["bee"]}),
            (([],), {}),
            ((["", "x"],), {"x": ["x"]}),
            ((["Zoo", "zip", "Yak"],), {"z": ["Zoo", "zip"], "y": ["Yak"]}),
        ],
    ),
    clean(
        '''
def changes(before: dict[str, int], after: dict[str, int]) -> dict[str, list[str]]:
    """Compare two versions of a dictionary.

    Return sorted lists of the keys that were "added", "removed" and "changed", under these names.
    """
    return {
        "added": sorted(after.keys() - before.keys()),
        "removed": sorted(before.keys() - after.keys()),
        "changed": sorted(k for k in before.keys() & after.keys() if before[k] != after[k]),
    }
''',
        [
            (
                ({"a": 1, "b": 2}, {"b": 3, "c": 4}),
                {"added": ["c"], "removed": ["a"], "changed": ["b"]},
            ),
            (({}, {}), {"added": [], "removed": [], "changed": []}),
            (({"z": 1, "y": 1}, {}), {"added": [], "removed": ["y", "z"], "changed": []}),
            (
                ({"q": 5}, {"q": 5, "p": 0, "o": 0}),
                {"added": ["o", "p"], "removed": [], "changed": []},
            ),
        ],
    ),
    clean(
        '''
def jaccard(first: set[str], second: set[str]) -> tuple[int, int]:
    """Return how many members two sets share, and how many they have together.

    >>> jaccard({"a", "b"}, {"b", "c"})
    (1, 3)
    """
    return len(first & second), len(first | second)
''',
        [
            (({"a", "b"}, {"b", "c"}), (1, 3)),
            ((set(), set()), (0, 0)),
            (({"x"}, {"x"}), (1, 1)),
            (({"x", "y", "z"}, {"w"}), (0, 4)),
            (({"p", "q"}, {"p", "q", "r"}), (2, 3)),
        ],
    ),
    clean(
        '''
def reachable(links: dict[str, list[str]], start: str) -> set[str]:
    """Return all places that can be reached from `start` along directed links, itself included.

    A place without an entry has no outgoing links.
    """
    seen, waiting = {start}, [start]
    while waiting:
        for following in links.get(waiting.pop(), []):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return seen
''',
        [
            (({"a": ["b"], "b": ["c"], "d": ["a"]}, "a"), {"a", "b", "c"}),
            (({}, "x"), {"x"}),
            (({"a": ["b"], "b": ["a"]}, "b"), {"a", "b"}),
            (({"s": ["t", "u"], "u": ["v"]}, "s"), {"s", "t", "u", "v"}),
            (({"s": ["t"]}, "t"), {"t"}),
        ],
    ),
    clean(
        '''
def build_order(needs: dict[str, list[str]]) -> list[str]:
    """Order tasks so that each comes after all tasks it needs; of those ready, the first by name.

    Every task has an entry.

    Raises:
        ValueError: tasks need each other in a circle.
    """
    left = {task: set(before) for task, before in needs.items()}
    order = []
    while left:
        ready = sorted(task for task, before in left.items() if before <= set(order))
        if not ready:
            raise ValueError("a circle")
        order.append(ready[0])
        del left[ready[0]]
    return order
''',
        [
            (({"b": ["a"], "a": [], "c": ["b"]},), ["a", "b", "c"]),
            (({},), []),
            (({"z": [], "y": []},), ["y", "z"]),
            (({"m": ["n"], "n": ["m"]},), Raises("ValueError")),
            (({"a": ["d"], "c": [], "d": ["c"], "b": []},), ["b", "c", "d", "a"]),
        ],
    ),
    clean(
        '''
def pivot(rows: list[dict[str, int]]) -> dict[str, list[int | None]]:
    """Turn rows into columns: each name leads to its values row by row, None where one is missing.
    """
    names = []
    for row in rows:
        names += [name for name in row if name not in names]
    return {name: [row.get(name) for row in rows] for name in names}
''',
        [
            (([{"a": 1}, {"a": 2, "b": 3}],), {"a": [1, 2], "b": [None, 3]}),
            (([],), {}),
            (([{}],), {}),
            (([{"x": 0}, {}, {"x": 9}],), {"x": [0, None, 9]}),
        ],
    ),
    clean(
        '''
def only_unique_values(mapping: dict[str, int]) -> dict[str, int]:
    """Keep the entries of a dictionary whose value no other entry has."""
    values = list(mapping.values())
    return {key: value for key, value in mapping.items() if values.count(value) == 1}
''',
        [
            (({"a": 1, "b": 2, "c": 1},), {"b": 2}),
            (({},), {}),
            (({"x": 5},), {"x": 5}),
            (({"p": 3, "q": 3},), {}),
            (({"p": 0, "q": 1, "r": 2},), {"p": 0, "q": 1, "r": 2}),
        ],
    ),
]
