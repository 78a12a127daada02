"""Documents as rows of SQLite: texts compressed, each row with a checksum."""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from twicetold.batches import Line, batch_of, moment, time_of
from twicetold.errors import IndexDamagedError
from twicetold.html.boilerplate import Boilerplate, blanked
from twicetold.html.places import packed_places
from twicetold.index.connection import EXPORT_HELPS, Connection, telling
from twicetold.records import Document, Span

__all__ = ["DocumentRows", "checksum", "packed_of", "rows_of"]

#: Values that one statement takes.
_MANY = 500
#: Of short texts more effort makes nothing smaller: .538 of their bytes, .537 with level 3.
_LEVEL = 1
#: What is in the row of a document that was a page.
_PLACES = '"places":'
#: From so many texts on they are compressed by several threads.
_SEVERAL = 64


class DocumentRows(Connection):
    """The table of documents."""

    def numbers_of(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return the numbers and times of the documents with these ids that are there."""
        rows = self._with_ids("id, number, time", ids)
        return {name: (number, time) for name, number, time in rows}

    def _with_ids(self, columns: str, ids: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield these columns of the documents with these ids that are there."""
        for start in range(0, len(ids), _MANY):
            some = ids[start : start + _MANY]
            marks = ",".join("?" * len(some))
            with telling(self.path):
                rows = self._connection.execute(
                    f"SELECT {columns} FROM documents WHERE id IN ({marks})",  # noqa: S608
                    some,
                ).fetchall()
            yield from rows

    def texts_of(self, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield texts in UTF-8 by the numbers of their documents; what is damaged is left out."""
        from zstandard import ZstdError

        unpacker = _unpacker()
        wanted = sorted(numbers)
        while wanted:
            rows: list[tuple[Any, ...]] = []
            with contextlib.suppress(IndexDamagedError):
                rows = self._some(0, wanted)
            for number, *_, text, _ in rows:
                with contextlib.suppress(ZstdError, TypeError):
                    yield number, unpacker.decompress(text)

    def pages_of(self, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield what is known of those of these documents that were pages, as it is written.

        What is damaged is left out.
        """
        rows = self._with_ids("id, about", ids)
        return ((name, about) for name, about in rows if _PLACES in str(about))

    def sound_pages_of(self, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the same, of documents that are all there; one that is not, or damaged, is told."""
        commit, n = self.get("commit"), 0
        for row in self._with_ids("*", ids):
            n += 1
            self._check_row(row)
            if _PLACES in row[4]:
                yield row[1], row[4]
        if n < len(ids) and self.get("commit") == commit:
            msg = f"{self.path}: is damaged: {len(ids) - n} documents are not found by their ids"
            raise IndexDamagedError(msg + EXPORT_HELPS)

    def last_number(self) -> int:
        """Return the highest number that any document had."""
        with telling(self.path):
            return self._value("SELECT seq FROM sqlite_sequence WHERE name='documents'") or 0

    def documents(
        self,
        numbers: Iterable[int] | None = None,
        *,
        blanks: bool = False,
        damaged: Callable[[str], None] | None = None,
    ) -> Iterator[tuple[int, int, Document]]:
        """Yield documents with their numbers and times, in the order of the numbers.

        With ``blanks`` in place of boilerplate, as they were analysed. Of a row that is not as it
        was written ``damaged`` is told; None: that is an error.
        """
        unpacker = _unpacker()
        for row in self._rows(None if numbers is None else sorted(numbers), damaged):
            try:
                document = self._document(unpacker, row, blanks=blanks)
            except IndexDamagedError as error:
                if damaged is None:
                    raise
                damaged(str(error))
                continue
            yield row[0], row[2], document

    def _rows(
        self, wanted: list[int] | None, damaged: Callable[[str], None] | None
    ) -> Iterator[tuple[Any, ...]]:
        last = 0
        end = self._last_readable() if wanted is None and damaged is not None else 0
        while True:
            try:
                rows = self._some(last, wanted)
            except IndexDamagedError:
                if damaged is None or wanted is not None or last >= end:
                    raise
                yield from self._one_by_one(last, end, damaged)
                last += _MANY
                continue
            yield from rows
            if rows:
                last = rows[-1][0]
            elif not wanted:
                return

    def _last_readable(self) -> int:
        """Return the last number to look for in a damaged table; one of both may be damaged."""
        found = []
        for statement in (
            "SELECT max(number) FROM documents",
            "SELECT seq FROM sqlite_sequence WHERE name='documents'",
        ):
            with contextlib.suppress(IndexDamagedError), telling(self.path):
                found.append(self._value(statement))
        return min((last for last in found if isinstance(last, int)), default=0)

    def _one_by_one(
        self, last: int, end: int, damaged: Callable[[str], None]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield what can be read behind a number where a page is damaged: the others are whole."""
        lost = []
        for number in range(last + 1, min(last + _MANY, end) + 1):
            try:
                with telling(self.path):
                    found = self._connection.execute(
                        "SELECT * FROM documents WHERE number=?", (number,)
                    ).fetchone()
            except IndexDamagedError:
                lost.append(number)
                continue
            if found is not None:
                yield found
        if lost:
            which = f"{lost[0]} to {lost[-1]}" if len(lost) > 1 else str(lost[0])
            damaged(f"{self.path}: documents cannot be read that have the numbers {which}")

    def _some(self, last: int, wanted: list[int] | None) -> list[tuple[Any, ...]]:
        """Return the next documents; a short statement each, so that no writer waits."""
        with telling(self.path):
            if wanted is None:
                rows = self._connection.execute(
                    "SELECT * FROM documents WHERE number > ? ORDER BY number LIMIT ?",
                    (last, _MANY),
                ).fetchall()
            else:
                some = wanted[:_MANY]
                del wanted[:_MANY]
                rows = self._connection.execute(
                    f"SELECT * FROM documents WHERE number IN ({','.join('?' * len(some))}) "  # noqa: S608
                    "ORDER BY number",
                    some,
                ).fetchall()
        # A damaged page may lead back to rows that were read, for ever.
        for before, row in pairwise(((last,), *rows)):
            if row[0] <= before[0]:
                msg = f"{self.path}: is damaged: rows are not in their order{EXPORT_HELPS}"
                raise IndexDamagedError(msg)
        return rows

    def _check_row(self, row: tuple[Any, ...]) -> None:
        """Refuse a row that is not as it was written."""
        number, name, time, published, about, text, found = row
        # A flipped byte may make a value one of another type.
        is_typed = isinstance(name, str) and isinstance(about, str) and isinstance(text, bytes)
        if not is_typed or checksum(number, name, time, published, about, text) != found:
            msg = (
                f"{self.path}: the row of document {name!r} is damaged; "
                "`twicetold index remove` lets go of it"
            )
            raise IndexDamagedError(msg)

    def _document(self, unpacker: Any, row: tuple[Any, ...], *, blanks: bool) -> Document:
        self._check_row(row)
        _, name, _, published, about, text, _ = row
        content = unpacker.decompress(text).decode("utf-8", "surrogatepass")
        known = json.loads(about)
        known.pop("places", None)
        spans = [Span(*span) for span in known.pop("boilerplate", ())]
        if blanks and spans:
            content = blanked(content, spans)
        return Document(id=name, text=content, published=moment(published), **known)

    def all_numbers(self) -> list[int]:
        """Return the numbers of all documents."""
        with telling(self.path):
            rows = self._connection.execute(
                "SELECT number FROM documents NOT INDEXED ORDER BY number"
            )
            return [row[0] for row in rows]


def packed_of(documents: Sequence[Document]) -> dict[int, bytes]:
    """Return the texts of documents compressed, many of them on all cores, by their `id`."""
    import zstandard

    packer = zstandard.ZstdCompressor(level=_LEVEL)
    lines = [document for document in documents if type(document) is Line]
    if lines:
        joined = zstandard.BufferWithSegments(*batch_of(lines).contents())
        packed = iter(packer.multi_compress_to_buffer(joined, threads=-1))
        found = {id(line): next(packed).tobytes() for line in lines}
        others = [document for document in documents if type(document) is not Line]
        return found | packed_of(others)
    contents = [document.text.encode("utf-8", "surrogatepass") for document in documents]
    if len(contents) < _SEVERAL:
        texts = [packer.compress(content) for content in contents]
        return dict(zip(map(id, documents), texts, strict=True))
    # Of an empty one the library makes nothing.
    full: list[bytes | bytearray | memoryview] = [content for content in contents if content]
    together = iter(packer.multi_compress_to_buffer(full, threads=-1)) if full else iter(())
    return {
        id(document): next(together).tobytes() if content else packer.compress(content)
        for document, content in zip(documents, contents, strict=True)
    }


def rows_of(
    documents: Sequence[tuple[int, int, Document]],
    boilerplate: Boilerplate,
    ready: Mapping[int, bytes],
) -> list[tuple[Any, ...]]:
    """Return the rows of documents, each with its number and time; ``ready`` is of `packed_of`.

    A page is not kept as it was, so that where it had boilerplate, and which nodes, is.
    """
    if not all(id(document) in ready for _, _, document in documents):
        ready = packed_of([document for _, _, document in documents])
    return [_row(given, ready[id(given[2])], boilerplate) for given in documents]


def _row(
    given: tuple[int, int, Document], text: bytes, boilerplate: Boilerplate
) -> tuple[Any, ...]:
    number, time, document = given
    about: dict[str, Any] = {
        name: value
        for name in ("title", "url", "source", "language")
        if (value := getattr(document, name)) is not None
    }
    if spans := boilerplate.spans(document):
        about["boilerplate"] = spans
    if document.html is not None:
        about["places"] = packed_places(document.html)
    row = (number, document.id, time, time_of(document), _written(about), text)
    return (*row, checksum(*row))


def _written(about: dict[str, Any]) -> str:
    """Return a JSON object; the quick way cannot write half of a surrogate pair, nor spans."""
    import orjson

    try:
        return orjson.dumps(about).decode()
    except TypeError:
        return json.dumps(about)


def checksum(*values: Any) -> int:
    """Return what stands for the values of a row."""
    *facts, text = values
    head = "\x1f".join(["" if fact is None else str(fact) for fact in facts])
    return zlib.crc32(text, zlib.crc32(head.encode("utf-8", "surrogatepass")))


def _unpacker() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor()
