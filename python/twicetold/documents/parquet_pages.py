"""How much memory the pages of a Parquet file take, read from their headers before any is read.

A page says how long it is when decompressed, and a value of a dictionary stands in every row that
names it: a file of two kilobytes can hold two gigabytes of text in one batch of rows. What the
table of contents says of that is optional and need not be true; the headers of pages must be.
"""

from __future__ import annotations

from typing import IO, Any

from .compression import expanded

__all__ = ["BombError", "rows_at_once"]

_HELD = 64 << 20
"""Bytes that repeated values may take in a batch."""
_ROWS, _VALUES = 10_000_000, 10_000_000
_PER_BYTE = 50
_DICTIONARY, _DELTA_BYTE_ARRAY = 2, 7
_STRINGS = ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")
_DEPTH = 16
_WINDOW = 512


class BombError(ValueError):
    """Few bytes stand for more than is held."""


def rows_at_once(
    file: IO[bytes], metadata: Any, columns: list[str] | None, *, size: int, limit: int, most: int
) -> int:
    """Return how many rows to read at once, ``most`` or less; `BombError` where one is too much.

    ``columns`` are those that are read, None: all. ``size`` is the size of the file, and ``limit``
    that of the longest document.
    """
    if metadata.num_rows > max(_ROWS, _PER_BYTE * size):
        msg = f"{metadata.num_rows:,} rows in {size:,} bytes"
        raise BombError(msg)
    most_of_page = expanded(size, limit)
    longest = packed = 0
    for n in range(metadata.num_row_groups):
        group, sizes = metadata.row_group(n), 0
        for m in range(group.num_columns):
            chunk = group.column(m)
            if columns is not None and chunk.path_in_schema.partition(".")[0] not in columns:
                continue
            packed += max(chunk.total_compressed_size, 0)
            if packed > size:
                msg = f"columns of {packed:,} bytes in a file of {size:,}"
                raise BombError(msg)
            is_flat = metadata.schema.column(m).max_repetition_level == 0
            sizes += _longest(file, chunk, most_of_page, is_flat=is_flat)
        longest = max(longest, sizes)
    return max(1, min(most, _HELD // max(longest, 1)))


def _longest(file: IO[bytes], chunk: Any, limit: int, *, is_flat: bool) -> int:
    """Return how long a value can be that is written once and read many times."""
    at = chunk.data_page_offset
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < at:
        at = chunk.dictionary_page_offset
    end = at + chunk.total_compressed_size
    longest = total = values = 0
    while at < end and values < chunk.num_values:
        header = _Header(file, at)
        page = header.read()
        kind, size, packed = (_number_of(page, field) for field in (1, 2, 3))
        own: dict[int, Any] = next((page[n] for n in (5, 8) if isinstance(page.get(n), dict)), {})
        if not 0 <= size <= limit:
            msg = f"a page of {packed:,} bytes holds {size:,}; at most {limit:,} are read at once"
            raise BombError(msg)
        encodings = (_number_of(own, 2), _number_of(own, 4))
        repeats = kind == _DICTIONARY or _DELTA_BYTE_ARRAY in encodings
        if repeats and chunk.physical_type in _STRINGS:
            longest = max(longest, size)
        total += size
        values += max(_number_of(own, 1), 0)
        if not is_flat and values > max(_VALUES, _PER_BYTE * total):
            msg = f"{values:,} values in {total:,} bytes"
            raise BombError(msg)
        at = header.at + max(packed, 0)
    return longest


def _number_of(found: dict[int, Any], field: int) -> int:
    value = found.get(field, 0)
    return value if type(value) is int else 0


class _Header:
    """The header of a page: a structure in the compact protocol of Thrift."""

    def __init__(self, file: IO[bytes], at: int) -> None:
        self.at = at
        self._file = file
        self._start = at
        self._window = b""

    def read(self, depth: int = 0) -> dict[int, Any]:
        """Return the numbers and structures of a structure by the numbers of their fields."""
        found: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._number()
            found[field] = self._value(head & 15, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEPTH:
            msg = "the header of a page is too deep"
            raise ValueError(msg)
        if kind in (1, 2):  # yes and no
            return kind == 1
        if kind == 3:  # noqa: PLR2004 - a byte
            return self._byte()
        if kind in (4, 5, 6):
            return self._number()
        if kind in (7, 8):  # a real number, a text
            size = 8 if kind == 7 else self._length()  # noqa: PLR2004
            self.at += size
        elif kind in (9, 10):
            self._skip_list(depth)
        elif kind == 12:  # noqa: PLR2004 - a structure
            return self.read(depth + 1)
        else:
            msg = f"the header of a page holds a value of kind {kind}"
            raise ValueError(msg)
        return None

    def _skip_list(self, depth: int) -> None:
        head = self._byte()
        size = head >> 4 if head >> 4 < 15 else self._length()  # noqa: PLR2004
        if size > _WINDOW:
            msg = "the header of a page holds a long list"
            raise ValueError(msg)
        for _ in range(size):
            # In a list a yes or no is a byte of its own.
            self._value(3 if head & 15 in (1, 2) else head & 15, depth + 1)

    def _byte(self) -> int:
        place = self.at - self._start
        if not 0 <= place < len(self._window):
            self._file.seek(self.at)
            self._start, place = self.at, 0
            self._window = self._file.read(_WINDOW)
            if not self._window:
                msg = "the file ends in the header of a page"
                raise ValueError(msg)
        self.at += 1
        return self._window[place]

    def _length(self) -> int:
        found = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            found |= (byte & 127) << shift
            if byte < 128:  # noqa: PLR2004
                break
        return found

    def _number(self) -> int:
        found = self._length()
        return found >> 1 ^ -(found & 1)
