"""The importable Python files of a project, found and decoded but never imported."""

import io
import os
import stat
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from thresher.tracer.extraction import rewrites
from thresher.tracer.extraction.modules import Module, NotStandalone, parse_module

MAX_BYTES = 1_000_000
MAX_FILES = 5_000
MAX_DEPTH = 3

_SKIPPED_FOLDERS = frozenset(["test", "doc", "example", "benchmark", "build", "dist"])  # or plural
_SKIPPED_MODULES = frozenset(
    ["setup.py", "tests.py", "noxfile.py", "toxfile.py", "tasks.py", "fabfile.py"]
)
# Decoding these is slow, or isn't decoding text at all.
_SKIPPED_ENCODINGS = frozenset(["punycode", "idna", "unicode-escape", "raw-unicode-escape"])


@dataclass(frozen=True)
class Project:
    """The importable files of a project.

    Both maps go by the path that follows from the import name (``pkg/part.py``): `sources` gives
    the place below the project's root, `texts` what the file says. `renamed` says what the names
    of its files are called now, where two of them were the same; `variants` keeps the projects
    that differ in one more.
    """

    sources: dict[str, PurePosixPath]
    texts: dict[str, str]
    renamed: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)
    variants: dict[tuple[str, str], "Project"] = field(
        default_factory=dict, repr=False, compare=False
    )
    _parsed: dict[str, Module] = field(default_factory=dict, repr=False, compare=False)
    _modules: dict[str, Module] = field(default_factory=dict, repr=False, compare=False)
    _changed: dict[str, Module] = field(default_factory=dict, repr=False, compare=False)

    @property
    def files(self) -> list[str]:
        """The import-relative paths, sorted."""
        return sorted(self.texts)

    def module(self, file: str) -> Module:
        """Return the parsed `file`, with the names of its project's modules resolved.

        Raises:
            NotStandalone: the file isn't in the project or isn't Python that we can parse.
        """
        if file in self._changed:
            return self._changed[file]
        if file not in self._modules:
            self._modules[file] = rewrites.rewritten(self, file)
        return self._modules[file]

    def parsed(self, file: str) -> Module:
        """Return the `file` parsed as it is, once.

        Raises:
            NotStandalone: the file isn't in the project or isn't Python that we can parse.
        """
        if file not in self.texts:
            raise NotStandalone("not-found", f"{file} is not a file of the project")
        if file not in self._parsed:
            self._parsed[file] = parse_module(file, self.texts[file])
        return self._parsed[file]

    def changed(self, file: str, module: Module) -> "Project":
        """Return the same project with another module in the place of `file`'s."""
        return replace(self, variants={}, _changed={**self._changed, file: module})

    def knowing(self, renamed: dict[tuple[str, str], str]) -> "Project":
        """Return the same project with more names known to be others now."""
        return replace(self, variants={}, renamed=self.renamed | renamed)


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
    is_test = stem.startswith("test_") or stem.endswith("_test") or stem == "conftest"
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
