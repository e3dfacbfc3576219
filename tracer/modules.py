"""The Python files of a project and the statements of each, read as text and never imported."""

import ast
import io
import os
import stat
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from thresher.errors import SourceError
from thresher.tracer.names import Names, is_main_guard, is_typing_guard, names_of

MAX_BYTES = 1_000_000
MAX_FILES = 5_000
MAX_DEPTH = 3
MAX_STATEMENTS = 20_000
MAX_REASON = 80
MAX_DETAIL = 300

_SKIPPED_FOLDERS = frozenset(["test", "doc", "example", "benchmark", "build", "dist"])  # or plural
_SKIPPED_MODULES = frozenset(["setup.py", "noxfile.py", "toxfile.py", "tasks.py", "fabfile.py"])
# Decoding these is slow, or isn't decoding text at all.
_SKIPPED_ENCODINGS = frozenset(["punycode", "idna", "unicode-escape", "raw-unicode-escape"])


class NotStandalone(SourceError):
    """A function can't be made a program of its own.

    Attributes:
        reason: a stable short code, for example ``third-party:numpy``.
        detail: what exactly stood in the way, for a person.
    """

    def __init__(self, reason: str, detail: str) -> None:
        # Names are as long as a stranger's source makes them.
        reason, detail = reason[:MAX_REASON], detail[:MAX_DETAIL]
        super().__init__(reason, f"not standalone ({reason}): {detail}")
        self.detail = detail


@dataclass(frozen=True)
class Statement:
    """One top-level statement: its syntax tree, its text and its first and last line."""

    node: ast.stmt
    text: str
    start: int
    end: int
    names: Names


@dataclass(frozen=True)
class Module:
    """The top-level statements of one file.

    `bindings` maps a name to the statements that bind it when the module is imported, `hints`
    to the ``if TYPE_CHECKING:`` that imports it, `users` to the functions and classes that need
    it. `lazy` says whether annotations are never evaluated.
    """

    text: str
    tree: ast.Module
    statements: tuple[Statement, ...]
    bindings: dict[str, list[int]]
    hints: dict[str, int]
    users: dict[str, list[str]]
    stars: tuple[ast.ImportFrom, ...]
    lazy: bool


@dataclass(frozen=True)
class Project:
    """The importable files of a project.

    Both maps go by the path that follows from the import name (``pkg/part.py``): `sources` gives
    the place below the project's root, `texts` what the file says.
    """

    sources: dict[str, PurePosixPath]
    texts: dict[str, str]
    _modules: dict[str, Module] = field(default_factory=dict, repr=False, compare=False)

    @property
    def files(self) -> list[str]:
        """The import-relative paths, sorted."""
        return sorted(self.texts)

    def module(self, file: str) -> Module:
        """Return the parsed `file`, parsing it once.

        Raises:
            NotStandalone: the file isn't in the project or isn't Python that we can parse.
        """
        if file not in self.texts:
            raise NotStandalone("not-found", f"{file} is not a file of the project")
        if file not in self._modules:
            self._modules[file] = _parse(file, self.texts[file])
        return self._modules[file]


def read_project(root: Path) -> Project:
    """Read the importable Python files below `root`, without tests, docs and examples.

    Symbolic links, files over 1 MB and files that can't be decoded are left out.
    """
    sources: dict[str, PurePosixPath] = {}
    texts: dict[str, str] = {}
    for base, path in _python_files(root):
        file = path.relative_to(base).as_posix()
        if file in texts or len(texts) >= MAX_FILES:
            continue
        text = _read(path)
        if text is not None:
            sources[file] = PurePosixPath(path.relative_to(root).as_posix())
            texts[file] = text
    return Project(sources, texts)


def _python_files(root: Path) -> Iterator[tuple[Path, Path]]:
    """Yield (import root, file); shallow import roots come first and so win."""
    packages = sorted(_packages(root), key=lambda path: (len(path.parts), path))
    bases = [root, root / "src", root / "lib", *(package.parent for package in packages)]
    for base in dict.fromkeys(bases):
        for path in sorted(base.glob("*.py")):
            if path.name not in _SKIPPED_MODULES and _is_wanted(path.name):
                yield base, path
    for package in packages:
        for folder, folders, files in os.walk(package):
            folders[:] = sorted(filter(_is_wanted_folder, folders))
            for name in sorted(filter(_is_wanted, files)):
                yield package.parent, Path(folder, name)


def _packages(root: Path) -> Iterator[Path]:
    """Yield the top-most folders below `root` that have an ``__init__.py``."""
    for folder, folders, _ in os.walk(root):
        path = Path(folder)
        inner = sorted(filter(_is_wanted_folder, folders))
        tops = [name for name in inner if (path / name / "__init__.py").is_file()]
        yield from (path / name for name in tops if not (path / name).is_symlink())
        deep = len(path.relative_to(root).parts) >= MAX_DEPTH
        folders[:] = [] if deep else [name for name in inner if name not in tops]


def _is_wanted_folder(name: str) -> bool:
    is_skipped = name.removesuffix("s") in _SKIPPED_FOLDERS or name == "__pycache__"
    return name.isidentifier() and not is_skipped


def _is_wanted(name: str) -> bool:
    stem, dot, suffix = name.rpartition(".")
    is_test = stem.startswith("test_") or stem.endswith("_test") or stem in {"tests", "conftest"}
    return dot + suffix == ".py" and stem.isidentifier() and not is_test


def _read(path: Path) -> str | None:
    """Return the text with line ends as Python's own reader would make them, or None."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            return None
        content = path.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        if encoding.lower().replace("_", "-") in _SKIPPED_ENCODINGS:
            return None
        return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, SyntaxError, ValueError, LookupError):
        return None


def _parse(file: str, text: str) -> Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            if len(tree.body) > MAX_STATEMENTS:
                raise NotStandalone("too-large", f"{file} has {len(tree.body)} statements")
            statements = tuple(_statements(text, tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotStandalone("unparsable", f"{file}: {type(error).__name__}: {error}") from error
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return Module(
        text=text,
        tree=tree,
        statements=statements,
        bindings=_index(statements, hints=False),
        hints={name: found[0] for name, found in _index(statements, hints=True).items()},
        users=_users(statements),
        stars=tuple(node for node in imports if node.names[0].name == "*"),
        lazy=any(
            node.module == "__future__" and alias.name == "annotations"
            for node in imports
            for alias in node.names
        ),
    )


def _statements(text: str, tree: ast.Module) -> Iterator[Statement]:
    lines = [line.encode() for line in text.split("\n")]
    body = tree.body
    firsts = [first_line(node) for node in body]
    lasts = [node.end_lineno or node.lineno for node in body]
    for index, node in enumerate(body):
        start, end = firsts[index], lasts[index]
        shared = start in lasts[max(index - 1, 0) : index] or end in firsts[index + 1 : index + 2]
        piece = lines[start - 1 : end]
        if shared:
            piece[-1] = piece[-1][: node.end_col_offset]
            piece[0] = piece[0][node.col_offset :]
        source = b"\n".join(piece).decode()
        yield Statement(node, source, start, end, names_of(node, source))


def _index(statements: tuple[Statement, ...], hints: bool) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for index, statement in enumerate(statements):
        if not is_main_guard(statement.node) and is_typing_guard(statement.node) == hints:
            for name in sorted(statement.names.binds):
                found.setdefault(name, []).append(index)
    return found


def _users(statements: tuple[Statement, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for statement in statements:
        if isinstance(statement.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for name in statement.names.now | statement.names.later:
                found.setdefault(name, []).append(statement.node.name)
    return found


def first_line(node: ast.stmt) -> int:
    """Return the line where `node` begins, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
