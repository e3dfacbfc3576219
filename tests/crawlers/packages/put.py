"""Folders with files, made for tests."""

from pathlib import Path


def put(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files by name into a folder, and return it."""
    for name, content in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return root
