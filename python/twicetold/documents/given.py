"""What a caller gives as sources: paths to read, or documents, texts, records and tables it has.

One place decides for every call that takes sources which strings are paths and which are texts.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from twicetold.errors import ParameterError
from twicetold.records import Document

from .fields import Fields
from .formats import suffix_of
from .in_memory import Records, one_record, table_of
from .input import quoted
from .report import Report
from .sources import STDIN
from .whole import Row

__all__ = ["ArrowStream", "DocumentsLike", "Given", "SourcePath", "one_document", "repeatable"]


class ArrowStream(Protocol):
    """A table of Arrow, pandas, Polars, DuckDB and others, which all have this method."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the table as a stream of Arrow."""


class SourcePath(str):
    """A string that is a path, whether or not there is anything: it is never taken for a text."""

    __slots__ = ()


#: What every call that takes sources understands.
DocumentsLike = (
    str | Path | Document | Iterable[str | Path | Document | Mapping[str, Any]] | ArrowStream
)

#: No system has longer paths.
_LONGEST = 4096
_WANTED = "paths, documents, texts, records or a table"


class Given:
    """The sources of a call, once through.

    `rows` yields what the caller has itself; `paths` is what is to be read after that.

    * A single string is a path. In a list of strings those that name something are paths; if none
      does, all are texts, called by their numbers from 0. Some of each is refused.
    * A dict in a list is a record, and so is a row of a table: fields are found as in files.
    """

    def __init__(
        self,
        sources: Any,
        *,
        fields: Fields | None = None,
        report: Report | None = None,
        strict: bool = False,
    ) -> None:
        self._records = Records(fields or Fields(), report or Report(), strict=strict)
        self._table: Any = None
        self._items: Iterable[Any] = ()
        self._strings: list[tuple[int, str | Path]] = []
        if isinstance(sources, str | Path):
            self._items = [SourcePath(sources)]
        elif isinstance(sources, Document):
            self._items = [sources]
        elif isinstance(sources, Mapping):
            names = ", ".join(quoted(name, 40) for name in list(sources)[:5])
            msg = f"a single dict (with {names}) is no list of documents; put records into a list"
            raise ParameterError(msg)
        elif (table := table_of(sources)) is not None:
            self._table = table
        elif isinstance(sources, Iterable) and not isinstance(sources, bytes | bytearray):
            self._items = sources.to_pylist() if hasattr(sources, "to_pylist") else sources
        else:
            msg = f"sources must be {_WANTED}, got {quoted(sources)}"
            raise ParameterError(msg)

    @cached_property
    def paths_only(self) -> list[str] | None:
        """The paths if there is nothing else, and that can be told before it is read."""
        items = self._items
        if not isinstance(items, Sequence) or not items:  # nothing at all is no documents
            return None
        if not all(isinstance(item, str | Path) for item in items):
            return None
        return _paths(list(enumerate(items)))

    def rows(self, *, whole: bool = False) -> Iterator[Row]:
        """Yield the documents the caller has; with ``whole``, records with all they have."""
        if self._table is not None:
            yield from self._records.table(self._table, 0, whole=whole)
        for number, item in enumerate(self._items):
            if isinstance(item, Document):
                yield Row(item, None)
            elif isinstance(item, str | Path):
                self._strings.append((number, item))
            elif isinstance(item, Mapping):
                yield self._records.row(item, number)
            else:
                msg = f"item {number} of the sources must be one of {_WANTED}, got {quoted(item)}"
                raise ParameterError(msg)
        self._records.check()
        if self._strings and _paths(self._strings) is None:
            for number, text in self._strings:
                yield Row(Document(id=str(number), text=str(text)), None)
            self._strings.clear()

    @property
    def paths(self) -> list[str]:
        """What is to be read, known after the last of `rows`."""
        return [str(path) for _, path in self._strings]


def _paths(strings: Sequence[tuple[int, str | Path]]) -> list[str] | None:
    """Return strings that are paths; None if they are texts; some of each is refused."""
    kinds = [_kind(string) for _, string in strings]
    if "path" not in kinds and "text" in kinds:
        return None
    if "text" in kinds:
        first = strings[kinds.index("text")][1]
        msg = (
            f"{kinds.count('text'):,} of {len(kinds):,} strings name no file or folder, such as "
            f"{quoted(first)}; give either paths or texts"
        )
        raise ParameterError(msg)
    return [str(string) for _, string in strings]


def _kind(string: str | Path) -> str:
    """Tell whether a string is a path, may be a wrong one, or is a text."""
    if isinstance(string, Path | SourcePath) or string == STDIN:
        return "path"
    is_line = len(string) <= _LONGEST and not set("\n\r\0") & set(string)
    if not is_line:
        return "text"
    if os.path.exists(string):  # noqa: PTH110 - it stays a string
        return "path"
    blank = string != "".join(string.split())
    has_suffix = suffix_of(string).format is not None
    may_be_glob = not blank or has_suffix or string.endswith("*")
    if may_be_glob and glob.has_magic(string) and _matches(string):
        return "path"
    is_like_one = has_suffix or (not blank and string.isascii() and "/" in string)
    return "wrong path" if is_like_one else "text"


def _matches(pattern: str) -> bool:
    return next(glob.iglob(pattern, recursive=True), None) is not None  # noqa: PTH207


def one_document(given: Any, what: str) -> Document:
    """Return a document, also of a record; ``what`` wants it."""
    if isinstance(given, Document):
        return given
    if isinstance(given, Mapping):
        return one_record(given)
    kind = "the text " if isinstance(given, str) else ""
    msg = f"{what} takes a Document, got {kind}{quoted(given)}; give Document(id=..., text=...)"
    raise ParameterError(msg)


def repeatable(sources: Any) -> Any:
    """Return sources that can be had more than once."""
    if isinstance(sources, str | Path | Document | Sequence | Mapping):
        return sources
    if hasattr(sources, "read_all"):  # a reader of batches, which gives them once
        return sources.read_all()
    if hasattr(sources, "__arrow_c_stream__") or hasattr(sources, "__dataframe__"):
        return sources
    return list(sources) if isinstance(sources, Iterable) else sources
