"""Grows a slice until it holds all that one function needs, directly and through others."""

import ast
import builtins

from thresher.tracer.extraction.classes import necessary, possible
from thresher.tracer.extraction.imports import (
    Origin,
    foreign_star,
    guarded_imports,
    imported,
    origin,
    star,
)
from thresher.tracer.extraction.members import Member
from thresher.tracer.extraction.modules import NameClash, NotStandalone, Statement
from thresher.tracer.extraction.names import Names, bound_name, is_typing_guard
from thresher.tracer.extraction.slices import Entry, MemberKey, Slice, StatementKey, effects

MAX_SIZE = 20_000  # characters that come along with a function
MAX_MEMBER = 2_400  # for the sake of a member that may not be needed at all
MAX_OPTIONAL = 10_000  # with all such members

_BUILTINS = frozenset(dir(builtins)) | {"__name__"}
# Code that also runs on Python 2 names these behind a test that never lets them be reached.
_GONE = frozenset(
    ["unicode", "basestring", "long", "xrange", "unichr", "WindowsError", "annotationlib"]
)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def slice_of(entry: Entry, lazy: bool = False) -> Slice:
    """Collect what the entry function needs, directly and through others.

    Args:
        entry: the function.
        lazy: whether the program's annotations shall never be evaluated.

    Raises:
        NotStandalone: something it needs can't be brought along.
    """
    found = Slice(entry, lazy)
    found.edges[entry.file] = [file for file, _ in entry.needs if file != entry.file]
    _close(found, [*_take(found, entry.file, entry.place), *entry.needs])
    return _with_hints(_with_what_matters(found))


def _close(found: Slice, pending: list[tuple[str, str]]) -> None:
    """Take all that `pending` names stand for, directly and through others."""
    while pending or (members := necessary(found)):
        if pending:
            key = pending.pop()
            if key not in found.seen:
                found.seen.add(key)
                pending += _resolve(found, *key)
        else:
            pending += [need for key in members for need in _take_member(found, *key)]


def _with_what_matters(found: Slice) -> Slice:
    """Take along, where possible, what may change taken objects or be reached of taken classes.

    What is left out, being none of the program's business or more than it can have, shows in
    calls that give other results than were recorded.
    """
    while True:
        keys: list[StatementKey | MemberKey] = [*possible(found)]
        keys = keys or [*effects(found)]
        if not keys:
            return found
        for key in keys:
            found = _with(found, key)


def _with(found: Slice, key: StatementKey | MemberKey) -> Slice:
    trial = found.copy()
    try:
        if len(key) == 3:
            _close(trial, _take_member(trial, *key))
        else:
            _close(trial, _take(trial, *key))
        if len(key) == 3 and trial.size > min(found.size + MAX_MEMBER, MAX_OPTIONAL):
            raise NotStandalone("too-large", "it needs too much")
    except NotStandalone:
        found.refused.add(key)
        return found
    return trial


def _with_hints(found: Slice) -> Slice:
    """Take along, where possible, what annotations name that Python never evaluates."""
    for file, index, _, _ in list(found.statements()):
        names = found.names(file, index)
        for name in sorted(names.hints | (names.annotations if found.is_lazy(file) else set())):
            trial = found.copy()
            try:
                _close(trial, _hint(trial, file, name))
            except NotStandalone:
                continue
            found = trial
    return found


def _hint(found: Slice, file: str, name: str) -> list[tuple[str, str]]:
    """Return what to take for an annotation's `name`: an assignment or a standard import."""
    module = found.project.module(file)
    if name in module.hints:
        index = module.hints[name]
        return _take(found, file, index, name) if _is_plain(found, file, index, name) else []
    bindings = module.bindings.get(name, [])
    is_plain = bindings and all(_is_plain(found, file, index, name) for index in bindings)
    return [(file, name)] if is_plain else []


def _is_plain(found: Slice, file: str, index: int, name: str) -> bool:
    node = found.project.module(file).statements[index].node
    kinds = [
        origin(found.project, file, item).kind
        for item in imported(node)
        if bound_name(item.alias) == name
    ]
    return all(kind == "stdlib" for kind in kinds) and not isinstance(node, _DEFINITIONS)


def _resolve(found: Slice, file: str, name: str) -> list[tuple[str, str]]:
    """Take what `name` stands for in `file`; return what that needs in turn."""
    module = found.project.module(file)
    if name == found.entry.reserved:
        raise NameClash(f"{file} means something else by {name}")
    if name in module.bindings:
        if file == found.entry.file and found.entry.place in module.bindings[name]:
            return []
        return [need for index in module.bindings[name] for need in _take(found, file, index, name)]
    elsewhere = star(found.project, file, name)
    if elsewhere:
        return _follow(found, file, elsewhere)
    if name in _BUILTINS:
        _own(found, name, "builtin")
        return []
    if name.startswith("__") and name.endswith("__"):
        raise NotStandalone(f"dunder:{name}", f"{file} uses {name}")
    foreign = foreign_star(found.project, file)
    if foreign:
        raise NotStandalone("star-import", f"{name} may come from {foreign}, in {file}")
    if name in _GONE:
        return []
    raise NotStandalone(f"unresolved:{name}", f"{file} doesn't define {name}")


def _take(found: Slice, file: str, index: int, name: str = "") -> list[tuple[str, str]]:
    """Take one statement, for the sake of `name`; return the names it needs."""
    module = found.project.module(file)
    statement = module.statements[index]
    wanted = found.taken.setdefault(file, {}).setdefault(index, set())
    if isinstance(statement.node, ast.Import | ast.ImportFrom) or is_typing_guard(statement.node):
        wanted.add(name)
        return _import(found, file, statement, name)
    if wanted:
        return []
    wanted.add(name)
    _grow(found, statement.size)
    _check(found, file, statement.start, statement.names)
    for bound in statement.names.binds:
        _own(found, bound, (file, bound))
    if statement.members:
        kept = [place for place, each in enumerate(statement.members) if each.kept]
        needs = [need for place in kept for need in _take_member(found, file, index, place)]
    else:
        _check_imports(found, file, statement)
        needs = []
    return needs + _needs(found, file, statement.names)


def _take_member(found: Slice, file: str, index: int, place: int) -> list[tuple[str, str]]:
    """Take a member of a class; return the names it needs."""
    statement = found.project.module(file).statements[index]
    member = statement.members[place]
    found.members.setdefault((file, index), set()).add(place)
    _grow(found, len(member.text))
    _check(found, file, statement.start, member.names)
    _check_imports(found, file, member)
    return _needs(found, file, member.names)


def _grow(found: Slice, size: int) -> None:
    found.size += size
    if found.size > MAX_SIZE + found.entry.statement.size:
        raise NotStandalone("too-large", f"it needs more than {MAX_SIZE} characters")


def _needs(found: Slice, file: str, names: Names) -> list[tuple[str, str]]:
    needed = names.now | names.later | (set() if found.is_lazy(file) else names.annotations)
    return [(file, each) for each in sorted(needed)]


def _import(found: Slice, file: str, statement: Statement, name: str) -> list[tuple[str, str]]:
    needs = []
    for item in imported(statement.node):
        if bound_name(item.alias) != name:
            continue
        source = origin(found.project, file, item)
        if source.kind == "name":
            if source.name != name:
                _own(found, name, (file, name))
            needs += _follow(found, file, source)
        else:
            _refuse(source, file)
            alone = len(found.project.module(file).bindings.get(name, [])) <= 1
            _own(found, name, item.text() if alone else (file, name))
    return needs


def _follow(found: Slice, file: str, source: Origin) -> list[tuple[str, str]]:
    if source.file != file and source.file not in found.edges.setdefault(file, []):
        found.edges[file].append(source.file)
    return [(source.file, source.name)]


def _refuse(source: Origin, file: str) -> None:
    """Raise unless `source` is the standard library."""
    if source.kind == "third-party":
        raise NotStandalone(f"third-party:{source.name}", f"{file} imports {source.name}")
    if source.kind != "stdlib":
        raise NotStandalone("project-module", f"{file} uses the module {source.name}")


def _check(found: Slice, file: str, line: int, names: Names) -> None:
    """Raise if what has these names can't be moved into another program."""
    if names.globals:
        assigned = ", ".join(sorted(names.globals))
        raise NotStandalone("writes-global", f"{file}:{line} assigns {assigned}")
    if "globals" in names.now | names.later:
        raise NotStandalone("uses-globals", f"{file}:{line} calls globals()")


def _check_imports(found: Slice, file: str, part: Statement | Member) -> None:
    """Raise if code imports what isn't there, or may not be."""
    for item, guarded in guarded_imports(part.node) if part.imports else ():
        source = origin(found.project, file, item)
        # A guarded import that fails takes the fallback, just as where its module is missing.
        if not guarded and source.kind == "name":
            place = f"{file}:{item.node.lineno}"
            raise NotStandalone("inner-import", f"{place} imports {source.name}")
        if not guarded:
            _refuse(source, file)
        elif source.kind != "stdlib" and not isinstance(part.node, ast.Try):
            place = f"{file}:{item.node.lineno}"
            raise NotStandalone("inner-import", f"{place} imports {item.alias.name} on the way")


def _own(found: Slice, name: str, owner: object) -> None:
    """Record what `name` stands for; two meanings don't fit into one program."""
    known = found.owners.setdefault(name, owner)
    if known != owner:
        places = tuple(each for each in (owner, known) if isinstance(each, tuple))
        raise NameClash(f"{name} means both {owner} and {known}", places)
