"""Values as data: encode Python objects as JSON trees, and decode them.

None, booleans, text, finite floats, small integers and lists stand for themselves; everything
else is an object with one key, ``{tag: payload}``. Instances of other classes are read from their
own dictionary and slots. No method of their class is ever called, so a hostile object can't run
code or lie here. Classes and functions are data by their NAME: ``module:Qual.Name``, or without a
module where they are part of the program at hand.

This file stands alone and runs on Python 3.6 and later: copies of it go into sandboxes and traced
environments, where every process loads it (hence the late imports).
"""
# ruff: noqa: B905, N818  (no zip(strict=) on 3.6; the name is part of the interface)

import enum
import gc
import keyword
import math
import re
import types
from collections import Counter, OrderedDict, defaultdict, deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

    Namer = Callable[[Any], Optional[str]]
    Finder = Optional[Callable[[str], Any]]

MAX_DEPTH = 40  # Python 3.6 can't parse what `render` writes for 45 nested frozensets
MAX_NODES, MAX_TEXT = 200000, 4000000
MAX_OUTPUTS = 50  # of a generator, recorded and compared
BUILD = '''\
def build(kind, attributes, base=None):
    """Make an instance as it was found: its __init__ is not run."""
    if base is None:
        made = object.__new__(kind)
    elif issubclass(kind, BaseException):
        made = BaseException.__new__(kind, *base)
    else:
        made = type(base).__new__(kind, base)
        if isinstance(base, (list, dict, set)):
            type(base).__init__(made, base)
    for name, value in attributes.items():
        object.__setattr__(made, name, value)
    return made
'''  # what `render` writes for instances calls it

_JSON_INT = 2**53  # above it, readers that keep numbers as doubles lose digits
_DECIMAL_INT = 10**600  # shorter than any limit that sys.set_int_max_str_digits accepts
MALFORMED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    re.error,
)
# What a class or an object says of itself may be a lie: these read what the interpreter has.
_MODULE, _QUALNAME, _MRO, _SPACE, _FLAGS, _SIZE, _DICT_OFFSET = (
    type.__dict__["__%s__" % name].__get__
    for name in ("module", "qualname", "mro", "dict", "flags", "basicsize", "dictoffset")
)
_HEAP, _ABSTRACT, _CLASS = 1 << 9, 1 << 20, 1 << 31  # bits of `_FLAGS`
_KEYS, _VALUES, _ALL = dict.keys, dict.values, slice(None)


class Unencodable(ValueError):
    """An object can't be a value.

    `reason` is ``cyclic``, ``shared``, ``too-deep``, ``too-large``, ``type:module.QualName`` or
    ``broken:ExceptionName``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def type_name(kind: type) -> str:
    """Return ``module.QualName`` of a class as printable ASCII, without running its metaclass."""
    parts = [part if type(part) is str else "?" for part in (_MODULE(kind), _QUALNAME(kind))]
    return ".".join(parts)[:200].encode("ascii", "backslashreplace").decode("ascii")


class _Walk:
    """What one encoding may still spend, and the mutable containers it has met."""

    __slots__ = ("name", "nodes", "seen", "text")

    def __init__(self, nodes: int, text: int, name: "Optional[Namer]") -> None:
        self.nodes, self.text, self.name = nodes, text, name
        self.seen = {}  # type: Dict[int, str]

    def spend(self, length: int) -> None:
        self.text -= length
        if self.text < 0:
            raise Unencodable("too-large", "the object holds too much text to be a value")

    def enter(self, container: object, state: str = "cyclic") -> None:
        met = self.seen.get(id(container))
        if met:
            raise Unencodable(met, "a mutable container is reachable twice (%s)" % met)
        self.seen[id(container)] = state


def encode(
    obj: object,
    max_nodes: int = MAX_NODES,
    max_text: int = MAX_TEXT,
    name: "Optional[Namer]" = None,
) -> "Any":
    """Return any object as a tree: plain JSON data.

    Args:
        obj: the object.
        max_nodes: how many objects it may hold.
        max_text: how many characters its texts, bytes and numbers may take together.
        name: gives the NAME of a class or function, or None where it has none; without it, these
            and all instances that have no tag of their own are refused.

    Raises:
        Unencodable: `obj` is or holds something that is not a value; `reason` says what.
    """
    try:
        return _tree(obj, _Walk(max_nodes, max_text, name), 0)
    except Unencodable:
        raise
    except Exception as error:  # no stack left, a container changing in another thread
        kind = type_name(type(error)).rpartition(".")[2]
        raise Unencodable("broken:" + kind, "the object can't be read (%s)" % kind) from None


def _tree(obj: "Any", walk: _Walk, depth: int) -> "Any":
    # by id, because looking a class up by itself would call its metaclass
    return (_ENCODERS.get(id(type(obj))) or _late_encoder(obj))(obj, walk, depth)


def _late_encoder(obj: object) -> "Callable[[Any, _Walk, int], Any]":
    """Find the encoder of a type whose module is imported only once such an object turns up."""
    tag = _LATE_TAGS.get(type_name(type(obj)))
    if tag is None or type(obj) is not _class(tag):
        return _encode_other
    _KEPT_ALIVE.append(type(obj))  # its id is a key from now on
    return _ENCODERS.setdefault(id(type(obj)), _call_encoder(tag))


def _class(tag: str) -> "Any":
    module, _, attribute = CALLS[tag][0].rpartition(".")
    return getattr(__import__(module or "builtins"), attribute)


def _encode_int(obj: int, walk: _Walk, depth: int) -> "Any":
    if -_JSON_INT <= obj <= _JSON_INT:
        return obj
    walk.spend(obj.bit_length() // 4)
    return {"int": str(obj) if -_DECIMAL_INT < obj < _DECIMAL_INT else hex(obj)}


def _encode_float(obj: float, walk: _Walk, depth: int) -> "Any":
    plain = obj - obj == 0.0 and (obj or math.copysign(1.0, obj) > 0.0)
    return obj if plain else {"float": repr(obj)}


def _encode_str(obj: str, walk: _Walk, depth: int) -> "Any":
    walk.text -= len(obj)
    if walk.text < 0:
        walk.spend(0)
    try:
        obj.encode()
    except UnicodeEncodeError:
        return {"str": obj.encode("utf-8", "surrogatepass").hex()}
    return obj


def _encode_bytes(obj: "Any", walk: _Walk, depth: int) -> "Any":
    walk.spend(2 * len(obj))
    if type(obj) is bytearray:
        walk.enter(obj, "shared")
    return {type(obj).__name__: obj.hex()}


def _children(items: "Any", walk: _Walk, depth: int) -> "List[Any]":
    if depth >= MAX_DEPTH:
        raise Unencodable("too-deep", "the object is nested more than %d deep" % MAX_DEPTH)
    walk.nodes -= len(items)
    if walk.nodes < 0:
        raise Unencodable("too-large", "the object holds too many others to be a value")
    find, below = _ENCODERS.get, depth + 1  # `_tree`, written out for speed
    return [(find(id(type(item))) or _late_encoder(item))(item, walk, below) for item in items]


def _encode_items(obj: "Any", walk: _Walk, depth: int) -> "Any":
    kind = type(obj)
    if kind is tuple:
        return {"tuple": _children(obj, walk, depth)}
    if kind is frozenset:
        return {"frozenset": sorted(_children(obj, walk, depth), key=order)}
    walk.enter(obj)
    trees = _children(obj, walk, depth)
    walk.seen[id(obj)] = "shared"
    return trees if kind is list else {"set": sorted(trees, key=order)}


def _encode_dict(obj: "Dict[Any, Any]", walk: _Walk, depth: int) -> "Any":
    walk.enter(obj)
    tree = _entries(obj, walk, depth)
    walk.seen[id(obj)] = "shared"
    return tree


def _entries(obj: "Dict[Any, Any]", walk: _Walk, depth: int) -> "Any":
    keys = _children(list(_KEYS(obj)), walk, depth)
    values = _children(list(_VALUES(obj)), walk, depth)
    return {"dict": [list(pair) for pair in zip(keys, values)]}


def order(tree: "Any") -> "Tuple[Any, ...]":
    """Return a sort key: total over trees, numeric for numbers, the same in every process."""
    kind = type(tree)
    if kind is int or kind is float:
        return (0, tree, kind is float)
    if kind is list:
        return (2, [order(item) for item in tree])
    if kind is dict:
        return (3, [(tag, order(payload)) for tag, payload in tree.items()])
    return (1, kind.__name__, str(tree))


def _ints(*numbers: "Any") -> "Tuple[int, ...]":
    if any(type(number) is not int for number in numbers):
        raise TypeError("an old range, a Fraction or a UUID holds an integer of another type")
    return numbers


def _clock(obj: "Any") -> "Tuple[Any, ...]":
    return obj.hour, obj.minute, obj.second, obj.microsecond, obj.tzinfo, obj.fold


class _Entries:
    """The built-in part of an object derived from dict, to be encoded as a dict."""

    __slots__ = ("of",)

    def __init__(self, of: "Any") -> None:
        self.of = of


def _pairs(obj: "OrderedDict[Any, Any]") -> "Tuple[Any, ...]":
    if any(id(type(key)) not in _ENCODERS for key in _KEYS(obj)):
        raise _refused(OrderedDict)  # going through them would run the __hash__ of such keys
    return tuple(obj.items())


def _behind(obj: "Mapping[Any, Any]") -> "List[Any]":
    behind = gc.get_referents(obj)  # by its own methods, those of another mapping would run
    if type(behind[0]) is not dict:
        raise _refused(types.MappingProxyType)
    return behind


# tag: (the class that makes the object, its arguments read back from the object)
CALLS = {
    "complex": ("complex", lambda obj: (obj.real, obj.imag)),
    "range": ("range", lambda obj: _ints(obj.start, obj.stop, obj.step)),
    "slice": ("slice", lambda obj: (obj.start, obj.stop, obj.step)),
    # the case of the exponent depends on the program's decimal context
    "decimal": ("decimal.Decimal", lambda obj: (str(obj).replace("e", "E"),)),
    "fraction": ("fractions.Fraction", lambda obj: _ints(obj.numerator, obj.denominator)),
    "uuid": ("uuid.UUID", lambda obj: _ints(obj.int) and (str(obj),)),
    "date": ("datetime.date", lambda obj: (obj.year, obj.month, obj.day)),
    "time": ("datetime.time", _clock),
    "datetime": ("datetime.datetime", lambda obj: (obj.year, obj.month, obj.day) + _clock(obj)),
    "timedelta": ("datetime.timedelta", lambda obj: (obj.days, obj.seconds, obj.microseconds)),
    "timezone": ("datetime.timezone", lambda obj: obj.__getinitargs__()),
    "path": ("pathlib.PosixPath", lambda obj: (str(obj),)),
    "purepath": ("pathlib.PurePosixPath", lambda obj: (str(obj),)),
    "ordereddict": ("collections.OrderedDict", lambda obj: (_pairs(obj),)),
    "counter": ("collections.Counter", lambda obj: (_Entries(obj),)),
    "defaultdict": (
        "collections.defaultdict",
        lambda obj: (obj.default_factory, _Entries(obj)),
    ),
    "deque": ("collections.deque", lambda obj: (tuple(obj), obj.maxlen)),
    "namespace": ("types.SimpleNamespace", lambda obj: (obj.__dict__,)),
    "mappingproxy": ("types.MappingProxyType", _behind),
    "pattern": ("re.compile", lambda obj: (obj.pattern, obj.flags)),
}  # type: Dict[str, Tuple[str, Callable[[Any], Any]]]
_EAGER = {
    "complex": complex,
    "range": range,
    "slice": slice,
    "ordereddict": OrderedDict,
    "counter": Counter,
    "defaultdict": defaultdict,
    "deque": deque,
    "namespace": types.SimpleNamespace,
    "mappingproxy": types.MappingProxyType,
    "pattern": type(re.compile("")),
}  # type: Dict[str, type]
_MUTABLE = {"ordereddict", "counter", "defaultdict", "deque", "namespace"}
# What decoding insists on, since others would be worked out for ever before they are refused:
# "1e999999999" as a Fraction, a deque of a long range. Of integers all arguments are, else one.
_MADE_OF = {
    "fraction": (int, "integers"),
    "range": (int, "integers"),
    "ordereddict": (tuple, "a tuple"),
    "counter": (dict, "a dict"),
    "deque": (tuple, "a tuple"),
    "namespace": (dict, "a dict"),
    "mappingproxy": (dict, "a dict"),
}  # type: Dict[str, Tuple[type, str]]


def _call_encoder(tag: str) -> "Callable[[Any, _Walk, int], Any]":
    arguments = CALLS[tag][1]

    def encode_mutable(obj: "Any", walk: _Walk, depth: int) -> "Any":
        walk.enter(obj)
        tree = {tag: _children(arguments(obj), walk, depth)}
        walk.seen[id(obj)] = "shared"
        return tree

    if tag in _MUTABLE:
        return encode_mutable
    return lambda obj, walk, depth: {tag: _children(arguments(obj), walk, depth)}


def _refused(kind: type) -> Unencodable:
    name = type_name(kind)
    return Unencodable("type:" + name, "objects of type %s are not values" % name)


def _encode_other(obj: "Any", walk: _Walk, depth: int) -> "Any":
    """Encode a class or function by its name, an object by its class's name and its state."""
    kind = type(obj)
    nameable = _FLAGS(kind) & _CLASS or id(kind) in _FUNCTIONS
    name = walk.name(obj if nameable else kind) if walk.name else None
    if name is None:
        raise _refused(kind)
    walk.spend(len(name))
    if nameable:
        return {"global": name}
    layout = _LAYOUTS.get(id(kind)) or _LAYOUTS.setdefault(id(kind), _Layout(kind))
    if issubclass(type(kind), enum.EnumMeta):
        return {"enum": [name, layout.member(obj)]}
    return {"instance": [name] + layout.state(obj, walk, depth)}


class _Layout:
    """Where the instances of a class keep their state: found once, without asking the class."""

    def __init__(self, kind: "Any") -> None:
        self.kind = kind  # alive, its id isn't given to another
        self.slots = {}  # type: Dict[str, Callable[[Any], Any]]
        self.own = None  # type: Optional[Callable[[Any], Any]]
        self.static = next(owner for owner in _MRO(kind) if not _FLAGS(owner) & _HEAP)
        if issubclass(self.static, BaseException) and _SIZE(self.static) == _SIZE(BaseException):
            self.static = BaseException  # the others keep more than their arguments
        for owner in _MRO(kind):
            for key, value in _texts(_SPACE(owner)):
                if key == "__del__":
                    raise _refused(kind)  # it would run for every copy
                if type(value) is types.GetSetDescriptorType and key == "__dict__":
                    self.own = value.__get__
                if type(value) is types.MemberDescriptorType and _FLAGS(owner) & _HEAP:
                    self.slots[key] = value.__get__
        self._refuse_hidden()

    def _refuse_hidden(self) -> None:
        """Refuse a class whose instances have a state that is out of sight."""
        kind, static = self.kind, self.static
        hidden = _DICT_OFFSET(kind) and not self.own
        if static is kind or id(static) not in _BASES or _FLAGS(kind) & _ABSTRACT or hidden:
            raise _refused(kind)
        try:
            static.__new__(kind)  # fails where a class written in C comes between the two
        except TypeError:
            raise _refused(kind) from None

    def attributes(self, obj: "Any") -> "Dict[str, Any]":
        """Return what an instance holds in its slots and dictionary."""
        held = {}
        for name, read in self.slots.items():
            try:
                held[name] = read(obj)
            except AttributeError:  # it has no value
                continue
        own = self.own(obj) if self.own else {}
        if type(own) is not dict:
            raise _refused(self.kind)
        held.update(own)
        return held

    def member(self, obj: "Any") -> str:
        """Return the name of an enum's member; combined flags have none."""
        members = dict(_texts(_SPACE(self.kind)))["_member_map_"]
        name = self.attributes(obj).get("_name_")
        known = dict(_texts(members))
        if type(name) is not str or known.get(name) is not obj or not _is_attribute(name):
            raise _refused(self.kind)
        return name

    def state(self, obj: "Any", walk: _Walk, depth: int) -> "List[Any]":
        """Return the trees of an instance's attributes and of its built-in part."""
        held = self.attributes(obj)
        if not all(map(_is_attribute, held)):
            raise _refused(self.kind)
        mutable = bool(held) or self.static in (object, list, dict, set)
        if mutable:
            walk.enter(obj)
        names = sorted(held)
        walk.spend(sum(map(len, names)))
        trees = _children([held[name] for name in names], walk, depth)
        base = _BASES[id(self.static)](obj, walk, depth + 1)
        if mutable:
            walk.seen[id(obj)] = "shared"
        return [[list(pair) for pair in zip(names, trees)], base]


def _texts(space: "Mapping[Any, Any]") -> "Iterator[Tuple[str, Any]]":
    """Yield the entries whose keys are plain text; looking one up could run another's __eq__."""
    return ((key, value) for key, value in list(space.items()) if type(key) is str)


def _is_attribute(name: object) -> bool:
    """Tell whether this may be written as the name of an attribute; not ``__class__``, say."""
    if type(name) is not str or (name[:2] == "__" == name[-2:]):
        return False
    return type(encode(name)) is str


_FUNCTIONS = {
    id(type(function)) for function in (type_name, len, str.lower, str.__len__, dict.fromkeys)
}
_LAYOUTS = {}  # type: Dict[int, _Layout]
_EXCEPTION_ARGUMENTS = BaseException.__dict__["args"].__get__
# The built-in parts of objects of other classes, read by the built-in's own methods.
_BASES = {
    id(object): lambda obj, walk, depth: None,
    id(str): lambda obj, walk, depth: _encode_str(str.__str__(obj), walk, depth),
    id(int): lambda obj, walk, depth: _encode_int(int.__int__(obj), walk, depth),
    id(float): lambda obj, walk, depth: _encode_float(float.__float__(obj), walk, depth),
    id(bytes): lambda obj, walk, depth: _encode_bytes(bytes.__getitem__(obj, _ALL), walk, depth),
    id(tuple): lambda obj, walk, depth: {
        "tuple": _children(tuple.__getitem__(obj, _ALL), walk, depth)
    },
    id(list): lambda obj, walk, depth: _children(list.__getitem__(obj, _ALL), walk, depth),
    id(dict): _entries,
    id(set): lambda obj, walk, depth: {
        "set": sorted(_children(list(set.__iter__(obj)), walk, depth), key=order)
    },
    id(frozenset): lambda obj, walk, depth: {
        "frozenset": sorted(_children(list(frozenset.__iter__(obj)), walk, depth), key=order)
    },
    id(BaseException): lambda obj, walk, depth: {
        "tuple": _children(_EXCEPTION_ARGUMENTS(obj), walk, depth)
    },
}  # type: Dict[int, Callable[[Any, _Walk, int], Any]]


class Placeholder:
    """What stands for an object of a class that isn't at hand: inert, and equal to itself only."""

    __slots__ = ("tree",)

    def __init__(self, tree: "Any") -> None:
        self.tree = tree

    def __eq__(self, other: object) -> bool:
        return type(other) is Placeholder and repr(self.tree) == repr(other.tree)

    def __hash__(self) -> int:
        return hash(repr(self.tree))


_ENCODERS = {
    id(type(None)): lambda obj, walk, depth: obj,
    id(type(...)): lambda obj, walk, depth: {"ellipsis": None},
    id(bool): lambda obj, walk, depth: obj,
    id(int): _encode_int,
    id(float): _encode_float,
    id(str): _encode_str,
    id(bytes): _encode_bytes,
    id(bytearray): _encode_bytes,
    id(list): _encode_items,
    id(tuple): _encode_items,
    id(dict): _encode_dict,
    id(set): _encode_items,
    id(frozenset): _encode_items,
    id(Placeholder): lambda obj, walk, depth: obj.tree,
    id(_Entries): lambda obj, walk, depth: _entries(obj.of, walk, depth),
}  # type: Dict[int, Callable[[Any, _Walk, int], Any]]
_ENCODERS.update((id(kind), _call_encoder(tag)) for tag, kind in _EAGER.items())
_LATE_TAGS = {name: tag for tag, (name, _) in CALLS.items() if tag not in _EAGER}
_LATE_TAGS.update({"pathlib._local.PosixPath": "path", "pathlib._local.PurePosixPath": "purepath"})
_KEPT_ALIVE = []  # type: List[type]


def decode(tree: "Any", find: "Finder" = None) -> "Any":
    """Return a fresh object from a tree that `encode` made.

    Args:
        tree: the tree.
        find: gives the class or function of a NAME. Without it, the tree is validated, nothing
            but built-in and standard types is made, and placeholders stand for the others.

    Raises:
        ValueError: `tree` is malformed, or not what `encode` gives for the object it describes.
    """
    try:
        return _object(tree, 0, find)
    except MALFORMED as error:
        raise ValueError("malformed value tree: %s" % error) from None


def _object(tree: "Any", depth: int, find: "Finder") -> "Any":
    kind = type(tree)
    if kind is list:
        return _objects(tree, depth, find)
    if kind is dict:
        return _tagged(tree, depth, find)
    if kind not in (type(None), bool, int, float, str) or type(encode(tree)) is dict:
        raise ValueError("a %s can't stand for itself" % type_name(kind))
    return tree


def _objects(payload: "Any", depth: int, find: "Finder") -> "List[Any]":
    if type(payload) is not list:
        raise ValueError("a payload is not a list")
    if depth >= MAX_DEPTH:
        raise ValueError("nested more than %d deep" % MAX_DEPTH)
    return [_object(item, depth + 1, find) for item in payload]


def _tagged(tree: "Dict[str, Any]", depth: int, find: "Finder") -> "Any":
    if len(tree) != 1:
        raise ValueError("an object has %d keys instead of one" % len(tree))
    ((tag, payload),) = tree.items()
    if tag in _CONTAINERS:
        return _CONTAINERS[tag](payload, depth, find)
    if tag in CALLS:
        value = _made(tag, _objects(payload, depth, find), find)
    elif tag in _SCALARS:
        value = _SCALARS[tag](payload)
    else:
        raise ValueError("unknown tag %.40r" % tag)
    if find is None and repr(encode(value)) != repr(tree):
        raise ValueError("not how encode writes this %s" % tag)
    return value


def _made(tag: str, arguments: "List[Any]", find: "Finder") -> "Any":
    """Call what makes an object; only inside a sandbox is a pattern compiled."""
    kind, words = _MADE_OF.get(tag, (None, ""))
    if kind and any(type(part) is not kind for part in arguments[: None if kind is int else 1]):
        raise ValueError("a %s is made of %s" % (tag, words))
    if tag == "namespace":
        return types.SimpleNamespace(**arguments[0])
    if find is None and tag in ("pattern", "defaultdict"):
        text, last = arguments
        firsts, second = _HELD[tag]
        if type(text) not in firsts or type(last) is not second:
            raise ValueError("a %s is not made of these" % tag)
        return Placeholder({tag: [encode(text), encode(last)]})
    fold = {"fold": arguments.pop()} if tag in ("time", "datetime") else {}
    return _class(tag)(*arguments, **fold)


def _decode_dict(payload: "Any", depth: int, find: "Finder") -> "Dict[Any, Any]":
    if any(type(pair) is not list or len(pair) != 2 for pair in payload):
        raise ValueError("a dict entry is not a pair")
    keys = _objects([pair[0] for pair in payload], depth, find)
    result = dict(zip(keys, _objects([pair[1] for pair in payload], depth, find)))
    if type(payload) is not list or len(result) != len(payload):
        raise ValueError("a dict is not a list of entries, or has a key twice")
    return result


def _decode_set(payload: "Any", depth: int, find: "Finder") -> "Any":
    result = set(_objects(payload, depth, find))
    if len(result) != len(payload) or sorted(payload, key=order) != payload:
        raise ValueError("the members of a set are repeated or out of order")
    return result


def _decode_global(payload: "Any", depth: int, find: "Finder") -> "Any":
    parts = payload.replace(":", ".", 1).split(".")
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in parts):
        raise ValueError("%.80r is no name" % payload)
    return find(payload) if find else Placeholder({"global": payload})


def _decode_enum(payload: "Any", depth: int, find: "Finder") -> "Any":
    name, member = payload
    kind = _decode_global(name, depth, find)
    if type(payload) is not list or not _is_attribute(member):
        raise ValueError("a member of an enum is a name")
    return kind[member] if find else Placeholder({"enum": payload})


def _decode_instance(payload: "Any", depth: int, find: "Finder") -> "Any":
    name, pairs, base = payload
    kind = _decode_global(name, depth, find)
    if not type(payload) is type(pairs) is list or any(type(pair) is not list for pair in pairs):
        raise ValueError("an attribute is not a pair")
    names, trees = [pair[0] for pair in pairs], [tree for _, tree in pairs]
    if not all(map(_is_attribute, names)) or sorted(set(names)) != names:
        raise ValueError("the names of attributes are no names, repeated or out of order")
    attributes = dict(zip(names, _objects(trees, depth, find)))
    part = _object(base, depth + 1, find)
    if part is not None and id(type(part)) not in _BASES:
        raise ValueError("no class has such a built-in part")
    return _build(kind, attributes, part) if find else Placeholder({"instance": payload})


def _defined(source: str, name: str) -> "Any":
    space = {}  # type: Dict[str, Any]
    exec(source, space)  # noqa: S102  (our own text, which exports carry too)
    return space[name]


_build = _defined(BUILD, "build")
_CONTAINERS = {
    "tuple": lambda payload, depth, find: tuple(_objects(payload, depth, find)),
    "dict": _decode_dict,
    "set": _decode_set,
    "frozenset": lambda payload, depth, find: frozenset(_decode_set(payload, depth, find)),
    "global": _decode_global,
    "enum": _decode_enum,
    "instance": _decode_instance,
}  # type: Dict[str, Callable[[Any, int, Finder], Any]]
_HELD = {
    "pattern": ((str, bytes), int),
    "defaultdict": ((type(None), Placeholder), dict),
}  # type: Dict[str, Tuple[Tuple[type, ...], type]]
_SCALARS = {
    "int": lambda payload: int(payload, 16 if "x" in payload else 10),
    "float": float,
    "str": lambda payload: bytes.fromhex(payload).decode("utf-8", "surrogatepass"),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "ellipsis": lambda payload: ...,
}  # type: Dict[str, Callable[[Any], Any]]
