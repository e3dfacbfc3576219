"""Lay the recorder into a Python environment: ``python attach.py FROM_DIR CONFIG_JSON``.

Runs inside the sandbox with the environment's own Python, 3.6 or later; standard library only.
FROM_DIR holds the `MODULES`; CONFIG_JSON is the recorder's configuration, a JSON object with the
spool folder, the project's files, the number of examples per function and, where calls of library
functions are recorded instead of the project's, "library".
"""

import json
import py_compile
import shutil
import sys
import sysconfig
from pathlib import Path

MODULES = ("values", "naming", "calls", "profiling", "recorder", "pure", "callsites", "callees")


def attach(source: Path, config: str, target: Path) -> None:
    """Copy the recorder into the folder `target`, and have every process there load it.

    Args:
        source: the folder with the files of the recorder.
        config: the configuration as JSON text.
        target: a site folder of the environment.

    Raises:
        ValueError: the configuration is not JSON, or lacks a key.
        OSError: a file can't be read or written.
    """
    missing = {"spool", "files", "examples_per_function"} - set(json.loads(config))
    if missing:
        raise ValueError("the recorder's configuration lacks " + ", ".join(sorted(missing)))
    for name in MODULES:
        copy = str(target / ("thresher_" + name + ".py"))
        shutil.copyfile(str(source / (name + ".py")), copy)
        py_compile.compile(copy)  # processes may be forbidden to write what they compile
    (target / "thresher_recorder_config.json").write_text(config, encoding="utf-8")
    (target / "thresher_recorder.pth").write_text("import thresher_recorder\n", encoding="utf-8")


if __name__ == "__main__":
    attach(Path(sys.argv[1]), sys.argv[2], Path(sysconfig.get_paths()["purelib"]))
