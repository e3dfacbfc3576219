"""Files of a problem package: read by name, never from outside of it, and kept as one archive."""

import io
import os
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from thresher.errors import SourceError

MOST = 1 << 20  # bytes of one file; statements and programs are far smaller
HIDDEN = "."


def read(root: Path, name: str, most: int = MOST) -> bytes:
    """Return the bytes of a file of a package.

    Args:
        root: the package's folder; links that lead out of it are refused.
        name: the file's path in it.
        most: bytes.

    Raises:
        SourceError: ``outside-package``, ``no-file`` or ``too-large``.
    """
    try:
        place = (root / name).resolve(strict=True)
        if not place.is_relative_to(root.resolve()):
            raise SourceError(
                "outside-package", f"{name!r} lies outside of {root}; put a copy of the file there"
            )
        if not place.is_file():
            raise SourceError("no-file", f"{name!r} in {root} is no file")
        with place.open("rb") as file:
            content = file.read(most + 1)
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a null character
        raise SourceError("no-file", f"{name!r} in {root} can't be read: {error}") from error
    if len(content) > most:
        raise SourceError("too-large", f"{name!r} in {root} has over {most} bytes")
    return content


def text(content: bytes, name: str) -> str:
    """Return the text of the file `name`, with LF at the ends of lines.

    Raises:
        SourceError: ``no-text``, it is not UTF-8 or has null characters.
    """
    try:
        found = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError("no-text", f"{name!r} is not UTF-8: {error}") from error
    if "\0" in found:
        raise SourceError("no-text", f"{name!r} has null characters")
    return found.replace("\r\n", "\n").replace("\r", "\n")


def folders(root: Path, marker: str) -> Iterator[Path]:
    """Yield the folders under `root` that hold the file `marker`, by name; none within another.

    Links are not followed, and what begins with a dot is passed over.
    """
    for place, inner, _ in os.walk(root):
        if (Path(place) / marker).is_file():
            inner.clear()
            yield Path(place)
        inner[:] = sorted(name for name in inner if not name.startswith(HIDDEN))


def files(root: Path, depth: int = 8) -> list[str]:
    """Return the names of all files in the folder `root` and those in it, sorted.

    Links are listed, but not followed; what begins with a dot is passed over.
    """
    found: list[str] = []
    for place, inner, names in os.walk(root):
        here = Path(place).relative_to(root)
        inner[:] = [name for name in inner if not name.startswith(HIDDEN)]
        if len(here.parts) >= depth:
            inner.clear()
        found += [(here / name).as_posix() for name in names if not name.startswith(HIDDEN)]
    return sorted(found)


def archive(content: Mapping[str, bytes]) -> bytes:
    """Return files by name as one tar archive; the same files give the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(content):
            member = tarfile.TarInfo(name)
            member.size = len(content[name])
            tar.addfile(member, io.BytesIO(content[name]))
    return buffer.getvalue()
