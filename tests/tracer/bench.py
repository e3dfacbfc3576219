"""A small program of ours with the recorder attached, under any interpreter."""

import json
import os
import shutil
import subprocess
import textwrap
from pathlib import Path

from tests.interpreters import interpreters
from thresher.store import values
from thresher.tracer import attach
from thresher.tracer.spool import Spool, read

TRACER = Path(__file__).parents[2] / "tracer"
MODULES = {name: TRACER / f"{name}.py" for name in attach.MODULES} | {
    "values": Path(values.__file__)
}
INTERPRETERS = interpreters()


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
        for folder in (site, spool):
            folder.mkdir()
        tools = self.root / "tools"
        tools.mkdir()
        for name, path in MODULES.items():
            shutil.copyfile(path, tools / f"{name}.py")
        config = {
            "spool": str(spool),
            "files": ["work.py"],
            "examples_per_function": limit,
            "library": library,
        }
        attach = (
            "import sys, pathlib; sys.dont_write_bytecode = True;"
            "sys.path.insert(0, sys.argv[1]); import attach;"
            "attach.attach(pathlib.Path(sys.argv[2]), sys.argv[4], pathlib.Path(sys.argv[3]))"
        )
        argv = [self.python, "-c", attach, str(TRACER), str(tools), str(site), json.dumps(config)]
        subprocess.run(argv, check=True)
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
