"""What a project's build wants to know of its version control, and how an sdist is given one."""

import re
from pathlib import Path
from typing import NamedTuple

from thresher.tracer.ci.plan import Step, text

# Tools that ask git for the version, and for the list of files where an sdist has none.
ASKING = re.compile(
    r"setuptools[-_]scm|hatch-vcs|flit[-_]scm|versioningit|dunamai|setuptools-git|\bpbr\b|versioneer"
    r"|vcs-versioning"
)
BUILD_FILES = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "tox.toml")
UNKNOWN_VERSION = "0.1"
INITIALISE = """
git init --quiet . && git add --all --force . &&
git -c user.name=user -c user.email=user@localhost commit --quiet --message "As released"
"""
GIT = Step("making it a git repository", ("sh", "-c", INITIALISE), False, needed=False)


class Facts(NamedTuple):
    """What a build is told: variables with the version, and whether it wants a repository."""

    variables: dict[str, str]
    wants_git: bool


def facts(project: Path) -> Facts:
    """Read what a project's build wants from its files; nothing of it is run."""
    files = "\n".join(text(project / name) for name in BUILD_FILES)
    asking = set(ASKING.findall(files))
    has_git = (project / ".git").exists()
    name, version = _metadata(text(project / "PKG-INFO"))
    variables = {}
    if "pbr" in asking:
        variables["PBR_VERSION"] = version or UNKNOWN_VERSION
    if asking and (version or not has_git):
        # For this project alone: a dependency built from source has a version of its own.
        project_name = name or _declared_name(files) or project.name
        suffix = re.sub(r"[^A-Z0-9]+", "_", project_name.upper())
        variables[f"SETUPTOOLS_SCM_PRETEND_VERSION_FOR_{suffix}"] = version or UNKNOWN_VERSION
    return Facts(variables, bool(asking) and not has_git and not version)


def _metadata(info: str) -> tuple[str, str]:
    header = info.partition("\n\n")[0]
    found = dict(re.findall(r"^(Name|Version): *(\S+) *$", header, re.MULTILINE))
    return found.get("Name", ""), found.get("Version", "")


def _declared_name(files: str) -> str:
    found = re.search(r"""^\s*name\s*=\s*["']?([\w.-]+)["']?\s*,?$""", files, re.MULTILINE)
    return found[1] if found else ""
