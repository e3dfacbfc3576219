"""How answers are compared: here, and as source in exported tests: ``same(left, right)``."""

from collections.abc import Sequence

from thresher.store import data, printed
from thresher.store.records import Comparator, Tree

# Told apart by type, as our own judge does it: 1, True and 1.0 are three different answers.
KEY = """\
    def key(value):
        kind = type(value).__name__
{parts}        if isinstance(value, (list, tuple)):
            return kind, tuple(map(key, value))
        if isinstance(value, (set, frozenset)):
            return kind, tuple(sorted(map(key, value)))
        if isinstance(value, dict):
            return kind, tuple(sorted((key(k), key(v)) for k, v in value.items()))
        return kind, value if isinstance(value, int) else repr(value)

"""
EXACT = """\
    def same(left, right):
        return key(left) == key(right)

"""
# Floats may differ a little wherever they stand, but in sets and as the keys of dictionaries.
CLOSE = """\
    def same(left, right):
        if key(left) == key(right) or type(left) is not type(right):
            return key(left) == key(right)
{parts}        if isinstance(left, float):
            return math.isclose(left, right, {tolerance})
        if isinstance(left, complex):
            return same(left.real, right.real) and same(left.imag, right.imag)
        if isinstance(left, (list, tuple)):
            return len(left) == len(right) and all(map(same, left, right))
        if isinstance(left, dict):
            left, right = ({{key(k): v for k, v in each.items()}} for each in (left, right))
            return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
        return False

"""
UNORDERED = """\
    def same(left, right):
        if type(left) is list and type(right) is list:
            return sorted(map(key, left)) == sorted(map(key, right))
        return key(left) == key(right)

"""
NESTED = """\
    def same(left, right):
        return unordered(left) == unordered(right)

    def unordered(value):
        if type(value) is list:
            return "list", tuple(sorted(map(unordered, value)))
        return key(value)

"""
SAME = {"exact": EXACT, "float": CLOSE, "unordered": UNORDERED, "unordered-nested": NESTED}
# What `==` and `repr` don't show of an answer, by the tag of its value: the module that knows its
# class, and lines of a function ``parts``. Only what the answers of a problem hold is written.
PARTS = {
    "instance": ("types", """\
        if type(value) in [KINDS]:
            return attributes(value), built_in(value)
"""),
    "enum": ("enum", """\
        if isinstance(value, enum.Enum):
            return value.name
"""),
    "global": ("types", """\
        if isinstance(value, (type, types.FunctionType)):
            return id(value)
"""),
    "pattern": ("re", """\
        if isinstance(value, re.Pattern):
            return value.pattern, value.flags
"""),
    "deque": ("collections", """\
        if isinstance(value, collections.deque):
            return list(value), value.maxlen
"""),
    "ordereddict": ("collections", """\
        if isinstance(value, collections.OrderedDict):
            return list(value.items())
"""),
    "defaultdict": ("collections", """\
        if isinstance(value, collections.defaultdict):
            return value.default_factory, dict(value)
"""),
    "namespace": ("types", """\
        if isinstance(value, types.SimpleNamespace):
            return vars(value)
"""),
    "mappingproxy": ("types", """\
        if isinstance(value, types.MappingProxyType):
            return dict(value)
"""),
}  # fmt: skip
INSTANCES = """\
    def attributes(value):
        found = dict(getattr(value, "__dict__", {}))
        for owner in type(value).__mro__:
            for name, slot in vars(owner).items():
                if type(slot) is types.MemberDescriptorType and owner.__flags__ & HEAP:
                    if hasattr(value, name):
                        found[name] = slot.__get__(value)
        return found

    def built_in(value):
        for base in (str, bytes, float, int):
            if isinstance(value, base):
                return base.__repr__(value)
        for base in (list, tuple, dict, set, frozenset):
            if isinstance(value, base):
                return base(value)
        return value.args if isinstance(value, BaseException) else None

""".replace("HEAP", str(1 << 9))  # set where a class was made by a class statement
KEY_PARTS = """\
        if parts(value) is not None:
            return f"{kind} {id(type(value))}", key(parts(value))
"""
CLOSE_PARTS = """\
        if parts(left) is not None:
            return same(parts(left), parts(right))
"""


def agree(comparator: Comparator, expected: Tree, answer: Tree) -> bool:
    """Say whether an answer is the expected one; it may be any JSON data.

    Raises:
        ValueError: the comparator is a program, which isn't run here.
    """
    if comparator.kind == "checker":
        raise ValueError("a problem with a checker can't be judged without it")
    if comparator.kind in printed.KINDS:
        texts = type(answer) is str and type(expected) is str
        return texts and printed.agree(comparator, answer, expected)
    if comparator.kind == "float":
        return data.equal(expected, answer, comparator.relative, comparator.absolute)
    if comparator.kind == "exact":
        return data.equal(expected, answer)
    return data.equal_unordered(expected, answer, comparator.kind == "unordered-nested")


def comparison(comparator: Comparator, answers: Sequence[Tree]) -> tuple[str, set[str]]:
    """Return the source that defines ``same`` for these answers, and the modules it needs.

    It tells types apart, as our own judge does, and stands in the body of a function.
    """
    if comparator.kind in printed.KINDS:
        return printed.source(comparator)
    modules = {"math"} if comparator.kind == "float" else set()
    tolerance = f"rel_tol={comparator.relative!r}, abs_tol={comparator.absolute!r}"
    found = [PARTS[tag] for tag in PARTS if tag in tags(answers)]
    lines = "".join(text for _, text in found)
    parts = f"    def parts(value):\n{lines}        return None\n\n" if found else ""
    if kinds := sorted(_kinds(answers)):
        named = ", ".join(data.render({"global": name}) for name in kinds)
        parts = INSTANCES + parts.replace("KINDS", named)
    key = KEY.format(parts=KEY_PARTS if found else "")
    same = SAME[comparator.kind]
    if comparator.kind == "float":
        same = same.format(tolerance=tolerance, parts=CLOSE_PARTS if found else "")
    return parts + key + same, modules.union(name for name, _ in found)


def tags(tree: Tree) -> set[str]:
    """Return the tags that stand anywhere in a tree."""
    if isinstance(tree, dict):
        return set(tree).union(*map(tags, tree.values()))
    return set().union(*map(tags, tree)) if isinstance(tree, list) else set()


def _kinds(tree: Tree) -> set[str]:
    """Return the names of the classes that a tree has instances of."""
    if isinstance(tree, dict):
        own = {tree["instance"][0]} if "instance" in tree else set()
        return own.union(*map(_kinds, tree.values()))
    return set().union(*map(_kinds, tree)) if isinstance(tree, list) else set()
