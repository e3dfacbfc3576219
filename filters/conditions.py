"""What the filter `stable` varies: factors by name, and the values that they take in each run.

Factors are varied all at once to find an unstable problem, and one by one to name the reason.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any

from thresher.sandbox.conditions import Conditions
from thresher.store.records import Problem

ROUNDS = 3
PROTECTED = re.compile(r"LD_|PYTHON|FAKETIME|LC_|LANG|PATH$|TZ$|TMPDIR$")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MOST_VARIABLES = 200
Factors = Mapping[str, Mapping[str, Any]]


def _moments(first: int) -> tuple[str, ...]:
    """Return 24 moments, one in each hour, of different years, months, days and weekdays."""
    hours = [(first + 7 * n) % 24 for n in range(24)]  # far apart, so that few show much
    return tuple(
        f"@{2027 + n % 11}-{1 + (5 * n + first) % 12:02}-{1 + (11 * n + first) % 28:02}"
        f" {hour:02}:{n * 7 % 60:02}:{n * 13 % 60:02}"
        for n, hour in enumerate(hours)
    )


def _variant(
    number: int, zone: str, language: str, name: str, load: float, special: tuple[str, ...]
) -> Factors:
    home, place = f"/tmp/home/{name}", f"/tmp/{name}/work"  # noqa: S108 - inside a cell
    scratch = f"/tmp/{name}/scratch"  # noqa: S108
    tools = f"/opt/{name}/bin:/bin:/usr/bin"  # the same tools by another way
    return {
        "hash": {"env": {"PYTHONHASHSEED": str(number)}},
        "clock": {"moments": (*special, *_moments(5 * number))},
        "zone": {"env": {"TZ": zone}},
        "locale": {"env": {"LANG": language, "LC_ALL": language, "LANGUAGE": language[:2]}},
        "environment": {
            "env": {
                **{"HOME": home, "USER": name, "LOGNAME": name, "COLUMNS": str(90 + number)},
                "PATH": tools,
            },
            "processes": number % 2 + 1,
            "processors": True,
            "machine": name,
            "number": 2000 + number,
        },
        "file-system": {
            "env": {"TMPDIR": scratch},
            "folders": (place, home, scratch, f"{place}/data"),
            "files": tuple(f"{place}/{each}" for each in FILES)
            + tuple(f"/tmp/{each}" for each in FILES[number % 2 :]),  # noqa: S108
            "listing": True,
        },
        "state": {"rounds": ROUNDS},
        "order": {"reverse": True},
        "memory": {"memory": number},
        "load": {"load": load},
    }


FILES = ("notes.txt", "config.json", "data.csv", ".hidden")
VARIANTS = (
    _variant(1, "AAA+9:30", "de_DE.UTF-8", "ada", 0.4, ("@2028-02-29 00:00:01",)),
    _variant(2, "BBB-5:45", "C", "grace", 7.0, ("@2029-12-31 23:59:57",)),
    _variant(3, "CCC-13", "tr_TR.ISO8859-9", "alan", 90.0, ("@2032-08-01 12:30:00",)),
    _variant(4, "DDD+3:30", "POSIX", "edsger", 0.01, ("@2027-01-01 00:00:00",)),
)


def together(factors: Factors, problem: Problem) -> Conditions:
    """Return the conditions under which all of these factors are changed at once."""
    made: dict[str, Any] = {"env": {}}
    for name, changes in factors.items():
        made |= {key: value for key, value in changes.items() if key != "env"}
        made["env"] |= changes.get("env", {})
        if name == "environment":
            value = changes["machine"]
            made["env"] = dict.fromkeys(variables(problem), value) | made["env"]
    return Conditions(**made)


def variables(problem: Problem) -> list[str]:
    """Return the names in a program's texts that could be variables of the environment."""
    try:
        tree = ast.parse(problem.prompt + problem.canonical_solution)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)} - {None}
    names = (t for t in texts if isinstance(t, str) and VARIABLE.fullmatch(t))
    return sorted(name for name in names if not PROTECTED.match(name))[:MOST_VARIABLES]


def shown(variant: Factors) -> str:
    """Say in a line which values the factors have in a run."""
    said = {
        "hash": "hash seed {env[PYTHONHASHSEED]}",
        "clock": "clock from {moments[0]}",
        "zone": "zone {env[TZ]}",
        "locale": "locale {env[LANG]}",
        "environment": "user, home, host and arguments {machine}, other ids and processors",
        "file-system": "in {folders[0]} among files",
        "state": "{rounds} rounds and more",
        "order": "cases reversed",
        "memory": "memory shifted by {memory}",
        "load": "timers {load} s late, threads late",
    }
    return "; ".join(said[name].format(**changes) for name, changes in variant.items())


def names(variants: Iterable[Factors]) -> str:
    """Say which factors are varied."""
    return ", ".join(dict.fromkeys(name for variant in variants for name in variant))
