"""Rows in the shapes they are read, kept and written in."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from twicetold.documents import Fields
from twicetold.documents.fields import Place
from twicetold.documents.jsonl import parsed
from twicetold.documents.whole import ArrowRow, Content
from twicetold.errors import ParameterError
from twicetold.records import Document

__all__ = ["cell_of", "line_of", "plain", "record_of", "record_of_document", "with_text"]

_PARTS = ("title", "url", "source", "published", "language")


def record_of_document(document: Document) -> dict[str, Any]:
    """Return what is known of a document as a record."""
    known = {name: getattr(document, name) for name in _PARTS}
    found = {name: value for name, value in known.items() if value is not None}
    return {"id": document.id, "text": document.text, **{n: _plain(v) for n, v in found.items()}}


def plain(content: Content | None) -> Content | None:
    """Return a row as it can be kept: of a record the values that JSON has."""
    if not isinstance(content, dict):
        return content
    return {str(name): _plain(value) for name, value in content.items()}


def record_of(content: Content) -> dict[str, Any]:
    """Return a row as a record of values that JSON has; empty if it is none."""
    if isinstance(content, dict):
        return content
    if isinstance(content, ArrowRow):
        return {name: _plain(value) for name, value in _cells(content).items()}
    try:
        found = parsed(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def line_of(content: Content) -> bytes:
    """Return a row as a line of JSON Lines; what was read as one is not changed."""
    return content if isinstance(content, bytes) else _dumped(record_of(content))


def cell_of(value: Any) -> str:
    """Return a value as a cell of CSV: texts as they are, nothing for None, else JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return _dumped(value).decode()


def with_text(content: Content, text: str, fields: Fields) -> Content:
    """Return a row with another text where its own was found."""
    if isinstance(content, ArrowRow):
        return _arrow_with_text(content, text, fields)
    record = record_of(content)
    changed = _put(record, _place(record, fields), text)
    return changed if isinstance(content, dict) else _dumped(changed)


def _place(record: Mapping[str, Any], fields: Fields) -> Place:
    """Return where the text of a record is: the first place that is not empty."""
    for place in fields.plan(tuple(record)).text:
        value: Any = record
        for key in (place,) if isinstance(place, str) else place:
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None and value != "":
            return place
    msg = "the row has no text where one was read before"
    raise AssertionError(msg)


def _put(record: dict[str, Any], place: Place, text: str) -> dict[str, Any]:
    first, rest = (place, ()) if isinstance(place, str) else (place[0], place[1:])
    return record | {first: _put(record[first], rest, text) if rest else text}


def _arrow_with_text(row: ArrowRow, text: str, fields: Fields) -> ArrowRow:
    import pyarrow as pa

    place = _place(_cells(row), fields)
    if not isinstance(place, str):
        msg = "sentences cannot be cut out of a nested column of Parquet; write .jsonl instead"
        raise ParameterError(msg)
    batch = row.batch()
    n = batch.schema.get_field_index(place)
    field = batch.schema.field(n)
    value = text.encode() if pa.types.is_binary(field.type) else text
    changed = batch.set_column(n, field, pa.array([value], field.type))
    return ArrowRow(row.schema, changed.serialize().to_pybytes())


def _cells(row: ArrowRow) -> dict[str, Any]:
    from twicetold.documents.parquet import values

    batch = row.batch()
    return {name: values(batch.column(n))[0] for n, name in enumerate(batch.schema.names)}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, bytes):
        return _text_of(value)
    return value.isoformat() if isinstance(value, datetime | date | time) else str(value)


def _text_of(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()


def _dumped(value: Any) -> bytes:
    import json

    import orjson

    try:
        return orjson.dumps(value)
    except (TypeError, ValueError):  # a number of more than 64 bits
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
