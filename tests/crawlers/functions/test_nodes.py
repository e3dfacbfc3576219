"""Linked lists and trees as instances of the program's classes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawlers.functions import nodes
from thresher.errors import SourceError
from thresher.store import values

SPACE: dict = {}
for source in nodes.CLASSES.values():
    exec(source, SPACE)
ROOT = "Optional[TreeNode]"


def made(value, annotation):
    """Decode what `encode` gives with the classes that prompts define."""
    return values.decode(nodes.encode(value, annotation), SPACE.__getitem__)


def chain(node):
    found = []
    while node:
        found.append(node.val)
        node = node.next
    return found


def levels(root):
    found, waiting = [], [root]
    while any(waiting):
        node = waiting.pop(0)
        found.append(node and node.val)
        waiting += [node.left, node.right] if node else []
    return found


@given(st.lists(st.integers(-5, 5), max_size=30))
def test_a_linked_list_has_the_values_in_order(items):
    assert chain(made(items, "Optional[ListNode]")) == items


@pytest.mark.parametrize(
    "items",
    [
        [],
        [1],
        [1, None, 2, 3],
        [3, 9, 20, None, None, 15, 7],
        [1, 2, 2, 3, None, None, 3, 4],
        [0, 0],
    ],
)
def test_a_tree_has_the_values_level_by_level(items):
    assert levels(made(items, ROOT)) == items


def test_nulls_at_the_end_mean_nothing():
    assert nodes.encode([1, 2, None, None], ROOT) == nodes.encode([1, 2], "TreeNode")


def test_the_tree_of_a_node():
    assert nodes.encode([1, None, 2], ROOT) == {
        "instance": [
            "TreeNode",
            [
                ["left", None],
                [
                    "right",
                    {"instance": ["TreeNode", [["left", None], ["right", None], ["val", 2]], None]},
                ],
                ["val", 1],
            ],
            None,
        ]
    }


def test_nodes_in_lists_and_no_nodes():
    one, none = made([[1, 2], []], "List[Optional[ListNode]]")
    assert (chain(one), none) == ([1, 2], None)
    assert made(None, ROOT) is None


@pytest.mark.parametrize(
    ("value", "annotation", "tree"),
    [
        ([1, 2], "List[float]", [1.0, 2.0]),
        (2**60, "int", {"int": str(2**60)}),
        ((1, 2), "Tuple[int, int]", {"tuple": [1, 2]}),
        ({"a": 1}, "", {"dict": [["a", 1]]}),
        ([[1], None], "List[Optional[List[int]]]", [[1], None]),
    ],
)
def test_other_values(value, annotation, tree):
    assert nodes.encode_as(value, annotation) == tree


def test_numbers_of_python_stay_what_they_are():
    assert nodes.encode([1, 2], "List[float]") == [1, 2]
    assert nodes.encode((1,), "List[int]") == {"tuple": [1]}


@pytest.mark.parametrize(
    ("value", "annotation"),
    [
        ([1, None, None, 4], ROOT),
        (5, ROOT),
        ([1, None, 2], "ListNode"),
        (list(range(60)), "ListNode"),
        ("a", "int"),
        (object(), ""),
    ],
)
def test_what_can_not_be_made_is_refused(value, annotation):
    with pytest.raises(SourceError) as caught:
        nodes.encode_as(value, annotation)
    assert caught.value.reason == "example-unreadable"


@given(st.lists(st.none() | st.integers(0, 3), max_size=25))
def test_any_level_order_is_a_tree_or_refused(items):
    try:
        root = made(items, ROOT)
    except SourceError:
        return
    while items and items[-1] is None:
        items.pop()
    assert levels(root) == items
