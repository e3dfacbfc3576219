"""Trees of values compared, rendered as Python source, and searched for the names they hold.

A tree is what `thresher.store.values` encodes; nothing here runs a method of what it describes.
"""

import keyword
import math
from collections.abc import Mapping
from typing import Any

from thresher.store import values

_DISPLAYS = {"set": "{%s}", "frozenset": "frozenset({%s})"}
_NAMED = {"global", "enum", "instance"}


def equal(a_tree: Any, b_tree: Any, relative: float = 0.0, absolute: float = 0.0) -> bool:
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
        values.decode(a_tree)
        return _same(a_tree, b_tree, (relative, absolute))
    except values.MALFORMED:
        return False


def equal_unordered(a_tree: Any, b_tree: Any, nested: bool = False) -> bool:
    """Tell whether two trees are the same value but for the order of the outermost list.

    Args:
        a_tree: the expected tree.
        b_tree: any JSON data; what is malformed is never equal.
        nested: the order of lists that stand directly in lists doesn't matter either.
    """
    try:
        # in any order as long; so what hostile data costs is what the expected would
        as_long = len(repr(a_tree)) == len(repr(b_tree))
        return as_long and equal(_sorted(a_tree, nested), _sorted(b_tree, nested))
    except values.MALFORMED:
        return False


def _sorted(tree: Any, nested: bool) -> Any:
    if type(tree) is not list:
        return tree
    return sorted((_sorted(item, nested) if nested else item for item in tree), key=_canonical)


def _canonical(tree: Any) -> str:
    """Return a text that is the same for equal trees."""
    if type(tree) is list:
        return f"[{','.join(map(_canonical, tree))}]"
    if type(tree) is not dict:
        return repr(tree)
    ((tag, payload),) = tree.items()
    inner = sorted(map(_canonical, payload)) if tag == "dict" else _canonical(payload)
    return f"{tag}{inner}"


def _same(a: Any, b: Any, close: tuple[float, float]) -> bool:
    if all(type(x) is float or (type(x) is dict and "float" in x) for x in (a, b)):
        x, y = values.decode(a), values.decode(b)
        near = any(close) and math.isclose(x, y, rel_tol=close[0], abs_tol=close[1])
        return near or repr(x) == repr(y)
    if type(a) is not type(b):
        return False
    if type(a) is list:
        return len(a) == len(b) and all(_same(p, q, close) for p, q in zip(a, b, strict=True))
    if type(a) is dict:
        return a.keys() == b.keys() and all(_same_tagged(tag, a[tag], b[tag], close) for tag in a)
    return bool(a == b)


def _same_tagged(tag: str, a: Any, b: Any, close: tuple[float, float]) -> bool:
    if tag == "dict" and type(b) is list:
        a, b = sorted(a, key=_key_text), sorted(b, key=_key_text)
        return list(map(_key_text, a)) == list(map(_key_text, b)) and _same(a, b, close)
    if tag in ("set", "frozenset") and any(close):
        # out of order or repeated members would be taken for near ones
        as_many = len(set(map(repr, a))) == len(set(map(repr, b)))
        return as_many and sorted(b, key=values.order) == b and _same(a, b, close)
    return _same(a, b, close)


def _key_text(pair: list[Any]) -> str:
    return repr(pair[0])


def render(tree: Any) -> str:
    """Return a Python expression that evaluates to the value of `tree`.

    It refers to the modules that `imports` gives, and for instances to `values.BUILD`.

    Raises:
        ValueError: `tree` is malformed.
    """
    values.decode(tree)
    return _source(tree)


def _source(tree: Any) -> str:
    if type(tree) is list:
        return f"[{_join(tree)}]"
    if type(tree) is not dict:
        return repr(tree)
    ((tag, payload),) = tree.items()
    if tag in _DISPLAYS:
        return _DISPLAYS[tag] % _join(payload) if payload else tag + "()"
    if tag == "tuple":
        return "({}{})".format(_join(payload), "," if len(payload) == 1 else "")
    if tag == "dict":
        return "{{{}}}".format(
            ", ".join("{}: {}".format(*tuple(map(_source, pair))) for pair in payload)
        )
    if tag == "float" and payload != "-0.0":
        return f"float('{payload}')"
    if tag in _NAMED:
        return _named_source(*([payload] if tag == "global" else payload))
    if tag in values.CALLS and not values.CALLS[tag][0].startswith("datetime."):
        stars = "**" if tag == "namespace" else ""
        return f"{values.CALLS[tag][0]}({stars}{_join(payload)})"
    return payload if tag == "int" else repr(values.decode(tree))


def _named_source(name: str, more: Any = None, base: Any = None) -> str:
    shown = name.replace("builtins:", "", 1).replace(":", ".", 1)
    if type(more) is str:
        plain = more.isidentifier() and not keyword.iskeyword(more)
        return shown + ("." + more if plain else f"[{more!r}]")
    if more is None:
        return shown
    parts = [shown, _source({"dict": more})] + [_source(base)] * (base is not None)
    return "build({})".format(", ".join(parts))


def _join(trees: list[Any]) -> str:
    return ", ".join(map(_source, trees))


def imports(tree: Any) -> frozenset[str]:
    """Return the names of the modules that the source `render` makes of `tree` refers to."""
    modules = {name.rpartition(":")[0] for name in names(tree)} - {"builtins"}
    return frozenset(filter(None, modules | _call_modules(tree)))


def _call_modules(tree: Any) -> frozenset[str]:
    if type(tree) is list:
        return frozenset().union(*map(_call_modules, tree))
    if type(tree) is not dict:
        return frozenset()
    found = [values.CALLS[tag][0].rpartition(".")[0] for tag in tree if tag in values.CALLS]
    return frozenset(found).union(*map(_call_modules, tree.values()))


def names(tree: Any) -> frozenset[str]:
    """Return the NAMEs of all classes and functions that a tree refers to."""
    if type(tree) is list:
        return frozenset().union(*map(names, tree))
    if type(tree) is not dict:
        return frozenset()
    own = [p if type(p) is str else p[0] for tag, p in tree.items() if tag in _NAMED]
    return frozenset(own).union(*map(names, tree.values()))


def renamed(tree: Any, mapping: Mapping[str, str]) -> Any:
    """Return a tree in which classes and functions have the names that `mapping` gives them."""
    if type(tree) is list:
        return [renamed(item, mapping) for item in tree]
    if type(tree) is not dict:
        return tree
    ((tag, payload),) = tree.items()
    again = renamed(payload, mapping)
    if tag == "global":
        return {tag: mapping.get(payload, payload)}
    if tag in _NAMED:
        again[0] = mapping.get(payload[0], payload[0])
    return {tag: sorted(again, key=values.order) if tag in _DISPLAYS else again}
