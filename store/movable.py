"""Whether a program means the same as the body of a function, its streams replaced.

What can't be told is taken for a no: `check` refuses by the names that a program uses, and
`means_the_same` compares what every name refers to before and after.
"""

import ast
import builtins
from collections.abc import Sequence
from symtable import SymbolTable

# Modules and names that get at a module, at a descriptor, or at the end of the process.
MODULES = {
    *("_thread", "atexit", "builtins", "code", "codecs", "concurrent", "ctypes", "doctest"),
    *("fileinput", "importlib", "inspect", "mmap", "multiprocessing", "posix", "pty", "runpy"),
    *("select", "selectors", "signal", "socket", "subprocess", "unittest"),
}
NAMES = {
    *("FileIO", "__annotations__", "__builtins__", "__dict__", "__file__", "__globals__"),
    *("__import__", "__main__", "__name__", "__stderr__", "__stdin__", "__stdout__", "_exit"),
    *("argv", "detach", "excepthook", "exec", "fdopen", "fileno", "fork", "globals", "locals"),
    *("modules", "open_code", "vars"),
}
OF_OS = {"environ", "getcwd", "getenv", "linesep", "name", "path", "sep"}  # that may be used
OF_FUTURE = {"division", "generators", "print_function", "unicode_literals", "with_statement"}
DEVICES = ("/dev/", "/proc/")
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Binding = Definition | ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign


def check(tree: ast.Module, table: SymbolTable) -> None:
    """Refuse a program that uses what means something else in a function.

    Args:
        tree: the program.
        table: its names.

    Raises:
        ValueError: says what.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            _check_import(node)
        elif isinstance(node, ast.Name | ast.Attribute):
            _check_name(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            _check_text(node.value)
    if "threading" in _imported(tree) and not any(map(_is_join, ast.walk(tree))):
        raise ValueError("it doesn't wait for its threads")
    for name in _own(table).intersection(vars(builtins)):
        if not _is_bound_first(tree.body, name):
            raise ValueError(f"{name} isn't always its own")


def means_the_same(before: SymbolTable, after: SymbolTable) -> bool:
    """Say whether every name of a module refers to the same in the function made of it.

    What the module binds must be the function's own, and everything else be found globally.
    """
    own = _own(before)
    names = set(after.get_identifiers()) & set(before.get_identifiers())
    alike = all(
        after.lookup(name).is_local() if name in own else after.lookup(name).is_global()
        for name in names
    )
    return alike and _same_inside(before, after, own, set())


def _same_inside(before: SymbolTable, after: SymbolTable, own: set[str], hidden: set[str]) -> bool:
    """Compare the scopes in two others; `hidden` are names that functions around them have too."""
    children = before.get_children(), after.get_children()
    return len(children[0]) == len(children[1]) and all(
        _same_names(one, other, own, hidden)
        and _same_inside(one, other, own, hidden | _locals(one))
        for one, other in zip(*children, strict=True)
    )


def _locals(table: SymbolTable) -> set[str]:
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_local()}


def _same_names(before: SymbolTable, after: SymbolTable, own: set[str], hidden: set[str]) -> bool:
    for name in set(before.get_identifiers()) & set(after.get_identifiers()):
        symbol, twin = before.lookup(name), after.lookup(name)
        if symbol.is_global():
            if name in hidden or not (twin.is_free() if name in own else twin.is_global()):
                return False
        # a class body finds a module's name where it hasn't bound it yet, but no function's
        elif before.get_type() == "class" and symbol.is_referenced() and name in own:
            return False
    return True


def _check_text(text: str) -> None:
    if text.startswith(DEVICES):
        raise ValueError(f"it names {text}")


def _check_import(node: ast.Import | ast.ImportFrom) -> None:
    names = {alias.name for alias in node.names}
    modules = {str(node.module)} if isinstance(node, ast.ImportFrom) else names
    if refused := MODULES & {module.partition(".")[0] for module in modules}:
        raise ValueError(f"it imports {min(refused)}")
    if "*" in names:
        raise ValueError("it imports everything of a module")
    allowed = {"__future__": OF_FUTURE, "os": OF_OS, "io": {"BytesIO", "StringIO"}}
    if isinstance(node, ast.ImportFrom) and not names <= allowed.get(str(node.module), names):
        raise ValueError(f"it imports {min(names)} of {node.module}")
    renamed = {alias.name for alias in node.names if alias.asname}
    if isinstance(node, ast.Import) and renamed & {"os", "io", "sys"}:
        raise ValueError(f"it has another name for {min(renamed)}")


def _check_name(node: ast.Name | ast.Attribute) -> None:
    name = node.id if isinstance(node, ast.Name) else node.attr
    if name in NAMES:
        raise ValueError(f"it uses {name}")
    if isinstance(node, ast.Attribute):
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if owner == "os" and name not in OF_OS or owner == "io" and name == "open":
            raise ValueError(f"it uses {owner}.{name}")
        if name in ("stdout", "__stdout__") and not isinstance(node.ctx, ast.Load):
            raise ValueError("it replaces standard output")


def _imported(tree: ast.Module) -> set[str]:
    """Return the names of the modules that a program imports, or takes something from."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return named | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


def _is_join(node: ast.AST) -> bool:
    """Say whether a node waits for a thread: the join of a text takes an argument."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "join"
        and not node.args
    )


def _own(table: SymbolTable) -> set[str]:
    """Return the names that a module binds."""
    symbols = table.get_symbols()
    return {s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_namespace()}


def _mentions(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0]) == name
    return isinstance(node, Definition) and node.name == name


def _loads(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Store)


def _is_bound_first(body: Sequence[ast.stmt], name: str) -> bool | None:
    """Say whether the first statement that mentions a name binds it; None where none does.

    A function would look for a name of its own even where a module still finds the built-in.
    """
    for node in body:
        if not any(_mentions(part, name) for part in ast.walk(node)):
            continue
        if isinstance(node, ast.For):
            if any(_mentions(part, name) for part in ast.walk(node.iter)):
                return False
            target = any(_mentions(part, name) for part in ast.walk(node.target))
            return target or _is_bound_first(node.body, name)
        return isinstance(node, Binding) and not any(_loads(n, name) for n in ast.walk(node))
    return None
