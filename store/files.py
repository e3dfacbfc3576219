"""Files that appear whole or not at all, whatever kills the process."""

import os
import tempfile
from pathlib import Path


def real(path: Path) -> Path:
    """Return where a path leads."""
    return Path(os.path.realpath(path))


def write_whole(path: Path, data: bytes) -> None:
    """Make or replace a file: a reader sees the old bytes or the new ones, never a part.

    What is written through a link doesn't take the link's place.
    """
    path = real(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
