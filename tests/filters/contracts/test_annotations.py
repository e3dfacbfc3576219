"""What an annotation allows, told of encoded values."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.contracts.annotations import aliases, as_expected, entries, fits, items
from thresher.store import values

ALIASES = "Row = list[float]\nOther = make()\nclass List: pass\nLoop = Loop\n"


def allowed(value, annotation, program=""):
    parsed = ast.parse(annotation, mode="eval").body
    return fits(values.encode(value), parsed, aliases(ast.parse(program)))


@pytest.mark.parametrize(
    ("annotation", "right", "wrong"),
    [
        ("int", [1, True, 2**70], [1.0, "1", None]),
        ("float", [1, 1.5, float("inf"), True], ["1", None]),
        ("bool", [True], [1, 0]),
        ("str", ["", "a", "\ud800"], [b"a", 1, None]),
        ("bytes", [b"a", bytearray(b"a")], ["a"]),
        ("None", [None], [0, ""]),
        ("list[int]", [[], [1, 2]], [[""], {}, (1,), [1.5], None]),
        ("List[List[str]]", [[["a"], []]], [["a"], [[1]]]),
        ("tuple[int, str]", [(1, "a")], [(1,), (1, 2), [1, "a"], (1, "a", 2)]),
        ("Tuple[int, ...]", [(), (1, 2, 3)], [("a",), [1]]),
        ("tuple[()]", [()], [(1,)]),
        ("dict[str, int]", [{}, {"a": 1}], [{1: 1}, {"a": "b"}, []]),
        ("Optional[int]", [None, 1], ["a"]),
        ("int | None", [None, 1], ["a"]),
        ("Union[int, 'list[str]']", [1, ["a"]], ["a", [1]]),
        ("Literal['a', 1]", ["a", 1], ["b", True]),
        ("Sequence[int]", [[1], (1,), range(3)], [{1}, ["a"], 1]),
        ("t.Iterable[int]", [[1], {1}, {1: "a"}], [["a"], 1]),
        ("Annotated[int, 'even']", [1], ["a"]),
        ("set[int]", [{1}, frozenset({1})], [[1], {"a"}]),
    ],
)
def test_an_annotation_allows_what_a_type_checker_would(annotation, right, wrong):
    assert [value for value in right if not allowed(value, annotation)] == []
    assert [value for value in wrong if allowed(value, annotation)] == []


@pytest.mark.parametrize(
    "annotation", ["any", "T", "Callable[[int], str]", "np.ndarray", "x.y.Z", "'(a b'", "3"]
)
def test_what_can_t_be_read_allows_everything(annotation):
    assert allowed(1, annotation)
    assert allowed(None, annotation)


def test_names_of_the_program_count():
    assert allowed([1.5], "Row", ALIASES)
    assert not allowed(["a"], "Row", ALIASES)
    assert not allowed([["a"]], "list[Row]", ALIASES)
    assert allowed("a", "Other", ALIASES)
    assert allowed("a", "List", ALIASES)  # a class of its own
    assert allowed("a", "Loop", ALIASES)


def test_of_a_generator_the_outputs_are_expected():
    annotation = ast.parse("Iterator[int]", mode="eval").body
    assert fits([1, 2], as_expected(annotation, "generates"), {})
    assert not fits(["a"], as_expected(annotation, "generates"), {})
    assert as_expected(annotation, "returns") is annotation
    assert as_expected(ast.Name("Iterator"), "generates") is None


def test_what_values_hold():
    from collections import OrderedDict, defaultdict, deque

    assert items(values.encode(deque([1, 2]))) == [1, 2]
    assert items(values.encode({"a": 1})) == ["a"]
    assert items("ab") is None
    assert entries(values.encode(OrderedDict(a=1))) == [("a", 1)]
    assert entries(values.encode(defaultdict(None, {"a": 1}))) == [("a", 1)]
    assert entries([1]) is None


@given(st.recursive(st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_a_union_allows_what_either_allows(value):
    both = allowed(value, "int | list[int]")
    assert both == (allowed(value, "int") or allowed(value, "list[int]"))
