"""``.travis.yml``: read safely, and its matrix expanded into jobs by Travis's rules."""

import itertools
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from thresher.errors import SourceError

MAX_BYTES = 100_000
MAX_JOBS = 200  # Travis itself takes no more
PHASES = ("before_install", "install", "before_script", "script")
AFTER = (
    "after_success",
    "after_failure",
    "after_script",
    "before_deploy",
    "deploy",
    "after_deploy",
)
AXES = ("os", "arch", "python", "env")
# Keys that a job takes over from the file where it has none of its own.
INHERITED = (*PHASES, *AFTER, "dist", "services", "addons", "language", "stage", "name")
MERGE = "tag:yaml.org,2002:merge"

Node = dict[str, Any]


class Job(NamedTuple):
    """One job of the matrix.

    Attributes:
        python: the version as written, empty where there is none.
        env: lines of assignments in shell syntax, those for all jobs first.
        phases: the commands of each phase that is there; a skipped one has none.
        label: what says what it is for: name, stage and environment.
        os: the operating system; empty is Linux.
        arch: the processor; empty is amd64.
        may_fail: whether the project lets it fail.
        wants: services and system packages, by name.
        after: the phases after the script that are there; what they do is no part of the tests.
    """

    python: str
    env: tuple[str, ...]
    phases: dict[str, tuple[str, ...]]
    label: str
    os: str
    arch: str
    may_fail: bool
    wants: tuple[str, ...]
    after: tuple[str, ...]


class _Texts(yaml.SafeLoader):
    """A safe loader that leaves every scalar the text it is: ``3.10`` is no number here."""

    yaml_implicit_resolvers = {"<": [(MERGE, yaml.SafeLoader.yaml_implicit_resolvers["<"][0][1])]}


def jobs(text: str) -> list[Job]:
    """Expand a configuration into its jobs, the matrix's before the included ones.

    Raises:
        SourceError: it is no YAML, no mapping, too large, or not about Python.
    """
    root = _load(text)
    if not _is_python(root):
        raise SourceError("no-travis-python", ".travis.yml isn't about Python")
    matrix = _mapping(root.get("jobs") or root.get("matrix"))
    if "include" not in matrix and isinstance(root.get("jobs") or root.get("matrix"), list):
        matrix = {"include": root.get("jobs") or root.get("matrix")}  # the short form
    globals_, rows = _environment(root.get("env"))
    axes = {axis: rows if axis == "env" else _texts(root.get(axis)) for axis in AXES}
    excluded = _mappings(matrix.get("exclude"))
    allowed = _mappings(matrix.get("allow_failures"))
    found = [
        _job(root, cell, globals_, allowed)
        for cell in _cells(axes, bool(matrix.get("include")))
        if not any(_matches(cell, rule) for rule in excluded)
    ]
    first = {axis: values[0] for axis, values in axes.items() if values}
    for extra in _mappings(matrix.get("include")):
        cell = {**first, **_cell(extra)}
        found.append(_job({**_inherited(root), **extra}, cell, globals_, allowed))
    return found[:MAX_JOBS]


def _load(text: str) -> Node:
    if len(text) > MAX_BYTES:
        raise SourceError("broken-travis", ".travis.yml is too large to be one")
    try:
        root = yaml.load(text, _Texts)  # noqa: S506 - a safe loader of our own
    except (yaml.YAMLError, RecursionError, ValueError, TypeError, AttributeError) as error:
        said = str(error).replace("\n", " ")[:200]
        raise SourceError("broken-travis", f".travis.yml can't be read: {said}") from None
    if not isinstance(root, dict):
        raise SourceError("broken-travis", ".travis.yml holds no mapping")
    return root


def _is_python(root: Node) -> bool:
    languages = _texts(root.get("language"))
    inner = _mappings(_mapping(root.get("jobs") or root.get("matrix")).get("include"))
    return (
        any(language.startswith("python") for language in languages)
        or "python" in root
        or any("python" in job or job.get("language") == "python" for job in inner)
    )


def _cells(axes: Mapping[str, Sequence[Any]], has_include: bool) -> Iterator[Node]:
    """Yield the combinations of all axes; none where the jobs are all listed one by one."""
    given = {axis: values for axis, values in axes.items() if values}
    if has_include and not {"python", "env"} & set(given):
        return
    rows = itertools.product(*given.values())
    yield from (dict(zip(given, row, strict=True)) for row in itertools.islice(rows, MAX_JOBS))


def _cell(extra: Node) -> Node:
    """Return the axes that an included job sets itself."""
    own: Node = {}
    for axis in AXES:
        if axis == "env" and axis in extra:
            lines = [line for part in _environment(extra["env"]) for row in part for line in row]
            own[axis] = tuple(lines)
        elif axis in extra:
            own[axis] = (_texts(extra[axis]) or [""])[0]
    return own


def _inherited(root: Node) -> Node:
    return {key: root[key] for key in INHERITED if key in root}


def _job(
    keys: Node, cell: Node, globals_: Sequence[tuple[str, ...]], allowed: Sequence[Node]
) -> Job:
    env = tuple(cell.get("env", ()))
    label = " ".join([*_texts(keys.get("name")), *_texts(keys.get("stage")), *env])
    return Job(
        python=str(cell.get("python", "")),
        env=(*(line for row in globals_ for line in row), *env),
        phases={phase: _commands(keys[phase]) for phase in PHASES if phase in keys},
        label=label,
        os=str(cell.get("os", "")),
        arch=str(cell.get("arch", "")),
        may_fail=any(_matches({**keys, **cell}, rule) for rule in allowed),
        wants=tuple(_wanted(keys)),
        after=tuple(phase for phase in AFTER if phase in keys),
    )


def _commands(value: object) -> tuple[str, ...]:
    """Return a phase's commands; ``skip`` and ``true`` and the like leave none."""
    found = tuple(_flat(value))
    return () if found in (("skip",), ("true",), ("false",)) else found


def _wanted(keys: Node) -> Iterator[str]:
    for service in _texts(keys.get("services")):
        yield f"service {service}"
    addons = _mapping(keys.get("addons"))
    for name, value in addons.items():
        if name in ("apt", "apt_packages"):
            packages = _mapping(value).get("packages") if isinstance(value, dict) else value
            yield from (f"package {package}" for package in _texts(packages))
        else:
            yield f"addon {name}"


def _environment(value: object) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return the lines for all jobs, and a row of lines per job of the matrix."""
    if isinstance(value, dict):
        rows = value.get("jobs") or value.get("matrix")
        if rows is not None or "global" in value:
            globals_ = [_lines(item) for item in _items(value.get("global"))]
            return globals_, [_lines(item) for item in _items(rows)]
        return [], [_lines(value)]
    return [], [row for row in map(_lines, _items(value)) if row]


def _items(value: object) -> list[object]:
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def _lines(item: object) -> tuple[str, ...]:
    """Return assignments in shell syntax; an encrypted one can't be had, and is left out."""
    if isinstance(item, dict):
        pairs = ((name, value) for name, value in item.items() if name != "secure")
        return tuple(f"{name}={shlex.quote(str(value))}" for name, value in pairs if _plain(value))
    return (str(item),) if _plain(item) else ()


def _plain(value: object) -> bool:
    return isinstance(value, str)


def _matches(cell: Mapping[str, Any], rule: Node) -> bool:
    """Say whether a job has every key of a rule, as it is there."""
    if not rule:
        return False
    for key, value in rule.items():
        wanted = _cell({key: value}).get(key, value) if key in AXES else value
        if cell.get(key) != wanted:
            return False
    return True


def _mapping(value: object) -> Node:
    return value if isinstance(value, dict) else {}


def _mappings(value: object) -> list[Node]:
    return [item for item in _items(value) if isinstance(item, dict)]


def _texts(value: object) -> list[str]:
    return [item for item in _items(value) if isinstance(item, str) and item]


def _flat(value: object, depth: int = 0) -> Iterator[str]:
    """Yield the commands of lists in lists, as anchors make them."""
    for item in _items(value):
        if isinstance(item, str):
            yield item
        elif isinstance(item, list) and depth < 2:
            yield from _flat(item, depth + 1)
        elif isinstance(item, dict):  # `- echo "a: b"`, unquoted
            yield from (f"{name}: {text}" for name, text in item.items() if isinstance(text, str))
