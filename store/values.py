"""Values as data: encode, decode, compare and render plain Python objects as JSON trees.

None, booleans, text, finite floats, small integers and lists stand for themselves; everything
else is an object with one key, ``{tag: payload}``. Only exact built-in types are encoded, and no
method of any other type is ever called, so a hostile object can't run code or lie here.

This file stands alone and runs on Python 3.6 and later: copies of it go into sandboxes and traced
environments, where it is loaded at the start of every process (hence the late imports).
"""

# ruff: noqa: B905, N818  (no zip(strict=) on 3.6; the name is part of the interface)

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, FrozenSet, List, Optional, Tuple

MAX_DEPTH = 50
MAX_NODES = 200000
MAX_TEXT = 4000000

_JSON_INT = 2**53  # above it, readers that keep numbers as doubles lose digits
_DECIMAL_BITS = 2000  # 603 digits: under any limit sys.set_int_max_str_digits accepts
_SPECIAL_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "-0.0": -0.0}
_MODULE = type.__dict__["__module__"].__get__
_QUALNAME = type.__dict__["__qualname__"].__get__


class Unencodable(ValueError):
    """An object can't be a value.

    Attributes:
        reason: a short code: ``cyclic``, ``shared``, ``too-deep``, ``too-large``,
            ``type:module.QualName`` or ``broken:ExceptionName``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def type_name(kind: type) -> str:
    """Return ``module.QualName`` of a class as printable ASCII, without running its metaclass."""
    parts = []
    for read in (_MODULE, _QUALNAME):
        try:
            part = read(kind)
        except AttributeError:
            part = None
        parts.append(part if type(part) is str else "?")
    return ".".join(parts)[:200].encode("ascii", "backslashreplace").decode("ascii")


class _Walk:
    """What one encoding may still spend, and the mutable containers it has met."""

    __slots__ = ("nodes", "seen", "text")

    def __init__(self, nodes: int, text: int) -> None:
        self.nodes = nodes
        self.text = text
        self.seen = {}  # type: Dict[int, str]

    def spend(self, length: int) -> None:
        self.text -= length
        if self.text < 0:
            raise Unencodable("too-large", "the text in the object is too long to be a value")

    def enter(self, container: object) -> None:
        met = self.seen.get(id(container))
        if met:
            raise Unencodable(met, "a mutable container is reachable twice (%s)" % met)
        self.seen[id(container)] = "cyclic"


def encode(obj: object, max_nodes: int = MAX_NODES, max_text: int = MAX_TEXT) -> "Any":
    """Return `obj` as a tree: plain JSON data.

    Args:
        obj: any object.
        max_nodes: how many objects it may hold, itself included.
        max_text: how many characters its texts, bytes and numbers may take together.

    Raises:
        Unencodable: `obj` is or holds something that is not a value; `reason` says what.
    """
    try:
        return _tree(obj, _Walk(max_nodes, max_text), 0)
    except Unencodable:
        raise
    except RecursionError:
        raise Unencodable("too-deep", "the stack has no room to encode the object") from None
    except Exception as error:  # a container changed by another thread, a half-made object
        name = type_name(type(error)).rpartition(".")[2]
        raise Unencodable("broken:" + name, "the object can't be read (%s)" % name) from None


def _tree(obj: "Any", walk: _Walk, depth: int) -> "Any":
    walk.nodes -= 1
    if walk.nodes < 0:
        raise Unencodable("too-large", "the object holds too many others to be a value")
    # By id, because looking a class up by itself would call its metaclass.
    encoder = _ENCODERS.get(id(type(obj)))
    if encoder is None:
        encoder = _late_encoder(obj)
    return encoder(obj, walk, depth)


def _late_encoder(obj: object) -> "Callable[[Any, _Walk, int], Any]":
    """Find the encoder of a type whose module is imported only once such an object turns up."""
    name = type_name(type(obj))
    if name in _LATE_TAGS:
        kind = _class(name)
        if type(obj) is kind:
            _KEPT_ALIVE.append(kind)  # its id is a key from now on
            return _ENCODERS.setdefault(id(kind), _call_encoder(_LATE_TAGS[name]))
    raise Unencodable("type:" + name, "objects of type %s are not values" % name)


def _class(name: str) -> "Any":
    module, _, attribute = name.rpartition(".")
    return getattr(__import__(module or "builtins"), attribute)


def _encode_int(obj: int, walk: _Walk, depth: int) -> "Any":
    if -_JSON_INT <= obj <= _JSON_INT:
        return obj
    bits = obj.bit_length()
    walk.spend(bits // 4)
    return {"int": str(obj) if bits <= _DECIMAL_BITS else hex(obj)}


def _encode_float(obj: float, walk: _Walk, depth: int) -> "Any":
    if obj - obj == 0.0 and (obj or math.copysign(1.0, obj) > 0.0):
        return obj
    return {"float": repr(obj)}


def _encode_str(obj: str, walk: _Walk, depth: int) -> "Any":
    walk.spend(len(obj))
    try:
        obj.encode()
    except UnicodeEncodeError:
        return {"str": obj.encode("utf-8", "surrogatepass").hex()}
    return obj


def _encode_bytes(obj: "Any", walk: _Walk, depth: int) -> "Any":
    walk.spend(2 * len(obj))
    if type(obj) is bytes:
        return {"bytes": obj.hex()}
    walk.enter(obj)
    walk.seen[id(obj)] = "shared"
    return {"bytearray": obj.hex()}


def _children(items: "Any", walk: _Walk, depth: int) -> "List[Any]":
    if depth >= MAX_DEPTH:
        raise Unencodable("too-deep", "the object is nested more than %d deep" % MAX_DEPTH)
    if len(items) > walk.nodes:
        raise Unencodable("too-large", "the object holds too many others to be a value")
    return [_tree(item, walk, depth + 1) for item in items]


def _encode_list(obj: "List[Any]", walk: _Walk, depth: int) -> "Any":
    walk.enter(obj)
    trees = _children(obj, walk, depth)
    walk.seen[id(obj)] = "shared"
    return trees


def _encode_tuple(obj: "Tuple[Any, ...]", walk: _Walk, depth: int) -> "Any":
    return {"tuple": _children(obj, walk, depth)}


def _encode_dict(obj: "Dict[Any, Any]", walk: _Walk, depth: int) -> "Any":
    walk.enter(obj)
    keys = _children(list(obj), walk, depth)
    values = _children(list(obj.values()), walk, depth)
    walk.seen[id(obj)] = "shared"
    return {"dict": [[key, value] for key, value in zip(keys, values)]}


def _encode_set(obj: "Any", walk: _Walk, depth: int) -> "Any":
    if type(obj) is frozenset:
        return {"frozenset": sorted(_children(obj, walk, depth), key=_order)}
    return {"set": sorted(_encode_list(obj, walk, depth), key=_order)}


def _order(tree: "Any") -> "Tuple[Any, ...]":
    """Return a sort key: total over trees, numeric for numbers, the same in every process."""
    kind = type(tree)
    if kind is int or kind is float:
        return (0, tree, kind is float)
    if kind is list:
        return (2, [_order(item) for item in tree])
    if kind is dict:
        return (3, [(tag, _order(payload)) for tag, payload in tree.items()])
    return (1, kind.__name__, str(tree))


def _ints(*numbers: "Any") -> "Tuple[int, ...]":
    # ranges of old Pythons, fractions and UUIDs can hold booleans and integers of other types
    if any(type(number) is not int for number in numbers):
        raise TypeError("not an int")
    return numbers


def _clock(obj: "Any") -> "Tuple[Any, ...]":
    return obj.hour, obj.minute, obj.second, obj.microsecond, obj.tzinfo, obj.fold


# tag: (the class that makes the object, its arguments read back from the object)
_CALLS = {
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
}  # type: Dict[str, Tuple[str, Callable[[Any], Tuple[Any, ...]]]]


def _call_encoder(tag: str) -> "Callable[[Any, _Walk, int], Any]":
    arguments = _CALLS[tag][1]
    return lambda obj, walk, depth: {tag: _children(arguments(obj), walk, depth)}


_ENCODERS = {
    id(type(None)): lambda obj, walk, depth: obj,
    id(type(...)): lambda obj, walk, depth: {"ellipsis": None},
    id(bool): lambda obj, walk, depth: obj,
    id(int): _encode_int,
    id(float): _encode_float,
    id(str): _encode_str,
    id(bytes): _encode_bytes,
    id(bytearray): _encode_bytes,
    id(list): _encode_list,
    id(tuple): _encode_tuple,
    id(dict): _encode_dict,
    id(set): _encode_set,
    id(frozenset): _encode_set,
    id(complex): _call_encoder("complex"),
    id(range): _call_encoder("range"),
    id(slice): _call_encoder("slice"),
}  # type: Dict[int, Callable[[Any, _Walk, int], Any]]
_LATE_TAGS = {name: tag for tag, (name, _) in _CALLS.items() if "." in name}
_KEPT_ALIVE = []  # type: List[type]


def decode(tree: "Any") -> "Any":
    """Return a fresh object from a tree that `encode` made.

    Raises:
        ValueError: `tree` is malformed, or not what `encode` gives for the object it describes.
    """
    try:
        return _object(tree, 0)
    except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError) as error:
        raise ValueError("malformed value tree: %s" % error) from None


def _object(tree: "Any", depth: int) -> "Any":
    kind = type(tree)
    if kind is list:
        return _objects(tree, depth)
    if kind is dict:
        return _tagged(tree, depth)
    if kind not in (type(None), bool, int, float, str):
        raise ValueError("%s is not JSON data" % type_name(kind))
    if type(encode(tree)) is dict:
        raise ValueError("a %s that must be tagged is not" % kind.__name__)
    return tree


def _objects(payload: "Any", depth: int) -> "List[Any]":
    if type(payload) is not list:
        raise ValueError("a payload is not a list")
    if depth >= MAX_DEPTH:
        raise ValueError("nested more than %d deep" % MAX_DEPTH)
    return [_object(item, depth + 1) for item in payload]


def _tagged(tree: "Dict[str, Any]", depth: int) -> "Any":
    if len(tree) != 1:
        raise ValueError("an object has %d keys instead of one" % len(tree))
    ((tag, payload),) = tree.items()
    if tag in _CONTAINERS:
        return _CONTAINERS[tag](payload, depth)
    if tag in _CALLS:
        value = _call(tag, _objects(payload, depth))
    elif tag in _SCALARS:
        value = _SCALARS[tag](payload)
    else:
        raise ValueError("unknown tag %.40r" % tag)
    if repr(encode(value)) != repr(tree):
        raise ValueError("not how encode writes this %s" % tag)
    return value


def _call(tag: str, arguments: "List[Any]") -> "Any":
    fold = {"fold": arguments.pop()} if tag in ("time", "datetime") else {}
    return _class(_CALLS[tag][0])(*arguments, **fold)


def _decode_dict(payload: "Any", depth: int) -> "Dict[Any, Any]":
    if any(type(pair) is not list or len(pair) != 2 for pair in payload):
        raise ValueError("a dict entry is not a pair")
    keys = _objects([pair[0] for pair in payload], depth)
    result = dict(zip(keys, _objects([pair[1] for pair in payload], depth)))
    if type(payload) is not list or len(result) != len(payload):
        raise ValueError("a dict is not a list of entries, or has a key twice")
    return result


def _decode_set(payload: "Any", depth: int) -> "Any":
    result = set(_objects(payload, depth))
    if len(result) != len(payload) or sorted(payload, key=_order) != payload:
        raise ValueError("the members of a set are repeated or out of order")
    return result


def _decode_int(payload: str) -> int:
    if payload.startswith(("0x", "-0x")):
        return int(payload, 16)
    if len(payload) > _DECIMAL_BITS:
        raise ValueError("a decimal integer is too long")
    return int(payload)


_CONTAINERS = {
    "tuple": lambda payload, depth: tuple(_objects(payload, depth)),
    "dict": _decode_dict,
    "set": _decode_set,
    "frozenset": lambda payload, depth: frozenset(_decode_set(payload, depth)),
}  # type: Dict[str, Callable[[Any, int], Any]]
_SCALARS = {
    "int": _decode_int,
    "float": float,
    "str": lambda payload: bytes.fromhex(payload).decode("utf-8", "surrogatepass"),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "ellipsis": lambda payload: ...,
}  # type: Dict[str, Callable[[Any], Any]]


def equal(a_tree: "Any", b_tree: "Any", relative: float = 0.0, absolute: float = 0.0) -> bool:
    """Tell whether two trees are the same value.

    Types are told apart (1, True and 1.0; 0.0 and -0.0; tuple and list), NaN equals NaN, the order
    of dict entries doesn't count. The tolerances are those of `math.isclose`; they apply where
    both sides are floats, and not to the keys of dicts.

    Args:
        a_tree: the expected tree.
        b_tree: the tree to judge: any JSON data whatever; what is malformed is never equal.
        relative: relative tolerance, as a fraction.
        absolute: absolute tolerance.
    """
    try:
        decode(a_tree)
        return _same(a_tree, b_tree, (relative, absolute))
    except (RecursionError, TypeError, ValueError):
        return False


def _same(a: "Any", b: "Any", close: "Tuple[float, float]") -> bool:
    x, y = _float_of(a), _float_of(b)
    if x is not None and y is not None:
        return repr(x) == repr(y) or (
            any(close) and math.isclose(x, y, rel_tol=close[0], abs_tol=close[1])
        )
    if type(a) is not type(b):
        return False
    if type(a) is list:
        return len(a) == len(b) and all(_same(p, q, close) for p, q in zip(a, b))
    if type(a) is dict:
        return a.keys() == b.keys() and all(_same_tagged(tag, a[tag], b[tag], close) for tag in a)
    return bool(a == b)


def _float_of(tree: "Any") -> "Optional[float]":
    """Return the float a tree stands for, or None if it stands for something else."""
    if type(tree) is float:
        return tree if type(encode(tree)) is float else None
    if type(tree) is dict and len(tree) == 1 and type(tree.get("float")) is str:
        return _SPECIAL_FLOATS.get(tree["float"])
    return None


def _same_tagged(tag: str, a: "Any", b: "Any", close: "Tuple[float, float]") -> bool:
    if tag == "dict":
        return type(b) is list and len(a) == len(b) and _same_entries(a, b, close)
    if tag in ("set", "frozenset") and any(close):
        # out of order or repeated members would be taken for near ones
        distinct = len(set(map(repr, a))) == len(set(map(repr, b)))
        return distinct and sorted(b, key=_order) == b and _same(a, b, close)
    return _same(a, b, close)


def _same_entries(a: "Any", b: "Any", close: "Tuple[float, float]") -> bool:
    if any(type(pair) is not list or len(pair) != 2 for pair in b):
        return False
    index = {}  # type: Dict[str, List[Any]]
    for key, value in reversed(b):  # several NaN keys have one text: they are paired in order
        index.setdefault(repr(key), []).append(value)
    for key, value in a:
        values = index.get(repr(key))
        if not values or not _same(value, values.pop(), close):
            return False
    return True


def render(tree: "Any") -> str:
    """Return a Python expression that evaluates to the value of `tree`; see `imports`.

    Raises:
        ValueError: `tree` is malformed.
    """
    decode(tree)
    return _source(tree)


def _source(tree: "Any") -> str:
    if type(tree) is list:
        return "[%s]" % _join(tree)
    if type(tree) is not dict:
        return repr(tree)
    ((tag, payload),) = tree.items()
    if tag in _SOURCES:
        return _SOURCES[tag](payload)
    if tag in _CALLS and not _CALLS[tag][0].startswith("datetime."):
        return "%s(%s)" % (_CALLS[tag][0], _join(payload))
    return repr(decode(tree))


def _join(trees: "List[Any]") -> str:
    return ", ".join(map(_source, trees))


def _set_source(payload: "List[Any]") -> str:
    return "{%s}" % _join(payload) if payload else "set()"


def _dict_source(payload: "List[Any]") -> str:
    return "{%s}" % ", ".join("%s: %s" % (_source(key), _source(value)) for key, value in payload)


_SOURCES = {
    "int": str,
    "float": lambda payload: payload if payload == "-0.0" else "float('%s')" % payload,
    "tuple": lambda payload: "(%s%s)" % (_join(payload), "," if len(payload) == 1 else ""),
    "dict": _dict_source,
    "set": _set_source,
    "frozenset": lambda payload: "frozenset(%s)" % (_set_source(payload) if payload else ""),
    "ellipsis": lambda payload: "...",
}  # type: Dict[str, Callable[[Any], str]]


def imports(tree: "Any") -> "FrozenSet[str]":
    """Return the names of the modules that the source `render` makes of `tree` refers to."""
    if type(tree) is list:
        return frozenset().union(*map(imports, tree))
    if type(tree) is not dict:
        return frozenset()
    names = [_CALLS[tag][0].rpartition(".")[0] for tag in tree if tag in _CALLS]
    return frozenset(filter(None, names)).union(*map(imports, tree.values()))
