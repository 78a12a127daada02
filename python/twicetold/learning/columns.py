"""Scored pairs as columns of numbers: the one place that knows how they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["column", "with_columns"]


def column(scores: pa.Table, name: str) -> Any:
    """Return a column of scored pairs as NumPy."""
    return scores.column(name).to_numpy()


def with_columns(scores: pa.Table, columns: dict[str, Any]) -> pa.Table:
    """Return scored pairs with these columns, in place of those that have the same name."""
    import pyarrow as pa

    for name, values in columns.items():
        found = pa.array(values)
        if name in scores.column_names:
            scores = scores.set_column(scores.schema.get_field_index(name), name, found)
        else:
            scores = scores.append_column(name, found)
    return scores
