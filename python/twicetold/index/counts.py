"""How many documents an index has, kept up to date by every commit that adds or removes some.

Nothing is counted when somebody asks. The seal covers these numbers, so they also tell when a
damaged page of the database has lost rows that have no checksum between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from twicetold.errors import IndexDamagedError
from twicetold.index.connection import EXPORT_HELPS, telling
from twicetold.index.document_rows import DocumentRows, checksum
from twicetold.records import Document

__all__ = ["COUNTS", "CountedRows", "Counts"]

#: The fact that holds them.
COUNTS = "counts"
#: Values that one statement takes.
_MANY = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What is in the tables of documents and of removed ones."""

    documents: int = 0
    text_bytes: int = 0
    earliest: int | None = None
    latest: int | None = None
    removed: int = 0
    removed_checksum: int = 0

    def with_documents(self, sizes: Sequence[int], times: Sequence[int]) -> Self:
        """Return the counts after documents with texts of these sizes were added."""
        known = [time for time in (self.earliest, self.latest) if time is not None]
        every = [*known, *times]
        return replace(
            self,
            documents=self.documents + len(sizes),
            text_bytes=self.text_bytes + sum(sizes),
            earliest=min(every, default=None),
            latest=max(every, default=None),
        )

    def with_removed(self, rows: Iterable[tuple[int, int]], sign: int = 1) -> Self:
        """Return the counts after numbers and times were noted as removed, or forgotten (-1)."""
        sums = removed_checksums(rows)
        return replace(
            self,
            removed=self.removed + sign * len(sums),
            removed_checksum=self.removed_checksum + sign * sum(sums),
        )


def removed_checksums(rows: Iterable[tuple[int, int]]) -> list[int]:
    """Return what stands for each removed document, of its number and time."""
    return [checksum(number, time, b"") for number, time in rows]


class CountedRows(DocumentRows):
    """The tables of documents and of removed ones, with their counts."""

    def counts(self) -> Counts:
        """Return how many documents there are; of an index that did not count, by reading all."""
        found = self.get(COUNTS)
        if found is None:
            return self.counted()
        try:
            return Counts(**found)
        except TypeError as error:
            msg = f"{self.path}: is damaged: its counts are not what was written"
            raise IndexDamagedError(msg) from error

    def counted(self) -> Counts:
        """Return what the counts are to be, by reading both tables."""
        with telling(self.path):
            row = self._connection.execute(
                "SELECT count(*), coalesce(sum(length(text)), 0), min(time), max(time) "
                "FROM documents NOT INDEXED"
            ).fetchone()
            gone = self._connection.execute("SELECT number, time FROM removed NOT INDEXED")
            documents, size, earliest, latest = row
            counts = Counts(documents=documents, text_bytes=size, earliest=earliest, latest=latest)
            return counts.with_removed(gone)

    def keep_counts(self, counts: Counts) -> None:
        """Note other counts, inside a transaction."""
        self.set(COUNTS, asdict(counts))

    def recount(self) -> None:
        """Count all anew, inside a transaction."""
        self.keep_counts(self.counted())

    def n_documents(self) -> int:
        """Return how many documents there are."""
        return self.counts().documents

    def all_documents(self, *, blanks: bool = False) -> Iterator[tuple[int, int, Document]]:
        """Yield all documents with their numbers and times; fewer than there are is an error."""
        commit, wanted, n = self.get("commit"), self.n_documents(), 0
        for row in self.documents(blanks=blanks):
            n += 1
            yield row
        if n != wanted and self.get("commit") == commit:
            raise IndexDamagedError(self.not_all(n, wanted) + EXPORT_HELPS)

    def not_all(self, n: int, wanted: int) -> str:
        """Return what to say where other documents are found than there are to be."""
        return f"{self.path}: is damaged: {n} documents can be found, there are to be {wanted}"

    def add_documents(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Keep documents, as `rows_of` made them."""
        counts = self.counts()
        self._connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        sizes, times = [len(row[5]) for row in rows], [row[2] for row in rows]
        self.keep_counts(counts.with_documents(sizes, times))

    def delete_documents(self, gone: Sequence[tuple[int, int]]) -> None:
        """Delete documents, whose numbers and times are given; segments still hold them."""
        counts = self.counts()
        n, size = 0, 0
        for numbers in _in_parts([number for number, _ in gone]):
            deleted = self._delete(f"number IN ({','.join('?' * len(numbers))})", numbers)
            n, size = n + deleted[0], size + deleted[1]
        noted = [
            row
            for row in gone
            if self._connection.execute(
                "INSERT OR IGNORE INTO removed (number, time) VALUES (?, ?)", row
            ).rowcount
        ]
        self.keep_counts(self._less(counts, n, size).with_removed(noted))

    def delete_before(self, horizon: int) -> int:
        """Delete what counts as told before, with the notes on what of it was removed."""
        counts = self.counts()
        n, size = self._delete("time < ?", [horizon])
        gone = self._connection.execute(
            "SELECT number, time FROM removed WHERE time < ?", (horizon,)
        ).fetchall()
        if not n and not gone:
            return 0
        self._connection.execute("DELETE FROM removed WHERE time < ?", (horizon,))
        self.keep_counts(self._less(counts, n, size).with_removed(gone, -1))
        return n

    def forget_removed(self, numbers: Iterable[int]) -> None:
        """Forget that documents were removed which no segment holds any more."""
        counts = self.counts()
        for some in _in_parts(list(numbers)):
            which = f"FROM removed WHERE number IN ({','.join('?' * len(some))})"
            gone = self._connection.execute(f"SELECT number, time {which}", some).fetchall()
            self._connection.execute(f"DELETE {which}", some)
            counts = counts.with_removed(gone, -1)
            self.keep_counts(counts)

    def _delete(self, which: str, values: Sequence[int]) -> tuple[int, int]:
        """Delete some documents; returns how many, and the bytes of their texts."""
        row = self._connection.execute(
            f"SELECT count(*), coalesce(sum(length(text)), 0) FROM documents WHERE {which}",  # noqa: S608
            values,
        ).fetchone()
        if row[0]:
            self._connection.execute(f"DELETE FROM documents WHERE {which}", values)  # noqa: S608
        return int(row[0]), int(row[1])

    def _less(self, counts: Counts, n: int, size: int) -> Counts:
        """Return the counts after so many documents with texts of that size were deleted."""
        earliest = self._value("SELECT min(time) FROM documents")
        latest = self._value("SELECT max(time) FROM documents")
        return replace(
            counts,
            documents=counts.documents - n,
            text_bytes=counts.text_bytes - size,
            earliest=earliest,
            latest=latest,
        )


def _in_parts(numbers: Sequence[int]) -> Iterable[Sequence[int]]:
    return (numbers[start : start + _MANY] for start in range(0, len(numbers), _MANY))
