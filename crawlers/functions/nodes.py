"""Linked lists and binary trees: the classes that prompts define, and values as their instances.

Sites write a linked list as the list of its values and a tree level by level, with null where a
child is missing. Cases hold instances of the program's own classes, see `thresher.store.values`.
"""

from thresher.crawlers.functions.literals import conform, unreadable
from thresher.crawlers.functions.signatures import parts
from thresher.crawlers.statement import Json
from thresher.store import values
from thresher.store.records import Tree

CLASSES = {
    "ListNode": '''\
class ListNode:
    """A node of a linked list. In examples [1, 2, 3] is the list 1 -> 2 -> 3 and [] is None."""

    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next
''',
    "TreeNode": '''\
class TreeNode:
    """A node of a binary tree. In examples trees are written level by level, None for no child:
    [1, None, 2, 3] has the root 1, its right child 2 and that one's left child 3; [] is None.
    """

    def __init__(self, val=0, left=None, right=None):
        self.val = val
        self.left = left
        self.right = right
''',
}


def encode_as(value: Json, annotation: str) -> Tree:
    """Return the tree of a value that has yet to be made what its annotation says.

    Raises:
        SourceError: as `encode`.
    """
    return encode(conform(value, annotation), annotation)


def encode(value: Json, annotation: str) -> Tree:
    """Return a value as a tree, with instances where its annotation says nodes.

    Raises:
        SourceError: ``example-unreadable``, where it is no node, no value at all, or nested too
            deeply: a list of 40 nodes.
    """
    tree = _tree(value, annotation)
    try:
        values.decode(tree)
    except ValueError as error:
        raise unreadable(repr(value), f"can't be a value ({error})") from None
    return tree


def _tree(value: Json, annotation: str) -> Tree:
    outer, inner = parts(annotation)
    if outer == "Optional":
        return None if value is None else _tree(value, inner)
    if outer in ("List", "list") and inner and type(value) is list:
        return [_tree(item, inner) for item in value]
    if outer in CLASSES:
        items = conform(value, outer) or []
        return _linked(items) if outer == "ListNode" else _grown(items)
    try:
        return values.encode(value)
    except values.Unencodable as error:
        raise unreadable(repr(value), f"can't be a value ({error})") from None


def _linked(items: list[Json]) -> Tree:
    node = None
    for item in reversed(items):
        node = _instance("ListNode", next=node, val=values.encode(item))
    return node


def _grown(items: list[Json]) -> Tree:
    """Build a tree from its level order, the last node first: children come after their parents."""
    kept = [item for item in items if item is not None]
    rest = iter(items[1:])
    children: list[tuple[int, int]] = []  # their places in `kept`, 0 for none
    met = 1
    for place in range(len(kept)):
        if place >= met:
            raise unreadable(repr(items), "has values below missing nodes")
        sides = []
        for item in (next(rest, None), next(rest, None)):
            sides.append(0 if item is None else met)
            met += item is not None
        children.append((sides[0], sides[1]))
    trees: list[Tree] = [None] * len(kept)
    for place, (left, right) in reversed(list(enumerate(children))):
        trees[place] = _instance(
            "TreeNode",
            left=trees[left] if left else None,
            right=trees[right] if right else None,
            val=values.encode(kept[place]),
        )
    return trees[0] if trees else None


def _instance(name: str, **attributes: Tree) -> Tree:
    return {"instance": [name, [list(pair) for pair in sorted(attributes.items())], None]}
