"""JSON Lines: one object a line, any number of lines, one line in memory at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import orjson

from twicetold.records import Document

from .encodings import utf8_blocks
from .input import Input, quoted
from .rows import Rows

__all__ = ["read_jsonl"]

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_jsonl(given: Input) -> Iterator[Document]:
    """Yield a document for each line that is a JSON object with a text; blank lines are nothing."""
    document, loads = Rows(given).document, orjson.loads
    for number, line in _lines(given):
        try:
            record = loads(line)
        except orjson.JSONDecodeError as error:
            if not line.strip():
                continue
            given.line = number
            record = _second_try(given, line, error)
            if record is None:
                continue
        if type(record) is not dict:
            given.line = number
            given.problem("bad json", f"a line must be a JSON object, got {quoted(record)}")
            continue
        found = document(record, number)
        if found is not None:
            yield found


def _lines(given: Input) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines without their ends; a line over the limit is reported and not held."""
    number, limit = 1, given.options.limit
    parts: list[bytes] = []  # of a line that began in an earlier block
    size = 0
    for block in utf8_blocks(given.stream, given.options.encoding):
        lines = block.split(b"\n")
        tail = lines.pop()
        if lines and size:
            size += len(lines[0])
            parts.append(lines[0])
            lines[0] = b"".join(parts) if size <= limit else _too_long(given, number)
            parts, size = [], 0
        if len(block) > limit:
            lines = [
                line if len(line) <= limit else _too_long(given, n)
                for n, line in enumerate(lines, number)
            ]
        yield from enumerate(lines, number)
        number += len(lines)
        size += len(tail)
        if size <= limit:
            parts.append(tail)
        else:
            parts.clear()
    if given.stream.damage is None:  # else the last line is only the beginning of one
        yield number, b"".join(parts) if size <= limit else _too_long(given, number)


def _too_long(given: Input, number: int) -> bytes:
    given.line = number
    given.problem("too long", f"the line is longer than {given.options.limit:,} bytes")
    return b""


def _second_try(given: Input, line: bytes, error: orjson.JSONDecodeError) -> Any:
    """Read what orjson refuses but others write: half a surrogate pair, NaN, control characters."""
    try:
        text = line.decode()
    except UnicodeDecodeError as broken:
        column = len(line[: broken.start].decode()) + 1
        given.problem("bad encoding", f"bytes that are not text at column {column}")
        return None
    try:
        return json.loads(text, strict=False, object_pairs_hook=_mended, parse_int=_number)
    except (ValueError, RecursionError):
        hint = "; a line holds one object, not an array" if line.lstrip().startswith(b"[") else ""
        given.problem("bad json", f"not JSON at column {error.colno}: {error.msg}{hint}")
        return None


def _number(digits: str) -> int | str:
    """Read a whole number; one so long that Python refuses it stays a text."""
    return int(digits) if len(digits) < 1000 else digits  # noqa: PLR2004


def _mended(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object, U+FFFD for each half of a surrogate pair: no position in the text moves."""
    mend = _LONE_SURROGATE.sub
    return {
        mend("\ufffd", key): mend("\ufffd", value) if isinstance(value, str) else value
        for key, value in pairs
    }
