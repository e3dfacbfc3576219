"""Example values as statements print them, read as data: ``nums = [2,7,11,15], target = 9``.

JSON is tried first, a Python literal second; a bare word or an arrow is read only where the
annotation says what it must be. What fits nothing is refused: no value is ever guessed.
"""

import ast
import json
import re
from collections.abc import Callable, Sequence

from thresher.crawlers.functions.signatures import parts, syntax
from thresher.crawlers.statement import Json, Parameter
from thresher.errors import SourceError

LONGEST = 1_000_000  # characters of an example

_CLOSING = {"[": "]", "(": ")", "{": "}"}
_PART = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|.', re.S)
_NAMED = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)\s*(.+)", re.S)
_BARE = re.compile(r"[^\s\"'\[\]{}(),]+")
_BROKEN = (ValueError, SyntaxError, RecursionError, MemoryError, TypeError)


def unreadable(text: str, why: str) -> SourceError:
    """Return the error for an example that can't be read as data."""
    shown = " ".join(text[:120].split())
    return SourceError("example-unreadable", f"The example {shown!r} {why}; it is left out.")


def split(text: str) -> list[str]:
    """Split at the commas and ends of lines that stand outside brackets and quotes.

    Raises:
        SourceError: ``example-unreadable``, for brackets that don't match or an empty part.
    """
    if len(text) > LONGEST:
        raise unreadable(text, f"has more than {LONGEST} characters")
    joined = "\n".join(filter(None, map(str.strip, text.split("\n"))))
    joined = re.sub(r"(?<==)\n|\n(?==)|(?<=,)\n|\n(?=,)", " ", joined)
    cuts, closing = [-1], []
    for found in _PART.finditer(joined):
        part = found.group()
        if part in _CLOSING:
            closing.append(_CLOSING[part])
        elif part in ("]", ")", "}"):
            if not closing or closing.pop() != part:
                raise unreadable(text, "has brackets that don't match")
        elif part in (",", "\n") and not closing:
            cuts.append(found.start())
    ends = [*cuts[1:], len(joined)]
    pieces = [joined[cut + 1 : end].strip() for cut, end in zip(cuts, ends, strict=True)]
    if closing or not all(pieces):
        raise unreadable(text, "has brackets that don't match or a part that is empty")
    return pieces


def value(text: str, annotation: str = "") -> Json:
    """Return the value that a text means, with the type that the annotation asks for.

    Args:
        text: JSON, a Python literal, a bare word for ``str`` or ``1->2->NULL`` for a ``ListNode``.
        annotation: Python source as in `Parameter`, empty where it isn't known.

    Raises:
        SourceError: ``example-unreadable``.
    """
    text = text.strip()
    for read in (_json, _python):
        try:
            return conform(read(text), annotation)
        except _BROKEN:
            continue
        except SourceError:
            break  # a literal of another type may still be a bare word
    if annotation == "str" and _BARE.fullmatch(text):
        return text
    if "ListNode" in annotation and "->" in text:
        return _arrows(text, annotation)
    raise unreadable(text, f"is no {annotation or 'value'}")


def arguments(text: str, parameters: Sequence[Parameter]) -> dict[str, Json]:
    """Return the arguments of a call by name, in the order of the parameters.

    Args:
        text: the values with their names (``nums = [1], k = 2``), or without in order.
        parameters: of the function; none where they aren't known, so that the text must name them.

    Raises:
        SourceError: ``example-unreadable``, for anything but one value for each parameter.
    """
    pieces = [_NAMED.fullmatch(piece) or piece for piece in split(text)]
    named = [(piece[1], piece[2]) for piece in pieces if isinstance(piece, re.Match)]
    plain = [piece for piece in pieces if isinstance(piece, str)]
    if named and plain:
        raise unreadable(text, "has values with names and without")
    if plain:
        named = list(zip([parameter.name for parameter in parameters], plain, strict=False))
    written = dict(named)
    known = parameters or [Parameter(name) for name in written]
    if len(written) != len(pieces) or written.keys() != {each.name for each in known}:
        names = ", ".join(each.name for each in known) or "names"
        raise unreadable(text, f"doesn't give one value for each of {names}")
    return {each.name: value(written[each.name], each.annotation) for each in known}


def conform(found: Json, annotation: str) -> Json:
    """Return a value as its annotation has it: whole numbers as floats where it says ``float``.

    Raises:
        SourceError: ``example-unreadable``, where it is of another type. What an annotation other
            than of numbers, texts, lists and nodes says is not checked.
    """
    outer, inner = parts(annotation)
    if outer == "Optional":
        return None if found is None else conform(found, inner)
    if outer == "float" and type(found) in (int, float):
        return float(found)
    if outer in ("List", "list") and type(found) is list:
        return [conform(item, inner) for item in found]
    if outer in _CHECKS and not _CHECKS[outer](found):
        raise unreadable(repr(found), f"is no {annotation}")
    return found


_CHECKS: dict[str, Callable[[Json], bool]] = {
    "int": lambda found: type(found) is int,
    "float": lambda found: False,
    "str": lambda found: type(found) is str,
    "bool": lambda found: type(found) is bool,
    "None": lambda found: found is None,
    "List": lambda found: False,
    "list": lambda found: False,
    "ListNode": lambda found: found is None or (_is_flat(found) and None not in found),
    "TreeNode": lambda found: found is None or (_is_flat(found) and found[:1] != [None]),
}


def _is_flat(found: Json) -> bool:
    return type(found) is list and not any(type(item) in (list, dict) for item in found)


def _json(text: str) -> Json:
    return json.loads(text, parse_constant=ast.literal_eval)  # NaN and Infinity are refused


def _python(text: str) -> Json:
    statement = syntax(f"({text})").body[0]
    found = ast.literal_eval(statement.value) if isinstance(statement, ast.Expr) else ()
    if not _is_json(found):
        raise ValueError("no JSON value")
    return found


def _is_json(found: object) -> bool:
    if type(found) is list:
        return all(map(_is_json, found))
    return found is None or type(found) in (bool, int, float, str)


def _arrows(text: str, annotation: str) -> Json:
    items = [item.strip() for item in text.split("->")]
    if items[-1].lower() in ("null", "none"):
        items.pop()
    return conform([value(item) for item in items], annotation)
