"""Rows set aside in a temporary file until it is known what becomes of them."""

from __future__ import annotations

import json
import tempfile
import weakref
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, NamedTuple

from twicetold.documents.whole import ArrowRow, Content

__all__ = ["Kept", "Spool"]

_LINE, _RECORD, _DOCUMENT, _ARROW = b"lrda"


class Kept(NamedTuple):
    """What is set aside of a row.

    ``id`` is None if it makes no document. ``text`` is empty unless it was asked for.
    ``is_whole`` says that the row was made of a document, whose text is called ``text``.
    """

    id: str | None
    language: str | None
    text: str
    content: Content | None
    is_whole: bool = False


class Spool:
    """Rows by their numbers, in a file that vanishes with them."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(buffering=1 << 20)  # noqa: SIM115
        weakref.finalize(self, _close, self._file)
        self._starts = array("Q", [0])
        #: Of each row: the lengths of its head, its text and its content, and its kind.
        self._lengths = (array("L"), array("Q"))
        self._kinds = bytearray()
        self._schemas: list[bytes] = []
        self._schema_of = array("L")

    def __len__(self) -> int:
        return len(self._kinds)

    def add(self, kept: Kept) -> None:
        """Set a row aside."""
        head = json.dumps([kept.id, kept.language]).encode()
        text = kept.text.encode("utf-8", "surrogatepass")
        kind, data = _encoded(kept)
        schema = 0
        if isinstance(kept.content, ArrowRow):
            schema = self._schema(kept.content.schema)
        with _told():
            for part in (head, text, data):
                self._file.write(part)
        self._lengths[0].append(len(head))
        self._lengths[1].append(len(text))
        self._starts.append(self._starts[-1] + len(head) + len(text) + len(data))
        self._kinds.append(kind)
        self._schema_of.append(schema)

    def __getitem__(self, n: int) -> Kept:
        """Return a row."""
        whole = self._read(n, self._starts[n + 1] - self._starts[n])
        head, text = self._lengths[0][n], self._lengths[1][n]
        name, language = json.loads(whole[:head])
        return Kept(
            name,
            language,
            whole[head : head + text].decode("utf-8", "surrogatepass"),
            self._decoded(n, whole[head + text :]),
            self._kinds[n] == _DOCUMENT,
        )

    def __iter__(self) -> Iterator[Kept]:
        return (self[n] for n in range(len(self)))

    def id_of(self, n: int) -> str:
        """Return the id of a document, without reading its row."""
        name: str = json.loads(self._read(n, self._lengths[0][n]))[0]
        return name

    def _read(self, n: int, size: int) -> bytes:
        with _told():
            self._file.seek(self._starts[n])  # writes what is in the buffer
            return self._file.read(size)

    def _schema(self, schema: bytes) -> int:
        if schema not in self._schemas:  # as many as there are kinds of files
            self._schemas.append(schema)
        return self._schemas.index(schema)

    def _decoded(self, n: int, data: bytes) -> Content | None:
        kind = self._kinds[n]
        if kind == _ARROW:
            return ArrowRow(self._schemas[self._schema_of[n]], data)
        if kind == _LINE:
            return data
        found: dict[str, object] | None = json.loads(data)
        return found


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # the disk is full, which was told
        file.close()


@contextmanager
def _told() -> Iterator[None]:
    """Say where there is no room."""
    try:
        yield
    except OSError as error:
        words = f"{error.strerror}; set TMPDIR to a folder with as much room as the sources take"
        raise OSError(error.errno, words, tempfile.gettempdir()) from error


def _encoded(kept: Kept) -> tuple[int, bytes]:
    if isinstance(kept.content, ArrowRow):
        return _ARROW, kept.content.data
    if isinstance(kept.content, bytes):
        return _LINE, kept.content
    # Without escapes half a surrogate pair could not be written.
    return _DOCUMENT if kept.is_whole else _RECORD, json.dumps(kept.content).encode()
