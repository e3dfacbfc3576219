"""The content-addressed folder of raw bytes: a blob's name is its sha256."""

import hashlib
import os
import tempfile
from pathlib import Path


def put(folder: Path, data: bytes) -> str:
    """Keep `data` under its sha256 hex digest and return that digest.

    The file appears whole or not at all, whatever kills the process.
    """
    digest = hashlib.sha256(data).hexdigest()
    target = path(folder, digest)
    if target.exists():
        return digest
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return digest


def path(folder: Path, digest: str) -> Path:
    """Return where the blob with this digest is, or would be."""
    return folder / digest[:2] / digest[2:]


def get(folder: Path, digest: str) -> bytes:
    """Return the bytes of a blob.

    Raises:
        FileNotFoundError: there is no such blob.
    """
    return path(folder, digest).read_bytes()
