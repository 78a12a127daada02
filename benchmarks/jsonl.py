"""Documents as JSON Lines, read and written one at a time."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

Record = dict[str, Any]


def read(path: Path) -> Iterator[Record]:
    """Yield the objects of a file of JSON Lines; blank lines are passed over."""
    with path.open("rb") as lines:
        for text in lines:
            if not text.isspace():
                yield orjson.loads(text)


def write(path: Path, records: Iterable[Record]) -> int:
    """Write records one per line and return how many there were."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("wb", buffering=1 << 20) as out:
        for record in records:
            out.write(line(record))
            count += 1
    return count


def line(record: Record) -> bytes:
    """Return a record as one line."""
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def head(source: Path, target: Path, count: int) -> None:
    """Copy the first lines of a file."""
    with source.open("rb") as lines, target.open("wb", buffering=1 << 20) as out:
        out.writelines(islice(lines, count))


def text_bytes(path: Path) -> int:
    """Return the size of the texts alone, without ids, dates and the escapes of JSON."""
    return sum(len(record["text"].encode(errors="replace")) for record in read(path))


def language(record: Record) -> str | None:
    """Return the language code of a document; ``None`` if it names none."""
    return record.get("language") or record.get("lang")
