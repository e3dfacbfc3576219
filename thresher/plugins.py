"""Plug-ins: everything that can be added is found by name in an entry-point group."""

from importlib.metadata import entry_points
from typing import Any

from thresher.errors import UsageError


def load(group: str, name: str) -> Any:
    """Load one plug-in; our own are registered in the same way as anybody's.

    Args:
        group: such as ``thresher.filters`` or ``thresher.models``.
        name: the entry point's name.

    Raises:
        UsageError: there is none of that name, or it can't be imported.
    """
    found = entry_points(group=group)
    matching = [point for point in found if point.name == name]
    if not matching:
        known = ", ".join(sorted({point.name for point in found})) or "none; is thresher installed?"
        raise UsageError(f"there is no {group} plug-in named {name!r} (known: {known})")
    try:
        return matching[0].load()
    except (ImportError, AttributeError, SyntaxError) as error:
        raise UsageError(
            f"the {group} plug-in {name!r} can't be imported ({error}): install what it needs, "
            "for our own ones `pip install 'thresher[trace,crawl,filter,model]'`"
        ) from None
