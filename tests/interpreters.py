"""The Python interpreters of this host, found by running them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path


def interpreters():
    """Find every CPython 3.6 or later: the current one, those on PATH and those of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    names = [f"python3.{minor}" for minor in range(6, 16)]
    found = [sys.executable, *filter(None, map(shutil.which, names))]
    found += map(str, sorted(pyenv.glob("versions/3*/bin/python")))
    probe = "import sys; print('%d.%d' % sys.version_info[:2], sys.version_info >= (3, 6))"
    versions = {}
    for path in found:
        ran = subprocess.run([path, "-c", probe], capture_output=True, text=True, check=False)
        if ran.returncode == 0 and ran.stdout.endswith("True\n"):
            versions.setdefault(ran.stdout.split()[0], path)
    return versions
