"""The content-addressed folder of raw bytes: a blob's name is its sha256."""

import hashlib
from pathlib import Path

from thresher.store.files import write_whole


def put(folder: Path, data: bytes) -> str:
    """Keep `data` under its sha256 hex digest and return that digest."""
    digest = hashlib.sha256(data).hexdigest()
    target = path(folder, digest)
    if not target.exists():
        write_whole(target, data)
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
