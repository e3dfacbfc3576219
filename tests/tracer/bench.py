"""A small program of ours with the recorder attached, under any interpreter."""

import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
import textwrap
from pathlib import Path

from tests.interpreters import interpreters
from thresher.store import values
from thresher.tracer.recording import attach
from thresher.tracer.recording.spool import Spool, read

RECORDING = Path(attach.__file__).parent
MODULES = {name: RECORDING / f"{name}.py" for name in attach.MODULES} | {
    "values": Path(values.__file__)
}
INTERPRETERS = interpreters()


@functools.cache
def attached(python: str) -> Path:
    """Return a folder into which an interpreter has attached the recorder: once, to be copied."""
    root = Path(tempfile.mkdtemp(prefix="thresher-attached-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    tools, site = root / "tools", root / "site"
    for folder in (tools, site):
        folder.mkdir()
    for name, path in MODULES.items():
        shutil.copyfile(path, tools / f"{name}.py")
    code = (
        "import sys, pathlib; sys.dont_write_bytecode = True;"
        "sys.path.insert(0, sys.argv[1]); import attach;"
        "attach.attach(pathlib.Path(sys.argv[2]), sys.argv[4], pathlib.Path(sys.argv[3]))"
    )
    config = {"spool": "", "files": [], "examples_per_function": 0}
    argv = [python, "-c", code, str(RECORDING), str(tools), str(site), json.dumps(config)]
    subprocess.run(argv, check=True)
    return site


class Bench:
    """A folder with a recorder attached, a module `work.py` and a program that uses it."""

    def __init__(self, root: Path, version: str):
        self.root = root
        self.python = INTERPRETERS[version]
        self.version = tuple(map(int, version.split(".")))
        self.monitored = self.version >= (3, 12)

    def run(
        self, work: str, program: str, limit: int = 50, library: bool = False
    ) -> tuple[str, Spool]:
        """Run `program`; return what it printed and what was recorded of the module.

        `library` records the functions of the standard library that the module calls instead.
        """
        site, spool = self.root / "site", self.root / "spool"
        spool.mkdir()
        shutil.copytree(attached(self.python), site)
        config = {
            "spool": str(spool),
            "files": ["work.py"],
            "examples_per_function": limit,
            "library": library,
        }
        (site / "thresher_recorder_config.json").write_text(json.dumps(config))
        # A folder on PYTHONPATH is no site folder: its .pth file is not read, but this is.
        (site / "sitecustomize.py").write_text("import thresher_recorder\n")
        (self.root / "work.py").write_text(textwrap.dedent(work))
        (self.root / "program.py").write_text(textwrap.dedent(program))
        ran = subprocess.run(
            [self.python, str(self.root / "program.py")],
            env={"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.defpath},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.stderr == ""
        recorded = read(spool)
        assert not recorded.rejected
        return ran.stdout, recorded
