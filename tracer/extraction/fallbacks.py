"""``try: import x`` with ``except ImportError``: a program of its own always takes the fallback.

Whether the import works depends on where a program runs: outside its project, or where another
package happens to be installed. The fallback alone gives the same answers everywhere.
"""

import ast
import textwrap

from thresher.tracer.extraction.imports import (
    Imported,
    catches_import_error,
    guarded_imports,
    origin,
)
from thresher.tracer.extraction.modules import NotStandalone, Statement
from thresher.tracer.extraction.projects import Project


def text_of(project: Project, file: str, statement: Statement) -> str:
    """Return the text of a statement, or its fallback's where it tries to import foreign things.

    Raises:
        NotStandalone: the fallback can't be told from the rest.
    """
    foreign = [
        item for item, _ in guarded_imports(statement.node) if _is_foreign(project, file, item)
    ]
    if not foreign:
        return statement.text
    node, place = statement.node, f"{file}:{foreign[0].node.lineno}"
    if not isinstance(node, ast.Try) or not _fails(project, file, node) or node.finalbody:
        raise NotStandalone("inner-import", f"{place} imports {foreign[0].alias.name} on the way")
    if any(isinstance(inner, ast.Raise) for inner in ast.walk(node)):
        raise NotStandalone(f"third-party:{foreign[0].alias.name}", f"{place} can't do without it")
    handler = next(handler for handler in node.handlers if catches_import_error(handler))
    text = _body_text(statement, handler)
    if handler.name or _dump(ast.parse(text).body) != _dump(handler.body):
        raise NotStandalone("inner-import", f"{place}: its fallback can't stand alone")
    return text


def _fails(project: Project, file: str, node: ast.stmt) -> bool:
    """Tell whether a ``try`` begins with a foreign import, or another ``try`` that fails so."""
    first = node.body[0] if isinstance(node, ast.Try) else node
    if isinstance(first, ast.Import | ast.ImportFrom):
        return any(_is_foreign(project, file, Imported(first, alias)) for alias in first.names)
    if not isinstance(first, ast.Try) or not _fails(project, file, first):
        return False
    caught = [handler for handler in first.handlers if catches_import_error(handler)]
    return not caught or _fails(project, file, caught[0].body[0])


def _is_foreign(project: Project, file: str, item: Imported) -> bool:
    return origin(project, file, item).kind != "stdlib"


def _body_text(statement: Statement, handler: ast.ExceptHandler) -> str:
    first, last = handler.body[0], handler.body[-1]
    lines = statement.text.split("\n")
    start = first.lineno - statement.start
    taken = lines[start : (last.end_lineno or last.lineno) - statement.start + 1]
    if first.lineno == handler.lineno:
        taken[0] = taken[0].encode()[first.col_offset :].decode()
    return textwrap.dedent("\n".join(taken))


def _dump(body: list[ast.stmt]) -> list[str]:
    return [ast.dump(node) for node in body]
