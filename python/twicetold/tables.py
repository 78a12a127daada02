"""Documents and features as Arrow tables: what crosses to other machines, programs and files.

Pairs have their schema in `twicetold.pairs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from twicetold import _kernel
from twicetold.errors import ParameterError
from twicetold.records import Document

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "documents_of_table",
    "documents_schema",
    "documents_table",
    "features_of_table",
    "features_schema",
    "features_table",
]

#: Weights are whole multiples of this, so that sums are exact in any order.
UNIT = 2.0**-32


def documents_schema() -> pa.Schema:
    """Return the Arrow schema of documents."""
    import pyarrow as pa

    kinds = {"published": pa.timestamp("us", tz="UTC")}
    needed = ("id", "text")
    return pa.schema(
        [
            pa.field(
                known.name, kinds.get(known.name, pa.string()), nullable=known.name not in needed
            )
            for known in fields(Document)
        ]
    )


def documents_table(documents: Iterable[Document]) -> pa.Table:
    """Return documents as a table."""
    import pyarrow as pa

    schema = documents_schema()
    rows = [{name: getattr(document, name) for name in schema.names} for document in documents]
    return pa.Table.from_pylist(rows, schema=schema)


def documents_of_table(table: pa.Table) -> Iterator[Document]:
    """Yield the documents of a table that `documents_table` made."""
    for batch in table.cast(documents_schema()).to_batches(max_chunksize=1_000):
        for row in batch.to_pylist():
            yield Document(**row)


def features_schema() -> pa.Schema:
    """Return the Arrow schema of features: the number of a document, and what it holds."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("document", pa.uint32(), nullable=False),
            pa.field("key", pa.uint64(), nullable=False),
            pa.field("weight", pa.float64(), nullable=False),
            pa.field("count", pa.uint32(), nullable=False),
        ]
    )


def features_table(features: _kernel.Features) -> pa.Table:
    """Return features as a table, by document, then key.

    Only of documents without sketches: a sentence or a sketch has no column here.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    document_ends, sketch_width, _ = features.unit_columns()
    if document_ends or sketch_width:
        msg = "features of sentences, or with sketches, have no table; give features of documents"
        raise ParameterError(msg)
    ends, keys, units, counts = features.columns()
    n = features.n_features

    def column(content: bytes, kind: pa.DataType, length: int) -> pa.Array:
        return pa.Array.from_buffers(kind, length, [None, pa.py_buffer(content)])

    sizes = pc.pairwise_diff(
        pa.concat_arrays(
            [pa.array([0], pa.int64()), column(ends, pa.int64(), features.n_documents)]
        )
    )[1:]
    documents = pa.array(
        (number for number, size in enumerate(sizes.to_pylist()) for _ in range(size)), pa.uint32()
    )
    columns = {
        "document": documents,
        "key": column(keys, pa.uint64(), n),
        "weight": pc.multiply(pc.cast(column(units, pa.uint64(), n), pa.float64()), UNIT),
        "count": column(counts, pa.uint32(), n) if counts else pa.array([1] * n, pa.uint32()),
    }
    return pa.table(columns, schema=features_schema())


def features_of_table(table: pa.Table, n_documents: int) -> _kernel.Features:
    """Return the features of a table; documents that are not in it have none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = table.cast(features_schema()).sort_by([("document", "ascending"), ("key", "ascending")])
    numbers = table.column("document")
    if table.num_rows and numbers[-1].as_py() >= n_documents:
        msg = f"features of document {numbers[-1]}, but there are only {n_documents} documents"
        raise ParameterError(msg)
    found = {row["values"]: row["counts"] for row in numbers.value_counts().to_pylist()}
    ends, end = [], 0
    for number in range(n_documents):
        end += found.get(number, 0)
        ends.append(end)
    units = pc.cast(pc.round(pc.divide(table.column("weight"), UNIT)), pa.uint64())
    counts = table.column("count")
    counted = bool(pc.any(pc.not_equal(counts, 1)).as_py())

    def content(array: Any) -> bytes:
        whole = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        width = whole.type.bit_width // 8
        start = whole.offset * width
        return bytes(whole.buffers()[1] or b"")[start : start + len(whole) * width]

    return _kernel.Features.from_columns(
        content(pa.array(ends, pa.uint64())),
        content(table.column("key")),
        content(units),
        content(counts) if counted else b"",
    )
