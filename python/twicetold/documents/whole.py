"""Rows: documents together with everything that their sources say of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from twicetold.records import Document

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ArrowRow", "Content", "Row", "arrow_rows"]


class ArrowRow(NamedTuple):
    """A row of a table with the types of its columns, as Arrow writes both."""

    schema: bytes
    data: bytes

    def batch(self) -> pa.RecordBatch:
        """Return the row as a batch of one."""
        import pyarrow as pa

        return pa.ipc.read_record_batch(
            pa.py_buffer(self.data), pa.ipc.read_schema(pa.py_buffer(self.schema))
        )


#: A line of JSON Lines byte by byte, a record, or a row of a Parquet file.
Content = bytes | dict[str, Any] | ArrowRow


class Row(NamedTuple):
    """A document and the row it comes from, with all its fields.

    ``document`` is None where the row cannot be used, and ``reason`` says why. ``content`` is None
    where the document is all there is: of a text, of a page.
    """

    document: Document | None
    content: Content | None
    reason: str | None = None


def arrow_rows(batch: pa.RecordBatch) -> Iterator[ArrowRow]:
    """Yield the rows of a batch; texts that are kept as numbers of a list become texts."""
    import pyarrow as pa
    from pyarrow import types

    for n, field in enumerate(batch.schema):
        if types.is_dictionary(field.type):
            plain = pa.field(field.name, field.type.value_type, field.nullable, field.metadata)
            batch = batch.set_column(n, plain, batch.column(n).dictionary_decode())
    schema = batch.schema.serialize().to_pybytes()
    for n in range(batch.num_rows):
        yield ArrowRow(schema, batch.slice(n, 1).serialize().to_pybytes())
