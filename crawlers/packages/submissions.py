"""The programs that came with a problem package: right ones, and wrong ones of several kinds."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from thresher.crawlers.packages.package import Package
from thresher.crawlers.statement import Solution
from thresher.errors import SourceError

# Slow programs are neither: the small cases that are kept don't tell them from the fast ones.
FOLDERS = {"accepted": True, "wrong_answer": False, "rejected": False, "run_time_error": False}
MOST = 8  # right ones, and as many wrong ones
LONGEST = 1 << 16  # bytes
LANGUAGES = {
    **dict.fromkeys((".py", ".py3"), "python"),
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".c++", ".C"), "c++"),
    **{".c": "c", ".java": "java", ".kt": "kotlin", ".rs": "rust", ".go": "go", ".py2": "python2"},
    **{".js": "javascript", ".cs": "c#", ".hs": "haskell", ".rb": "ruby", ".scala": "scala"},
    **{".pas": "pascal", ".php": "php", ".ml": "ocaml", ".swift": "swift", ".pl": "perl"},
}


def solutions(package: Package) -> Iterator[Solution]:
    """Yield the programs of a package that are one file each, those in Python first."""
    found = []
    for name in package.names:
        parts = PurePosixPath(name).parts
        language = LANGUAGES.get(PurePosixPath(name).suffix)
        if len(parts) == 3 and parts[0] == "submissions" and parts[1] in FOLDERS and language:
            found.append((language != "python", name, language, FOLDERS[parts[1]]))
    counts: Counter[bool] = Counter()
    for _, name, language, right in sorted(found):
        if counts[right] < MOST:
            try:
                text = package.text(name, LONGEST)
            except SourceError:
                continue  # a program less; the problem is none the worse
            counts[right] += 1
            yield Solution(language=_version(language, text), text=text, right=right)


def _version(language: str, text: str) -> str:
    """Tell Python 2 from Python 3, which share their ending."""
    if language != "python":
        return language
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "python2"
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    old = names & {"raw_input", "xrange"} or re.match(r"#!.*python2", text)
    return "python2" if old else "python"
