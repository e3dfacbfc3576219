"""The configuration file of `thresher filter`: which filters, in which order, with what settings.

model = "embedded"
filters = ["reference", "trivial", "stable", "solvable"]

[settings.solvable]
samples = 50
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from thresher.errors import UsageError
from thresher.filters.models.terms import Terms
from thresher.pipeline import FilterOptions


class _File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    model: str | None = None
    terms: Terms = Terms()
    candidates: int | None = None
    require: str | None = None
    filters: tuple[str, ...] | None = None
    settings: dict[str, dict[str, Any]] = {}


def filter_options(
    path: Path | None,
    given: Mapping[str, Any],
    settings: Mapping[str, Mapping[str, Any]],
    terms: Mapping[str, Any] = MappingProxyType({}),
) -> FilterOptions:
    """Return how to filter, from a file and what comes before it.

    Args:
        path: a TOML file, or None.
        given: fields of `FilterOptions`, None where the file or the default counts.
        settings: of filters by name, likewise.
        terms: fields of the endpoint's `Terms`, likewise.

    Raises:
        UsageError: the file isn't such a configuration; the place is named.
    """
    file = _read(path) if path is not None else _File()
    merged = {name: dict(values) for name, values in file.settings.items()}
    for name, values in settings.items():
        if chosen := _set(values):
            merged[name] = {**merged.get(name, {}), **chosen}
    fields = {**_set(msgspec.structs.asdict(file)), **_set(given), "settings": merged}
    fields["terms"] = msgspec.structs.replace(file.terms, **_set(terms))
    return FilterOptions(**fields)


def _set(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _read(path: Path) -> _File:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_File)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise UsageError(f"{path} is no configuration of filters: {error}") from None
