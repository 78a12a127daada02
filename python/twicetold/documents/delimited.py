"""CSV and its relatives: a header, then rows, cells in quotes where they hold anything special."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from twicetold.records import Document

from .encodings import UNDECODABLE, text_blocks
from .input import Input
from .rows import Rows, distinct
from .whole import Row

__all__ = ["read_csv", "read_csv_rows"]

_DELIMITERS = ",;\t|"
#: Rows may lack so many cells, and so many for each byte: two bytes would else stand for as many
#: as the header has, again and again.
_LACKING, _PER_BYTE = 10_000_000, 10
#: A row has no more cells; each takes eight bytes, and one in the file.
_CELLS = 10_000_000


def read_csv(given: Input) -> Iterator[Document]:
    """Yield a document for each row; problems name the physical line where the row starts."""
    make = Rows(given)
    wanted: list[tuple[str, int]] | None = None
    for line, keys, cells in _fitting(given, make):
        if wanted is None:  # no more: a row may be short, and the header long
            places = {key: n for n, key in enumerate(keys)}
            wanted = [(key, places[key]) for key in make.plan(keys).columns()]
        row = {key: cells[n] if n < len(cells) else None for key, n in wanted}
        found = make.document(row, line)
        if found is not None:
            yield found


def read_csv_rows(given: Input) -> Iterator[Row]:
    """Yield every row that fits the header with all its cells, and the document it makes."""
    make = Rows(given)
    for line, keys, cells in _fitting(given, make):
        # A short row may still have its text: the cells that are not there are None.
        row = dict.fromkeys(keys) | dict(zip(keys, cells, strict=False))
        found = make.document(row, line)
        yield Row(found, row, given.reason if found is None else None)


def _fitting(given: Input, make: Rows) -> Iterator[tuple[int, tuple[str, ...], list[str]]]:
    """Yield the line, the names of the columns and the cells of rows that fit the header."""
    rows = _rows(given)
    line, header = next(rows, (1, []))
    keys = distinct([name.strip() for name in header])
    if not make.plan(keys).text:
        if any(keys):
            n = sum(1 for _ in rows)
            given.line = line
            make.missing(keys, n)
        return
    lacking = 0
    for line, cells in rows:
        given.line = line
        lacking += max(len(keys) - len(cells), 0)
        if any(cells[len(keys) :]) or lacking > _LACKING + _PER_BYTE * given.stream.taken:
            given.problem("bad csv", f"{len(cells)} cells, but the header has {len(keys)}")
        elif any(UNDECODABLE in cell for cell in cells):
            given.problem("bad encoding", "bytes that are not text; name the file's --encoding")
        else:
            yield line, keys, cells


def _rows(given: Input) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the number of its first line."""
    # The reader holds a cell at four bytes a character, whatever the text needs.
    csv.field_size_limit(max(csv.field_size_limit(), given.options.limit // 4))
    lines = _Lines(given)
    lines.delimiter = _delimiter(given, lines.peek())
    reader = csv.reader(lines, delimiter=lines.delimiter)
    while True:
        start = given.line = lines.number + 1
        lines.size = lines.cells = 0
        try:
            cells = next(reader, None)
        except csv.Error as error:
            is_long = isinstance(error, _LongRow) or "field larger" in str(error)
            reason = "too long" if is_long else "bad csv"
            given.problem(reason, f"row of lines {start} to {lines.number}: {error}")
            continue
        if lines.overflow:
            lines.overflow = False
            given.problem("too long", f"the line is longer than {given.limit:,} bytes")
        elif cells is None:
            return
        elif lines.ended:  # more was asked for inside a row: a quote is open
            if given.stream.damage is None:
                span = f"lines {start} to {lines.number}"
                given.problem("bad csv", f"{span}: a quote opened here is never closed")
            return
        elif cells:
            yield start, cells


def _delimiter(given: Input, header: str) -> str:
    """Find what parts the cells of the header, outside of quotes."""
    if given.suffix == "tsv":
        return "\t"
    bare = "".join(header.split('"')[::2])
    found = max(_DELIMITERS, key=bare.count)
    return found if found in bare else "\x1f"  # one column, so a comma in it is a comma


class _LongRow(csv.Error):
    """A row has more lines or cells than are held."""


class _TooLong(str):
    """A blank line in place of one over the limit."""

    __slots__ = ()


class _Lines:
    """Physical lines with their ends, as the csv module wants them, numbered from 1.

    A line over the limit is not held: an empty one takes its place, and ``overflow`` is set when
    it is handed out.
    """

    def __init__(self, given: Input) -> None:
        self.number = 0
        self.ended = False
        self.overflow = False
        self.delimiter = ","
        # Characters and cells of the row that is being read.
        self.size = self.cells = 0
        self._given = given
        self._lines = self._split()
        self._first: str | None = None

    def peek(self) -> str:
        """Return the first line that is not blank without taking it."""
        self._first = next(self._lines, None)
        while self._first is not None and not self._first.strip():
            self.number += 1
            self._first = next(self._lines, None)
        return self._first or ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._first
        if line is None:
            line = next(self._lines, None)
        self._first = None
        if line is None:
            self.ended = True
            raise StopIteration
        self.number += 1
        self.overflow = self.overflow or type(line) is _TooLong
        self.size += len(line)
        self.cells += line.count(self.delimiter)
        if self.size > self._given.limit:
            msg = f"it is longer than {self._given.limit:,} bytes"
            raise _LongRow(msg)
        if self.cells > _CELLS:
            msg = f"it has more than {_CELLS:,} cells"
            raise _LongRow(msg)
        return line

    def _split(self) -> Iterator[str]:
        parts: list[str] = []  # of a line that began in an earlier block
        size = 0
        for block in self._blocks():
            limit = self._given.limit
            lines = list(io.StringIO(block, newline=""))  # ends at \n, \r and \r\n, and keeps them
            tail = "" if not lines or lines[-1].endswith(("\n", "\r")) else lines.pop()
            if lines and size:
                size += len(lines[0])
                parts.append(lines[0])
                lines[0] = "".join(parts) if size <= limit else _TooLong("\n")
                parts, size = [], 0
            if len(block) > limit:
                lines = [line if len(line) <= limit else _TooLong("\n") for line in lines]
            yield from lines
            size += len(tail)
            if size <= limit:
                parts.append(tail)
            else:
                parts.clear()
        if size and self._given.stream.damage is None:  # else it is the beginning of a line
            yield "".join(parts) if size <= self._given.limit else _TooLong("\n")

    def _blocks(self) -> Iterator[str]:
        """Yield blocks that do not part a carriage return from its line feed."""
        held = ""
        for block in text_blocks(self._given.stream, self._given.options.encoding):
            text = held + block
            held = "\r" if text.endswith("\r") else ""
            yield text[:-1] if held else text
        if held:
            yield held
