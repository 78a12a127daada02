"""Parquet, a batch of rows at a time, only the columns that are needed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain, repeat
from typing import IO, Any

from twicetold.records import Document

from .input import Input
from .parquet_pages import BombError, rows_at_once
from .rows import Rows, distinct
from .whole import ArrowRow, Row, arrow_rows

__all__ = ["read_parquet", "read_parquet_rows", "values"]

_BATCH = 256  # rows; documents of a megabyte each are still a fair handful
_SPOOL = 1 << 62  # what is not compressed may be as long as the disk
_MAGIC = b"PAR1"
_PER_UNIT = {"s": 10**9, "ms": 10**6, "us": 1000, "ns": 1}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_parquet(given: Input) -> Iterator[Document]:
    """Yield a document for each row with a text."""
    rows = _read(given, whole=False)
    return (row.document for row in rows if row.document is not None)


def read_parquet_rows(given: Input) -> Iterator[Row]:
    """Yield every row with all its columns, and the document it makes."""
    return _read(given, whole=True)


def _read(given: Input, *, whole: bool) -> Iterator[Row]:
    """Yield rows.

    The table of contents is at the end, so what cannot be rewound (a pipe, a compressed file) goes
    to a temporary file first.
    """
    if not given.stream.peek(len(_MAGIC)).startswith(_MAGIC):
        if given.stream.damage is None:
            given.problem("bad parquet", "not a Parquet file")
    elif given.raw is not None and given.stream.compression is None:
        yield from _rows(given, given.raw, given.raw.seek(0, 2) - given.stream.taken, whole=whole)
    else:
        with tempfile.TemporaryFile() as spool:
            size = 0
            for block in given.stream:
                size += len(block)
                if size > given.stream.longest(_SPOOL):
                    given.problem("too long", f"the file holds more than {size:,} bytes")
                    return
                spool.write(block)
            yield from _rows(given, spool, 0, whole=whole)


def _rows(given: Input, file: IO[bytes], size: int, *, whole: bool) -> Iterator[Row]:
    make = Rows(given)
    records = chain.from_iterable(_batches(given, make, file, size, whole=whole))
    for row, (record, content) in enumerate(records, 1):
        found = make.document(record, row)
        yield Row(found, content, given.reason if found is None else None)


def _batches(
    given: Input, make: Rows, file: IO[bytes], size: int, *, whole: bool
) -> Iterator[Iterator[tuple[dict[str, Any], ArrowRow | None]]]:
    """Yield records in batches, and count ``size`` bytes as read in proportion to the rows."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        # Without a buffer size a whole column chunk, often a gigabyte of text, is read at once.
        table = parquet.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
        keys = distinct(table.schema_arrow.names)
        are_distinct = list(keys) == table.schema_arrow.names
        plan = make.plan(keys)
        if not plan.text:
            make.missing(keys, table.metadata.num_rows)
            return
        share, rows = size / max(table.metadata.num_rows, 1), 0
        wanted = None if whole or not are_distinct else plan.columns()
        # Threads of Arrow do not survive a fork, and a worker of Spark is one.
        at_once = rows_at_once(
            file,
            table.metadata,
            wanted,
            size=file.seek(0, 2),
            limit=given.options.limit,
            most=_BATCH,
        )
        for found in table.iter_batches(at_once, columns=wanted, use_threads=False):
            batch = found if are_distinct else found.rename_columns(list(keys))
            given.stream.count(round(share * (rows + batch.num_rows)) - round(share * rows))
            rows += batch.num_rows
            part = batch.select(plan.columns())
            names = part.schema.names
            cells = zip(*map(values, part.columns), strict=True)
            contents = arrow_rows(batch) if whole else repeat(None, batch.num_rows)
            yield zip((dict(zip(names, row, strict=True)) for row in cells), contents, strict=True)
    except BombError as error:
        given.problem("too long", f"few bytes stand for too many: {error}")
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        if given.stream.damage is None:
            given.problem("bad parquet", f"cannot be read on: {' '.join(str(error).split())[:200]}")


def values(column: Any) -> list[Any]:
    """Turn a column into Python values, whatever is in it."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    try:
        if types.is_timestamp(column.type):
            # Not every zone and no nanosecond has a Python value; a number since 1970 has.
            return [_time(number, column.type.unit) for number in column.cast("int64").to_pylist()]
        values: list[Any] = column.to_pylist()
    except (ValueError, OverflowError, pa.ArrowException):
        values = [_value(cell) for cell in column]
    return values


def _time(number: int | None, unit: str) -> datetime | str | None:
    if number is None:
        return None
    try:
        return _EPOCH + timedelta(microseconds=number * _PER_UNIT[unit] // 1000)
    except OverflowError:
        return f"{number} {unit} since 1970"  # no date, and reported as such


def _value(cell: Any) -> Any:
    """Turn one cell into a value: bytes if it is a text that is not UTF-8."""
    try:
        return cell.as_py()
    except UnicodeDecodeError:
        return cell.as_buffer().to_pybytes()
    except (ValueError, OverflowError):
        return f"a {cell.type} that Python has no value for"
