"""Values of classes: instances, enums, classes and functions by name, standard containers."""

import builtins
import collections
import dataclasses
import enum
import functools
import json
import operator
import pathlib
import random
import re
import subprocess
import types
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interpreters import interpreters
from thresher.store import data, values


class Plain:
    def __init__(self, x):
        raise AssertionError("building runs no __init__")


class Slots:
    __slots__ = ("__hidden", "unset", "x")

    def __setattr__(self, name, value):
        raise AssertionError("building sets attributes without asking")


class Both(Slots):
    pass


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object


class Text(str):
    __slots__ = ()


class Number(int):
    pass


class Real(float):
    pass


class Raw(bytes):
    pass


class Row(list):
    def __len__(self):
        raise AssertionError("read by the methods of list")

    __iter__ = __getitem__ = __len__


class Table(dict):
    def __iter__(self):
        raise AssertionError("read by the methods of dict")

    keys = values = items = __getitem__ = __len__ = __iter__


class Bag(set):
    def __iter__(self):
        raise AssertionError("read by the methods of set")


class Fixed(frozenset):
    pass


class Own(ValueError):
    pass


class Colour(enum.Enum):
    RED = 1
    CRIMSON = 1

    def __eq__(self, other):
        raise AssertionError("compared by identity")

    __hash__ = None


class Level(enum.IntEnum):
    LOW = 1


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


Odd = enum.Enum("Odd", ["a b", "class"])
Point = collections.namedtuple("Point", "x y")


def function():
    pass


SPACE = {name: value for name, value in globals().items() if isinstance(value, type)}
SPACE["function"] = function


def name(thing):
    """Name what this module and the built-in ones hold."""
    for module, space in (("m", SPACE), ("builtins", vars(builtins))):
        for key, value in space.items():
            if value is thing:
                return f"{module}:{key}"
    return {operator.add: "operator:add", str.lower: "builtins:str.lower"}.get(thing)


def find(known):
    module, _, path = known.partition(":")
    start = types.SimpleNamespace(**SPACE) if module == "m" else __import__(module)
    return functools.reduce(getattr, path.split("."), start)


def build(kind, attributes=(), base=None):
    space = {}
    exec(values.BUILD, space)
    return space["build"](kind, dict(attributes), base)


def evaluate(tree):
    """Run what render wrote, with `build` and the modules that imports names."""
    space = {module: __import__(module) for module in data.imports(tree) - {"m"}}
    exec(values.BUILD, space)
    return eval(data.render(tree), space, {"m": types.SimpleNamespace(**SPACE)})


def encode(thing):
    return values.encode(thing, name=name)


def with_error(*arguments, **attributes):
    error = Own(*arguments)
    vars(error).update(attributes)
    return error


def filled(kind, **attributes):
    return build(kind, attributes)


# object, its tree, its source
EXAMPLES = [
    (filled(Plain, b=1, a=[2]), ["m:Plain", [["a", [2]], ["b", 1]], None]),
    (filled(Plain), ["m:Plain", [], None]),
    (filled(Slots, x=1, _Slots__hidden=2), ["m:Slots", [["_Slots__hidden", 2], ["x", 1]], None]),
    (filled(Both, x=1, own=2), ["m:Both", [["own", 2], ["x", 1]], None]),
    (Frozen(filled(Plain, x=1)), ["m:Frozen", [["x", {"instance": [0]}]], None]),
    (Point(1, "b"), ["m:Point", [], {"tuple": [1, "b"]}]),
    (build(Text, {}, "a"), ["m:Text", [], "a"]),
    (build(Number, {"x": 1}, 2**60), ["m:Number", [["x", 1]], {"int": str(2**60)}]),
    (build(Real, {}, -0.0), ["m:Real", [], {"float": "-0.0"}]),
    (build(Raw, {}, b"a"), ["m:Raw", [], {"bytes": "61"}]),
    (build(Row, {"x": 1}, [1, [2]]), ["m:Row", [["x", 1]], [1, [2]]]),
    (build(Table, {}, {"b": 1, "a": 2}), ["m:Table", [], {"dict": [["b", 1], ["a", 2]]}]),
    (build(Bag, {}, {2, 1}), ["m:Bag", [], {"set": [1, 2]}]),
    (build(Fixed, {}, frozenset([1])), ["m:Fixed", [], {"frozenset": [1]}]),
    (with_error("a", 1, x=2), ["m:Own", [["x", 2]], {"tuple": ["a", 1]}]),
    (KeyError("a"), ["builtins:KeyError", [], {"tuple": ["a"]}]),
]
EXAMPLES[4][1][1][0][1]["instance"] = ["m:Plain", [["x", 1]], None]


@pytest.mark.parametrize(("thing", "parts"), EXAMPLES)
def test_an_instance_is_its_state(thing, parts):
    tree = encode(thing)
    assert json.dumps(tree) == json.dumps({"instance": parts})
    assert type(values.decode(tree)) is values.Placeholder
    assert values.encode(values.decode(tree)) == tree
    for again in (values.decode(tree, find), evaluate(tree)):
        assert type(again) is type(thing)
        assert encode(again) == tree


SOURCES = [
    (filled(Plain, x=1), "build(m.Plain, {'x': 1})"),
    (Point(1, 2), "build(m.Point, {}, (1, 2))"),
    (Colour.CRIMSON, "m.Colour.RED"),
    (Odd["a b"], "m.Odd['a b']"),
    (Odd["class"], "m.Odd['class']"),
    (Level.LOW, "m.Level.LOW"),
    (len, "len"),
    (int, "int"),
    (str.lower, "str.lower"),
    (operator.add, "operator.add"),
    (function, "m.function"),
    (Plain, "m.Plain"),
    (
        collections.OrderedDict([("b", 1), ("a", 2)]),
        "collections.OrderedDict((('b', 1), ('a', 2)))",
    ),
    (collections.defaultdict(list, {"a": [1]}), "collections.defaultdict(list, {'a': [1]})"),
    (collections.defaultdict(None, {}), "collections.defaultdict(None, {})"),
    (collections.Counter("aab"), "collections.Counter({'a': 2, 'b': 1})"),
    (collections.deque([1, 2], 3), "collections.deque((1, 2), 3)"),
    (collections.deque(), "collections.deque((), None)"),
    (re.compile("a+", re.I), "re.compile('a+', 34)"),
    (re.compile(b"a"), "re.compile(b'a', 0)"),
    (pathlib.PurePosixPath("a/b"), "pathlib.PurePosixPath('a/b')"),
    (pathlib.PosixPath("/a"), "pathlib.PosixPath('/a')"),
    (types.SimpleNamespace(b=1, a=[2]), "types.SimpleNamespace(**{'b': 1, 'a': [2]})"),
    (types.MappingProxyType({"a": 1}), "types.MappingProxyType({'a': 1})"),
]


@pytest.mark.parametrize(("thing", "source"), SOURCES)
def test_each_has_its_source_and_comes_back(thing, source):
    tree = encode(thing)
    assert data.render(tree) == source
    assert values.encode(values.decode(tree)) == tree
    for again in (values.decode(tree, find), evaluate(tree)):
        assert type(again) is type(thing)
        assert encode(again) == tree
    assert data.equal(tree, json.loads(json.dumps(tree)))


def cyclic():
    loop = filled(Plain)
    loop.x = loop
    return loop


def shared():
    part = filled(Plain)
    return [part, part]


class Hidden:
    __dict__ = property(lambda self: 1)


def swapped_dictionary():
    thing = filled(Plain)
    thing.__dict__ = Table()
    return thing


def odd_attribute():
    thing = filled(Plain)
    vars(thing)["__class__"] = int
    return thing


ENDED = []


class Ends:
    def __del__(self):
        ENDED.append(self)


class OfC(functools.partial):
    pass


class OfOther(random.Random):
    pass


class WithState(OSError):
    pass


REFUSED = [
    (cyclic, "cyclic"),
    (shared, "shared"),
    (lambda: [collections.deque()] * 2, "shared"),
    (swapped_dictionary, f"type:{__name__}.Plain"),
    (lambda: Hidden(), f"type:{__name__}.Hidden"),
    (odd_attribute, f"type:{__name__}.Plain"),
    (lambda: Mode.READ | Mode.WRITE, f"type:{__name__}.Mode"),
    (lambda: object(), "type:builtins.object"),
    (lambda: OfC(len), f"type:{__name__}.OfC"),
    (lambda: OfOther(1), f"type:{__name__}.OfOther"),
    (lambda: WithState(1, "a"), f"type:{__name__}.WithState"),
    (lambda: OSError(1, "a"), "type:builtins.PermissionError"),
    (lambda: collections.OrderedDict({Point(1, 2): 1}), "type:collections.OrderedDict"),
    (lambda: types.MappingProxyType(Table()), "type:builtins.mappingproxy"),
    (lambda: [].append, "type:builtins.builtin_function_or_method"),
    (lambda: lambda: 1, "type:builtins.function"),
]


@pytest.mark.parametrize(("make", "reason"), REFUSED)
def test_what_has_a_state_out_of_sight_is_refused(make, reason):
    def known(thing):
        return "m:X" if isinstance(thing, type) else None

    with pytest.raises(values.Unencodable) as caught:
        values.encode(make(), name=known)
    assert caught.value.reason == reason


def test_what_does_something_at_its_end_is_not_copied():
    with pytest.raises(values.Unencodable, match="are not values"):
        values.encode(Ends(), name=lambda thing: "m:Ends")
    assert len(ENDED) == 1


def test_nothing_is_named_unless_asked():
    for thing in (filled(Plain), Point(1, 2), Colour.RED, len, int, KeyError("a")):
        with pytest.raises(values.Unencodable, match="are not values"):
            values.encode(thing)
        with pytest.raises(values.Unencodable, match="are not values"):
            values.encode(thing, name=lambda thing: None)


def test_no_code_of_a_class_runs():
    ran = []

    class Meta(type):
        def __getattribute__(cls, name):
            ran.append(name)
            return type.__getattribute__(cls, name)

        def __call__(cls, *args):
            ran.append("call")

        def __hash__(cls):
            ran.append("hash")
            return 1

        def __instancecheck__(cls, thing):
            ran.append("instancecheck")
            return True

        __subclasscheck__ = __eq__ = __instancecheck__

    class Key(str):
        def __eq__(self, other):
            ran.append("eq")
            return True

        def __hash__(self):
            return hash("__dict__")

    class Loud(metaclass=Meta):
        __slots__ = ("__dict__", "x")

        def __getattribute__(self, name):
            ran.append(name)
            return 1

        __class__ = property(lambda self: int)
        __iter__ = __len__ = __hash__ = __bool__ = __repr__ = __getattribute__
        __reduce_ex__ = __getstate__ = __setattr__ = __eq__ = __new__ = __getattribute__

    loud = object.__new__(Loud)
    object.__setattr__(loud, "x", 1)
    object.__setattr__(loud, "y", (Loud,))
    type.__setattr__(Loud, "z", Key("a"))
    ran.clear()
    tree = values.encode(loud, name=lambda thing: "m:Loud")
    attributes = [["x", 1], ["y", {"tuple": [{"global": "m:Loud"}]}]]
    assert (tree, ran) == ({"instance": ["m:Loud", attributes, None]}, [])
    values.decode(tree, lambda name: Loud)
    assert ran == []


@pytest.mark.parametrize(
    "tree",
    [
        {"global": "a b"},
        {"global": "eval('1')"},
        {"global": "m:lambda"},
        {"global": "m:f.<locals>.g"},
        {"global": ":f"},
        {"global": "a:b:c"},
        {"global": 1},
        {"enum": ["m:Colour"]},
        {"enum": ["m:Colour", 1]},
        {"enum": ["m:Colour", "__class__"]},
        {"enum": {"a": 1, "b": 2}},
        {"instance": ["m:P", []]},
        {"instance": ["m:P", [], None, 1]},
        {"instance": ["m:P", {}, None]},
        {"instance": ["m:P", [["x"]], None]},
        {"instance": ["m:P", [["__class__", 1]], None]},
        {"instance": ["m:P", [["y", 1], ["x", 1]], None]},
        {"instance": ["m:P", [["x", 1], ["x", 1]], None]},
        {"instance": ["m:P", [["x", {"bad": 1}]], None]},
        {"instance": ["m:P", [], {"global": "len"}]},
        {"instance": ["m:P", [], {"complex": [1.0, 1.0]}]},
        {"instance": ["m b", [], None]},
        {"set": [{"enum": ["m:C", "A"]}, {"enum": ["m:C", "A"]}]},
        {"set": [{"enum": ["m:C", "B"]}, {"enum": ["m:C", "A"]}]},
        {"deque": [{"range": [0, 10**15, 1]}, None]},
        {"counter": [{"range": [0, 10**15, 1]}]},
        {"ordereddict": [{"range": [0, 10**15, 1]}]},
        {"namespace": [{"dict": [[1, 2]]}]},
        {"defaultdict": [1, {"dict": []}]},
        {"defaultdict": [None, {"range": [0, 10**15, 1]}]},
        {"pattern": [1, 32]},
        {"pattern": ["a", True]},
        {"pattern": ["a"]},
        {"purepath": ["a//b"]},
    ],
)
def test_malformed_trees_are_refused(tree):
    with pytest.raises(ValueError, match="malformed value tree"):
        values.decode(tree)
    assert not data.equal(tree, tree)


def test_a_pattern_is_compiled_only_where_things_are_found():
    tree = {"pattern": ["(", 32]}
    assert type(values.decode(tree)) is values.Placeholder
    with pytest.raises(ValueError, match="malformed"):
        values.decode(tree, find)


def test_lookalikes_differ():
    trees = [
        *map(encode, (Point(1, 2), (1, 2), Text("a"), "a", Level.LOW, 1, build(Number, {}, 1))),
        *map(encode, (filled(Plain, x=1), filled(Plain, x=2), filled(Plain), Plain, len)),
        *map(encode, ({"a": 1}, collections.Counter("a"), collections.OrderedDict(a=1))),
    ]
    for i, a in enumerate(trees):
        for j, b in enumerate(trees):
            assert data.equal(a, b) == (i == j)


def test_order_and_tolerance_reach_into_instances():
    a, b = filled(Plain, x={"a": 1.0, "b": 2}), filled(Plain, x={"b": 2, "a": 1.0 + 1e-9})
    assert data.equal(encode(a), encode(b), relative=1e-6)
    assert not data.equal(encode(a), encode(b))


def test_names_are_found_and_changed_everywhere():
    known = {Plain: "p.q:Plain", Colour: "p:Out.Colour", len: "builtins:len"}
    thing = [{"a": Colour.RED}, filled(Plain, x=(Plain, {len}))]
    tree = values.encode([thing, len, Colour.RED], name=lambda thing: known.get(thing))
    assert data.names(tree) == {"p.q:Plain", "p:Out.Colour", "builtins:len"}
    assert data.imports(tree) == {"p.q", "p"}
    again = data.renamed(tree, {"p.q:Plain": "Plain", "p:Out.Colour": "Colour"})
    assert data.names(again) == {"Plain", "Colour", "builtins:len"}
    assert data.render(again) == (
        "[[{'a': Colour.RED}, build(Plain, {'x': (Plain, {len})})], len, Colour.RED]"
    )


def test_sets_stay_in_order_when_their_members_are_renamed():
    tree = {"set": [{"global": "a"}, {"global": "b"}]}
    again = data.renamed(tree, {"a": "c"})
    assert again == {"set": [{"global": "b"}, {"global": "c"}]}
    assert data.equal(again, data.renamed(again, {}))


NAMES = st.sampled_from(["m:A", "m:B.C", "D", "builtins:len"])
TREES = st.recursive(
    st.one_of(
        st.integers(-9, 9),
        st.text(max_size=2),
        NAMES.map(lambda name: {"global": name}),
        st.tuples(NAMES, st.sampled_from(["RED", "a b"])).map(lambda pair: {"enum": [*pair]}),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(lambda items: {"tuple": items}),
        st.lists(inner, max_size=3).map(lambda items: {"deque": [{"tuple": items}, None]}),
        st.dictionaries(st.text(max_size=2), inner, max_size=3).map(
            lambda held: {"namespace": [{"dict": [list(pair) for pair in held.items()]}]}
        ),
        st.tuples(
            NAMES,
            st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            st.none() | st.lists(inner, max_size=2),
        ).map(
            lambda parts: {
                "instance": [
                    parts[0],
                    [list(p) for p in sorted(parts[1].items(), key=lambda p: p[0])],
                    parts[2],
                ]
            }
        ),
    ),
    max_leaves=10,
)


@given(TREES)
def test_trees_survive_placeholders_renaming_and_json(tree):
    assert values.encode(values.decode(tree)) == tree
    assert data.equal(tree, json.loads(json.dumps(tree)))
    there = {name: "x:" + name.rpartition(":")[2] for name in data.names(tree)}
    moved = data.renamed(tree, there)
    assert data.names(moved) == set(there.values())
    assert values.encode(values.decode(moved)) == moved
    compile(data.render(moved), "rendered", "eval")


SCRIPT = """
import collections, enum, json, pathlib, re, sys, types
namespace = {"__name__": "values"}
exec(compile(sys.stdin.read(), "values.py", "exec"), namespace)
class Plain: pass
class Slots: __slots__ = ("x", "y")
class Row(list): pass
class Own(ValueError): pass
class Colour(enum.Enum): RED = 1
Point = collections.namedtuple("Point", "x")
known = {kind.__name__: kind for kind in (Plain, Slots, Row, Own, Colour, Point, list)}
def name(thing):
    return "m:" + thing.__name__ if thing in known.values() else None
def find(name):
    return known[name.split(":")[1]]
plain, slots, row = Plain(), Slots(), Row([1])
plain.b, plain.a, slots.x, row.more = 1, slots, (), {}
things = [
    plain, row, Own("a", 1), Colour.RED, Point(2), list, re.compile("a", re.I),
    pathlib.PurePosixPath("a/b"), collections.Counter("aa"), collections.deque([1], 2),
    collections.OrderedDict([(2, 1), (1, 2)]), collections.defaultdict(list, a=[1]),
    types.SimpleNamespace(x=1), types.MappingProxyType({"a": 1}),
]
trees = [namespace["encode"](thing, name=name) for thing in things]
for thing, tree in zip(things, trees):
    assert namespace["encode"](namespace["decode"](tree)) == tree, tree
    again = namespace["decode"](tree, find)
    assert type(again) is type(thing), tree
    assert namespace["encode"](again, name=name) == tree, tree
print(json.dumps(trees))
"""


@functools.cache
def trees_of(path):
    source = Path(values.__file__).read_text()
    argv = [path, "-W", "error", "-c", SCRIPT]
    ran = subprocess.run(argv, input=source, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    return json.loads(ran.stdout)


@pytest.mark.parametrize("path", [pytest.param(p, id=v) for v, p in interpreters().items()])
def test_every_interpreter_gives_the_same_trees(path):
    assert trees_of(path) == trees_of(interpreters()["3.11"])
