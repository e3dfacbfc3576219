"""All planted problems, each with a name of its own."""

import importlib
import pkgutil
from pathlib import Path

from tests.planted.build import Planted


def everything() -> list[Planted]:
    """Return the problems of all modules ``clean_*`` and ``faults_*`` of this folder.

    Raises:
        ValueError: two of them have the same task id.
    """
    found: list[Planted] = []
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name.startswith(("clean_", "faults_")):
            found += importlib.import_module(f"tests.planted.{module.name}").PROBLEMS
    names = [one.problem.task_id for one in found]
    if repeated := sorted(name for name in set(names) if names.count(name) > 1):
        raise ValueError(f"planted twice: {', '.join(repeated)}")
    return found
