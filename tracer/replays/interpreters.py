"""The Python interpreters of this host, each found by running it.

A name on PATH says little: a pyenv shim named ``python3.8`` runs nothing when that version isn't
chosen, and ``python3`` may be any version. What counts is what an interpreter says of itself.
"""

import functools
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from thresher.errors import SourceError
from thresher.sandbox.wall import Mount

RECORDABLE = (3, 6)
SECONDS = 20
PROBE = (
    "import platform, sys;"
    "print('%d.%d.%d' % sys.version_info[:3]);"
    "print(platform.python_implementation());"
    "print(getattr(sys, 'base_prefix', sys.prefix))"
)
NAME = re.compile(r"(?:python|pypy)\d*(?:\.\d+)?t?")
FOLDERS = ("/usr/local/bin", "/usr/bin", "/opt/*/bin", "/opt/python/*/bin")
# When each minor version came out; an older project was never tried on a newer one.
RELEASED = {
    (3, 6): date(2016, 12, 23),
    (3, 7): date(2018, 6, 27),
    (3, 8): date(2019, 10, 14),
    (3, 9): date(2020, 10, 5),
    (3, 10): date(2021, 10, 4),
    (3, 11): date(2022, 10, 24),
    (3, 12): date(2023, 10, 2),
    (3, 13): date(2024, 10, 7),
    (3, 14): date(2025, 10, 7),
}

Minor = tuple[int, int]


class Interpreter(NamedTuple):
    """One Python, as it described itself.

    Attributes:
        executable: the file that was run.
        version: major, minor and micro.
        implementation: ``CPython``, ``PyPy`` and so on.
        prefix: the installation that must be there for it to run.
    """

    executable: Path
    version: tuple[int, int, int]
    implementation: str
    prefix: Path

    @property
    def minor(self) -> Minor:
        """Major and minor version."""
        return self.version[:2]

    @property
    def text(self) -> str:
        """Major and minor version as written, such as ``3.11``."""
        return f"{self.version[0]}.{self.version[1]}"

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What must be mounted for it to run in the sandbox; the system's needs nothing."""
        if self.prefix.is_relative_to("/usr"):
            return ()
        return (Mount(self.prefix, str(self.prefix)),)


class Survey(NamedTuple):
    """What was found: the Pythons that run, the newest first, and why each other file doesn't."""

    working: tuple[Interpreter, ...]
    broken: dict[Path, str]


@functools.cache
def survey() -> Survey:
    """Find and run every Python of this host, once."""
    return look(candidates(os.environ))


def candidates(environ: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files that may be Pythons: on PATH, of pyenv and uv, and in the usual folders."""
    home = Path(environ.get("HOME", "/"))
    pyenv = Path(environ.get("PYENV_ROOT", home / ".pyenv"))
    data = Path(environ.get("XDG_DATA_HOME", home / ".local/share"))
    uv = Path(environ.get("UV_PYTHON_INSTALL_DIR", data / "uv/python"))
    on_path = [Path(folder) for folder in environ.get("PATH", "").split(os.pathsep) if folder]
    usual = [found for pattern in FOLDERS for found in sorted(Path("/").glob(pattern[1:]))]
    for folder in (*sorted(pyenv.glob("versions/*/bin")), *sorted(uv.glob("*/bin")), *usual):
        yield from _named(folder)
    for folder in on_path:
        yield from _named(folder)


def _named(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(file for file in folder.iterdir() if NAME.fullmatch(file.name))
    except OSError:
        return


def look(files: Iterable[Path]) -> Survey:
    """Run each file, an installation's many names once, and sort out what answers."""
    working: dict[Path, Interpreter] = {}
    broken: dict[Path, str] = {}
    for file in files:
        real = file.resolve()
        if real in working or real in broken:
            continue
        found = ask(real)
        if isinstance(found, str):
            broken[real] = found
        elif real.is_relative_to(found.prefix.resolve()) or found.prefix.is_relative_to("/usr"):
            working[real] = found
    newest = sorted(working.values(), key=lambda found: found.version, reverse=True)
    return Survey(tuple(newest), broken)


def ask(executable: Path) -> Interpreter | str:
    """Run a file as a Python; return what it says of itself, or why it is none."""
    try:
        done = subprocess.run(
            [executable, "-c", PROBE],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        shim = "a pyenv shim without a version behind it: " if "pyenv" in done.stderr else ""
        return f"{shim}{said[0] if said else f'it ended with {done.returncode}'}"
    try:
        version, implementation, prefix = done.stdout.splitlines()
        major, minor, micro = map(int, version.split("."))
    except ValueError:
        return "it doesn't answer as a Python does"
    return Interpreter(executable, (major, minor, micro), implementation, Path(prefix))


def usable(working: Sequence[Interpreter]) -> dict[Minor, Interpreter]:
    """Return one CPython per minor version that can be recorded, the newest of each first."""
    found: dict[Minor, Interpreter] = {}
    for interpreter in working:
        if interpreter.implementation == "CPython" and interpreter.minor >= RECORDABLE:
            found.setdefault(interpreter.minor, interpreter)
    return found


def link(pythons: Iterable[Interpreter], folder: Path) -> None:
    """Make a folder of links, ``python3.9`` and so on, that holds no other program of theirs."""
    folder.mkdir()
    for python in pythons:
        (folder / f"python{python.text}").symlink_to(python.executable)


def preferred(
    available: Mapping[Minor, Interpreter], asked: str | None, day: date | None, own: Minor
) -> Interpreter:
    """Choose the interpreter to try first.

    Args:
        available: those that can be recorded.
        asked: the version the user wants, such as ``3.9``.
        day: the project's day; the newest interpreter that was out by then is chosen.
        own: the version to take where neither is given.

    Raises:
        SourceError: the version asked for isn't here, or none is.
    """
    if asked is not None:
        wanted = minor_in(asked)
        if wanted is None or wanted not in available:
            raise SourceError(
                "no-interpreter",
                f"no Python {asked} on this machine runs and can be recorded "
                f"(there are: {', '.join(sorted(i.text for i in available.values()))})",
            )
        return available[wanted]
    if not available:
        raise SourceError("no-interpreter", "no CPython 3.6 or later runs on this machine")
    limit = own if day is None else max(_out_by(day), min(available))
    known = [minor for minor in available if minor <= limit]
    return available[max(known) if known else min(available)]


def minor_in(text: str) -> Minor | None:
    """Return the major and minor version that a text such as ``3.8-dev`` or ``3.6.7`` names."""
    found = re.fullmatch(r"(\d+)\.(\d+)(?:\.\d+)?(?:-dev)?", text.strip())
    return (int(found[1]), int(found[2])) if found else None


def _out_by(day: date) -> Minor:
    return max((minor for minor, out in RELEASED.items() if out <= day), default=RECORDABLE)
