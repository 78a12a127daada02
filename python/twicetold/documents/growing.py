"""A file of JSON Lines that somebody appends to: a line is handed over when it is complete."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from twicetold.records import Document

from .compression import Stream
from .encodings import ToUtf8, utf8_from
from .input import Input, Options
from .jsonl import document_of, too_long
from .rows import Rows
from .sources import Found

__all__ = ["GrowingFile"]

_BLOCK = 1 << 18
#: Bytes that tell the encoding of a file.
_HEAD = 4


class GrowingFile:
    """Reads on from where it stopped, also in the file that took the place of one moved away.

    Held in memory are a block and the beginning of a line that has no end yet.
    """

    def __init__(self, found: Found, options: Options, *, stays_open: bool = False) -> None:
        """Read nothing yet; with ``stays_open`` one that is moved away is read to its end."""
        self._path = found.path
        self._options = options
        self._stays_open = stays_open
        self._given = Input(
            name=found.name,
            label=found.label,
            suffix="jsonl",
            stream=Stream(lambda _: b""),
            options=options,
            raw=None,
        )
        self._rows = Rows(self._given)
        self._raw: IO[bytes] | None = None
        self._start(None)

    def _start(self, which: tuple[int, int] | None) -> None:
        """Begin with a file: this device and number."""
        self._which = which
        self._at = 0
        self._number = 0
        self._parts: list[bytes] = []  # of a line that has no end yet
        self._size = 0
        self._convert: ToUtf8 | None = None

    def documents(self) -> Iterator[Document]:
        """Yield the documents of the lines that were completed since."""
        if self._raw is not None:
            yield from self._rest(self._raw)
        with contextlib.suppress(FileNotFoundError):
            if self._open():
                assert self._raw is not None
                yield from self._rest(self._raw)
        if not self._stays_open:
            self.close()

    def _open(self) -> bool:
        """Open the file that is there now, if it is not the one whose end was reached."""
        info = os.stat(self._path)  # noqa: PTH116 - as it was given
        which = (info.st_dev, info.st_ino)
        if which != self._which or info.st_size < self._at:
            self.close()
            self._start(which)
        if info.st_size == self._at or self._raw is not None:
            return False
        self._raw = Path(self._path).open("rb", buffering=0)  # noqa: SIM115 - it stays open
        self._raw.seek(self._at)
        return True

    def close(self) -> None:
        """Close the file, if it is open; it can be read on all the same."""
        if self._raw is not None:
            self._raw.close()
            self._raw = None

    def _rest(self, raw: IO[bytes]) -> Iterator[Document]:
        while block := self._block(raw):
            for number, line in self._lines(block):
                found = document_of(self._given, self._rows, number, line)
                if found is not None:
                    self._options.report.documents += 1
                    yield found

    def _block(self, raw: IO[bytes]) -> bytes:
        """Return the next bytes, as UTF-8; none if there are no more yet."""
        while block := raw.read(_BLOCK):
            skip = 0
            if self._at == 0:
                if len(block) < _HEAD:
                    raw.seek(0)
                    return b""
                skip, self._convert = utf8_from(block[:_HEAD], self._options.encoding)
            self._at += len(block)
            self._options.report.bytes_read += len(block)
            block = block[skip:]
            if self._convert is not None:
                block = self._convert(block, final=False)
            if block:
                return block
        return b""

    def _lines(self, block: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield numbered lines that end in this block; one over the limit is reported, not held."""
        limit = self._options.limit
        *lines, tail = block.split(b"\n")
        for line in lines:
            self._number += 1
            size = self._size + len(line)
            whole = b"".join([*self._parts, line]) if self._parts else line
            self._parts, self._size = [], 0
            yield self._number, whole if size <= limit else too_long(self._given, self._number)
        self._size += len(tail)
        self._parts = [*self._parts, tail] if self._size <= limit else []
