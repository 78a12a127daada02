"""JSON Lines: one object a line, any number of lines, one line in memory at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from twicetold import _kernel
from twicetold.batches import BATCH, Batch, Line, microseconds
from twicetold.records import Document

from .encodings import utf8_blocks
from .input import Among, Input, quoted
from .rows import Rows
from .whole import Row

if TYPE_CHECKING:
    import orjson

__all__ = [
    "document_of",
    "parsed",
    "read_jsonl",
    "read_jsonl_batches",
    "read_jsonl_lines",
    "read_jsonl_rows",
    "read_jsonl_some",
    "too_long",
]

Block = tuple[bytes, int, int]
"""Bytes, and from where to where they hold whole lines."""

Renamed = tuple[int, tuple[int, str, str] | None]
"""How many documents got another id, and of the first its line, its id and the other one."""

_FIRST_BLOCK = 1 << 20
#: A whole number that a float may stand for, if it has more than 64 bits.
_LONG_NUMBER = re.compile(rb"\d{19}")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_jsonl(given: Input) -> Iterator[Document]:
    """Yield a document for each line that is a JSON object with a text; blank lines are nothing."""
    rows = Rows(given)
    for number, line in _lines(given):
        found = document_of(given, rows, number, line)
        if found is not None:
            yield found


def read_jsonl_some(given: Input, among: Among) -> Iterator[Document | None]:
    """Yield what `read_jsonl` makes of some lines, None in place of one that is no document."""
    rows = Rows(given)
    if not given.options.by_kernel:
        for number, line in _lines(given):
            if among(1):
                yield document_of(given, rows, number, line)
        return
    names = given.options.fields.names(about=True)
    first = 1
    for blocks in _blocks(given):
        if blocks is None:
            too_long(given, first)
            first += 1
            yield from (None for _ in among(1))
            continue
        places = among(_kernel.count_lines(blocks))
        batch = Batch.from_json_lines(blocks, first, given.label, names, only=places)
        first += batch.n_lines
        made = [found and _written(found) for found in _made(given, rows, batch)]
        yield from made
        yield from [None] * (len(places) - len(made))  # blank lines
        # The block is not held while the next one is read.
        del blocks, batch


def _written(document: Document) -> Document:
    """Return a document that does not hold the others of its block."""
    if type(document) is not Line:
        return document
    return Document(
        id=document.id,
        text=document.text,
        published=document.published,
        language=document.language,
        source=document.source,
        title=document.title,
        url=document.url,
    )


def read_jsonl_rows(given: Input) -> Iterator[Row]:
    """Yield every line that is not blank as it stands, with the document it makes, if it does."""
    rows = Rows(given)
    for number, line in _lines(given):
        given.reason = None
        found = document_of(given, rows, number, line)
        if line.strip():
            reason = given.reason if found is None else None
            yield Row(found, line, reason)


def parsed(line: bytes) -> Any:
    """Return what a line holds; also what orjson refuses, and whole numbers of any size."""
    import orjson

    if not _LONG_NUMBER.search(line):
        with suppress(orjson.JSONDecodeError):
            return orjson.loads(line)
    return _loads(line.decode())


def read_jsonl_batches(given: Input, ids: _kernel.DocumentIds) -> Iterator[Batch]:
    """Yield the same documents in batches, each id once.

    The kernel reads what is usual, on all cores; only what is not comes through `document_of`.
    """
    rows = Rows(given)
    for batch in _numbered(given, given.options.fields.names()):
        for slot, number, line in batch.rest():
            _report(given, *batch.seal(ids, slot))
            found = document_of(given, rows, number, line)
            if found is not None:
                published = microseconds(found.published)
                parts = (found.language, published, found.source, found.title)
                batch.put(slot, found.id, found.text, *parts)
        _report(given, *batch.seal(ids))
        yield batch


def read_jsonl_lines(given: Input) -> Iterator[Document]:
    """Yield the documents that `read_jsonl` yields; most texts stay in the kernel."""
    rows = Rows(given)
    account = given.options.account
    for batch in _numbered(given, given.options.fields.names(about=True)):
        if account is not None and account.ids is not None:
            # All at once, before the batch is used by those who get the first of them.
            _report(given, [], batch.named(account.ids))
        yield from filter(None, _made(given, rows, batch))


def _made(given: Input, rows: Rows, batch: Batch) -> Iterator[Document | None]:
    """Yield the documents of a batch that the kernel read, and None for what is none."""
    others = batch.rest()
    batch.slimmed()
    lines = Line.all_of(batch)
    line = next(lines, None)
    for slot, number, content in others:
        while line is not None and line.slot < slot:
            yield line
            line = next(lines, None)
        yield document_of(given, rows, number, content)
    while line is not None:
        yield line
        line = next(lines, None)


def _numbered(given: Input, names: list[tuple[list[str], bool]]) -> Iterator[Batch]:
    """Yield what the kernel reads of a file, in batches, and report lines over the limit."""
    account = given.options.account
    first = 1
    for blocks in _blocks(given):
        if blocks is None:
            too_long(given, first)
            first += 1
            continue
        batch = Batch.from_json_lines(blocks, first, given.label, names)
        if account is not None and len(batch):
            wanted = given.options.fields.id is not None and batch.n_ids < len(batch)
            keys = _keys_of(blocks) if wanted else ()
            account.has_text(len(batch), batch.n_ids, keys)
        yield batch
        first += batch.n_lines
        given.line = batch.last_line or given.line


def _report(given: Input, repeated: list[tuple[int, str]], renamed: Renamed) -> None:
    """Report repeated ids, and those that other files have."""
    n, first = renamed
    if first is not None:
        given.named(*first, n)
    if given.options.account is not None:
        given.options.account.count(len(repeated))
    for line, name in repeated:
        given.line = line
        given.problem("duplicate id", f"an earlier document has the id {quoted(name)}")


def _keys_of(blocks: list[Block]) -> tuple[str, ...]:
    """Return the fields of the first line that is an object."""
    import orjson

    for content, start, end in blocks:
        for line in content[start:end].split(b"\n"):
            with suppress(orjson.JSONDecodeError):
                if isinstance(record := orjson.loads(line), dict):
                    return tuple(record)
    return ()


def document_of(given: Input, rows: Rows, number: int, line: bytes) -> Document | None:
    """Make a document of a line, or report why there is none."""
    import orjson

    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        if not line.strip():
            return None
        given.line = number
        record = _second_try(given, line, error)
        if record is None:
            return None
    if type(record) is not dict:
        given.line = number
        what = "a line must be a JSON object"
        if type(record) is list:
            what = "a line holds one JSON object, not an array"
        given.problem("bad json", f"{what}, got {quoted(record)}")
        return None
    return rows.document(record, number)


def _blocks(given: Input) -> Iterator[list[Block] | None]:
    """Yield whole lines in blocks, None in place of a line over the limit.

    The first are few: what is learned from them makes the others quicker. Nothing is copied but the
    lines that lie across two blocks.
    """
    ready: list[Block] = []  # whole lines
    parts: list[bytes] = []  # of a line that has no end yet
    held, size, wanted = 0, 0, _FIRST_BLOCK
    for block in utf8_blocks(given.stream, given.options.encoding):
        limit = given.limit
        cut = block.rfind(b"\n") + 1
        start = 0
        if cut and (size or block.find(b"\n") > limit):
            start = block.find(b"\n") + 1
            if size + start - 1 > limit:
                yield ready
                yield None
                ready, held = [], 0
            else:
                line = b"".join([*parts, block[:start]])
                ready.append((line, 0, len(line)))
                held += len(line)
            parts, size = [], 0
        if start < cut:
            ready.append((block, start, cut))
            held += cut - start
        if held >= wanted:
            yield ready
            ready, held, wanted = [], 0, min(2 * wanted, BATCH)
        size += len(block) - cut
        if size <= limit:
            parts.append(block[cut:])
        else:
            parts.clear()
    if given.stream.damage is not None:  # the last line is only the beginning of one
        parts = []
    last = b"".join(parts)
    yield [*ready, (last, 0, len(last))]
    if size > given.limit and given.stream.damage is None:
        yield None


def _lines(given: Input) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines without their ends; a line over the limit is reported and not held."""
    number = 1
    parts: list[bytes] = []  # of a line that began in an earlier block
    size = 0
    for block in utf8_blocks(given.stream, given.options.encoding):
        limit = given.limit
        lines = block.split(b"\n")
        tail = lines.pop()
        if lines and size:
            size += len(lines[0])
            parts.append(lines[0])
            lines[0] = b"".join(parts) if size <= limit else too_long(given, number)
            parts, size = [], 0
        if len(block) > limit:
            lines = [
                line if len(line) <= limit else too_long(given, n)
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
        yield number, b"".join(parts) if size <= given.limit else too_long(given, number)


def too_long(given: Input, number: int) -> bytes:
    """Report a line over the limit; nothing stands in its place."""
    given.line = number
    given.problem("too long", f"the line is longer than {given.limit:,} bytes")
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
        return _loads(text)
    except (ValueError, RecursionError):
        hint = "; a line holds one object, not an array" if line.lstrip().startswith(b"[") else ""
        given.problem("bad json", f"not JSON at column {error.colno}: {error.msg}{hint}")
        return None


def _loads(text: str) -> Any:
    return json.loads(text, strict=False, object_pairs_hook=_mended, parse_int=_number)


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
