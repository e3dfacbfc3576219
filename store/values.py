"""Values as data: encode, decode, compare and render plain Python objects as JSON trees.

None, booleans, text, finite floats, small integers and lists stand for themselves; everything
else is an object with one key, ``{tag: payload}``. Only exact built-in types are encoded, and no
method of any other type is ever called, so a hostile object can't run code or lie here.

This file stands alone and runs on Python 3.6 and later: copies of it go into sandboxes and traced
environments, where every process loads it (hence the late imports).
"""
# ruff: noqa: B905, N818  (no zip(strict=) on 3.6; the name is part of the interface)

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, FrozenSet, List, Tuple

MAX_DEPTH = 40  # Python 3.6 can't parse what `render` writes for 45 nested frozensets
MAX_NODES, MAX_TEXT = 200000, 4000000
MAX_OUTPUTS = 50  # of a generator, recorded and compared

_JSON_INT = 2**53  # above it, readers that keep numbers as doubles lose digits
_DECIMAL_INT = 10**600  # shorter than any limit that sys.set_int_max_str_digits accepts
_MODULE = type.__dict__["__module__"].__get__
_MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_QUALNAME = type.__dict__["__qualname__"].__get__


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

    __slots__ = ("nodes", "seen", "text")

    def __init__(self, nodes: int, text: int) -> None:
        self.nodes, self.text = nodes, text
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


def encode(obj: object, max_nodes: int = MAX_NODES, max_text: int = MAX_TEXT) -> "Any":
    """Return any object as a tree: plain JSON data.

    Args:
        obj: the object.
        max_nodes: how many objects it may hold.
        max_text: how many characters its texts, bytes and numbers may take together.

    Raises:
        Unencodable: `obj` is or holds something that is not a value; `reason` says what.
    """
    try:
        return _tree(obj, _Walk(max_nodes, max_text), 0)
    except Unencodable:
        raise
    except Exception as error:  # no stack left, a container changing in another thread
        name = type_name(type(error)).rpartition(".")[2]
        raise Unencodable("broken:" + name, "the object can't be read (%s)" % name) from None


def _tree(obj: "Any", walk: _Walk, depth: int) -> "Any":
    # by id, because looking a class up by itself would call its metaclass
    return (_ENCODERS.get(id(type(obj))) or _late_encoder(obj))(obj, walk, depth)


def _late_encoder(obj: object) -> "Callable[[Any, _Walk, int], Any]":
    """Find the encoder of a type whose module is imported only once such an object turns up."""
    name = type_name(type(obj))
    kind = _class(name) if name in _LATE_TAGS else None
    if type(obj) is not kind:
        raise Unencodable("type:" + name, "objects of type %s are not values" % name)
    _KEPT_ALIVE.append(kind)  # its id is a key from now on
    return _ENCODERS.setdefault(id(kind), _call_encoder(_LATE_TAGS[name]))


def _class(name: str) -> "Any":
    module, _, attribute = name.rpartition(".")
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
    walk.spend(len(obj))
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
    return [_tree(item, walk, depth + 1) for item in items]


def _encode_items(obj: "Any", walk: _Walk, depth: int) -> "Any":
    kind = type(obj)
    if kind is tuple:
        return {"tuple": _children(obj, walk, depth)}
    if kind is frozenset:
        return {"frozenset": sorted(_children(obj, walk, depth), key=_order)}
    walk.enter(obj)
    trees = _children(obj, walk, depth)
    walk.seen[id(obj)] = "shared"
    return trees if kind is list else {"set": sorted(trees, key=_order)}


def _encode_dict(obj: "Dict[Any, Any]", walk: _Walk, depth: int) -> "Any":
    walk.enter(obj)
    keys = _children(list(obj), walk, depth)
    values = _children(list(obj.values()), walk, depth)
    walk.seen[id(obj)] = "shared"
    return {"dict": [list(pair) for pair in zip(keys, values)]}


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
    if any(type(number) is not int for number in numbers):
        raise TypeError("an old range, a Fraction or a UUID holds an integer of another type")
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
    id(list): _encode_items,
    id(tuple): _encode_items,
    id(dict): _encode_dict,
    id(set): _encode_items,
    id(frozenset): _encode_items,
}  # type: Dict[int, Callable[[Any, _Walk, int], Any]]
_ENCODERS.update((id(kind), _call_encoder(kind.__name__)) for kind in (complex, range, slice))
_LATE_TAGS = {name: tag for tag, (name, _) in _CALLS.items() if "." in name}
_KEPT_ALIVE = []  # type: List[type]


def decode(tree: "Any") -> "Any":
    """Return a fresh object from a tree that `encode` made.

    Raises:
        ValueError: `tree` is malformed, or not what `encode` gives for the object it describes.
    """
    try:
        return _object(tree, 0)
    except _MALFORMED as error:
        raise ValueError("malformed value tree: %s" % error) from None


def _object(tree: "Any", depth: int) -> "Any":
    kind = type(tree)
    if kind is list:
        return _objects(tree, depth)
    if kind is dict:
        return _tagged(tree, depth)
    if kind not in (type(None), bool, int, float, str) or type(encode(tree)) is dict:
        raise ValueError("a %s can't stand for itself" % type_name(kind))
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
        arguments = _objects(payload, depth)
        if tag in ("fraction", "range") and any(type(part) is not int for part in arguments):
            # Others, such as "1e999999999", would be worked out before they are refused.
            raise ValueError("a %s is made of integers" % tag)
        fold = {"fold": arguments.pop()} if tag in ("time", "datetime") else {}
        value = _class(_CALLS[tag][0])(*arguments, **fold)
    elif tag in _SCALARS:
        value = _SCALARS[tag](payload)
    else:
        raise ValueError("unknown tag %.40r" % tag)
    if repr(encode(value)) != repr(tree):
        raise ValueError("not how encode writes this %s" % tag)
    return value


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


_DISPLAYS = {"set": "{%s}", "frozenset": "frozenset({%s})"}
_CONTAINERS = {
    "tuple": lambda payload, depth: tuple(_objects(payload, depth)),
    "dict": _decode_dict,
    "set": _decode_set,
    "frozenset": lambda payload, depth: frozenset(_decode_set(payload, depth)),
}  # type: Dict[str, Callable[[Any, int], Any]]
_SCALARS = {
    "int": lambda payload: int(payload, 16 if "x" in payload else 10),
    "float": float,
    "str": lambda payload: bytes.fromhex(payload).decode("utf-8", "surrogatepass"),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "ellipsis": lambda payload: ...,
}  # type: Dict[str, Callable[[Any], Any]]


def equal(a_tree: "Any", b_tree: "Any", relative: float = 0.0, absolute: float = 0.0) -> bool:
    """Tell whether two trees are the same value.

    1, True and 1.0 differ, as do 0.0 and -0.0; NaN equals NaN; dicts and sets have no order. The
    tolerances of `math.isclose` apply where both sides are floats, but not to the keys of dicts.

    Args:
        a_tree: the expected tree.
        b_tree: any JSON data; what is malformed is never equal.
        relative: as a fraction of the larger of the two.
        absolute: as a difference.
    """
    try:
        decode(a_tree)
        return _same(a_tree, b_tree, (relative, absolute))
    except _MALFORMED:
        return False


def _same(a: "Any", b: "Any", close: "Tuple[float, float]") -> bool:
    if all(type(x) is float or (type(x) is dict and "float" in x) for x in (a, b)):
        x, y = decode(a), decode(b)
        near = any(close) and math.isclose(x, y, rel_tol=close[0], abs_tol=close[1])
        return near or repr(x) == repr(y)
    if type(a) is not type(b):
        return False
    if type(a) is list:
        return len(a) == len(b) and all(_same(p, q, close) for p, q in zip(a, b))
    if type(a) is dict:
        return a.keys() == b.keys() and all(_same_tagged(tag, a[tag], b[tag], close) for tag in a)
    return bool(a == b)


def _same_tagged(tag: str, a: "Any", b: "Any", close: "Tuple[float, float]") -> bool:
    if tag == "dict" and type(b) is list:
        a, b = sorted(a, key=_key_text), sorted(b, key=_key_text)
        return list(map(_key_text, a)) == list(map(_key_text, b)) and _same(a, b, close)
    if tag in ("set", "frozenset") and any(close):
        # out of order or repeated members would be taken for near ones
        orderly = sorted(b, key=_order) == b and len(set(map(repr, a))) == len(set(map(repr, b)))
        return orderly and _same(a, b, close)
    return _same(a, b, close)


def _key_text(pair: "List[Any]") -> str:
    return repr(pair[0])


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
    if tag in _DISPLAYS:
        return _DISPLAYS[tag] % _join(payload) if payload else tag + "()"
    if tag == "tuple":
        return "(%s%s)" % (_join(payload), "," if len(payload) == 1 else "")
    if tag == "dict":
        return "{%s}" % ", ".join("%s: %s" % tuple(map(_source, pair)) for pair in payload)
    if tag == "float" and payload != "-0.0":
        return "float('%s')" % payload
    if tag in _CALLS and not _CALLS[tag][0].startswith("datetime."):
        return "%s(%s)" % (_CALLS[tag][0], _join(payload))
    return payload if tag == "int" else repr(decode(tree))


def _join(trees: "List[Any]") -> str:
    return ", ".join(map(_source, trees))


def imports(tree: "Any") -> "FrozenSet[str]":
    """Return the names of the modules that the source `render` makes of `tree` refers to."""
    if type(tree) is list:
        return frozenset().union(*map(imports, tree))
    if type(tree) is not dict:
        return frozenset()
    names = [_CALLS[tag][0].rpartition(".")[0] for tag in tree if tag in _CALLS]
    return frozenset(filter(None, names)).union(*map(imports, tree.values()))
