"""How each record type is laid out in the database: its table, key columns and subject."""

from collections.abc import Callable
from typing import Any, NamedTuple

from thresher.store.records import (
    Decision,
    Execution,
    Export,
    Problem,
    Record,
    Refinement,
    Run,
    Sample,
    Source,
)


class Table(NamedTuple):
    """A table's name, the columns copied out of the record, and what the ledger calls it."""

    name: str
    columns: tuple[str, ...]
    subject: Callable[[Any], str]

    def keys(self, record: Record) -> tuple[Any, ...]:
        """Return the values of a record's key columns."""
        return tuple(getattr(record, column) for column in self.columns)


TABLES: dict[type[Record], Table] = {
    Source: Table("sources", ("id",), lambda r: r.id),
    Problem: Table("problems", ("task_id", "source"), lambda r: r.task_id),
    Sample: Table(
        "samples", ("task_id", "model", "index"), lambda r: f"{r.task_id} {r.model} {r.index}"
    ),
    Execution: Table("executions", ("task_id", "purpose"), lambda r: f"{r.task_id} {r.purpose}"),
    Decision: Table(
        "decisions", ("subject", "filter", "keep", "reason"), lambda r: f"{r.subject} {r.filter}"
    ),
    Refinement: Table("refinements", ("unit", "task_id"), lambda r: f"{r.task_id} {r.unit}"),
    Export: Table("exports", ("path",), lambda r: r.path),
    Run: Table("runs", ("id",), lambda r: r.id),
}
