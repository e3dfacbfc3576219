"""Notices in a program's text what its results may depend on besides its arguments."""

import ast
from collections.abc import Iterator

from thresher.tracer.extraction.names import bound_name

# What leads to hidden state, with all that is inside of it.
_STATE = {
    "time": "time datetime.datetime.now datetime.datetime.utcnow datetime.datetime.today "
    "datetime.date.today",
    "random": "random secrets os.urandom uuid.uuid1 uuid.uuid4",
    "environment": "os.environ os.getenv os.getcwd os.getpid os.getlogin os.cpu_count os.name "
    "os.path.expanduser os.path.expandvars os.path.abspath os.path.realpath sys.argv sys.platform "
    "sys.stdin sys.modules sys.path platform locale getpass shutil.get_terminal_size",
    "files": "open io.open os.listdir os.scandir os.walk os.stat os.mkdir os.makedirs os.remove "
    "os.unlink os.rename os.replace os.open os.path.exists os.path.isfile os.path.isdir "
    "os.path.getmtime os.path.getsize pathlib.Path shutil tempfile glob fileinput sqlite3",
    "network": "socket ssl urllib.request http.client smtplib ftplib imaplib poplib socketserver",
}
_KINDS = {place: kind for kind, places in _STATE.items() for place in places.split()}
_CHANGING = frozenset(
    ["add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem",
     "popleft", "remove", "reverse", "setdefault", "sort", "update"]
)  # fmt: skip


def state(program: str) -> tuple[str, ...]:
    """Return which kinds of hidden state a program may read or write.

    They are ``environment``, ``files``, ``global-state``, ``network``, ``random`` and ``time``.
    """
    tree = ast.parse(program)
    found = set(_read(tree)) if "import" in program or "open" in program else set()
    return tuple(sorted({*found, "global-state"} if _changes_globals(tree) else found))


def _read(tree: ast.Module) -> Iterator[str]:
    places = {"open": "open"}
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            places |= {bound_name(a): a.name if a.asname else bound_name(a) for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            places |= {bound_name(a): f"{node.module}.{a.name}" for a in node.names}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            root, *rest = _dotted(node)
            if root in places:
                yield from _kinds(".".join([places[root], *rest]))


def _kinds(place: str) -> Iterator[str]:
    """Yield the kind of state at a place, or of what it is in."""
    parts = place.split(".")
    prefixes = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
    return (_KINDS[prefix] for prefix in prefixes if prefix in _KINDS)


def _dotted(node: ast.expr) -> list[str]:
    """Return ``[os, path, join]`` for ``os.path.join``, and an empty root for other things."""
    rest: list[str] = []
    while isinstance(node, ast.Attribute):
        rest.append(node.attr)
        node = node.value
    return [node.id if isinstance(node, ast.Name) else "", *reversed(rest)]


def _changes_globals(tree: ast.Module) -> bool:
    """Tell whether a function changes an object that the module has a name for."""
    made = {
        name.id
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for name in ast.walk(statement)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    return bool(made) and any(
        isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not made.isdisjoint(_changed(statement))
        for statement in tree.body
    )


def _changed(statement: ast.stmt) -> set[str]:
    """Return the names, not bound inside, of objects that a statement changes in place."""
    found, local = set(), set()
    for node in ast.walk(statement):
        if isinstance(node, ast.arg):
            local.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            local.add(node.id)
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            found.add(getattr(node.value, "id", ""))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _CHANGING:
            found.add(getattr(getattr(node.func, "value", None), "id", ""))
    return found - local
