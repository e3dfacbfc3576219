import datetime
import decimal
import enum
import fractions
import functools
import json
import math
import operator
import subprocess
import uuid
from collections import ChainMap, namedtuple
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interpreters import interpreters
from thresher.store import data, values

HOUR = datetime.timezone(datetime.timedelta(hours=1), "X")
POINT = namedtuple("POINT", "x")

# object, its tree, its source
EXAMPLES = [
    (None, None, "None"),
    (True, True, "True"),
    (7, 7, "7"),
    (2**53, 2**53, "9007199254740992"),
    (2**53 + 1, {"int": "9007199254740993"}, "9007199254740993"),
    (-(2**64), {"int": "-18446744073709551616"}, "-18446744073709551616"),
    (16**600, {"int": "0x1" + "0" * 600}, "0x1" + "0" * 600),
    (1.5, 1.5, "1.5"),
    (-0.0, {"float": "-0.0"}, "-0.0"),
    (math.nan, {"float": "nan"}, "float('nan')"),
    (-math.inf, {"float": "-inf"}, "float('-inf')"),
    ("é", "é", "'é'"),
    ("\ud83d\ude00", {"str": "eda0bdedb880"}, r"'\ud83d\ude00'"),
    (b"\x00a", {"bytes": "0061"}, r"b'\x00a'"),
    (bytearray(b"a"), {"bytearray": "61"}, "bytearray(b'a')"),
    ([1, [2]], [1, [2]], "[1, [2]]"),
    ((), {"tuple": []}, "()"),
    ((1,), {"tuple": [1]}, "(1,)"),
    ((1, "a"), {"tuple": [1, "a"]}, "(1, 'a')"),
    ({}, {"dict": []}, "{}"),
    ({"b": 1, (2,): []}, {"dict": [["b", 1], [{"tuple": [2]}, []]]}, "{'b': 1, (2,): []}"),
    (set(), {"set": []}, "set()"),
    ({10, 9, "a", None}, {"set": [9, 10, None, "a"]}, "{9, 10, None, 'a'}"),
    (frozenset(), {"frozenset": []}, "frozenset()"),
    (frozenset([2, 1]), {"frozenset": [1, 2]}, "frozenset({1, 2})"),
    (complex(1, -0.0), {"complex": [1.0, {"float": "-0.0"}]}, "complex(1.0, -0.0)"),
    (range(3), {"range": [0, 3, 1]}, "range(0, 3, 1)"),
    (slice(None, "b"), {"slice": [None, "b", None]}, "slice(None, 'b', None)"),
    (..., {"ellipsis": None}, "Ellipsis"),
    (decimal.Decimal("1.10"), {"decimal": ["1.10"]}, "decimal.Decimal('1.10')"),
    (decimal.Decimal("-Infinity"), {"decimal": ["-Infinity"]}, "decimal.Decimal('-Infinity')"),
    (fractions.Fraction(1, 3), {"fraction": [1, 3]}, "fractions.Fraction(1, 3)"),
    (datetime.date(2020, 1, 2), {"date": [2020, 1, 2]}, "datetime.date(2020, 1, 2)"),
    (
        datetime.time(1, 2, fold=1),
        {"time": [1, 2, 0, 0, None, 1]},
        "datetime.time(1, 2, fold=1)",
    ),
    (
        datetime.datetime(2020, 1, 2, 3, tzinfo=HOUR),
        {"datetime": [2020, 1, 2, 3, 0, 0, 0, {"timezone": [{"timedelta": [0, 3600, 0]}, "X"]}, 0]},
        "datetime.datetime(2020, 1, 2, 3, 0, "
        "tzinfo=datetime.timezone(datetime.timedelta(seconds=3600), 'X'))",
    ),
    (
        datetime.timedelta(-1, 5),
        {"timedelta": [-1, 5, 0]},
        "datetime.timedelta(days=-1, seconds=5)",
    ),
    (
        uuid.UUID(int=5),
        {"uuid": ["00000000-0000-0000-0000-000000000005"]},
        "uuid.UUID('00000000-0000-0000-0000-000000000005')",
    ),
]


def evaluate(tree):
    """Run what render wrote, with nothing but the modules that imports names."""
    return eval(data.render(tree), {name: __import__(name) for name in data.imports(tree)})


@pytest.mark.parametrize(("obj", "tree", "source"), EXAMPLES)
def test_each_type_has_its_tree_and_source(obj, tree, source):
    assert json.dumps(values.encode(obj)) == json.dumps(tree)
    assert type(values.decode(tree)) is type(obj)
    assert values.encode(values.decode(tree)) == tree
    assert data.render(tree) == source
    assert data.equal(values.encode(evaluate(tree)), tree)


FLOATS = st.floats()
ZONES = st.none() | st.builds(
    datetime.timezone,
    st.timedeltas(datetime.timedelta(hours=-23), datetime.timedelta(hours=23)),
)
ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**700), 10**700),
    FLOATS,
    st.text(st.characters()),
    st.binary(),
    st.complex_numbers(),
    st.decimals(),
    st.fractions(),
    st.uuids(),
    st.dates(),
    st.times(timezones=ZONES),
    st.datetimes(timezones=ZONES),
    st.timedeltas(),
    st.builds(range, st.integers(), st.integers(), st.integers().filter(bool)),
    st.just(...),
)
KEYS = st.recursive(
    ATOMS.filter(lambda atom: not (type(atom) is decimal.Decimal and atom.is_snan())),
    lambda inner: st.frozensets(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple),
    max_leaves=6,
)
OBJECTS = st.recursive(
    ATOMS | KEYS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(KEYS, inner, max_size=4),
        st.sets(KEYS, max_size=4),
        st.binary().map(bytearray),
        st.builds(slice, inner, inner, inner),
    ),
    max_leaves=12,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | st.text(),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(max_size=3), inner, max_size=2),
        st.tuples(
            st.sampled_from([*values.CALLS, *values._SCALARS, *values._CONTAINERS]),
            inner,
        ).map(lambda pair: {pair[0]: pair[1]}),
    ),
    max_leaves=12,
)


@given(OBJECTS)
def test_json_round_trip_is_the_identity(obj):
    tree = values.encode(obj)
    again = json.loads(json.dumps(tree, allow_nan=False))
    assert again == tree
    assert json.dumps(values.encode(values.decode(again))) == json.dumps(tree)
    assert data.equal(tree, again)


@given(OBJECTS)
def test_render_evaluates_to_an_equal_value(obj):
    tree = values.encode(obj)
    assert data.equal(values.encode(evaluate(tree)), tree)


@given(OBJECTS, OBJECTS, st.sampled_from([0.0, 1e-6]))
def test_equal_is_reflexive_and_symmetric(one, other, tolerance):
    a, b = values.encode(one), values.encode(other)
    assert data.equal(a, a, tolerance, tolerance)
    assert data.equal(a, b, tolerance) == data.equal(b, a, tolerance)


@given(JSON, JSON)
@settings(max_examples=200)
def test_hostile_trees_never_raise_anything_but_value_error(good, bad):
    try:
        values.decode(bad)
    except ValueError:
        assert not data.equal(bad, bad)
        assert not data.equal(values.encode("a"), bad)
    else:
        assert data.equal(bad, bad)
        assert values.encode(values.decode(bad)) == bad
    assert data.equal(good, bad) == data.equal(bad, good)


DISTINCT = [
    [0, False, 0.0, -0.0, "0", b"0", None, decimal.Decimal(0), fractions.Fraction(0), 0j],
    [[], (), {}, set(), frozenset(), "", b"", bytearray()],
    [math.nan, math.inf, -math.inf, decimal.Decimal("nan"), "nan"],
    [{1: 0}, {True: 0}, {1.0: 0}, {1: False}, {"1": 0}],
    [{1}, {True}, {1.0}, frozenset([1]), [1], (1,)],
    [decimal.Decimal("1.1"), decimal.Decimal("1.10")],
    [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, fold=1)],
    [datetime.time(1), datetime.time(1, tzinfo=datetime.UTC), datetime.time(1, 1)],
]


@pytest.mark.parametrize("group", DISTINCT)
def test_lookalikes_differ(group):
    trees = [values.encode(obj) for obj in group]
    for i, a in enumerate(trees):
        for j, b in enumerate(trees):
            assert data.equal(a, b) == (i == j)


def same(a, b, relative=0.0, absolute=0.0):
    return data.equal(values.encode(a), values.encode(b), relative, absolute)


def test_dicts_and_sets_have_no_order():
    assert same({"a": 1, "b": [2]}, {"b": [2], "a": 1})
    assert same({"a", "b", 1}, {1, "b", "a"})
    assert not same({"a": 1, "b": 2}, {"a": 2, "b": 1})
    assert not same({"a": 1}, {"a": 1, "b": 2})


def test_insertion_order_of_dicts_is_kept():
    assert list(values.decode(values.encode({"b": 1, "a": 2}))) == ["b", "a"]


def test_tolerance_is_for_two_floats_only():
    assert same(1.0, 1.0 + 1e-9, relative=1e-6)
    assert not same(1.0, 1.0 + 1e-9)
    assert not same(1.0, 1.1, relative=1e-6)
    assert not same(10**30, 10**30 + 1, relative=1e-6)
    assert not same(1, 2, absolute=10.0)
    assert not same(1, 1.0, absolute=10.0)
    assert not same(decimal.Decimal(1), decimal.Decimal(2), absolute=10.0)
    assert same(0.0, -0.0, absolute=1e-9)
    assert same(-0.0, 1e-12, absolute=1e-9)
    assert same(math.inf, math.inf, relative=1e-6)
    assert not same(math.inf, 1e308, relative=0.5, absolute=1e300)
    assert same(math.nan, math.nan, absolute=1.0)


def test_tolerance_reaches_into_containers():
    near = 0.1 + 0.2
    assert same([(0.3, {"a": 0.3})], [(near, {"a": near})], relative=1e-9)
    assert same({0.3, 7.0}, {7.0, near}, relative=1e-9)
    assert same({(9.999999999999, "a"), (11.0, "b")}, {(10.0, "a"), (11.0, "b")}, relative=1e-9)
    assert same(complex(0.3, 1), complex(near, 1), relative=1e-9)
    assert not same({0.3: 1}, {near: 1}, relative=1e-9)


def test_a_set_with_near_or_unsorted_members_is_not_taken_for_another():
    assert not data.equal({"set": [0.1, 0.1000001]}, {"set": [0.1, 0.1]}, 1e-3)
    assert not data.equal({"set": [1.0, 2.0]}, {"set": [2.0, 1.0]}, 1e-3)


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"tuple": 1},
        {"tuple": [], "list": []},
        {"unknown": 1},
        {"int": "5"},
        {"int": 5},
        {"int": "1_000_000_000_000_000_000"},
        {"int": " 18446744073709551616"},
        {"int": "0x" + "F" * 20},
        {"float": "1.5"},
        {"float": "NaN"},
        {"float": 1.5},
        {"str": "61"},
        {"bytes": "6 1"},
        {"bytes": None},
        {"dict": {}},
        {"dict": ["ab"]},
        {"dict": [[1, 2], [True, 3]]},
        {"dict": [[[], 1]]},
        {"set": [2, 1]},
        {"set": [1, 1]},
        {"set": [[]]},
        {"complex": [1, 2]},
        {"range": [0, 1, 0]},
        {"range": [0, True, 1]},
        {"slice": [1]},
        {"ellipsis": 1},
        {"decimal": ["abc"]},
        {"decimal": ["1e5"]},
        {"fraction": [2, 4]},
        {"fraction": [1, 0]},
        {"date": [2020, 13, 1]},
        {"date": [2020, 1, True]},
        {"datetime": [2020, 1, 1]},
        {"timezone": [5]},
        {"uuid": ["5"]},
        math.nan,
        math.inf,
        -0.0,
        2**53 + 1,
        "\ud800",
        b"bytes",
        (1, 2),
    ],
)
def test_malformed_trees_are_refused(tree):
    with pytest.raises(ValueError, match="malformed value tree"):
        values.decode(tree)
    with pytest.raises(ValueError, match="malformed value tree"):
        data.render(tree)
    assert not data.equal(tree, tree)
    assert not data.equal([], tree)


def nest(wrap, depth):
    return functools.reduce(lambda tree, _: wrap(tree), range(depth), 0)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda tree: [tree],
        lambda tree: {"tuple": [tree]},
        lambda tree: {"dict": [[tree, 0]]},
        lambda tree: {"set": [tree]},
        lambda tree: {"float": tree},
        lambda tree: {"x": tree},
    ],
)
def test_deep_hostile_trees_do_not_crash(wrap):
    deep = nest(wrap, 100000)
    with pytest.raises(ValueError, match="malformed"):
        values.decode(deep)
    for good in ([], {"tuple": [1]}, {"dict": [[1, 0]]}, {"set": [1.5]}, 1.5):
        assert not data.equal(good, deep, 1e-6)
    while type(deep) in (list, dict):  # dismantled by hand: freeing it all at once is recursive
        deep = deep[0] if type(deep) is list else deep.popitem()[1]


def cyclic():
    loop = []
    loop.append({"a": (loop,)})
    return loop


def shared():
    part = []
    return [part, (part,)]


def doubled():
    return nest(lambda part: (part, part), 39)


class Colour(enum.IntEnum):
    RED = 1


class Text(str):
    __slots__ = ()


REFUSED = [
    (cyclic, "cyclic"),
    (shared, "shared"),
    (lambda: [bytearray(b"a")] * 2, "shared"),
    (lambda: nest(lambda part: [part], 41), "too-deep"),
    (doubled, "too-large"),
    (lambda: [0] * 200001, "too-large"),
    (lambda: "a" * 4000001, "too-large"),
    (lambda: 1 << 20000000, "too-large"),
    (lambda: Text("a"), f"type:{__name__}.Text"),
    (lambda: Colour.RED, f"type:{__name__}.Colour"),
    (lambda: POINT(1), f"type:{__name__}.POINT"),
    (lambda: ChainMap({}), "type:collections.ChainMap"),
    (lambda: [int], "type:builtins.type"),
    (lambda: {"a": len}, "type:builtins.builtin_function_or_method"),
    (lambda: uuid.UUID.__new__(uuid.UUID), "broken:AttributeError"),
]


@pytest.mark.parametrize(("make", "reason"), REFUSED)
def test_what_is_not_a_value_is_refused_by_name(make, reason):
    with pytest.raises(values.Unencodable) as caught:
        values.encode(make())
    assert caught.value.reason == reason


def test_an_immutable_object_may_be_reached_twice():
    part = (1, "a")
    assert values.encode([part, part]) == [{"tuple": [1, "a"]}, {"tuple": [1, "a"]}]


def test_deepest_value_renders_and_comes_back():
    deepest = nest(lambda part: frozenset([part]), values.MAX_DEPTH)
    tree = values.encode(deepest)
    assert evaluate(tree) == deepest


def test_limits_can_be_tightened():
    assert values.encode([1, [2]], max_nodes=3) == [1, [2]]
    with pytest.raises(values.Unencodable) as caught:
        values.encode([1, [2]], max_nodes=2)
    assert caught.value.reason == "too-large"
    with pytest.raises(values.Unencodable):
        values.encode(["abc", b"de"], max_text=6)


def test_no_code_of_a_hostile_object_runs():
    ran = []

    class Meta(type):
        def __hash__(cls):
            ran.append("hash")
            return hash(int)

        def __eq__(cls, other):
            ran.append("eq")
            return True

        def __getattribute__(cls, name):
            ran.append(name)
            return type.__getattribute__(cls, name)

    class Hostile(metaclass=Meta):
        def __getattribute__(self, name):
            ran.append(name)

    Hostile.__module__ = "decimal"
    ran.clear()
    with pytest.raises(values.Unencodable) as caught:
        values.encode([{"a": Hostile()}])
    assert caught.value.reason.startswith("type:decimal.test_no_code")
    assert ran == []


def test_a_lying_module_and_name_is_still_refused():
    liar = type("Decimal", (), {"__module__": "decimal", "__str__": operator.attrgetter("x")})
    with pytest.raises(values.Unencodable) as caught:
        values.encode(liar())
    assert caught.value.reason == "type:decimal.Decimal"


def test_odd_class_names_become_printable():
    odd = type("é", (), {"__module__": 5})
    assert values.type_name(odd) == "?.\\xe9"


def test_decimals_do_not_depend_on_the_context():
    with decimal.localcontext() as context:
        context.capitals = 0
        context.prec = 2
        assert values.encode(decimal.Decimal("1.234E+9")) == {"decimal": ["1.234E+9"]}
        assert values.decode({"decimal": ["1.234E+9"]}).as_tuple().digits == (1, 2, 3, 4)


def test_imports_names_every_module_once():
    tree = values.encode([decimal.Decimal(1), {datetime.date(2020, 1, 1): fractions.Fraction(1)}])
    assert data.imports(tree) == {"decimal", "datetime", "fractions"}
    assert data.imports([1, "decimal"]) == frozenset()


SCRIPT = """
import json, sys
namespace = {"__name__": "values"}
source, examples = json.load(sys.stdin)
exec(compile(source, "values.py", "exec"), namespace)
for tree, rendered, imports in examples:
    again = namespace["encode"](namespace["decode"](tree))
    assert json.dumps(again) == json.dumps(tree), tree
    value = eval(rendered, {name: __import__(name) for name in imports})
    assert json.dumps(namespace["encode"](value)) == json.dumps(tree), tree
print(len(examples))
"""


@pytest.mark.parametrize("path", [pytest.param(p, id=v) for v, p in interpreters().items()])
def test_the_file_works_on_every_interpreter(path):
    trees = [tree for _, tree, _ in EXAMPLES]
    trees.append(values.encode(nest(lambda part: frozenset([part]), values.MAX_DEPTH)))
    examples = [[tree, data.render(tree), sorted(data.imports(tree))] for tree in trees]
    source = Path(values.__file__).read_text()
    ran = subprocess.run(
        [path, "-c", SCRIPT],
        input=json.dumps([source, examples]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == (f"{len(trees)}\n", "")


@pytest.mark.parametrize(
    "tree",
    [
        {"fraction": ["1e999999999"]},
        {"fraction": [{"decimal": ["1E+999999999"]}]},
        {"range": [0, "9", 1]},
    ],
)
def test_what_would_take_for_ever_to_work_out_is_refused_first(tree):
    with pytest.raises(ValueError, match="made of integers"):
        values.decode(tree)
