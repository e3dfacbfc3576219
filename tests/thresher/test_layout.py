"""The folders, the links to them and the packaging list agree."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINKED = ("crawlers", "tracer", "filters", "store", "sandbox")


def test_each_folder_is_linked():
    for name in LINKED:
        link = ROOT / "thresher" / name
        assert link.is_symlink()
        assert str(link.readlink()) == f"../{name}"


def test_the_packaging_list_is_what_is_there():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = ["thresher"]
    for name in LINKED:
        inits = sorted((ROOT / name).rglob("__init__.py"))
        found += [".".join(("thresher", *init.parent.relative_to(ROOT).parts)) for init in inits]
    assert sorted(listed) == sorted(found)
