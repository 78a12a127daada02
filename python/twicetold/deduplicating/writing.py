"""Rows as a file: JSON Lines, CSV or Parquet, with all the fields of their sources."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

from twicetold.deduplicating.contents import cell_of, line_of, record_of
from twicetold.documents.whole import ArrowRow, Content
from twicetold.errors import ParameterError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["columns_of", "schema_of", "write_rows"]

#: Rows in a row group of Parquet, and characters that end one before.
_ROWS, _CHARACTERS = 5_000, 64_000_000
#: Marks a column of Parquet whose texts are JSON.
_JSON = {b"twicetold": b"json"}
_MOST = 1 << 63


def write_rows(
    contents: Iterable[Content],
    file: IO[bytes],
    format: str,  # noqa: A002 - the name of the option
    shape: Any,
) -> None:
    """Write rows; ``shape`` is what `columns_of` or `schema_of` says of them all."""
    if format == "jsonl":
        for content in contents:
            file.write(line_of(content) + b"\n")
    elif format == "csv":
        _write_csv(contents, file, shape)
    else:
        _write_parquet(contents, file, shape)


def columns_of(contents: Iterable[Content]) -> list[str]:
    """Return the names of all columns, in the order they come in."""
    return list(dict.fromkeys(name for content in contents for name in record_of(content)))


def _write_csv(contents: Iterable[Content], file: IO[bytes], columns: list[str]) -> None:
    text = codecs.getwriter("utf-8")(file)
    # In quotes an empty cell is no blank line, and a carriage return no end of one.
    rows = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    rows.writerow(columns)
    for content in contents:
        record = record_of(content)
        rows.writerow([cell_of(record.get(name)) for name in columns])


def schema_of(contents: Iterable[Content]) -> pa.Schema:
    """Return the types of all columns.

    Those of Parquet files stay. Of other rows a column is of texts, whole numbers, numbers or yes
    and no where all its values are; else its values are written as JSON.
    """
    import pyarrow as pa

    schemas: dict[bytes, None] = {}
    kinds: dict[str, set[str]] = {}
    is_mixed = False
    for content in contents:
        if isinstance(content, ArrowRow):
            schemas[content.schema] = None
        else:
            is_mixed = True
            for name, value in record_of(content).items():
                kinds.setdefault(name, set()).add(_kind(value))
    found = [pa.ipc.read_schema(pa.py_buffer(schema)) for schema in schemas]
    for schema in found:
        if len(set(schema.names)) < len(schema.names):
            msg = "a Parquet file names two columns alike: which is which cannot be told"
            raise ParameterError(msg)
    if is_mixed:
        found.append(pa.schema([_field(name, seen) for name, seen in kinds.items()]))
    try:
        return pa.unify_schemas(found, promote_options="default") if found else pa.schema([])
    except pa.ArrowException as error:
        msg = f"the sources have columns of different types; write .jsonl: {_short(error)}"
        raise ParameterError(msg) from error


def _kind(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, int) and not isinstance(value, bool) and not -_MOST <= value < _MOST:
        return "json"
    return {str: "text", bool: "bool", int: "int", float: "float"}.get(type(value), "json")


def _field(name: str, kinds: set[str]) -> pa.Field:
    import pyarrow as pa

    kinds = kinds - {"none"}
    if kinds == {"int", "float"}:
        kinds = {"float"}
    simple = {"text": pa.string(), "bool": pa.bool_(), "int": pa.int64(), "float": pa.float64()}
    if len(kinds) == 1 and (kind := next(iter(kinds))) in simple:
        return pa.field(name, simple[kind])
    return pa.field(name, pa.string(), metadata=None if not kinds else _JSON)


def _write_parquet(contents: Iterable[Content], file: IO[bytes], schema: pa.Schema) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    with parquet.ParquetWriter(file, schema, compression="zstd") as out:
        for group in _groups(contents):
            try:
                table = pa.concat_tables([_table(content, schema) for content in group])
            except pa.ArrowException as error:
                msg = f"a row does not fit the columns of the others; write .jsonl: {_short(error)}"
                raise ParameterError(msg) from error
            out.write_table(table.combine_chunks())


def _groups(contents: Iterable[Content]) -> Iterator[list[Content]]:
    group: list[Content] = []
    size = 0
    for content in contents:
        group.append(content)
        size += len(content.data) if isinstance(content, ArrowRow) else len(line_of(content))
        if len(group) >= _ROWS or size >= _CHARACTERS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _table(content: Content, schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    if not isinstance(content, ArrowRow):
        record = record_of(content)
        cells = [_array(record.get(field.name), field) for field in schema]
        return pa.Table.from_arrays(cells, schema=schema)
    batch = content.batch()
    cells = []
    for field in schema:
        n = batch.schema.get_field_index(field.name)
        cells.append(batch.column(n).cast(field.type) if n >= 0 else pa.nulls(1, field.type))
    return pa.Table.from_arrays(cells, schema=schema)


def _array(value: Any, field: pa.Field) -> pa.Array:
    import pyarrow as pa

    is_json = (field.metadata or {}).get(b"twicetold") == b"json"
    if is_json and value is not None:
        value = line_of(value).decode() if isinstance(value, dict) else _as_json(value)
    return pa.array([value], field.type)


def _as_json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
