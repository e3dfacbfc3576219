"""Projects written in tests, and what is made of their functions."""

import ast
import textwrap
from collections.abc import Collection
from pathlib import PurePosixPath

import pytest

from thresher.tracer.extraction.source import first_line
from thresher.tracer.extraction.standalone import NotStandalone, Project, Standalone, extract


def project_of(**texts: str) -> Project:
    """Make a project; ``pkg__m`` is the module ``pkg/m.py``."""
    files = {f"{name.replace('__', '/')}.py": textwrap.dedent(text) for name, text in texts.items()}
    files = {file.replace("/init.py", "/__init__.py"): text for file, text in files.items()}
    return Project({file: PurePosixPath(file) for file in files}, files)


def extracted(
    name: str, classes: Collection[str] = (), closure: Collection[str] = (), **texts: str
) -> Standalone:
    """Extract the last definition of `name` in the module whose file is ``m.py``."""
    project = project_of(**texts)
    file = next(file for file in project.texts if file.rpartition("/")[2] == "m.py")
    nodes = ast.walk(ast.parse(project.texts[file]))
    functions = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    node = max((n for n in functions if n.name == name), key=lambda n: n.lineno)
    return extract(project, file, first_line(node), name, classes, closure)


def program(
    name: str, classes: Collection[str] = (), closure: Collection[str] = (), **texts: str
) -> str:
    """Return the program made of a function."""
    found = extracted(name, classes, closure, **texts)
    return found.prompt + found.solution


def reason(
    name: str, classes: Collection[str] = (), closure: Collection[str] = (), **texts: str
) -> str:
    """Return why no program can be made of a function."""
    with pytest.raises(NotStandalone) as caught:
        extracted(name, classes, closure, **texts)
    return caught.value.reason
