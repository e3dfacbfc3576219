"""The bare interpreter that cells run on: the standard library, and no installed package."""

import contextlib
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from thresher.sandbox.leftovers import scratch_folder
from thresher.sandbox.wall import Mount

DISTRIBUTION_PACKAGES = ("/usr/lib/python3/dist-packages",)


def interpreter() -> Path:
    """Return the Python that our virtual environment was made from, or ours when it is none."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    found = Path(sys.base_prefix) / "bin" / name
    return found if found.exists() else Path(sys.executable)


@contextlib.contextmanager
def library_mounts() -> Iterator[tuple[Mount, ...]]:
    """Give the mounts that make `interpreter` run inside, its installed packages covered.

    Packages would be more than a program of its own may use, and some hold answers: the data of
    benchmarks, for example.
    """
    prefix = Path(sys.base_prefix)
    base = () if prefix.is_relative_to("/usr") else (Mount(prefix.resolve(), str(prefix)),)
    with scratch_folder("empty") as empty:
        covers = (Mount(empty, str(folder)) for folder in _package_folders(prefix))
        yield (*base, *covers)


def _package_folders(prefix: Path) -> list[Path]:
    paths = sysconfig.get_paths(vars={"base": str(prefix), "platbase": str(prefix)})
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [
        Path(paths["purelib"]),
        Path(paths["platlib"]),
        Path("/usr/local/lib", version, "dist-packages"),
        Path("/usr/local/lib", version, "site-packages"),
        *map(Path, DISTRIBUTION_PACKAGES),
    ]
    return sorted({folder for folder in candidates if folder.is_dir()})
