"""The ledger: what was removed, why, who holds it, and the rows themselves.

A file of JSON Lines. The first line says what was done; each other one is a removal, in the order
of the rows of the sources: where the row stood, why it is gone, and the row as it was.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from twicetold.deduplicating.outcome import Deduplicated
from twicetold.documents.whole import ArrowRow, Content
from twicetold.errors import FormatError

__all__ = ["Entry", "Head", "ledger_lines", "read_ledger"]

_NAME, _VERSION = "dedupe", 1


class Head(NamedTuple):
    """The first line: how many rows there were, how many are in the output, and its format."""

    rows: int
    kept: int
    format: str


class Entry(NamedTuple):
    """A removal: where the row stood, whether something of it is in the output, and the row."""

    at: int
    is_kept: bool
    content: Content | None


def ledger_lines(found: Deduplicated, format: str) -> Iterator[bytes]:  # noqa: A002
    """Yield the lines of the ledger of an output in some format."""
    counts = found.counts
    yield _line(
        {
            "ledger": _NAME,
            "version": _VERSION,
            "rows": len(found),
            "kept": counts["kept"],
            "format": format,
            "versions": found.manifest.versions,
            "parameters": found.manifest.parameters,
        }
    )
    schemas: dict[bytes, int] = {}
    for kept, removal in found.walk():
        if removal is not None:
            yield _line(removal.to_json() | {"row": _packed(kept.content, schemas)})


def _line(value: dict[str, Any]) -> bytes:
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except (TypeError, ValueError):  # a number of more than 64 bits, half a surrogate pair
        return json.dumps(value).encode() + b"\n"


def _packed(content: Content | None, schemas: dict[bytes, int]) -> Any:
    """Return a row as JSON; a schema is told with the first row that has it."""
    if content is None or isinstance(content, dict):
        return None if content is None else {"record": content}
    if isinstance(content, bytes):
        try:
            return {"line": content.decode()}
        except UnicodeDecodeError:
            return {"bytes": _text(content)}
    number = schemas.get(content.schema, len(schemas))
    found = {"arrow": _text(content.data), "schema": number}
    if number == len(schemas):
        schemas[content.schema] = number
        found["schema_data"] = _text(content.schema)
    return found


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


@contextmanager
def read_ledger(path: str | Path) -> Iterator[tuple[Head, Iterator[Entry]]]:
    """Open a ledger: its head, and its removals in order."""
    with opened(path) as file:
        lines = iter(file)
        try:
            first = json.loads(next(lines, b""))
            if first["ledger"] != _NAME or first["version"] != _VERSION:
                msg = f"{path}: a ledger of version {first['version']}, not {_VERSION}"
                raise FormatError(msg)
            head = Head(int(first["rows"]), int(first["kept"]), str(first["format"]))
        except (ValueError, KeyError, TypeError) as error:
            msg = f"{path}: is no ledger of `twicetold dedupe`; name the file it wrote beside OUT"
            raise FormatError(msg) from error
        yield head, _entries(path, lines)


def _entries(path: str | Path, lines: Iterator[bytes]) -> Iterator[Entry]:
    schemas: list[bytes] = []
    for number, line in enumerate(lines, start=2):
        try:
            value = json.loads(line)
            content = _unpacked(value["row"], schemas)
            yield Entry(int(value["at"]), value["action"] == "shortened", content)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            msg = f"{path}:{number}: is no line of a ledger; the file is damaged"
            raise FormatError(msg) from error


def _unpacked(row: Any, schemas: list[bytes]) -> Content | None:
    if row is None:
        return None
    if "record" in row:
        found: dict[str, Any] = row["record"]
        return found
    if "line" in row:
        return str(row["line"]).encode()
    if "bytes" in row:
        return base64.b64decode(row["bytes"])
    if "schema_data" in row:
        schemas.append(base64.b64decode(row["schema_data"]))
    return ArrowRow(schemas[row["schema"]], base64.b64decode(row["arrow"]))


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file, compressed or not, as bytes by line."""
    import gzip
    import io

    with Path(path).open("rb") as raw:
        start = raw.peek(4)[:4]
        if start.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=raw) as inner:
                yield io.BufferedReader(inner)
        elif start == b"\x28\xb5\x2f\xfd":
            import zstandard

            with zstandard.ZstdDecompressor().stream_reader(raw) as unpacked:
                yield io.BufferedReader(unpacked)
        else:
            yield raw
